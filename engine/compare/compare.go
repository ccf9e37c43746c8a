// Package compare sets two graded runs beside one another, row by row: first
// whether they are of one protocol at all, then what each kept, answered and
// was graded, and which grades flipped in which direction.
package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
)

// Version is the version of the document that JSON gives.
const Version = 1

// Result is the comparison of run A with run B.
type Result struct {
	PathA, PathB         string
	ProtocolA, ProtocolB string
	Changes              []Change // of the identity; empty: one protocol
	Joined               bool     // the rows were set against one another
	Sealed               string   // why no grade is told: a run is not whole; empty where grades are
	Common               int      // rows that both have
	OnlyA, OnlyB         []string // row IDs that one run lacks, sorted
	Rows                 []Row    // that differ in more than what they took, by row ID
	UsageOnly            []Row    // that differ in attempts or tokens alone, by row ID
	Tests                []Test
	Warnings             []string
	OfRuns               int // how many of the warnings, the first ones, are of the runs and not of a test
}

// ErrProtocols is a pair of runs that are not of one protocol; test with
// errors.Is. The result beside it holds what differs, and nothing else.
var ErrProtocols = errors.New("the two runs are not of one protocol")

// ErrRows is a run with a row that stands twice; test with errors.Is.
var ErrRows = errors.New("a row stands twice")

// Options say how far a comparison goes.
type Options struct {
	AcrossProtocols bool    // join rows although the protocols differ
	Alpha           float64 // of the intervals; 0: 0.05
}

// Compare compares two graded runs. Where they are not of one protocol it fails
// with ErrProtocols, unless told to go on; what differs is in the result either
// way.
func Compare(a, b *gradedrun.Run, o Options) (*Result, error) {
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	r := &Result{PathA: a.Dir.Path(), PathB: b.Dir.Path(), ProtocolA: protocolOf(a), ProtocolB: protocolOf(b), Changes: changes(a, b)}
	if len(r.Changes) > 0 && !o.AcrossProtocols {
		return r, fmt.Errorf("%w: %s differ; rows of different protocols are joined only when asked for", ErrProtocols, r.changed())
	}
	if len(r.Changes) > 0 {
		r.Warnings = append(r.Warnings, "rows are joined across protocols ("+r.changed()+" differ): a difference need not be the runs'")
	}
	rowsA, err := index(a)
	if err != nil {
		return r, err
	}
	rowsB, err := index(b)
	if err != nil {
		return r, err
	}
	r.Joined = true
	for _, id := range a.Rows {
		if _, ok := rowsB[id.RowID]; !ok {
			r.OnlyA = append(r.OnlyA, id.RowID)
		}
	}
	for _, row := range b.Rows {
		other, ok := rowsA[row.RowID]
		if !ok {
			r.OnlyB = append(r.OnlyB, row.RowID)
			continue
		}
		r.Common++
		switch d := rowOf(other, row); {
		case d.differs():
			r.Rows = append(r.Rows, d)
		case d.Usage:
			r.UsageOnly = append(r.UsageOnly, d)
		}
	}
	slices.Sort(r.OnlyA)
	slices.Sort(r.OnlyB)
	r.seal(a, b)
	for _, rows := range [][]Row{r.Rows, r.UsageOnly} {
		slices.SortFunc(rows, func(x, y Row) int { return strings.Compare(x.RowID, y.RowID) })
	}
	switch missing := len(r.OnlyA) + len(r.OnlyB); missing {
	case 0:
	case 1:
		r.Warnings = append(r.Warnings, "1 row is in one run only and in no figure here")
	default:
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d rows are in one run only and in no figure here", missing))
	}
	if r.Common == 0 {
		r.Warnings = append(r.Warnings, "the runs have no row in common, so nothing was compared")
	}
	if a.RowsHash != "" && a.RowsHash == b.RowsHash {
		r.Warnings = append(r.Warnings, "A and B hold the same graded rows, byte for byte: they are one run, or a copy of it")
	}
	r.OfRuns = len(r.Warnings)
	if r.Sealed != "" {
		return r, nil
	}
	return r, r.test(rowsA, b.Rows, o.Alpha)
}

// seal takes the grades away where one of the runs is not whole: nothing shows
// a grade while rows are missing, and a comparison is no way around it. Across
// protocols the runs may be of other cases, so there only a torn pair counts.
func (r *Result) seal(a, b *gradedrun.Run) {
	switch missing := len(r.OnlyA) + len(r.OnlyB); {
	case len(r.Changes) == 0 && missing > 0:
		r.Sealed = fmt.Sprintf("rows are missing in %s, so no grade is told", r.lacking())
	case a.BookErr != nil || b.BookErr != nil:
		r.Sealed = "the rows of a run form no pairs, so no grade is told"
	default:
		return
	}
	r.Warnings = append(r.Warnings, r.Sealed)
	for i := range r.Rows {
		row := &r.Rows[i]
		row.CorrectA, row.CorrectB, row.RuleA, row.RuleB = false, false, "", ""
	}
	var kept []Row
	for _, row := range r.Rows {
		switch {
		case row.differs():
			kept = append(kept, row)
		case row.Usage:
			r.UsageOnly = append(r.UsageOnly, row)
		}
	}
	r.Rows = kept
	for i := range r.UsageOnly {
		row := &r.UsageOnly[i]
		row.CorrectA, row.CorrectB, row.RuleA, row.RuleB = false, false, "", ""
	}
}

// lacking names the run, or both, that lacks rows.
func (r *Result) lacking() string {
	switch {
	case len(r.OnlyA) == 0:
		return "A"
	case len(r.OnlyB) == 0:
		return "B"
	}
	return "A and B"
}

func (r *Result) changed() string {
	var words []string
	for _, c := range r.Changes {
		words = append(words, c.What)
	}
	return strings.Join(words, ", ")
}

// Flips gives the rows whose grade differs.
func (r *Result) Flips() []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return !row.Flipped() })
}

// Count counts what differs among the rows that both runs have.
func (r *Result) Count() (kept, predictions, rightToWrong, wrongToRight int) {
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Kept() {
			kept++
		}
		if row.Prediction {
			predictions++
		}
		switch {
		case row.Flipped() && row.CorrectB:
			wrongToRight++
		case row.Flipped():
			rightToWrong++
		}
	}
	return kept, predictions, rightToWrong, wrongToRight
}

func index(r *gradedrun.Run) (map[string]report.GradedRow, error) {
	rows := make(map[string]report.GradedRow, len(r.Rows))
	for _, row := range r.Rows {
		if _, twice := rows[row.RowID]; twice {
			return nil, fmt.Errorf("%s: %w: %s", r.Dir.Path(), ErrRows, row.RowID)
		}
		rows[row.RowID] = row
	}
	return rows, nil
}
