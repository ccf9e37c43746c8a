// Package dialog holds the boxes that lie over a screen and take the keys
// while they are open. A dialog never does what it asks about: it closes with
// an action, and the shell carries that out like any other.
package dialog

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Result is what a key made of a dialog.
type Result struct {
	Closed bool
	Action keys.Action // to carry out after closing; may be none
	Msg    tea.Msg     // what the dialog found out, for the shell; nil for nothing
}

// Dialog is a box over the screen.
type Dialog interface {
	// Key takes a key or a paste.
	Key(msg tea.KeyMsg) Result
	// Wheel scrolls by lines.
	Wheel(by int)
	// View draws the box for a window of w×h cells: lines of one width.
	View(th *theme.Theme, w, h int) []string
	// Hint is the footer while the dialog is open.
	Hint() keys.Table
}

// Stack is the open dialogs; the last one has the keys.
type Stack struct{ open []Dialog }

// most is how many dialogs stay open; more would only be ones that something
// keeps opening while nobody reads them.
const most = 8

// Push opens a dialog over the others; the oldest gives way when there are many.
func (s *Stack) Push(d Dialog) {
	if len(s.open) >= most {
		s.open = append(s.open[:0], s.open[1:]...)
	}
	s.open = append(s.open, d)
}

// Top is the dialog that has the keys, nil when none is open.
func (s *Stack) Top() Dialog {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// Key gives a key to the top dialog and takes it off when it closed.
func (s *Stack) Key(msg tea.KeyMsg) Result {
	top := s.Top()
	if top == nil {
		return Result{}
	}
	result := top.Key(msg)
	if result.Closed {
		s.open = s.open[:len(s.open)-1]
	}
	return result
}

// Over draws the top dialog over the lines of a window of w×h cells.
func (s *Stack) Over(th *theme.Theme, lines []string, w, h int) []string {
	top := s.Top()
	if top == nil {
		return lines
	}
	box := top.View(th, w, h)
	if len(box) == 0 {
		return lines
	}
	x := max((w-widget.Width(box[0]))/2, 0)
	y := max((h-len(box))/2, 0)
	return widget.Overlay(lines, box, x, y, w, th.Faint.Render)
}

// frame draws the box of a dialog around lines, at most w×h cells.
func frame(th *theme.Theme, title, note string, lines []string, w, h int) []string {
	return widget.Pane{Title: th.Title.Render(title), Note: note, Focus: true, W: w, H: h}.Draw(th, lines)
}

var closeHint = keys.Binding{Keys: []string{"esc"}, Words: "close"}

// scrolls gives the movement that a key stands for in any dialog.
func scrolls(msg tea.KeyMsg) keys.Action {
	if msg.Paste {
		return keys.None
	}
	action, _ := keys.Moves("line").Match(msg.String())
	return action
}
