// Package figures turns a run's graded rows into every figure that screens and
// reports show of them. It computes; the methods and their warnings are those
// of package stats. Suites are never added up, except in the one that says so.
package figures

import (
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/protocol/pools"
)

// The suites, in the order they are shown. Overall is both in one table: a
// summary, not a finding of its own.
const (
	Official  = "official"
	Synthetic = "synthetic"
	Overall   = "overall"
)

// Sources gives the sources of cases that make up a suite.
func Sources(suite string) []string {
	switch suite {
	case Official:
		return []string{pools.Official}
	case Synthetic:
		return []string{pools.Synthetic}
	}
	return []string{pools.Official, pools.Synthetic}
}

// Figures are a graded run's figures.
type Figures struct {
	Policies [2]string // first and second arm; differences are second minus first
	Suites   []Suite   // official, synthetic, overall; one without a case is left out
	// Scenarios compares the policies in each scenario of the official suite,
	// in name order. Empty without one.
	Scenarios stats.ScenariosResult
	Usage     []Usage // one a policy
}

// Suite is one suite with all its figures.
type Suite struct {
	Name string
	stats.Analysis
	// NoiseFloor is of the pairs whose two requests are the same bytes; Pairs is
	// 0, and a warning says so, where there is none.
	NoiseFloor stats.NoiseFloorResult
	Retention  stats.RetentionResult // was the support kept, and was the answer right
	Arms       [2]Arm                // the same, a policy each
	Notes      []string              // warnings about the rows themselves, told before all others
}

// Arm counts a policy's rows in a suite.
type Arm struct {
	Policy          string
	Cases           int
	Retained        int // all support facts kept
	Correct         int
	RetainedCorrect int // both; what is right without its support is Correct less this
}

// Warnings gives the notes, then the warnings of every figure of the suite, the
// pinned ones first, each once.
func (s Suite) Warnings() []string {
	var out []string
	for _, some := range [][]string{s.Notes, s.Analysis.Warnings(), s.NoiseFloor.Warnings, s.Retention.Warnings} {
		for _, warning := range some {
			if !slices.Contains(out, warning) {
				out = append(out, warning)
			}
		}
	}
	return out
}

// Usage sums what a policy's rows took.
type Usage struct {
	Policy           string
	Rows             int
	Attempts         int
	PromptTokens     int64
	CompletionTokens int64
	TotalTokens      int64
	Counted          int // rows whose provider told its tokens
}

// Find gives a suite by name.
func (f *Figures) Find(name string) (Suite, bool) {
	i := slices.IndexFunc(f.Suites, func(s Suite) bool { return s.Name == name })
	if i < 0 {
		return Suite{}, false
	}
	return f.Suites[i], true
}

// Compute makes the figures of graded rows. It fails where a case lacks a row
// under one of the two policies, or a method does.
func Compute(rows []report.GradedRow, policies [2]string, options stats.BootstrapOptions) (*Figures, error) {
	f := &Figures{Policies: policies}
	for _, name := range []string{Official, Synthetic, Overall} {
		cases, err := answered(rows, policies, Sources(name)...)
		if err != nil {
			return nil, err
		}
		if len(cases) == 0 {
			continue
		}
		suite, err := newSuite(name, cases, rows, policies, options)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", name, err)
		}
		f.Suites = append(f.Suites, suite)
	}
	if len(f.Suites) == 0 {
		return nil, stats.ErrNoPairs
	}
	if groups := scenarioGroups(rows, policies); len(groups) > 0 {
		var err error
		if f.Scenarios, err = stats.Scenarios(groups, options.Alpha); err != nil {
			return nil, err
		}
	}
	for _, policy := range policies {
		f.Usage = append(f.Usage, usage(rows, policy))
	}
	return f, nil
}

func newSuite(name string, cases []stats.AnsweredPair, rows []report.GradedRow, policies [2]string, options stats.BootstrapOptions) (s Suite, err error) {
	s.Name = name
	pairs := make([]stats.Pair, len(cases))
	for i, c := range cases {
		pairs[i] = stats.Pair{First: c.First.Correct, Second: c.Second.Correct}
	}
	compared, err := stats.Compare(name, pairs, options)
	if err != nil {
		return s, err
	}
	if s.Analysis, err = stats.Analyse(compared); err != nil {
		return s, err
	}
	if s.NoiseFloor, err = noiseFloor(cases, options.Alpha); err != nil {
		return s, err
	}
	s.Arms[0].Policy, s.Arms[1].Policy = policies[0], policies[1]
	var retained []stats.RetentionRow
	for _, row := range rows {
		arm := slices.Index(policies[:], row.Policy)
		if arm >= 0 && slices.Contains(Sources(name), row.Source) {
			s.Arms[arm].add(row)
			retained = append(retained, stats.RetentionRow{Case: row.CaseID, Retained: row.SupportRetained, Correct: row.Correct})
		}
	}
	s.Retention, err = stats.Retention(retained, options.Alpha)
	return s, err
}

// noiseFloor measures what differs on identical requests. Two policies need not
// agree anywhere, so that there is none to measure is no failure.
func noiseFloor(cases []stats.AnsweredPair, alpha float64) (stats.NoiseFloorResult, error) {
	result, err := stats.NoiseFloor(cases, alpha)
	if errors.Is(err, stats.ErrNoPairs) {
		return stats.NoiseFloorResult{
			Method: stats.MethodNoiseFloor, Others: len(cases),
			Warnings: []string{"no pair has byte-identical requests, so the noise floor is unknown"},
		}, nil
	}
	return result, err
}

func (a *Arm) add(row report.GradedRow) {
	a.Cases++
	if row.SupportRetained {
		a.Retained++
	}
	if row.Correct {
		a.Correct++
	}
	if row.SupportRetained && row.Correct {
		a.RetainedCorrect++
	}
}

// ErrUnpaired is a case with a row under one policy only.
var ErrUnpaired = errors.New("a case without a row under both policies")

// answered gives the cases of the named sources with both answers, in case-ID
// order, which is the order that the bootstrap draws by.
func answered(rows []report.GradedRow, policies [2]string, sources ...string) ([]stats.AnsweredPair, error) {
	type half struct {
		pair stats.AnsweredPair
		have [2]bool
	}
	byCase := map[string]*half{}
	for _, row := range rows {
		arm := slices.Index(policies[:], row.Policy)
		if arm < 0 || !slices.Contains(sources, row.Source) {
			continue
		}
		h := byCase[row.CaseID]
		if h == nil {
			h = &half{pair: stats.AnsweredPair{Key: row.CaseID}}
			byCase[row.CaseID] = h
		}
		one := stats.Answered{Request: row.RequestFingerprint, Prediction: row.Prediction, Correct: row.Correct}
		if h.have[arm] = true; arm == 0 {
			h.pair.First = one
		} else {
			h.pair.Second = one
		}
	}
	cases := make([]stats.AnsweredPair, 0, len(byCase))
	for id, h := range byCase {
		if !h.have[0] || !h.have[1] {
			return nil, fmt.Errorf("%w: %q", ErrUnpaired, id)
		}
		cases = append(cases, h.pair)
	}
	slices.SortFunc(cases, func(a, b stats.AnsweredPair) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	return cases, nil
}

// Pairs gives the pairs of the rows of the named sources, in case-ID order.
func Pairs(rows []report.GradedRow, policies [2]string, sources ...string) ([]stats.Pair, error) {
	cases, err := answered(rows, policies, sources...)
	if err != nil {
		return nil, err
	}
	pairs := make([]stats.Pair, len(cases))
	for i, c := range cases {
		pairs[i] = stats.Pair{First: c.First.Correct, Second: c.Second.Correct}
	}
	return pairs, nil
}

// scenarioGroups gives the pairs of the official suite by scenario, scenarios
// in name order and pairs in case-ID order.
func scenarioGroups(rows []report.GradedRow, policies [2]string) []stats.Group {
	byScenario := map[string][]report.GradedRow{}
	for _, row := range rows {
		if row.Source == pools.Official {
			byScenario[row.Scenario] = append(byScenario[row.Scenario], row)
		}
	}
	var groups []stats.Group
	for name, members := range byScenario {
		pairs, err := Pairs(members, policies, pools.Official)
		if err != nil {
			continue // told already by the suite
		}
		groups = append(groups, stats.Group{Name: name, Pairs: pairs})
	}
	slices.SortFunc(groups, func(a, b stats.Group) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return groups
}

func usage(rows []report.GradedRow, policy string) Usage {
	u := Usage{Policy: policy}
	for _, row := range rows {
		if row.Policy != policy {
			continue
		}
		u.Rows++
		u.Attempts += row.Attempts
		count := func(name string) int64 {
			if n := row.Usage[name]; n != nil && n.IsInt64() {
				return n.Int64()
			}
			return 0
		}
		if len(row.Usage) > 0 {
			u.Counted++
		}
		u.PromptTokens += count("prompt_tokens")
		u.CompletionTokens += count("completion_tokens")
		u.TotalTokens += count("total_tokens")
	}
	return u
}
