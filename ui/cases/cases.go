// The screen: what it does with messages, actions, typing and the mouse.
package cases

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/casedetail"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Filter     keys.Action = "cases.filter"
	Unfilter   keys.Action = "cases.unfilter"
	Sort       keys.Action = "cases.sort"
	Reverse    keys.Action = "cases.reverse"
	Discordant keys.Action = "cases.discordant"
	NextPair   keys.Action = "cases.next"
	PrevPair   keys.Action = "cases.previous"
	Less       keys.Action = "cases.capacity.less"
	More       keys.Action = "cases.capacity.more"
)

// Screen lists the cases.
type Screen struct {
	th      *theme.Theme
	book    *casebook.Book
	rows    []row
	shown   []int // indexes of rows
	table   widget.Table
	preview *casedetail.Detail
	input   widget.Input
	find    matcher // what the input asks for
	typing  bool
	only    bool // discordant ones only
	sort    sortKey
	reverse bool
	w, h    int
	listW   int // width of the list; the rest is the preview
	idWidth int // of the longest ID

	scenarioWidth int    // of the longest scenario
	restore       string // the case to put the cursor on, from the last run of the program
	again         bool   // the filter is from there too
}

var (
	_ screen.Screen  = (*Screen)(nil)
	_ screen.Telling = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th, preview: casedetail.NewDetail(th)}
	s.table = widget.Table{Head: true, Cells: s.cells}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Cases }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Cases" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a new book; the cursor stays on its case.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(screen.Book); ok {
		at := s.Selection()
		if s.book == nil {
			at = s.restore
		}
		s.book = msg.Book
		s.rows = rowsOf(s.book)
		s.idWidth, s.scenarioWidth = widths(s.rows)
		s.preview.SetBook(s.book)
		s.refresh(at)
		if s.again && s.book.Rows == 0 && len(s.shown) == 0 && len(s.rows) > 0 {
			// It asked for what another run of the study had.
			s.input.Value, s.only = "", false
			s.refresh(at)
		}
		s.again = false
	}
	return nil
}

// refresh finds and sorts again, keeps the cursor on a case, and sizes all.
func (s *Screen) refresh(at string) {
	s.find = newMatcher(parse(s.input.Value), s.book)
	s.shown = view(s.rows, &s.find, s.only, s.sort, s.reverse)
	s.table.Len = len(s.shown)
	for i, r := range s.shown {
		if s.rows[r].id == at {
			s.table.Cursor = i
			break
		}
	}
	s.arrange()
}

func (s *Screen) arrange() {
	s.listW = s.w
	switch {
	case s.w >= 132:
		s.listW = min(max(84, s.w*2/5), 100)
		s.listW += min(max(s.idWidth-s.listW+idSpare, 0), max(s.w/2-s.listW, 0))
	case s.w >= 116:
		s.listW = 66 // the scenario gives way: the preview tells it
	}
	if s.book != nil {
		s.table.Columns = columns(s.book, s.th, s.sort, s.reverse)
		s.makeRoom()
	}
	s.table.Empty = "No case is what the filter asks for. Esc clears it."
	if s.book == nil {
		s.table.Empty = "Loading the study" + s.th.Sign.More
	}
	s.table.Resize(max(s.listW-4, 0), max(s.h-2-len(s.footer(s.listW-4)), 0))
	s.preview.Resize(s.w-s.listW, s.h)
	s.moved()
}

// moved tells the preview which case is under the cursor.
func (s *Screen) moved() {
	if id := s.Selection(); id != "" && s.w > s.listW {
		s.preview.Show(id)
	}
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	at := s.Selection()
	switch action {
	case keys.Open:
		if at != "" {
			return screen.Request(screen.OpenCase{CaseID: at})
		}
	case Filter:
		s.typing = true
		s.arrange()
	case Unfilter:
		s.input.Value, s.only = "", false
		s.refresh(at)
	case Sort:
		s.sort = s.nextSort()
		s.refresh(at)
	case Reverse:
		s.reverse = !s.reverse
		s.refresh(at)
	case Discordant:
		s.only = !s.only
		s.refresh(at)
	case NextPair:
		return s.jump(1)
	case PrevPair:
		return s.jump(-1)
	case Less:
		s.preview.Step(-1)
	case More:
		s.preview.Step(1)
	case keys.Focus:
		s.preview.Switch(1)
	default:
		if by, ok := sortOf(action); ok {
			s.sortBy(by)
		} else if s.table.Move(action) {
			s.moved()
		}
	}
	return nil
}

// sortBy sorts by a key; asked for again, it turns the order round.
func (s *Screen) sortBy(by sortKey) {
	if s.sort == by {
		s.reverse = !s.reverse
	} else {
		s.sort, s.reverse = by, false
	}
	s.refresh(s.Selection())
}

// jump goes to the next discordant case in a direction, around the end.
func (s *Screen) jump(by int) tea.Cmd {
	n := len(s.shown)
	for step := 1; step <= n; step++ {
		i := ((s.table.Cursor+by*step)%n + n) % n
		if s.rows[s.shown[i]].pair.Discordant() {
			s.table.Select(i)
			s.moved()
			return nil
		}
	}
	if s.book != nil && !s.book.Graded {
		return screen.Request(screen.Toast{Text: "pairs are known once every answer is graded"})
	}
	return screen.Request(screen.Toast{Text: "no discordant case among those shown"})
}

// Capacity is the one that the preview shows, 0 while none is seen.
func (s *Screen) Capacity() int {
	if s.w > s.listW {
		return s.preview.Capacity()
	}
	return 0
}

// Tells gives the case that the preview shows.
func (s *Screen) Tells() string {
	if s.w > s.listW {
		return s.preview.CaseID()
	}
	return ""
}

// StartAt turns the preview to a capacity.
func (s *Screen) StartAt(capacity int) {
	if capacity > 0 {
		s.preview.StartAt(capacity)
	}
}

// Typing tells that the filter is being typed.
func (s *Screen) Typing() bool { return s.typing }

// Type takes a key into the filter: found as one types, enter keeps, esc clears.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	at := s.Selection()
	return s.input.Filter(msg).Carry(s.Do, func() {
		s.typing = false
		s.arrange()
	}, func() { s.refresh(at) })
}

// Mouse selects a case; a click on the selected one opens it; the wheel moves.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if m.X >= s.listW {
		if m.Wheel == 0 {
			return s.Do(keys.Open)
		}
		return nil
	}
	if m.Wheel != 0 {
		s.table.Select(s.table.Cursor + 3*m.Wheel)
		s.moved()
		return nil
	}
	if m.Y == 1 {
		if i, ok := s.table.ColumnAt(m.X - 2); ok {
			s.sortBy(columnKeys[i])
		}
		return nil
	}
	i, ok := s.table.RowAt(m.Y - 1)
	if !ok {
		return nil
	}
	if i == s.table.Cursor {
		return s.Do(keys.Open)
	}
	s.table.Select(i)
	s.moved()
	return nil
}

// Select puts the cursor on a case, when it is shown.
func (s *Screen) Select(id string) {
	for i, r := range s.shown {
		if s.rows[r].id == id {
			s.table.Select(i)
			s.moved()
			return
		}
	}
}

// Selection is the ID of the case under the cursor.
func (s *Screen) Selection() string {
	if s.table.Cursor < len(s.shown) {
		return s.rows[s.shown[s.table.Cursor]].id
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Cases"
	t := keys.Table{
		{Action: keys.Open, Keys: []string{"enter", "l", "right"}, Show: "enter", Words: "open", Help: "open the case: why was its fact evicted?", Category: category},
		{Action: Filter, Keys: []string{"/"}, Words: "filter", Help: "find cases: words, pair=discordant, kept=no", Category: category},
	}
	if s.input.Value != "" || s.only {
		t = append(t, keys.Binding{Action: Unfilter, Keys: []string{"esc"}, Words: "show all", Help: "clear the filter", Category: category})
	}
	t = append(t, keys.Binding{Action: Sort, Keys: []string{"o"}, Words: "sort", Help: "sort by the next column", Category: category},
		keys.Binding{Action: Reverse, Keys: []string{"O"}, Words: "reverse", Help: "turn the order round", Category: category, Quiet: true})
	if s.book != nil && s.book.Graded {
		words := "discordant"
		if s.only {
			words = "all pairs"
		}
		t = append(t,
			keys.Binding{Action: Discordant, Keys: []string{"d"}, Words: words, Help: "show only pairs of which one is right", Category: category},
			keys.Binding{Action: NextPair, Keys: []string{"n"}, Foot: "n N", Words: "next", Help: "next discordant case", Category: category},
			keys.Binding{Action: PrevPair, Keys: []string{"N"}, Words: "previous", Help: "previous discordant case", Category: category, Quiet: true})
	}
	if s.w > s.listW {
		t = append(t, keys.Binding{Action: Less, Keys: []string{"["}, Foot: "[ ]", Words: "capacity", Help: "a smaller capacity in the preview", Category: category},
			keys.Binding{Action: More, Keys: []string{"]"}, Words: "capacity up", Help: "a larger capacity in the preview", Category: category, Quiet: true},
			keys.Binding{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: "policy", Help: "the other policy in the preview", Category: category})
	}
	for by := byStudy; by < sortKeys; by++ {
		t = append(t, keys.Binding{Action: by.action(), Words: "sort by " + sortNames[by], Category: category, Quiet: true})
	}
	return append(t, keys.Moves("case")...)
}
