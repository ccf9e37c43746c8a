// The ring of distractors: every case draws its window of consecutive records
// from it, beginning where its ID says.
package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// window tells which distractor of the case at hand a record is; -1 for none.
func (s *Screen) window(record int) int {
	e, n := s.entry(), s.ringSize()
	if e == nil || n == 0 {
		return -1
	}
	at := ((record-e.Case.BankOffset)%n + n) % n
	if at < s.distractors() {
		return at
	}
	return -1
}

func (s *Screen) ringSize() int {
	if !s.hasRing() {
		return 0
	}
	return len(s.book.Study.Pools.Bank)
}

// distractors is the number of records a case draws.
func (s *Screen) distractors() int {
	if c := s.config(); c != nil {
		return c.Pool.Distractors
	}
	return 0
}

// ringItems is every record of the ring.
func (s *Screen) ringItems() []item {
	p := &s.panes[paneRing]
	p.columns = []string{"record", "row_id", "type", "distractor", "drawn_by_cases"}
	if !s.hasRing() {
		if s.book == nil {
			return nil
		}
		return []item{{label: "not known", value: "The ring is made of the dataset, which is not at hand."}}
	}
	bank := s.book.Study.Pools.Bank
	uses := make([]int, len(bank))
	for i := range s.book.Entries {
		for k := range min(s.distractors(), len(bank)) {
			uses[((s.book.Entries[i].Case.BankOffset+k)%len(bank)+len(bank))%len(bank)]++
		}
	}
	out := make([]item, len(bank))
	for i, record := range bank {
		out[i] = s.record(i, record, uses[i])
	}
	if e := s.entry(); e != nil {
		p.list.Cursor = min(max(e.Case.BankOffset, 0), len(out)-1)
	}
	return out
}

func (s *Screen) record(i int, r pools.Record, uses int) item {
	th, e, in := s.th, s.entry(), s.window(i)
	id, kind := words(r.RowID), words(r.Type)
	place, kept := "", ""
	var drawn any
	if in >= 0 {
		place, drawn = "d"+strconv.Itoa(in), in
		kept = s.keptSigns(e, fmt.Sprintf("d_%s_%d_%s", e.Case.ID, in, r.RowID))
	}
	return item{
		label: fmt.Sprintf("Record %02d %s", i, id), value: strings.TrimSpace(place + " " + kind), copy: r.RowID, full: r.Evidence,
		values: []any{i, r.RowID, r.Type, drawn, uses},
		draw: func(w int) []string {
			style := th.Dim
			if in >= 0 {
				style = th.Support
			}
			line := style.Render(fmt.Sprintf("%02d", i)) + " " + style.Render(widget.Fit(place, 3, "")) + " " + widget.Fit(id, 12, th.Sign.More) + " "
			if kept == "" {
				kept = widget.Spaces(widget.Width(s.keptSigns(e, "")))
			}
			room := w - widget.Width(line) - widget.Width(kept) - 1
			tail := ""
			if room >= 28+16 {
				tail = th.Dim.Render(widget.Fit(" drawn by "+widget.Plural(uses, "case"), 18, ""))
				room -= 18
			}
			return []string{widget.Fit(line+kept+" "+th.Dim.Render(widget.Fit(kind, max(room, 0), th.Sign.More))+tail, w, "")}
		},
	}
}

// keptSigns tells what became of a fact under each policy at the QA capacity.
func (s *Screen) keptSigns(e *casebook.Entry, fact string) string {
	var out []string
	for _, p := range s.book.Policies {
		cell := e.Cells[casebook.CellKey{Policy: p.Name, Capacity: s.book.QACapacity}]
		if slices.Contains(cell.Kept, fact) {
			out = append(out, s.th.Kept.Render(s.th.Sign.Kept))
		} else {
			out = append(out, s.th.Evicted.Render(s.th.Sign.Evicted))
		}
	}
	return strings.Join(out, " ")
}

// ringAbove draws the ring and the case's window on it over the list of records.
func (s *Screen) ringAbove(w, h int) []string {
	e := s.entry()
	if e == nil || !s.hasRing() || w < 12 {
		return nil
	}
	th, n := s.th, s.ringSize()
	last := (e.Case.BankOffset + s.distractors() - 1) % n
	lines := []string{
		widget.Fit(th.Strong.Render(words(e.Case.ID))+th.Dim.Render(" "+th.Sign.Spark+" ")+words(e.Case.Scenario), w, th.Sign.More),
		widget.Fit(fmt.Sprintf("its window: %d of %d records, %02d to %02d", s.distractors(), n, e.Case.BankOffset, last), w, th.Sign.More),
	}
	if ring := s.circle(w); ring != nil && h >= len(lines)+len(ring)+8 {
		lines = append(lines, ring...)
	} else if h >= 8 {
		lines = append(lines, s.straight(w)...)
	}
	names := policyNames(s.book, 100)
	if widget.Width(names)+50 > w {
		names = policyNames(s.book, 4)
	}
	heads := widget.Fit("   # d   record", mark+2+1+3+1+12+1, "")
	return append(lines, widget.Fit(th.Dim.Render(heads+s.th.Sign.Kept+" kept "+s.th.Sign.Evicted+" evicted at "+strconv.Itoa(s.book.QACapacity)+": "+names), w, th.Sign.More))
}

// policyNames names the policies, each in at most so many cells.
func policyNames(b *casebook.Book, most int) string {
	var out []string
	for _, p := range b.Policies {
		name := words(p.Name)
		out = append(out, widget.Fit(name, min(widget.Width(name), most), ""))
	}
	return strings.Join(out, ", ")
}

// cell writes a record's number in four cells: in brackets inside the window,
// in another colour where it begins.
func (s *Screen) cell(i int) string {
	n := fmt.Sprintf("%02d", i)
	switch s.window(i) {
	case -1:
		return s.th.Dim.Render(" " + n + " ")
	case 0:
		return s.th.Key.Render("[" + n + "]")
	}
	return s.th.Support.Render("[" + n + "]")
}

// circle draws the records around a rectangle, clockwise from the upper left,
// in at most w cells; nil where they do not fit.
func (s *Screen) circle(w int) []string {
	n := s.ringSize()
	const cell, leastTop = 4, 6
	if n > 99 || n < 2*leastTop+4 {
		return nil
	}
	side := 4
	top := (n - 2*side + 1) / 2
	for ; top*cell > w; top = (n - 2*side + 1) / 2 {
		if side++; top <= leastTop {
			return nil
		}
	}
	bottom := n - 2*side - top
	lines := make([]string, side+2)
	for i := range top {
		lines[0] += s.cell(i)
	}
	inside := s.insideRing(top*cell - 2*cell)
	for r := range side {
		text := ""
		if at := r - (side-len(inside))/2; at >= 0 && at < len(inside) {
			text = inside[at]
		}
		lines[r+1] = s.cell(n-1-r) + widget.FitCentre(text, top*cell-2*cell, "") + s.cell(top+r)
	}
	for i := range bottom {
		lines[side+1] += s.cell(n - side - 1 - i)
	}
	// The lower row is shorter by one where the number of records is odd.
	lines[side+1] = widget.Spaces((top-bottom)*cell) + lines[side+1]
	return lines
}

// insideRing is what stands in the middle of the ring.
func (s *Screen) insideRing(w int) []string {
	if w < 24 {
		return nil
	}
	return []string{s.th.Dim.Render("clockwise from 00"), s.th.Support.Render("[in the window]")}
}

// straight draws the ring as a strip, cut at 00: the number of the distractor
// for what is in the window, a dot for the rest.
func (s *Screen) straight(w int) []string {
	n := s.ringSize()
	each := min(max(w/10*10, 10), (n+9)/10*10)
	var out []string
	for from := 0; from < n && len(out) < 8; from += each {
		var ruler, strip strings.Builder
		for i := from; i < min(from+each, n); i++ {
			if i%10 == 0 {
				ruler.WriteString(widget.Fit(strconv.Itoa(i), 10, ""))
			}
			switch in := s.window(i); {
			case in < 0:
				strip.WriteString(s.th.Dim.Render(s.th.Sign.Empty))
			case in > 9:
				strip.WriteString(s.th.Support.Render("+"))
			default:
				strip.WriteString(s.th.Support.Render(strconv.Itoa(in)))
			}
		}
		out = append(out, widget.Fit(s.th.Dim.Render(strings.TrimRight(ruler.String(), " ")), w, ""), widget.Fit(strip.String(), w, ""))
	}
	return out
}
