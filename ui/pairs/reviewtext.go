// The words of the review: what stands over and below a pair, and how the
// review stands as a whole.
package pairs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/review"
	"deermem-tui/ui/widget"
)

// pair is the detail of a pair of the queue.
func (v *reviewing) pair(r *reviewRow, w int) []string {
	out := append(v.head(r, w), "")
	out = append(out, v.history(r, w)...)
	return append(out, v.s.draw(&r.row, w)...)
}

// head says what the reader may know of the pair, and what happened to it.
func (v *reviewing) head(r *reviewRow, w int) []string {
	th := v.s.th
	say := func(sentences ...string) []string { return v.s.wrap(strings.Join(sentences, " "), w, 0) }
	var out []string
	switch {
	case r.row.blind:
		out = say("Blind: which policy is A and which is B is told once your verdict is in.")
		out[0] = strings.Replace(out[0], "Blind:", th.Info.Render("Blind:"), 1)
		if v.knows(v.reviewer, r.item.CaseID) {
			text := "The policies of this pair were told in this session, to you or under another name: your verdict will be recorded as not blind."
			if v.seen[mine{v.reviewer, r.item.CaseID}] {
				text = "You were told the policies of this pair before: your verdict will be recorded as not blind."
			}
			out = append(out, say(text)...)
		}
	default:
		q := v.standing().Queue
		first, second := widget.Clean(q.Policies[r.row.sides[0]]), widget.Clean(q.Policies[r.row.sides[1]])
		out = append(out, th.Info.Render("A was "+first+", B was "+second)+".")
	}
	switch {
	case r.row.blind || !r.item.Disagreement():
	case r.own != nil:
		out = append(out, say("The reviewers differ: read what the others say, and change your verdict (v) or leave it. The pair stays in the queue until they agree.")...)
	default:
		out = append(out, say("The reviewers differ on this pair.")...)
	}
	if len(r.item.Stale) > 0 {
		out = append(out, say("Stale: the rows have changed since "+reviewers(r.item.Stale)+" reviewed them; what was said counts for nothing.")...)
	}
	if others := slices.DeleteFunc(slices.Clone(r.item.Current), func(e review.Entry) bool { return e.Reviewer == v.reviewer }); r.row.blind && len(others) > 0 {
		out = append(out, say("Reviewed by "+reviewers(others)+"; what they said is told once your verdict is in.")...)
	}
	if v.drafted(r.item.CaseID) {
		out = append(out, say("You began a verdict that is not recorded: v goes on with it.")...)
	}
	return out
}

// knows tells whether a reviewer was told the policies of a pair, as far as the
// application can tell.
func (v *reviewing) knows(reviewer, caseID string) bool {
	return v.read[caseID] || v.seen[mine{reviewer, caseID}]
}

// history is every verdict on the pair, the standing ones first; of a blind pair
// nothing.
func (v *reviewing) history(r *reviewRow, w int) []string {
	if r.row.blind {
		return nil
	}
	out := []string{v.s.heading("Verdicts", w)}
	entry := func(e *review.Entry, was string) {
		words := string(e.Cause) + ", agrees with both grades"
		if !e.Agrees() {
			words = string(e.Cause) + ", disputes the grade of " + r.disputed(e)
			if r.disputed(e) == "" {
				words = string(e.Cause) + ", disputes a grade" // of rows that have other names now
			}
		}
		blind := "blind"
		if !e.Blind {
			blind = "not blind"
		}
		out = append(out, v.s.labelled(upTo(widget.Clean(e.Reviewer), 11, v.s.th.Sign.More), was+words+" ("+blind+", "+moment(e.At)+")", w)...)
		if e.Note != "" {
			out = append(out, v.s.labelled("", widget.Clean(e.Note), w)...)
		}
	}
	for i := range r.item.Current {
		entry(&r.item.Current[i], "")
	}
	for i := range r.item.Stale {
		entry(&r.item.Stale[i], "stale: ")
	}
	for i := len(r.item.Earlier) - 1; i >= 0; i-- {
		entry(&r.item.Earlier[i], "before: ")
	}
	return append(out, "")
}

// moment writes when a verdict was given.
func moment(at string) string {
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		return t.UTC().Format("2006-01-02 15:04 UTC")
	}
	return widget.Clean(at)
}

// counts says how far the parts of the queue are, whoever reviewed them.
func counts(st *review.Standing) string {
	var parts []string
	for _, reason := range []review.Reason{review.Discordant, review.Flagged, review.Sampled} {
		if reviewed, of := st.Count(reason); of > 0 {
			parts = append(parts, fmt.Sprintf("%s %d/%d", reason, reviewed, of))
		}
	}
	if len(parts) == 0 {
		return "nothing is to be reviewed"
	}
	return strings.Join(parts, ", ")
}

// remarks are what there is to know about the queue as a whole.
func (v *reviewing) remarks() []string {
	st := v.standing()
	if st == nil {
		return nil
	}
	var out []string
	if v.told.Refusal != nil {
		out = append(out, "No verdict can be recorded now: "+widget.Clean(v.told.Refusal.Error())+".")
	}
	if now := len(st.Ledger.Entries); now < v.most {
		out = append(out, fmt.Sprintf("The review ledger has %s fewer than it had: %s was deleted or cut by somebody else. Put it back, or the verdicts are lost.", widget.Plural(v.most-now, "verdict"), review.LedgerFile))
	}
	for _, warning := range st.Ledger.Warnings() {
		out = append(out, widget.Clean(warning)+".")
	}
	if v.told.Err != nil {
		out = append(out, widget.Clean(v.told.Err.Error())+".")
	}
	if len(st.Odd) > 0 {
		out = append(out, fmt.Sprintf("Lines of the review ledger that tell A and B otherwise than its seed, and count for nothing: %d.", len(st.Odd)))
	}
	if len(st.Strays) > 0 {
		out = append(out, fmt.Sprintf("Verdicts on pairs that are not in the queue now: %d.", len(st.Strays)))
	}
	if !st.Queue.References {
		out = append(out, "The dataset is not at hand: flags rest on the predictions alone.")
	}
	return out
}

// resultText tells how the review stands as a whole. What was found is told
// only to who cannot be swayed by it any more.
func (v *reviewing) resultText() string {
	st := v.standing()
	if st == nil {
		return "The review is not read yet."
	}
	lines := []string{"Reviewed by anybody: " + counts(st) + ".",
		fmt.Sprintf("Stale: %d. Reviewers differ on: %d. Seed %d.", len(st.StaleItems()), len(st.Disagreements()), st.Queue.Seed)}
	lines = append(lines, v.remarks()...)
	for _, stray := range st.Strays {
		lines = append(lines, "Not in the queue now: a verdict of "+widget.Clean(stray.Reviewer)+" on "+widget.Clean(stray.CaseID)+".")
	}
	lines = append(lines, "")
	if !st.Told(v.reviewer) {
		return strings.Join(append(lines, "Agreement, kappa and the result under the disputes are told once nothing is open and you gave your verdict on every discordant and flagged pair."), "\n")
	}
	lines = append(lines, v.agreement()...)
	return strings.Join(append(lines, v.underDisputes()...), "\n")
}

// agreement compares the reviewers two by two.
func (v *reviewing) agreement() []string {
	agreed, err := v.standing().Agreements(v.told.Desk.Alpha())
	switch {
	case err != nil:
		return []string{widget.Clean(err.Error())}
	case len(agreed) == 0 && len(v.standing().Reviewers) > 1:
		return []string{"No pair was judged blind by two reviewers: there is no agreement to measure.", ""}
	case len(agreed) == 0:
		return []string{"One reviewer: there is no agreement to measure, and a second one is not required.", ""}
	}
	var lines []string
	for _, a := range agreed {
		who := widget.Clean(a.Reviewers[0]) + " and " + widget.Clean(a.Reviewers[1])
		lines = append(lines, "Agreement of "+who+":")
		for _, line := range a.Lines() {
			lines = append(lines, "  "+widget.Clean(line))
		}
	}
	return append(lines, "")
}

// underDisputes sets the result as it is beside the one as the disputes would
// have it.
func (v *reviewing) underDisputes() []string {
	disputed := v.standing().Disputed(false)
	if len(disputed) == 0 {
		return []string{"No grade is disputed."}
	}
	lines := []string{"Disputed grades: " + widget.Clean(strings.Join(disputed, ", ")) + ".",
		"No grade is changed. The result stays as it is; beside it, as it would be if every disputed grade were the other way round:"}
	result := v.told.Result
	if result == nil {
		return append(lines, "", "No statistics stand in the folder, so no document says how to resample, and the second result is not computed.")
	}
	policies := result.Is.Policies
	lines = append(lines, "", fmt.Sprintf("(counts: both right / only %s / only %s / both wrong)", widget.Clean(policies[0]), widget.Clean(policies[1])))
	for _, suite := range result.Is.Suites {
		name := suite.Name
		if name == figures.Overall {
			name += ", a summary and no finding"
		}
		lines = append(lines, "", name, "  as it is        "+figuresWords(suite))
		if would, ok := result.WouldBe.Find(suite.Name); ok {
			lines = append(lines, "  as it would be  "+figuresWords(would))
		}
	}
	if unanimous := v.standing().Disputed(true); len(unanimous) < len(disputed) {
		lines = append(lines, "", fmt.Sprintf("Of these %d disputes %d are of every reviewer of the pair.", len(disputed), len(unanimous)))
	}
	return lines
}

func figuresWords(s figures.Suite) string {
	m, b := s.McNemar, s.Bootstrap
	return fmt.Sprintf("%d / %d / %d / %d, %+.3f [%+.3f, %+.3f], p = %.2g", m.BothCorrect, m.OnlyFirstCorrect, m.OnlySecondCorrect, m.BothWrong,
		b.MeanDifference, b.Lower, b.Upper, m.PValue)
}
