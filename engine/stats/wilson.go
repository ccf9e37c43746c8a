// This file gives an interval for one arm's share of right answers, on one
// assumption: the cases are independent and equally likely to be answered right.

package stats

import (
	"fmt"
	"math"
)

// MethodWilson names the interval in results and reports.
const MethodWilson = "Wilson score interval"

// fewTrials is the size below which the interval is warned of: a convention.
const fewTrials = 10

// ProportionResult is a share with its interval.
type ProportionResult struct {
	Method            string
	Successes, Trials int
	Alpha             float64 // error rate; 0.05 gives a 95 % interval
	Estimate          float64 // Successes / Trials
	Lower, Upper      float64 // in [0, 1], around Estimate
	Warnings          []string
}

// Wilson computes the score interval without continuity correction (Wilson
// 1927; method 3 of Newcombe 1998, Statistics in Medicine 17:857):
//
//	(2np + z² ± z·√(z² + 4npq)) / (2(n + z²)),  q = 1 - p
//
// It fails with [ErrInvalid] unless 0 <= successes <= trials, trials >= 1 and
// alpha lies in (0, 1).
func Wilson(successes, trials int, alpha float64) (ProportionResult, error) {
	if trials < 1 || successes < 0 || successes > trials {
		return ProportionResult{}, fmt.Errorf("Wilson: %d right of %d: %w", successes, trials, ErrInvalid)
	}
	if err := checkAlpha(alpha); err != nil {
		return ProportionResult{}, fmt.Errorf("Wilson: %w", err)
	}
	n, x := float64(trials), float64(successes)
	result := ProportionResult{
		Method:    MethodWilson,
		Successes: successes,
		Trials:    trials,
		Alpha:     alpha,
		Estimate:  x / n,
	}
	z := normalQuantile(alpha)
	zz := float64(z * z)
	spread := float64(z * math.Sqrt(zz+float64(4*x*(n-x)/n)))
	centre := float64(2*x) + zz
	width := float64(2 * (n + zz))
	result.Lower = max(0, (centre-spread)/width)
	result.Upper = min(1, (centre+spread)/width)
	// Where nothing or everything succeeded, the end is exact but for rounding.
	if successes == 0 {
		result.Lower = 0
	}
	if successes == trials {
		result.Upper = 1
	}
	if trials < fewTrials {
		result.Warnings = []string{fmt.Sprintf("n = %d: the interval is wide, and one case moves it far", trials)}
	}
	return result, nil
}
