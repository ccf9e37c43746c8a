// What keys and the mouse do to the sliders and the list.
package whatif

import (
	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
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
	StartHere    keys.Action = "whatif.start.here"
	NextCase     keys.Action = "whatif.case.next"
	PrevCase     keys.Action = "whatif.case.previous"
	NextChanged  keys.Action = "whatif.changed.next"
	PrevChanged  keys.Action = "whatif.changed.previous"
	NextFact     keys.Action = "whatif.fact.next"
	Only         keys.Action = "whatif.changed.only"
	Lower        keys.Action = "whatif.lower"
	Choose       keys.Action = "whatif.choose"
	Keep         keys.Action = "whatif.keep"
	Settings     keys.Action = "whatif.settings"
)

// doSliders carries out an action while no panel lies over the screen.
func (s *Screen) doSliders(action keys.Action) tea.Cmd {
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
		return s.set(p, p.Get(s.on.model.Base()))
	case Reset:
		s.on.setting = s.on.model.Base()
		return s.evaluate(at)
	case StartHere:
		return s.startHere()
	case NextCase:
		return s.turn(1)
	case PrevCase:
		return s.turn(-1)
	case NextChanged:
		return s.changed(1)
	case PrevChanged:
		return s.changed(-1)
	case NextFact:
		if i := s.pool(); i >= 0 && s.fact >= 0 && s.on.agent == nil {
			s.fact = (s.fact + 1) % len(s.on.model.Pool(i).Facts)
			return s.ask()
		}
	case Only:
		s.only = !s.only
		return s.list(at)
	case Lower:
		s.lower = !s.lower
	case Keep:
		return s.name()
	case Settings:
		return s.openKept()
	case keys.Focus:
		s.inList = !s.inList
	case keys.Open:
		switch {
		case at == "":
		case s.on.agent != nil:
			return screen.Request(screen.OpenFact{Agent: s.on.agent, Fact: at})
		default:
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
	return s.ask()
}

// turn goes to another row of the list, around the end.
func (s *Screen) turn(by int) tea.Cmd {
	n, at := len(s.shown), s.Selection()
	if n == 0 {
		return nil
	}
	s.table.Select(((s.table.Cursor+by)%n + n) % n)
	return s.turned(at)
}

// changed goes to another row that changes; they stand first in the list.
func (s *Screen) changed(by int) tea.Cmd {
	n, at := s.on.changes(s.outcome), s.Selection()
	if n == 0 {
		return screen.Request(screen.Toast{Text: "no " + s.on.what() + " changes with this setting"})
	}
	next := s.table.Cursor + by
	if s.table.Cursor >= n {
		next = 0
	}
	s.table.Select((next%n + n) % n)
	return s.turned(at)
}

// Mouse moves a slider to where it is clicked, or selects in a list; the wheel
// moves what is under it.
func (s *Screen) Mouse(m screen.Mouse) tea.Cmd {
	switch {
	case s.panel != noPanel:
		return s.mousePanel(m)
	case s.on == nil:
		return nil
	case s.at.sliders.holds(m.X, m.Y):
		row := m.Y - s.at.sliders.y - 1
		if row < 0 || row >= min(len(engine.Params()), s.at.sliders.h-2) {
			return nil
		}
		s.inList, s.param = false, row
		p, model := engine.Params()[row], s.on.model
		if m.Wheel != 0 {
			return s.step(p, -m.Wheel)
		}
		from, track := s.track()
		if x := m.X - from; x >= 0 && x < track {
			return s.set(p, valueAt(p, model.Range(p), float64(x)/float64(max(track-1, 1)), p.Get(model.Base())))
		}
		return s.ask()
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

// Bindings are the actions that work now.
func (s *Screen) Bindings() keys.Table {
	const category = "What-if"
	choose := keys.Binding{Action: Choose, Keys: []string{"c"}, Words: "over", Help: "choose what is played with: the study's pools, or an agent of the store", Category: category}
	switch {
	case s.panel != noPanel:
		return s.panelBindings()
	case s.on == nil:
		return append(keys.Table{choose}, keys.Moves("slider")...)
	}
	what, other, base := "slider", s.on.what()+"s", s.on.start()
	if s.inList {
		what, other = s.on.what(), "sliders"
	}
	only := "changed only"
	if s.only {
		only = "all"
	}
	var start keys.Table
	switch base := s.on.model.Base(); {
	case s.on.startMoved() && base.Capacity == s.on.setting.Capacity:
		start = append(start, keys.Binding{Action: StartHere, Keys: []string{"b"}, Words: "own start", Help: "the start at its own cap again", Category: category})
	case base.Capacity != s.on.setting.Capacity:
		start = append(start, keys.Binding{Action: StartHere, Keys: []string{"b"}, Words: "start here", Help: "this cap at the start too: only constants differ then", Category: category})
	}
	t := keys.Table{
		{Action: Less, Keys: []string{"left", "h"}, Show: "← h", Foot: "← →", Words: "move", Help: "a step down with the slider", Category: category},
		{Action: More, Keys: []string{"right", "l"}, Show: "→ l", Words: "more", Help: "a step up with the slider", Category: category, Quiet: true},
		{Action: MuchLess, Keys: []string{"H", "shift+left"}, Foot: "H L", Words: "far", Help: "ten steps down", Category: category},
		{Action: MuchMore, Keys: []string{"L", "shift+right"}, Words: "ten steps up", Help: "ten steps up", Category: category, Quiet: true},
		{Action: Reset, Keys: []string{"r"}, Words: base, Help: "back to " + s.on.startWords() + ", all of them", Category: category},
		{Action: ResetOne, Keys: []string{"backspace"}, Words: "this one back", Help: "this slider back to where it was at the start", Category: category, Quiet: true},
	}
	t = append(append(t, start...), keys.Table{
		choose,
		{Action: Settings, Keys: []string{"s"}, Words: "settings", Help: "settings that were kept: take, compare, forget one", Category: category},
		{Action: Keep, Keys: []string{"a"}, Words: "keep", Help: "keep this setting under a name", Category: category},
		{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: other, Help: "sliders or " + s.on.what() + "s", Category: category},
		{Action: CapacityLess, Keys: []string{"["}, Foot: "[ ]", Words: "capacity", Help: "capacity one less", Category: category},
		{Action: CapacityMore, Keys: []string{"]"}, Words: "capacity", Help: "capacity one more", Category: category, Quiet: true},
	}...)
	if s.at.oneLower {
		words := "near the cut"
		if s.lower {
			words = "strip"
		}
		t = append(t, keys.Binding{Action: Lower, Keys: []string{"v"}, Words: words, Help: "the strip, or the facts nearest to the cut", Category: category})
	}
	one := s.on.what()
	t = append(t,
		keys.Binding{Action: NextChanged, Keys: []string{"n"}, Foot: "n N", Words: "changed", Help: "next " + one + " that changes", Category: category},
		keys.Binding{Action: PrevChanged, Keys: []string{"N"}, Words: "previous changed", Help: "previous " + one + " that changes", Category: category, Quiet: true},
		keys.Binding{Action: NextCase, Keys: []string{"J"}, Words: "next " + one, Help: "next " + one + " of the list", Category: category, Quiet: true},
		keys.Binding{Action: PrevCase, Keys: []string{"K"}, Words: "previous " + one, Help: "previous " + one + " of the list", Category: category, Quiet: true},
		keys.Binding{Action: Only, Keys: []string{"d"}, Words: only, Help: "list only the " + one + "s that change, or all", Category: category})
	if s.on.agent == nil {
		t = append(t, keys.Binding{Action: NextFact, Keys: []string{"f"}, Words: "fact", Help: "the strips of another fact of the case", Category: category},
			keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "open case", Help: "open the case: scores, ranks and the cut under the protocol's settings", Category: category})
	} else {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter"}, Words: "open fact", Help: "the fact on the Store screen: what is stored, and why it stays or goes", Category: category})
	}
	return append(t, keys.Moves(what)...)
}
