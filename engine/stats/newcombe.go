// This file gives an interval for the difference between two arms that does not
// resample, and so holds where pairs are few: it combines the two arms' own
// intervals and allows for the correlation between them.

package stats

import (
	"fmt"
	"math"
)

// MethodNewcombe names the interval in results and reports.
const MethodNewcombe = "Newcombe paired score interval (method 10)"

// DifferenceResult is an interval for the second arm's share of right answers
// minus the first's.
type DifferenceResult struct {
	Table
	Method       string
	Alpha        float64 // error rate; 0.05 gives a 95 % interval
	Difference   float64 // of the pairs as given, in [-1, 1]
	Phi          float64 // correlation of the two arms as the method corrects it, in (-1, 1)
	Lower, Upper float64 // in [-1, 1], around Difference
	Warnings     []string
}

// Newcombe computes method 10 of Newcombe 1998, Statistics in Medicine 17:2635.
// With p1, p2 the arms' shares, l1, u1, l2, u2 their [Wilson] intervals, and
// a, b, c, d the pairs both right, only the first, only the second, both wrong:
//
//	lower = p2 - p1 - √((p2-l2)² - 2φ(p2-l2)(u1-p1) + (u1-p1)²)
//	upper = p2 - p1 + √((u2-p2)² - 2φ(u2-p2)(p1-l1) + (p1-l1)²)
//	φ = A / √((a+b)(c+d)(a+c)(b+d)), and 0 where that product is 0
//
// The continuity correction of φ is what makes this method 10 and not 8:
// A = max(ad-bc - n/2, 0) where ad > bc, else ad-bc.
//
// It fails with [ErrNoPairs], or [ErrInvalid] for a negative count or an alpha
// outside (0, 1).
func Newcombe(t Table, alpha float64) (DifferenceResult, error) {
	if err := t.check(); err != nil {
		return DifferenceResult{}, fmt.Errorf("Newcombe: %w", err)
	}
	n := t.Pairs()
	first, err := Wilson(t.FirstCorrect(), n, alpha)
	if err != nil {
		return DifferenceResult{}, fmt.Errorf("Newcombe: %w", err)
	}
	second, err := Wilson(t.SecondCorrect(), n, alpha)
	if err != nil {
		return DifferenceResult{}, fmt.Errorf("Newcombe: %w", err)
	}
	result := DifferenceResult{
		Table:      t,
		Method:     MethodNewcombe,
		Alpha:      alpha,
		Difference: t.MeanDifference(),
		Phi:        correctedPhi(t),
		Warnings:   newcombeWarnings(t),
	}
	below := squareAndAdd(second.Estimate-second.Lower, first.Upper-first.Estimate, result.Phi)
	above := squareAndAdd(second.Upper-second.Estimate, first.Estimate-first.Lower, result.Phi)
	result.Lower = max(-1, result.Difference-below)
	result.Upper = min(1, result.Difference+above)
	return result, nil
}

// squareAndAdd gives √(x² - 2φxy + y²), for which rounding below 0 is 0.
func squareAndAdd(x, y, phi float64) float64 {
	return math.Sqrt(max(0, float64(x*x)-float64(2*phi*x*y)+float64(y*y)))
}

// correctedPhi is the arms' correlation with method 10's continuity correction.
func correctedPhi(t Table) float64 {
	a, b := float64(t.BothCorrect), float64(t.OnlyFirstCorrect)
	c, d := float64(t.OnlySecondCorrect), float64(t.BothWrong)
	margins := float64((a+b)*(c+d)) * float64((a+c)*(b+d))
	if margins == 0 {
		return 0
	}
	excess := float64(a*d) - float64(b*c)
	if excess > 0 {
		excess = max(excess-float64(t.Pairs())/2, 0)
	}
	return excess / math.Sqrt(margins)
}

// newcombeWarnings says what the interval must not be read as.
func newcombeWarnings(t Table) []string {
	var warnings []string
	if n := t.Pairs(); n < fewTrials {
		warnings = append(warnings, fmt.Sprintf("n = %d: the interval is wide, and one pair moves it far", n))
	}
	if t.Discordant() == 0 {
		warnings = append(warnings, "no discordant pair: the interval's width comes from the two shares alone")
	}
	return warnings
}
