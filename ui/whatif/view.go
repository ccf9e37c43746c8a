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
		groups = len(s.outcome.Groups)
	}
	need := min(groups+5, max(h-8, h/2))
	a.result = rect{left, banner, s.w - left, need}
	a.cases = rect{left, banner + need, s.w - left, h - need}
	s.at = a
	s.table.Resize(max(a.cases.w-4, 0), max(a.cases.h-2-s.footH(), 0))
}

// footH is the room below the list for what changes in the case at hand. It is
// the same for every case, so that the list stands still.
func (s *Screen) footH() int {
	switch {
	case s.at.cases.h < 10:
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
	if s.model == nil {
		return widget.Block(append([]string{s.bannerLine()}, s.nothing()...), s.w, s.h, s.th.Sign.More)
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

// bannerLine says what all of this is.
func (s *Screen) bannerLine() string {
	th := s.th
	text := " " + th.Warn.Render(engine.Exploratory) + th.Dim.Render(": hybrid-v1 with other constants; no run, never written as one")
	state := ""
	switch {
	case s.model == nil:
	case s.setting.Same(s.model.Base()):
		state = "the protocol's settings "
	default:
		state = th.Warn.Render(th.Sign.Differs+" moved") + " "
	}
	return widget.Fit(widget.Ends(text, state, s.w, th.Sign.More), s.w, th.Sign.More)
}

// nothing says why there is nothing to play with.
func (s *Screen) nothing() []string {
	th := s.th
	pane := widget.Pane{Title: th.Title.Render("What-if"), Focus: true, W: s.w, H: max(s.h-banner, 0)}
	w, _ := pane.Inner()
	var text string
	switch b := s.book; {
	case b == nil:
		text = "Loading the study…"
	case len(b.Entries) == 0:
		text = "The study has no cases, so there is nothing to play with."
	case !known(b):
		text = "Only the rows of this run are known, not the facts of its pools: no score can be computed, so nothing can be tried.\n\nOpen the run with its protocol and dataset (--protocol-dir and --dataset) to play with the constants. The what-if command does the same without a run."
	default:
		text = "This study has no policy hybrid-v1, and only its constants can be moved."
	}
	return pane.Draw(th, widget.Wrap(th.Words(text), w))
}

// track gives where a slider's line of cells begins in the body, and its length.
func (s *Screen) track() (from, length int) {
	inner := max(s.at.sliders.w-4, 0)
	return s.at.sliders.x + 2 + 2 + labelWidth + 1, max(inner-2-labelWidth-1-1-10-2, 0)
}

func (s *Screen) sliderPane() []string {
	th, base := s.th, s.model.Base()
	moved := 0
	_, track := s.track()
	var lines []string
	for i, p := range engine.Params() {
		v, was := p.Get(s.setting), p.Get(base)
		mark, sign := " ", "  "
		if i == s.param {
			mark = th.Sign.Select
		}
		if v != was {
			moved++
			sign = " " + th.Warn.Render(th.Sign.Differs)
		}
		name := widget.Fit(label(p), labelWidth, th.Sign.More)
		line := mark + " " + name + " " + s.slider(p, v, was, track) + " " + widget.FitRight(short(p, v), 10, th.Sign.More) + sign
		line = widget.Fit(line, max(s.at.sliders.w-4, 0), "")
		switch {
		case i == s.param && !s.inList:
			line = th.Selected.Over(line)
		case i == s.param:
			line = th.SelectedIdle.Over(line)
		}
		lines = append(lines, line)
	}
	note := ""
	if moved > 0 {
		note = fmt.Sprintf("%d moved, r takes all back", moved)
	}
	pane := widget.Pane{Title: th.Title.Render("Settings"), Note: note, Focus: !s.inList, W: s.at.sliders.w, H: s.at.sliders.h}
	return pane.Draw(th, lines)
}

// slider draws where a value stands in its range, and where the protocol's does.
func (s *Screen) slider(p engine.Param, v, was float64, w int) string {
	if w < 4 {
		return ""
	}
	th, r := s.th, s.model.Range(p)
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

// resultPane tells how many cases of each scenario keep their support. The
// suites are summed apart, never together.
func (s *Screen) resultPane() []string {
	th, o := s.th, s.outcome
	w := max(s.at.result.w-4, 0)
	line := func(name string, was, now, of int) string {
		change := ""
		switch {
		case now > was:
			change = th.Good.Render("+" + strconv.Itoa(now-was))
		case now < was:
			change = th.Bad.Render(th.Words("−" + strconv.Itoa(was-now)))
		}
		numbers := fmt.Sprintf("%4d %4d %4d ", was, now, of) + widget.Fit(change, 3, "")
		return widget.Fit(name, max(w-widget.Width(numbers), 0), th.Sign.More) + numbers
	}
	lines := []string{th.Dim.Render(widget.Fit("scenario", max(w-18, 0), "") + " was  now   of    ")}
	for _, g := range o.Groups {
		lines = append(lines, line(widget.Clean(g.Group), g.Base, g.Kept, g.Pools))
	}
	for _, synthetic := range []bool{false, true} {
		was, now, of := s.suite(synthetic)
		name := "official"
		if synthetic {
			name = "synthetic"
		}
		if of > 0 {
			lines = append(lines, th.Strong.Render(line(name, was, now, of)))
		}
	}
	pane := widget.Pane{Title: th.Title.Render("Support kept") + th.Dim.Render(" at capacity "+strconv.Itoa(s.setting.Capacity)), W: s.at.result.w, H: s.at.result.h}
	return pane.Draw(th, lines)
}

// suite counts the cases of one suite that keep their support.
func (s *Screen) suite(synthetic bool) (was, now, of int) {
	for i := range s.outcome.Pools {
		one := &s.outcome.Pools[i]
		if s.pools[i].synthetic != synthetic || len(s.model.Pool(i).Support) == 0 {
			continue
		}
		of++
		if one.BaseSupport {
			was++
		}
		if one.Support {
			now++
		}
	}
	return was, now, of
}

func (s *Screen) casesPane() []string {
	th, o := s.th, s.outcome
	title := th.Title.Render("Cases") + fmt.Sprintf(" %d of %d change", o.ChangedPools, len(o.Pools))
	if s.only {
		title += th.Dim.Render(", only these")
	}
	s.table.Empty = "No case changes. d lists all."
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
	pane.Title += th.Dim.Render(" of ") + s.pools[p].name
	w, _ := pane.Inner()
	if len(s.near) == 0 {
		return pane.Draw(th, widget.Wrap("There is no cut: everything or nothing is kept.", w))
	}
	lines := []string{th.Dim.Render("          score   margin  fact")}
	for _, n := range s.near {
		fate := th.Evicted.Render(th.Sign.Evicted + " evicted")
		if n.Kept {
			fate = th.Kept.Render(th.Sign.Kept + " kept   ")
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
