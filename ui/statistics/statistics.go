// Package statistics shows a graded run's figures: suite by suite, official and
// synthetic never added up, every figure with its standing, its method and its
// warnings. While rows are missing or not graded it says what is missing and
// shows no figure. This file is the screen: what it does with messages, actions
// and the mouse.
package statistics

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/ui/chart"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	NextSuite keys.Action = "statistics.suite.next"
	PrevSuite keys.Action = "statistics.suite.previous"
	Values    keys.Action = "statistics.values"
)

// Screen shows the figures.
type Screen struct {
	th      *theme.Theme
	book    *casebook.Book
	names   [2]string // of the policies, cleaned
	suite   int       // of the figures' suites
	restore string    // the suite to turn to once there are figures
	values  bool      // the distribution as a list of values
	charts  []*chart.Histogram
	top     int // the first line of the page that is seen
	w, h    int

	page    []string // everything there is, drawn once
	pageFor pageKey
}

// pageKey is what a page depends on.
type pageKey struct {
	book   *casebook.Book
	w, h   int
	suite  int
	values bool
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Copier   = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen { return &Screen{th: th} }

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Statistics }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Statistics" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a new book; suite and place stay.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(screen.Book); ok {
		name := s.restore
		if f := s.figures(); f != nil {
			name = f.Suites[s.suite].Name
		}
		s.book, s.page, s.charts = msg.Book, nil, nil
		if f := s.figures(); f != nil {
			for i := range s.names {
				s.names[i] = upTo(widget.Clean(f.Policies[i]), 20, s.th.Sign.More)
			}
			for _, suite := range f.Suites {
				s.charts = append(s.charts, chart.NewHistogram(suite.Bootstrap))
			}
			s.suite = max(min(s.suite, len(f.Suites)-1), 0)
			s.find(name)
		}
		s.clamp()
	}
	return nil
}

// figures are there only of a run of which every row is graded.
func (s *Screen) figures() *figures.Figures {
	if s.book == nil || !s.book.Graded || s.book.Figures == nil || len(s.book.Figures.Suites) == 0 {
		return nil
	}
	return s.book.Figures
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.clamp()
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	switch action {
	case NextSuite:
		s.turn(1)
	case PrevSuite:
		s.turn(-1)
	case Values:
		s.values = !s.values
	case keys.Up:
		s.top--
	case keys.Down:
		s.top++
	case keys.PageUp:
		s.top -= max(s.rows()-2, 1)
	case keys.PageDown:
		s.top += max(s.rows()-2, 1)
	case keys.Home:
		s.top = 0
	case keys.End:
		s.top = len(s.lines())
	}
	s.clamp()
	return nil
}

func (s *Screen) turn(by int) {
	if f := s.figures(); f != nil {
		n := len(f.Suites)
		s.suite = ((s.suite+by)%n + n) % n
	}
}

// rows is how many lines of the page are seen: all but the line of suites.
func (s *Screen) rows() int { return max(s.h-1, 0) }

func (s *Screen) clamp() {
	s.top = max(min(s.top, len(s.lines())-s.rows()), 0)
}

// Typing is never: the screen has no input.
func (s *Screen) Typing() bool { return false }

// Type is never called.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Mouse turns to the suite that is clicked; the wheel scrolls.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if m.Wheel != 0 {
		s.top += 3 * m.Wheel
		s.clamp()
		return nil
	}
	f := s.figures()
	if f == nil {
		return nil
	}
	if m.Y == 0 {
		for i, at := range s.suitePlaces() {
			if m.X >= at[0] && m.X < at[1] {
				s.suite = i
			}
		}
	} else if n := len(f.Suites); s.sideBySide() && n > 0 {
		s.suite = max(min(m.X*n/max(s.w, 1), n-1), 0)
	}
	s.clamp()
	return nil
}

// Selection is the suite's result in one line, with what it takes to read it.
func (s *Screen) Selection() string {
	if f := s.figures(); f != nil {
		return headline(f, &f.Suites[s.suite])
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Statistics"
	var t keys.Table
	if f := s.figures(); f != nil {
		words := "list of values"
		if s.values {
			words = "histogram"
		}
		if len(f.Suites) > 1 {
			t = append(t,
				keys.Binding{Action: NextSuite, Keys: []string{"tab", "right", "l"}, Show: "tab", Words: "suite", Help: "the next suite: official, synthetic, overall", Category: category},
				keys.Binding{Action: PrevSuite, Keys: []string{"shift+tab", "left", "h"}, Show: "shift+tab", Words: "suite before", Help: "the suite before", Category: category, Quiet: true})
		}
		t = append(t, keys.Binding{Action: Values, Keys: []string{"v"}, Words: words, Help: "the bootstrap distribution as a chart or as a list of its values", Category: category})
	}
	moves := keys.Moves("line")
	for i := range moves {
		if moves[i].Action == keys.Down && len(s.lines()) > s.rows() {
			moves[i].Quiet, moves[i].Words = false, "scroll"
		}
	}
	return append(t, moves...)
}
