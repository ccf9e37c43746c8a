// This file says what a study of this size could have found: the chance that the
// exact McNemar test rejects, and the smallest difference it would mostly see.

package stats

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/stat/distuv"
)

// MethodPower names the calculation in results and reports.
const MethodPower = "exact unconditional power of the exact two-sided McNemar test"

// Differences are searched on a grid of this many steps to 1, and the curve that
// goes with the search takes every curveEvery-th of them.
const (
	gridSteps  = 1000
	curveEvery = 50
)

// maxPowerPairs bounds the exact critical values, whose integers grow with n.
const maxPowerPairs = 20_000

// Design is what a study assumes before it counts anything.
type Design struct {
	Pairs          int     // n, from 1 to 20,000
	DiscordantRate float64 // psi: the share of pairs whose outcomes differ, in [0, 1]
	Alpha          float64 // level of the two-sided test, in (0, 1)
}

// PowerResult is the chance of a rejection under a design and a true difference.
type PowerResult struct {
	Design
	Method     string
	Difference float64 // delta: the true share of the second arm minus the first's, in [-psi, psi]
	Share      float64 // of the discordant pairs that favour the second arm, in [0, 1]; 0.5 where psi is 0
	Power      float64 // chance of a rejection in either direction
	Wrong      float64 // part of Power that rejects against the true direction; half of it where delta is 0
	Warnings   []string
}

// PowerPoint is one value of a power curve.
type PowerPoint struct {
	Difference, Power float64
}

// DetectableResult is the smallest difference a design finds with a given chance.
type DetectableResult struct {
	Design
	Method string
	Target float64 // the power asked for, in (0, 1)

	// Reachable is false where even the largest difference the discordant rate
	// allows falls short; Difference and Power are then those of that largest one.
	Reachable  bool
	Difference float64 // delta, in [0, psi], in either direction
	Power      float64 // at Difference

	Curve    []PowerPoint // from 0 to psi, every 0.05 and psi itself
	Warnings []string
}

// Power computes the chance that the exact test rejects. A pair favours the
// second arm only with probability (psi+delta)/2, the first only with
// (psi-delta)/2, and neither with 1-psi; the power is the probability of all
// trinomial outcomes whose exact p is at most alpha (Duffy 1984, Biometrics
// 40:1005), summed as
//
//	Σ Bin(D; n, psi) · P(reject | D),  D = 0 … n discordant pairs
//
// with the second factor from Bin(D, (psi+delta)/(2 psi)). Which outcomes reject
// is decided in exact integers; the sum is float64, good to some 12 digits.
//
// It fails with [ErrInvalid] for a design or difference out of its domain.
func Power(design Design, difference float64) (PowerResult, error) {
	test, err := newExactTest(design)
	if err != nil {
		return PowerResult{}, fmt.Errorf("power: %w", err)
	}
	if !(math.Abs(difference) <= design.DiscordantRate) {
		return PowerResult{}, fmt.Errorf("power: a difference of %v with a discordant rate of %v: it cannot be larger than the rate: %w",
			difference, design.DiscordantRate, ErrInvalid)
	}
	right, wrong := test.power(math.Abs(difference))
	result := PowerResult{
		Design:     design,
		Method:     MethodPower,
		Difference: difference,
		Share:      0.5,
		Power:      min(1, right+wrong),
		Wrong:      wrong,
		Warnings:   designWarnings(design, test),
	}
	if design.DiscordantRate > 0 {
		result.Share = test.share(difference)
	}
	return result, nil
}

// Detectable finds the smallest difference with at least the target power. The
// grid is 0.001, 0.002, … up to the discordant rate, and the rate itself; along it
// the power rises, because the rejection region is symmetric, so the search
// bisects. The discordant rate stays as assumed while the difference varies.
//
// It fails with [ErrInvalid] for a design out of its domain or a target outside
// (0, 1).
func Detectable(design Design, target float64) (DetectableResult, error) {
	test, err := newExactTest(design)
	if err != nil {
		return DetectableResult{}, fmt.Errorf("smallest detectable difference: %w", err)
	}
	if !(target > 0 && target < 1) {
		return DetectableResult{}, fmt.Errorf("smallest detectable difference: power of %v, it must lie between 0 and 1: %w", target, ErrInvalid)
	}
	psi := design.DiscordantRate
	last := int(math.Ceil(psi * gridSteps))
	at := func(step int) PowerPoint {
		difference := min(float64(step)/gridSteps, psi)
		right, wrong := test.power(difference)
		return PowerPoint{difference, min(1, right+wrong)}
	}
	result := DetectableResult{Design: design, Method: MethodPower, Target: target}
	for step := 0; step < last; step += curveEvery {
		result.Curve = append(result.Curve, at(step))
	}
	best := at(last)
	result.Curve = append(result.Curve, best)
	if result.Reachable = best.Power >= target; result.Reachable {
		low, high := -1, last // the power at high reaches the target, at low it does not
		for high-low > 1 {
			middle := (low + high) / 2
			if point := at(middle); point.Power >= target {
				high, best = middle, point
			} else {
				low = middle
			}
		}
	}
	result.Difference, result.Power = best.Difference, best.Power
	result.Warnings = designWarnings(design, test)
	if !result.Reachable {
		result.Warnings = append(result.Warnings, fmt.Sprintf("no difference is found with power %v: the largest possible, %.3f, has %.3f", target, best.Difference, best.Power))
	}
	return result, nil
}

// exactTest is the exact McNemar test prepared for one design.
type exactTest struct {
	psi      float64
	weights  []float64 // P(D discordant pairs), index D
	critical []int     // the largest min(b,c) that rejects with D discordant pairs; -1 if none
}

func newExactTest(design Design) (*exactTest, error) {
	n, psi := design.Pairs, design.DiscordantRate
	if n < 1 || n > maxPowerPairs {
		return nil, fmt.Errorf("%d pairs, from 1 to %d are supported: %w", n, maxPowerPairs, ErrInvalid)
	}
	if !(psi >= 0 && psi <= 1) {
		return nil, fmt.Errorf("a discordant rate of %v, it must lie in [0, 1]: %w", psi, ErrInvalid)
	}
	if err := checkAlpha(design.Alpha); err != nil {
		return nil, err
	}
	test := &exactTest{psi: psi, weights: make([]float64, n+1), critical: criticalValues(n, design.Alpha)}
	switch psi {
	case 0:
		test.weights[0] = 1
	case 1:
		test.weights[n] = 1
	default:
		binomial := distuv.Binomial{N: float64(n), P: psi}
		for d := range test.weights {
			test.weights[d] = binomial.Prob(float64(d))
		}
	}
	return test, nil
}

// criticalValues gives, for D = 0 … n, the largest k with 2·Σ C(D,i)/2^D <= alpha,
// i = 0 … k, and -1 where there is none. Exact: alpha is the fraction its float64
// stands for, and the tail follows from the one for D-1 without a rounding:
//
//	S(D,k) = 2·S(D-1,k) - C(D-1,k)
//
// A tail that rejects at D-1 rejects at D, and k rises by one at most.
func criticalValues(n int, alpha float64) []int {
	// 2·S/2^D <= numerator/denominator, the denominator a power of two.
	level := new(big.Rat).SetFloat64(alpha)
	shift := level.Denom().BitLen() - 1
	var bound, double big.Int
	rejects := func(tail *big.Int, d int) bool {
		double.Lsh(tail, uint(shift+1))
		return double.Cmp(bound.Lsh(level.Num(), uint(d))) <= 0
	}

	critical := make([]int, n+1)
	k := 0                                     // candidate: the smallest k not yet known to reject
	tail, term := big.NewInt(1), big.NewInt(1) // S(D,k) and C(D,k)
	var factor, next big.Int
	for d := 0; d <= n; d++ {
		if d > 0 {
			// To D = d: S(d,k), then C(d,k) = C(d-1,k)·d/(d-k), or 1 where k = d.
			tail.Sub(tail.Lsh(tail, 1), term)
			if k < d {
				term.Mul(term, factor.SetInt64(int64(d)))
				term.Quo(term, factor.SetInt64(int64(d-k)))
			}
		}
		if rejects(tail, d) {
			// To k+1: C(d,k+1) = C(d,k)·(d-k)/(k+1).
			next.Mul(term, factor.SetInt64(int64(d-k)))
			next.Quo(&next, factor.SetInt64(int64(k+1)))
			term.Set(&next)
			tail.Add(tail, term)
			k++
		}
		critical[d] = k - 1
	}
	return critical
}

// share gives the probability that a discordant pair favours the second arm.
func (t *exactTest) share(difference float64) float64 {
	return min(1, max(0, (t.psi+difference)/float64(2*t.psi)))
}

// power gives the chances of a rejection for and against the direction of a
// difference that is not negative.
func (t *exactTest) power(difference float64) (right, wrong float64) {
	if t.psi == 0 {
		return 0, 0
	}
	share := t.share(difference)
	for d, k := range t.critical {
		if k < 0 {
			continue
		}
		n := float64(d)
		// At most k pairs against the direction, and at most k in it.
		right += float64(t.weights[d] * distuv.Binomial{N: n, P: 1 - share}.CDF(float64(k)))
		wrong += float64(t.weights[d] * distuv.Binomial{N: n, P: share}.CDF(float64(k)))
	}
	return right, wrong
}

// designWarnings says what the calculation rests on.
func designWarnings(design Design, test *exactTest) []string {
	warnings := []string{"rests on the assumed discordant rate; taken from the same pairs it is an estimate, and power at the observed difference only restates p"}
	if n := design.Pairs; test.critical[n] < 0 {
		warnings = append(warnings, fmt.Sprintf("n = %d: the exact test cannot reject at %v whatever the pairs say", n, design.Alpha))
	}
	return warnings
}
