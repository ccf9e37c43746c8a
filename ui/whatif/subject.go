// What is played with: the pools of a study, or the facts of an agent of the
// store; and where each begins.
package whatif

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/engine/whatif/kept"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// subject is what is played with, and the setting that is tried over it.
type subject struct {
	model   *engine.Model
	second  *second
	setting engine.Setting
	own     int         // the cap of the start by itself
	over    engine.Over // what settings that are kept say they were tried over

	pools []pool // of a study; what is shown of them, cleaned once

	agent    *memstore.Agent // of a store; nil for a study
	name     string          // of the agent; cleaned
	from     insight.CapSource
	clockSet bool     // the clock of the start was asked for
	groups   []string // categories of the facts, the largest first; the last may stand for several
	groupOf  []uint8  // by fact

	landAt string // the fact to begin with
	gone   bool   // the agent was not in the store any more when it was read again
}

// pool is what is shown of a case.
type pool struct {
	id, name, scenario string // name and scenario are cleaned
	synthetic          bool
}

// second is a model of the same facts for work beside the screen's own: strips
// and comparisons. It is made when it is first needed, by who needs it, and used
// by one goroutine at a time.
type second struct {
	once  sync.Once
	pools []engine.Pool
	base  engine.Setting
	made  *engine.Model
}

func (w *second) model() *engine.Model {
	w.once.Do(func() { w.made = engine.New(w.pools, w.base) })
	return w.made
}

func newSubject(list []engine.Pool, base engine.Setting) *subject {
	return &subject{model: engine.New(list, base), second: &second{pools: list, base: base}, setting: base, own: base.Capacity}
}

// Why a study cannot be played with.
const (
	noStudy   = "No study is open."
	noCases   = "The study has no cases, so there is nothing to play with."
	rowsAlone = "Only the rows of this run are known, not the facts of its pools: no score can be computed, so nothing can be tried.\n\nOpen the run with its protocol and dataset (--protocol-dir and --dataset) to play with the constants. The what-if command does the same without a run."
	noHybrid  = "This study has no policy hybrid-v1, and only its constants can be moved."
)

// studyOf makes a subject of a book, or says why there is none.
func studyOf(b *casebook.Book) (on *subject, why string) {
	switch {
	case b == nil:
		return nil, noStudy
	case len(b.Entries) == 0:
		return nil, noCases
	case !known(b):
		return nil, rowsAlone
	}
	hybrid, ok := b.Policy(eviction.NameHybridV1)
	if !ok {
		return nil, noHybrid
	}
	on = newSubject(engine.FromBook(b), engine.Setting{Name: engine.NameProtocol, Policy: hybrid, Now: b.Now, Capacity: b.QACapacity})
	on.over = engine.Over{Protocol: b.Protocol}
	for i := range b.Entries {
		c := &b.Entries[i].Case
		on.pools = append(on.pools, pool{id: c.ID, name: widget.Clean(c.ID), scenario: widget.Clean(c.Scenario), synthetic: c.Source == pools.Synthetic})
	}
	return on, ""
}

// known tells whether the facts of any case are.
func known(b *casebook.Book) bool {
	return slices.ContainsFunc(b.Entries, func(e casebook.Entry) bool { return len(e.Case.Facts) > 0 })
}

// mostGroups is how many categories are told apart.
const mostGroups = 9

// overAgent names an agent of a store that was read. It looks at the folder, so it
// is no work for Update.
func overAgent(m *memstore.Store, a *memstore.Agent) engine.Over {
	if m == nil {
		return engine.Over{Agent: a.Name}
	}
	user := ""
	for i := range m.Users {
		for j := range m.Users[i].Agents {
			if &m.Users[i].Agents[j] == a {
				user = m.Users[i].ID
			}
		}
	}
	return kept.OverAgent(m.Root, user, a.Name)
}

// agentOf makes a subject of an agent: deer-flow's own constants at its cap.
func agentOf(play screen.PlayWith, m *memstore.Store) *subject {
	a := play.Agent
	own, from := insight.CapOf(a)
	base := engine.Setting{Name: engine.NameDeerFlow, Policy: eviction.HybridV1(), Now: play.Now, Capacity: own}
	on := newSubject([]engine.Pool{{ID: a.Name, Facts: a.Signals}}, base)
	on.agent, on.name, on.from, on.landAt, on.over = a, agentName(a), from, play.Fact, overAgent(m, a)
	on.clockSet = play.ClockSet
	if play.CapFrom == insight.CapGiven {
		on.setting.Capacity = play.Cap
	}
	counts := insight.Categories(a)
	places := map[string]uint8{}
	for _, c := range counts {
		if len(on.groups) == mostGroups && len(counts) > mostGroups {
			on.groups[mostGroups-1] = "all other categories"
			places[c.Category] = mostGroups - 1
			continue
		}
		places[c.Category] = uint8(len(on.groups))
		on.groups = append(on.groups, widget.Clean(c.Category))
	}
	on.groupOf = make([]uint8, len(a.Facts))
	for i := range a.Facts {
		on.groupOf[i] = places[a.Facts[i].Category]
	}
	return on
}

func agentName(a *memstore.Agent) string {
	if a.Name == memstore.DefaultAgent {
		return "(no agent named)"
	}
	return widget.Clean(a.Name)
}

// what names a row of the list.
func (on *subject) what() string {
	if on.agent != nil {
		return "fact"
	}
	return "case"
}

// start names the setting at the start in a word, startWords in a few.
func (on *subject) start() string { return on.model.Base().Name }

func (on *subject) startWords() string {
	var set []string
	if on.startMoved() {
		set = append(set, on.startCap())
	}
	if on.clockSet {
		set = append(set, on.startClock())
	}
	if len(set) > 0 {
		return on.start() + " at " + strings.Join(set, ", ")
	}
	if on.agent != nil {
		return "deer-flow's own settings"
	}
	return "the protocol's settings"
}

// startClock words the clock of the start, and whether it was asked for.
func (on *subject) startClock() string {
	text := "clock " + short(engine.Clock, engine.Clock.Get(on.model.Base()))
	if on.clockSet {
		text += " (set)"
	}
	return text
}

// startNote says with what everything is compared, and how much is moved away from
// it, in so many cells: cap and clock of the start are worth more than the rest.
func (on *subject) startNote(moved, w int) string {
	held := "cap " + short(engine.Capacity, engine.Capacity.Get(on.model.Base()))
	full := held + ", " + on.startClock()
	brief := held + ", " + strings.TrimPrefix(on.startClock(), "clock ")
	notes := []string{"the start: " + full, "start: " + brief, brief}
	if moved > 0 {
		notes = append([]string{
			fmt.Sprintf("%d moved, r takes all back to the start: %s", moved, full),
			fmt.Sprintf("%d moved; the start: %s", moved, full),
			fmt.Sprintf("%d moved, start: %s", moved, brief),
		}, notes[1:]...)
	}
	for _, note := range notes {
		if widget.Width(note) <= w {
			return note
		}
	}
	return notes[len(notes)-1]
}

// id gives the ID of a pool or fact.
func (on *subject) id(i int) string {
	if on.agent != nil {
		return on.agent.Facts[i].ID
	}
	return on.pools[i].id
}

// find gives the row of a case or fact in a list, -1 where it is not in it.
func (on *subject) find(shown []int, id string) int {
	if on.agent != nil {
		return slices.Index(shown, on.agent.Find(id))
	}
	return slices.IndexFunc(shown, func(p int) bool { return on.pools[p].id == id })
}

// changes counts the rows that change; they stand first in the list.
func (on *subject) changes(o *engine.Outcome) int {
	if on.agent != nil {
		return o.ChangedFacts
	}
	return o.ChangedPools
}

// order gives the rows of the list: those that change first, then, unless only
// these are wanted, the others.
func (on *subject) order(o *engine.Outcome, only bool, before []int) []int {
	if on.agent != nil {
		return factOrder(&o.Pools[0], only, before)
	}
	return caseOrder(o, only)
}
