// How far two reviewers agree before they talk: only first verdicts, given
// blind, are independent. A verdict changed afterwards, which a publication asks
// for, is agreement reached, and says nothing of how hard the pairs were to judge.

package review

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/stats"
)

// Agreement compares two reviewers on the pairs that both judged blind, on the
// rows as they are now.
type Agreement struct {
	Reviewers [2]string
	Causes    stats.KappaResult // of the verdicts, one item a pair
	Grades    stats.KappaResult // of agreeing with a grade or disputing it, one item a row
	// Changed are the pairs among them on which one of the two changed their mind
	// since, and Open those on which they still differ.
	Changed, Open int
	// Left are pairs of both whose first verdict on these rows was not blind: the
	// rows changed after the policies were told.
	Left int
}

// Agreements compares every two reviewers who judged a pair in common blind.
func (s *Standing) Agreements(alpha float64) ([]Agreement, error) {
	var out []Agreement
	for i, first := range s.Reviewers {
		for _, second := range s.Reviewers[i+1:] {
			a, ok, err := s.agreement([2]string{first, second}, alpha)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// agreement compares two reviewers; false where they have no pair in common.
func (s *Standing) agreement(who [2]string, alpha float64) (a Agreement, ok bool, err error) {
	a.Reviewers = who
	var causes, grades []stats.Rating
	for n := range s.Items {
		item := &s.Items[n]
		first, haveFirst := item.first(who[0])
		second, haveSecond := item.first(who[1])
		switch {
		case !haveFirst || !haveSecond:
			continue
		case !first.Blind || !second.Blind:
			a.Left++
			continue
		}
		causes = append(causes, stats.Rating{First: string(first.Cause), Second: string(second.Cause)})
		for _, row := range item.Rows {
			grades = append(grades, stats.Rating{First: gradeWord(first, row.RowID), Second: gradeWord(second, row.RowID)})
		}
		now, _ := item.By(who[0])
		then, _ := item.By(who[1])
		if !now.Same(&first) || !then.Same(&second) {
			a.Changed++
		}
		if !now.Same(&then) {
			a.Open++
		}
	}
	if len(causes) == 0 {
		return a, false, nil
	}
	if a.Causes, err = stats.Kappa(causes, alpha); err != nil {
		return a, false, err
	}
	if a.Grades, err = stats.Kappa(grades, alpha); err != nil {
		return a, false, err
	}
	return a, true, nil
}

// first gives a reviewer's first verdict on the rows as they are now.
func (i *ItemStanding) first(reviewer string) (Entry, bool) {
	for _, list := range [][]Entry{i.Earlier, i.Current} { // each in the order given, the earlier ones before
		at := slices.IndexFunc(list, func(e Entry) bool { return e.Reviewer == reviewer && i.fresh(e) })
		if at >= 0 {
			return list[at], true
		}
	}
	return Entry{}, false
}

func gradeWord(e Entry, rowID string) string {
	if slices.Contains(e.Disputed, rowID) {
		return "dispute"
	}
	return "agree"
}

// Lines writes an agreement for people, a sentence each: the two coefficients,
// what came after them, and each one's warnings, named after it.
func (a Agreement) Lines() []string {
	lines := []string{"verdicts " + AgreementWords(a.Causes), "grades, row by row, " + AgreementWords(a.Grades)}
	if a.Changed > 0 {
		lines = append(lines, fmt.Sprintf("these are the first, blind verdicts; %s since, %d still differ", changed(a.Changed), a.Open))
	}
	if a.Left > 0 {
		lines = append(lines, fmt.Sprintf("left out, because a first verdict on these rows was not blind: %d", a.Left))
	}
	for _, warning := range a.Causes.Warnings {
		lines = append(lines, "verdicts: "+a.named(warning))
	}
	for _, warning := range a.Grades.Warnings {
		lines = append(lines, "grades: "+a.named(warning))
	}
	return lines
}

// named puts a reviewer's name where a warning counts its raters.
func (a Agreement) named(warning string) string {
	for i, who := range a.Reviewers {
		if rest, ok := strings.CutPrefix(warning, fmt.Sprintf("rater %d ", i+1)); ok {
			return who + " " + rest
		}
	}
	return warning
}

func changed(pairs int) string {
	if pairs == 1 {
		return "on 1 pair a mind was changed"
	}
	return fmt.Sprintf("on %d pairs a mind was changed", pairs)
}

// AgreementWords writes a coefficient with what it has to be read against:
// "alike in 7 of 8 (0.560 by chance), kappa 0.714 [0.203, 1.000], at most 0.857".
func AgreementWords(k stats.KappaResult) string {
	text := fmt.Sprintf("alike in %.0f of %d (%.3f by chance)", k.Observed*float64(k.Items), k.Items, k.Expected)
	if !k.Defined {
		return text + ", kappa undefined"
	}
	words := fmt.Sprintf("%s, kappa %.3f [%.3f, %.3f], at most %.3f", text, k.Kappa, k.Lower, k.Upper, k.Highest)
	return strings.ReplaceAll(words, "-0.000", "0.000") // rounding leaves no sign
}
