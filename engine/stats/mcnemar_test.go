// This file holds both McNemar tests against worked values.

package stats

import (
	"errors"
	"math"
	"math/big"
	"testing"
)

func TestMcNemarIsExactToTheLastDigit(t *testing.T) {
	tests := []struct {
		name string
		b, c int
		want float64 // Python's exact integers: 2*sum(comb(n,k))/2**n
	}{
		{"no discordant pair gives 1", 0, 0, 1},
		{"one discordant pair gives 1", 0, 1, 1},
		{"an even split gives 1", 7, 7, 1},
		{"an all but even split gives 1", 7, 8, 1},
		{"the published official suite", 1, 13, 0.0018310546875},
		{"the published synthetic suite", 0, 4, 0.125},
		{"the published overall suite", 1, 17, 0.00014495849609375},
		{"5,000 pairs near even", 2499, 2501, 0.9887167725045202},
		{"5,000 pairs apart", 2400, 2600, 0.004883649737517518},
		{"5,000 pairs a little apart", 2450, 2550, 0.1614852223973769},
		{"5,000 pairs far apart", 2000, 3000, 1.3002310005203771e-45},
		{"2,534 pairs", 1234, 1300, 0.1966074760899628},
		{"a subnormal p", 3, 1080, 4.085834e-318},
		{"the smallest float64", 0, 1075, 5e-324},
		{"a tie at the bottom goes to zero", 0, 1076, 0},
		{"a p below every float64 is 0", 100, 4900, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, table := range []Table{
				{BothCorrect: 3, OnlyFirstCorrect: test.b, OnlySecondCorrect: test.c, BothWrong: 2},
				{BothCorrect: 3, OnlyFirstCorrect: test.c, OnlySecondCorrect: test.b},
			} {
				got, err := McNemar(table)
				if err != nil || !sameBits(got.PValue, test.want) || got.Table != table || got.Method != MethodMcNemarExact {
					t.Errorf("got %+v, %v; want p = %v", got, err, test.want)
				}
			}
		})
	}
}

func TestMcNemarMidP(t *testing.T) {
	tests := []struct {
		name string
		b, c int
		want float64
	}{
		// Fagerland, Lydersen and Laake 2013: airway hyper-responsiveness
		// before and after transplantation (Bentur et al. 2009): exact
		// p = 0.0703, mid-p = 0.0391, that is 18/256 and 10/256.
		{"Bentur et al. 2009", 1, 7, 10.0 / 256},
		// The same formula by hand: (2·110056 - 74613) / 2^22.
		{"Cavo et al. 2012", 6, 16, (2*110056.0 - 74613) / (1 << 22)},
		{"an even split is below 1", 1, 1, 1 - 0.5*0.5},
		{"no discordant pair gives 1", 0, 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := McNemarMidP(Table{BothCorrect: 1, OnlyFirstCorrect: test.b, OnlySecondCorrect: test.c})
			if err != nil || !sameBits(got.PValue, test.want) || len(got.Warnings) == 0 {
				t.Errorf("got %+v, %v; want p = %v", got, err, test.want)
			}
		})
	}
}

func TestMidPLiesBetweenHalfTheExactPAndAllOfIt(t *testing.T) {
	for b := range 30 {
		for c := range 30 {
			table := Table{BothWrong: 1, OnlyFirstCorrect: b, OnlySecondCorrect: c}
			exact, err1 := McNemar(table)
			mid, err2 := McNemarMidP(table)
			if err1 != nil || err2 != nil || mid.PValue > exact.PValue || mid.PValue < exact.PValue/2 {
				t.Errorf("b = %d, c = %d: exact %v, mid-p %v", b, c, exact.PValue, mid.PValue)
			}
		}
	}
}

func TestMcNemarWarnsWhereItCanSayLittle(t *testing.T) {
	for _, test := range []struct {
		b, c int
		want string
	}{
		{0, 0, "no discordant pair: the test has nothing to decide on"},
		{0, 1, "1 discordant pair: p cannot fall below 1 whatever their direction"},
		{1, 3, "4 discordant pairs: p cannot fall below 0.125 whatever their direction"},
		{1, 13, ""},
	} {
		got, err := McNemar(Table{BothWrong: 1, OnlyFirstCorrect: test.b, OnlySecondCorrect: test.c})
		if err != nil {
			t.Fatal(err)
		}
		if (test.want == "") != (len(got.Warnings) == 0) || (test.want != "" && got.Warnings[0] != test.want) {
			t.Errorf("b = %d, c = %d: %q, want %q", test.b, test.c, got.Warnings, test.want)
		}
	}
}

func TestEveryMethodRefusesWhatItCannotCompute(t *testing.T) {
	one := []Pair{{true, false}}
	seed := big.NewInt(1)
	calls := []struct {
		name string
		call func() error
		want error
	}{
		{"McNemar without pairs", func() error { _, err := McNemar(Table{}); return err }, ErrNoPairs},
		{"mid-p without pairs", func() error { _, err := McNemarMidP(Table{}); return err }, ErrNoPairs},
		{"bootstrap without pairs", func() error { _, err := Bootstrap(nil, BootstrapOptions{seed, 10, 0.05}); return err }, ErrNoPairs},
		{"a suite without pairs", func() error { _, err := Compare("x", nil, BootstrapOptions{seed, 10, 0.05}); return err }, ErrNoPairs},
		{"a negative count", func() error { _, err := McNemar(Table{BothWrong: 2, BothCorrect: -1}); return err }, ErrInvalid},
		{"no seed", func() error { _, err := Bootstrap(one, BootstrapOptions{nil, 10, 0.05}); return err }, ErrInvalid},
		{"no iteration", func() error { _, err := Bootstrap(one, BootstrapOptions{seed, 0, 0.05}); return err }, ErrInvalid},
		{"alpha of 0", func() error { _, err := Bootstrap(one, BootstrapOptions{seed, 10, 0}); return err }, ErrInvalid},
		{"alpha of 1", func() error { _, err := Bootstrap(one, BootstrapOptions{seed, 10, 1}); return err }, ErrInvalid},
		{"alpha that is no number", func() error { _, err := Bootstrap(one, BootstrapOptions{seed, 10, math.NaN()}); return err }, ErrInvalid},
		{"a suite with a bad alpha", func() error { _, err := Compare("x", one, BootstrapOptions{seed, 10, 2}); return err }, ErrInvalid},
		{"more right than asked", func() error { _, err := Wilson(3, 2, 0.05); return err }, ErrInvalid},
		{"Wilson of nothing", func() error { _, err := Wilson(0, 0, 0.05); return err }, ErrInvalid},
		{"Wilson with a bad alpha", func() error { _, err := Wilson(1, 2, 0); return err }, ErrInvalid},
		{"an empty family", func() error { _, err := Holm(nil); return err }, ErrInvalid},
		{"a p above 1", func() error { _, err := Holm([]float64{0.5, 1.5}); return err }, ErrInvalid},
		{"a p that is no number", func() error { _, err := Holm([]float64{math.NaN()}); return err }, ErrInvalid},
	}
	for _, test := range calls {
		t.Run(test.name, func(t *testing.T) {
			if err := test.call(); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}
