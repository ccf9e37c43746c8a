// What can be said of a run in numbers while it is under way: counts, rate and
// time left. Accuracy is not among them until every row is graded.
package run

import (
	"fmt"
	"strings"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// finished is the number of rows that are there.
func (p *Progress) finished() int {
	n := 0
	for i := range p.rows {
		if p.rows[i].stored {
			n++
		}
	}
	return n
}

// asking tells whether the stage that asks for answers is under way.
func (p *Progress) asking() bool {
	s := p.stage(pipeline.StageQA)
	return p.Running && s != nil && s.state == stageNow
}

// open tells whether a row has no answer yet and may still get one.
func (p *Progress) open(i int) bool {
	if i < 0 || i >= len(p.rows) {
		return false
	}
	switch p.rows[i].state {
	case pipeline.RowWaiting, pipeline.RowCalling, pipeline.RowRetrying, pipeline.RowHeld:
		return true
	}
	return false
}

// doubtful is the number of stored rows that are no plain answers.
func (p *Progress) doubtful() int {
	n := 0
	for _, count := range p.byDoubt() {
		n += count
	}
	return n
}

// doubts counts them by what they are, in words.
func (p *Progress) doubts() string { return outcome.Tally(p.byDoubt()) }

// Headline is the state in a few words, for the header.
func (p *Progress) Headline(book *casebook.Book) string {
	switch {
	case p.Stopping:
		return "stopping"
	case p.Paused:
		return "paused " + fraction(p.finished(), len(p.rows))
	case p.Running:
		for _, s := range p.stages {
			if s.state == stageNow {
				return "running " + string(s.name) + " " + fraction(s.done, s.total)
			}
		}
		if !p.watching {
			return "running"
		}
	}
	switch {
	case p.counts[pipeline.RowFailed] > 0:
		return fmt.Sprintf("answers %s, %d failed", fraction(p.finished(), len(p.rows)), p.counts[pipeline.RowFailed])
	case p.doubtful() > 0 && (book == nil || !book.Graded):
		return fmt.Sprintf("answers %s, %d not plain", fraction(p.finished(), len(p.rows)), p.doubtful())
	case book != nil && book.Graded:
		return "graded " + fraction(book.Rows, book.RowsNeeded)
	case p.finished() > 0:
		return "answers " + fraction(p.finished(), len(p.rows))
	}
	return "not run yet"
}

func fraction(done, total int) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", done, total)
}

// tally counts the rows by what became of them.
func (p *Progress) tally() string {
	var parts []string
	if d := p.doubts(); d != "" {
		parts = append(parts, d)
	}
	if !p.Running && p.counts[pipeline.RowAnswered]+p.counts[pipeline.RowFailed] == 0 {
		return strings.Join(append([]string{"stored"}, parts...), ", ") // nothing was called since the folder was opened
	}
	var counts []string
	for _, c := range []struct {
		words string
		n     int
	}{
		{"stored before", p.counts[pipeline.RowReused]},
		{"called", p.counts[pipeline.RowAnswered]},
		{"failed", p.counts[pipeline.RowFailed]},
	} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", c.words, c.n))
		}
	}
	return strings.Join(append(counts, parts...), "  ")
}

// stored is the tokens of what is stored, for the edge of the table; nothing
// where the lines below the stages tell them with the rest.
func (p *Progress) stored() string {
	if p.facts.Total > 0 {
		return ""
	}
	return p.tokens.Words(widget.Count)
}

// suite is the result of one suite once it is graded.
type suite struct {
	name                  string
	cases                 int
	first, second         int // right under the first and the second policy
	onlyFirst, onlySecond int // discordant pairs
}

// suites counts a graded book; nothing while it is not graded. Official and
// synthetic stand for themselves; overall is marked as what it is.
func suites(book *casebook.Book) []suite {
	if book == nil || !book.Graded || len(book.Policies) < 2 {
		return nil
	}
	a, b := book.Policies[0].Name, book.Policies[1].Name
	out := []suite{{name: "official"}, {name: "synthetic"}, {name: "overall (both)"}}
	for i := range book.Entries {
		e := &book.Entries[i]
		own := &out[0]
		if e.Case.Source == pools.Synthetic {
			own = &out[1]
		}
		for _, s := range []*suite{own, &out[2]} {
			s.add(e.Rows[a].Correct, e.Rows[b].Correct)
		}
	}
	return out
}

func (s *suite) add(first, second bool) {
	s.cases++
	if first {
		s.first++
	}
	if second {
		s.second++
	}
	if first && !second {
		s.onlyFirst++
	}
	if second && !first {
		s.onlySecond++
	}
}
