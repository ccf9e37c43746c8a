// qa.stats.json: the paired comparison of the two policies, suite by suite.

package report

import (
	"math/big"

	"deermem-tui/protocol/pytext"
)

// StatsDoc is qa.stats.json. Differences are the second policy's minus the
// first's.
type StatsDoc struct {
	ProtocolID    string
	GraderVersion string
	Policies      [2]string // first, second
	Official      Suite
	Synthetic     Suite
	Overall       Suite // both suites in one table
}

// Suite is the paired comparison over one set of cases.
type Suite struct {
	Cases             int
	BothCorrect       int
	BothWrong         int
	OnlyFirstCorrect  int     // discordant
	OnlySecondCorrect int     // discordant
	PValue            float64 // exact two-sided McNemar
	MeanDifference    float64
	Bootstrap         Bootstrap
}

// Bootstrap is the percentile interval of a suite's mean difference.
type Bootstrap struct {
	Alpha      float64
	Iterations int
	Seed       *big.Int
	Lower      float64
	Upper      float64
}

// FirstCorrect counts the cases the first policy's answer was right in.
func (s Suite) FirstCorrect() int { return s.BothCorrect + s.OnlyFirstCorrect }

// SecondCorrect counts the cases the second policy's answer was right in.
func (s Suite) SecondCorrect() int { return s.BothCorrect + s.OnlySecondCorrect }

// JSON gives the document.
func (d StatsDoc) JSON() []byte {
	return pytext.MarshalIndent(map[string]any{
		"grader_version": d.GraderVersion,
		"policies":       d.Policies[:],
		"protocol_id":    d.ProtocolID,
		"schema_version": schemaVersion,
		"suites": map[string]any{
			"official":  d.Official.value(),
			"overall":   d.Overall.value(),
			"synthetic": d.Synthetic.value(),
		},
	})
}

func (s Suite) value() map[string]any {
	return map[string]any{
		"bootstrap": map[string]any{
			"alpha":           s.Bootstrap.Alpha,
			"iterations":      s.Bootstrap.Iterations,
			"lower":           s.Bootstrap.Lower,
			"mean_difference": s.MeanDifference,
			"seed":            s.Bootstrap.Seed,
			"upper":           s.Bootstrap.Upper,
		},
		"cases": s.Cases,
		"mcnemar": map[string]any{
			"both_correct":        s.BothCorrect,
			"both_wrong":          s.BothWrong,
			"only_first_correct":  s.OnlyFirstCorrect,
			"only_second_correct": s.OnlySecondCorrect,
			"p_value":             s.PValue,
		},
	}
}
