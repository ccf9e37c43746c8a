// This file holds the Wilson interval and Holm's correction against published
// worked values.

package stats

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	// Newcombe 1998, Statistics in Medicine 17:857, table I, method 3, 95 %.
	tests := []struct {
		successes, trials int
		lower, upper      float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	}
	for _, test := range tests {
		got, err := Wilson(test.successes, test.trials, 0.05)
		if err != nil || math.Abs(got.Lower-test.lower) > 0.00005 || math.Abs(got.Upper-test.upper) > 0.00005 || got.Warnings != nil {
			t.Errorf("%d/%d: %+v, %v; want [%v, %v]", test.successes, test.trials, got, err, test.lower, test.upper)
		}
	}
}

func TestWilsonLiesAroundItsEstimateInsideZeroAndOne(t *testing.T) {
	for _, alpha := range []float64{1e-12, 0.01, 0.05, 0.5, 0.999} {
		for trials := 1; trials < 40; trials++ {
			for successes := range trials + 1 {
				got, err := Wilson(successes, trials, alpha)
				if err != nil || got.Lower < 0 || got.Upper > 1 || got.Lower > got.Estimate || got.Upper < got.Estimate {
					t.Fatalf("%d/%d at %v: %+v, %v", successes, trials, alpha, got, err)
				}
				if (trials < fewTrials) != (len(got.Warnings) > 0) {
					t.Fatalf("%d/%d: warnings %q", successes, trials, got.Warnings)
				}
			}
		}
	}
}

func TestHolm(t *testing.T) {
	tests := []struct {
		name      string
		raw, want []float64
	}{
		// R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
		{"four values out of order", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"a value is never below a smaller one's", []float64{0.02, 0.021}, []float64{0.04, 0.04}},
		{"values stop at 1", []float64{0.6, 0.7, 1}, []float64{1, 1, 1}},
		{"equal values stay equal", []float64{0.01, 0.01, 0.01}, []float64{0.03, 0.03, 0.03}},
		{"zero stays zero", []float64{0, 0.5}, []float64{0, 0.5}},
		{"one value stays itself", []float64{0.05}, []float64{0.05}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Holm(test.raw)
			if err != nil {
				t.Fatal(err)
			}
			for i := range test.want {
				if math.Abs(got.Adjusted[i]-test.want[i]) > 1e-15 || got.PValues[i] != test.raw[i] {
					t.Errorf("got %v, want %v", got.Adjusted, test.want)
				}
			}
			if (len(test.raw) == 1) != (len(got.Warnings) > 0) {
				t.Errorf("warnings %q", got.Warnings)
			}
		})
	}
}
