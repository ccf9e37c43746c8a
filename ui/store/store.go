// Package store is the screen of a real DeerMem store, which is only read: its
// users and agents, their facts with signals and scores, what goes next at a
// cap, what another policy would do, and the audit of past evictions. This file
// is the screen: what it is told, and what it has computed.
package store

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Loaded is a store that was read, or why not.
type Loaded struct {
	Store *memstore.Store
	Err   error
	At    time.Time // the clock of every score that is shown
}

// Told is a word about a store that is being read.
type Told struct{ Text string }

// focus is the pane that has the keys.
type focus int

const (
	onAgents focus = iota
	onFacts
	onText
	panes
)

// owner is an agent in the list, its names cleaned.
type owner struct {
	user, agent int // in the store
	name, under string
}

// Screen shows a store.
type Screen struct {
	th     *theme.Theme
	store  *memstore.Store
	err    error
	now    eviction.Moment
	asked  bool // the shell was asked to read
	told   string
	owners []owner

	readAt eviction.Moment // when what is shown was read
	stale  string          // why it could not be read again, cleaned; empty where it is as last read

	agents widget.Table
	facts  widget.Table
	focus  focus
	view   view
	trim   int // of the audit, from the newest
	top    int // of the text

	clock   eviction.Moment // that was asked for; unset for that of reading
	cap     int
	capFrom insight.CapSource
	input   widget.Input
	typing  bool
	before  bool // the filter is of the time before
	setting clockInput
	sort    int // of fields
	desc    bool
	found   []int  // facts in the order of the list
	finds   string // the filter they were found by
	foundBy order  // the order they are in
	want    string // the fact to go to once the list is there
	shown   string // the fact that another screen opened, until one goes on from it

	got    *scored // nil until computed
	cut    *cut    // of got, at the cap that is shown
	asking bool    // scores or an order are being computed

	restore map[string]string
	w, h    int
	at      layout
	text    []string
	textFor textKey
}

// question is what scores depend on.
type question struct {
	agent *memstore.Agent
	now   eviction.Moment
}

// order is what the list depends on besides.
type order struct {
	field insight.Field
	desc  bool
}

// scored is an agent's facts in the order of both policies, and its time line.
// That is the work; a cap is cut from it in no time.
type scored struct {
	of     question
	table  *insight.Table
	line   insight.Timeline
	first  order           // the order that was asked for first
	orders map[order][]int // all that were
}

// orderMsg is one more order of the facts.
type orderMsg struct {
	of    *scored
	by    order
	facts []int
}

// cut is what both policies keep at a cap.
type cut struct {
	of                 *scored
	cap                int
	confidence, hybrid *insight.Decision
	compared           *insight.Comparison // made when it is looked at
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Copier   = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
)

// New makes the screen.
func New(th *theme.Theme) *Screen {
	s := &Screen{th: th, focus: onFacts}
	s.agents = widget.Table{Cells: s.agentCells, Columns: agentColumns(), Empty: "no agent"}
	s.facts = widget.Table{Head: true, Cells: s.factCells, Columns: factColumns()}
	return s
}

// ID names the screen.
func (s *Screen) ID() screen.ID { return screen.Store }

// Title is its name in the tab bar.
func (s *Screen) Title() string { return "Store" }

// Init has nothing to do: a store is read when the screen is first seen.
func (s *Screen) Init() tea.Cmd { return nil }

// Wanted tells that nothing was read yet, and from then on that it was asked for.
func (s *Screen) Wanted() bool {
	first := !s.asked
	s.asked = true
	return first
}

// Update takes a store that was read, or what was computed of it.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Told:
		return s.tellReading(widget.Clean(msg.Text))
	case Loaded:
		return s.take(msg)
	case *scored:
		s.asking = false
		if q, ok := s.question(); ok && msg.of == q {
			at := s.Selection()
			if s.want != "" {
				at, s.want = s.want, ""
			}
			s.got, s.found, s.foundBy = msg, nil, msg.first
			s.recut()
			s.refresh(at)
			if s.before && len(s.found) == 0 { // who comes back is not met by an empty list
				s.input.Set("")
				s.refresh(at)
			}
			s.before = false
		}
		return s.ask()
	case orderMsg:
		s.asking = false
		if s.got == msg.of {
			s.got.orders[msg.by] = msg.facts
			s.refresh(s.Selection())
		}
		return s.ask()
	}
	return nil
}

// take shows a store; agent and fact stay where they are there again.
func (s *Screen) take(msg Loaded) tea.Cmd {
	s.told = ""
	if msg.Err != nil || msg.Store == nil {
		s.err = msg.Err
		if s.store != nil {
			return s.keepOld(msg.Err)
		}
		return screen.Request(screen.StoreRead{Err: msg.Err})
	}
	state, again, tried := s.restore, tea.Cmd(nil), s.tried()
	if s.store != nil {
		state, again = s.State(), screen.Request(screen.Toast{Text: "the store was read again"})
	}
	if s.restore != nil && s.restore["store"] != msg.Store.Root {
		s.input.Set("") // it was of another store, and may hide all of this one
	}
	s.store, s.err, s.now, s.restore = msg.Store, nil, eviction.At(msg.At), nil
	s.readAt, s.stale = s.now, ""
	if s.clock.IsSet() {
		s.now = s.clock
	}
	s.owners = ownersOf(msg.Store)
	s.agents.Set(len(s.owners), s.agents.Rows)
	s.agents.Cursor = 0
	found := false
	for i, o := range s.owners {
		if s.agentOf(o).Folder == state["agent"] {
			s.agents.Select(i)
			found = true
		}
	}
	if again != nil && !found && state["agent"] != "" {
		again = screen.Request(screen.Toast{Text: "the store was read again, and " + widget.Clean(state["agent"]) + " is no longer in it"})
	}
	s.text = nil
	s.arrange()
	turned := s.turnAgent(state["fact"])
	s.goOn(tried)
	return tea.Batch(turned, s.tell(), again)
}

// tell gives others the store as it is shown here.
func (s *Screen) tell() tea.Cmd {
	return screen.Request(screen.StoreRead{Store: s.store, Now: s.now, ClockSet: s.clock.IsSet()})
}

func ownersOf(m *memstore.Store) []owner {
	var out []owner
	for i := range m.Users {
		for j := range m.Users[i].Agents {
			o := owner{i, j, widget.Clean(m.Users[i].Agents[j].Name), widget.Clean(m.Users[i].ID)}
			if o.name == memstore.DefaultAgent {
				o.name = "(no agent named)"
			}
			out = append(out, o)
		}
	}
	return out
}

func (s *Screen) agentOf(o owner) *memstore.Agent { return &s.store.Users[o.user].Agents[o.agent] }

// owner is the agent at hand with its user; nil without one.
func (s *Screen) owner() *owner {
	if s.store == nil || s.agents.Cursor >= len(s.owners) {
		return nil
	}
	return &s.owners[s.agents.Cursor]
}

func (s *Screen) agent() *memstore.Agent {
	if o := s.owner(); o != nil {
		return s.agentOf(*o)
	}
	return nil
}

// turnAgent goes to the agent under the cursor, at the cap it most likely has.
func (s *Screen) turnAgent(fact string) tea.Cmd {
	s.got, s.cut, s.found, s.trim, s.top = nil, nil, nil, 0, 0
	s.facts.Cursor, s.want = 0, fact
	if a := s.agent(); a != nil {
		s.cap, s.capFrom = insight.CapOf(a)
	}
	s.refresh("")
	return s.ask()
}

// setCap tries another cap.
func (s *Screen) setCap(n int, from insight.CapSource) tea.Cmd {
	a := s.agent()
	if a == nil {
		return nil
	}
	n = max(min(n, max(len(a.Facts), s.ownCap())), 0)
	if n == s.cap && from != insight.CapGiven {
		return nil
	}
	s.cap, s.capFrom = n, from
	if own, source := insight.CapOf(a); own == n {
		s.capFrom = source
	}
	s.top = 0
	s.recut()
	return nil
}

func (s *Screen) ownCap() int {
	if a := s.agent(); a != nil {
		n, _ := insight.CapOf(a)
		return n
	}
	return 0
}

func (s *Screen) question() (question, bool) {
	a := s.agent()
	return question{a, s.now}, a != nil
}

// ask has computed what is not there yet: one computation at a time, each over
// what never changes.
func (s *Screen) ask() tea.Cmd {
	q, ok := s.question()
	if !ok || s.asking {
		return nil
	}
	by, got := s.order(), s.got
	switch {
	case got == nil || got.of != q:
		s.asking = true
		return func() tea.Msg { return screen.For{Screen: screen.Store, Msg: score(q, by)} }
	case got.orders[by] == nil:
		s.asking = true
		return func() tea.Msg {
			return screen.For{Screen: screen.Store, Msg: orderMsg{got, by, got.table.Order(by.field, by.desc)}}
		}
	}
	return nil
}

func (s *Screen) order() order { return order{fields[s.sort], s.desc} }

func score(q question, by order) *scored {
	table := insight.NewTable(q.agent, eviction.HybridV1(), q.now)
	return &scored{of: q, table: table, line: insight.NewTimeline(q.agent), first: by, orders: map[order][]int{by: table.Order(by.field, by.desc)}}
}

// recut cuts the orders at the cap that is shown.
func (s *Screen) recut() {
	s.cut = nil
	if q, ok := s.question(); ok && s.got != nil && s.got.of == q {
		c := &cut{of: s.got, cap: s.cap}
		c.confidence, c.hybrid = s.got.table.Decide(s.cap)
		s.cut = c
	}
}

// compare gives the policies compared at the cap.
func (c *cut) compare() *insight.Comparison {
	if c.compared == nil {
		c.compared = c.of.table.Compare(c.cap)
	}
	return c.compared
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// fact is the index of the fact under the cursor, -1 without one.
func (s *Screen) fact() int {
	if s.agent() == nil || s.facts.Cursor >= len(s.found) {
		return -1
	}
	return s.found[s.facts.Cursor]
}

// Selection is the ID of the fact under the cursor.
func (s *Screen) Selection() string {
	if i := s.fact(); i >= 0 {
		return s.agent().Facts[i].ID
	}
	return ""
}
