// Package publish shows the checklist of a publication: what keeps the run from
// being published, exactly, and where it can be mended. The checklist is made
// in the background when the screen is first seen, and again whenever the run
// or its review changed. This file is the screen: what it does with messages,
// actions and the mouse.
package publish

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/gate"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Next     keys.Action = "publication.next"
	Previous keys.Action = "publication.previous"
)

// Checked is the checklist of the run in a folder, or why there is none.
type Checked struct {
	Folder string
	Result *gate.Result
	Err    error
	Stamp  uint64 // the state of the folder before it was looked at, see gate.Stamp
	// Stated says that the checklist was made for a report and not asked for by the
	// screen: both say the same from then on.
	Stated bool
}

// Seen is the state that the folder is in now.
type Seen struct {
	Folder string
	Stamp  uint64
}

// Screen shows the checklist.
type Screen struct {
	th       *theme.Theme
	folder   string // of the run
	book     *casebook.Book
	result   *gate.Result // nil until one was made
	failed   string       // why none could be made the last time; cleaned
	at       uint64       // the state of the folder that was checked last
	stale    bool         // it has to be made, or made again
	changed  bool         // because what it looks at changed
	checking bool
	table    widget.Table
	inside   bool // the details have the keys
	top      int  // their first line that is seen
	w, h     int
}

var (
	_ screen.Screen  = (*Screen)(nil)
	_ screen.Tabular = (*Screen)(nil)
	_ screen.Copier  = (*Screen)(nil)
)

// New makes the screen for the run in a folder.
func New(th *theme.Theme, folder string) *Screen {
	s := &Screen{th: th, folder: folder}
	s.table = widget.Table{Columns: columns, Cells: s.cells}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Publication }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Publication" }

// Init has nothing to do: the checklist is made when it is wanted.
func (s *Screen) Init() tea.Cmd { return nil }

// Wanted tells, once, that the checklist has to be made now. The shell asks
// while the screen is seen.
func (s *Screen) Wanted() bool {
	if !s.stale || s.checking || !s.graded() {
		return false
	}
	s.stale, s.checking = false, true
	return true
}

// graded tells whether there is something to publish. While rows are missing
// not even the number of discordant pairs may be told.
func (s *Screen) graded() bool { return s.book != nil && s.book.Graded }

// Update takes a checklist, and what makes one old.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Book:
		s.book, s.stale = msg.Book, true
		if !s.graded() {
			s.result, s.failed, s.inside = nil, "", false
		}
	case screen.Verdict:
		if msg.Err == nil {
			s.stale, s.changed = true, true
		}
	case Seen:
		if msg.Folder == s.folder && s.made() && !s.checking && msg.Stamp != s.at {
			s.stale, s.changed = true, true
		}
	case Checked:
		if msg.Folder != s.folder {
			return nil // of a run that is no longer open
		}
		if !msg.Stated {
			s.checking = false
		}
		s.at, s.failed, s.changed = msg.Stamp, "", s.stale
		switch {
		case !s.graded():
		case msg.Err != nil || msg.Result == nil:
			s.failed = "the checklist could not be made"
			if msg.Err != nil {
				s.failed = widget.CleanBlock(msg.Err.Error())
			}
		default:
			s.take(msg.Result)
		}
	}
	s.arrange()
	return nil
}

// made tells whether a checklist was made, or tried to be.
func (s *Screen) made() bool { return s.result != nil || s.failed != "" }

// again tells whether what is shown is no longer what holds.
func (s *Screen) again() bool { return s.result != nil && (s.stale || s.checking) }

// sentence tells whether the run may be published, as far as that is known now.
func (s *Screen) sentence() string {
	switch {
	case s.again() && s.changed:
		return "changed since: checking again…"
	case s.again():
		return "checking again…"
	case s.failed != "":
		return "it cannot be checked now; made before"
	}
	return s.result.Sentence()
}

// take shows a checklist; the cursor stays on its check, and is at the first that
// keeps the gate shut at the beginning and when one begins to.
func (s *Screen) take(r *gate.Result) {
	first := s.result == nil || s.result.Open() && !r.Open()
	at := ""
	if c := s.selected(); c != nil {
		at = c.Name
	}
	s.result = r
	for i, c := range r.Checks {
		if first && c.Blocks() || !first && c.Name == at {
			s.table.Len = len(r.Checks)
			s.table.Select(i)
			return
		}
	}
}

func (s *Screen) selected() *gate.Check {
	if s.result != nil && s.table.Cursor < len(s.result.Checks) {
		return &s.result.Checks[s.table.Cursor]
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	switch action {
	case keys.Back:
		if !s.inside {
			return screen.Request(screen.Close{})
		}
		s.inside = false
	case keys.Open:
		return s.mend()
	case keys.Focus:
		s.inside = !s.inside && s.selected() != nil
	case Next:
		s.turn(1)
	case Previous:
		s.turn(-1)
	default:
		s.move(action)
	}
	s.clamp()
	return nil
}

// mend goes to where the check under the cursor can be mended; of one that can
// be mended nowhere in the application it gives the text to read.
func (s *Screen) mend() tea.Cmd {
	c := s.selected()
	if c == nil {
		return nil
	}
	if to := placeOf(c); to.screen != "" {
		return screen.Request(screen.Go{Screen: to.screen, Filter: to.filter})
	}
	return screen.Request(screen.Read{Title: c.Name, Text: plain(c)})
}

// turn goes to the next check that keeps the gate shut, around the end.
func (s *Screen) turn(by int) {
	if s.result == nil {
		return
	}
	n := len(s.result.Checks)
	for step := 1; step <= n; step++ {
		if i := ((s.table.Cursor+by*step)%n + n) % n; s.result.Checks[i].Blocks() {
			s.table.Select(i)
			s.top = 0
			return
		}
	}
}

// move scrolls the details where these have the keys, else it moves in the list.
func (s *Screen) move(action keys.Action) {
	if !s.inside {
		if s.table.Move(action) {
			s.top = 0
		}
		return
	}
	list := widget.List{Len: len(s.details(s.detailWidth())), Rows: 1, Cursor: s.top}
	_, _, _, h := s.place()
	switch action {
	case keys.PageUp, keys.PageDown:
		by := max(h-4, 1)
		if action == keys.PageUp {
			by = -by
		}
		list.Select(s.top + by)
	default:
		list.Move(action)
	}
	s.top = list.Cursor
}

// Typing is never: the screen has no input.
func (s *Screen) Typing() bool { return false }

// Type is never called.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Mouse selects a check or gives the details the keys; the wheel moves in what
// is under it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	lw, lh, _, _ := s.place()
	onList := m.X < lw && m.Y < lh
	switch {
	case !onList && m.Wheel != 0:
		s.top += 3 * m.Wheel
	case !onList:
		s.inside = s.selected() != nil
	case m.Wheel != 0:
		s.inside, s.top = false, 0
		s.table.Select(s.table.Cursor + m.Wheel)
	default:
		if i, ok := s.table.RowAt(m.Y - 1); ok {
			s.inside, s.top = false, 0
			s.table.Select(i)
		}
	}
	s.clamp()
	return nil
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// Selection is the check under the cursor, in a line.
func (s *Screen) Selection() string {
	if c := s.selected(); c != nil {
		return widget.Clean(c.Name + ": " + string(c.State) + ", " + c.Found)
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Publication"
	back := keys.Binding{Action: keys.Back, Keys: []string{"esc", "backspace", "left", "h"}, Show: "esc", Words: "back", Help: "back to the pairs", Category: category}
	c := s.selected()
	if c == nil {
		return append(keys.Table{back}, keys.Moves("check")...)
	}
	what := "check"
	if s.inside {
		back.Help, what = "back to the list of checks", "line"
	}
	open := keys.Binding{Action: keys.Open, Keys: []string{"enter", "l", "right"}, Show: "enter", Words: "read", Help: "read all that the check found", Category: category}
	if to := placeOf(c); to.screen != "" {
		open.Words, open.Help = "go to "+to.title, "go to where it can be seen or mended: "+to.words()
	}
	t := keys.Table{open}
	if !s.result.Open() {
		t = append(t,
			keys.Binding{Action: Next, Keys: []string{"n"}, Foot: "n N", Words: "next open", Help: "the next check that keeps the gate shut", Category: category},
			keys.Binding{Action: Previous, Keys: []string{"N"}, Words: "previous open", Help: "the previous check that keeps the gate shut", Category: category, Quiet: true})
	}
	t = append(t,
		keys.Binding{Action: screen.WriteReport, Keys: []string{"w"}, Words: "write report", Help: "write the report: HTML, Markdown, CSV and JSON", Category: category},
		keys.Binding{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: "details", Help: "checklist or details", Category: category},
		back)
	return append(t, keys.Moves(what)...)
}

// Table is the checklist.
func (s *Screen) Table() (screen.Table, bool) {
	if s.result == nil {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "publication", Columns: []string{"check", "state", "found", "details"}, Selected: s.table.Cursor}
	for _, c := range s.result.Checks {
		t.Rows = append(t.Rows, []any{c.Name, string(c.State), c.Found, strings.Join(c.Details, "; ")})
	}
	return t, true
}

// Pane is the whole checklist with its details.
func (s *Screen) Pane() string {
	if s.result == nil {
		return strings.Join(s.nothing(76), "\n")
	}
	out := []string{s.sentence(), ""}
	for i := range s.result.Checks {
		out = append(out, plain(&s.result.Checks[i]), "")
	}
	return widget.CleanBlock(strings.Join(out, "\n"))
}

// plain is everything a check says.
func plain(c *gate.Check) string {
	lines := append([]string{string(c.State) + ": " + c.Found}, c.Details...)
	return c.Name + ", " + strings.Join(lines, "\n  ")
}
