// This file holds the corrected bootstrap intervals against the same draws made
// and corrected in Python.

package stats

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
)

func TestBCaAndTiesSplit(t *testing.T) {
	swapped := publishedPairs()
	for i, pair := range swapped {
		swapped[i] = Pair{pair.Second, pair.First}
	}
	synthetic := append(slices.Repeat([]Pair{{false, true}}, 4), Pair{true, true})
	// Expected values: random.Random(seed) and randrange in CPython 3.11,
	// statistics.NormalDist, and the definitions written out.
	tests := []struct {
		name                   string
		pairs                  []Pair
		options                BootstrapOptions
		bias, acceleration     float64
		lowerShare, upperShare float64
		lowRank, upRank        int
		lower, upper           int // in pairs
		midLower, midUpper     float64
	}{
		{"45 pairs", publishedPairs(), BootstrapOptions{big.NewInt(4789), 10_000, 0.05},
			0.004637278928296501, 0.0032619823436616496, 0.026293503756503467, 0.9762553362044815, 262, 9761, 9, 23, 0.20237564959168522, 0.5111111111111111},
		{"the arms swapped: the mirror image", swapped, BootstrapOptions{big.NewInt(4789), 10_000, 0.05},
			-0.004637278928296501, -0.0032619823436616496, 0.023744663795518484, 0.9737064962434965, 237, 9736, -23, -9, -0.5111111111111111, -0.2023756495916853},
		{"few pairs to one side: a long way down", synthetic, BootstrapOptions{big.NewInt(4789), 10_000, 0.05},
			-0.0752698620998299, -0.11180339887498941, 0.0033638167289522514, 0.9307511194535353, 33, 9306, 1, 5, 0.3453020134228188, 1},
		{"no skew, hence no acceleration", publishedPairs()[20:25], BootstrapOptions{big.NewInt(4789), 10_000, 0.05},
			-0.0011279829627812727, 0, 0.02486844109127917, 0.9748678581011533, 248, 9747, -3, 3, -0.5870410367170626, 0.5896103896103895},
		{"another seed and alpha", publishedPairs(), BootstrapOptions{big.NewInt(99), 2000, 0.1},
			0.07212805462949112, 0.0032619823436616496, 0.06777485160408803, 0.9639732802417085, 135, 1926, 10, 22, 0.2185897435897436, 0.48197945845004664},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bootstrap, err := Bootstrap(test.pairs, test.options)
			if err != nil {
				t.Fatal(err)
			}
			table, n := Count(test.pairs), float64(len(test.pairs))
			got, err := BCa(table, bootstrap)
			if err != nil || !got.Defined {
				t.Fatalf("%+v, %v", got, err)
			}
			split, err := TiesSplit(table, bootstrap)
			if err != nil {
				t.Fatal(err)
			}
			for _, number := range []struct {
				name      string
				got, want float64
			}{
				{"bias", got.Bias, test.bias},
				{"acceleration", got.Acceleration, test.acceleration},
				{"lower share", got.LowerShare, test.lowerShare},
				{"upper share", got.UpperShare, test.upperShare},
				{"lower", got.Lower, float64(test.lower) / n},
				{"upper", got.Upper, float64(test.upper) / n},
				{"lower, ties split", split.Lower, test.midLower},
				{"upper, ties split", split.Upper, test.midUpper},
			} {
				if math.Abs(number.got-number.want) > 1e-12 {
					t.Errorf("%s is %v, want %v", number.name, number.got, number.want)
				}
			}
			if got.LowerRank != test.lowRank || got.UpperRank != test.upRank {
				t.Errorf("ranks %d and %d, want %d and %d", got.LowerRank, got.UpperRank, test.lowRank, test.upRank)
			}
			if got.Method != MethodBCa || split.Method != MethodTiesSplit || got.Iterations != test.options.Iterations || got.Pairs != len(test.pairs) {
				t.Errorf("%+v", got)
			}
			if split.TiedLower <= 0 || split.TiedLower >= 1 || split.TiedUpper <= 0 || split.TiedUpper >= 1 {
				t.Errorf("ties %v and %v", split.TiedLower, split.TiedUpper)
			}
		})
	}
}

func TestAccelerationIsTheJackknifes(t *testing.T) {
	for n := 2; n <= 9; n++ {
		everyTable(n, func(table Table) {
			// The definition: leave each pair out, and take the mean of the rest.
			var values []float64
			for _, pair := range tablePairs(table) {
				left := table
				switch {
				case pair.First && pair.Second:
					left.BothCorrect--
				case pair.First:
					left.OnlyFirstCorrect--
				case pair.Second:
					left.OnlySecondCorrect--
				default:
					left.BothWrong--
				}
				values = append(values, left.MeanDifference())
			}
			mean := 0.0
			for _, value := range values {
				mean += value / float64(n)
			}
			var squares, cubes float64
			for _, value := range values {
				squares += (mean - value) * (mean - value)
				cubes += (mean - value) * (mean - value) * (mean - value)
			}
			want := 0.0
			if !noSpread(table) {
				want = cubes / (6 * math.Pow(squares, 1.5))
			}
			if got := jackknifeAcceleration(table); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%+v: %v, want %v", table, got, want)
			}
		})
	}
}

func TestTheCorrectedIntervalsStayInsideWhatWasDrawn(t *testing.T) {
	for n := 1; n <= 6; n++ {
		everyTable(n, func(table Table) {
			for _, iterations := range []int{1, 2, 400} {
				for _, alpha := range []float64{1e-300, 0.05, 0.9} {
					bootstrap, err := Bootstrap(tablePairs(table), BootstrapOptions{big.NewInt(int64(n)), iterations, alpha})
					if err != nil {
						t.Fatal(err)
					}
					first, last := bootstrap.Distribution[0].Value, bootstrap.Distribution[len(bootstrap.Distribution)-1].Value
					split, err := TiesSplit(table, bootstrap)
					if err != nil || split.Lower < first-1e-12 || split.Upper > last+1e-12 || split.Lower > split.Upper+1e-12 {
						t.Fatalf("%+v, %d draws, alpha %v: %+v, %v", table, iterations, alpha, split, err)
					}
					got, err := BCa(table, bootstrap)
					if err != nil || (!got.Defined && len(got.Warnings) == 0) {
						t.Fatalf("%+v, %d draws, alpha %v: %+v, %v", table, iterations, alpha, got, err)
					}
					if got.Defined && (got.Lower < first || got.Upper > last || math.IsNaN(got.Bias) || math.IsNaN(got.Acceleration)) {
						t.Fatalf("%+v, %d draws, alpha %v: %+v", table, iterations, alpha, got)
					}
				}
			}
		})
	}
}

func TestBCaWarns(t *testing.T) {
	tests := []struct {
		name       string
		table      Table
		iterations int
		want       []string
	}{
		{"of nothing, where it is sound", Table{23, 1, 17, 4}, 10_000, nil},
		{"of few pairs", Table{1, 1, 3, 1}, 10_000, []string{"n = 6: BCa corrects bias and skew"}},
		{"of no spread", Table{30, 0, 0, 0}, 10_000, []string{"every resample gives the same value"}},
		{"of ends on few draws", Table{23, 1, 17, 4}, 500, []string{"12 draws beyond an end"}},
		{"of no value at all", Table{23, 1, 17, 4}, 1, []string{"BCa is undefined here"}},
	}
	for _, test := range tests {
		bootstrap, err := Bootstrap(tablePairs(test.table), BootstrapOptions{big.NewInt(3), test.iterations, 0.05})
		if err != nil {
			t.Fatal(err)
		}
		got, err := BCa(test.table, bootstrap)
		expectWarnings(t, test.name, got.Warnings, err, test.want)
	}
}

func TestACorrectionRefusesAnotherTablesBootstrap(t *testing.T) {
	bootstrap, err := Bootstrap(publishedPairs(), BootstrapOptions{big.NewInt(1), 100, 0.05})
	if err != nil {
		t.Fatal(err)
	}
	short := bootstrap
	short.Iterations = 99
	noAlpha := bootstrap
	noAlpha.Alpha = 0
	tests := []struct {
		name      string
		table     Table
		bootstrap BootstrapResult
		want      error
	}{
		{"another number of pairs", Table{22, 1, 13, 4}, bootstrap, ErrInvalid},
		{"another difference", Table{23, 2, 16, 4}, bootstrap, ErrInvalid},
		{"draws that do not add up", Table{23, 1, 17, 4}, short, ErrInvalid},
		{"no alpha", Table{23, 1, 17, 4}, noAlpha, ErrInvalid},
		{"no pairs", Table{}, BootstrapResult{}, ErrNoPairs},
	}
	for _, test := range tests {
		_, err1 := BCa(test.table, test.bootstrap)
		_, err2 := TiesSplit(test.table, test.bootstrap)
		if !errors.Is(err1, test.want) || !errors.Is(err2, test.want) {
			t.Errorf("%s: %v and %v, want %v", test.name, err1, err2, test.want)
		}
	}
}
