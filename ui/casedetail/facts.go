// The pane of one policy: its facts from the best score down, the cut between
// the last kept and the first evicted.
package casedetail

import (
	"fmt"
	"strconv"
	"strings"

	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// policyPane draws a policy where the layout has it.
func (d *Detail) policyPane(at place, live bool) []string {
	i, w, h := at.side, at.w, at.h
	if i >= len(d.panels) {
		return widget.Block(nil, w, h, "")
	}
	th, p := d.th, &d.panels[i]
	own := i == d.side
	title := th.Title.Render(widget.Clean(p.policy)) + th.Dim.Render(" "+th.Sign.Spark+" ") + supportWords(th, p, w)
	pane := widget.Pane{Title: title, Note: legend(th, p, w), Focus: live && own, W: w, H: h}
	if p.err != "" {
		return pane.Draw(th, widget.Wrap(p.err, w-4))
	}
	iw, ih := pane.Inner()
	cursor := p.find(d.fact)
	lines := make([]string, 0, len(p.lines)+1)
	cursorLine := 0 // the cursor's line on the screen
	for j := range p.lines {
		if j == p.cut {
			lines = append(lines, cutLine(th, p, iw))
		}
		row := factLine(th, p, &p.lines[j], iw, j == cursor)
		if j == cursor {
			cursorLine = len(lines)
			style := th.SelectedIdle
			if own {
				style = th.Selected
			}
			row = style.Over(row)
		}
		lines = append(lines, row)
	}
	window := widget.List{Len: len(lines), Rows: ih, Cursor: cursorLine, Top: d.tops[i%2]}
	window.Clamp()
	d.tops[i%2] = window.Top
	from, to := window.Visible()
	return pane.Draw(th, lines[from:to])
}

// legend explains the bars, each sign in its colour, and the mark of moved facts.
func legend(th *theme.Theme, p *panel, w int) string {
	b := th.Sign.Bars
	parts := th.Confidence.Render(b[0]) + " confidence " + th.Freshness.Render(b[1]) + " fresh " + th.Usage.Render(b[2]) + " heat"
	moved := th.Warn.Render(th.Sign.Differs) + " not so under the other"
	switch {
	case p.bare && p.differs:
		return moved
	case p.bare:
		return ""
	case p.hybrid && p.differs && w >= 64:
		return parts + "  " + moved
	case p.hybrid && w >= 36:
		return parts
	case p.differs && w >= 36:
		return moved
	}
	return ""
}

func supportWords(th *theme.Theme, p *panel, w int) string {
	if p.support == "" {
		return fmt.Sprintf("keeps %d", p.kept)
	}
	fate := p.support
	if w < 56 {
		fate, _, _ = strings.Cut(fate, ",")
	}
	if p.lost {
		return th.Bad.Render(th.Sign.Evicted + " support " + fate)
	}
	return th.Good.Render(th.Sign.Kept + " support " + fate)
}

// cutLine is the line between kept and evicted, with what lies between them.
func cutLine(th *theme.Theme, p *panel, w int) string {
	dot := " " + th.Sign.Spark + " "
	text := " cut" + dot + strconv.Itoa(p.kept) + " kept "
	if held := p.kept - p.cut; held > 0 {
		text = " cut" + dot + strconv.Itoa(p.cut) + " by rank + " + strconv.Itoa(held) + " reserved "
	}
	if p.margin != "" {
		text += th.Sign.Spark + " margin " + p.margin + " "
	}
	if widget.Width(text) > w-4 {
		text, _, _ = strings.Cut(text, dot+"margin")
		text += " "
	}
	left := max((w-widget.Width(text))/2, 2)
	right := max(w-left-widget.Width(text), 0)
	return th.Cut.Render(widget.Repeat(th.Sign.Cut, left) + text + widget.Repeat(th.Sign.Cut, right))
}

// factLine writes one fact in w cells: mark, rank, name, score, bar, fate.
func factLine(th *theme.Theme, p *panel, l *line, w int, selected bool) string {
	sign := " "
	if selected {
		sign = th.Sign.Select
	}
	if p.bare {
		return bareLine(th, l, w, selected)
	}
	wide := w >= 72
	fate := fateOf(th, l, wide)
	label := l.label
	style := th.Text
	if l.support {
		label, style = th.Sign.Support+" "+label, th.Support
	}
	name := 9
	bar := w - 2 - 2 - 1 - name - 1 - 5 - 1 - 1 - widget.Width(fate)
	text := style.Render(widget.Fit(label, name, th.Sign.More))
	if room := bar - 12 - max(w-56, 0)/4; room > 12 { // the first words of the fact follow its name
		bar -= room
		label = upTo(label, name, th.Sign.More)
		text = style.Render(label) + "  " + th.Dim.Render(widget.Fit(l.text, name+room-3-widget.Width(label), th.Sign.More)) + " "
	}
	kinds := [3]float64{l.score}
	if p.hybrid {
		kinds = l.parts
	}
	stack := widget.Stacked(th, []widget.Part{{Share: kinds[0], Kind: 0}, {Share: kinds[1], Kind: 1}, {Share: kinds[2], Kind: 2}}, bar)
	return sign + " " + widget.FitRight(strconv.Itoa(l.rank), 2, "") + " " + text + " " +
		widget.Score(l.score) + " " + stack + " " + fate
}

// fateOf is the sign, and with room the word, of what became of a fact.
func fateOf(th *theme.Theme, l *line, wide bool) string {
	sign, word, style := th.Sign.Evicted, "evicted ", th.Evicted
	switch {
	case l.reserved:
		sign, word, style = th.Sign.Reserved, "reserved", th.Warn
	case l.kept:
		sign, word, style = th.Sign.Kept, "kept    ", th.Kept
	}
	if wide {
		sign += " " + word
	}
	differs := " "
	if l.differs {
		differs = th.Warn.Render(th.Sign.Differs)
	}
	if !wide {
		differs = " " + differs // two signs that touch read as one
	}
	return style.Render(sign) + differs
}
