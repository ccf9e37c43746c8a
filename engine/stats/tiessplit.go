// This file shows what the ties among the resamples do to a percentile interval:
// with n pairs the difference moves in steps of 1/n, so an end that is an
// attained value jumps by a step where the draws tip over.

package stats

import "fmt"

// MethodTiesSplit names the interval in results and reports.
const MethodTiesSplit = "paired percentile bootstrap, ties split"

// TiesSplitResult is a percentile interval whose ends may lie between the values
// the resamples took.
type TiesSplitResult struct {
	Method     string
	Pairs      int
	Iterations int
	Alpha      float64 // error rate; 0.05 gives a 95 % interval
	Difference float64 // of the pairs as given, in [-1, 1]

	Lower, Upper float64 // in [-1, 1]

	// TiedLower and TiedUpper are the shares of draws equal to the ends of the
	// pinned interval: how coarse it is there.
	TiedLower, TiedUpper float64

	Warnings []string
}

// TiesSplit computes the quantiles alpha/2 and 1 - alpha/2 of the mid-distribution
// function of a bootstrap's draws (Ma, Genton and Parzen 2011, Annals of the
// Institute of Statistical Mathematics 63:227): at each attained value it counts
// the draws below and half of those equal, and it is linear in between. Beyond the
// outermost values the outermost value stands.
//
// It fails as [BCa] does.
func TiesSplit(t Table, bootstrap BootstrapResult) (TiesSplitResult, error) {
	draws, err := tiedDraws(t, bootstrap)
	if err != nil {
		return TiesSplitResult{}, fmt.Errorf("percentile, ties split: %w", err)
	}
	result := TiesSplitResult{
		Method:     MethodTiesSplit,
		Pairs:      bootstrap.Pairs,
		Iterations: bootstrap.Iterations,
		Alpha:      bootstrap.Alpha,
		Difference: bootstrap.MeanDifference,
		Warnings:   bootstrap.Warnings,
	}
	n, pairs := float64(bootstrap.Iterations), float64(bootstrap.Pairs)
	result.Lower = midQuantile(draws, bootstrap.Alpha/2*n) / pairs
	result.Upper = midQuantile(draws, (1-bootstrap.Alpha/2)*n) / pairs
	result.TiedLower = float64(tiedAt(draws, bootstrap.LowerRank)) / n
	result.TiedUpper = float64(tiedAt(draws, bootstrap.UpperRank)) / n
	return result, nil
}

// midQuantile gives the net number of pairs below which the mid-distribution
// function counts `target` draws.
func midQuantile(draws []netDraws, target float64) float64 {
	below := 0
	previous, previousMid := 0.0, 0.0
	for i, draw := range draws {
		mid := float64(below) + float64(draw.count)/2
		value := float64(draw.net)
		if target <= mid {
			if i == 0 {
				return value
			}
			return previous + float64((target-previousMid)/(mid-previousMid)*(value-previous))
		}
		below += draw.count
		previous, previousMid = value, mid
	}
	return previous
}

// tiedAt gives how many draws equal the one at a rank of the sorted draws.
func tiedAt(draws []netDraws, rank int) int {
	for _, draw := range draws {
		if rank -= draw.count; rank < 0 {
			return draw.count
		}
	}
	return 0 // not reached: the counts add up to more than any rank
}
