// The sensitivity strip: where along a parameter's range the decision of a fact
// flips, everything else as set.
package whatif

import (
	"fmt"
	"strings"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/widget"
)

func (s *Screen) stripPane() []string {
	th, p := s.th, s.pool()
	param := engine.Params()[s.param]
	pane := widget.Pane{Title: th.Title.Render("Strip") + " " + label(param), W: s.at.strip.w, H: s.at.strip.h}
	w, h := pane.Inner()
	if p < 0 || s.fact < 0 {
		return pane.Draw(th, nil)
	}
	fate := th.Evicted.Render(th.Sign.Evicted + " evicted")
	if s.outcome.Pools[p].Kept[s.fact] {
		fate = th.Kept.Render(th.Sign.Kept + " kept")
	}
	name := s.factName(p, s.fact)
	if s.on.agent == nil {
		name = s.on.pools[p].name + th.Dim.Render(" "+th.Sign.Spark+" ") + name
	}
	head := fate + th.Dim.Render(" "+th.Sign.Spark+" ") + name
	strip, ok := s.strip(param)
	if !ok {
		return pane.Draw(th, []string{head, th.Dim.Render("finding where it flips" + th.Sign.More)})
	}
	lines := []string{head, s.drawStrip(strip, w), s.marks(strip, w)}
	ends := widget.Ends(param.Text(strip.Range.Min), param.Text(strip.Range.Max), w, th.Sign.More)
	lines = append(lines, th.Dim.Render(ends))
	words := flips(strip)
	if len(strip.Segments) == 1 && param != engine.Capacity && s.fits(p) {
		words += ": everything fits"
	}
	lines = append(lines, widget.Wrap(th.Words(words), w)...)
	about := widget.Wrap(th.Words(meaning(param)), w)
	for i := range about {
		about[i] = th.Dim.Render(about[i])
	}
	if h-len(lines) >= len(about) {
		lines = append(lines, about...)
	}
	if all := len(engine.Params()); len(s.strips) == all && h-len(lines) >= all+2 {
		lines = append(lines, "", th.Dim.Render("all parameters for this fact, and the flip nearest to each"))
		lines = append(lines, s.allStrips(w)...)
	}
	return pane.Draw(th, lines)
}

// strip gives a parameter's strip of what is seen now; an older one of the same
// fact is not shown, because everything in it may have moved.
func (s *Screen) strip(p engine.Param) (engine.Strip, bool) {
	q, ok := s.question()
	if !ok || s.stripsOf != q {
		return engine.Strip{}, false
	}
	strip, known := s.strips[p]
	return strip, known
}

// linesOfOne is how many lines the strip of one parameter takes at least.
const linesOfOne = 5

// seesAllStrips tells whether there may be room for the strips of all parameters.
func (s *Screen) seesAllStrips() bool {
	return !(s.at.oneLower && s.lower) && s.at.strip.h-2 >= linesOfOne+len(engine.Params())+2
}

// drawStrip draws a strip in w cells. A cell shows the decision at its middle;
// the flips themselves are in the words.
func (s *Screen) drawStrip(strip engine.Strip, w int) string {
	th := s.th
	var out, run strings.Builder
	kept := false
	flush := func() {
		if kept {
			out.WriteString(th.Kept.Render(run.String()))
		} else {
			out.WriteString(th.Evicted.Render(run.String()))
		}
		run.Reset()
	}
	for x := range w {
		now := keptAt(strip, float64(x)/float64(max(w-1, 1)))
		if now != kept {
			flush()
			kept = now
		}
		if now {
			run.WriteString(th.Sign.Kept)
		} else {
			run.WriteString(th.Sign.Evicted)
		}
	}
	flush()
	return out.String()
}

// keptAt tells the decision at a place in [0,1] of a strip.
func keptAt(strip engine.Strip, at float64) bool {
	kept := false
	for i, segment := range strip.Segments {
		if i > 0 && place(strip.Param, strip.Range, segment.From) > at {
			break
		}
		kept = segment.Kept
	}
	return kept
}

// marks shows below a strip where the setting stands, and the protocol.
func (s *Screen) marks(strip engine.Strip, w int) string {
	th := s.th
	if w < 1 {
		return ""
	}
	base := strip.Param.Get(s.on.model.Base())
	at, was := cell(place(strip.Param, strip.Range, strip.At), w), cell(place(strip.Param, strip.Range, base), w)
	here := th.Sign.Up + " " + strip.Param.Text(strip.At)
	if at == was {
		return put(th.Info.Render(here), widget.Width(here), at, w)
	}
	old := s.on.start()
	if was < at {
		line := put(th.Dim.Render(th.Border4.V), 1, was, w)
		if was+2+len(old) <= at {
			line = widget.Spaces(was) + th.Dim.Render(th.Border4.V+" "+old)
		}
		if at+widget.Width(here) > w { // the words stand before the mark where there is no room after it
			here = th.Sign.Up
			if text := strip.Param.Text(strip.At); widget.Width(line)+2+widget.Width(text) < at {
				here = text + " " + th.Sign.Up
			}
			at -= widget.Width(here) - 1
		}
		return line + widget.Spaces(at-widget.Width(line)) + th.Info.Render(here)
	}
	if at+widget.Width(here)+1 > was {
		here = th.Sign.Up
	}
	line := widget.Spaces(at) + th.Info.Render(here)
	line += widget.Spaces(was-widget.Width(line)) + th.Dim.Render(th.Border4.V)
	if was+2+len(old) <= w {
		line += th.Dim.Render(" " + old)
	}
	return line
}

// put sets a text of n cells at a column, or ends it at the right edge.
func put(text string, n, at, w int) string { return widget.Spaces(max(min(at, w-n), 0)) + text }

// flips says a strip in words, each flip exact.
func flips(strip engine.Strip) string {
	if len(strip.Segments) < 2 {
		if len(strip.Segments) == 1 {
			return "always " + verdict(strip.Segments[0].Kept) + ", wherever it stands"
		}
		return ""
	}
	parts := make([]string, len(strip.Segments))
	for i, g := range strip.Segments {
		parts[i] = verdict(g.Kept)
		if i > 0 {
			parts[i] = fmt.Sprintf("from %s %s", strip.FlipText(g.From), verdict(g.Kept))
		}
	}
	return strings.Join(parts, ", ")
}

func verdict(kept bool) string {
	if kept {
		return "kept"
	}
	return "evicted"
}

// allStrips is a line a parameter.
func (s *Screen) allStrips(w int) []string {
	th := s.th
	var out []string
	for _, p := range engine.Params() {
		strip := s.strips[p]
		words := "none"
		if at, ok := strip.Nearest(); ok {
			words = strip.FlipText(at)
		}
		const room = 20
		bar := max(min(w-labelWidth-1-2-room, 80), 0)
		out = append(out, widget.Fit(label(strip.Param), labelWidth, th.Sign.More)+" "+s.drawStrip(strip, bar)+"  "+words)
	}
	return out
}
