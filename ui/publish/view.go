// How the checklist is drawn: the list, and beside or below it what the check
// under the cursor found.
package publish

import (
	"fmt"

	"deermem-tui/engine/gate"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

var columns = []widget.Column{{Title: "state", Width: 9}, {Title: "check", Width: 25}, {Title: "found", Width: 16, Flex: true}}

// signed gives a state's sign and the style of both.
func signed(th *theme.Theme, state gate.State) (sign string, style theme.Style) {
	switch state {
	case gate.Passed:
		return th.Sign.Done, th.Good
	case gate.Failed:
		return th.Sign.Stop, th.Bad
	case gate.Missing:
		return th.Sign.Evicted, th.Warn
	case gate.Noted:
		return "!", th.Info
	}
	return th.Sign.Todo, th.Dim
}

func (s *Screen) cells(i int, out []string) {
	c := &s.result.Checks[i]
	sign, style := signed(s.th, c.State)
	out[0] = style.Render(sign + " " + string(c.State))
	out[1], out[2] = widget.Clean(c.Name), s.th.Words(widget.Clean(c.Found))
}

// beside tells whether list and details stand side by side.
func (s *Screen) beside() bool { return s.w >= 130 }

// place gives the sizes of the list and of the details; the details have the
// whole body when they have the keys and do not stand beside the list.
func (s *Screen) place() (lw, lh, dw, dh int) {
	switch {
	case s.beside():
		lw = max(s.w*11/20, 78)
		return lw, s.h, s.w - lw, s.h
	case s.inside:
		return 0, 0, s.w, s.h
	}
	lh = s.h
	if s.result != nil {
		lh = max(min(len(s.result.Checks)+2, s.h-5), min(s.h, 4))
	}
	return s.w, lh, s.w, s.h - lh
}

func (s *Screen) detailWidth() int {
	_, _, w, _ := s.place()
	return max(w-4, 0)
}

func (s *Screen) arrange() {
	s.table.Len = 0
	if s.result != nil {
		s.table.Len = len(s.result.Checks)
	}
	lw, lh, _, _ := s.place()
	if lw == 0 { // the details have the body: the list keeps its size
		lw, lh = s.w, s.h
	}
	s.table.Resize(max(lw-4, 0), max(lh-2, 0))
	s.clamp()
}

func (s *Screen) clamp() {
	_, _, _, h := s.place()
	s.top = max(min(s.top, len(s.details(s.detailWidth()))-max(h-2, 0)), 0)
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if s.result == nil {
		pane := widget.Pane{Title: s.title(), Focus: true, W: s.w, H: s.h}
		w, _ := pane.Inner()
		return widget.Block(pane.Draw(s.th, s.nothing(w)), s.w, s.h, "")
	}
	lw, lh, dw, dh := s.place()
	if lw == 0 {
		return widget.Block(s.detailPane(dw, dh), s.w, s.h, "")
	}
	pane := widget.Pane{Title: s.title(), Note: s.table.Position(), Focus: !s.inside, W: lw, H: lh}
	list := pane.Draw(s.th, s.table.View(s.th, !s.inside))
	if s.beside() {
		return widget.Block(widget.Beside(list, s.detailPane(dw, dh)), s.w, s.h, "")
	}
	return widget.Block(append(list, s.detailPane(dw, dh)...), s.w, s.h, "")
}

// title tells the state of the whole checklist.
func (s *Screen) title() string {
	th := s.th
	title := th.Title.Render("Publication")
	if s.result == nil {
		return title
	}
	style := th.Warn
	if s.result.Open() && !s.again() && s.failed == "" {
		style = th.Good
	}
	return title + th.Dim.Render(" "+th.Sign.Spark+" ") + style.Render(th.Words(s.sentence()))
}

// nothing says why there is no checklist yet.
func (s *Screen) nothing(w int) []string {
	var text string
	switch b := s.book; {
	case b == nil:
		text = "Loading the study…"
	case !b.Graded && b.Rows < b.RowsNeeded:
		text = fmt.Sprintf("A run can be published once every answer is there and graded: %d of %d answers are there.\n\nScreen 2, Run, starts the run or goes on where it stopped.", b.Rows, b.RowsNeeded)
	case !b.Graded:
		text = "Every answer is there; they are not graded yet. Screen 2, Run, grades them."
	case s.failed != "":
		text = "The checklist could not be made.\n\n" + s.failed + "\n\nctrl+r tries again."
	default:
		text = "Checking…\n\nRows, hashes, grades and statistics are made again and compared; every file is searched for what is private."
	}
	return widget.Wrap(s.th.Words(text), w)
}

// detailPane draws what the check under the cursor found.
func (s *Screen) detailPane(w, h int) []string {
	th, c := s.th, s.selected()
	if h < 2 {
		return nil
	}
	pane := widget.Pane{Title: th.Title.Render("Check"), Focus: s.inside, W: w, H: h}
	if c == nil {
		return pane.Draw(th, nil)
	}
	sign, style := signed(th, c.State)
	pane.Title = th.Title.Render(widget.Clean(c.Name)) + " " + style.Render(sign+" "+string(c.State))
	iw, _ := pane.Inner()
	more := ""
	if !s.inside {
		more = "tab reads on, "
	}
	return pane.Scroll(th, s.details(iw), s.top, more)
}

// details is everything the check under the cursor found, wrapped.
func (s *Screen) details(w int) []string {
	c := s.selected()
	if c == nil || w < 1 {
		return nil
	}
	th := s.th
	out := widget.Wrap(th.Words(widget.Clean(c.Found)), w)
	for _, d := range c.Details {
		for i, line := range widget.Wrap(th.Words(widget.Clean(d)), max(w-2, 1)) {
			mark := "  "
			if i == 0 {
				mark = th.Dim.Render(th.Sign.Spark) + " "
			}
			out = append(out, mark+line)
		}
	}
	out = append(out, "")
	for _, line := range widget.Wrap(means(c.Name), w) {
		out = append(out, th.Dim.Render(line))
	}
	if to := placeOf(c); to.screen != "" {
		out = append(out, th.Key.Render("enter")+th.Dim.Render(" goes to "+to.words()))
	}
	return out
}
