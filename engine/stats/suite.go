// This file gives what a report states of one suite of cases, in one call.

package stats

import "fmt"

// Suite is the comparison of two arms on one group of cases.
type Suite struct {
	Name      string // "official", "synthetic" or "overall", for instance
	Cases     int
	McNemar   McNemarResult
	Bootstrap BootstrapResult
}

// Compare computes a suite from its pairs in case-ID order. It fails as
// [McNemar] and [Bootstrap] do, and names the suite.
func Compare(name string, pairs []Pair, options BootstrapOptions) (Suite, error) {
	test, err := McNemar(Count(pairs))
	if err != nil {
		return Suite{}, fmt.Errorf("suite %s: %w", name, err)
	}
	interval, err := Bootstrap(pairs, options)
	if err != nil {
		return Suite{}, fmt.Errorf("suite %s: %w", name, err)
	}
	return Suite{Name: name, Cases: len(pairs), McNemar: test, Bootstrap: interval}, nil
}

// Warnings gives the warnings of all of the suite's results, in order, each
// once.
func (s Suite) Warnings() []string {
	return uniqueWarnings(s.McNemar.Warnings, s.Bootstrap.Warnings)
}

// uniqueWarnings joins lists of warnings, each warning once.
func uniqueWarnings(lists ...[]string) []string {
	var all []string
	seen := make(map[string]bool)
	for _, warnings := range lists {
		for _, warning := range warnings {
			if !seen[warning] {
				seen[warning] = true
				all = append(all, warning)
			}
		}
	}
	return all
}
