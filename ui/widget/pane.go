// A pane is a framed part of a screen with a title, and a note in its lower edge.
package widget

import (
	"fmt"

	"deermem-tui/ui/theme"
)

// Pane frames lines. The zero size draws nothing; a frame needs 4×2 cells at least.
type Pane struct {
	Title string // cleaned; may hold styles
	Note  string // at the right of the lower edge: a count, a position; may hold styles
	Focus bool
	W, H  int // outer size in cells
}

// Inner gives the size of what is inside the frame: one blank column on each side.
func (p Pane) Inner() (w, h int) { return max(p.W-4, 0), max(p.H-2, 0) }

// Draw frames the lines: exactly H lines of W cells.
func (p Pane) Draw(th *theme.Theme, lines []string) []string {
	if p.W < 6 || p.H < 2 {
		return Block(nil, max(p.W, 0), p.H, "")
	}
	edge, box := th.Border, th.Border4
	title := p.Title
	if p.Focus {
		edge = th.Focus
		if title != "" {
			title = th.Key.Render(th.Sign.Select) + " " + title
		}
	}
	out := make([]string, 0, p.H)
	out = append(out, edge.Render(box.TL+box.H)+p.caption(th, edge, title, p.W-3)+edge.Render(box.TR))
	inner, rows := p.Inner()
	side := edge.Render(box.V)
	for i := range rows {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out = append(out, side+" "+Fit(line, inner, th.Sign.More)+" "+side)
	}
	note := ""
	if p.Note != "" && Width(p.Note)+6 <= p.W {
		note = " " + th.Dim.Over(p.Note) + " "
	}
	fill := p.W - 3 - Width(note)
	return append(out, edge.Render(box.BL+Repeat(box.H, fill))+note+edge.Render(box.H+box.BR))
}

// Scroll frames the lines from the one at top on. Where they do not all fit and
// the pane has no note of its own, its note says which are seen, behind more: what
// reads on, or nothing.
func (p Pane) Scroll(th *theme.Theme, lines []string, top int, more string) []string {
	_, h := p.Inner()
	from := min(top, len(lines))
	to := min(from+h, len(lines))
	if p.Note == "" && len(lines) > h {
		p.Note = more + th.Words(fmt.Sprintf("lines %d–%d of %d", from+1, to, len(lines)))
	}
	return p.Draw(th, lines[from:to])
}

// caption fills w cells of the upper edge with the title and the line after it.
func (p Pane) caption(th *theme.Theme, edge theme.Style, title string, w int) string {
	if title == "" {
		return edge.Render(Repeat(th.Border4.H, w))
	}
	if room := w - 3; Width(title) > room {
		title = Fit(title, room, th.Sign.More)
	}
	return " " + title + " " + edge.Render(Repeat(th.Border4.H, w-2-Width(title)))
}
