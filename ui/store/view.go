// How the screen is laid out and drawn.
package store

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/memstore"
	"deermem-tui/ui/widget"
)

// rect is a part of the body in cells.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

type layout struct{ agents, facts, text rect }

// arrange lays the panes out: agents and facts above the text, and in a wide
// window beside it.
func (s *Screen) arrange() {
	top := s.edge()
	w, h := s.w, s.h-top
	side := max(min(w/4, 30), 24)
	if w < 80 {
		side = max(w/4, 20)
	}
	if w >= 160 {
		lists := w * 60 / 100
		s.at = layout{rect{0, top, side, h}, rect{side, top, lists - side, h}, rect{lists, top, w - lists, h}}
	} else {
		upper := h / 2
		s.at = layout{rect{0, top, side, upper}, rect{side, top, max(w-side, 0), upper}, rect{0, top + upper, w, h - upper}}
	}
	s.agents.Resize(max(s.at.agents.w-4, 0), max(s.at.agents.h-2, 0))
	foot := 0
	if s.Typing() {
		foot = 1
	}
	s.facts.Resize(max(s.at.facts.w-4, 0), max(s.at.facts.h-2-foot, 0))
}

// edge is the number of lines above the panes: one that says that what is shown
// is old.
func (s *Screen) edge() int {
	if s.stale != "" && s.h > 0 {
		return 1
	}
	return 0
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if s.store == nil || len(s.owners) == 0 {
		return widget.Block(s.nothing(), s.w, s.h, s.th.Sign.More)
	}
	lists := widget.Beside(widget.Block(s.agentsPane(), s.at.agents.w, s.at.agents.h, ""), widget.Block(s.factsPane(), s.at.facts.w, s.at.facts.h, ""))
	text := widget.Block(s.textPane(), s.at.text.w, s.at.text.h, "")
	var body []string
	if s.edge() > 0 {
		body = append(body, " "+s.th.Warn.Render(widget.Fit(s.th.Words(s.th.Sign.Differs+" "+s.staleWords()), max(s.w-2, 0), s.th.Sign.More)))
	}
	if s.at.text.y == s.at.facts.y {
		lists = widget.Beside(lists, text)
	} else {
		lists = append(lists, text...)
	}
	return widget.Block(append(body, lists...), s.w, s.h, "")
}

// nothing says what is being read, or why there is no store and how one is opened.
func (s *Screen) nothing() []string {
	th := s.th
	pane := widget.Pane{Title: th.Title.Render("Store"), Focus: true, W: s.w, H: s.h}
	w, _ := pane.Inner()
	var text string
	switch {
	case s.told != "":
		text = s.told
	case s.store != nil:
		text = "The store at " + widget.Clean(s.store.Root) + " has no agent with facts."
		for _, warning := range s.store.Warnings {
			text += "\n\n" + widget.Clean(warning.String())
		}
	case s.err != nil:
		text = "No store is open: " + widget.Clean(s.err.Error()) + howToOpen
	case s.asked:
		text = "Reading the store…"
	default:
		text = "No store is open." + howToOpen
	}
	return pane.Draw(th, widget.Wrap(th.Words(text), w))
}

const howToOpen = "\n\nThis screen reads the memory of a running DeerMem agent: its facts, what goes next, why something went. " +
	"Name a store with --store PATH, or set " + memstore.DataDirVariable + "; without either ~/.deermem is looked for. " +
	"A store is only read: nothing in it is changed, locked or migrated.\n\nctrl+r looks again. Nothing else needs a store."

func (s *Screen) agentsPane() []string {
	th := s.th
	title := th.Title.Render("Agents")
	if o := s.owner(); o != nil && o.under != "" { // two users may have agents of one name
		title += th.Dim.Render(" of ") + o.under
	}
	pane := widget.Pane{Title: title, Note: s.agents.Position(), Focus: s.focus == onAgents, W: s.at.agents.w, H: s.at.agents.h}
	return pane.Draw(th, s.agents.View(th, s.focus == onAgents))
}

func (s *Screen) factsPane() []string {
	th := s.th
	a := s.agent()
	title := th.Title.Render("Facts") + " " + widget.Count(int64(len(a.Facts)))
	if s.input.Value != "" {
		title = th.Title.Render("Facts") + " " + widget.Count(int64(len(s.found))) + " of " + widget.Count(int64(len(a.Facts)))
		if !s.typing {
			title += th.Dim.Render(" filter: ") + s.input.Value
		}
	}
	title += th.Dim.Render(", ") + s.capWords()
	if s.clock.IsSet() {
		title += th.Dim.Render(" at ") + th.Warn.Render(s.clockWords())
	}
	title += th.Dim.Render(" by " + s.sortWords())
	switch {
	case s.got == nil:
		s.facts.Empty = "scoring" + th.Sign.More
	case s.input.Value != "":
		s.facts.Empty = s.th.Words(s.whyNone())
	default:
		s.facts.Empty = "This agent has no facts."
	}
	pane := widget.Pane{Title: title, Note: s.facts.Position(), Focus: s.focus == onFacts, W: s.at.facts.w, H: s.at.facts.h}
	w, h := pane.Inner()
	lines := s.facts.View(th, s.focus == onFacts)
	if s.Typing() && h > 0 {
		line := s.input.View(th, "filter: ", w)
		if s.setting.open {
			line = s.clockLine(w)
		}
		lines = append(lines[:min(len(lines), h-1)], line)
	}
	return pane.Draw(th, lines)
}

// whyNone says why a filter finds nothing, where that can be told.
func (s *Screen) whyNone() string {
	const clear = " Esc clears the filter."
	for _, word := range strings.Fields(s.input.Value) {
		key, value, is := strings.Cut(word, "=")
		switch {
		case !is || key == "":
		case key != "category":
			return "No fact has the text " + word + "; the only condition is category=." + clear
		case !slices.ContainsFunc(s.agent().Facts, func(f memstore.Fact) bool { return f.Category == value || f.Extension == value }):
			return "No fact here is of the category " + value + "." + clear
		}
	}
	return "No fact fits." + clear
}

// textPane draws the view at hand, with the names of all views above it.
func (s *Screen) textPane() []string {
	th := s.th
	names := s.viewTitles()
	for v, name := range names {
		style := th.Dim
		if view(v) == s.view {
			style = th.Title
		}
		names[v] = style.Render(name)
	}
	pane := widget.Pane{Title: strings.Join(names, " "), Focus: s.focus == onText, W: s.at.text.w, H: s.at.text.h}
	_, h := pane.Inner()
	lines := s.lines()
	return pane.Scroll(th, lines, max(min(s.top, len(lines)-h), 0), "")
}

// viewTitles are the names of the views as they stand above the text, that at
// hand in brackets.
func (s *Screen) viewTitles() []string {
	var names []string
	for v := range views {
		name := viewNames[v]
		if v == onWarnings {
			n := len(s.store.Warnings) + s.store.MoreWarnings
			if s.stale != "" { // that it is old, and why, stands there too
				n++
			}
			name = fmt.Sprintf("%s %d", name, n)
		}
		if v == s.view {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return names
}

// viewAt gives the view whose name stands at a column of the text's upper edge.
func (s *Screen) viewAt(x int) (view, bool) {
	from := s.at.text.x + 3
	if s.focus == onText {
		from += widget.Width(s.th.Sign.Select) + 1
	}
	for v, name := range s.viewTitles() {
		if x >= from && x < from+widget.Width(name) && x < s.at.text.x+s.at.text.w-1 {
			return view(v), true
		}
		from += widget.Width(name) + 1
	}
	return 0, false
}
