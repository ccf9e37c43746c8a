// This file is the package's one door to the normal distribution, so that every
// interval reads its critical values in the same way.

package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// normalQuantile gives the z that a standard normal variable exceeds in absolute
// value with probability alpha: 1.96 for 0.05. It reads the lower tail, which
// keeps its digits for a small alpha where 1 - alpha/2 would round to 1.
func normalQuantile(alpha float64) float64 {
	return -distuv.UnitNormal.Quantile(max(alpha/2, math.SmallestNonzeroFloat64))
}
