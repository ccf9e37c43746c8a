// Where the panes of a case are, by the size alone.
package casedetail

// Limits of the layout, in cells.
const (
	sideBySide = 72 // from this width both policies fit next to each other
	oneSection = 13 // below this height the lower part shows one thing
	twoColumns = 100
	headLines  = 1
)

// place is where a policy's pane is.
type place struct{ side, x, y, w, h int }

// layout is where everything is. What is below the panes begins at lowerY.
type layout struct {
	panes  []place
	lowerY int
	lowerH int
	one    bool // the lower part shows one section at a time
}

// plan lays out a case whose pools hold that many facts: both policies side by
// side, or above each other, or only the current one.
func plan(w, h, facts, policies, side int) layout {
	var l layout
	full := facts + 1 + 2 // every fact, the cut, the frame
	rest := h - headLines
	switch {
	case w >= sideBySide && policies == 2:
		paneH := min(full, max(rest-6, 6))
		l.panes = []place{{0, 0, headLines, w / 2, paneH}, {1, w / 2, headLines, w - w/2, paneH}}
		l.lowerY = headLines + paneH
	case rest >= 2*full+6 && policies == 2:
		l.panes = []place{{0, 0, headLines, w, full}, {1, 0, headLines + full, w, full}}
		l.lowerY = headLines + 2*full
	default:
		paneH := min(full, max(rest-6, 6))
		l.panes = []place{{side, 0, headLines, w, paneH}}
		l.lowerY = headLines + paneH
	}
	l.lowerH = max(h-l.lowerY, 0)
	l.one = l.lowerH < oneSection
	return l
}

func (d *Detail) arrange() {
	if d.entry != nil {
		d.lay = plan(d.w, d.h, d.pooled(), len(d.panels), d.side)
	}
}

// click selects the fact drawn at x, y.
func (d *Detail) click(x, y int) {
	if d.entry == nil {
		return
	}
	d.arrange()
	for _, at := range d.lay.panes {
		if x < at.x || x >= at.x+at.w || y < at.y || y >= at.y+at.h || at.side >= len(d.panels) {
			continue
		}
		d.side = at.side
		p := &d.panels[at.side]
		row := d.tops[at.side%2] + y - at.y - 1
		if p.cut >= 0 && row == p.cut {
			return // the line of the cut
		} else if p.cut >= 0 && row > p.cut {
			row--
		}
		if y > at.y && y < at.y+at.h-1 && row >= 0 && row < len(p.lines) {
			d.fact = p.lines[row].id
		}
	}
}
