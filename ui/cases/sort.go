// The order of the list: any column, up or down.
package cases

import (
	"cmp"
	"slices"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/keys"
)

// sortKey is what the list is ordered by.
type sortKey int

const (
	byStudy sortKey = iota
	byID
	byScenario
	byType
	bySource
	byRank
	byKeptFirst
	byKeptSecond
	byAnswerFirst
	byAnswerSecond
	byRuleFirst
	byRuleSecond
	byPair
	sortKeys
)

// sortNames are the words for the keys, in the title and in the palette.
var sortNames = [sortKeys]string{"study order", "case", "scenario", "question type", "source", "loss rank",
	"support kept under confidence", "support kept under hybrid", "answer under confidence", "answer under hybrid",
	"rule under confidence", "rule under hybrid", "pair"}

// sortTo is the action that sorts by a key.
const sortTo = "cases.sort."

func (k sortKey) action() keys.Action {
	return keys.Action(sortTo + strings.ReplaceAll(sortNames[k], " ", "-"))
}

// sortOf gives the key of such an action.
func sortOf(a keys.Action) (sortKey, bool) {
	for k := byStudy; k < sortKeys; k++ {
		if k.action() == a {
			return k, true
		}
	}
	return byStudy, false
}

// nextSort is the key after the one at hand: of the columns that are seen only,
// so that what changed can be seen too.
func (s *Screen) nextSort() sortKey {
	by := s.sort
	for range sortKeys {
		if by = (by + 1) % sortKeys; by == byStudy {
			break
		}
		column := slices.Index(columnKeys, by)
		if by == byAnswerSecond {
			column = colAnswers
		}
		if s.table.Shown(column) {
			break
		}
	}
	return by
}

// view gives the rows that a filter asks for, sorted. Equal ones stay in the
// order of the study.
func view(rows []row, m *matcher, discordant bool, by sortKey, reverse bool) []int {
	out := make([]int, 0, len(rows))
	for i := range rows {
		if r := &rows[i]; (!discordant || r.pair.Discordant()) && m.match(r) {
			out = append(out, i)
		}
	}
	if by == byStudy {
		if reverse {
			slices.Reverse(out)
		}
		return out
	}
	slices.SortStableFunc(out, func(i, j int) int {
		c := compare(&rows[i], &rows[j], by)
		if reverse {
			return -c
		}
		return c
	})
	return out
}

func compare(a, b *row, by sortKey) int {
	switch by {
	case byID:
		return strings.Compare(a.id, b.id)
	case byScenario:
		return strings.Compare(a.scenario, b.scenario)
	case byType:
		return strings.Compare(a.kind, b.kind)
	case bySource:
		return strings.Compare(a.source, b.source)
	case byRank:
		return cmp.Compare(a.rank, b.rank)
	case byKeptFirst, byKeptSecond:
		return cmp.Compare(a.keptCount(int(by-byKeptFirst)), b.keptCount(int(by-byKeptFirst)))
	case byAnswerFirst, byAnswerSecond:
		side := by - byAnswerFirst
		return cmp.Compare(a.answers[side], b.answers[side])
	case byRuleFirst, byRuleSecond:
		side := by - byRuleFirst
		return strings.Compare(a.rules[side], b.rules[side])
	case byPair:
		return cmp.Compare(pairOrder(a.pair), pairOrder(b.pair))
	}
	return cmp.Compare(a.order, b.order)
}

func pairOrder(p casebook.Pair) int {
	return slices.Index([]casebook.Pair{casebook.PairHybrid, casebook.PairConfidence, casebook.PairBothWrong, casebook.PairBothRight, casebook.PairPending}, p)
}

// keptCount is at how many capacities a policy keeps the support.
func (r *row) keptCount(side int) int {
	n := 0
	for _, kept := range r.kept[side] {
		if kept {
			n++
		}
	}
	return n
}
