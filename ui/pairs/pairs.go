// The screen: what it does with messages, actions, typing and the mouse.
package pairs

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
	Filter     keys.Action = "pairs.filter"
	Unfilter   keys.Action = "pairs.unfilter"
	Sort       keys.Action = "pairs.sort"
	Concordant keys.Action = "pairs.concordant"
	Next       keys.Action = "pairs.next"
	Previous   keys.Action = "pairs.previous"
	OpenCase   keys.Action = "pairs.case"
)

// Screen lists the pairs and shows one of them.
type Screen struct {
	th      *theme.Theme
	book    *casebook.Book
	rows    []row
	sums    summary
	shown   []int // indexes of rows
	table   widget.Table
	input   widget.Input
	typing  bool
	all     bool // concordant ones too
	sort    sortKey
	inside  bool   // the detail has the keys
	wanted  bool   // somebody asked for a pair: until then the detail shows none
	restore string // the case to go to once there are pairs
	top     int    // the detail's first line that is seen
	w, h    int
	listW   int // of the list; the detail has the rest, or all below it
	listH   int

	idWidth, scenarioWidth int // of the longest ones

	detail    []string
	detailFor detailKey

	review *reviewing
}

// detailKey is what the detail's lines depend on.
type detailKey struct {
	row *row
	w   int
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Copier   = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
	_ screen.Unsaved  = (*Screen)(nil)
	_ screen.Hinter   = (*Screen)(nil)
	_ screen.Telling  = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th}
	s.table = widget.Table{Head: true, Cells: s.cells}
	s.review = newReviewing(s)
	return s
}

// Of tells which run folder is open.
func (s *Screen) Of(folder string) *Screen {
	s.review.folder = folder
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Pairs }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Pairs" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a new book; the cursor stays on its case. A review is read again
// with it.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Book:
		at := s.caseID()
		if at == "" {
			at = s.restore
		}
		s.book = msg.Book
		s.rows = rowsOf(s.book)
		s.idWidth, s.scenarioWidth = 0, 0
		for i := range s.rows {
			s.idWidth = max(s.idWidth, widget.Width(s.rows[i].show))
			s.scenarioWidth = max(s.scenarioWidth, widget.Width(s.rows[i].scenario))
		}
		s.sums = sumUp(s.rows)
		s.refresh(at)
		s.review.arrangeRows(s.review.caseID())
		if s.review.active() && s.review.reviewer != "" {
			return s.review.refresh()
		}
	case screen.Filter:
		if ofReview(msg.Text) {
			return s.review.filtered(msg.Text)
		}
		s.review.on = false
		s.input.Set(msg.Text)
		s.refresh(s.caseID())
	default:
		return s.review.update(msg)
	}
	return nil
}

// refresh finds and sorts again, keeps the cursor on a case, and sizes all.
func (s *Screen) refresh(at string) {
	s.shown = view(s.rows, s.input.Value, s.all, s.sort)
	s.table.Len = len(s.shown)
	for i, r := range s.shown {
		if s.rows[r].entry.Case.ID == at {
			s.table.Cursor = i
			break
		}
	}
	s.arrange()
	if len(s.shown) == 0 {
		s.inside = false
	}
	if s.caseID() != at {
		s.top = 0
	}
}

// beside tells whether list and detail stand side by side.
func (s *Screen) beside() bool { return s.w >= 112 }

func (s *Screen) arrange() {
	s.table.Columns = s.columns()
	s.listW, s.listH = s.w, s.h
	switch {
	case s.w >= 160:
		s.listW = 74 + min(max(s.idWidth-15, 0), max(s.w/2-74, 0))
	case s.beside():
		s.listW = 50
	case len(s.shown) > 0:
		need := len(s.shown) + 3 + len(s.footer(s.w-4))
		s.listH = min(need, max(s.h/2, 8), s.h)
	}
	s.table.Resize(max(s.listW-4, 0), max(s.listH-2-len(s.footer(s.listW-4)), 0))
	s.clamp()
}

// place gives the detail's size; it has the whole body when it has the keys and
// does not stand beside the list.
func (s *Screen) place() (w, h int) {
	switch {
	case s.beside():
		return s.w - s.listW, s.h
	case s.inside:
		return s.w, s.h
	}
	return s.w, s.h - s.listH
}

func (s *Screen) clamp() {
	w, h := s.place()
	s.top = max(min(s.top, len(s.lines(w-4))-max(h-2, 0)), 0)
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
	s.review.arrange()
}

func (s *Screen) selected() *row {
	if s.table.Cursor < len(s.shown) {
		return &s.rows[s.shown[s.table.Cursor]]
	}
	return nil
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	if s.review.active() {
		return s.review.do(action)
	}
	at := s.caseID()
	switch action {
	case Review:
		if len(s.rows) > 0 {
			return s.review.enter()
		}
	case keys.Open, keys.Focus:
		if at != "" {
			s.wanted = true
			s.inside = !s.inside || action == keys.Open
			s.clamp()
		}
	case keys.Back:
		s.inside = false
		s.clamp()
	case OpenCase:
		if at != "" {
			return screen.Request(screen.OpenCase{CaseID: at})
		}
	case Filter:
		s.typing, s.inside = true, false
		begin(&s.input)
		s.arrange()
	case Unfilter:
		s.input.Value = ""
		s.refresh(at)
	case Sort:
		s.sort = s.nextSort()
		s.refresh(at)
	case Concordant:
		s.all = !s.all
		s.refresh(at)
	case Next:
		s.turn(1)
	case Previous:
		s.turn(-1)
	default:
		s.wanted = true
		s.move(action)
	}
	return nil
}

// move scrolls the detail when it has the keys, else it moves in the list.
func (s *Screen) move(action keys.Action) {
	if !s.inside {
		if s.table.Move(action) {
			s.top = 0
			s.clamp()
		}
		return
	}
	w, h := s.place()
	s.top = scrolled(action, s.top, len(s.lines(w-4)), max(h-4, 1))
	s.clamp()
}

// scrolled gives the first line of a text of n lines after a movement.
func scrolled(action keys.Action, top, n, page int) int {
	switch action {
	case keys.Up:
		return top - 1
	case keys.Down:
		return top + 1
	case keys.PageUp:
		return top - page
	case keys.PageDown:
		return top + page
	case keys.Home:
		return 0
	case keys.End:
		return n
	}
	return top
}

// turn goes to another pair, around the end.
func (s *Screen) turn(by int) {
	if n := len(s.shown); n > 0 {
		s.wanted = true
		s.table.Select(((s.table.Cursor+by)%n + n) % n)
		s.top = 0
		s.clamp()
	}
}

// Typing tells that the filter, or something of the review, is being typed.
func (s *Screen) Typing() bool {
	if v := s.review; v.active() {
		return v.typing || v.form != nil || v.asking != nothing
	}
	return s.typing
}

// Hint is the footer meanwhile.
func (s *Screen) Hint() keys.Table {
	if s.review.active() {
		return s.review.hint()
	}
	return keys.Table{{Keys: []string{"enter"}, Words: "keep"}, {Keys: []string{"esc"}, Words: "clear"}}
}

// Unsaved names a verdict that was begun and not recorded.
func (s *Screen) Unsaved() string { return s.review.unsaved() }

// Discard forgets it.
func (s *Screen) Discard() {
	s.review.form = nil
	clear(s.review.drafts)
}

// Type takes a key into the filter: found as one types, enter keeps, esc clears.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	if s.review.active() {
		return s.review.typed(msg)
	}
	at := s.caseID()
	return s.input.Filter(msg).Carry(s.Do, func() {
		s.typing = false
		s.input.Set(strings.TrimSpace(s.input.Value))
		s.arrange()
	}, func() { s.refresh(at) })
}

// Mouse selects a pair or gives the detail the keys; the wheel moves in what is
// under it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if s.review.active() {
		return s.review.mouse(m)
	}
	onList := m.X < s.listW && m.Y < s.listH && (s.beside() || !s.inside)
	s.wanted = true
	switch {
	case !onList && m.Wheel != 0:
		s.top += 3 * m.Wheel
		s.clamp()
	case !onList:
		s.inside = s.caseID() != ""
		s.clamp()
	case m.Wheel != 0:
		s.inside = false
		s.table.Select(s.table.Cursor + m.Wheel)
		s.top = 0
		s.clamp()
	default:
		if i, ok := s.table.RowAt(m.Y - 1); ok {
			s.inside = false
			s.table.Select(i)
			s.top = 0
			s.clamp()
		}
	}
	return nil
}

// Select puts the cursor on a case, when it is shown.
func (s *Screen) Select(id string) {
	for i, r := range s.shown {
		if s.rows[r].entry.Case.ID == id {
			s.table.Select(i)
			s.top = 0
			s.clamp()
			return
		}
	}
}

// Selection is the ID of the case under the cursor; of a blind pair its place in
// the queue.
func (s *Screen) Selection() string {
	if s.review.active() {
		if r := s.review.selected(); r != nil && !r.row.blind {
			return r.item.CaseID
		} else if r != nil {
			return r.name
		}
		return ""
	}
	return s.caseID()
}

// Tells gives the pair that is shown with its policies, in the review too: who
// sits here next under another name may have read along.
func (s *Screen) Tells() string {
	if s.review.active() {
		return s.review.tells()
	}
	if _, h := s.place(); s.wanted && h > 2 {
		return s.caseID()
	}
	return ""
}

// caseID is the ID of the case under the cursor of the list.
func (s *Screen) caseID() string {
	if r := s.selected(); r != nil {
		return r.entry.Case.ID
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Pairs"
	var t keys.Table
	switch {
	case len(s.rows) == 0:
		return keys.Moves("pair")
	case s.review.active():
		return s.review.bindings()
	}
	what := "pair"
	if s.inside {
		what = "line"
		t = append(t, keys.Binding{Action: keys.Back, Keys: []string{"esc", "backspace", "left", "h"}, Show: "esc", Words: "back", Help: "back to the list of pairs", Category: category})
	} else {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter", "l", "right"}, Show: "enter", Words: "read", Help: "read the pair: why do the answers differ?", Category: category})
	}
	t = append(t,
		keys.Binding{Action: Next, Keys: []string{"n"}, Foot: "n N", Words: "next pair", Help: "next pair of the list", Category: category},
		keys.Binding{Action: Previous, Keys: []string{"N"}, Words: "previous pair", Help: "previous pair of the list", Category: category, Quiet: true},
		keys.Binding{Action: OpenCase, Keys: []string{"c"}, Words: "case", Help: "open the case: scores, ranks and the cut", Category: category})
	words, help := "all pairs", "show the concordant pairs too, after the discordant ones"
	if s.all {
		words, help = "discordant only", "show only pairs of which one is right"
	}
	t = append(t, keys.Binding{Action: Review, Keys: []string{"w"}, Words: "review", Help: "review the pairs, blind: the queue, a verdict, the ledger", Category: category})
	t = append(t, keys.Binding{Action: Concordant, Keys: []string{"d"}, Words: words, Help: help, Category: category})
	if !s.inside {
		t = append(t, keys.Binding{Action: Filter, Keys: []string{"/"}, Words: "filter", Help: "find pairs: words, kind=eviction, request=same, rule=exact", Category: category})
		if s.input.Value != "" {
			t = append(t, keys.Binding{Action: Unfilter, Keys: []string{"esc"}, Words: "show all", Help: "clear the filter", Category: category})
		}
		t = append(t, keys.Binding{Action: Sort, Keys: []string{"o"}, Words: "sort", Help: "sort by the next column", Category: category})
	}
	t = append(t, keys.Binding{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: "pane", Help: "list or detail", Category: category, Quiet: true})
	return append(t, keys.Moves(what)...)
}
