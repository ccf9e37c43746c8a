// Package cases is the list of a study's cases: retention at every capacity
// under both policies, the answers once graded, and how they pair. This file
// turns a book into the rows that are shown, found and sorted.
package cases

import (
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
	kind     string // question type
	source   string
	rank     int
	kept     [2][]bool // by policy, then by capacity in the book's order
	known    bool      // the cells are there
	answers  [2]answer
	rules    [2]string // that graded the answers
	pair     casebook.Pair
	text     string // what the words of a filter are looked for in, lower case

	lowScenario, lowKind string // the same for its conditions
	lowRules             [2]string
	order                int // place in the study
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
			kind: widget.Clean(e.Case.QuestionType), source: "official", rank: e.Case.LossRank, pair: e.Pair(book.Policies), order: i, known: true,
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
			r.rules[p] = widget.Clean(e.Rows[policy.Name].Rule)
			r.lowRules[p] = strings.ToLower(r.rules[p])
		}
		r.text = strings.ToLower(strings.Join([]string{r.show, r.scenario, r.source, r.kind,
			pairWord(r.pair), "rank" + strconv.Itoa(r.rank), widget.Clean(e.Case.Question)}, " "))
		r.lowScenario, r.lowKind = strings.ToLower(r.scenario), strings.ToLower(r.kind)
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
