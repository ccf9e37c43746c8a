// How a case is laid out: a line that says which, the policies' panes, and
// below them the why, the question and the fact as far as there is room.
package casedetail

import (
	"fmt"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/widget"
)

// View draws the detail; live tells that it has the keys.
func (d *Detail) View(live bool) []string {
	if d.entry == nil || d.book == nil {
		return widget.Block([]string{"", "  No case selected."}, d.w, d.h, "")
	}
	d.arrange()
	d.live = live
	out := d.headline()
	switch panes := d.lay.panes; {
	case len(panes) == 2 && panes[0].y == panes[1].y:
		out = append(out, widget.Beside(d.policyPane(panes[0], live), d.policyPane(panes[1], live))...)
	default:
		for _, at := range panes {
			out = append(out, d.policyPane(at, live)...)
		}
	}
	out = append(out, d.lower(d.w, d.lay.lowerH)...)
	return widget.Block(out, d.w, d.h, d.th.Sign.More)
}

// headline says which case this is, at which capacity, and what came of it.
func (d *Detail) headline() []string {
	th, c := d.th, &d.entry.Case
	capacity := th.Key.Render("["+strconv.Itoa(d.capacity)+"]") + " of " + strconv.Itoa(len(c.Facts))
	rank := strconv.Itoa(c.LossRank)
	if len(c.Facts) == 0 { // known by its rows alone
		capacity, rank = th.Key.Render("["+strconv.Itoa(d.capacity)+"]"), "?"
	}
	switch {
	case d.capacity == d.book.QACapacity:
		capacity += th.Dim.Render(words(d.w, " (QA asks at this one)", " (QA)"))
	case !d.own():
		capacity += th.Warn.Render(words(d.w, " (not one of the protocol's)", " (not pinned)"))
	}
	parts := []string{
		th.Strong.Render(upTo(widget.Clean(c.ID), 20, th.Sign.More)), upTo(widget.Clean(c.Scenario), 24, th.Sign.More),
		th.Dim.Render(words(d.w, "loss rank ", "rank ")) + rank,
		th.Dim.Render("capacity ") + capacity,
	}
	if d.w < 64 { // the preview beside a list
		parts = []string{parts[0], parts[1], capacity}
	}
	text := " " + strings.Join(parts, th.Dim.Render(" "+th.Sign.Spark+" "))
	return []string{widget.Ends(text, pairWords(d.book, d.entry)+" ", d.w, th.Sign.More)}
}

// upTo cuts a name that is longer than names are.
func upTo(s string, w int, more string) string {
	if widget.Width(s) <= w {
		return s
	}
	return widget.Fit(s, w, more)
}

// words picks the long form where there is room for it.
func words(w int, long, short string) string {
	if w >= 110 {
		return long
	}
	return short
}

// pairWords tells what the two answers make of the case.
func pairWords(book *casebook.Book, e *casebook.Entry) string {
	if p := e.Pair(book.Policies); p != casebook.PairPending {
		return string(p)
	}
	return ""
}

// lower draws what is below the policies in w×h cells.
func (d *Detail) lower(w, h int) []string {
	if h < 3 {
		return nil
	}
	th := d.th
	why := func(w, h int) []string {
		return d.box(d.whyTitle(), d.whyLines(w-4), w, h)
	}
	question := func(w, h int) []string {
		return d.box(th.Title.Render("Question and answers"), d.questionLines(w-4), w, h)
	}
	fact := func(w, h int) []string {
		return d.box(d.factTitle(), d.factLines(w-4, h-2), w, h)
	}
	switch {
	case d.lay.one:
		return []func(int, int) []string{why, question, fact}[d.section](w, h)
	case w >= twoColumns:
		return d.columns(w, h, why, question, fact)
	}
	a := min(len(d.whyLines(w-4))+2, h)
	b := min(len(d.questionLines(w-4))+2, h-a)
	if h-a-b < 4 {
		b = h - a
	}
	out := why(w, a)
	if b > 2 {
		out = append(out, question(w, b)...)
	}
	if rest := h - len(out); rest > 2 {
		out = append(out, fact(w, rest)...)
	}
	return out
}

// columns draws the why and the question at the left and gives the fact, which
// is the longest text, all of the right. Where that leaves room there are the
// fate at every capacity and the fact on the other side of the cut too.
func (d *Detail) columns(w, h int, why, question, fact func(w, h int) []string) []string {
	left := w / 2
	right := w - left
	top := min(max(len(d.whyLines(left-4))+2, 6), h)
	if h-top < 4 {
		top = h
	}
	column := why(left, top)
	if rest := h - top; rest > 0 {
		asked := rest
		table := d.capacityLines(left - 4)
		if need := len(d.questionLines(left-4)) + 2; len(table) > 0 && rest-need >= len(table)+2 {
			asked = rest - len(table) - 2
			if asked > need+4 { // what is left over goes to the last pane
				asked = need
				if every := d.everyFactLines(left - 4); rest-asked-2 >= len(table)+len(every)+1 && len(every) > 0 {
					table = append(append(table, ""), every...)
				}
			}
		}
		column = append(column, question(left, asked)...)
		if rest > asked {
			column = append(column, d.box(d.th.Title.Render("At every capacity"), table, left, rest-asked)...)
		}
	}
	need := len(d.questionLines(right-4)) + 2
	if need > h-top && (h-top < 5 || len(d.factLines(right-4, h))+2+need <= h) {
		return d.swapped(left, right, top, h, why, question, fact)
	}
	texts := fact(right, h)
	if id, title, lines := d.acrossCut(right-4, h); len(lines) > 0 {
		need := len(d.factLines(right-4, h)) + 2
		if rest := h - need; rest >= 6 {
			texts = fact(right, need)
			across := rest
			if rest-len(lines)-2 >= 6 { // all the others too
				across = len(lines) + 2
			}
			texts = append(texts, d.box(title, lines, right, across)...)
			if rest > across {
				texts = append(texts, d.box(d.th.Title.Render("The other facts")+d.th.Dim.Render(" by rank, first words"), d.otherFacts(right-4, h, d.fact, id), right, rest-across)...)
			}
		}
	}
	return widget.Beside(column, texts)
}

// swapped is columns for a why so long that the question does not fit below
// it: the question goes below the fact, and the rest of the left is for the
// fact across the cut.
func (d *Detail) swapped(left, right, top, h int, why, question, fact func(w, h int) []string) []string {
	_, title, lines := d.acrossCut(left-4, h)
	if h-top < 5 || len(lines) == 0 {
		top = h
	}
	column := why(left, top)
	if h > top {
		column = append(column, d.box(title, lines, left, h-top)...)
	}
	asked := min(len(d.questionLines(right-4))+2, h-h/3)
	return widget.Beside(column, append(fact(right, h-asked), question(right, asked)...))
}

func (d *Detail) box(title string, lines []string, w, h int) []string {
	note := ""
	if len(lines) > h-2 {
		note = widget.Plural(len(lines)-max(h-2, 0), "more line")
	}
	if d.lay.one && d.live {
		hint := fmt.Sprintf("%d of %d: v turns to %s", int(d.section)+1, int(sections), [sections]string{"the question", "the fact", "the why"}[d.section])
		if note != "" {
			hint = note + ", " + hint
		}
		note = hint
	}
	return widget.Pane{Title: title, W: w, H: h, Note: note}.Draw(d.th, lines)
}

func (d *Detail) factTitle() string {
	l := d.selected()
	if l == nil {
		return d.th.Title.Render("Fact")
	}
	return d.th.Title.Render("Fact") + " " + widget.Clean(l.id)
}

func (d *Detail) whyTitle() string {
	p, l := d.current(), d.selected()
	if p == nil || l == nil {
		return d.th.Title.Render("Why")
	}
	fate := "evicted"
	if l.kept {
		fate = "kept"
	}
	return d.th.Title.Render("Why "+fate) + d.th.Dim.Render(" "+d.th.Sign.Spark+" ") + widget.Clean(l.label) +
		d.th.Dim.Render(" under ") + widget.Clean(p.policy)
}

// whyLines is the sentence, the sum that proves the score, and who is at the cut.
func (d *Detail) whyLines(w int) []string {
	p, l := d.current(), d.selected()
	switch {
	case p == nil:
		return nil
	case p.err != "":
		return widget.Wrap(p.err, w)
	case l == nil:
		return []string{"No fact selected."}
	}
	out := widget.Wrap(l.why, w)
	for i := range out {
		out[i] = d.th.Strong.Render(out[i])
	}
	out = append(out, labelled(d.th.Dim.Render("score  "), l.proof, w)...)
	out = append(out, labelled(d.th.Dim.Render("cut    "), p.neighbours, w)...)
	if l.there != "" && d.live {
		there := labelled(d.th.Dim.Render("there  "), l.there, w)
		if l.differs && len(there) > 0 {
			there[0] = strings.Replace(there[0], l.there, d.th.Warn.Render(d.th.Sign.Differs)+" "+l.there, 1)
		}
		out = append(out, there...)
	}
	if !d.live && d.lay.one { // a preview has no key to show the rest
		out = out[:min(len(out), max(d.lay.lowerH-2, 1))]
	}
	return out
}

// labelled puts a label of seven cells before a wrapped text.
func labelled(label, text string, w int) []string {
	lines := widget.Wrap(text, w-7)
	for i := range lines {
		if i == 0 {
			lines[i] = label + lines[i]
		} else {
			lines[i] = widget.Spaces(7) + lines[i]
		}
	}
	return lines
}

// questionLines is the question, the reference and both answers.
func (d *Detail) questionLines(w int) []string {
	if d.questionFor == (entryWidth{d.entry, w}) {
		return d.question
	}
	th, c := d.th, &d.entry.Case
	const indent = 11
	block := func(label, text string) []string {
		lines := widget.Wrap(widget.CleanBlock(text), w-indent)
		if len(lines) == 0 {
			lines = []string{th.Dim.Render("none")}
		}
		for i := range lines {
			if i > 0 {
				label = ""
			}
			lines[i] = widget.Fit(label, indent, "") + lines[i]
		}
		return lines
	}
	question := c.Question
	if question == "" {
		question = noText
	}
	if c.QuestionDate != nil {
		question += " (asked " + *c.QuestionDate + ")"
	}
	out := block(th.Dim.Render("question"), question)
	if c.Answer != "" {
		out = append(out, block(th.Dim.Render("reference"), c.Answer)...)
	}
	for _, p := range d.book.Policies {
		row, ok := d.entry.Rows[p.Name]
		verdict, style := "answered, not graded yet", th.Dim
		switch {
		case !ok:
			verdict = "not asked yet"
		case row.Graded && row.Correct:
			verdict, style = th.Sign.Right+" right (rule "+upTo(widget.Clean(row.Rule), 24, th.Sign.More)+")", th.Good
		case row.Graded:
			verdict, style = th.Sign.Wrong+" wrong (rule "+upTo(widget.Clean(row.Rule), 24, th.Sign.More)+")", th.Bad
		}
		text := verdict
		if ok {
			text += " answer: " + row.Prediction
		}
		lines := block(widget.Fit(widget.Clean(p.Name), indent-1, th.Sign.More), text)
		lines[0] = strings.Replace(lines[0], verdict, style.Render(verdict), 1)
		out = append(out, lines...)
	}
	if d.book.QACapacity != d.capacity {
		out = append(out, th.Dim.Render(fmt.Sprintf("The answers are those of capacity %d.", d.book.QACapacity)))
	}
	d.questionFor, d.question = entryWidth{d.entry, w}, out
	return out
}
