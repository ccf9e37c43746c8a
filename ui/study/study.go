// Package study shows what a study pins, the identity it gives a run, every
// check with what was expected and found, how the pools are composed, and the
// ring of distractors with a case's window on it. This file is the screen: what
// it does with messages, actions and the mouse.
package study

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	NextPane keys.Action = "study.pane.next"
	PrevPane keys.Action = "study.pane.previous"
	NextCase keys.Action = "study.case.next"
	PrevCase keys.Action = "study.case.previous"
	ToCase   keys.Action = "study.case.open"
)

// Screen shows the study.
type Screen struct {
	th    *theme.Theme
	book  *casebook.Book
	at    string // the case whose window is shown
	panes [paneCount]pane
	focus paneID
	w, h  int
	lay   []placed
}

var (
	_ screen.Screen  = (*Screen)(nil)
	_ screen.Tabular = (*Screen)(nil)
	_ screen.Copier  = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th}
	s.fill()
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Study }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Study" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a new book and stays on the case it has.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(screen.Book); ok {
		s.book = msg.Book
		s.fill()
	}
	return nil
}

// ShowCase turns the ring to a case, where the study has it.
func (s *Screen) ShowCase(id string) {
	if s.book == nil || id == "" || id == s.at {
		return
	}
	if _, ok := s.book.Find(id); ok {
		s.at = id
		s.fillRing()
	}
}

// turn goes to another case of the study.
func (s *Screen) turn(by int) {
	if s.book == nil || len(s.book.Entries) == 0 {
		return
	}
	n := len(s.book.Entries)
	s.at = s.book.Entries[((s.caseIndex()+by)%n+n)%n].Case.ID
	s.fillRing()
}

// caseIndex is the place of the case at hand; the first one's where there is none.
func (s *Screen) caseIndex() int {
	for i := range s.book.Entries {
		if s.book.Entries[i].Case.ID == s.at {
			return i
		}
	}
	return 0
}

// entry is the case at hand.
func (s *Screen) entry() *casebook.Entry {
	if s.book == nil || len(s.book.Entries) == 0 {
		return nil
	}
	return &s.book.Entries[s.caseIndex()]
}

// fill makes every pane's content anew.
func (s *Screen) fill() {
	s.panes[panePins].set(paneNames[panePins], s.pins())
	s.panes[paneIdentity].set(paneNames[paneIdentity], s.identity())
	s.panes[paneChecks].set(s.checksTitle(), s.checks())
	s.panes[panePools].set(paneNames[panePools], s.composition())
	s.fillRing()
}

func (s *Screen) fillRing() {
	s.panes[paneRing].set(paneNames[paneRing], s.ringItems())
	s.arrange()
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	p := &s.panes[s.focus]
	switch action {
	case NextPane, keys.Focus:
		s.focus = (s.focus + 1) % paneCount
		s.arrange()
	case PrevPane:
		s.focus = (s.focus + paneCount - 1) % paneCount
		s.arrange()
	case NextCase:
		s.turn(1)
	case PrevCase:
		s.turn(-1)
	case ToCase:
		if e := s.entry(); e != nil {
			return screen.Request(screen.OpenCase{CaseID: e.Case.ID})
		}
	case keys.Open:
		if i := p.selected(); i != nil && i.full != "" {
			return screen.Request(screen.Read{Title: i.label, Text: i.full})
		}
	default:
		if p.list.Move(action) {
			s.arrange()
		}
	}
	return nil
}

// Typing is never: the screen has no input.
func (s *Screen) Typing() bool { return false }

// Type is never called.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Mouse selects a pane and a line in it; the wheel moves in the pane below it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if id, ok := s.stripAt(m.X, m.Y); ok && m.Wheel == 0 {
		s.focus = id
		s.arrange()
		return nil
	}
	for _, at := range s.lay {
		if m.X < at.x || m.X >= at.x+at.w || m.Y < at.y || m.Y >= at.y+at.h {
			continue
		}
		p := &s.panes[at.id]
		switch {
		case m.Wheel < 0:
			p.list.Move(keys.Up)
		case m.Wheel > 0:
			p.list.Move(keys.Down)
		default:
			s.focus = at.id
			p.click(m.Y - at.y - 1)
		}
		s.arrange()
		break
	}
	return nil
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// Selection is the value under the cursor: a hash, a pin, a record's ID.
func (s *Screen) Selection() string {
	if i := s.panes[s.focus].selected(); i != nil {
		return i.copy
	}
	return ""
}

// Pane is the whole text of the focused pane.
func (s *Screen) Pane() string {
	var out string
	for _, i := range s.panes[s.focus].items {
		out += i.plain() + "\n"
	}
	return out
}

// Table is the focused pane as a table.
func (s *Screen) Table() (screen.Table, bool) {
	p := &s.panes[s.focus]
	t := screen.Table{Name: strings.ToLower(paneNames[s.focus]), Columns: p.columns, Selected: p.list.Cursor}
	for i := range p.items {
		t.Rows = append(t.Rows, p.items[i].values)
	}
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		return t, false
	}
	return t, true
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Study"
	t := keys.Table{
		{Action: NextPane, Keys: []string{"tab", "right", "l"}, Show: "tab", Words: "pane", Help: "the next pane", Category: category},
		{Action: PrevPane, Keys: []string{"shift+tab", "left", "h"}, Show: "shift+tab", Words: "previous pane", Help: "the pane before", Category: category, Quiet: true},
	}
	if i := s.panes[s.focus].selected(); i != nil && i.full != "" {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "in full", Help: "read the line in full", Category: category})
	}
	if s.entry() != nil && s.hasRing() {
		t = append(t,
			keys.Binding{Action: NextCase, Keys: []string{"J", "ctrl+n"}, Show: "J", Foot: "J K", Words: "case", Help: "the ring of the next case", Category: category},
			keys.Binding{Action: PrevCase, Keys: []string{"K"}, Words: "previous case", Help: "the ring of the case before", Category: category, Quiet: true},
			keys.Binding{Action: ToCase, Keys: []string{"o"}, Words: "open case", Help: "open the case whose window is shown", Category: category})
	}
	return append(t, keys.Moves("line")...)
}

// hasRing tells whether the distractors are known.
func (s *Screen) hasRing() bool {
	return s.book != nil && s.book.Study != nil && s.book.Study.Pools != nil && len(s.book.Study.Pools.Bank) > 0
}

// words cleans a text of a file for the screen.
func words(text string) string { return widget.Clean(text) }
