// The scale of a chart's long side: which value stands in which column, and
// which values are written under it.
package chart

import (
	"fmt"
	"math"

	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// scale puts values between lo and hi into w columns.
type scale struct {
	lo, hi float64
	w      int
}

// column is where v stands, held inside the scale.
func (s scale) column(v float64) int {
	if !finite(v) || !(s.hi > s.lo) || s.w < 2 {
		return 0
	}
	share := (v - s.lo) / (s.hi - s.lo)
	return int(math.Round(max(min(share, 1), 0) * float64(s.w-1)))
}

// ticks gives round values within the scale, none nearer than least columns.
func (s scale) ticks(least int) []float64 {
	if !(s.hi > s.lo) || s.w < 2 {
		return nil
	}
	for _, step := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2} {
		if float64(s.w-1)*step/(s.hi-s.lo) < float64(max(least, 1)) {
			continue
		}
		var out []float64
		for i := math.Ceil(s.lo/step - 1e-9); i*step <= s.hi+1e-9; i++ {
			out = append(out, i*step)
		}
		return out
	}
	return nil
}

// label is a word that belongs to a column.
type label struct {
	at    int
	text  string
	style theme.Style
	side  side
}

// side is where a label lies by its column.
type side int

const (
	centred side = iota
	before       // ends at it
	after        // starts at it
)

// place writes labels centred on their columns into lines of w cells; one that
// would touch another goes to the next line, as often as there are lines.
func place(labels []label, w, most int) []string {
	var rows [][]label
	for _, l := range labels {
		n := widget.Width(l.text)
		if n > w {
			continue
		}
		switch l.side {
		case centred:
			l.at -= n / 2
		case before:
			l.at -= n - 1
		}
		l.at = max(min(l.at, w-n), 0)
		done := false
		for r := 0; r < most && !done; r++ {
			if r == len(rows) {
				rows = append(rows, nil)
			}
			free := true
			for _, other := range rows[r] {
				free = free && (l.at >= other.at+widget.Width(other.text)+1 || other.at >= l.at+n+1)
			}
			if free {
				rows[r] = append(rows[r], l)
				done = true
			}
		}
	}
	out := make([]string, len(rows))
	for r, row := range rows {
		at := 0
		for at < w {
			next := -1
			for i, l := range row {
				if l.at >= at && (next < 0 || l.at < row[next].at) {
					next = i
				}
			}
			if next < 0 {
				break
			}
			out[r] += widget.Spaces(row[next].at-at) + row[next].style.Render(row[next].text)
			at = row[next].at + widget.Width(row[next].text)
		}
		out[r] = widget.Fit(out[r], w, "")
	}
	return out
}

func tickText(v, step float64) string {
	if math.Abs(v) < 1e-9 {
		return "0"
	}
	if math.Abs(math.Mod(step*10+1e-9, 1)) < 1e-6 {
		return fmt.Sprintf("%+.1f", v)
	}
	return fmt.Sprintf("%+.2f", v)
}

// tickRow writes the ticks' values under their columns.
func (s scale) tickRow(th *theme.Theme, ticks []float64) string {
	step := 1.0
	if len(ticks) > 1 {
		step = ticks[1] - ticks[0]
	}
	labels := make([]label, len(ticks))
	for i, t := range ticks {
		labels[i] = label{s.column(t), tickText(t, step), th.Dim, centred}
	}
	if rows := place(labels, s.w, 1); len(rows) > 0 {
		return rows[0]
	}
	return widget.Spaces(s.w)
}
