// Package home lists the runs there are, each with its study, how far it is,
// its date and its identity, and opens them. What is no run stands in the list
// too, with the reason. This file is the screen: what it does with messages,
// actions, typing and the mouse.
package home

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/runs"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Filter   keys.Action = "home.filter"
	Unfilter keys.Action = "home.unfilter"
	Compare  keys.Action = "home.compare"
	Mark     keys.Action = "home.mark"
)

// Screen lists the runs.
type Screen struct {
	th     *theme.Theme
	list   screen.Runs
	known  bool // the folders were looked through
	rows   []row
	shown  []int    // indexes of rows
	marked []string // paths of the runs to compare, at most two
	table  widget.Table
	input  widget.Input
	typing bool
	w, h   int
	lay    layout
}

var (
	_ screen.Screen  = (*Screen)(nil)
	_ screen.Tabular = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th}
	s.table = widget.Table{Head: true, Columns: columns, Cells: s.cells}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Home }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Home" }

// Init has nothing to do: the shell lists the runs.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a new list; the cursor stays on its run.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(screen.Runs); ok {
		at := s.Selection()
		if !s.known {
			at = msg.Open
		}
		s.list, s.known = msg, true
		s.marked = slices.DeleteFunc(s.marked, func(path string) bool { return !graded(msg.Runs, path) })
		s.rows = rowsOf(msg)
		s.refresh(at)
	}
	return nil
}

// refresh filters again and keeps the cursor on the run at a path.
func (s *Screen) refresh(at string) {
	words := strings.Fields(strings.ToLower(s.input.Value))
	s.shown = s.shown[:0]
	for i := range s.rows {
		if holds(s.rows[i].text, words) {
			s.shown = append(s.shown, i)
		}
	}
	s.table.Len = len(s.shown)
	for i, r := range s.shown {
		if s.rows[r].run.Path == at {
			s.table.Cursor = i
			break
		}
	}
	s.arrange()
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (s *Screen) arrange() {
	s.lay = plan(s.w, s.h)
	switch {
	case !s.known:
		s.table.Empty = "Looking for runs" + s.th.Sign.More
	case len(s.rows) == 0:
		s.table.Empty = "No run here yet: one that is started is kept here."
	default:
		s.table.Empty = "No run holds all these words. Esc clears the filter."
	}
	extra := 0
	if s.typing {
		extra = 1
	}
	s.table.Resize(max(s.lay.listW-4, 0), max(s.lay.listH-2-extra, 0))
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// selected is the run under the cursor.
func (s *Screen) selected() *row {
	if s.table.Cursor < len(s.shown) && s.table.Cursor >= 0 {
		return &s.rows[s.shown[s.table.Cursor]]
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	at := s.Selection()
	switch action {
	case keys.Open:
		r := s.selected()
		switch {
		case r == nil:
		case r.run.Problem != "":
			return screen.Request(screen.Read{Title: "Not a run: " + r.run.Name, Text: r.run.Path + "\n\n" + sentence(r.run)})
		default:
			return screen.Request(screen.OpenRun{Path: r.run.Path})
		}
	case Compare:
		return s.compare()
	case Mark:
		return s.mark()
	case Filter:
		s.typing = true
		s.arrange()
	case Unfilter:
		s.input.Value = ""
		s.refresh(at)
	default:
		s.table.Move(action)
	}
	return nil
}

// Typing tells that the filter is being typed.
func (s *Screen) Typing() bool { return s.typing }

// Type takes a key of the filter.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	at := s.Selection()
	switch {
	case !msg.Paste && msg.Type == tea.KeyEnter:
		s.typing = false
	case !msg.Paste && msg.Type == tea.KeyEsc:
		s.typing, s.input.Value = false, ""
	case !msg.Paste && (msg.Type == tea.KeyUp || msg.Type == tea.KeyDown):
		action, _ := keys.Moves("run").Match(msg.String())
		s.table.Move(action)
		return nil
	default:
		s.input.Type(msg)
	}
	s.refresh(at)
	return nil
}

// Mouse selects a run, and opens the one that is selected; the wheel moves.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	switch {
	case m.Wheel < 0:
		s.table.Move(keys.Up)
	case m.Wheel > 0:
		s.table.Move(keys.Down)
	case m.X < s.lay.listW && m.Y >= 1 && m.Y < s.lay.listH-1:
		if i, ok := s.table.RowAt(m.Y - 1); ok {
			if i == s.table.Cursor {
				return s.Do(keys.Open)
			}
			s.table.Select(i)
		}
	}
	return nil
}

// Selection is the path of the run under the cursor.
func (s *Screen) Selection() string {
	if r := s.selected(); r != nil {
		return r.run.Path
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Home"
	t := keys.Table{
		{Action: keys.Open, Keys: []string{"enter", "l", "right"}, Show: "enter", Words: "open", Help: "open the run; of what is none, read why", Category: category},
		{Action: Filter, Keys: []string{"/"}, Words: "filter", Help: "find runs by words: study, kind, date, folder, hash", Category: category},
		{Action: Compare, Keys: []string{"c"}, Words: "compare", Help: "compare the run under the cursor with the one that is open; of marked runs, these", Category: category},
		{Action: Mark, Keys: []string{"m"}, Words: "mark", Help: "mark the run for comparing, or take the mark away; two can be marked", Category: category},
	}
	if s.input.Value != "" {
		t = append(t, keys.Binding{Action: Unfilter, Keys: []string{"esc"}, Words: "show all", Help: "clear the filter", Category: category})
	}
	return append(t, keys.Moves("run")...)
}

// Table is the list as it is shown.
func (s *Screen) Table() (screen.Table, bool) {
	t := screen.Table{Name: "runs", Columns: []string{"path", "protocol_id", "kind", "answers", "created_at"}, Selected: -1}
	for _, named := range (runs.Run{}).Identity.List() {
		t.Columns = append(t.Columns, named.Key)
	}
	t.Columns = append(t.Columns, "problem")
	for _, i := range s.shown {
		r := s.rows[i].run
		line := []any{r.Path, text(r.Protocol), text(string(r.Kind)), r.Answers, nil}
		if !r.Created.IsZero() {
			line[4] = r.Created.UTC().Format("2006-01-02T15:04:05.000000Z")
		}
		for _, named := range r.Identity.List() {
			line = append(line, text(named.SHA256))
		}
		t.Rows = append(t.Rows, append(line, text(r.Problem)))
	}
	if len(t.Rows) > 0 {
		t.Selected = s.table.Cursor
	}
	return t, len(t.Rows) > 0
}

// text is nil for nothing.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}
