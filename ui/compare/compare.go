// Package compare shows two graded runs beside one another: first what
// identifies them, then how many rows differ in what, the paired tests, and row
// by row what was kept, answered and graded. Runs of different protocols are
// joined only after a confirmation, and the screen then says so all the time.
// This file is the screen: what it does with messages, actions, typing and the
// mouse.
package compare

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/compare"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Filter   keys.Action = "compare.filter"
	Unfilter keys.Action = "compare.unfilter"
	Sort     keys.Action = "compare.sort"
	Kind     keys.Action = "compare.kind"
	Next     keys.Action = "compare.next"
	Previous keys.Action = "compare.previous"
	Swap     keys.Action = "compare.swap"
	Join     keys.Action = "compare.join"
	joinYes  keys.Action = "compare.join.yes"
)

// Compared is the comparison of two runs, or why there is none. With an
// engine.ErrProtocols the result holds what differs.
type Compared struct {
	Of     screen.CompareRuns
	Result *engine.Result
	Err    error
}

// pane is a part of the screen that can have the keys.
type pane int

const (
	onList pane = iota
	onTexts
	onSummary
	panes
)

// Screen compares two runs.
type Screen struct {
	th      *theme.Theme
	of      screen.CompareRuns // what is compared; zero before the first time
	waiting bool
	failed  string // why there is no result; cleaned
	result  *engine.Result
	open    string // the path of the run that is open

	rows   []row
	shown  []int // indexes of rows
	kind   kind
	sort   sortKey
	table  widget.Table
	input  widget.Input
	typing bool

	focus pane
	top   [panes]int // the first line seen of texts and summary
	w, h  int
	lay   layout

	summary []string // drawn once for a result and a width
	sumFor  sumKey
}

// sumKey is what the summary's lines depend on.
type sumKey struct {
	result *engine.Result
	w      int
}

var (
	_ screen.Screen    = (*Screen)(nil)
	_ screen.Tabular   = (*Screen)(nil)
	_ screen.Copier    = (*Screen)(nil)
	_ screen.Documents = (*Screen)(nil)
)

// New makes the screen; it compares nothing yet.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th}
	s.table = widget.Table{Head: true, Cells: s.cells}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Compare }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Compare" }

// Init has nothing to do: runs are compared when somebody asks.
func (s *Screen) Init() tea.Cmd { return nil }

// Begin is told that two runs are being compared; what was shown of two others
// goes away.
func (s *Screen) Begin(of screen.CompareRuns) {
	if of.A != s.of.A || of.B != s.of.B {
		*s = Screen{th: s.th, w: s.w, h: s.h, open: s.open, table: s.table}
		s.table.Cells, s.table.Cursor, s.table.Top = s.cells, 0, 0
	}
	s.of, s.waiting = of, true
	s.refresh(s.at())
}

// Begun tells whether two runs were ever compared.
func (s *Screen) Begun() bool { return s.of.A != "" }

// Runs gives the paths of the two runs.
func (s *Screen) Runs() (a, b string) { return s.of.A, s.of.B }

// Update takes a comparison and which run is open.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Runs:
		s.open = msg.Open
	case screen.Again:
		if s.Begun() {
			return screen.Request(s.of)
		}
	case Compared:
		if msg.Of == s.of {
			s.take(msg)
		}
	}
	return nil
}

func (s *Screen) take(msg Compared) {
	at := s.at()
	s.waiting, s.failed, s.result, s.summary = false, "", nil, nil
	switch {
	case msg.Result != nil && (msg.Err == nil || errors.Is(msg.Err, engine.ErrProtocols)):
		s.result = msg.Result
	case msg.Err != nil:
		s.failed = widget.CleanBlock(msg.Err.Error())
	default:
		s.failed = "there is no comparison"
	}
	s.rows = rowsOf(s.result)
	if !s.joined() {
		s.focus = onSummary
	} else if s.focus == onSummary {
		s.focus = onList
	}
	s.refresh(at)
}

// joined tells whether there are rows to show.
func (s *Screen) joined() bool { return s.result != nil && s.result.Joined }

// at is the row under the cursor, by its ID.
func (s *Screen) at() string {
	if r := s.selected(); r != nil {
		return r.id
	}
	return ""
}

// refresh finds and sorts again, keeps the cursor on a row, and sizes all.
func (s *Screen) refresh(at string) {
	s.shown = view(s.rows, s.kind, s.input.Value, s.sort)
	s.table.Len = len(s.shown)
	for i, r := range s.shown {
		if s.rows[r].id == at {
			s.table.Cursor = i
			break
		}
	}
	s.arrange()
	if s.at() != at {
		s.top[onTexts] = 0
	}
	s.clamp()
}

func (s *Screen) selected() *row {
	if s.table.Cursor >= 0 && s.table.Cursor < len(s.shown) {
		return &s.rows[s.shown[s.table.Cursor]]
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	at := s.at()
	switch action {
	case keys.Back:
		if s.focus == onList || !s.joined() {
			return screen.Request(screen.Close{})
		}
		s.focus = onList
	case keys.Focus:
		if s.joined() {
			s.focus = (s.focus + 1) % panes
		}
	case keys.Open:
		return s.openCase()
	case Filter:
		s.typing, s.focus = true, onList
	case Unfilter:
		s.input.Value = ""
		s.refresh(at)
	case Sort:
		s.sort = (s.sort + 1) % sortKeys
		s.refresh(at)
	case Kind:
		s.kind = (s.kind + 1) % kinds
		s.refresh(at)
	case Next:
		s.turn(1)
	case Previous:
		s.turn(-1)
	case Swap:
		return screen.Request(screen.CompareRuns{A: s.of.B, B: s.of.A, Across: s.of.Across})
	case Join:
		return s.askJoin()
	case joinYes:
		return screen.Request(screen.CompareRuns{A: s.of.A, B: s.of.B, Across: true})
	default:
		s.move(action)
	}
	s.arrange()
	s.clamp()
	return nil
}

// askJoin asks before rows of different protocols are set against one another.
func (s *Screen) askJoin() tea.Cmd {
	if s.result == nil || s.result.Joined {
		return nil
	}
	return screen.Request(screen.Ask{
		Title:  "Join the rows across protocols?",
		Text:   "The two runs are not of one protocol, so a difference between their rows need not be the runs'. The comparison, and everything exported from it, says that they were joined.",
		Yes:    "join them",
		Action: joinYes,
	})
}

// opened tells whether one of the two runs is open, so that its cases can be seen.
func (s *Screen) opened() bool { return s.open != "" && (s.open == s.of.A || s.open == s.of.B) }

// openCase opens the case of the row, where one of the two runs is open.
func (s *Screen) openCase() tea.Cmd {
	r := s.selected()
	switch {
	case r == nil:
		return nil
	case !s.opened():
		return screen.Request(screen.Toast{Text: "neither run is open: open one of them on Home to see its cases"})
	}
	return screen.Request(screen.OpenCase{CaseID: r.caseID})
}

// turn goes to another row, around the end.
func (s *Screen) turn(by int) {
	if n := len(s.shown); n > 0 {
		s.table.Select(((s.table.Cursor+by)%n + n) % n)
		s.top[onTexts] = 0
	}
}

// move scrolls texts or summary where these have the keys, else it moves in the
// list.
func (s *Screen) move(action keys.Action) {
	if s.focus == onList {
		if s.table.Move(action) {
			s.top[onTexts] = 0
		}
		return
	}
	total, page := s.scrolled()
	switch action {
	case keys.Up:
		s.top[s.focus]--
	case keys.Down:
		s.top[s.focus]++
	case keys.PageUp:
		s.top[s.focus] -= max(page-2, 1)
	case keys.PageDown:
		s.top[s.focus] += max(page-2, 1)
	case keys.Home:
		s.top[s.focus] = 0
	case keys.End:
		s.top[s.focus] = total
	}
}

// Typing tells that the filter is being typed.
func (s *Screen) Typing() bool { return s.typing }

// Type takes a key into the filter: found as one types, enter keeps, esc clears.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	at := s.at()
	if !msg.Paste {
		switch msg.Type {
		case tea.KeyEnter:
			s.typing = false
			s.arrange()
			return nil
		case tea.KeyEsc:
			s.typing, s.input.Value = false, ""
			s.refresh(at)
			return nil
		case tea.KeyUp:
			return s.Do(keys.Up)
		case tea.KeyDown:
			return s.Do(keys.Down)
		}
	}
	if s.input.Type(msg) {
		s.refresh(at)
	}
	return nil
}

// Mouse selects a row or gives a pane the keys; the wheel moves in what is
// under it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if !s.joined() {
		s.top[onSummary] += 3 * m.Wheel
		s.clamp()
		return nil
	}
	at, y := s.paneAt(m.X, m.Y)
	switch {
	case m.Wheel != 0 && at != onList:
		s.top[at] += 3 * m.Wheel
	case m.Wheel != 0:
		s.table.Select(s.table.Cursor + m.Wheel)
		s.top[onTexts] = 0
	case at != onList:
		s.focus = at
	default:
		s.focus = onList
		if i, ok := s.table.RowAt(y - 1); ok {
			s.table.Select(i)
			s.top[onTexts] = 0
		}
	}
	s.arrange()
	s.clamp()
	return nil
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
	s.clamp()
}

// Selection is the comparison in a sentence that can be quoted.
func (s *Screen) Selection() string {
	if s.result == nil {
		return ""
	}
	return widget.Clean(s.result.Sentence())
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Compare"
	back := keys.Binding{Action: keys.Back, Keys: []string{"esc", "backspace", "left", "h"}, Show: "esc", Words: "back", Help: "back to the list of runs", Category: category}
	swap := keys.Binding{Action: Swap, Keys: []string{"s"}, Words: "swap A and B", Help: "compare the other way round", Category: category, Quiet: true}
	if !s.joined() {
		t := keys.Table{back}
		if s.result != nil {
			t = append(keys.Table{{Action: Join, Keys: []string{"x"}, Words: "join all the same", Help: "join the rows although the protocols differ; asks first", Category: category}}, back, swap)
		}
		return append(t, keys.Moves("line")...)
	}
	var t keys.Table
	if s.selected() != nil && s.opened() {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter", "l", "right"}, Show: "enter", Words: "case", Help: "open the case of the row", Category: category})
	}
	t = append(t, keys.Binding{Action: Kind, Keys: []string{"v"}, Words: "show " + (s.kind + 1).words(), Help: "show all rows, flips, other facts kept, other texts, or missing rows", Category: category})
	if len(s.shown) > 1 {
		t = append(t,
			keys.Binding{Action: Next, Keys: []string{"n"}, Foot: "n N", Words: "next row", Help: "next row of the list", Category: category},
			keys.Binding{Action: Previous, Keys: []string{"N"}, Words: "previous row", Help: "previous row of the list", Category: category, Quiet: true})
	}
	what := "line"
	if s.focus == onList {
		what = "row"
		t = append(t, keys.Binding{Action: Filter, Keys: []string{"/"}, Words: "filter", Help: "find rows by words: case, policy, scenario, rule, direction", Category: category})
		if s.input.Value != "" {
			t = append(t, keys.Binding{Action: Unfilter, Keys: []string{"esc"}, Words: "show all", Help: "clear the filter", Category: category})
		}
		t = append(t, keys.Binding{Action: Sort, Keys: []string{"o"}, Words: "sort", Help: "sort by row, by scenario, or flips first", Category: category})
	} else {
		back.Help = "back to the list of rows"
	}
	t = append(t, keys.Binding{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: "pane", Help: "rows, their texts, or the summary", Category: category}, back, swap)
	return append(t, keys.Moves(what)...)
}
