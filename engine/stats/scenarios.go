// This file compares the arms scenario by scenario, and pays for looking several
// times.

package stats

import "fmt"

// MethodScenarios names the comparison in results and reports.
const MethodScenarios = "exact two-sided McNemar by scenario, Holm step-down"

// Group is a named part of a suite: a scenario, for instance.
type Group struct {
	Name  string
	Pairs []Pair
}

// ScenarioResult is the comparison in one part of a suite.
type ScenarioResult struct {
	Name     string
	Standing Standing // always Secondary: a suite's parts are not what a protocol pins
	McNemar  McNemarResult
	Adjusted float64 // Holm's p over all parts, in [0, 1]
	Newcombe DifferenceResult
}

// ScenariosResult is a suite's comparison by parts, in the order given.
type ScenariosResult struct {
	Method   string
	Alpha    float64 // of the Newcombe intervals, which are not corrected
	Rows     []ScenarioResult
	Warnings []string // each named after its part
}

// Scenarios tests each group and corrects the p-values over all of them as one
// family; give the groups of one suite only. It fails as [McNemar], [Holm] and
// [Newcombe] do and names the group, or with [ErrInvalid] for a name given twice.
func Scenarios(groups []Group, alpha float64) (ScenariosResult, error) {
	result := ScenariosResult{Method: MethodScenarios, Alpha: alpha}
	seen := make(map[string]bool, len(groups))
	pValues := make([]float64, 0, len(groups))
	for _, group := range groups {
		if seen[group.Name] {
			return ScenariosResult{}, fmt.Errorf("scenario %s is given twice: %w", group.Name, ErrInvalid)
		}
		seen[group.Name] = true
		table := Count(group.Pairs)
		test, err := McNemar(table)
		if err != nil {
			return ScenariosResult{}, fmt.Errorf("scenario %s: %w", group.Name, err)
		}
		interval, err := Newcombe(table, alpha)
		if err != nil {
			return ScenariosResult{}, fmt.Errorf("scenario %s: %w", group.Name, err)
		}
		pValues = append(pValues, test.PValue)
		result.Rows = append(result.Rows, ScenarioResult{Name: group.Name, Standing: Secondary, McNemar: test, Newcombe: interval})
		for _, warning := range uniqueWarnings(test.Warnings, interval.Warnings) {
			result.Warnings = append(result.Warnings, group.Name+": "+warning)
		}
	}
	family, err := Holm(pValues)
	if err != nil {
		return ScenariosResult{}, fmt.Errorf("scenarios: %w", err)
	}
	for i, adjusted := range family.Adjusted {
		result.Rows[i].Adjusted = adjusted
	}
	result.Warnings = append(result.Warnings, family.Warnings...)
	return result, nil
}
