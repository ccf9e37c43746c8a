// Package whatif is the screen that plays with the constants of hybrid-v1 over
// the pools of the study that is open, or over the facts of an agent of the
// store: sliders, and at once what changes. Everything it shows is exploratory;
// it writes no run and knows none. This file is the screen: what it is told, and
// what it decides at once.
package whatif

import (
	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// nearCut is how many of the facts nearest to the cut are shown.
const nearCut = 10

// Screen plays with a study's pools or a store's facts.
type Screen struct {
	th *theme.Theme

	study  *subject // of the book; nil where there is nothing to play with
	memory *subject // of the agent that was asked for; nil for none
	on     *subject // what is played with: one of the two, or nil
	why    string   // why the study cannot be played with; a sentence
	read   screen.StoreRead
	asked  bool // the shell was asked to read the store
	making bool // a model of an agent is being made

	outcome *engine.Outcome
	byCap   parted        // its changes, those of the cap apart
	near    []engine.Near // of the case at hand, or of the store

	param int   // of engine.Params: the slider at hand
	shown []int // pools or facts in the order of the list
	only  bool  // changed ones only
	table widget.Table
	fact  int // whose strips are shown, of the case at hand or of the store; -1 for none

	strips   map[engine.Param]engine.Strip // of stripsOf
	stripsOf question
	working  bool // the second model is at work

	panel panel // a list that lies over the screen
	pick  widget.Table
	kept  keptList

	inList  bool // the list has the keys
	lower   bool // the facts near the cut instead of the strip, where there is room for one
	restore string
	w, h    int
	at      layout
}

// panel is what lies over sliders and lists.
type panel int

const (
	noPanel panel = iota
	choosing
	comparing
)

// question is what a strip depends on, besides its parameter.
type question struct {
	on         *subject
	setting    engine.Setting
	pool, fact int
}

// stripMsg answers a question for one parameter.
type stripMsg struct {
	of    question
	strip engine.Strip
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Copier   = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th, fact: -1, why: noStudy}
	s.table = widget.Table{Head: true, Cells: s.cells, Columns: caseColumns()}
	s.pick = widget.Table{Cells: s.pickCells, Columns: pickColumns()}
	s.kept.table = widget.Table{Head: true, Cells: s.keptCells, Columns: keptColumns()}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.WhatIf }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "What-if" }

// Init has nothing to do: the shell loads the book.
func (s *Screen) Init() tea.Cmd { return nil }

// Update takes a book, a store, or what was computed.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Book:
		return s.takeBook(msg.Book)
	case screen.StoreRead:
		return s.takeStore(msg)
	case screen.PlayWith:
		return s.play(msg)
	case remade:
		return s.made(msg)
	case stripMsg:
		s.working = false
		if q, ok := s.question(); ok && q == msg.of {
			if s.stripsOf != q {
				s.strips, s.stripsOf = map[engine.Param]engine.Strip{}, q
			}
			s.strips[msg.strip.Param] = msg.strip
		}
		return s.ask()
	case startedMsg:
		return s.started(msg)
	case aloneMsg:
		s.working = false
		s.byCap.alone = msg
		s.part()
		return s.ask()
	case comparedMsg:
		s.working = false
		s.kept.compared = msg
		return s.ask()
	case Kept:
		return s.takeKept(msg)
	}
	return nil
}

// use turns to what is played with, the list at a case or a fact.
func (s *Screen) use(on *subject, at string) tea.Cmd {
	s.on, s.outcome, s.near, s.shown, s.fact = on, nil, nil, nil, -1
	s.table.Set(0, s.table.Rows)
	s.table.Columns = caseColumns()
	if on != nil && on.agent != nil {
		s.table.Columns = factColumns(max(s.at.cases.w-4, 0))
	}
	if on == nil {
		s.arrange()
		return nil
	}
	return s.evaluate(at)
}

// evaluate decides over everything again; the list stays on a case or fact.
func (s *Screen) evaluate(at string) tea.Cmd {
	s.outcome = s.on.model.Evaluate(s.on.setting)
	s.part()
	return s.list(at)
}

// list orders the list again and goes to a case or fact of it.
func (s *Screen) list(at string) tea.Cmd {
	s.shown = s.on.order(s.outcome, s.only, s.shown)
	s.table.Len = len(s.shown)
	if row := s.on.find(s.shown, at); row >= 0 {
		s.table.Cursor = row
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
	s.near = s.on.model.Nearest(s.on.setting, p, nearCut)
	if s.on.agent != nil {
		s.fact = s.row()
		return s.ask()
	}
	facts := len(s.on.model.Pool(p).Facts)
	if s.Selection() != before || s.fact < 0 || s.fact >= facts {
		s.fact = -1
		if support := s.on.model.Pool(p).Support; len(support) > 0 {
			s.fact = support[0]
		} else if facts > 0 {
			s.fact = 0
		}
	}
	return s.ask()
}

// question is what the screen wants to know of its fact now.
func (s *Screen) question() (question, bool) {
	p := s.pool()
	if p < 0 || s.fact < 0 {
		return question{}, false
	}
	return question{s.on, s.on.setting, p, s.fact}, true
}

// ask gives the second model its next piece of work, one at a time: what the cap
// does alone, the strip that is looked at, then those that are seen beside it; or
// a comparison.
func (s *Screen) ask() tea.Cmd {
	if s.working || s.on == nil {
		return nil
	}
	if s.panel == comparing {
		return s.askCompared()
	}
	if cmd := s.askAlone(); cmd != nil {
		return cmd
	}
	q, ok := s.question()
	if !ok {
		return nil
	}
	wanted := []engine.Param{engine.Params()[s.param]}
	if s.seesAllStrips() {
		wanted = append(wanted, engine.Params()...)
	}
	for _, p := range wanted {
		if _, known := s.strips[p]; known && s.stripsOf == q {
			continue
		}
		s.working = true
		second := s.on.second
		return func() tea.Msg {
			m := second.model()
			return screen.For{Screen: screen.WhatIf, Msg: stripMsg{q, m.Strip(q.setting, q.pool, q.fact, p)}}
		}
	}
	return nil
}

// row is the pool or fact under the cursor, -1 without one.
func (s *Screen) row() int {
	if s.on == nil || s.table.Cursor >= len(s.shown) {
		return -1
	}
	return s.shown[s.table.Cursor]
}

// pool is the place of the pool at hand, -1 without one: a store is one pool.
func (s *Screen) pool() int {
	if s.on != nil && s.on.agent != nil {
		return 0
	}
	return s.row()
}

// set tries a value of a parameter.
func (s *Screen) set(p engine.Param, v float64) tea.Cmd {
	on := s.on
	next := settled(on.model.Move(on.setting, p, v), on.model.Base())
	next.Name = on.setting.Name
	if next.Same(on.setting) {
		return nil
	}
	next.Name = on.model.Base().Name // it is no longer the one that was kept
	on.setting = next
	return s.evaluate(s.Selection())
}

func (s *Screen) step(p engine.Param, n int) tea.Cmd {
	m := s.on.model
	return s.set(p, step(p, m.Range(p), p.Get(s.on.setting), n, p.Get(m.Base())))
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// Typing tells that a name is being typed.
func (s *Screen) Typing() bool { return s.kept.naming }

// Selection is the ID of the case or fact under the cursor.
func (s *Screen) Selection() string {
	if i := s.row(); i >= 0 {
		return s.on.id(i)
	}
	return ""
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	switch {
	case s.panel != noPanel:
		return s.doPanel(action)
	case action == Choose:
		return s.choose()
	case s.on == nil:
		return nil
	}
	return s.doSliders(action)
}
