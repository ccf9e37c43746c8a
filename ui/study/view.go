// Where the panes are: one at a time with a strip of their names, or in two or
// three columns, by the size alone.
package study

import (
	"strings"

	"deermem-tui/ui/widget"
)

// placed is where a pane is drawn.
type placed struct {
	id         paneID
	x, y, w, h int
}

// Limits of the layout, in cells.
const (
	twoColumns   = 100
	threeColumns = 170
	leastPane    = 6 // lines of a pane that has not the focus
)

func (s *Screen) columns() [][]paneID {
	switch {
	case s.w >= threeColumns:
		return [][]paneID{{panePins}, {paneIdentity, paneChecks}, {panePools, paneRing}}
	case s.w >= twoColumns && s.h >= 3*leastPane:
		return [][]paneID{{panePins, paneIdentity}, {paneChecks, panePools, paneRing}}
	}
	return nil
}

// arrange places the panes.
func (s *Screen) arrange() {
	s.lay = s.lay[:0]
	s.panes[paneRing].above = s.ringAbove
	s.panes[panePools].above = s.poolsAbove
	columns := s.columns()
	if columns == nil {
		if s.h > 1 {
			s.lay = append(s.lay, placed{s.focus, 0, 1, s.w, s.h - 1})
		}
		return
	}
	x := 0
	for i, column := range columns {
		w := (s.w - x) / (len(columns) - i)
		s.stack(column, x, w)
		x += w
	}
}

// stack puts panes above each other: what they need where there is room, else
// the focused one first.
func (s *Screen) stack(ids []paneID, x, w int) {
	heights := make([]int, len(ids))
	total := 0
	for i, id := range ids {
		heights[i] = max(s.panes[id].height(s.th, w-4)+2, 3)
		total += heights[i]
	}
	over := total - s.h
	// The last pane gives first, the focused one last of all.
	for pass := 0; pass < 2 && over > 0; pass++ {
		for i := len(ids) - 1; i >= 0 && over > 0; i-- {
			if (ids[i] == s.focus) != (pass == 1) {
				continue
			}
			give := min(max(heights[i]-leastPane, 0), over)
			heights[i] -= give
			over -= give
		}
	}
	y := 0
	for i, id := range ids {
		h := heights[i]
		if i == len(ids)-1 {
			h = s.h - y
		}
		h = max(min(h, s.h-y), 0)
		s.lay = append(s.lay, placed{id, x, y, w, h})
		y += h
	}
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if s.book == nil {
		return widget.Block([]string{"", "  Loading the study" + s.th.Sign.More}, s.w, s.h, "")
	}
	if s.columns() == nil {
		out := []string{s.strip()}
		for _, at := range s.lay {
			out = append(out, s.panes[at.id].view(s.th, at.w, at.h, true)...)
		}
		return widget.Block(out, s.w, s.h, "")
	}
	var blocks [][]string
	x := -1
	for _, at := range s.lay {
		drawn := s.panes[at.id].view(s.th, at.w, at.h, at.id == s.focus)
		if at.x != x {
			blocks = append(blocks, nil)
			x = at.x
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], drawn...)
	}
	return widget.Block(widget.Beside(blocks...), s.w, s.h, "")
}

// strip names the panes; the one that is seen has a mark.
func (s *Screen) strip() string {
	var out strings.Builder
	for id := paneID(0); id < paneCount; id++ {
		text := s.stripWord(id)
		if id == s.focus {
			out.WriteString(s.th.Key.Render(text))
		} else {
			out.WriteString(s.th.Dim.Render(text))
		}
	}
	return widget.Fit(out.String(), s.w, s.th.Sign.More)
}

func (s *Screen) stripWord(id paneID) string {
	if id == s.focus {
		return " " + s.th.Sign.Select + paneNames[id] + " "
	}
	return "  " + paneNames[id] + " "
}

// stripAt gives the pane whose name is drawn at a place.
func (s *Screen) stripAt(x, y int) (paneID, bool) {
	if s.columns() != nil || y != 0 {
		return 0, false
	}
	at := 0
	for id := paneID(0); id < paneCount; id++ {
		w := widget.Width(s.stripWord(id))
		if x >= at && x < at+w {
			return id, true
		}
		at += w
	}
	return 0, false
}
