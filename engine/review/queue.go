// Package review is the record that a person looked: which pairs of a graded
// run are to be looked at, in which order and blind to the policy, what each
// reviewer found, and what that would change. It never changes a grade.
package review

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
)

// Reason is why a pair is in the queue.
type Reason string

// The reasons, in the order of the queue.
const (
	Discordant Reason = "discordant" // one answer is right and the other wrong
	Flagged    Reason = "flagged"    // concordant, with a flagged row
	Sampled    Reason = "sampled"    // concordant and drawn, to see what the others hide
)

// Item is one pair to look at.
type Item struct {
	CaseID   string
	Scenario string
	Source   string
	Reason   Reason
	Rows     [2]report.GradedRow // by policy, the first arm first
	Hashes   [2]string           // SHA-256 of the rows
	Flags    [2][]Flag
	Analysis casebook.PairAnalysis // its kind tells which side is which: not for a blind reader
}

// Flagged tells whether a row of the pair is flagged.
func (i *Item) Flagged() bool { return len(i.Flags[0])+len(i.Flags[1]) > 0 }

// Queue is what is to be reviewed of a run.
type Queue struct {
	Policies [2]string
	Seed     uint64 // of the order A/B, of the order of the queue and of the sample
	Sample   int    // concordant pairs asked for; there may be fewer
	Items    []Item // discordant, flagged, sampled

	// References tells whether the reference answers were at hand. Without them
	// some flags rest on the prediction alone.
	References bool
}

// Options say what the queue holds besides the discordant pairs.
type Options struct {
	Seed       uint64
	Sample     int
	References map[string]string // reference answers by case ID; nil where the dataset is not at hand
}

// DefaultSeed gives the seed of a run that has none recorded: it follows from
// the rows, so that every reviewer of a run starts from the same one.
func DefaultSeed(run *gradedrun.Run) uint64 {
	return draw("seed", run.RowsHash) >> 12 // below 2^52, so that every reader of JSON keeps it
}

// NewQueue gives the queue of a run. It fails where the rows form no pairs.
func NewQueue(run *gradedrun.Run, o Options) (*Queue, error) {
	book, err := run.Pairs()
	if err != nil {
		return nil, err
	}
	names, _ := run.Policies()
	q := &Queue{Policies: names, Seed: o.Seed, Sample: max(0, o.Sample), References: o.References != nil}
	rows := make(map[string]report.GradedRow, len(run.Rows))
	for _, row := range run.Rows {
		rows[row.RowID] = row
	}
	var rest []Item
	for i := range book.Entries {
		entry := &book.Entries[i]
		item := Item{CaseID: entry.Case.ID, Scenario: entry.Case.Scenario, Source: entry.Case.Source}
		item.Analysis, _ = book.Analyse(entry)
		var reference *string
		if text, ok := o.References[item.CaseID]; ok {
			reference = &text
		}
		for side, name := range names {
			row := rows[casebook.RowID(item.CaseID, name)]
			item.Rows[side], item.Hashes[side] = row, gradedrun.Hash(row)
			item.Flags[side] = Flags(run, row, reference)
		}
		switch {
		case item.Analysis.Outcome.Discordant():
			item.Reason = Discordant
			q.Items = append(q.Items, item)
		case item.Flagged():
			item.Reason = Flagged
			q.Items = append(q.Items, item)
		default:
			item.Reason = Sampled
			rest = append(rest, item)
		}
	}
	q.shuffle(rest)
	q.Items = append(q.Items, rest[:min(q.Sample, len(rest))]...)
	q.shuffle(q.Items)
	return q, nil
}

// shuffle orders items by reason and, inside each, by the seed: the order of
// the protocol would tell a blind reader the scenario.
func (q *Queue) shuffle(items []Item) {
	rank := func(i Item) int { return slices.Index([]Reason{Discordant, Flagged, Sampled}, i.Reason) }
	slices.SortStableFunc(items, func(a, b Item) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		x, y := draw("order", q.seed(), a.CaseID), draw("order", q.seed(), b.CaseID)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

func (q *Queue) seed() string { return strconv.FormatUint(q.Seed, 10) }

// Find gives the item of a case.
func (q *Queue) Find(caseID string) (*Item, bool) {
	i := slices.IndexFunc(q.Items, func(item Item) bool { return item.CaseID == caseID })
	if i < 0 {
		return nil, false
	}
	return &q.Items[i], true
}

// Side names one of a pair's answers to a reader who does not know its policy.
type Side string

// The two sides.
const (
	SideA Side = "A"
	SideB Side = "B"
)

// Sides gives, for a reviewer and a case, which policy's row is A and which is
// B, as indexes. It follows from the recorded seed, and every reviewer has an
// order of their own.
func (q *Queue) Sides(reviewer, caseID string) [2]int {
	if draw("side", q.seed(), reviewer, caseID)&1 == 1 {
		return [2]int{1, 0}
	}
	return [2]int{0, 1}
}

// draw makes a number of texts, the same everywhere and for ever.
func draw(texts ...string) uint64 {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s,", len(text), text)
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}
