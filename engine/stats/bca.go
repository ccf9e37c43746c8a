// This file corrects the percentile interval for bias and skew, from the same
// resamples: nothing is drawn anew.

package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MethodBCa names the interval in results and reports.
const MethodBCa = "paired BCa bootstrap, ties split"

// fewBeyond is the number of draws beyond an end below which that end is warned
// of: a convention.
const fewBeyond = 25

// BCaResult is a bias-corrected and accelerated interval for mean(second) -
// mean(first).
type BCaResult struct {
	Method     string
	Pairs      int
	Iterations int
	Alpha      float64 // error rate; 0.05 gives a 95 % interval
	Difference float64 // of the pairs as given, in [-1, 1]

	// Defined is false where the correction has no value; the fields below are
	// then 0 and a warning says why.
	Defined bool

	Bias         float64 // z0, in standard deviations; 0 without bias
	Acceleration float64 // a, a sixth of the skewness of the difference; 0 without skew

	// LowerShare and UpperShare take the place of alpha/2 and 1 - alpha/2.
	LowerShare, UpperShare float64
	LowerRank, UpperRank   int     // positions of the ends among the sorted draws, from 0
	Lower, Upper           float64 // the interval's ends, both attained values

	Warnings []string
}

// BCa computes the interval of Efron 1987, Journal of the American Statistical
// Association 82:171, from a bootstrap of the pairs that table counts. With Φ the
// normal distribution, t the difference and t* the resampled ones:
//
//	z0 = Φ⁻¹(share of t* below t + half the share of t* equal to t)
//	a  = Σd³ / (6 (Σd²)^1.5),  d = jackknife mean - jackknife value
//	share(q) = Φ(z0 + (z0 + Φ⁻¹(q)) / (1 - a(z0 + Φ⁻¹(q))))
//
// and takes, as [Bootstrap] does with alpha/2 and 1 - alpha/2, of N sorted values
// the elements floor(share(alpha/2) · N) and floor(share(1 - alpha/2) · N) - 1.
// Splitting the ties makes the interval of the swapped arms the mirror image of
// this one, to within a rank; without it the many draws equal to t would count as
// bias. Equality is decided on counts of pairs, not on rounded quotients.
//
// It fails with [ErrNoPairs], or [ErrInvalid] where the bootstrap is not one of
// this table's pairs.
func BCa(t Table, bootstrap BootstrapResult) (BCaResult, error) {
	draws, err := tiedDraws(t, bootstrap)
	if err != nil {
		return BCaResult{}, fmt.Errorf("BCa: %w", err)
	}
	result := BCaResult{
		Method:     MethodBCa,
		Pairs:      bootstrap.Pairs,
		Iterations: bootstrap.Iterations,
		Alpha:      bootstrap.Alpha,
		Difference: bootstrap.MeanDifference,
	}
	observed := t.OnlySecondCorrect - t.OnlyFirstCorrect
	twiceBelow := 0
	for _, draw := range draws {
		switch {
		case draw.net < observed:
			twiceBelow += 2 * draw.count
		case draw.net == observed:
			twiceBelow += draw.count
		}
	}
	bias := distuv.UnitNormal.Quantile(float64(twiceBelow) / float64(2*bootstrap.Iterations))
	acceleration := jackknifeAcceleration(t)
	lower, ok1 := correctedShare(bootstrap.Alpha/2, bias, acceleration)
	upper, ok2 := correctedShare(1-bootstrap.Alpha/2, bias, acceleration)
	if !ok1 || !ok2 {
		result.Warnings = append(result.Warnings, "BCa is undefined here: all draws lie on one side of the difference, or alpha is too small for its skew")
		return result, nil
	}
	n := bootstrap.Iterations
	result.Defined = true
	result.Bias, result.Acceleration = bias, acceleration
	result.LowerShare, result.UpperShare = lower, upper
	result.LowerRank = min(max(int(math.Floor(float64(lower*float64(n)))), 0), n-1)
	result.UpperRank = min(max(int(math.Floor(float64(upper*float64(n))))-1, 0), n-1)
	result.Lower = element(bootstrap.Distribution, result.LowerRank)
	result.Upper = element(bootstrap.Distribution, result.UpperRank)
	result.Warnings = bcaWarnings(t, result)
	return result, nil
}

// correctedShare gives the share of draws below a BCa end, and false where the
// correction has no value.
func correctedShare(share, bias, acceleration float64) (float64, bool) {
	if bias == 0 && acceleration == 0 {
		return share, true // exactly the percentile interval, not Φ(Φ⁻¹(share))
	}
	z := bias + distuv.UnitNormal.Quantile(share)
	scale := 1 - float64(acceleration*z)
	if math.IsInf(z, 0) || !(scale > 0) {
		return 0, false
	}
	return distuv.UnitNormal.CDF(bias + z/scale), true
}

// jackknifeAcceleration gives a from the table: leaving out a pair whose outcomes
// differ by x moves the mean by (mean - x)/(n-1), and x is 0, 1 or -1. Factors of
// n and n-1 cancel, so the sums are of whole numbers; 0 where nothing varies.
func jackknifeAcceleration(t Table) float64 {
	n := float64(t.Pairs())
	net := float64(t.OnlySecondCorrect - t.OnlyFirstCorrect)
	var squares, cubes float64
	for _, group := range []struct{ count, outcome float64 }{
		{float64(t.OnlyFirstCorrect), -1},
		{float64(t.Pairs() - t.Discordant()), 0},
		{float64(t.OnlySecondCorrect), 1},
	} {
		d := float64(n*group.outcome) - net
		squares += float64(group.count * float64(d*d))
		cubes += float64(group.count * float64(float64(d*d)*d))
	}
	if squares == 0 {
		return 0
	}
	return cubes / float64(6*float64(squares*math.Sqrt(squares)))
}

// bcaWarnings says what the interval must not be read as.
func bcaWarnings(t Table, result BCaResult) []string {
	var warnings []string
	if n := t.Pairs(); n < fewPairs {
		warnings = append(warnings, fmt.Sprintf("n = %d: BCa corrects bias and skew, not the too small spread of the resamples; read Newcombe", n))
	}
	if noSpread(t) {
		warnings = append(warnings, "every resample gives the same value: the interval of no width is no certainty")
	}
	if beyond := min(result.LowerRank, result.Iterations-1-result.UpperRank); beyond < fewBeyond {
		warnings = append(warnings, fmt.Sprintf("%s beyond an end: that end moves with the seed", plural(beyond, "draw")))
	}
	if result.LowerRank >= result.UpperRank {
		warnings = append(warnings, "the ends meet or cross: this is no interval")
	}
	return warnings
}

// noSpread tells whether every pair has the same difference, so that resampling
// can give no other.
func noSpread(t Table) bool {
	n := t.Pairs()
	return t.Discordant() == 0 || t.OnlyFirstCorrect == n || t.OnlySecondCorrect == n
}

// netDraws says how often the second arm was right in net more pairs of a
// resample than the first.
type netDraws struct{ net, count int }

// tiedDraws gives a bootstrap's distribution by whole pairs, ascending, so that
// values which differ only by rounding count as ties. It refuses a bootstrap of
// another table.
func tiedDraws(t Table, bootstrap BootstrapResult) ([]netDraws, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if t.Pairs() != bootstrap.Pairs || t.MeanDifference() != bootstrap.MeanDifference {
		return nil, fmt.Errorf("the table counts %d pairs with a difference of %v, the bootstrap resampled %d with %v: give the bootstrap of the same pairs: %w",
			t.Pairs(), t.MeanDifference(), bootstrap.Pairs, bootstrap.MeanDifference, ErrInvalid)
	}
	if err := checkAlpha(bootstrap.Alpha); err != nil {
		return nil, err
	}
	var draws []netDraws
	total := 0
	for _, bin := range bootstrap.Distribution {
		net := int(math.Round(bin.Value * float64(bootstrap.Pairs)))
		total += bin.Count
		if last := len(draws) - 1; last >= 0 && draws[last].net == net {
			draws[last].count += bin.Count
		} else {
			draws = append(draws, netDraws{net, bin.Count})
		}
	}
	if total == 0 || total != bootstrap.Iterations {
		return nil, fmt.Errorf("the bootstrap holds %d draws of %d iterations: %w", total, bootstrap.Iterations, ErrInvalid)
	}
	return draws, nil
}
