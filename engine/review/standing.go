// Where a review stands: what is left, what is stale, where reviewers differ,
// and what the result would be if the disputes were right.

package review

import (
	"fmt"
	"slices"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
)

// Standing is a queue with its verdicts.
type Standing struct {
	Queue  *Queue
	Ledger *Ledger
	Items  []ItemStanding // as the queue's
	// Strays are verdicts on pairs that are not in the queue: of a larger sample
	// or of another seed, or pairs that are no longer discordant.
	Strays []Entry
	// Odd are verdicts whose A and B are not those that the recorded seed gives
	// their reviewer, so that nobody knows which row was meant. They count for
	// nothing.
	Odd       []Entry
	Reviewers []string // sorted
}

// ItemStanding is one item with its verdicts.
type ItemStanding struct {
	*Item
	Current []Entry // the latest of each reviewer, on these very rows; by reviewer
	Stale   []Entry // the latest of a reviewer, on rows that have changed since
	Earlier []Entry // changed since by the same reviewer
}

// Reviewed tells whether somebody's verdict on these rows stands.
func (i *ItemStanding) Reviewed() bool { return len(i.Current) > 0 }

// Disagreement tells whether two verdicts that stand differ.
func (i *ItemStanding) Disagreement() bool {
	for n := 1; n < len(i.Current); n++ {
		if !i.Current[0].Same(&i.Current[n]) {
			return true
		}
	}
	return false
}

// By gives a reviewer's standing verdict.
func (i *ItemStanding) By(reviewer string) (Entry, bool) {
	at := slices.IndexFunc(i.Current, func(e Entry) bool { return e.Reviewer == reviewer })
	if at < 0 {
		return Entry{}, false
	}
	return i.Current[at], true
}

// Seen tells whether a reviewer was told the policies of the pair: by a verdict
// on these rows or on earlier ones.
func (i *ItemStanding) Seen(reviewer string) bool {
	for _, list := range [][]Entry{i.Current, i.Stale, i.Earlier} {
		if slices.ContainsFunc(list, func(e Entry) bool { return e.Reviewer == reviewer }) {
			return true
		}
	}
	return false
}

// Stand sets a ledger against a queue.
func Stand(q *Queue, l *Ledger) *Standing {
	s := &Standing{Queue: q, Ledger: l}
	for i := range q.Items {
		s.Items = append(s.Items, ItemStanding{Item: &q.Items[i]})
	}
	var entries []Entry
	for _, entry := range l.Entries {
		if l.Entries[0].Seed == q.Seed && !q.gave(entry) {
			s.Odd = append(s.Odd, entry)
			continue
		}
		entries = append(entries, entry)
	}
	for n, entry := range entries {
		if !slices.Contains(s.Reviewers, entry.Reviewer) {
			s.Reviewers = append(s.Reviewers, entry.Reviewer)
		}
		later := slices.ContainsFunc(entries[n+1:], func(o Entry) bool { return o.Reviewer == entry.Reviewer && o.CaseID == entry.CaseID })
		at := slices.IndexFunc(s.Items, func(i ItemStanding) bool { return i.CaseID == entry.CaseID })
		switch {
		case at < 0 && !later:
			s.Strays = append(s.Strays, entry)
		case at < 0:
		case later:
			s.Items[at].Earlier = append(s.Items[at].Earlier, entry)
		case s.Items[at].fresh(entry):
			s.Items[at].Current = append(s.Items[at].Current, entry)
		default:
			s.Items[at].Stale = append(s.Items[at].Stale, entry)
		}
	}
	slices.Sort(s.Reviewers)
	for i := range s.Items {
		slices.SortStableFunc(s.Items[i].Current, func(a, b Entry) int {
			return slices.Index(s.Reviewers, a.Reviewer) - slices.Index(s.Reviewers, b.Reviewer)
		})
	}
	return s
}

// gave tells whether the queue shows A and B as an entry says they were.
func (q *Queue) gave(e Entry) bool {
	sides := q.Sides(e.Reviewer, e.CaseID)
	return e.Seed == q.Seed && e.Shown == [2]string{q.Policies[sides[0]], q.Policies[sides[1]]}
}

// fresh tells whether an entry is of the rows as they are now.
func (i *ItemStanding) fresh(e Entry) bool {
	if len(e.Rows) != len(i.Rows) {
		return false
	}
	for n, row := range i.Rows {
		if e.Rows[row.RowID] != i.Hashes[n] {
			return false
		}
	}
	return true
}

// Count tells how far the items of a reason are; stale ones count as not
// reviewed.
func (s *Standing) Count(reason Reason) (reviewed, of int) {
	for i := range s.Items {
		if s.Items[i].Reason == reason {
			of++
			if s.Items[i].Reviewed() {
				reviewed++
			}
		}
	}
	return reviewed, of
}

// Open gives the items of a reason that nobody's standing verdict covers.
func (s *Standing) Open(reason Reason) []*ItemStanding {
	return s.where(func(i *ItemStanding) bool { return i.Reason == reason && !i.Reviewed() })
}

// Disagreements gives the items on which reviewers differ.
func (s *Standing) Disagreements() []*ItemStanding {
	return s.where((*ItemStanding).Disagreement)
}

// StaleItems gives the items with a stale verdict and none that stands.
func (s *Standing) StaleItems() []*ItemStanding {
	return s.where(func(i *ItemStanding) bool { return len(i.Stale) > 0 && !i.Reviewed() })
}

func (s *Standing) where(is func(*ItemStanding) bool) []*ItemStanding {
	var out []*ItemStanding
	for i := range s.Items {
		if is(&s.Items[i]) {
			out = append(out, &s.Items[i])
		}
	}
	return out
}

// Finished tells whether nothing that must be reviewed is open, so that what
// reviewers found as a whole can sway nobody any more.
func (s *Standing) Finished() bool {
	return len(s.Open(Discordant)) == 0 && len(s.Open(Flagged)) == 0
}

// Told tells whether a reviewer may know what was found as a whole: nothing is
// open, and they were told every pair that must be reviewed.
func (s *Standing) Told(reviewer string) bool {
	for i := range s.Items {
		if s.Items[i].Reason != Sampled && !s.Items[i].Seen(reviewer) {
			return false
		}
	}
	return s.Finished()
}

// Find gives the item of a case.
func (s *Standing) Find(caseID string) (*ItemStanding, bool) {
	at := slices.IndexFunc(s.Items, func(i ItemStanding) bool { return i.CaseID == caseID })
	if at < 0 {
		return nil, false
	}
	return &s.Items[at], true
}

// Needs tells whether a reviewer has to look at an item: without a standing
// verdict of theirs, or where theirs differs from another's.
func (i *ItemStanding) Needs(reviewer string) bool {
	_, done := i.By(reviewer)
	return !done || i.Disagreement()
}

// Next gives what a reviewer looks at next: the first item of the queue without
// a standing verdict of theirs, then those where they differ from another.
func (s *Standing) Next(reviewer string) (*ItemStanding, bool) {
	for i := range s.Items {
		if _, done := s.Items[i].By(reviewer); !done {
			return &s.Items[i], true
		}
	}
	for _, i := range s.Disagreements() { // every item has a verdict of theirs by now
		return i, true
	}
	return nil, false
}

// Disputed gives the rows whose grade a standing verdict disputes, sorted. With
// unanimous only those that every reviewer of the pair disputes.
func (s *Standing) Disputed(unanimous bool) []string {
	var rows []string
	for n := range s.Items {
		item := &s.Items[n]
		for _, row := range item.Rows {
			count := 0
			for _, e := range item.Current {
				if slices.Contains(e.Disputed, row.RowID) {
					count++
				}
			}
			if count > 0 && (!unanimous || count == len(item.Current)) {
				rows = append(rows, row.RowID)
			}
		}
	}
	slices.Sort(rows)
	return rows
}

// WouldBe computes the figures as they would be if the grades of the named rows
// were the other way round. The rows given stay as they are.
func WouldBe(rows []report.GradedRow, policies [2]string, disputed []string, options stats.BootstrapOptions) (*figures.Figures, error) {
	turned := slices.Clone(rows)
	for i := range turned {
		if slices.Contains(disputed, turned[i].RowID) {
			turned[i].Correct = !turned[i].Correct
		}
	}
	made, err := figures.Compute(turned, policies, options)
	if err != nil {
		return nil, fmt.Errorf("the result as it would be: %w", err)
	}
	return made, nil
}
