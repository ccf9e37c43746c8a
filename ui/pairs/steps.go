// The grader's way to a verdict: each rule tried, what it saw, and the words on
// which the deciding one rests.
package pairs

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/grading"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// Bounds for texts of absurd length: beyond them the way is not retraced, or
// not all of its words are shown.
const (
	mostTraced = 200_000 // bytes of an answer
	mostTokens = 120
)

// grading retraces the verdict from the reference answer.
func (s *Screen) grading(c *pools.Case, side *casebook.PairSide, w int) []string {
	th := s.th
	switch {
	case c.Answer == "":
		out := s.labelled("rule", "decides "+widget.Clean(side.Row.Rule)+": "+means(side.Row.Rule), w)
		return append(out, s.labelled("", "Its words cannot be shown: the reference answer is in the dataset, which is not at hand.", w)...)
	case len(side.Row.Prediction) > mostTraced || len(c.Answer) > mostTraced:
		return s.wrap("The answer is too long to show the rules step by step.", w, 0)
	}
	d, err := grading.Trace(side.Row.Prediction, c.Answer)
	if err != nil {
		return s.wrap(widget.Clean(err.Error()), w, 0)
	}
	var out []string
	for _, step := range d.Steps {
		out = append(out, s.step(d, step, w)...)
	}
	if d.Correct != side.Row.Correct || string(d.Rule) != side.Row.Rule {
		word := "wrong"
		if d.Correct {
			word = "right"
		}
		for _, line := range s.wrap(fmt.Sprintf("! The stored grade differs: these texts give %s by %s. The row was graded with another reference or grader.", word, d.Rule), w, 0) {
			out = append(out, th.Warn.Render(line))
		}
	}
	a, b, note := matched(d)
	out = append(out, s.tokens("words", d.Prediction, a, w)...)
	out = append(out, s.tokens("reference", d.Reference, b, w)...)
	return append(out, th.Dim.Render(widget.Fit("", 12, "")+note))
}

// means says in general what a rule decides; with the reference at hand the
// step itself says what it saw.
func means(rule string) string {
	switch grading.Rule(rule) {
	case grading.RuleEmptyPrediction:
		return "the answer has no word and no number."
	case grading.RuleInsufficient:
		return "the answer is INSUFFICIENT and nothing else: the model abstained."
	case grading.RuleExact:
		return "both answers are the same after normalisation."
	case grading.RuleSubstring:
		return "one answer lies in the other as a run of whole words."
	case grading.RuleNumericRange:
		return "every integer of the answer lies in the range that the reference states."
	case grading.RuleNumericConflict:
		return "both have integers, and their values differ."
	case grading.RuleOverlapAccept:
		return "at least 60 % of the content words of both are shared."
	case grading.RuleOverlapReject:
		return "too few content words are shared, or one side has none."
	}
	return "a rule this program does not know."
}

// step is a rule that was tried: marked where it decided.
func (s *Screen) step(d grading.Decision, step grading.Step, w int) []string {
	const indent = 20
	th := s.th
	mark, name := "  ", th.Dim.Render(widget.Fit(string(step.Rule), indent-2, ""))
	if step.Outcome == grading.Decided {
		mark, name = th.Key.Render(th.Sign.Select)+" ", th.Strong.Render(widget.Fit(string(step.Rule), indent-2, ""))
	}
	text := d.Explain(step)
	if step.Outcome == grading.Decided {
		if d.Correct {
			text += " Hence right."
		} else {
			text += " Hence wrong."
		}
	}
	lines := widget.Wrap(th.Words(text), max(w-indent, 12))
	for i := range lines {
		if i > 0 {
			mark, name = "  ", widget.Spaces(indent-2)
		}
		if step.Outcome != grading.Decided {
			lines[i] = th.Dim.Render(lines[i])
		}
		lines[i] = mark + name + lines[i]
	}
	return lines
}

// matched marks the tokens the deciding rule rests on, and says what the mark is.
func matched(d grading.Decision) (prediction, reference []bool, note string) {
	prediction, reference = make([]bool, len(d.Prediction)), make([]bool, len(d.Reference))
	mark := func(of []bool, tokens []string, keep func(string) bool) {
		for i, t := range tokens {
			of[i] = keep(t)
		}
	}
	all := func(string) bool { return true }
	switch d.Rule {
	case grading.RuleExact:
		mark(prediction, d.Prediction, all)
		mark(reference, d.Reference, all)
		return prediction, reference, "[ ] equal"
	case grading.RuleSubstring:
		long, short, shorter := prediction, reference, d.Reference
		if d.RunInReference {
			long, short, shorter = reference, prediction, d.Prediction
		}
		mark(short, shorter, all)
		for i := max(d.RunStart, 0); i < min(d.RunEnd, len(long)); i++ {
			long[i] = true
		}
		return prediction, reference, "[ ] the run of words that is in both"
	case grading.RuleNumericRange, grading.RuleNumericConflict:
		mark(prediction, d.Prediction, isInteger)
		mark(reference, d.Reference, isInteger)
		return prediction, reference, "[ ] the integers that were compared"
	case grading.RuleOverlapAccept, grading.RuleOverlapReject:
		shared := func(t string) bool { _, ok := slices.BinarySearch(d.Shared, t); return ok }
		mark(prediction, d.Prediction, shared)
		mark(reference, d.Reference, shared)
		return prediction, reference, "[ ] content words in both"
	}
	return prediction, reference, "no word matched"
}

func isInteger(t string) bool {
	return t != "" && strings.Trim(t, "0123456789") == ""
}

// tokens writes the words the grader compares, those that matched in brackets.
func (s *Screen) tokens(label string, tokens []string, marked []bool, w int) []string {
	const indent = 12
	th := s.th
	if len(tokens) == 0 {
		return []string{th.Dim.Render(widget.Fit(label, indent, "") + "none")}
	}
	var text strings.Builder
	for i, t := range tokens {
		if i == mostTokens {
			fmt.Fprintf(&text, " and %d more", len(tokens)-mostTokens)
			break
		}
		if i > 0 {
			text.WriteByte(' ')
		}
		// One pair of brackets around a run of marked words.
		if marked[i] && (i == 0 || !marked[i-1]) {
			text.WriteByte('[')
		}
		text.WriteString(upTo(t, 40, th.Sign.More))
		if marked[i] && (i+1 == len(tokens) || i+1 == mostTokens || !marked[i+1]) {
			text.WriteByte(']')
		}
	}
	lines := widget.Wrap(text.String(), max(w-indent, 12))
	inside := false
	for i, line := range lines {
		if i > 0 {
			label = ""
		}
		lines[i] = th.Dim.Render(widget.Fit(label, indent, "")) + s.brackets(line, &inside)
	}
	return lines
}

// brackets colours what is in brackets; a run may go on in the next line.
func (s *Screen) brackets(line string, inside *bool) string {
	var out, run strings.Builder
	flush := func() {
		if *inside {
			out.WriteString(s.th.Good.Render(run.String()))
		} else {
			out.WriteString(run.String())
		}
		run.Reset()
	}
	for _, r := range line {
		switch r {
		case '[':
			flush()
			*inside = true
			run.WriteRune(r)
		case ']':
			run.WriteRune(r)
			flush()
			*inside = false
		default:
			run.WriteRune(r)
		}
	}
	flush()
	return out.String()
}
