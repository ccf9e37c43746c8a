// Intervals under one another on one scale, so that their ends can be compared.
package chart

import (
	"fmt"

	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Range is an interval with its estimate.
type Range struct {
	Name                   string // cleaned
	Note                   string // after the numbers: "primary"; may be empty
	Estimate, Lower, Upper float64
	Undefined              bool // there is no interval; Note says why
	Mark                   bool // the one to read: marked by a sign
}

// Forest draws intervals on a common scale that holds zero: a line each, an
// axis below. Names and numbers stand beside the plot; where that leaves too
// little, the numbers alone are written.
func Forest(th *theme.Theme, ranges []Range, w int) []string {
	if w < 1 || len(ranges) == 0 {
		return nil
	}
	nameW, noteW := 0, 0
	lo, hi := 0.0, 0.0
	for _, r := range ranges {
		nameW = max(nameW, widget.Width(r.Name))
		noteW = max(noteW, widget.Width(numbers(r)))
		if !r.Undefined && finite(r.Lower) && finite(r.Upper) && finite(r.Estimate) {
			lo, hi = min(lo, r.Lower, r.Estimate), max(hi, r.Upper, r.Estimate)
		}
	}
	nameW = min(nameW, max(w/3, 8))
	pad := max((hi-lo)*0.04, 0.02)
	s := scale{max(lo-pad, -1.05), min(hi+pad, 1.05), min(w-2-nameW-2-2-noteW, 100)}
	g := newGrid(s.w, len(ranges)+1)
	if s.w < 12 || g == nil {
		return ForestTwin(th, ranges)
	}
	zero := s.column(0)
	for y, r := range ranges {
		g.set(zero, y, '┊', th.Warn)
		if r.Undefined || !finite(r.Lower) || !finite(r.Upper) || !finite(r.Estimate) {
			continue
		}
		style := th.Dim
		if r.Mark {
			style = th.Info
		}
		from, to := s.column(r.Lower), s.column(r.Upper)
		for x := from; x <= to; x++ {
			g.set(x, y, '─', style)
		}
		g.set(from, y, '├', style)
		g.set(to, y, '┤', style)
		g.set(s.column(r.Estimate), y, '◆', th.Strong)
	}
	ticks := s.ticks(8)
	for x := range s.w {
		g.set(x, len(ranges), '─', th.Faint)
	}
	for _, t := range ticks {
		g.set(s.column(t), len(ranges), '┬', th.Faint)
	}
	plot := g.lines(th)
	out := make([]string, 0, len(ranges)+2)
	for y, r := range ranges {
		out = append(out, rangeMark(th, r)+widget.Fit(r.Name, nameW, th.Sign.More)+"  "+plot[y]+"  "+numbers(r))
	}
	left := widget.Spaces(2 + nameW + 2)
	return append(out, left+plot[len(ranges)], left+s.tickRow(th, ticks))
}

func rangeMark(th *theme.Theme, r Range) string {
	if r.Mark {
		return th.Key.Render(th.Sign.Select) + " "
	}
	return "  "
}

func numbers(r Range) string {
	text := r.Note
	if !r.Undefined {
		text = Interval(r.Lower, r.Upper)
		if r.Note != "" {
			text += " " + r.Note
		}
	}
	return text
}

// ForestTwin is the same in words and numbers.
func ForestTwin(th *theme.Theme, ranges []Range) []string {
	nameW := 0
	for _, r := range ranges {
		nameW = max(nameW, widget.Width(r.Name))
	}
	out := make([]string, len(ranges))
	for i, r := range ranges {
		out[i] = rangeMark(th, r) + widget.Fit(r.Name, nameW, th.Sign.More) + "  " + numbers(r)
		if !r.Undefined {
			out[i] += fmt.Sprintf(" around %s", Signed(r.Estimate))
		}
	}
	return out
}
