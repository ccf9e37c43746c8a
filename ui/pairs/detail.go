// One pair in full: what differs between the kept sets, what was asked, and for
// each policy its answer and the grader's way to the verdict.
package pairs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// mostText is as much of a text as the detail shows; a longer one says so.
const mostText = 4000

// wide is the width from which the policies' answers stand side by side.
const wide = 100

// foldedWords stand for the pair until one is asked for: who came to review is
// not to be told the first one on the way.
const foldedWords = "enter reads the pair, and so does a move to another one.\n\nw reviews the pairs blind: one that was read here before is recorded as not blind."

// lines is the detail of the pair under the cursor, drawn again only for
// another pair or width.
func (s *Screen) lines(w int) []string {
	r := s.selected()
	if r == nil || w < 1 {
		return nil
	}
	if !s.wanted {
		return s.wrap(foldedWords, w, 0)
	}
	if key := (detailKey{r, w}); s.detail == nil || s.detailFor != key {
		s.detail, s.detailFor = s.draw(r, w), key
	}
	return s.detail
}

func (s *Screen) draw(r *row, w int) []string {
	if r.queued { // who judges reads the answers first
		var out []string
		if !r.blind {
			out = s.verdict(r, w)
		}
		out = append(append(out, s.asked(r, w)...), s.answers(r, w)...)
		out = append(append(out, ""), s.keptSets(r, w)...)
		return append(out, s.support(r, w)...)
	}
	out := append(s.verdict(r, w), s.keptSets(r, w)...)
	out = append(out, s.asked(r, w)...)
	return append(append(out, s.answers(r, w)...), s.support(r, w)...)
}

// answers sets the two answers below or, where there is room, beside one another.
func (s *Screen) answers(r *row, w int) []string {
	switch {
	case w < wide && r.queued: // both answers first: they are what is judged
		out := append(s.answer(r, 0, w), s.answer(r, 1, w)...)
		for place := range r.sides {
			out = append(out, "", s.heading("How "+r.short[place]+" was graded", w))
			out = append(out, s.grading(&r.entry.Case, &r.pair.Sides[r.sides[place]], w)...)
		}
		return out
	case w < wide:
		return append(append(s.side(r, 0, w), ""), s.side(r, 1, w)...)
	}
	half := (w - 3) / 2
	a, b := s.side(r, 0, half), s.side(r, 1, w-3-half)
	n := max(len(a), len(b))
	bar := make([]string, n)
	for i := range bar {
		bar[i] = " " + s.th.Faint.Render(s.th.Border4.V) + " "
	}
	return widget.Beside(widget.Block(a, half, n, ""), bar, widget.Block(b, w-3-half, n, ""))
}

// support is the evidence itself, where it is known: what a right answer rests on.
func (s *Screen) support(r *row, w int) []string {
	var out []string
	for i := range r.entry.Case.Facts {
		f := &r.entry.Case.Facts[i]
		if !f.Support {
			continue
		}
		name := "Support"
		if !r.blind { // the ID may name the scenario
			name += " " + widget.Clean(f.ID)
		}
		out = append(out, "", s.heading(name, w))
		out = append(out, s.text(f.Content, w)...)
	}
	return out
}

// heading begins a part.
func (s *Screen) heading(text string, w int) string {
	text = upTo(text, max(w-2, 0), s.th.Sign.More)
	return s.th.Title.Render(text) + " " + s.th.Faint.Render(widget.Repeat(s.th.Border4.H, w-1-widget.Width(text)))
}

func (s *Screen) wrap(text string, w, indent int) []string {
	lines := widget.Wrap(s.th.Words(text), max(w-indent, 1))
	for i := range lines {
		lines[i] = widget.Spaces(indent) + lines[i]
	}
	return lines
}

// verdict says who is right, of which kind the pair is, and what that means.
func (s *Screen) verdict(r *row, w int) []string {
	th, a := s.th, &r.pair
	var out []string
	words := string(a.Outcome)
	switch {
	case a.Outcome.Discordant():
		words = "only " + widget.Clean(a.Right().Policy) + " is right"
		out = append(out, th.Strong.Render(words)+th.Dim.Render(" "+th.Sign.Spark+" kind ")+th.Strong.Render(string(a.Kind)))
		out = append(out, s.wrap(a.Kind.Means(), w, 0)...)
	default:
		out = append(out, th.Strong.Render(words)+th.Dim.Render(" "+th.Sign.Spark+" the policies agree"))
	}
	if a.SameRequest {
		answers := " The two answers are the same text."
		if a.Sides[0].Row.Prediction != a.Sides[1].Row.Prediction {
			answers = " The two answers differ in their text."
		}
		for i, line := range widget.Wrap(th.Words("Identical requests. "+casebook.SameRequestMeans+answers), max(w-2, 1)) {
			mark := "  "
			if i == 0 {
				mark = th.Warn.Render("=") + " "
			}
			out = append(out, mark+line)
		}
	}
	return append(out, "")
}

// keptSets tells the difference between the two kept sets. To a blind reader in
// the order of the IDs: the rank is the policy's.
func (s *Screen) keptSets(r *row, w int) []string {
	th, a := s.th, &r.pair
	out := []string{s.heading(fmt.Sprintf("Kept at capacity %d: %d by both", s.book.QACapacity, a.Shared), w)}
	only := [2][]string{a.OnlyFirst, a.OnlySecond}
	both := without(a.Sides[0].Kept, a.OnlyFirst)
	if r.blind {
		both, only = sorted(both), [2][]string{sorted(only[0]), sorted(only[1])}
	}
	if len(only[0])+len(only[1]) == 0 {
		out = append(out, s.wrap("Both kept the same facts.", w, 0)...)
	}
	for place, side := range r.sides {
		label := "only " + r.short[place]
		for _, id := range only[side] {
			line := th.Dim.Render(widget.Fit(label, 18, th.Sign.More)) + "  " + s.factWords(r, id)
			out = append(out, widget.Fit(line, w, th.Sign.More))
			label = ""
		}
	}
	label := "both"
	if w < wide { // their names; a wide window has room for their words
		var names []string
		for _, id := range both {
			names = append(names, s.name(&r.entry.Case, id))
		}
		for i, line := range widget.Wrap(strings.Join(names, ", "), max(w-22, 10)) {
			if i > 0 {
				label = ""
			}
			out = append(out, th.Dim.Render(widget.Fit(label, 18, ""))+"    "+line)
		}
		return append(out, "")
	}
	for _, id := range both {
		line := th.Dim.Render(widget.Fit(label, 18, "")) + "  " + s.factWords(r, id)
		out = append(out, widget.Fit(line, w, th.Sign.More))
		label = ""
	}
	return append(out, "")
}

// without gives the IDs that are not in others, in their order.
func without(ids, others []string) []string {
	var out []string
	for _, id := range ids {
		if !slices.Contains(others, id) {
			out = append(out, id)
		}
	}
	return out
}

func sorted(ids []string) []string {
	out := slices.Clone(ids)
	slices.Sort(out)
	return out
}

// whyEvicted gives the reason for every support fact that a policy evicted,
// where the facts are known.
func (s *Screen) whyEvicted(c *pools.Case, policyName string, w int) []string {
	policy, ok := s.book.Policy(policyName)
	if !ok || len(c.Facts) == 0 {
		return nil
	}
	var out []string
	e := eviction.Explain(casebook.Facts(*c), policy, s.book.Now, s.book.QACapacity)
	for i := range c.Facts {
		if c.Facts[i].Support && !e.Facts[i].Kept {
			out = append(out, s.labelled("support", s.th.Words(eviction.Why(e, i)), w)...)
		}
	}
	return out
}

// factWords names a fact, its kind, and how its text begins where it is known.
func (s *Screen) factWords(r *row, id string) string {
	th, c := s.th, &r.entry.Case
	for i := range c.Facts {
		f := &c.Facts[i]
		if f.ID != id {
			continue
		}
		text := widget.Clean(excerpt(f.Content))
		if f.Support {
			return th.Support.Render(th.Sign.Support+" support") + "  " + text
		}
		return "  " + widget.Fit(s.name(c, id), 7, "") + "  " + text
	}
	name, full := s.name(c, id), widget.Clean(id)
	switch support := slices.Contains(c.SupportIDs, id); {
	case r.blind: // the ID may name the scenario
		full = ""
	case !support && shortID(id, c.ID) == id:
		return "  " + full
	}
	if slices.Contains(c.SupportIDs, id) {
		return th.Support.Render(name) + "  " + full
	}
	return "  " + widget.Fit(name, 7, "") + "  " + full
}

// name is a fact's name in few cells.
func (s *Screen) name(c *pools.Case, id string) string {
	if slices.Contains(c.SupportIDs, id) {
		return s.th.Sign.Support + " support"
	}
	return upTo(widget.Clean(shortID(id, c.ID)), 24, s.th.Sign.More)
}

// shortID names a distractor by its place, d_{case}_{i}_{source}.
func shortID(id, caseID string) string {
	rest, ok := strings.CutPrefix(id, "d_"+caseID+"_")
	if !ok {
		return id
	}
	n, _, _ := strings.Cut(rest, "_")
	return "d" + n
}

// excerpt gives the first words said in a fact: evidence begins with a line
// `SESSION … AT …` and turns with `USER: `.
func excerpt(content string) string {
	const most = 600
	content = content[:min(len(content), most)]
	for _, line := range strings.Split(content, "\n") {
		if line == "" || strings.HasPrefix(line, "SESSION ") {
			continue
		}
		if role, said, ok := strings.Cut(line, ": "); ok && role == strings.ToUpper(role) && len(role) <= 12 {
			return said
		}
		return line
	}
	return content
}

// asked is the question and the reference answer, where the dataset is at hand.
func (s *Screen) asked(r *row, w int) []string {
	c := &r.entry.Case
	if c.Question == "" && c.Answer == "" {
		return append(append([]string{s.heading("Question", w)},
			s.wrap("The dataset is not at hand, so neither the question nor the reference answer can be shown. Open the run with its dataset to read them.", w, 0)...), "")
	}
	out := []string{s.heading("Question", w)}
	out = append(out, s.text(c.Question, w)...)
	if c.Answer != "" {
		out = append(out, s.labelled("reference", c.Answer, w)...)
	}
	return append(out, "")
}

// text wraps a text of the data's; what it leaves out it says.
func (s *Screen) text(text string, w int) []string {
	cut := ""
	if len(text) > mostText {
		cut = s.th.Dim.Render(fmt.Sprintf("(the first %s of %s bytes)", widget.Count(mostText), widget.Count(int64(len(text)))))
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	lines := widget.Wrap(widget.CleanBlock(text), max(w, 1))
	if len(lines) == 0 {
		lines = []string{s.th.Dim.Render("(empty)")}
	}
	if cut != "" {
		lines = append(lines, cut)
	}
	return lines
}

func (s *Screen) labelled(label, text string, w int) []string {
	const indent = 12
	lines := s.text(text, w-indent)
	for i := range lines {
		if i > 0 {
			label = ""
		}
		lines[i] = s.th.Dim.Render(widget.Fit(label, indent, "")) + lines[i]
	}
	return lines
}

// side is one policy's answer and how it was graded: the one that is told
// first or second.
func (s *Screen) side(r *row, place, w int) []string {
	return append(s.answer(r, place, w), s.grading(&r.entry.Case, &r.pair.Sides[r.sides[place]], w)...)
}

// answer is one policy's answer with its grade.
func (s *Screen) answer(r *row, place, w int) []string {
	th, side := s.th, &r.pair.Sides[r.sides[place]]
	out := []string{s.heading(r.label[place], w)}
	sign, word, style := th.Sign.Wrong, "wrong", th.Bad
	if side.Row.Correct {
		sign, word, style = th.Sign.Right, "right", th.Good
	}
	verdict := style.Render(sign+" "+word) + th.Dim.Render(" (rule "+upTo(widget.Clean(side.Row.Rule), 24, th.Sign.More)+")")
	kept := th.Bad.Render(th.Sign.Evicted + " support evicted")
	if side.SupportRetained {
		kept = th.Good.Render(th.Sign.Kept + " support kept")
	}
	out = append(out, verdict+"   "+kept)
	if !side.SupportRetained && !r.blind { // the reason tells what the policy weighs
		out = append(out, s.whyEvicted(&r.entry.Case, side.Policy, w)...)
	}
	for _, flag := range r.flags[place] {
		out = append(out, s.labelled("flag", string(flag)+": "+flag.Means(), w)...)
	}
	return append(out, s.labelled("answer", side.Row.Prediction, w)...)
}

// Pane is the whole detail as plain text.
func (s *Screen) Pane() string {
	if s.review.active() {
		return s.review.plain()
	}
	w, _ := s.place()
	lines := s.lines(max(w-4, 40))
	if len(s.rows) == 0 {
		lines = s.nothing()
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	if r := s.selected(); r != nil {
		out = append([]string{r.show + " " + r.scenario}, out...)
	}
	return strings.Join(out, "\n")
}
