// The paired test between the runs, under each policy, suite by suite.

package compare

import (
	"slices"
	"strings"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
)

// Test is the paired comparison of the two runs under one policy in one suite:
// the first arm is run A.
type Test struct {
	Policy   string
	Suite    string
	McNemar  stats.McNemarResult
	Newcombe stats.DifferenceResult // B's share of right answers minus A's
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
			for _, warning := range slices.Concat(t.McNemar.Warnings, t.Newcombe.Warnings) {
				r.Warnings = append(r.Warnings, suite+", "+policy+": "+warning)
			}
			r.Tests = append(r.Tests, t)
		}
	}
	return nil
}
