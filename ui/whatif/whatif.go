// Package whatif is the screen that plays with the constants of hybrid-v1 over
// the pools of the study that is open: sliders, and at once what changes.
// Everything it shows is exploratory; it writes nothing and knows no run. This
// file is the screen: what it does with messages, actions and the mouse.
package whatif

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Less         keys.Action = "whatif.less"
	More         keys.Action = "whatif.more"
	MuchLess     keys.Action = "whatif.less.much"
	MuchMore     keys.Action = "whatif.more.much"
	Reset        keys.Action = "whatif.reset"
	ResetOne     keys.Action = "whatif.reset.one"
	CapacityLess keys.Action = "whatif.capacity.less"
	CapacityMore keys.Action = "whatif.capacity.more"
	NextCase     keys.Action = "whatif.case.next"
	PrevCase     keys.Action = "whatif.case.previous"
	NextChanged  keys.Action = "whatif.changed.next"
	PrevChanged  keys.Action = "whatif.changed.previous"
	NextFact     keys.Action = "whatif.fact.next"
	Only         keys.Action = "whatif.changed.only"
	Lower        keys.Action = "whatif.lower"
)

// nearCut is how many of the facts nearest to the cut are shown.
const nearCut = 10

// Screen plays with a study's pools.
type Screen struct {
	th      *theme.Theme
	book    *casebook.Book
	model   *engine.Model // nil where there is nothing to play with
	pools   []pool        // what is shown of the model's pools, cleaned once
	setting engine.Setting
	outcome *engine.Outcome
	near    []engine.Near // of the case at hand

	param int   // of engine.Params: the slider at hand
	shown []int // pools in the order of the list
	only  bool  // changed cases only
	table widget.Table
	fact  int // of the case at hand: whose strips are shown; -1 for none

	strips   []engine.Strip // of stripsOf, one a parameter
	stripsOf question
	asking   bool // strips are being computed

	inList  bool // the list of cases has the keys
	lower   bool // the facts near the cut instead of the strip, where there is room for one
	restore string
	w, h    int
	at      layout
}

// pool is what is shown of a case.
type pool struct {
	id, name, scenario string // name and scenario are cleaned
	synthetic          bool
}

// question is what strips depend on.
type question struct {
	model      *engine.Model
	setting    engine.Setting
	pool, fact int
}

// stripsMsg answers a question.
type stripsMsg struct {
	of     question
	strips []engine.Strip
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Copier   = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th, fact: -1}
	s.table = widget.Table{Head: true, Cells: s.cells, Columns: columns()}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.WhatIf }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "What-if" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a new book, or strips that were computed.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Book:
		return s.take(msg.Book)
	case stripsMsg:
		s.asking = false
		if msg.of.model == s.model {
			s.strips, s.stripsOf = msg.strips, msg.of
		}
		return s.ask()
	}
	return nil
}

// take makes the model of a book. A setting that was tried stays while the
// protocol's is the same: a new row changes no pool.
func (s *Screen) take(b *casebook.Book) tea.Cmd {
	at := s.Selection()
	if at == "" {
		at = s.restore
	}
	old := s.model
	s.book, s.model, s.pools, s.outcome, s.near, s.shown = b, nil, nil, nil, nil, nil
	if b == nil || len(b.Entries) == 0 {
		return nil
	}
	hybrid, ok := b.Policy(eviction.NameHybridV1)
	if !ok || !known(b) {
		return nil
	}
	base := engine.Setting{Name: "protocol", Policy: hybrid, Now: b.Now, Capacity: b.QACapacity}
	s.model = engine.New(engine.FromBook(b), base)
	if old == nil || !old.Base().Same(base) {
		s.setting = base
	}
	s.pools = poolsOf(b)
	return s.evaluate(at)
}

// known tells whether the facts of any case are.
func known(b *casebook.Book) bool {
	for i := range b.Entries {
		if len(b.Entries[i].Case.Facts) > 0 {
			return true
		}
	}
	return false
}

// evaluate decides over every pool again; the list stays on a case.
func (s *Screen) evaluate(at string) tea.Cmd {
	s.outcome = s.model.Evaluate(s.setting)
	return s.list(at)
}

// list orders the cases again and goes to one of them.
func (s *Screen) list(at string) tea.Cmd {
	s.shown = order(s.outcome, s.only)
	s.table.Len = len(s.shown)
	for i, p := range s.shown {
		if s.pools[p].id == at {
			s.table.Cursor = i
			break
		}
	}
	s.arrange()
	return s.turned(at)
}

// turned follows the cursor: facts near the cut, the fact, its strips. The fact
// stays while the case does.
func (s *Screen) turned(before string) tea.Cmd {
	p := s.pool()
	s.near = nil
	if p < 0 {
		s.fact = -1
		return nil
	}
	s.near = s.model.Nearest(s.setting, p, nearCut)
	facts := len(s.model.Pool(p).Facts)
	if s.Selection() != before || s.fact < 0 || s.fact >= facts {
		s.fact = -1
		if support := s.model.Pool(p).Support; len(support) > 0 {
			s.fact = support[0]
		} else if facts > 0 {
			s.fact = 0
		}
	}
	return s.ask()
}

// asked is the question that the screen has now.
func (s *Screen) asked() (question, bool) {
	p := s.pool()
	return question{s.model, s.setting, p, s.fact}, p >= 0 && s.fact >= 0
}

// ask has the strips computed, unless they are there or on their way: never
// more than one computation at a time. It is made over a model of its own,
// because one is used by one goroutine at a time.
func (s *Screen) ask() tea.Cmd {
	q, ok := s.asked()
	if !ok || s.asking || s.strips != nil && s.stripsOf == q {
		return nil
	}
	s.asking = true
	base, pools := s.model.Base(), []engine.Pool{s.model.Pool(q.pool), s.largest()}
	return func() tea.Msg {
		return screen.For{Screen: screen.WhatIf, Msg: stripsMsg{q, engine.New(pools, base).Strips(q.setting, 0, q.fact)}}
	}
}

// largest is the pool that sets the range of the capacity.
func (s *Screen) largest() engine.Pool {
	best := s.model.Pool(0)
	for i := range s.pools {
		if p := s.model.Pool(i); len(p.Facts) > len(best.Facts) {
			best = p
		}
	}
	return best
}

// pool is the place of the case under the cursor, -1 without one.
func (s *Screen) pool() int {
	if s.model == nil || s.table.Cursor >= len(s.shown) {
		return -1
	}
	return s.shown[s.table.Cursor]
}

// set tries a value of a parameter.
func (s *Screen) set(p engine.Param, v float64) tea.Cmd {
	next := settled(s.model.Move(s.setting, p, v), s.model.Base())
	next.Name = s.setting.Name
	if next.Same(s.setting) {
		return nil
	}
	s.setting = next
	return s.evaluate(s.Selection())
}

func (s *Screen) step(p engine.Param, n int) tea.Cmd {
	return s.set(p, step(p, s.model.Range(p), p.Get(s.setting), n, p.Get(s.model.Base())))
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	if s.model == nil {
		return nil
	}
	p, at := engine.Params()[s.param], s.Selection()
	switch action {
	case Less:
		return s.step(p, -1)
	case More:
		return s.step(p, 1)
	case MuchLess:
		return s.step(p, -bigStep)
	case MuchMore:
		return s.step(p, bigStep)
	case CapacityLess:
		return s.step(engine.Capacity, -1)
	case CapacityMore:
		return s.step(engine.Capacity, 1)
	case ResetOne:
		return s.set(p, p.Get(s.model.Base()))
	case Reset:
		s.setting = s.model.Base()
		return s.evaluate(at)
	case NextCase:
		return s.turn(1)
	case PrevCase:
		return s.turn(-1)
	case NextChanged:
		return s.changed(1)
	case PrevChanged:
		return s.changed(-1)
	case NextFact:
		if i := s.pool(); i >= 0 && s.fact >= 0 {
			s.fact = (s.fact + 1) % len(s.model.Pool(i).Facts)
			return s.ask()
		}
	case Only:
		s.only = !s.only
		return s.list(at)
	case Lower:
		s.lower = !s.lower
	case keys.Focus:
		s.inList = !s.inList
	case keys.Open:
		if at != "" {
			return screen.Request(screen.OpenCase{CaseID: at})
		}
	default:
		return s.move(action)
	}
	return nil
}

// move goes through the list when it has the keys, else through the sliders.
func (s *Screen) move(action keys.Action) tea.Cmd {
	at := s.Selection()
	if s.inList {
		if s.table.Move(action) {
			return s.turned(at)
		}
		return nil
	}
	n := len(engine.Params())
	list := widget.List{Len: n, Rows: n, Cursor: s.param}
	list.Move(action)
	s.param = list.Cursor
	return nil
}

// turn goes to another case, around the end.
func (s *Screen) turn(by int) tea.Cmd {
	n, at := len(s.shown), s.Selection()
	if n == 0 {
		return nil
	}
	s.table.Select(((s.table.Cursor+by)%n + n) % n)
	return s.turned(at)
}

// changed goes to another case that changes; they stand first in the list.
func (s *Screen) changed(by int) tea.Cmd {
	n, at := s.outcome.ChangedPools, s.Selection()
	if n == 0 {
		return screen.Request(screen.Toast{Text: "no case changes with this setting"})
	}
	next := s.table.Cursor + by
	if s.table.Cursor >= n {
		next = 0
	}
	s.table.Select((next%n + n) % n)
	return s.turned(at)
}

// Typing is never: the screen has no input.
func (s *Screen) Typing() bool { return false }

// Type is never called.
func (s *Screen) Type(tea.KeyMsg) tea.Cmd { return nil }

// Mouse moves a slider to where it is clicked, or selects a case; the wheel
// moves what is under it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if s.model == nil {
		return nil
	}
	switch {
	case s.at.sliders.holds(m.X, m.Y):
		row := m.Y - s.at.sliders.y - 1
		if row < 0 || row >= min(len(engine.Params()), s.at.sliders.h-2) {
			return nil
		}
		s.inList, s.param = false, row
		p := engine.Params()[row]
		if m.Wheel != 0 {
			return s.step(p, -m.Wheel)
		}
		from, track := s.track()
		if x := m.X - from; x >= 0 && x < track {
			return s.set(p, valueAt(p, s.model.Range(p), float64(x)/float64(max(track-1, 1)), p.Get(s.model.Base())))
		}
	case s.at.cases.holds(m.X, m.Y):
		at := s.Selection()
		s.inList = true
		if m.Wheel != 0 {
			s.table.Select(s.table.Cursor + m.Wheel)
		} else if i, ok := s.table.RowAt(m.Y - s.at.cases.y - 1); ok {
			s.table.Select(i)
		}
		return s.turned(at)
	}
	return nil
}

// Selection is the ID of the case under the cursor.
func (s *Screen) Selection() string {
	if i := s.pool(); i >= 0 {
		return s.pools[i].id
	}
	return ""
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "What-if"
	if s.model == nil {
		return keys.Moves("slider")
	}
	what, focus := "slider", "cases"
	if s.inList {
		what, focus = "case", "sliders"
	}
	only := "changed only"
	if s.only {
		only = "all cases"
	}
	t := keys.Table{
		{Action: Less, Keys: []string{"left", "h"}, Show: "← h", Foot: "← →", Words: "move", Help: "a step down with the slider", Category: category},
		{Action: More, Keys: []string{"right", "l"}, Show: "→ l", Words: "more", Help: "a step up with the slider", Category: category, Quiet: true},
		{Action: MuchLess, Keys: []string{"H", "shift+left"}, Foot: "H L", Words: "far", Help: "ten steps down", Category: category},
		{Action: MuchMore, Keys: []string{"L", "shift+right"}, Words: "ten steps up", Help: "ten steps up", Category: category, Quiet: true},
		{Action: Reset, Keys: []string{"r"}, Words: "protocol", Help: "back to the protocol's settings, all of them", Category: category},
		{Action: ResetOne, Keys: []string{"backspace"}, Words: "this one back", Help: "this slider back to the protocol's value", Category: category, Quiet: true},
		{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: focus, Help: "sliders or cases", Category: category},
		{Action: CapacityLess, Keys: []string{"["}, Foot: "[ ]", Words: "capacity", Help: "capacity one less", Category: category},
		{Action: CapacityMore, Keys: []string{"]"}, Words: "capacity", Help: "capacity one more", Category: category, Quiet: true},
	}
	if s.at.oneLower {
		words := "near the cut"
		if s.lower {
			words = "strip"
		}
		t = append(t, keys.Binding{Action: Lower, Keys: []string{"v"}, Words: words, Help: "the strip, or the facts nearest to the cut", Category: category})
	}
	t = append(t,
		keys.Binding{Action: NextChanged, Keys: []string{"n"}, Foot: "n N", Words: "changed", Help: "next case that changes", Category: category},
		keys.Binding{Action: PrevChanged, Keys: []string{"N"}, Words: "previous changed", Help: "previous case that changes", Category: category, Quiet: true},
		keys.Binding{Action: NextCase, Keys: []string{"J"}, Words: "next case", Help: "next case of the list", Category: category, Quiet: true},
		keys.Binding{Action: PrevCase, Keys: []string{"K"}, Words: "previous case", Help: "previous case of the list", Category: category, Quiet: true},
		keys.Binding{Action: Only, Keys: []string{"d"}, Words: only, Help: "list only the cases that change, or all", Category: category},
		keys.Binding{Action: NextFact, Keys: []string{"f"}, Words: "fact", Help: "the strips of another fact of the case", Category: category},
		keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "open case", Help: "open the case: scores, ranks and the cut under the protocol's settings", Category: category})
	return append(t, keys.Moves(what)...)
}
