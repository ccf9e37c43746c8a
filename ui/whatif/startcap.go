// Another cap at the start: what changes then is the constants' doing alone. The
// what-if command calls it --start-capacity.
package whatif

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/memstore/insight"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/screen"
)

// startedMsg is a subject whose start has another cap.
type startedMsg struct{ on, old *subject }

// ownBase is the start as it is by itself.
func (on *subject) ownBase() engine.Setting {
	base := on.model.Base()
	base.Capacity = on.own
	return base
}

// startMoved tells whether the start has another cap than its own.
func (on *subject) startMoved() bool { return on.model.Base().Capacity != on.own }

// startCap words the cap of the start, and where it is from.
func (on *subject) startCap() string {
	if on.startMoved() {
		return capWords(on.model.Base().Capacity, insight.CapGiven)
	}
	return capWords(on.own, on.from)
}

// startingAt gives the same subject with another cap at the start.
func (on *subject) startingAt(capacity int) *subject {
	base, next := on.model.Base(), *on
	base.Capacity = capacity
	fresh := newSubject(on.second.pools, base)
	next.model, next.second = fresh.model, fresh.second
	return &next
}

// startHere gives the start the cap at hand; where it has that already, its own
// again.
func (s *Screen) startHere() tea.Cmd {
	on, capacity := s.on, s.on.setting.Capacity
	if on.startMoved() && on.model.Base().Capacity == capacity {
		capacity = on.own
	}
	if on.model.Base().Capacity == capacity {
		return screen.Request(screen.Toast{Text: "the start has this cap already: [ and ] move it"})
	}
	return func() tea.Msg {
		return screen.For{Screen: screen.WhatIf, Msg: startedMsg{on.startingAt(capacity), on}}
	}
}

// started turns to a subject with another start; what was moved stays moved.
func (s *Screen) started(msg startedMsg) tea.Cmd {
	if s.on != msg.old {
		return nil // another one is played with meanwhile
	}
	at := s.Selection()
	msg.on.setting, msg.on.gone = msg.old.setting, msg.old.gone
	if msg.old == s.study {
		s.study = msg.on
	} else {
		s.memory = msg.on
	}
	return s.use(msg.on, at)
}
