// How the screen is laid out and drawn.
package whatif

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/widget"
)

// rect is a part of the body in cells.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// layout says where the panes are; one that has no room has no height.
type layout struct {
	sliders, strip, near, result, cases rect
	compared                            rect // below the list of settings
	oneLower                            bool // strip and near share a place
}

const (
	banner   = 1 // the line that says exploratory
	sliderH  = 11
	nearH    = nearCut + 3
	leastLow = 8 // of the strip, where both are shown
)

// arrange lays the panes out and sizes the list.
func (s *Screen) arrange() {
	h := max(s.h-banner, 0)
	left := s.w * 58 / 100
	if s.w >= 100 {
		left = s.w / 2
	}
	a := layout{sliders: rect{0, banner, left, min(sliderH, h)}}
	low := rect{0, banner + a.sliders.h, left, h - a.sliders.h}
	if low.h >= leastLow+nearH-2 {
		n := min(nearH, low.h-leastLow)
		a.strip = rect{0, low.y, left, low.h - n}
		a.near = rect{0, low.y + low.h - n, left, n}
	} else {
		a.oneLower, a.strip, a.near = true, low, low
	}
	groups := 0
	if s.outcome != nil {
		groups = len(s.on.groupNames(s.outcome))
	}
	need := min(groups+5+len(s.capLines()), max(h-8, h/2))
	a.result = rect{left, banner, s.w - left, need}
	a.cases = rect{left, banner + need, s.w - left, h - need}
	rows := rowKept + len(s.kept.all)
	if s.kept.err != "" {
		rows += 4 // why it cannot be read
	}
	upper := min(max(h*45/100, 4), rows+4, h)
	a.compared = rect{0, banner + upper, s.w, h - upper}
	s.at = a
	if s.on != nil && s.on.agent != nil {
		s.table.Columns = factColumns(max(a.cases.w-4, 0))
	}
	s.table.Resize(max(a.cases.w-4, 0), max(a.cases.h-2-s.footH(), 0))
}

// footH is the room below the list for what changes in the case at hand. It is
// the same for every case, so that the list stands still.
func (s *Screen) footH() int {
	switch {
	case s.at.cases.h < 9:
		return 0
	case s.at.cases.h < 14:
		return 2
	}
	return 4
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if body := s.instead(); body != nil {
		return widget.Block(append([]string{s.bannerLine()}, body...), s.w, s.h, s.th.Sign.More)
	}
	h := max(s.h-banner, 0)
	lower := append(s.stripPane(), s.nearPane()...)
	if s.at.oneLower {
		lower = s.stripPane()
		if s.lower {
			lower = s.nearPane()
		}
	}
	left := widget.Block(append(s.sliderPane(), lower...), s.at.sliders.w, h, "")
	right := widget.Block(append(s.resultPane(), s.casesPane()...), s.w-s.at.sliders.w, h, "")
	return widget.Block(append([]string{s.bannerLine()}, widget.Beside(left, right)...), s.w, s.h, "")
}

// instead is what is drawn in place of sliders and lists; nil for these.
func (s *Screen) instead() []string {
	switch {
	case s.panel == choosing:
		return s.chooser()
	case s.on == nil:
		return s.nothing()
	case s.panel == comparing:
		return s.settingsPanel()
	}
	return nil
}

// bannerLine says what all of this is, and what is played with; or takes a name.
func (s *Screen) bannerLine() string {
	th := s.th
	if s.kept.naming {
		line := th.Dim.Render("  enter keeps, esc leaves")
		if s.kept.problem != "" {
			line = "  " + th.Bad.Render(th.Words(s.kept.problem))
		}
		name := s.kept.input.View(th, " keep this setting as: ", min(24+max(widget.Width(s.kept.input.Value), 8), s.w))
		return widget.Fit(name+line, s.w, th.Sign.More)
	}
	text := " " + th.Warn.Render(engine.Exploratory) + th.Dim.Render(": hybrid-v1 with other constants; no run, never written as one")
	state := ""
	switch {
	case s.on == nil:
	case s.on.agent != nil:
		text = s.agentLine(widget.Width(s.stateWords()))
		state = s.stateWords()
	default:
		state = s.stateWords()
	}
	return widget.Fit(widget.Ends(text, state, s.w, th.Sign.More), s.w, th.Sign.More)
}

// agentLine says what is played with, as fully as leaves room for so many cells.
func (s *Screen) agentLine(besides int) string {
	th := s.th
	held := th.Dim.Render(", " + s.on.startCap())
	lead := " " + th.Warn.Render(engine.Exploratory)
	line := ""
	for _, v := range [...]struct {
		what string
		most int
		held string
	}{{": hybrid-v1 with other constants over ", 24, held}, {" over ", 24, held}, {" over ", 14, held}, {" over ", 14, ""}, {" over ", 8, ""}} {
		line = lead + th.Dim.Render(v.what) + s.agentWords(v.most) + v.held
		if widget.Width(line)+1+besides <= s.w {
			break
		}
	}
	return line
}

// agentWords names the agent that is played with, and whose it is: two users may
// have agents of one name.
func (s *Screen) agentWords(most int) string {
	th := s.th
	name := func(text string) string { return widget.Fit(text, min(widget.Width(text), most), th.Sign.More) }
	text := "agent " + name(s.on.name)
	if user := widget.Clean(s.on.over.User); user != "" {
		text += th.Dim.Render(" of ") + name(user)
	}
	if s.on.gone {
		text += th.Warn.Render(" (gone from the store)")
	}
	return text
}

// stateWords says whether anything is moved, and the name of a setting that was
// taken.
func (s *Screen) stateWords() string {
	th, base := s.th, s.on.model.Base()
	if s.on.setting.Same(base) {
		return s.on.startWords() + " "
	}
	if name := s.on.setting.Name; name != base.Name && name != "" {
		return th.Warn.Render(th.Sign.Differs+" "+widget.Clean(name)) + " "
	}
	return th.Warn.Render(th.Sign.Differs+" moved") + " "
}

// nothing says why there is nothing to play with, and what else there is.
func (s *Screen) nothing() []string {
	th := s.th
	pane := widget.Pane{Title: th.Title.Render("What-if"), Focus: true, W: s.w, H: max(s.h-banner, 0)}
	w, _ := pane.Inner()
	text := s.why + "\n\nc chooses an agent of a DeerMem store to play with instead; nothing in a store is changed."
	if s.making {
		text = "Scoring the facts…"
	}
	return pane.Draw(th, widget.Wrap(th.Words(text), w))
}

// track gives where a slider's line of cells begins in the body, and its length.
func (s *Screen) track() (from, length int) {
	inner, label := max(s.at.sliders.w-4, 0), s.labelRoom()
	return s.at.sliders.x + 2 + 2 + label + 1, max(inner-2-label-1-1-valueRoom-2, 0)
}

// valueRoom is the room of a slider's value, leastTrack that of the shortest line
// of cells that shows anything.
const (
	valueRoom  = 10
	leastTrack = 3
)

// labelRoom is the room of a slider's label: the values are worth more.
func (s *Screen) labelRoom() int {
	if s.at.sliders.w-4 < 2+labelWidth+1+leastTrack+1+valueRoom+2 {
		return shortLabel
	}
	return labelWidth
}

func (s *Screen) sliderPane() []string {
	th, base := s.th, s.on.model.Base()
	moved := 0
	_, track := s.track()
	var lines []string
	for i, p := range engine.Params() {
		v, was := p.Get(s.on.setting), p.Get(base)
		mark, sign := " ", "  "
		if i == s.param {
			mark = th.Sign.Select
		}
		if v != was {
			moved++
			sign = " " + th.Warn.Render(th.Sign.Differs)
		}
		name := label(p)
		if s.labelRoom() == shortLabel {
			name = briefly(p)
		}
		name = widget.Fit(name, s.labelRoom(), th.Sign.More)
		line := mark + " " + name + " " + s.slider(p, v, was, track) + " " + widget.FitRight(short(p, v), valueRoom, th.Sign.More) + sign
		line = widget.Fit(line, max(s.at.sliders.w-4, 0), "")
		switch {
		case i == s.param && !s.inList:
			line = th.Selected.Over(line)
		case i == s.param:
			line = th.SelectedIdle.Over(line)
		}
		lines = append(lines, line)
	}
	note := s.on.startNote(moved, s.at.sliders.w-6)
	pane := widget.Pane{Title: th.Title.Render("Settings"), Note: note, Focus: !s.inList, W: s.at.sliders.w, H: s.at.sliders.h}
	return pane.Draw(th, lines)
}

// slider draws where a value stands in its range, and where the protocol's does.
func (s *Screen) slider(p engine.Param, v, was float64, w int) string {
	if w < leastTrack {
		return widget.Spaces(w)
	}
	th, r := s.th, s.on.model.Range(p)
	at, base := cell(place(p, r, v), w), cell(place(p, r, was), w)
	var out strings.Builder
	for x := range w {
		switch {
		case x == base && base != at:
			out.WriteString(th.Warn.Render(th.Border4.V))
		case x <= at:
			out.WriteString(th.Info.Render(th.Sign.Bars[0]))
		default:
			out.WriteString(th.Track.Render(th.Sign.Track))
		}
	}
	return out.String()
}

// cell gives the cell of a place among w.
func cell(at float64, w int) int { return min(max(int(math.Round(at*float64(w-1))), 0), max(w-1, 0)) }

// resultPane tells how many cases of each scenario keep their support, or how
// many facts of each category are kept. Suites are summed apart, never together.
func (s *Screen) resultPane() []string {
	th, o := s.th, s.outcome
	w := max(s.at.result.w-4, 0)
	room := 4
	switch {
	case s.on.agent != nil && len(s.on.agent.Facts) > 9999:
		room = 7
	case w < 26: // so that something is left of the names
		room = 3
	}
	line := func(name string, was, now, of int) string {
		change := ""
		switch {
		case now > was:
			change = th.Good.Render("+" + strconv.Itoa(now-was))
		case now < was:
			change = th.Bad.Render(th.Words("−" + strconv.Itoa(was-now)))
		}
		numbers := fmt.Sprintf("%*d %*d %*d ", room, was, room, now, room, of) + widget.Fit(change, room-1, "")
		return widget.Fit(name, max(w-widget.Width(numbers), 0), th.Sign.More) + numbers
	}
	groups := s.on.groupNames(o)
	head, title := "scenario", "Support kept"
	if s.on.agent != nil {
		head, title = "category", "Facts kept"
	}
	lines := []string{th.Dim.Render(widget.Fit(head, max(w-4*room-3, 0), th.Sign.More) + " " + fmt.Sprintf("%*s %*s %*s ", room, "was", room, "now", room, "of") + widget.Spaces(room-1))}
	now, of := s.on.byGroup(o)
	was := s.on.baseByGroup(o)
	var sums []string
	for g, name := range groups {
		lines = append(lines, line(name, was[g], now[g], of[g]))
	}
	if s.on.agent != nil {
		all := [3]int{}
		for g := range groups {
			all[0], all[1], all[2] = all[0]+was[g], all[1]+now[g], all[2]+of[g]
		}
		sums = append(sums, th.Strong.Render(line("all facts", all[0], all[1], all[2])),
			th.Dim.Render(widget.Plural(o.Pools[0].Reserved, "slot")+" held by corrections"))
	} else {
		for _, synthetic := range []bool{false, true} {
			was, now, of := s.on.suite(o, synthetic)
			name := "official"
			if synthetic {
				name = "synthetic"
			}
			if of > 0 {
				sums = append(sums, th.Strong.Render(line(name, was, now, of)))
			}
		}
	}
	sums = append(sums, s.capLines()...)
	pane := widget.Pane{Title: th.Title.Render(title) + th.Dim.Render(" at capacity "+strconv.Itoa(s.on.setting.Capacity)), W: s.at.result.w, H: s.at.result.h}
	_, h := pane.Inner()
	return pane.Draw(th, append(s.fewer(lines, h-len(sums)), sums...))
}

// fewer gives so many lines, the last of them counting those that have no room:
// the sums below are worth more.
func (s *Screen) fewer(lines []string, room int) []string {
	if len(lines) <= room || room < 2 {
		return lines
	}
	more := len(lines) - room + 1
	return append(lines[:room-1:room-1], s.th.Dim.Render(fmt.Sprintf("and %d more", more)))
}

// baseByGroup counts what the setting at the start keeps of each group.
func (on *subject) baseByGroup(o *engine.Outcome) []int {
	if on.agent == nil {
		var was []int
		for _, g := range o.Groups {
			was = append(was, g.Base)
		}
		return was
	}
	was, _ := on.byGroup(o)
	one := &o.Pools[0]
	for _, i := range one.In {
		was[on.groupOf[i]]--
	}
	for _, i := range one.Out {
		was[on.groupOf[i]]++
	}
	return was
}

func (s *Screen) casesPane() []string {
	th, o := s.th, s.outcome
	title := th.Title.Render("Cases") + fmt.Sprintf(" %d of %d change", o.ChangedPools, len(o.Pools))
	s.table.Empty = "No case changes. d lists all."
	if s.on.agent != nil {
		one := &o.Pools[0]
		title = th.Title.Render("Facts") + fmt.Sprintf(" %d come, %d go", len(one.In), len(one.Out))
		s.table.Empty = "No fact changes. d lists all."
	}
	if s.only {
		title += th.Dim.Render(", only these")
	}
	pane := widget.Pane{Title: title, Note: s.table.Position(), Focus: s.inList, W: s.at.cases.w, H: s.at.cases.h}
	w, _ := pane.Inner()
	lines := s.table.View(th, s.inList)
	if foot := s.footH(); foot > 0 {
		lines = append(lines, widget.Block(s.changedLines(w), w, foot, th.Sign.More)...)
	}
	return pane.Draw(th, lines)
}

func (s *Screen) nearPane() []string {
	th, p := s.th, s.pool()
	pane := widget.Pane{Title: th.Title.Render("Nearest to the cut"), W: s.at.near.w, H: s.at.near.h}
	if p < 0 {
		return pane.Draw(th, nil)
	}
	if s.on.agent == nil {
		pane.Title += th.Dim.Render(" of ") + s.on.pools[p].name
	}
	w, _ := pane.Inner()
	if len(s.near) == 0 {
		return pane.Draw(th, widget.Wrap(th.Words(s.noCut(p)), w))
	}
	lines := []string{th.Dim.Render("          score   margin  fact")}
	for _, n := range s.near {
		fate := th.Evicted.Render(th.Sign.Evicted + " evicted")
		if n.Kept {
			fate = th.Kept.Render(th.Sign.Kept + " kept   ")
		}
		if n.Kept && n.Margin < 0 { // its score alone would not do
			fate = th.Kept.Render(th.Sign.Reserved + " kept   ")
		}
		name := s.factName(p, n.Index)
		if s.supports(p, n.Index) {
			name = th.Support.Render(name)
		}
		if n.Index == s.fact {
			name += th.Dim.Render(" (strip)")
		}
		lines = append(lines, fate+" "+widget.Score(n.Score)+" "+widget.FitRight(th.Words(signed(n.Margin)), 8, "")+"  "+name)
	}
	return pane.Draw(th, lines)
}

// signed writes a margin with its sign and four decimals.
func signed(v float64) string {
	return strings.Replace(fmt.Sprintf("%+.4f", v), "-", "−", 1)
}
