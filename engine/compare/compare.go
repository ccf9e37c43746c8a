// Package compare sets two graded runs beside one another, row by row: first
// whether they are of one protocol at all, then what each kept, answered and
// was graded, and which grades flipped in which direction.
package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/stats"
)

// Version is the version of the document that JSON gives.
const Version = 1

// Change is one thing that identifies a run and differs between the two.
type Change struct {
	What string `json:"what"` // "dataset", "protocol ID", "model", …
	A    string `json:"a"`    // "unknown" where the run does not say
	B    string `json:"b"`
}

const unknown = "unknown"

// Row is a row that both runs have and that differs somewhere.
type Row struct {
	RowID      string   `json:"row_id"`
	CaseID     string   `json:"case_id"`
	Policy     string   `json:"policy"`
	Scenario   string   `json:"scenario"`
	Request    bool     `json:"request_differs"`
	Capacity   bool     `json:"capacity_differs"`
	KeptOnlyA  []string `json:"kept_only_in_a"`
	KeptOnlyB  []string `json:"kept_only_in_b"`
	KeptOrder  bool     `json:"kept_order_differs"` // the same facts in another order
	Prediction bool     `json:"prediction_differs"`
	CorrectA   bool     `json:"grade_correct_a"`
	CorrectB   bool     `json:"grade_correct_b"`
	RuleA      string   `json:"grade_rule_a"`
	RuleB      string   `json:"grade_rule_b"`
}

// Flipped tells whether the grade differs.
func (r *Row) Flipped() bool { return r.CorrectA != r.CorrectB }

// Kept tells whether other facts were kept.
func (r *Row) Kept() bool { return len(r.KeptOnlyA)+len(r.KeptOnlyB) > 0 }

// Direction says how a flipped grade went from A to B.
func (r *Row) Direction() string {
	switch {
	case !r.Flipped():
		return ""
	case r.CorrectB:
		return "wrong to right"
	}
	return "right to wrong"
}

// Test is the paired comparison of the two runs under one policy in one suite:
// the first arm is run A.
type Test struct {
	Policy   string
	Suite    string
	McNemar  stats.McNemarResult
	Newcombe stats.DifferenceResult // B's share of right answers minus A's
}

// Result is the comparison of run A with run B.
type Result struct {
	PathA, PathB         string
	ProtocolA, ProtocolB string
	Changes              []Change // of the identity; empty: one protocol
	Joined               bool     // the rows were set against one another
	Common               int      // rows that both have
	OnlyA, OnlyB         []string // row IDs that one run lacks, sorted
	Rows                 []Row    // that differ, by row ID
	Tests                []Test
	Warnings             []string
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
		if d, differs := rowOf(other, row); differs {
			r.Rows = append(r.Rows, d)
		}
	}
	slices.Sort(r.OnlyA)
	slices.Sort(r.OnlyB)
	slices.SortFunc(r.Rows, func(x, y Row) int { return strings.Compare(x.RowID, y.RowID) })
	if missing := len(r.OnlyA) + len(r.OnlyB); missing > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d rows are in one run only and in no figure here", missing))
	}
	return r, r.test(rowsA, b.Rows, o.Alpha)
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

func protocolOf(r *gradedrun.Run) string {
	switch {
	case r.Doc != nil:
		return r.Doc.ProtocolID
	case r.Stats != nil:
		return r.Stats.ProtocolID
	}
	return unknown
}

// changes compares what binds the runs to a protocol. What a run does not say
// counts as different: silence joins nothing.
func changes(a, b *gradedrun.Run) []Change {
	var out []Change
	add := func(what, x, y string) {
		if x != y || x == unknown {
			out = append(out, Change{what, x, y})
		}
	}
	add("protocol ID", protocolOf(a), protocolOf(b))
	if a.Doc == nil || b.Doc == nil {
		say := func(r *gradedrun.Run) string {
			if r.Doc == nil {
				return unknown
			}
			return "known"
		}
		out = append(out, Change{"the five hashes", say(a), say(b)})
	} else {
		for _, c := range rundir.Changes(a.Doc.Artifacts, b.Doc.Artifacts) {
			out = append(out, Change{c.What, c.Found, c.Want})
		}
		add("model", a.Doc.QA.Model, b.Doc.QA.Model)
	}
	add("grader", graders(a), graders(b))
	add("capacity", capacities(a), capacities(b))
	return out
}

func graders(r *gradedrun.Run) string {
	return each(r, func(row report.GradedRow) string { return row.GraderVersion })
}

func capacities(r *gradedrun.Run) string {
	return each(r, func(row report.GradedRow) string { return fmt.Sprint(row.Capacity) })
}

// each joins the different values of the rows.
func each(r *gradedrun.Run, value func(report.GradedRow) string) string {
	var values []string
	for _, row := range r.Rows {
		if v := value(row); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return strings.Join(values, ", ")
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

func rowOf(a, b report.GradedRow) (Row, bool) {
	r := Row{
		RowID: a.RowID, CaseID: a.CaseID, Policy: a.Policy, Scenario: a.Scenario,
		Request: a.RequestFingerprint != b.RequestFingerprint, Capacity: a.Capacity != b.Capacity,
		KeptOnlyA: without(a.KeptFactIDs, b.KeptFactIDs), KeptOnlyB: without(b.KeptFactIDs, a.KeptFactIDs),
		Prediction: a.Prediction != b.Prediction,
		CorrectA:   a.Correct, CorrectB: b.Correct, RuleA: a.Rule, RuleB: b.Rule,
	}
	r.KeptOrder = !r.Kept() && !slices.Equal(a.KeptFactIDs, b.KeptFactIDs)
	return r, r.Request || r.Capacity || r.Kept() || r.KeptOrder || r.Prediction || r.Flipped() || r.RuleA != r.RuleB
}

func without(a, b []string) []string {
	out := []string{}
	for _, id := range a {
		if !slices.Contains(b, id) {
			out = append(out, id)
		}
	}
	return out
}

// test compares the runs under each policy, suite by suite; a suite without a
// row that both have is left out.
func (r *Result) test(rowsA map[string]report.GradedRow, rowsB []report.GradedRow, alpha float64) error {
	rowsB = slices.Clone(rowsB)
	slices.SortFunc(rowsB, func(x, y report.GradedRow) int { return strings.Compare(x.RowID, y.RowID) })
	var policies []string
	for _, row := range rowsB {
		if !slices.Contains(policies, row.Policy) {
			policies = append(policies, row.Policy)
		}
	}
	slices.Sort(policies)
	for _, suite := range []string{figures.Official, figures.Synthetic, figures.Overall} {
		for _, policy := range policies {
			var pairs []stats.Pair
			for _, row := range rowsB {
				a, both := rowsA[row.RowID]
				if both && row.Policy == policy && slices.Contains(figures.Sources(suite), row.Source) {
					pairs = append(pairs, stats.Pair{First: a.Correct, Second: row.Correct})
				}
			}
			if len(pairs) == 0 {
				continue
			}
			t := Test{Policy: policy, Suite: suite}
			var err error
			if t.McNemar, err = stats.McNemar(stats.Count(pairs)); err != nil {
				return err
			}
			if t.Newcombe, err = stats.Newcombe(stats.Count(pairs), alpha); err != nil {
				return err
			}
			r.Tests = append(r.Tests, t)
		}
	}
	return nil
}
