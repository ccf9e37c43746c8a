// What keys and the mouse do on the screen.
package store

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
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
	Clock     keys.Action = "store.clock"
	WhatIf    keys.Action = "store.whatif"
	Return    keys.Action = "store.return"
)

// Do carries out an action.
func (s *Screen) Do(action keys.Action) tea.Cmd {
	if action == Reload {
		return s.readAgain()
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
		s.arrange()
	case Unfilter:
		s.input.Value = ""
		s.refresh(at)
	case Sort:
		s.sort = (s.sort + 1) % len(fields)
		return s.sorted(at)
	case Reverse:
		s.desc = !s.desc
		return s.sorted(at)
	case Clock:
		s.setting = clockInput{open: true}
		s.arrange()
	case WhatIf:
		return s.play()
	case Return:
		s.shown = ""
		return screen.Request(screen.Go{Screen: screen.WhatIf})
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

// sorted orders the list again; an order that is not known yet is asked for.
func (s *Screen) sorted(at string) tea.Cmd {
	s.refresh(at)
	return s.ask()
}

// play asks to play with the agent at hand, at the cap and clock shown here.
func (s *Screen) play() tea.Cmd {
	a := s.agent()
	if a == nil || len(a.Facts) == 0 {
		return screen.Request(screen.Toast{Text: "this agent has no facts to play with"})
	}
	return screen.Request(screen.PlayWith{Agent: a, Now: s.now, ClockSet: s.clock.IsSet(), Cap: s.cap, CapFrom: s.capFrom, Fact: s.Selection()})
}

// ShowFact goes to a fact of an agent. A filter that hides it gives way.
func (s *Screen) ShowFact(agent *memstore.Agent, fact string) tea.Cmd {
	if s.store == nil {
		return nil
	}
	s.view, s.top = onFact, 0
	s.focus, s.shown = onFacts, fact
	for i, o := range s.owners {
		if s.agentOf(o) != agent || i == s.agents.Cursor {
			continue
		}
		s.agents.Select(i)
		s.input.Value = ""
		return s.turnAgent(fact)
	}
	s.refresh(fact)
	if s.Selection() != fact {
		s.input.Value = ""
		s.refresh(fact)
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

// Typing tells that the filter or the clock is being typed.
func (s *Screen) Typing() bool { return s.typing || s.setting.open }

// Type takes a key into the filter, or into the clock.
func (s *Screen) Type(msg tea.KeyMsg) tea.Cmd {
	if s.setting.open {
		return s.typeClock(msg)
	}
	at := s.Selection()
	return s.input.Filter(msg).Carry(s.Do, func() {
		s.typing = false
		s.arrange()
	}, func() { s.refresh(at) })
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
				return s.sortBy(c)
			}
		} else if i, ok := s.facts.RowAt(m.Y - s.at.facts.y - 1); ok {
			s.facts.Select(i)
		}
		if s.view == onFact {
			s.top = 0
		}
	case s.at.text.holds(m.X, m.Y):
		if v, ok := s.viewAt(m.X); ok && m.Wheel == 0 && m.Y == s.at.text.y {
			s.view, s.top = v, 0
		}
		s.focus = onText
		if m.Wheel != 0 {
			s.top = max(min(s.top+3*m.Wheel, len(s.lines())-max(s.at.text.h-2, 0)), 0)
		}
	}
	return nil
}

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "Store"
	again := keys.Binding{Action: Reload, Keys: []string{"ctrl+r"}, Words: "read again", Help: "read the store again, at the present time or the set clock", Category: category, Quiet: s.store != nil}
	if s.store == nil || len(s.owners) == 0 {
		again.Quiet = false
		return append(keys.Table{again}, keys.Moves("line")...)
	}
	var t keys.Table
	if s.shown != "" && s.shown == s.Selection() {
		t = append(t, keys.Binding{Action: Return, Keys: []string{"esc"}, Words: "what-if", Help: "back to the What-if screen, where this fact was opened", Category: category})
	}
	if s.focus != onText {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter", "right", "l"}, Show: "enter", Words: "deeper", Help: "from agents to facts to the text", Category: category, Quiet: s.focus == onFacts})
	}
	if s.focus != onAgents {
		t = append(t, keys.Binding{Action: keys.Back, Keys: []string{"left", "h", "backspace"}, Show: "← h", Words: "back", Help: "from the text to the facts to the agents", Category: category, Quiet: s.focus != onText})
	}
	t = append(t,
		keys.Binding{Action: keys.Focus, Keys: []string{"tab"}, Words: "pane", Help: "agents, facts or text", Category: category},
		keys.Binding{Action: NextView, Keys: []string{"v"}, Foot: "v V", Words: "view", Help: "the next view: fact, what goes next, compare, time line, audit, warnings", Category: category},
		keys.Binding{Action: PrevView, Keys: []string{"V"}, Words: "view before", Help: "the view before", Category: category, Quiet: true},
		keys.Binding{Action: CapLess, Keys: []string{"["}, Foot: "[ ]", Words: "cap", Help: "a cap one lower", Category: category},
		keys.Binding{Action: CapMore, Keys: []string{"]"}, Words: "cap", Help: "a cap one higher", Category: category, Quiet: true})
	if s.cap != s.ownCap() {
		t = append(t, keys.Binding{Action: CapOwn, Keys: []string{"r"}, Words: "its cap", Help: "back to the agent's own cap", Category: category})
	}
	t = append(t, keys.Binding{Action: WhatIf, Keys: []string{"w"}, Words: "what if", Help: "play with hybrid-v1's constants over this agent's facts", Category: category},
		keys.Binding{Action: Clock, Keys: []string{"t"}, Words: "clock", Help: "score at another time: a date, +30d, now", Category: category, Quiet: s.focus == onText})
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
