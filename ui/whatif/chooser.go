// The list of what can be played with, and turning from one to another.
package whatif

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// takeBook makes a subject of a book. A setting that was tried stays tried while
// the protocol's is the same: a new row changes no pool.
func (s *Screen) takeBook(b *casebook.Book) tea.Cmd {
	at, old := s.Selection(), s.study
	if at == "" {
		at = s.restore
	}
	s.study, s.why = studyOf(b)
	if old != nil && s.study != nil && old.ownBase().Same(s.study.model.Base()) {
		if old.startMoved() {
			s.study = s.study.startingAt(old.model.Base().Capacity)
		}
		s.study.setting = old.setting
	}
	if s.on != nil && s.on.agent != nil {
		return nil // the store is played with
	}
	s.panel = noPanel
	return s.use(s.study, at)
}

// takeStore takes a store that was read, for the list of what can be chosen. An
// agent that is played with is taken anew.
func (s *Screen) takeStore(msg screen.StoreRead) tea.Cmd {
	s.read = msg
	s.pick.Set(len(s.choices()), s.pick.Rows)
	if s.memory == nil || msg.Store == nil {
		return nil
	}
	for i := range msg.Store.Users {
		for j := range msg.Store.Users[i].Agents {
			a := &msg.Store.Users[i].Agents[j]
			if a.Folder == s.memory.agent.Folder && len(a.Facts) > 0 && (a != s.memory.agent || msg.Now != s.memory.model.Base().Now || msg.ClockSet != s.memory.clockSet) {
				return s.make(screen.PlayWith{Agent: a, Now: msg.Now, ClockSet: msg.ClockSet}, s.memory)
			}
		}
	}
	s.memory.gone = !slices.ContainsFunc(msg.Store.Users, func(u memstore.User) bool {
		return slices.ContainsFunc(u.Agents, func(a memstore.Agent) bool { return a.Folder == s.memory.agent.Folder && len(a.Facts) > 0 })
	})
	return nil
}

// remade is an agent that takes another's place.
type remade struct{ on, old *subject }

// play turns to an agent of the store.
func (s *Screen) play(msg screen.PlayWith) tea.Cmd {
	if m := s.memory; m != nil && m.agent == msg.Agent && m.model.Base().Now == msg.Now && m.clockSet == msg.ClockSet {
		if msg.CapFrom == insight.CapGiven {
			m.setting.Capacity = msg.Cap
		}
		s.panel = noPanel
		return s.use(m, msg.Fact)
	}
	return s.make(msg, nil)
}

// make makes a model of an agent's facts, which takes a moment for many.
func (s *Screen) make(msg screen.PlayWith, old *subject) tea.Cmd {
	s.making = true
	read := s.read.Store
	return func() tea.Msg {
		on := agentOf(msg, read)
		if old != nil && old.startMoved() {
			on = on.startingAt(old.model.Base().Capacity)
		}
		return screen.For{Screen: screen.WhatIf, Msg: remade{on, old}}
	}
}

// made turns to the agent that was asked for; one that was only read again stays
// where it is, with what was moved.
func (s *Screen) made(msg remade) tea.Cmd {
	s.making = false
	on, old := msg.on, msg.old
	if old != nil && old != s.memory {
		return nil // another one was chosen meanwhile
	}
	showing := old == nil || s.on == old
	at := on.landAt
	if old != nil {
		on.setting = engine.Carried(old.setting, old.model.Base(), on.model.Base())
		at = s.Selection()
	}
	s.memory = on
	if !showing {
		return nil
	}
	if old == nil {
		s.panel = noPanel
	}
	return s.use(on, at)
}

// choice is something that can be played with.
type choice struct {
	study bool
	agent *memstore.Agent
	user  string // cleaned
	read  bool   // not an agent: reads the store
}

// choices lists what can be played with.
func (s *Screen) choices() []choice {
	var out []choice
	if s.study != nil {
		out = append(out, choice{study: true})
	}
	if s.read.Store == nil {
		return append(out, choice{read: true})
	}
	for i := range s.read.Store.Users {
		u := &s.read.Store.Users[i]
		for j := range u.Agents {
			if a := &u.Agents[j]; len(a.Facts) > 0 {
				out = append(out, choice{agent: a, user: widget.Clean(u.ID)})
			}
		}
	}
	return out
}

// choose opens the list of what can be played with. A store that was not read is
// read then.
func (s *Screen) choose() tea.Cmd {
	s.panel = choosing
	list := s.choices()
	s.pick.Set(len(list), s.pick.Rows)
	s.pick.Select(0)
	for i, c := range list {
		if s.on != nil && (c.study && s.on == s.study || c.agent != nil && c.agent == s.on.agent) {
			s.pick.Select(i)
		}
	}
	s.arrange()
	if s.asked || s.read.Store != nil {
		return nil
	}
	s.asked = true
	return screen.Request(screen.ReadStore{})
}

// chosen turns to the choice under the cursor.
func (s *Screen) chosen() tea.Cmd {
	list := s.choices()
	if s.pick.Cursor >= len(list) {
		return nil
	}
	switch c := list[s.pick.Cursor]; {
	case c.study:
		s.panel = noPanel
		return s.use(s.study, s.Selection())
	case c.agent != nil:
		return s.play(screen.PlayWith{Agent: c.agent, Now: s.read.Now, ClockSet: s.read.ClockSet})
	}
	s.read.Err = nil
	return screen.Request(screen.ReadStore{})
}

func pickColumns() []widget.Column {
	return []widget.Column{{Title: "what", Width: 20, Flex: true}, {Title: "facts", Width: 12, Right: true}, {Title: "cap", Width: 24, Rank: 1}}
}

func (s *Screen) pickCells(i int, out []string) {
	switch c := s.choices()[i]; {
	case c.study:
		out[0], out[1], out[2] = "the pools of the study", widget.Plural(len(s.study.pools), "case"), "capacity "+engine.Capacity.Text(engine.Capacity.Get(s.study.model.Base()))
	case c.agent != nil:
		n, from := insight.CapOf(c.agent)
		out[0] = "agent " + agentName(c.agent)
		if c.user != "" {
			out[0] += s.th.Dim.Render(" of " + c.user)
		}
		out[1], out[2] = widget.Plural(len(c.agent.Facts), "fact"), capWords(n, from)
	default:
		out[0] = "read the store"
		if s.read.Err == nil && s.asked {
			out[0] = "the store is being read" + s.th.Sign.More
		}
	}
}

func capWords(n int, from insight.CapSource) string {
	text := engine.Capacity.Text(float64(n))
	switch from {
	case insight.CapAudit:
		return "cap " + text + " (last eviction)"
	case insight.CapDefault:
		return "cap " + text + " (default)"
	}
	return "cap " + text
}

// chooser draws the list of what can be played with.
func (s *Screen) chooser() []string {
	th := s.th
	pane := widget.Pane{Title: th.Title.Render("What is played with"), Note: s.pick.Position(), Focus: true, W: s.w, H: max(s.h-banner, 0)}
	w, h := pane.Inner()
	var about []string
	say := func(text string) { about = append(about, widget.Wrap(th.Words(text), w)...) }
	switch {
	case s.making:
		say("Scoring the facts…")
	case s.read.Err != nil:
		say("No store is open: " + strings.Join(strings.Fields(widget.Clean(s.read.Err.Error())), " ") + ". Name one with --store PATH.")
	case s.read.Store != nil:
		say("The store " + widget.Clean(s.read.Store.Root) + " is only read; its clock is " + s.read.Now.String() + "; t on the Store screen sets another.")
	}
	if s.study == nil {
		say(s.why)
	}
	rows := max(h-len(about)-1, 1)
	s.pick.Resize(w, rows)
	lines := append(s.pick.View(th, true)[:min(rows, max(h, 0))], "")
	return pane.Draw(th, append(lines, about...))
}
