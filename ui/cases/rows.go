// Package cases is the list of a study's cases: retention at every capacity
// under both policies, the answers once graded, and how they pair. This file
// turns a book into the rows that are shown, found and sorted.
package cases

import (
	"slices"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// row is one case, its texts cleaned once.
type row struct {
	id       string // as stored
	show     string // cleaned
	scenario string
	source   string
	rank     int
	kept     [2][]bool // by policy, then by capacity in the book's order
	known    bool      // the cells are there
	answers  [2]answer
	pair     casebook.Pair
	text     string // what the filter looks at, lower case
	order    int    // place in the study
}

type answer int

const (
	none answer = iota
	there
	right
	wrong
)

func rowsOf(book *casebook.Book) []row {
	out := make([]row, len(book.Entries))
	for i := range book.Entries {
		e := &book.Entries[i]
		r := row{
			id: e.Case.ID, show: widget.Clean(e.Case.ID), scenario: widget.Clean(e.Case.Scenario),
			source: "official", rank: e.Case.LossRank, pair: e.Pair(book.Policies), order: i, known: true,
		}
		if e.Case.Source == pools.Synthetic {
			r.source = "synthetic"
		}
		for p, policy := range book.Policies[:min(2, len(book.Policies))] {
			for _, capacity := range book.Capacities {
				cell, ok := e.Cells[casebook.CellKey{Policy: policy.Name, Capacity: capacity}]
				r.known = r.known && ok
				r.kept[p] = append(r.kept[p], cell.SupportRetained)
			}
			r.answers[p] = answerOf(book, e, policy.Name)
		}
		r.text = strings.ToLower(strings.Join([]string{r.show, r.scenario, r.source, widget.Clean(e.Case.QuestionType),
			pairWord(r.pair), "rank" + strconv.Itoa(r.rank), widget.Clean(e.Case.Question)}, " "))
		out[i] = r
	}
	return out
}

func answerOf(book *casebook.Book, e *casebook.Entry, policy string) answer {
	stored, ok := e.Rows[policy]
	switch {
	case !ok:
		return none
	case !book.Graded || !stored.Graded:
		return there
	case stored.Correct:
		return right
	}
	return wrong
}

func pairWord(p casebook.Pair) string {
	switch p {
	case casebook.PairConfidence:
		return "+conf"
	case casebook.PairHybrid:
		return "+hyb"
	case casebook.PairBothRight, casebook.PairBothWrong:
		return "="
	}
	return ""
}

// sortKey is what the list is ordered by.
type sortKey int

const (
	byStudy sortKey = iota
	byID
	byScenario
	byRank
	byPair
	byKept
	sortKeys
)

var sortNames = [sortKeys]string{"study order", "case", "scenario", "loss rank", "pair", "support kept"}

// view gives the rows that hold every word of the filter, sorted.
func view(rows []row, filter string, discordant bool, by sortKey, reverse bool) []int {
	words := strings.Fields(strings.ToLower(filter))
	out := make([]int, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		ok := !discordant || r.pair.Discordant()
		for _, w := range words {
			ok = ok && strings.Contains(r.text, w)
		}
		if ok {
			out = append(out, i)
		}
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
	case byRank:
		return a.rank - b.rank
	case byPair:
		return pairOrder(a.pair) - pairOrder(b.pair)
	case byKept:
		return keptCount(a) - keptCount(b)
	}
	return a.order - b.order
}

func pairOrder(p casebook.Pair) int {
	return slices.Index([]casebook.Pair{casebook.PairHybrid, casebook.PairConfidence, casebook.PairBothWrong, casebook.PairBothRight, casebook.PairPending}, p)
}

func keptCount(r *row) int {
	n := 0
	for p := range r.kept {
		for _, kept := range r.kept[p] {
			if kept {
				n++
			}
		}
	}
	return n
}
