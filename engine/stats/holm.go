// This file corrects several p-values read together, without any assumption on
// how they depend on one another.

package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// MethodHolm names the correction in results and reports.
const MethodHolm = "Holm step-down"

// HolmResult is a family of p-values with their corrections.
type HolmResult struct {
	Method   string
	PValues  []float64 // as given, in [0, 1]
	Adjusted []float64 // in the order given, in [0, 1], never below the raw value
	Warnings []string
}

// Holm adjusts p-values so that rejecting those at most alpha makes one wrong
// rejection in the family with probability at most alpha (Holm 1979,
// Scandinavian Journal of Statistics 6:65). Of m values sorted ascending, the
// i-th from 0 becomes min(1, (m-i)·p), and never less than the one before it.
//
// It fails with [ErrInvalid] for an empty family or a value outside [0, 1], NaN
// included.
func Holm(pValues []float64) (HolmResult, error) {
	m := len(pValues)
	if m == 0 {
		return HolmResult{}, fmt.Errorf("Holm: no p-values: %w", ErrInvalid)
	}
	order := make([]int, m)
	for i, p := range pValues {
		if !(p >= 0 && p <= 1) {
			return HolmResult{}, fmt.Errorf("Holm: p-value %d is %v, it must lie in [0, 1]: %w", i+1, p, ErrInvalid)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pValues[a], pValues[b]) })

	result := HolmResult{Method: MethodHolm, PValues: slices.Clone(pValues), Adjusted: make([]float64, m)}
	floor := 0.0
	for i, index := range order {
		floor = max(floor, min(1, float64(m-i)*pValues[index]))
		result.Adjusted[index] = floor
	}
	if m == 1 {
		result.Warnings = []string{"one p-value: there was nothing to correct for"}
	}
	return result, nil
}
