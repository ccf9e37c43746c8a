// A book made of graded rows alone, for a published folder whose protocol or
// dataset is not at hand. It knows what the rows tell: which facts were kept,
// whether the support was among them, the answers and their grades. Facts,
// scores, questions and reference answers it does not know.
package casebook

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// Published is what a published folder holds.
type Published struct {
	Rows  []report.GradedRow
	Run   *report.QARunDoc // nil where there is none
	Stats *report.StatsDoc // nil where there is none; it pins the bootstrap
}

// RowsError is a set of graded rows that is not that of a run.
type RowsError struct{ Problem string }

func (e *RowsError) Error() string { return "the graded rows are not those of a run: " + e.Problem }

// ErrNoRows is a folder without a graded row.
var ErrNoRows = errors.New("there is no graded row")

// FromPublished makes a book of graded rows. Cases come official first, then by
// scenario and ID. It fails where a row stands twice, is of a third policy or
// of another capacity, or a case lacks its row under one of the two.
func FromPublished(p Published) (*Book, error) {
	if len(p.Rows) == 0 {
		return nil, ErrNoRows
	}
	b := &Book{RunDoc: p.Run, QACapacity: p.Rows[0].Capacity, Capacities: []int{p.Rows[0].Capacity}}
	switch {
	case p.Run != nil:
		b.Protocol = p.Run.ProtocolID
	case p.Stats != nil:
		b.Protocol = p.Stats.ProtocolID
	}
	names, err := policyNames(p)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		b.Policies = append(b.Policies, policyNamed(name))
	}
	rows, err := b.fillEntries(p.Rows)
	if err != nil {
		return nil, err
	}
	b.RowsNeeded = len(b.Entries) * len(b.Policies)
	b = b.WithRows(rows)
	b.Checks = append(b.Checks, study.Check{Name: "graded rows", State: study.Passed,
		Expected: "one row a case and policy", Found: fmt.Sprintf("%d cases, %d rows", len(b.Entries), b.Rows)})
	return b, b.checkPublished(p, names)
}

// policyNames gives the two policies, the first arm first.
func policyNames(p Published) ([2]string, error) {
	var found []string
	for _, row := range p.Rows {
		if !slices.Contains(found, row.Policy) {
			found = append(found, row.Policy)
		}
	}
	if len(found) != 2 {
		return [2]string{}, &RowsError{fmt.Sprintf("expected two policies, found %d %q", len(found), found[:min(len(found), 4)])}
	}
	slices.Sort(found) // confidence before hybrid-v1
	names := [2]string(found)
	if p.Stats != nil {
		if first := p.Stats.Policies; slices.Contains(found, first[0]) && slices.Contains(found, first[1]) && first[0] != first[1] {
			names = first
		}
	}
	return names, nil
}

// policyNamed gives a policy by name. Its constants are those of the published
// study; nothing is scored with them, since there are no facts.
func policyNamed(name string) eviction.Policy {
	if name == eviction.NameHybridV1 {
		return eviction.HybridV1()
	}
	return eviction.Policy{Name: name}
}

// fillEntries makes the entries of the rows and gives the rows as a book has them.
func (b *Book) fillEntries(graded []report.GradedRow) ([]Row, error) {
	at := map[string]int{}
	rows := make([]Row, 0, len(graded))
	for _, g := range graded {
		i, ok := at[g.CaseID]
		if !ok {
			i = len(b.Entries)
			at[g.CaseID] = i
			b.Entries = append(b.Entries, Entry{
				Case: pools.Case{ID: g.CaseID, Scenario: g.Scenario, Source: g.Source, QuestionType: g.QuestionType,
					SupportIDs: []string{supportPrefix + g.CaseID}},
				Cells: map[CellKey]Cell{},
			})
		}
		e := &b.Entries[i]
		key := CellKey{g.Policy, g.Capacity}
		switch _, twice := e.Cells[key]; {
		case g.Capacity != b.QACapacity:
			return nil, &RowsError{fmt.Sprintf("row %q is of capacity %d, the first one of %d", g.RowID, g.Capacity, b.QACapacity)}
		case g.RowID != RowID(g.CaseID, g.Policy):
			return nil, &RowsError{fmt.Sprintf("row %q is of case %q under %q", g.RowID, g.CaseID, g.Policy)}
		case twice:
			return nil, &RowsError{fmt.Sprintf("row %q stands twice", g.RowID)}
		case g.Source != e.Case.Source || g.Scenario != e.Case.Scenario || g.QuestionType != e.Case.QuestionType:
			return nil, &RowsError{fmt.Sprintf("the rows of case %q disagree on its source, scenario or type", g.CaseID)}
		}
		e.Cells[key] = Cell{Kept: g.KeptFactIDs, SupportRetained: g.SupportRetained, SupportRecall: g.SupportRecall}
		rows = append(rows, GradedRow(g))
	}
	for i := range b.Entries {
		if n := len(b.Entries[i].Cells); n != len(b.Policies) {
			return nil, &RowsError{fmt.Sprintf("case %q has %d of %d rows", b.Entries[i].Case.ID, n, len(b.Policies))}
		}
	}
	slices.SortStableFunc(b.Entries, func(a, c Entry) int {
		return compareCases(a.Case, c.Case)
	})
	return rows, nil
}

// supportPrefix begins the ID of every support fact; a case's ID follows.
const supportPrefix = "gold_"

func compareCases(a, b pools.Case) int {
	key := func(c pools.Case) [3]string {
		suite := "0"
		if c.Source == pools.Synthetic {
			suite = "1"
		}
		return [3]string{suite, c.Scenario, c.ID}
	}
	x, y := key(a), key(b)
	return slices.Compare(x[:], y[:])
}

// GradedRow is a row of the report as a book has it.
func GradedRow(g report.GradedRow) Row {
	row := Row{
		ID:          g.RowID,
		Prediction:  g.Prediction,
		Attempts:    g.Attempts,
		Usage:       counts(g.Usage),
		Fingerprint: g.RequestFingerprint,
		Graded:      true,
		Correct:     g.Correct,
		Rule:        g.Rule,
	}
	if g.ResponseModel != nil {
		row.Model = *g.ResponseModel
	}
	return row
}

// counts gives the counts that fit an int64.
func counts(usage map[string]*big.Int) map[string]int64 {
	out := make(map[string]int64, len(usage))
	for name, n := range usage {
		if n != nil && n.IsInt64() {
			out[name] = n.Int64()
		}
	}
	return out
}

// checkPublished computes the figures from the rows and compares them with
// those the folder states.
func (b *Book) checkPublished(p Published, names [2]string) error {
	add := func(name string, ok bool, expected, found string) {
		state := study.Passed
		if !ok {
			state = study.Failed
		}
		b.Checks = append(b.Checks, study.Check{Name: name, State: state, Expected: expected, Found: found})
	}
	skip := func(names ...string) {
		for _, name := range names {
			b.Checks = append(b.Checks, study.Check{Name: name, State: study.NotRun})
		}
	}
	const one, capacity = "one protocol ID", "one capacity"
	switch {
	case p.Run == nil || p.Stats == nil:
		skip(one)
	default:
		add(one, p.Stats.ProtocolID == p.Run.ProtocolID, p.Run.ProtocolID, p.Stats.ProtocolID)
	}
	if p.Run == nil {
		skip(capacity)
	} else {
		add(capacity, p.Run.QA.Capacity == b.QACapacity, fmt.Sprint(p.Run.QA.Capacity), fmt.Sprint(b.QACapacity))
	}
	suites := []string{"statistics " + figures.Official, "statistics " + figures.Synthetic, "statistics " + figures.Overall}
	if p.Stats == nil {
		skip(suites...)
		return nil
	}
	pinned := p.Stats.Official.Bootstrap
	made, err := figures.Compute(p.Rows, names, stats.BootstrapOptions{Seed: pinned.Seed, Iterations: pinned.Iterations, Alpha: pinned.Alpha})
	if err != nil {
		return err
	}
	b.Figures = made
	for i, stated := range []report.Suite{p.Stats.Official, p.Stats.Synthetic, p.Stats.Overall} {
		suite, ok := made.Find([]string{figures.Official, figures.Synthetic, figures.Overall}[i])
		if !ok {
			add(suites[i], stated.Cases == 0, fmt.Sprintf("%d cases", stated.Cases), "no case")
			continue
		}
		differences := suiteOf(suite).Differences(stated)
		if len(differences) == 0 {
			add(suites[i], true, fmt.Sprintf("%d cases, p = %v", stated.Cases, stated.PValue), "computed again from the rows: equal")
			continue
		}
		add(suites[i], false, "the figures of qa.stats.json", "computed again from the rows: "+strings.Join(differences, "; "))
	}
	return nil
}

// suiteOf states a computed suite as the report does.
func suiteOf(s figures.Suite) report.Suite {
	t, b := s.McNemar, s.Bootstrap
	return report.Suite{
		Cases: s.Cases, BothCorrect: t.BothCorrect, BothWrong: t.BothWrong,
		OnlyFirstCorrect: t.OnlyFirstCorrect, OnlySecondCorrect: t.OnlySecondCorrect,
		PValue: t.PValue, MeanDifference: b.MeanDifference,
		Bootstrap: report.Bootstrap{Alpha: b.Alpha, Iterations: b.Iterations, Seed: b.Seed, Lower: b.Lower, Upper: b.Upper},
	}
}
