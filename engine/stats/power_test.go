// This file holds the power of the exact test against sums of exact fractions,
// and the search against a look at every step.

package stats

import (
	"errors"
	"math"
	"math/big"
	"testing"
)

func TestPower(t *testing.T) {
	// Expected values: the trinomial summed outcome by outcome in CPython's
	// fractions, each outcome's exact p compared with alpha = 0.05.
	tests := []struct {
		name         string
		pairs        int
		psi, delta   float64
		power, wrong float64
	}{
		{"20 pairs", 20, 0.8, 0.2, 0.11986623990596082, 0.0007477769219701943},
		{"45 pairs, the published size", 45, 0.4, 0.3, 0.9083919236013779, 4.394594432282491e-09},
		{"40 pairs, the published difference", 40, 0.35, 0.3, 0.9289737740679115, 7.456735124163115e-10},
		{"100 pairs", 100, 0.8, 0.2, 0.5693192607324221, 6.93126422143855e-06},
		{"90 pairs, few discordant", 90, 0.15, 0.1, 0.6336581533885327, 7.081957748628612e-07},
		{"no difference: the size of the test, half of it each way", 45, 0.4, 0, 0.02949277507875412, 0.01474638753937706},
		{"hardly a difference", 45, 0.4, 0.001, 0.029501528684443792, 0.014362904138734258},
		{"5 pairs never reject", 5, 0.8, 0.8, 0, 0},
		{"6 pairs reject only if all are discordant", 6, 0.5, 0.5, 1.0 / 64, 0},
		{"6 pairs that always differ to one side always reject", 6, 1, 1, 1, 0},
		{"without discordant pairs there is no rejection", 45, 0, 0, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			design := Design{test.pairs, test.psi, 0.05}
			for _, delta := range []float64{test.delta, -test.delta} {
				got, err := Power(design, delta)
				if err != nil || math.Abs(got.Power-test.power) > 1e-12 || math.Abs(got.Wrong-test.wrong) > 1e-12 || got.Difference != delta || got.Method != MethodPower {
					t.Errorf("%+v, %v; want %v (%v)", got, err, test.power, test.wrong)
				}
				if want := 0.5 + delta/test.psi/2; test.psi > 0 && math.Abs(got.Share-want) > 1e-12 {
					t.Errorf("share %v, want %v", got.Share, want)
				}
			}
		})
	}
}

func TestCriticalValuesAreTheTestsOwn(t *testing.T) {
	for _, alpha := range []float64{1e-6, 0.01, 0.05, 0.0625, 0.2, 0.5, 0.9, 0.999999} {
		critical := criticalValues(120, alpha)
		for d, got := range critical {
			want := -1
			for k := 0; 2*k <= d && d > 0; k++ {
				result, err := McNemar(Table{OnlyFirstCorrect: k, OnlySecondCorrect: d - k})
				if err != nil {
					t.Fatal(err)
				}
				if result.PValue <= alpha {
					want = k
				}
			}
			if got != want {
				t.Fatalf("alpha %v, %d discordant pairs: %d, want %d", alpha, d, got, want)
			}
		}
	}
}

func TestDetectable(t *testing.T) {
	// Expected values: the same fractions, bisected over thousandths.
	tests := []struct {
		name       string
		design     Design
		target     float64
		reachable  bool
		difference float64
		power      float64
	}{
		{"the published overall suite", Design{45, 0.4, 0.05}, 0.8, true, 0.267, 0.8020258151692036},
		{"the published official suite", Design{40, 14.0 / 40, 0.05}, 0.8, true, 0.264, 0.8031457724178923},
		{"the published synthetic suite finds nothing", Design{5, 0.8, 0.05}, 0.8, false, 0.8, 0},
		{"another target", Design{100, 0.2, 0.05}, 0.9, true, 0.143, 0.9005851879048252},
		{"no discordant pairs", Design{45, 0, 0.05}, 0.8, false, 0, 0},
		{"only discordant pairs", Design{6, 1, 0.05}, 0.99, true, 0.997, math.Pow(0.9985, 6)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Detectable(test.design, test.target)
			if err != nil || got.Reachable != test.reachable || got.Difference != test.difference || math.Abs(got.Power-test.power) > 1e-12 {
				t.Errorf("%+v, %v; want %v with %v", got, err, test.difference, test.power)
			}
			if last := got.Curve[len(got.Curve)-1]; last.Difference != test.design.DiscordantRate {
				t.Errorf("the curve ends at %v", last)
			}
		})
	}
}

func TestTheCurveRisesAsDocumented(t *testing.T) {
	got, err := Detectable(Design{40, 0.35, 0.05}, UsualPower)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.027, 0.048, 0.123, 0.271, 0.492, 0.741, 0.929} {
		if point := got.Curve[i]; math.Abs(point.Difference-float64(i)/20) > 1e-12 || math.Abs(point.Power-want) > 0.0005 {
			t.Errorf("%+v, want %v", point, want)
		}
	}
	for n, want := range map[int]float64{80: 0.192, 160: 0.135} {
		if got, err := Detectable(Design{n, 0.35, 0.05}, UsualPower); err != nil || got.Difference != want {
			t.Errorf("%d pairs detect %v, %v; want %v", n, got.Difference, err, want)
		}
	}
}

func TestTheSmallestDifferenceIsTheFirstOnTheGrid(t *testing.T) {
	for _, design := range []Design{{20, 0.31, 0.05}, {45, 18.0 / 45, 0.05}, {45, 14.0 / 45, 0.2}, {33, 1, 0.01}, {8, 0.9999, 0.05}} {
		for _, target := range []float64{0.01, 0.3, 0.8, 0.97} {
			got, err := Detectable(design, target)
			if err != nil {
				t.Fatal(err)
			}
			want, previous := -1.0, -1.0
			for step := 0; ; step++ {
				difference := min(float64(step)/gridSteps, design.DiscordantRate)
				power, err := Power(design, difference)
				if err != nil {
					t.Fatal(err)
				}
				if power.Power < previous-1e-13 {
					t.Fatalf("%+v: the power falls at %v", design, difference)
				}
				previous = power.Power
				if power.Power >= target {
					want = difference
					break
				}
				if difference == design.DiscordantRate {
					break
				}
			}
			if got.Reachable != (want >= 0) || (got.Reachable && got.Difference != want) {
				t.Errorf("%+v, target %v: %+v, want %v", design, target, got, want)
			}
		}
	}
}

func TestPowerHoldsForManyPairs(t *testing.T) {
	got, err := Power(Design{5000, 0.3, 0.05}, 0)
	if err != nil || got.Power > 0.05 || got.Power < 0.045 {
		t.Errorf("the test's size at 5,000 pairs is %v, %v", got.Power, err)
	}
	// Against the trinomial with exact weights, at a size where they still print.
	n, psi, delta := 200, 0.25, 0.125
	sum := new(big.Float)
	critical := criticalValues(n, 0.05)
	for d := 0; d <= n; d++ {
		for b := 0; b <= d; b++ {
			if min(b, d-b) <= critical[d] {
				ways := new(big.Int).Mul(new(big.Int).Binomial(int64(n), int64(d)), new(big.Int).Binomial(int64(d), int64(b)))
				chance := math.Exp(float64(b)*math.Log((psi-delta)/2) + float64(d-b)*math.Log((psi+delta)/2) + float64(n-d)*math.Log(1-psi))
				sum.Add(sum, new(big.Float).Mul(new(big.Float).SetInt(ways), big.NewFloat(chance)))
			}
		}
	}
	want, _ := sum.Float64()
	if got, err := Power(Design{n, psi, 0.05}, delta); err != nil || math.Abs(got.Power-want) > 1e-11 {
		t.Errorf("%v, %v; want %v", got.Power, err, want)
	}
}

func TestPowerWarns(t *testing.T) {
	assumption := "rests on the assumed discordant rate"
	got, err := Detectable(Design{45, 0.4, 0.05}, 0.8)
	expectWarnings(t, "of its assumption", got.Warnings, err, []string{assumption})
	got, err = Detectable(Design{5, 0.8, 0.05}, 0.8)
	expectWarnings(t, "of a test that cannot reject", got.Warnings, err,
		[]string{assumption, "n = 5: the exact test cannot reject at 0.05", "no difference is found with power 0.8: the largest possible, 0.800, has 0.000"})
}

func TestPowerRefusesWhatItCannotCompute(t *testing.T) {
	good := Design{45, 0.4, 0.05}
	for _, test := range []struct {
		name   string
		design Design
		delta  float64
		target float64
	}{
		{"no pairs", Design{0, 0.4, 0.05}, 0, 0.8},
		{"too many pairs", Design{maxPowerPairs + 1, 0.4, 0.05}, 0, 0.8},
		{"a negative rate", Design{45, -0.1, 0.05}, 0, 0.8},
		{"a rate above 1", Design{45, 1.1, 0.05}, 0, 0.8},
		{"a rate that is no number", Design{45, math.NaN(), 0.05}, 0, 0.8},
		{"a bad alpha", Design{45, 0.4, 1}, 0, 0.8},
		{"a difference above the rate", good, 0.5, 0},
		{"a difference that is no number", good, math.NaN(), 1},
	} {
		if _, err := Power(test.design, test.delta); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: power gives %v", test.name, err)
		}
		if _, err := Detectable(test.design, test.target); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: the search gives %v", test.name, err)
		}
	}
}
