// Where summary, rows and texts are: the summary on top, below it the list with
// the texts beside it or under it. What has the keys gets the room it needs.
package compare

import "deermem-tui/ui/widget"

// layout is the size of every part; one of no height is not shown.
type layout struct {
	sumH          int
	listW, listH  int
	textsW, textH int
	beside        bool
}

// least heights of a pane of which something can be read.
const (
	leastList  = 5
	leastTexts = 6
)

func (s *Screen) arrange() {
	s.table.Columns = columns()
	s.table.Empty = s.noneWords()
	s.lay = s.plan()
	extra := 0
	if s.typing {
		extra = 1
	}
	listW, listH := s.lay.listW, s.lay.listH
	if listH == 0 { // not seen: it keeps its cursor
		listW, listH = s.w, s.h
	}
	s.table.Resize(max(listW-4, 0), max(listH-2-extra, 0))
}

func (s *Screen) plan() layout {
	if !s.joined() {
		return layout{sumH: s.h}
	}
	most := 9
	switch {
	case s.focus == onSummary:
		most = max(s.h-leastList, most)
	case s.h >= 50:
		most = 16
	case s.h >= 30:
		most = 12
	}
	l := layout{sumH: min(len(s.summaryLines(s.w-4))+2, most, s.h), beside: s.w >= 130}
	rest := s.h - l.sumH
	if l.beside {
		l.listW, l.listH, l.textH = s.w/2, rest, rest
		l.textsW = s.w - l.listW
		return l
	}
	l.listW, l.textsW = s.w, s.w
	want := len(s.shown) + 3 // titles and frame
	if len(s.shown) == 0 {
		want++
	}
	if s.typing {
		want++
	}
	switch {
	case rest < leastList+leastTexts && s.focus == onTexts:
		l.textH = rest
	case rest < leastList+leastTexts:
		l.listH = rest
	case s.focus == onTexts:
		l.listH = leastList
		l.textH = rest - l.listH
	default:
		l.listH = max(min(want, rest-leastTexts), leastList)
		l.textH = rest - l.listH
	}
	return l
}

// paneAt gives the part at a place of the body, and the line inside it.
func (s *Screen) paneAt(x, y int) (pane, int) {
	l := s.lay
	switch y -= l.sumH; {
	case y < 0:
		return onSummary, y + l.sumH
	case l.beside && x >= l.listW:
		return onTexts, y
	case l.beside || y < l.listH:
		return onList, y
	}
	return onTexts, y - l.listH
}

// scrolled gives how many lines the pane that has the keys has, and how many
// are seen.
func (s *Screen) scrolled() (total, seen int) {
	if s.focus == onTexts {
		return len(s.texts(s.lay.textsW - 4)), max(s.lay.textH-2, 0)
	}
	return len(s.summaryLines(s.w - 4)), max(s.lay.sumH-2, 0)
}

// clamp keeps what is scrolled inside its text.
func (s *Screen) clamp() {
	s.top[onTexts] = max(min(s.top[onTexts], len(s.texts(s.lay.textsW-4))-max(s.lay.textH-2, 0)), 0)
	s.top[onSummary] = max(min(s.top[onSummary], len(s.summaryLines(s.w-4))-max(s.lay.sumH-2, 0)), 0)
}

func columns() []widget.Column {
	return []widget.Column{
		{Title: "case", Width: 12, Flex: true},
		{Title: "policy", Width: 11},
		{Title: "scenario", Width: 20, Rank: 2},
		{Title: "facts", Width: 7},
		{Title: "text", Width: 5},
		{Title: "grade", Width: 16},
		{Title: "rules", Width: 24, Rank: 1},
	}
}
