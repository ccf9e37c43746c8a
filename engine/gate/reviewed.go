// The checks that a person looked: every discordant pair and every flag has a
// verdict on the rows as they are, and no two reviewers differ.

package gate

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/review"
)

func (g *checker) review() {
	if g.Queue == nil {
		for _, name := range []string{Pairs, Flags, Ledger} {
			g.add(name, NotRun, "the rows form no pairs")
		}
		return
	}
	s := g.standing
	for _, one := range []struct {
		name   string
		reason review.Reason
	}{{Pairs, review.Discordant}, {Flags, review.Flagged}} {
		reviewed, of := s.Count(one.reason)
		found := fmt.Sprintf("%d of %d reviewed", reviewed, of)
		if one.name == Flags && !g.Queue.References {
			found += "; flags rest on the predictions alone, because the reference answers are not at hand"
		}
		var details []string
		for _, item := range s.Open(one.reason) {
			details = append(details, open(item))
		}
		slices.Sort(details) // in the order of the queue a blind reader could count off which case a pair is
		if len(details) > 0 {
			g.add(one.name, Missing, found, details...)
		} else {
			g.add(one.name, Passed, found)
		}
	}
	g.ledger(s)
}

func open(item *review.ItemStanding) string {
	text := item.CaseID + ": no verdict"
	if len(item.Stale) > 0 {
		text = item.CaseID + ": its verdict is stale, the rows have changed since"
	}
	var flags []string
	for _, side := range item.Flags {
		for _, flag := range side {
			if !slices.Contains(flags, string(flag)) {
				flags = append(flags, string(flag))
			}
		}
	}
	if len(flags) > 0 {
		text += " (" + strings.Join(flags, ", ") + ")"
	}
	return text
}

// ledger tells damage, open disagreements and disputes. Whose grade is disputed
// is for those who have given their own verdict; here it is counted.
func (g *checker) ledger(s *review.Standing) {
	var missing []string
	for _, item := range s.Disagreements() {
		missing = append(missing, item.CaseID+": reviewers differ")
	}
	slices.Sort(missing)
	found := fmt.Sprintf("%s by %s", entries(len(g.Ledger.Entries)), count(len(s.Reviewers), "reviewer"))
	if reviewed, of := s.Count(review.Sampled); reviewed < of {
		found += fmt.Sprintf("; of the sample of other pairs %d of %d are reviewed", reviewed, of)
	}
	if disputed := len(s.Disputed(false)); disputed > 0 {
		found += "; the dispute of " + count(disputed, "grade") + " is reported beside the result"
	}
	warnings := g.Ledger.Warnings()
	if n := len(s.Odd); n > 0 {
		warnings = append(warnings, entries(n)+" with A and B otherwise than the seed gives them: they count for nothing")
	}
	if n := len(s.Strays); n > 0 {
		warnings = append(warnings, entries(n)+" on pairs that are not in this run's queue")
	}
	switch {
	case len(missing) > 0:
		g.add(Ledger, Missing, found, append(missing, warnings...)...)
	case len(warnings) > 0:
		g.add(Ledger, Noted, found, warnings...)
	default:
		g.add(Ledger, Passed, found)
	}
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
