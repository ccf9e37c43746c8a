// Package store is the screen of a real DeerMem store, which is only read: its
// users and agents, their facts with signals and scores, what goes next at a
// cap, what another policy would do, and the audit of past evictions. This file
// is the screen: what it does with messages, actions, typing and the mouse.
package store

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// The screen's own actions.
const (
	Filter    keys.Action = "store.filter"
	Unfilter  keys.Action = "store.unfilter"
	Sort      keys.Action = "store.sort"
	Reverse   keys.Action = "store.reverse"
	CapLess   keys.Action = "store.cap.less"
	CapMore   keys.Action = "store.cap.more"
	CapOwn    keys.Action = "store.cap.own"
	NextView  keys.Action = "store.view.next"
	PrevView  keys.Action = "store.view.previous"
	NextAgent keys.Action = "store.agent.next"
	PrevAgent keys.Action = "store.agent.previous"
	NextTrim  keys.Action = "store.trim.next"
	PrevTrim  keys.Action = "store.trim.previous"
	Reload    keys.Action = "store.reload"
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

	agents widget.Table
	facts  widget.Table
	focus  focus
	view   view
	trim   int // of the audit, from the newest
	top    int // of the text

	cap     int
	capFrom insight.CapSource
	input   widget.Input
	typing  bool
	sort    int // of fields
	desc    bool
	found   []int  // facts in the order of the list
	want    string // the fact to go to once the list is there

	got *decided   // nil until computed
	why *explained // the same
	deciding,
	explaining bool

	restore map[string]string
	w, h    int
	at      layout
	text    []string
	textFor textKey
}

// question is what decisions depend on.
type question struct {
	agent *memstore.Agent
	now   eviction.Moment
	cap   int
}

// decided is what both policies do with an agent's facts at a cap.
type decided struct {
	of       question
	table    *insight.Table
	compared *insight.Comparison
	held     []bool // by fact: in a reserved slot
}

// explained is the same taken apart, fact by fact.
type explained struct {
	of   question
	each [2]eviction.Explanation
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
		s.told = widget.Clean(msg.Text)
	case Loaded:
		return s.take(msg)
	case *decided:
		s.deciding = false
		if q, ok := s.question(); ok && msg.of == q {
			at := s.Selection()
			if s.want != "" {
				at, s.want = s.want, ""
			}
			s.got = msg
			s.refresh(at)
		}
		return s.ask()
	case *explained:
		s.explaining = false
		if q, ok := s.question(); ok && msg.of == q {
			s.why = msg
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
		if s.store != nil { // what was read before is still true of its time
			return screen.Request(screen.Toast{Text: "reading the store again failed"})
		}
		return nil
	}
	state := s.restore
	if s.store != nil {
		state = s.State()
	}
	s.store, s.err, s.now, s.restore = msg.Store, nil, eviction.At(msg.At), nil
	s.owners = ownersOf(msg.Store)
	s.agents.Set(len(s.owners), s.agents.Rows)
	s.agents.Cursor = 0
	for i, o := range s.owners {
		if s.agentOf(o).Folder == state["agent"] {
			s.agents.Select(i)
		}
	}
	s.text = nil
	return s.turnAgent(state["fact"])
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
	s.got, s.why, s.found, s.trim, s.top = nil, nil, nil, 0, 0
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
	return s.ask()
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
	return question{a, s.now, s.cap}, a != nil
}

// ask has decided and explained what is not yet: one computation of a kind at a
// time, each over what never changes.
func (s *Screen) ask() tea.Cmd {
	q, ok := s.question()
	if !ok {
		return nil
	}
	var batch []tea.Cmd
	if !s.deciding && (s.got == nil || s.got.of != q) {
		s.deciding = true
		batch = append(batch, func() tea.Msg { return screen.For{Screen: screen.Store, Msg: decide(q)} })
	}
	if !s.explaining && (s.why == nil || s.why.of != q) {
		s.explaining = true
		batch = append(batch, func() tea.Msg {
			e := &explained{of: q}
			for i, p := range policies() {
				e.each[i] = eviction.Explain(q.agent.Signals, p, q.now, q.cap)
			}
			return screen.For{Screen: screen.Store, Msg: e}
		})
	}
	return tea.Batch(batch...)
}

func policies() [2]eviction.Policy {
	return [2]eviction.Policy{eviction.Confidence(), eviction.HybridV1()}
}

func decide(q question) *decided {
	d := &decided{of: q, table: insight.NewTable(q.agent, eviction.HybridV1(), q.now),
		compared: insight.Compare(q.agent, eviction.HybridV1(), q.now, q.cap), held: make([]bool, len(q.agent.Facts))}
	for _, i := range d.compared.Hybrid.Held {
		d.held[i] = true
	}
	return d
}

// fresh gives the decisions at the cap that is shown, nil while they are
// computed.
func (s *Screen) fresh() *decided {
	if q, ok := s.question(); ok && s.got != nil && s.got.of == q {
		return s.got
	}
	return nil
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	if action == Reload {
		s.told = "Reading the store…"
		return screen.Request(screen.ReadStore{})
	}
	if s.store == nil {
		return nil
	}
	at := s.Selection()
	switch action {
	case keys.Focus:
		s.focus = (s.focus + 1) % panes
	case keys.Open:
		s.focus = min(s.focus+1, onText)
	case keys.Back:
		s.focus = max(s.focus-1, onAgents)
	case Filter:
		s.typing, s.focus = true, onFacts
	case Unfilter:
		s.input.Value = ""
		s.refresh(at)
	case Sort:
		s.sort = (s.sort + 1) % len(fields)
		s.refresh(at)
	case Reverse:
		s.desc = !s.desc
		s.refresh(at)
	case CapLess:
		return s.setCap(s.cap-1, insight.CapGiven)
	case CapMore:
		return s.setCap(s.cap+1, insight.CapGiven)
	case CapOwn:
		return s.setCap(s.ownCap(), insight.CapAudit)
	case NextView, PrevView:
		by := 1
		if action == PrevView {
			by = int(views) - 1
		}
		s.view, s.top = view((int(s.view)+by)%int(views)), 0
	case NextAgent:
		return s.stepAgent(1)
	case PrevAgent:
		return s.stepAgent(-1)
	case NextTrim:
		s.stepTrim(1)
	case PrevTrim:
		s.stepTrim(-1)
	default:
		return s.move(action)
	}
	return nil
}

func (s *Screen) stepAgent(by int) tea.Cmd {
	if n := len(s.owners); n > 0 {
		s.agents.Select(((s.agents.Cursor+by)%n + n) % n)
		return s.turnAgent("")
	}
	return nil
}

// stepTrim goes through the audit, newest first, and shows it.
func (s *Screen) stepTrim(by int) {
	if s.view != onAudit {
		s.view, by = onAudit, 0
	}
	if a := s.agent(); a != nil && len(a.Audit) > 0 {
		n := len(a.Audit)
		s.trim = ((s.trim+by)%n + n) % n
	}
	s.top = 0
}

func (s *Screen) move(action keys.Action) tea.Cmd {
	switch s.focus {
	case onAgents:
		before := s.agents.Cursor
		if s.agents.Move(action) && s.agents.Cursor != before {
			return s.turnAgent("")
		}
	case onFacts:
		if s.facts.Move(action) && s.view == onFact {
			s.top = 0
		}
	case onText:
		list := widget.List{Len: len(s.lines()), Rows: max(s.at.text.h-2, 0), Top: s.top}
		page := max(list.Rows-1, 1)
		switch action {
		case keys.Up:
			s.top--
		case keys.Down:
			s.top++
		case keys.PageUp:
			s.top -= page
		case keys.PageDown:
			s.top += page
		case keys.Home:
			s.top = 0
		case keys.End:
			s.top = list.Len
		}
		s.top = max(min(s.top, list.Len-list.Rows), 0)
	}
	return nil
}

// Typing tells that the filter is being typed.
func (s *Screen) Typing() bool { return s.typing }

// Type takes a key into the filter: found as one types, enter keeps, esc clears.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	at := s.Selection()
	if !msg.Paste {
		switch msg.Type {
		case tea.KeyEnter:
			s.typing = false
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

// Mouse selects what is clicked; the wheel moves in what is under it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	if s.store == nil {
		return nil
	}
	switch {
	case s.at.agents.holds(m.X, m.Y):
		s.focus = onAgents
		before := s.agents.Cursor
		if m.Wheel != 0 {
			s.agents.Select(before + m.Wheel)
		} else if i, ok := s.agents.RowAt(m.Y - s.at.agents.y - 1); ok {
			s.agents.Select(i)
		}
		if s.agents.Cursor != before {
			return s.turnAgent("")
		}
	case s.at.facts.holds(m.X, m.Y):
		s.focus = onFacts
		if m.Wheel != 0 {
			s.facts.Select(s.facts.Cursor + m.Wheel)
		} else if m.Y == s.at.facts.y+1 {
			if c, ok := s.facts.ColumnAt(m.X - s.at.facts.x - 2); ok {
				s.sortBy(c)
			}
		} else if i, ok := s.facts.RowAt(m.Y - s.at.facts.y - 1); ok {
			s.facts.Select(i)
		}
		if s.view == onFact {
			s.top = 0
		}
	case s.at.text.holds(m.X, m.Y):
		s.focus = onText
		if m.Wheel != 0 {
			s.top = max(min(s.top+3*m.Wheel, len(s.lines())-max(s.at.text.h-2, 0)), 0)
		}
	}
	return nil
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

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Store"
	again := keys.Binding{Action: Reload, Keys: []string{"ctrl+r"}, Words: "read again", Help: "read the store again, and score at the present time", Category: category, Quiet: s.store != nil}
	if s.store == nil {
		return append(keys.Table{again}, keys.Moves("line")...)
	}
	var t keys.Table
	if s.focus != onText {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter", "right", "l"}, Show: "enter", Words: "deeper", Help: "from agents to facts to the text", Category: category, Quiet: s.focus == onFacts})
	}
	if s.focus != onAgents {
		t = append(t, keys.Binding{Action: keys.Back, Keys: []string{"left", "h", "backspace"}, Show: "← h", Words: "back", Help: "from the text to the facts to the agents", Category: category, Quiet: s.focus != onText})
	}
	t = append(t,
		keys.Binding{Action: keys.Focus, Keys: []string{"tab"}, Words: "pane", Help: "agents, facts or text", Category: category},
		keys.Binding{Action: NextView, Keys: []string{"v"}, Foot: "v V", Words: "view", Help: "the next view: fact, what goes next, compare, audit, warnings", Category: category},
		keys.Binding{Action: PrevView, Keys: []string{"V"}, Words: "view before", Help: "the view before", Category: category, Quiet: true},
		keys.Binding{Action: CapLess, Keys: []string{"["}, Foot: "[ ]", Words: "cap", Help: "a cap one lower", Category: category},
		keys.Binding{Action: CapMore, Keys: []string{"]"}, Words: "cap", Help: "a cap one higher", Category: category, Quiet: true})
	if s.cap != s.ownCap() {
		t = append(t, keys.Binding{Action: CapOwn, Keys: []string{"r"}, Words: "its cap", Help: "back to the agent's own cap", Category: category})
	}
	t = append(t, keys.Binding{Action: Filter, Keys: []string{"/"}, Words: "filter", Help: "find facts: any text, category=goal", Category: category})
	if s.input.Value != "" {
		t = append(t, keys.Binding{Action: Unfilter, Keys: []string{"esc"}, Words: "show all", Help: "clear the filter", Category: category})
	}
	t = append(t,
		keys.Binding{Action: Sort, Keys: []string{"o"}, Foot: "o O", Words: "sort", Help: "sort by the next column", Category: category},
		keys.Binding{Action: Reverse, Keys: []string{"O"}, Words: "turn round", Help: "turn the order round", Category: category, Quiet: true},
		keys.Binding{Action: NextAgent, Keys: []string{"J"}, Words: "next agent", Help: "the next agent", Category: category, Quiet: true},
		keys.Binding{Action: PrevAgent, Keys: []string{"K"}, Words: "agent before", Help: "the agent before", Category: category, Quiet: true},
		keys.Binding{Action: NextTrim, Keys: []string{"n"}, Foot: "n N", Words: "eviction", Help: "the audit, and the eviction before", Category: category, Quiet: s.view != onAudit},
		keys.Binding{Action: PrevTrim, Keys: []string{"N"}, Words: "later eviction", Help: "the audit, and the eviction after", Category: category, Quiet: true},
		again)
	return append(t, keys.Moves([...]string{"agent", "fact", "line"}[s.focus])...)
}
