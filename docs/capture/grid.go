// The screen as a value: cells with a text and a style each, and nothing of
// the emulator that made them.
package main

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// grid is rows of cells, all of the same length.
type grid struct {
	cols, rows int
	cells      []cell // row after row
}

// cell is one place of the screen. The second half of a wide character has
// width 0 and no text.
type cell struct {
	text  string
	width int
	style style
}

// style is how a cell is written. A colour is "#rrggbb", or empty for the
// terminal's own.
type style struct {
	fg, bg                                      string
	bold, faint, italic, underline, strike, rev bool
}

func (g grid) at(x, y int) cell { return g.cells[y*g.cols+x] }

func (g grid) equal(other grid) bool { return slices.Equal(g.cells, other.cells) }

// text is the screen without styles, lines ended by newlines and without
// trailing spaces.
func (g grid) text() string {
	var out strings.Builder
	for y := range g.rows {
		var line strings.Builder
		for x := range g.cols {
			line.WriteString(g.at(x, y).text)
		}
		out.WriteString(strings.TrimRight(line.String(), " "))
		out.WriteByte('\n')
	}
	return out.String()
}

func gridOf(screen *vt.Emulator) grid {
	g := grid{cols: screen.Width(), rows: screen.Height()}
	g.cells = make([]cell, 0, g.cols*g.rows)
	for y := range g.rows {
		for x := range g.cols {
			g.cells = append(g.cells, cellOf(screen.CellAt(x, y)))
		}
	}
	return g
}

func cellOf(from *uv.Cell) cell {
	if from == nil {
		return cell{text: " ", width: 1}
	}
	s := from.Style
	return cell{text: from.Content, width: from.Width, style: style{
		fg: hex(s.Fg), bg: hex(s.Bg),
		bold:      s.Attrs&uv.AttrBold != 0,
		faint:     s.Attrs&uv.AttrFaint != 0,
		italic:    s.Attrs&uv.AttrItalic != 0,
		underline: s.Underline != uv.UnderlineNone,
		strike:    s.Attrs&uv.AttrStrikethrough != 0,
		rev:       s.Attrs&uv.AttrReverse != 0,
	}}
}

func hex(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
