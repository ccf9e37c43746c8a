// Shares as horizontal bars, a line each, the count beside the bar.
package chart

import (
	"math"
	"strings"

	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Bar is a share N of Of.
type Bar struct {
	Name  string // cleaned
	N, Of int
	Kind  int // which of the theme's three bars: the same kind for the same thing
}

// Bars draws bars of a common length in w cells; where there is no room for a
// bar the numbers alone are written.
func Bars(th *theme.Theme, bars []Bar, w int) []string {
	nameW, numberW := 0, 0
	for _, b := range bars {
		nameW = max(nameW, widget.Width(b.Name))
		numberW = max(numberW, len(widget.Share(b.N, b.Of)))
	}
	nameW = min(nameW, max(w/2, 4))
	g := newGrid(min(w-nameW-numberW-4, 60), len(bars))
	if g == nil || g.w < 5 {
		return BarsTwin(th, bars)
	}
	styles := [3]theme.Style{th.Confidence, th.Freshness, th.Usage}
	out := make([]string, len(bars))
	for y, b := range bars {
		length := 0.0
		if b.Of > 0 {
			length = math.Round(max(min(float64(b.N)/float64(b.Of), 1), 0) * float64(g.w))
		}
		g.row(0, y, length, styles[min(max(b.Kind, 0), 2)])
		full := 0
		for full < g.w && g.at(full, y) != ' ' {
			full++
		}
		kind := min(max(b.Kind, 0), 2)
		bar := styles[kind].Render(strings.Repeat(th.Sign.Bars[kind], full)) + th.Track.Render(widget.Repeat(th.Sign.Track, g.w-full))
		out[y] = widget.Fit(b.Name, nameW, th.Sign.More) + "  " + bar + "  " + widget.Share(b.N, b.Of)
	}
	return out
}

// BarsTwin is the same in words and numbers.
func BarsTwin(th *theme.Theme, bars []Bar) []string {
	nameW := 0
	for _, b := range bars {
		nameW = max(nameW, widget.Width(b.Name))
	}
	out := make([]string, len(bars))
	for i, b := range bars {
		out[i] = widget.Fit(b.Name, nameW, th.Sign.More) + "  " + widget.Share(b.N, b.Of)
	}
	return out
}
