// Package chart draws figures in terminal cells: a histogram, intervals beside
// one another, horizontal bars. The shapes are those of ntcharts; sizes and
// values are checked before they reach it, and colours and signs are the
// theme's, so that a chart reads without colour and in ASCII. Every chart has a
// text twin that tells the same in words and numbers.
package chart

import (
	"math"
	"strings"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/charmbracelet/lipgloss"

	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// grid is a canvas of which only the runes are used; styles are kept beside it,
// because ntcharts' own would ask the terminal for its colours.
type grid struct {
	m      canvas.Model
	w, h   int
	styles []theme.Style
}

// The sizes a chart takes; beyond them it is drawn no larger.
const (
	mostCols = 600
	mostRows = 200
)

// newGrid gives an empty canvas, nil for a size that has no cell.
func newGrid(w, h int) *grid {
	w, h = min(w, mostCols), min(h, mostRows)
	if w < 1 || h < 1 {
		return nil
	}
	return &grid{m: canvas.New(w, h), w: w, h: h, styles: make([]theme.Style, w*h)}
}

func (g *grid) inside(x, y int) bool { return x >= 0 && x < g.w && y >= 0 && y < g.h }

// set writes one rune; outside of the canvas it does nothing.
func (g *grid) set(x, y int, r rune, s theme.Style) {
	if g.inside(x, y) {
		g.m.SetRune(canvas.Point{X: x, Y: y}, r)
		g.styles[y*g.w+x] = s
	}
}

// column draws a column from the lowest row up, height in cells.
func (g *grid) column(x int, height float64, s theme.Style) {
	if !finite(height) || height <= 0 || x < 0 || x >= g.w {
		return
	}
	height = min(height, float64(g.h))
	graph.DrawColumnBottomToTop(&g.m, canvas.Point{X: x, Y: g.h - 1}, height, lipgloss.Style{})
	for y := g.h - int(math.Ceil(height)); y < g.h; y++ {
		g.styles[y*g.w+x] = s
	}
}

// row draws a bar from x rightwards, length in cells.
func (g *grid) row(x, y int, length float64, s theme.Style) {
	if !finite(length) || length <= 0 || !g.inside(x, y) {
		return
	}
	graph.DrawRowLeftToRight(&g.m, canvas.Point{X: x, Y: y}, min(length, float64(g.w-x)), lipgloss.Style{})
	for ; x < g.w && g.at(x, y) != ' '; x++ {
		g.styles[y*g.w+x] = s
	}
}

func (g *grid) at(x, y int) rune {
	r := g.m.Cell(canvas.Point{X: x, Y: y}).Rune
	if r == 0 {
		return ' '
	}
	return r
}

// lines gives the canvas as lines of exactly its width.
func (g *grid) lines(th *theme.Theme) []string {
	out := make([]string, g.h)
	var line, run strings.Builder
	for y := range out {
		line.Reset()
		style := theme.Style{}
		flush := func() {
			line.WriteString(style.Render(run.String()))
			run.Reset()
		}
		for x := range g.w {
			r := g.at(x, y)
			if s := g.styles[y*g.w+x]; s != style {
				flush()
				style = s
			}
			run.WriteString(sign(th, r))
		}
		flush()
		out[y] = widget.Fit(line.String(), g.w, "")
	}
	return out
}

// ASCII tells whether only ASCII may be drawn.
func ascii(th *theme.Theme) bool { return th.Border4.H == "-" }

// sign gives a rune as the theme may draw it.
func sign(th *theme.Theme, r rune) string {
	if !ascii(th) || r < 0x7f {
		return string(r)
	}
	switch r {
	case '▁', '▂', '▃':
		return "."
	case '▄', '▅', '▆':
		return ":"
	case '▇', '█', '▉', '▊', '▋', '▌':
		return "#"
	case '▍', '▎', '▏':
		return " "
	case '─', '╌':
		return "-"
	case '│', '┤', '├':
		return "|"
	case '┊':
		return ":"
	case '┼', '┴', '┬', '└':
		return "+"
	case '◆', '●':
		return "*"
	}
	return "?"
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
