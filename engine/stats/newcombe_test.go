// This file holds Newcombe's interval against published values, and shows why it
// is the one to read at few pairs.

package stats

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func TestNewcombe(t *testing.T) {
	tests := []struct {
		name              string
		table             Table
		lower, upper, tol float64
	}{
		// Fagerland, Lydersen and Laake 2017, Statistical Analysis of Contingency
		// Tables, chapter 8, as their package contingencytables prints it for Cavo
		// et al. 2012: first minus second, [-0.1186, -0.0046].
		{"Cavo et al. 2012", Table{59, 6, 16, 80}, 0.0046, 0.1186, 0.00005},
		{"the published official suite", Table{22, 1, 13, 4}, 0.127, 0.454, 0.0005},
		{"the published overall suite", Table{23, 1, 17, 4}, 0.187, 0.501, 0.0005},
		{"the published synthetic suite", Table{1, 0, 4, 0}, 0.193, 0.964, 0.0005},
		// The formula written out in CPython, to more digits.
		{"the official suite to all digits", Table{22, 1, 13, 4}, 0.12652303897658904, 0.4544334293286729, 1e-14},
		{"a margin of 0 has no correlation", Table{1, 0, 4, 0}, 0.19259086051089158, 0.9637758913675699, 1e-14},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Newcombe(test.table, 0.05)
			if err != nil || math.Abs(got.Lower-test.lower) > test.tol || math.Abs(got.Upper-test.upper) > test.tol {
				t.Errorf("%+v, %v; want [%v, %v]", got, err, test.lower, test.upper)
			}
			if got.Method != MethodNewcombe || got.Table != test.table || got.Difference != test.table.MeanDifference() {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestNewcombeCorrectsPhiForContinuityWhereItIsPositive(t *testing.T) {
	tests := []struct {
		name  string
		table Table
		want  float64
	}{
		{"positive: n/2 is taken off", Table{22, 1, 13, 4}, (22*4 - 13 - 20) / math.Sqrt(23*17*35*5)},
		{"positive but below n/2: 0", Table{2, 1, 1, 1}, 0},
		{"negative: left as it is", Table{1, 3, 4, 2}, (2.0 - 12) / math.Sqrt(4*6*5*5)},
		{"a margin of 0: 0", Table{5, 0, 3, 0}, 0},
	}
	for _, test := range tests {
		if got := correctedPhi(test.table); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// everyTable visits all tables of n pairs.
func everyTable(n int, visit func(Table)) {
	for a := range n + 1 {
		for b := range n + 1 - a {
			for c := range n + 1 - a - b {
				visit(Table{a, b, c, n - a - b - c})
			}
		}
	}
}

func TestNewcombeIsTheSameSeenFromTheOtherArm(t *testing.T) {
	for _, alpha := range []float64{1e-9, 0.05, 0.5, 0.999} {
		for n := 1; n <= 12; n++ {
			everyTable(n, func(table Table) {
				got, err := Newcombe(table, alpha)
				if err != nil || !(got.Lower >= -1 && got.Lower <= got.Difference && got.Difference <= got.Upper && got.Upper <= 1) {
					t.Fatalf("%+v: %+v, %v", table, got, err)
				}
				swapped, _ := Newcombe(Table{table.BothCorrect, table.OnlySecondCorrect, table.OnlyFirstCorrect, table.BothWrong}, alpha)
				inverted, _ := Newcombe(Table{table.BothWrong, table.OnlyFirstCorrect, table.OnlySecondCorrect, table.BothCorrect}, alpha)
				if math.Abs(swapped.Lower+got.Upper) > 1e-12 || math.Abs(swapped.Upper+got.Lower) > 1e-12 {
					t.Fatalf("%+v: [%v, %v], arms swapped [%v, %v]", table, got.Lower, got.Upper, swapped.Lower, swapped.Upper)
				}
				if math.Abs(inverted.Lower-got.Lower) > 1e-12 || math.Abs(inverted.Upper-got.Upper) > 1e-12 {
					t.Fatalf("%+v: [%v, %v], both right and both wrong swapped [%v, %v]", table, got.Lower, got.Upper, inverted.Lower, inverted.Upper)
				}
			})
		}
	}
}

func TestNewcombeWarns(t *testing.T) {
	tests := []struct {
		name  string
		table Table
		want  []string
	}{
		{"of nothing, where it is sound", Table{22, 1, 13, 4}, nil},
		{"of few pairs", Table{1, 0, 4, 0}, []string{"n = 5: the interval is wide"}},
		{"of no discordant pair", Table{20, 0, 0, 5}, []string{"no discordant pair"}},
	}
	for _, test := range tests {
		got, err := Newcombe(test.table, 0.05)
		expectWarnings(t, test.name, got.Warnings, err, test.want)
	}
}

// expectWarnings compares the beginnings of warnings.
func expectWarnings(t *testing.T, name string, got []string, err error, want []string) {
	t.Helper()
	if err != nil || len(got) != len(want) {
		t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		return
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%s: warning %q, want %q", name, got[i], want[i])
		}
	}
}

// multinomial gives n! / (a! b! c! d!) · Π p^count.
func multinomial(table Table, p [4]float64) float64 {
	left := table.Pairs()
	result := 1.0
	for i, count := range []int{table.BothCorrect, table.OnlyFirstCorrect, table.OnlySecondCorrect, table.BothWrong} {
		ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(left), int64(count))).Float64()
		result *= ways * math.Pow(p[i], float64(count))
		left -= count
	}
	return result
}

// idealPercentile is the 95 % percentile interval that infinitely many resamples
// of a table give, in whole pairs.
func idealPercentile(table Table) (lower, upper int) {
	n := table.Pairs()
	chances := make([]float64, 2*n+1) // index n + net
	chances[n] = 1
	minus, plus := float64(table.OnlyFirstCorrect)/float64(n), float64(table.OnlySecondCorrect)/float64(n)
	for range n {
		next := make([]float64, len(chances))
		for i, chance := range chances {
			if chance > 0 {
				next[i] += chance * (1 - minus - plus)
				if minus > 0 {
					next[i-1] += chance * minus
				}
				if plus > 0 {
					next[i+1] += chance * plus
				}
			}
		}
		chances = next
	}
	end := func(values []int) int {
		sum := 0.0
		for _, i := range values {
			if sum += chances[i]; sum > 0.025+1e-12 {
				return i - n
			}
		}
		return n
	}
	ascending := make([]int, len(chances))
	for i := range ascending {
		ascending[i] = i
	}
	lower = end(ascending)
	slices.Reverse(ascending)
	return lower, end(ascending)
}

func TestNewcombeCoversWhatItSaysWherePercentileDoesNot(t *testing.T) {
	// Truths near the published suites: official shares, and nearly all pairs
	// discordant in one direction as in the synthetic suite. Coverage is exact:
	// every table of n pairs is weighed by its probability.
	tests := []struct {
		name                 string
		n                    int
		truth                [4]float64
		percentile, newcombe float64
	}{
		{"5 pairs, official shares", 5, [4]float64{0.55, 0.025, 0.325, 0.1}, 0.820, 0.972},
		{"5 pairs, nearly all to one side", 5, [4]float64{0.2, 0.02, 0.7, 0.08}, 0.801, 0.944},
		{"10 pairs, nearly all to one side", 10, [4]float64{0.2, 0.02, 0.7, 0.08}, 0.846, 0.945},
		{"20 pairs, nearly all to one side", 20, [4]float64{0.2, 0.02, 0.7, 0.08}, 0.892, 0.948},
		{"20 pairs, official shares", 20, [4]float64{0.55, 0.025, 0.325, 0.1}, 0.949, 0.964},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			net := (test.truth[2] - test.truth[1]) * float64(test.n)
			type discordant struct{ first, second int }
			ends := make(map[discordant][2]int)
			var percentile, newcombe float64
			everyTable(test.n, func(table Table) {
				chance := multinomial(table, test.truth)
				key := discordant{table.OnlyFirstCorrect, table.OnlySecondCorrect}
				interval, known := ends[key]
				if !known {
					interval[0], interval[1] = idealPercentile(table)
					ends[key] = interval
				}
				if float64(interval[0]) <= net+1e-9 && net-1e-9 <= float64(interval[1]) {
					percentile += chance
				}
				score, err := Newcombe(table, 0.05)
				if err != nil {
					t.Fatal(err)
				}
				if score.Lower*float64(test.n) <= net && net <= score.Upper*float64(test.n) {
					newcombe += chance
				}
			})
			if math.Abs(percentile-test.percentile) > 0.0006 || math.Abs(newcombe-test.newcombe) > 0.0006 {
				t.Errorf("percentile covers %.4f, Newcombe %.4f; want %v and %v", percentile, newcombe, test.percentile, test.newcombe)
			}
		})
	}
}

func TestWhichToTrust(t *testing.T) {
	tests := []struct {
		name   string
		pairs  []Pair
		method string
		reason string
	}{
		{"the pinned interval, where pairs are many", publishedPairs(), MethodBootstrap,
			"n = 45: both intervals hold; read the pinned one"},
		{"Newcombe at n = 5", tablePairs(Table{1, 0, 4, 0}), MethodNewcombe,
			"n = 5, too few pairs: the percentile interval covers less than it says; read Newcombe [+0.19, +0.96], not percentile [+0.40, +1.00]"},
		{"Newcombe without a discordant pair", tablePairs(Table{30, 0, 0, 5}), MethodNewcombe,
			"n = 35, every pair has the same difference"},
		{"Newcombe where all go one way", tablePairs(Table{0, 0, 35, 0}), MethodNewcombe,
			"n = 35, every pair has the same difference"},
		{"Newcombe where hardly a pair differs", tablePairs(Table{30, 1, 2, 2}), MethodNewcombe,
			"n = 35, only 3 pairs off the commonest outcome"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			percentile, err := Bootstrap(test.pairs, BootstrapOptions{big.NewInt(4789), 10_000, 0.05})
			if err != nil {
				t.Fatal(err)
			}
			newcombe, err := Newcombe(Count(test.pairs), 0.05)
			if err != nil {
				t.Fatal(err)
			}
			got, err := WhichToTrust(percentile, newcombe)
			if err != nil || got.Read != test.method || !strings.HasPrefix(got.Reason, test.reason) {
				t.Errorf("%+v, %v; want %q", got, err, test.reason)
			}
			if _, err := WhichToTrust(percentile, DifferenceResult{}); !errors.Is(err, ErrInvalid) {
				t.Errorf("intervals of other pairs: %v", err)
			}
		})
	}
}

// tablePairs gives pairs that count up to a table.
func tablePairs(table Table) []Pair {
	return slices.Concat(
		slices.Repeat([]Pair{{true, true}}, table.BothCorrect),
		slices.Repeat([]Pair{{true, false}}, table.OnlyFirstCorrect),
		slices.Repeat([]Pair{{false, true}}, table.OnlySecondCorrect),
		slices.Repeat([]Pair{{false, false}}, table.BothWrong),
	)
}
