// The bootstrap distribution: how often each resampled difference came up, with
// zero, the estimate and the interval's ends marked.
package chart

import (
	"fmt"
	"math"

	"deermem-tui/engine/stats"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Histogram is a bootstrap distribution to be drawn. It keeps its last drawing
// and draws again only for another size, another distribution or another theme.
type Histogram struct {
	bins                   []stats.Bin
	pairs                  int
	estimate, lower, upper float64

	th    *theme.Theme
	w, h  int
	drawn []string
}

// NewHistogram takes what a bootstrap drew.
func NewHistogram(b stats.BootstrapResult) *Histogram {
	return &Histogram{bins: merged(b.Distribution, b.Pairs), pairs: b.Pairs, estimate: b.MeanDifference, lower: b.Lower, upper: b.Upper}
}

// merged adds up the values that differ in their last bits only: a difference
// of two rounded means reaches the same fraction in more than one way.
func merged(bins []stats.Bin, pairs int) []stats.Bin {
	var out []stats.Bin
	for _, b := range bins {
		if last := len(out) - 1; last >= 0 && math.Round(out[last].Value*float64(pairs)) == math.Round(b.Value*float64(pairs)) {
			out[last].Count += b.Count
			continue
		}
		out = append(out, b)
	}
	return out
}

// The least size in which something can be read, and the lines under the plot.
const (
	leastW, leastH = 24, 8
	gutter         = 8 // counts and the axis, left of the plot
	widest         = 9 // columns of a bar; wider ones look like areas
)

// Lines draws h lines of w cells. Below the least size it says so in words.
func (c *Histogram) Lines(th *theme.Theme, w, h int) []string {
	if c.drawn == nil || c.th != th || c.w != w || c.h != h {
		c.th, c.w, c.h = th, w, h
		c.drawn = widget.Block(c.draw(th, w, h), max(w, 0), h, th.Sign.More)
	}
	return c.drawn
}

// lattice is the grid of attained differences: multiples of 1/pairs, several of
// them to a bar where there are more of them than columns.
type lattice struct {
	from, bars, group int // the first bar's number; how many; attained values a bar
	barW              int // columns a bar
	pairs             int
}

// bar gives the number of the bar that holds v, from 0.
func (l lattice) bar(v float64) int {
	k := int(math.Round(v * float64(l.pairs)))
	return floorDiv(k, l.group) - l.from
}

// column is the middle column of the bar that holds v.
func (l lattice) column(v float64) int { return l.bar(v)*l.barW + (l.barW-1)/2 }

// between is the column of any value, between bars too.
func (l lattice) between(v float64) int {
	at := (v*float64(l.pairs)/float64(l.group)-float64(l.from))*float64(l.barW) + float64(l.barW-1)/2
	return int(math.Floor(at + 1e-9))
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

func (c *Histogram) lattice(w int) (l lattice, ok bool) {
	lo, hi := min(0, c.lower, c.estimate), max(0, c.upper, c.estimate)
	for _, b := range c.bins {
		lo, hi = min(lo, b.Value), max(hi, b.Value)
	}
	if c.pairs < 1 || w < 1 || !finite(lo) || !finite(hi) || lo < -1.001 || hi > 1.001 {
		return l, false
	}
	n := float64(c.pairs)
	first, last := max(int(math.Round(lo*n))-1, -c.pairs), min(int(math.Round(hi*n))+1, c.pairs)
	l = lattice{pairs: c.pairs, group: 1}
	if points := last - first + 1; points > w {
		l.group = (points + w - 2) / max(w-1, 1)
	}
	l.from = floorDiv(first, l.group)
	l.bars = floorDiv(last, l.group) - l.from + 1
	l.barW = max(min(w/l.bars, widest), 1)
	return l, l.bars <= w
}

func (c *Histogram) draw(th *theme.Theme, w, h int) []string {
	if w < leastW || h < leastH {
		return []string{th.Dim.Render("too small for the chart; its values are in the list")}
	}
	plotW := min(w, mostCols) - gutter
	l, ok := c.lattice(plotW)
	if !ok || len(c.bins) == 0 {
		return []string{th.Dim.Render("no distribution to draw")}
	}
	used := l.bars * l.barW
	heights := make([]int, l.bars)
	most := 0
	for _, b := range c.bins {
		if at := l.bar(b.Value); at >= 0 && at < l.bars {
			heights[at] += b.Count
			most = max(most, heights[at])
		}
	}
	marks := c.marks(th, l, used)
	rows := min(h, mostRows) - 2 - len(marks)
	if rows < 2 {
		marks = nil
		rows = h - 2
	}
	g := newGrid(used, rows)
	if g == nil || most == 0 {
		return []string{th.Dim.Render("no distribution to draw")}
	}
	zero, estimate := l.column(0), l.column(c.estimate)
	for y := range rows {
		g.set(zero, y, '┊', th.Warn)
		g.set(estimate, y, '┊', th.Strong)
	}
	from, to := l.bar(c.lower), l.bar(c.upper)
	for i, count := range heights {
		style := th.Dim
		if i >= from && i <= to {
			style = th.Info
		}
		height := float64(count) / float64(most) * float64(rows)
		if count > 0 {
			height = max(height, 1.0/8) // never nothing where there is something
		}
		width := l.barW
		if width >= 3 {
			width-- // values are apart: so are their bars
		}
		for x := range width {
			at := i*l.barW + x
			if count > 0 { // the guide gives way to the bar
				for y := rows - int(math.Ceil(height)); y < rows; y++ {
					g.set(at, y, ' ', theme.Style{})
				}
			}
			g.column(at, height, style)
		}
	}
	out := make([]string, 0, h)
	for y, line := range g.lines(th) {
		count := ""
		switch y {
		case 0:
			count = widget.Count(int64(most))
		case rows / 2:
			if rows >= 5 {
				count = widget.Count(int64(math.Round(float64(most) * float64(rows-rows/2) / float64(rows))))
			}
		}
		out = append(out, th.Dim.Render(widget.FitRight(count, gutter-2, "")+" "+sign(th, '┤'))+line)
	}
	s := c.axisScale(l, used)
	ticks := s.ticks(9)
	axis := newGrid(used, 1)
	for x := range used {
		axis.set(x, 0, '─', th.Dim)
	}
	for _, t := range ticks {
		axis.set(l.between(t), 0, '┬', th.Dim)
	}
	out = append(out, th.Dim.Render(widget.FitRight("0", gutter-2, "")+" "+sign(th, '└'))+axis.lines(th)[0])
	labels := make([]label, len(ticks))
	step := 1.0
	if len(ticks) > 1 {
		step = ticks[1] - ticks[0]
	}
	for i, t := range ticks {
		labels[i] = label{l.between(t), tickText(t, step), th.Dim, centred}
	}
	tickLine := ""
	if rows := place(labels, used, 1); len(rows) > 0 {
		tickLine = rows[0]
	}
	out = append(out, widget.FitRight(th.Dim.Render("draws"), gutter-2, "")+"  "+tickLine)
	for _, m := range marks {
		out = append(out, widget.Spaces(gutter)+m)
	}
	return out
}

func (c *Histogram) axisScale(l lattice, used int) scale {
	unit := float64(l.group) / float64(l.pairs)
	return scale{float64(l.from) * unit, float64(l.from+l.bars-1) * unit, used}
}

// marks are the lines under the axis: the interval drawn from end to end with
// the estimate on it, and what each mark is with its value.
func (c *Histogram) marks(th *theme.Theme, l lattice, w int) []string {
	g := newGrid(w, 1)
	if g == nil {
		return nil
	}
	from, to := l.column(c.lower), l.column(c.upper)
	for x := from + 1; x < to; x++ {
		g.set(x, 0, '─', th.Info)
	}
	g.set(l.column(0), 0, '0', th.Warn)
	g.set(from, 0, '[', th.Info)
	g.set(to, 0, ']', th.Info)
	g.set(l.column(c.estimate), 0, '◆', th.Strong)
	labels := []label{
		{l.column(c.estimate), "estimate " + Signed(c.estimate), th.Strong, centred},
		{from, "lower " + Signed(c.lower), th.Info, before},
		{to, "upper " + Signed(c.upper), th.Info, after},
		{l.column(0), "zero", th.Warn, centred},
	}
	return append(g.lines(th), place(labels, w, 3)...)
}

// Twin is the histogram in words and numbers: every attained difference with
// its draws, the share at or below it, and what it is.
func (c *Histogram) Twin(th *theme.Theme) []string {
	total := 0
	for _, b := range c.bins {
		total += b.Count
	}
	out := []string{th.Dim.Render(fmt.Sprintf("%-10s %6s %8s %11s  %s", "difference", "draws", "share", "at or below", "mark"))}
	below, zeroTold := 0, false
	line := func(v float64, count int) {
		mark := c.markOf(v)
		zeroTold = zeroTold || isAt(v, 0)
		text := fmt.Sprintf("%-10s %6s %8s %11s", Signed(v), widget.Count(int64(count)), Percent(float64(count)/float64(max(total, 1))), Percent(float64(below)/float64(max(total, 1))))
		if mark != "" {
			text += "  " + th.Strong.Render(mark)
		}
		out = append(out, text)
	}
	for _, b := range c.bins {
		if !zeroTold && b.Value > 0 && !isAt(b.Value, 0) {
			line(0, 0)
		}
		below += b.Count
		line(b.Value, b.Count)
	}
	if !zeroTold && len(c.bins) > 0 {
		line(0, 0)
	}
	return out
}

func isAt(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func (c *Histogram) markOf(v float64) string {
	mark := ""
	for _, m := range []struct {
		at   float64
		word string
	}{{0, "zero"}, {c.lower, "lower"}, {c.estimate, "estimate"}, {c.upper, "upper"}} {
		if isAt(v, m.at) {
			if mark != "" {
				mark += ", "
			}
			mark += m.word
		}
	}
	return mark
}
