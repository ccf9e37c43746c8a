// This file holds the critical values every interval rests on.

package stats

import (
	"math"
	"testing"
)

func TestNormalQuantileKeepsItsDigits(t *testing.T) {
	tests := []struct{ alpha, want float64 }{
		{1, 0},
		{0.5, 0.6744897501960817},
		{0.1, 1.6448536269514722},
		{0.05, 1.9599639845400545},
		{0.01, 2.5758293035489004},
		// Beyond where 1 - alpha is 1: CPython's NormalDist().inv_cdf(alpha/2).
		{1e-12, 7.130506848171323},
		{1e-20, 9.336044849234058},
	}
	for _, test := range tests {
		if got := normalQuantile(test.alpha); math.Abs(got-test.want) > 4e-15*max(1, test.want) {
			t.Errorf("alpha = %v: %v, want %v", test.alpha, got, test.want)
		}
	}
	if got := normalQuantile(math.SmallestNonzeroFloat64); math.IsInf(got, 0) || got < 37 {
		t.Errorf("the smallest alpha gives %v", got)
	}
}
