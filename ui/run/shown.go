// Which rows the table lists: all of them, or those that one looks for.
package run

import (
	"fmt"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
)

// choice is a kind of row that the table can be narrowed to.
type choice struct {
	words string
	holds func(*row) bool
}

var choices = []choice{
	{"all", func(*row) bool { return true }},
	{"in flight", func(r *row) bool {
		return r.state == pipeline.RowCalling || r.state == pipeline.RowRetrying || r.state == pipeline.RowHeld
	}},
	{"failed", func(r *row) bool { return r.state == pipeline.RowFailed }},
	{"no plain answer", func(r *row) bool { return r.doubtful() }},
	{"not there yet", func(r *row) bool { return !r.there() }},
}

// there tells whether a row is stored.
func (r *row) there() bool {
	return r.stored
}

// doubtful tells whether a stored row is no plain answer.
func (r *row) doubtful() bool { return r.worth.Doubtful() && r.there() }

// narrow turns to the next kind of which there are rows.
func (s *Screen) narrow() {
	for range choices {
		s.only = (s.only + 1) % len(choices)
		if s.list(); len(s.shown) > 0 {
			break
		}
	}
	s.follow = false
	s.arrange()
	s.table.Select(0)
}

// list finds the rows to list; the cursor stays on its row while that is one.
func (s *Screen) list() {
	at := -1
	if r := s.selected(); r != nil {
		at = s.progress.index[r.rowID]
	}
	s.shown = s.shown[:0]
	for i := range s.progress.rows {
		if choices[s.only].holds(&s.progress.rows[i]) {
			s.shown = append(s.shown, i)
		}
	}
	s.table.Len = len(s.shown)
	s.point(at)
}

// point puts the cursor on a row, where it is listed.
func (s *Screen) point(row int) {
	for at, i := range s.shown {
		if i == row {
			s.table.Select(at)
			return
		}
	}
	s.table.Clamp()
}

// selected is the row under the cursor, nil where none is listed.
func (s *Screen) selected() *row {
	if s.table.Cursor < 0 || s.table.Cursor >= len(s.shown) || s.shown[s.table.Cursor] >= len(s.progress.rows) {
		return nil
	}
	return &s.progress.rows[s.shown[s.table.Cursor]]
}

// listed is the title of the table.
func (s *Screen) listed() string {
	if s.only == 0 {
		return "Rows " + fraction(s.progress.finished(), len(s.progress.rows))
	}
	return fmt.Sprintf("Rows: %s %d of %d", choices[s.only].words, len(s.shown), len(s.progress.rows))
}

// byDoubt counts the stored rows that are no plain answers, by what they are.
func (p *Progress) byDoubt() map[outcome.State]int {
	counts := map[outcome.State]int{}
	for i := range p.rows {
		if r := &p.rows[i]; r.doubtful() {
			counts[r.worth]++
		}
	}
	return counts
}
