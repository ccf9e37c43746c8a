// What the report says of the review: how far it is, how far reviewers agree,
// what their disputes would change, and each discordant pair with its verdicts.

package page

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/review"
)

func (r *Report) reviewState() section {
	s := section{title: "Review"}
	st := r.in.Standing
	t := table{head: []string{"queue", "reviewed", "of"}, numbers: []int{1, 2}}
	for _, reason := range []review.Reason{review.Discordant, review.Flagged, review.Sampled} {
		reviewed, of := st.Count(reason)
		t.rows = append(t.rows, []string{string(reason), fmt.Sprint(reviewed), fmt.Sprint(of)})
	}
	s.tabulate(t)
	s.say(fmt.Sprintf("Reviewers: %d. Stale verdicts with none that stands: %d. Pairs on which reviewers differ: %d. The order in which policies were shown follows from seed %d.",
		len(st.Reviewers), len(st.StaleItems()), len(st.Disagreements()), st.Queue.Seed))
	if !st.Queue.References {
		s.say("Flags rest on the predictions alone: the reference answers were not at hand when this report was made.")
	}
	for _, a := range r.agreed {
		s.say("Agreement of " + r.clean(a.Reviewers[0]) + " and " + r.clean(a.Reviewers[1]) + ":")
		s.items(a.Lines()...)
	}
	if warnings := st.Ledger.Warnings(); len(warnings) > 0 {
		s.items(prefixed("Warning: ", warnings)...)
	}
	if r.wouldBe == nil {
		s.say("No standing verdict disputes a grade.")
		return s
	}
	s.say(fmt.Sprintf("Disputed grades: %s. A dispute changes no grade; the figures above stand. If every one of these grades were the other way round, the result would be:", strings.Join(r.disputed, ", ")))
	s.tabulate(suiteTable(r.wouldBe, notPinned, notPinned))
	if unanimous := st.Disputed(true); len(unanimous) < len(r.disputed) {
		s.say(fmt.Sprintf("Disputed by every reviewer of the pair: %d of these %d.", len(unanimous), len(r.disputed)))
	}
	return s
}

func (r *Report) discordant() section {
	s := section{title: "Discordant pairs"}
	t := table{head: []string{"case", "suite", "scenario", "right under", "kind", "deciding rules", "verdicts"}}
	book := r.in.Run.Book
	for i := range book.Entries {
		e := &book.Entries[i]
		a, ok := book.Analyse(e)
		if !ok || !a.Outcome.Discordant() {
			continue
		}
		suite := figures.Official
		if !slices.Contains(figures.Sources(figures.Official), e.Case.Source) {
			suite = figures.Synthetic
		}
		t.rows = append(t.rows, []string{r.clean(e.Case.ID), suite, r.clean(e.Case.Scenario), a.Right().Policy, string(a.Kind),
			r.clean(a.Sides[0].Row.Rule + ", " + a.Sides[1].Row.Rule), r.verdicts(e.Case.ID)})
	}
	s.tabulate(t)
	for _, kind := range casebook.Kinds() {
		if n := countKind(t, kind); n > 0 {
			s.say(fmt.Sprintf("%s, %d: %s", kind, n, kind.Means()))
		}
	}
	return s
}

func countKind(t table, kind casebook.Kind) int {
	n := 0
	for _, row := range t.rows {
		if row[4] == string(kind) {
			n++
		}
	}
	return n
}

// verdicts tells the verdicts on a case, without notes.
func (r *Report) verdicts(id string) string {
	var out []string
	for i := range r.in.Standing.Items {
		if item := &r.in.Standing.Items[i]; item.CaseID == id {
			for _, e := range item.Current {
				word := "agrees"
				if !e.Agrees() {
					word = "disputes"
				}
				out = append(out, fmt.Sprintf("%s: %s, %s", r.clean(e.Reviewer), e.Cause, word))
			}
			if len(item.Stale) > 0 {
				out = append(out, "stale")
			}
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, "; ")
}
