// Package pairs shows the cases on which the two policies' answers differ, and
// why: what each kept, what each answered, which rule of the grader decided and
// on which words. This file turns a book into the rows of the list.
package pairs

import (
	"slices"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/review"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// row is one case's pair, its texts cleaned once.
type row struct {
	entry    *casebook.Entry
	pair     casebook.PairAnalysis
	show     string // the case's ID, cleaned
	scenario string
	source   string
	text     string // what the words of a filter are looked for in, lower case
	order    int    // place in the study

	// How the sides are told: of blind rows as A and B, in the reviewer's order,
	// and nothing that only one policy could have done is told.
	queued bool // of the review
	blind  bool
	sides  [2]int    // which side is told first and which second
	label  [2]string // of the first and the second, cleaned
	short  [2]string // the same in few cells
	flags  [2][]review.Flag
}

// rowsOf gives every pair of a graded book; none of one that is not.
func rowsOf(book *casebook.Book) []row {
	if !book.Graded {
		return nil
	}
	var out []row
	for i := range book.Entries {
		e := &book.Entries[i]
		a, ok := book.Analyse(e)
		if !ok || a.Outcome == casebook.PairPending {
			continue
		}
		r := row{entry: e, pair: a, show: widget.Clean(e.Case.ID), scenario: widget.Clean(e.Case.Scenario), source: "official", order: i, sides: [2]int{0, 1}}
		for side := range a.Sides {
			r.label[side] = widget.Clean(a.Sides[side].Policy)
			r.short[side] = r.label[side]
		}
		if e.Case.Source == pools.Synthetic {
			r.source = "synthetic"
		}
		r.text = strings.ToLower(strings.Join(r.words(), " "))
		out = append(out, r)
	}
	return out
}

// words is what a filter may ask for: the texts themselves, and conditions
// such as kind=eviction written out, so that they are found as words.
func (r *row) words() []string {
	c, a := &r.entry.Case, &r.pair
	out := []string{r.show, "scenario=" + r.scenario, "source=" + r.source, "type=" + widget.Clean(c.QuestionType), widget.Clean(c.Question), pairWord(a.Outcome)}
	if a.Outcome.Discordant() {
		out = append(out, "pair=discordant", "kind="+string(a.Kind), "pair="+strings.TrimPrefix(string(a.Outcome), "+"))
	} else {
		out = append(out, "pair=concordant", "pair="+strings.TrimPrefix(string(a.Outcome), "both "), string(a.Outcome))
	}
	kept := "kept=yes"
	for i := range a.Sides {
		if !a.Sides[i].SupportRetained {
			kept = "kept=no"
		}
		out = append(out, "rule="+widget.Clean(a.Sides[i].Row.Rule))
	}
	request := "request=different"
	if a.SameRequest {
		request = "request=same identical"
	}
	return append(out, kept, request)
}

func pairWord(p casebook.Pair) string {
	switch p {
	case casebook.PairConfidence:
		return "+conf"
	case casebook.PairHybrid:
		return "+hyb"
	case casebook.PairBothRight:
		return "= right"
	case casebook.PairBothWrong:
		return "= wrong"
	}
	return ""
}

// summary counts the pairs of a book.
type summary struct {
	discordant           int
	kinds                map[casebook.Kind]int
	same, sameDiscordant int // with identical requests
}

func sumUp(rows []row) summary {
	s := summary{kinds: map[casebook.Kind]int{}}
	for i := range rows {
		a := &rows[i].pair
		s.kinds[a.Kind]++
		if a.Outcome.Discordant() {
			s.discordant++
		}
		if a.SameRequest {
			s.same++
			if a.Outcome.Discordant() {
				s.sameDiscordant++
			}
		}
	}
	return s
}

// sortKey is what the list is ordered by, after discordance.
type sortKey int

const (
	byStudy sortKey = iota
	byKind
	byID
	byScenario
	sortKeys
)

// none is what a column is sorted by that nothing sorts by.
const none sortKey = -1

var sortNames = [sortKeys]string{"study order", "kind", "case", "scenario"}

// view gives the rows that hold every word of the filter: the discordant ones
// first, then, when asked for, the others.
func view(rows []row, filter string, all bool, by sortKey) []int {
	terms := parse(filter)
	out := make([]int, 0, len(rows))
	for i := range rows {
		ok := all || rows[i].pair.Outcome.Discordant()
		for _, t := range terms {
			ok = ok && t.holds(rows[i].text)
		}
		if ok {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(i, j int) int { return compare(&rows[i], &rows[j], by) })
	return out
}

func compare(a, b *row, by sortKey) int {
	if x, y := a.pair.Outcome.Discordant(), b.pair.Outcome.Discordant(); x != y {
		if x {
			return -1
		}
		return 1
	}
	c := 0
	switch by {
	case byKind:
		c = slices.Index(casebook.Kinds(), a.pair.Kind) - slices.Index(casebook.Kinds(), b.pair.Kind)
	case byID:
		c = strings.Compare(a.entry.Case.ID, b.entry.Case.ID)
	case byScenario:
		c = strings.Compare(a.entry.Case.Scenario, b.entry.Case.Scenario)
	}
	if c == 0 {
		c = a.order - b.order
	}
	return c
}
