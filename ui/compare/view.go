// How the comparison is drawn.
package compare

import (
	"fmt"
	"path/filepath"
	"strings"

	engine "deermem-tui/engine/compare"
	"deermem-tui/ui/widget"
)

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if !s.joined() {
		return widget.Block(s.summaryPane(), s.w, s.h, "")
	}
	out := s.summaryPane()
	switch l := s.lay; {
	case l.beside:
		out = append(out, widget.Beside(s.listPane(), s.textPane())...)
	default:
		if l.listH > 0 {
			out = append(out, s.listPane()...)
		}
		if l.textH > 0 {
			out = append(out, s.textPane()...)
		}
	}
	return widget.Block(out, s.w, s.h, "")
}

// names gives the two runs' own names; their paths where these are equal.
func (s *Screen) names() (a, b string) {
	a, b = filepath.Base(s.of.A), filepath.Base(s.of.B)
	if a == b {
		a, b = s.of.A, s.of.B
	}
	return widget.Clean(a), widget.Clean(b)
}

// title names the runs, and what must never be overlooked.
func (s *Screen) title() string {
	th := s.th
	title := th.Title.Render("Compare")
	if !s.Begun() {
		return title
	}
	if s.result != nil && s.result.Across() {
		title = th.Warn.Render(th.Sign.Differs + " joined across protocols")
	}
	a, b := s.names()
	return title + th.Dim.Render(" A ") + a + th.Dim.Render(" B ") + b
}

func (s *Screen) summaryPane() []string {
	pane := widget.Pane{Title: s.title(), Focus: s.focus == onSummary || !s.joined(), W: s.w, H: s.lay.sumH}
	w, _ := pane.Inner()
	if s.waiting && s.result != nil {
		pane.Note = s.th.Words("comparing again…")
	}
	return pane.Scroll(s.th, s.summaryLines(w), s.top[onSummary], "")
}

// summaryLines is the summary, drawn again only for another result or width.
func (s *Screen) summaryLines(w int) []string {
	if s.result == nil {
		return s.nothing(w)
	}
	if key := (sumKey{s.result, w}); s.summary == nil || s.sumFor != key {
		s.summary, s.sumFor = s.draw(s.result, w), key
	}
	return s.summary
}

// nothing says why there is no comparison.
func (s *Screen) nothing(w int) []string {
	text := "Nothing is compared yet. Screen 0, Home: c compares the run under the cursor with the one that is open; m marks runs to compare two others."
	switch {
	case s.failed != "":
		text = "The runs could not be compared.\n\n" + s.failed + "\n\nctrl+r tries again."
	case s.waiting:
		text = "Comparing…"
	}
	return widget.Wrap(s.th.Words(text), w)
}

func (s *Screen) draw(r *engine.Result, w int) []string {
	th := s.th
	var out []string
	add := func(lines ...string) { out = append(out, lines...) }
	wrapped := func(text string) []string { return widget.Wrap(th.Words(text), w) }
	add(s.identity(r, w)...)
	if r.Joined {
		kept, texts, worse, better := r.Count()
		alone := "missing"
		if r.Across() { // other protocols may have other cases
			alone = "in one only"
		}
		counts := fmt.Sprintf("%d in both, %d %s; facts %d, texts %d", r.Common, len(r.OnlyA)+len(r.OnlyB), alone, kept, texts)
		if r.Sealed == "" {
			counts += fmt.Sprintf("; right to wrong %d, wrong to right %d", worse, better)
		}
		add(wrapped(counts)...)
		if r.Sealed != "" {
			for _, line := range wrapped(r.Sealed) {
				add(th.Warn.Render(line))
			}
		}
		first := 0
		if r.Across() {
			first = 1 // the head says it
		}
		add(s.warnings(r, r.Warnings[min(first, r.OfRuns):r.OfRuns], w)...) // above the tests, which are read with them
		add(s.tests(r, w)...)
		if others := r.Others(); len(others) > 0 {
			add(wrapped("besides: " + strings.Join(others, ", "))...)
		}
	} else {
		add("")
		add(wrapped("Rows of different protocols are joined only when asked for: x joins them all the same, and every view and export then says so.")...)
	}
	if rest := r.Warnings[r.OfRuns:]; len(rest) > 0 {
		add("", th.Strong.Render("To be read with it"))
		add(s.warnings(r, rest, w)...)
	}
	add("")
	for _, side := range []struct{ name, path, protocol string }{{"A", r.PathA, r.ProtocolA}, {"B", r.PathB, r.ProtocolB}} {
		add(wrapped(side.name + ": " + widget.Clean(side.path) + ", protocol " + widget.Clean(side.protocol))...)
	}
	return out
}

// warnings are what the figures are to be read with.
func (s *Screen) warnings(r *engine.Result, list []string, w int) []string {
	th := s.th
	var out []string
	for _, warning := range list {
		if warning == r.Sealed {
			continue // told already
		}
		for i, line := range widget.Wrap(th.Words(widget.Clean(warning)), max(w-2, 1)) {
			sign := "  "
			if i == 0 {
				sign = th.Warn.Render("!") + " "
			}
			out = append(out, sign+line)
		}
	}
	return out
}

// identity tells first whether the runs are of one protocol at all.
func (s *Screen) identity(r *engine.Result, w int) []string {
	th := s.th
	if len(r.Changes) == 0 {
		return []string{widget.Fit(th.Good.Render(th.Sign.Done)+" one protocol, "+widget.Clean(r.ProtocolA)+": five hashes, model, grader, capacity equal", w, th.Sign.More)}
	}
	head := th.Bad.Render(th.Sign.Stop) + " " + th.Strong.Render("The rows were not joined: the protocols differ")
	if r.Joined {
		head = th.Warn.Render(th.Sign.Differs) + " " + th.Strong.Render("Joined across protocols: a difference need not be the runs'")
	}
	out := []string{widget.Fit(head, w, th.Sign.More)}
	const label = 19
	room := max((w-2-label-2)/2, 8)
	out = append(out, th.Dim.Render(widget.Fit("  differs", 2+label, "")+widget.Fit("A", room, "")+"  B"))
	for _, c := range r.Changes {
		out = append(out, "  "+widget.Fit(widget.Clean(c.What), label, th.Sign.More)+widget.Fit(widget.Clean(c.A), room, th.Sign.More)+"  "+widget.Fit(widget.Clean(c.B), room, th.Sign.More))
	}
	return out
}

// tests writes the paired test of each policy in each suite, a line each.
func (s *Screen) tests(r *engine.Result, w int) []string {
	th := s.th
	if len(r.Tests) == 0 {
		return nil
	}
	out := []string{th.Dim.Render(widget.Fit(th.Words("Paired test between the runs, secondary: B−A, Newcombe, exact p"), w, th.Sign.More))}
	for _, t := range r.Tests {
		m := t.McNemar
		line := widget.Fit(t.Suite, 11, "") + widget.Fit(widget.Clean(t.Policy), 12, th.Sign.More) +
			widget.Fit(fmt.Sprintf("A %d/%d", m.FirstCorrect(), m.Pairs()), 9, "") + widget.Fit(fmt.Sprintf("B %d/%d", m.SecondCorrect(), m.Pairs()), 9, "") +
			fmt.Sprintf("%+.3f [%+.3f, %+.3f]  p %.4g", t.Newcombe.Difference, t.Newcombe.Lower, t.Newcombe.Upper, m.PValue)
		out = append(out, widget.Fit(line, w, th.Sign.More))
	}
	return out
}

func (s *Screen) listPane() []string {
	pane := widget.Pane{Title: s.listTitle(), Note: s.table.Position(), Focus: s.focus == onList, W: s.lay.listW, H: s.lay.listH}
	w, _ := pane.Inner()
	lines := s.table.View(s.th, s.focus == onList)
	if s.typing {
		lines = append(lines, s.input.View(s.th, "filter: ", w))
	}
	return pane.Draw(s.th, lines)
}

func (s *Screen) listTitle() string {
	th := s.th
	title := th.Title.Render("Rows")
	if s.kind != all {
		title += ": " + s.kind.words()
	}
	title += fmt.Sprintf(" %d", len(s.shown))
	if len(s.shown) != len(s.rows) {
		title += fmt.Sprintf(" of %d", len(s.rows))
	}
	if s.sort != byRow {
		title += th.Dim.Render(" by " + [sortKeys]string{"row", "scenario", "flip"}[s.sort])
	}
	if s.input.Value != "" && !s.typing {
		title += th.Dim.Render(" filter: ") + s.input.Value
	}
	return title
}

func (s *Screen) noneWords() string {
	switch {
	case len(s.rows) == 0:
		return "No row differs."
	case s.input.Value != "":
		return "No row holds all these words. Esc clears the filter."
	case s.kind == missing:
		return "No row is missing. v shows others."
	}
	return "No row is of this kind. v shows others."
}

func (s *Screen) cells(i int, out []string) {
	th, r := s.th, &s.rows[s.shown[i]]
	out[0], out[1] = widget.Clean(r.caseID), widget.Clean(r.policy)
	d := r.diff
	if d == nil {
		out[5] = th.Warn.Render("only in " + r.only)
		return
	}
	out[2] = widget.Clean(d.Scenario)
	switch {
	case d.Kept():
		out[3] = fmt.Sprintf("-%d +%d", len(d.KeptOnlyA), len(d.KeptOnlyB))
	case d.KeptOrder:
		out[3] = "order"
	}
	if d.Prediction {
		out[4] = "other"
	}
	switch {
	case s.result.Sealed != "":
	case d.Flipped() && d.CorrectB:
		out[5] = th.Good.Render(th.Sign.Right + " wrong to right")
	case d.Flipped():
		out[5] = th.Bad.Render(th.Sign.Wrong + " right to wrong")
	case d.CorrectA:
		out[5] = th.Dim.Render("both right")
	default:
		out[5] = th.Dim.Render("both wrong")
	}
	out[6] = widget.Clean(d.RuleA)
	if d.RuleA != d.RuleB {
		out[6] += th.Words(" → ") + widget.Clean(d.RuleB)
	}
}

func (s *Screen) textPane() []string {
	th, r := s.th, s.selected()
	pane := widget.Pane{Title: th.Title.Render("Row"), Focus: s.focus == onTexts, W: s.lay.textsW, H: s.lay.textH}
	if r != nil {
		pane.Title = th.Title.Render(widget.Clean(r.caseID)) + " " + widget.Clean(r.policy)
	}
	w, _ := pane.Inner()
	more := ""
	if s.focus != onTexts {
		more = "tab reads on, "
	}
	return pane.Scroll(th, s.texts(w), s.top[onTexts], more)
}

// mostText is as much of an answer as is shown; a longer one says so.
const mostText = 4000

// texts tells what differs in the row under the cursor, then both answers side
// by side.
func (s *Screen) texts(w int) []string {
	r := s.selected()
	if r == nil || w < 1 {
		return nil
	}
	th := s.th
	if r.diff == nil {
		return widget.Wrap("Only "+r.only+" has this row, so it is in no figure here.", w)
	}
	d := r.diff
	out := s.verdict(d, w)
	a, b := d.Texts()
	if !d.Prediction {
		return append(append(out, th.Dim.Render("Both answered")), s.prose(a, w)...)
	}
	half := (w - 3) / 2
	if half < 12 {
		out = append(append(out, th.Dim.Render("A answered")), s.prose(a, w)...)
		return append(append(out, th.Dim.Render("B answered")), s.prose(b, w)...)
	}
	left := append([]string{th.Dim.Render("A answered")}, s.prose(a, half)...)
	right := append([]string{th.Dim.Render("B answered")}, s.prose(b, w-3-half)...)
	n := max(len(left), len(right))
	bar := make([]string, n)
	for i := range bar {
		bar[i] = " " + th.Faint.Render(th.Border4.V) + " "
	}
	return append(out, widget.Beside(widget.Block(left, half, n, ""), bar, widget.Block(right, w-3-half, n, ""))...)
}

// verdict says what became of the grade, the request and the facts.
func (s *Screen) verdict(d *engine.Row, w int) []string {
	var words []string
	switch {
	case s.result.Sealed != "":
	case d.Flipped():
		words = append(words, fmt.Sprintf("%s (%s, then %s).", d.Direction(), widget.Clean(d.RuleA), widget.Clean(d.RuleB)))
	case d.RuleA != d.RuleB:
		words = append(words, fmt.Sprintf("graded alike by another rule (%s, then %s).", widget.Clean(d.RuleA), widget.Clean(d.RuleB)))
	default:
		words = append(words, fmt.Sprintf("graded alike (%s).", widget.Clean(d.RuleA)))
	}
	switch {
	case !d.Request && d.Prediction:
		words = append(words, "Both runs sent the same bytes: that the answers differ is the provider's own variation.")
	case !d.Request:
		words = append(words, "Both runs sent the same bytes and got the same text.")
	case d.Kept():
		words = append(words, "Kept only in A: "+idsOf(d.KeptOnlyA)+"; only in B: "+idsOf(d.KeptOnlyB)+".")
	case d.KeptOrder:
		words = append(words, "The same facts in another order; the requests differ.")
	default:
		words = append(words, "The same facts; the requests differ.")
	}
	if also := alsoDiffers(d); len(also) > 0 {
		words = append(words, "Also: "+strings.Join(also, ", ")+".")
	}
	return widget.Wrap(s.th.Words(strings.Join(words, " ")), w)
}

// alsoDiffers names what differs besides grade, request, facts and text.
func alsoDiffers(d *engine.Row) []string {
	var out []string
	for _, k := range engine.Kinds() {
		switch k.Name {
		case "flips", "rules", "requests", "kept", "order", "predictions":
			continue
		}
		if k.Holds(d) {
			out = append(out, k.Words)
		}
	}
	return out
}

func idsOf(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return widget.Clean(strings.Join(ids, ", "))
}

// prose wraps an answer.
func (s *Screen) prose(text string, w int) []string {
	cut := ""
	if len(text) > mostText {
		cut = fmt.Sprintf("(the first %s of %s bytes)", widget.Count(mostText), widget.Count(int64(len(text))))
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	if strings.TrimSpace(text) == "" {
		text = "(empty)"
	}
	lines := widget.Wrap(widget.CleanBlock(text), w)
	if cut != "" {
		lines = append(lines, s.th.Dim.Render(cut))
	}
	return lines
}
