// The time line of evictions: when they were, of which category, and how often
// the two policies disagreed. All of it is counted from the audit.
package store

import (
	"fmt"
	"strconv"

	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/widget"
)

func (s *Screen) writeLine(t *text) {
	switch {
	case len(s.agent().Audit) == 0:
		t.say(0, "No eviction is recorded for this agent.")
		return
	case s.got == nil:
		t.say(0, "reading the audit…")
		return
	}
	line := &s.got.line
	s.writeRates(t, line)
	unit, spans := line.Spans()
	t.head("Evicted by " + unit + ", recorded")
	t.spans(spans, line.Categories)
	t.head("Every eviction, newest first")
	for i := len(line.Entries) - 1; i >= 0; i-- {
		t.say(0, trimLine(line.Entries[i]))
	}
}

// Cells of a span's line: what it is called, its bar, a number, a verdict.
const (
	spanName    = 12
	spanBar     = 16
	spanNumber  = 7
	spanVerdict = 13
)

// spans draws a line a span: a bar with the number of evicted facts, that of each
// category where there is room, and on how many trims the policies disagreed.
func (t *text) spans(spans []insight.Span, all []insight.CategoryCount) {
	th := t.s.th
	bar := min(spanBar, max(t.w-spanName-spanNumber-spanVerdict-2, 0))
	const width = 12 // of a category
	room := max(t.w-spanName-bar-spanNumber-spanVerdict-2, 0) / width
	shown := all[:min(room, len(all))]
	head := widget.Fit("", spanName+bar+1, "") + widget.FitRight("evicted", spanNumber, "")
	for _, c := range shown {
		head += widget.FitRight(widget.Clean(c.Category), width, th.Sign.More)
	}
	t.lines = append(t.lines, th.Dim.Render(head+widget.FitRight("disagreed", spanVerdict, "")))
	most := 1
	for _, one := range spans {
		most = max(most, one.Evicted)
	}
	for _, one := range spans {
		cells := (one.Evicted*bar + most - 1) / most
		line := widget.Fit(widget.Clean(one.Name), spanName, th.Sign.More) + th.Info.Render(widget.Repeat(th.Sign.Bars[0], cells)) +
			widget.Spaces(bar-cells+1) + widget.FitRight(number(one.Evicted), spanNumber, "")
		for _, c := range shown {
			line += widget.FitRight(number(one.Of(c.Category)), width, "")
		}
		verdict := ""
		switch {
		case one.WithShadow > 0:
			verdict = fmt.Sprintf("%d of %d", one.Disagreed, one.WithShadow)
		case one.Trims > 0:
			verdict = "not known"
		}
		t.lines = append(t.lines, line+widget.FitRight(verdict, spanVerdict, ""))
	}
	if len(shown) < len(all) {
		t.say(0, "In a wider window: the number of each category.")
	}
}

// number leaves a zero out, so that what happened is seen.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
