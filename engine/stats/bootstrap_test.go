// This file holds the bootstrap against Python's draws and against a plain
// version of itself.

package stats

import (
	"math/big"
	"math/bits"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

func TestBootstrapDrawsWhatPythonDraws(t *testing.T) {
	pairs := publishedPairs()
	// Expected values: random.Random(seed) and randrange in CPython 3.11, with
	// the definition of the interval written out.
	tests := []struct {
		name            string
		pairs           []Pair
		options         BootstrapOptions
		lower, upper    float64
		lowRank, upRank int
		distinct        int
		smallest        float64
		smallestCount   int
	}{
		{"the published parameters", pairs, BootstrapOptions{big.NewInt(4789), 10_000, 0.05},
			0.20000000000000007, 0.5111111111111111, 250, 9749, 59, 0.0888888888888889, 3},
		{"one iteration has one value", pairs[20:30], BootstrapOptions{big.NewInt(-3), 1, 0.5},
			0.6000000000000001, 0.6000000000000001, 0, 0, 1, 0.6000000000000001, 1},
		{"an absurd alpha crosses the ends", pairs, BootstrapOptions{big.NewInt(99), 7, 0.999999},
			0.37777777777777777, 0.33333333333333337, 3, 2, 6, 0.28888888888888886, 1},
		{"few iterations", pairs, BootstrapOptions{big.NewInt(99), 10, 0.2},
			0.28888888888888886, 0.4, 1, 8, 7, 0.24444444444444446, 1},
		{"many pairs and a big seed", slices.Repeat(pairs, 40), BootstrapOptions{new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil), 300, 0.1},
			0.33444444444444443, 0.3766666666666667, 15, 284, 133, 0.3227777777777777, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Bootstrap(test.pairs, test.options)
			if err != nil {
				t.Fatal(err)
			}
			if !sameBits(got.Lower, test.lower) || !sameBits(got.Upper, test.upper) {
				t.Errorf("interval [%v, %v], want [%v, %v]", got.Lower, got.Upper, test.lower, test.upper)
			}
			if got.LowerRank != test.lowRank || got.UpperRank != test.upRank {
				t.Errorf("ranks %d and %d, want %d and %d", got.LowerRank, got.UpperRank, test.lowRank, test.upRank)
			}
			if first := got.Distribution[0]; len(got.Distribution) != test.distinct || first != (Bin{test.smallest, test.smallestCount}) {
				t.Errorf("%d values from %+v, want %d from %v (%d)", len(got.Distribution), first, test.distinct, test.smallest, test.smallestCount)
			}
		})
	}
}

// plainly is the definition of the bootstrap, one draw at a time.
func plainly(pairs []Pair, options BootstrapOptions) []float64 {
	generator, next := newMersenne(options.Seed), mtWords
	n := len(pairs)
	randrange := func() int {
		for {
			if next == mtWords {
				generator.refill()
				next = 0
			}
			word := generator.words[next]
			next++
			if r := int(word >> (32 - bits.Len(uint(n)))); r < n {
				return r
			}
		}
	}
	var differences []float64
	for range options.Iterations {
		first, second := 0, 0
		for range n {
			pair := pairs[randrange()]
			if pair.First {
				first++
			}
			if pair.Second {
				second++
			}
		}
		differences = append(differences, float64(second)/float64(n)-float64(first)/float64(n))
	}
	slices.Sort(differences)
	return differences
}

func TestTheDistributionIsTheDefinitionsAtEverySize(t *testing.T) {
	source := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 1023, 1024, 3000} {
		pairs := make([]Pair, n)
		for i := range pairs {
			pairs[i] = Pair{source.Intn(3) > 0, source.Intn(2) > 0}
		}
		options := BootstrapOptions{Seed: big.NewInt(int64(n)), Iterations: 150, Alpha: 0.1}
		got, err := Bootstrap(pairs, options)
		if err != nil {
			t.Fatal(err)
		}
		var values []float64
		for _, bin := range got.Distribution {
			for range bin.Count {
				values = append(values, bin.Value)
			}
		}
		want := plainly(pairs, options)
		if !slices.Equal(values, want) {
			t.Errorf("n = %d: the distributions differ", n)
		}
		if got.Lower != want[got.LowerRank] || got.Upper != want[got.UpperRank] {
			t.Errorf("n = %d: ends [%v, %v]", n, got.Lower, got.Upper)
		}
	}
}

func TestBootstrapLeavesItsArgumentsAlone(t *testing.T) {
	seed := big.NewInt(-5)
	pairs := []Pair{{true, false}, {false, true}}
	got, err := Bootstrap(pairs, BootstrapOptions{seed, 20, 0.05})
	if err != nil || seed.Int64() != -5 || got.Seed == seed || got.Seed.Int64() != -5 || pairs[0] != (Pair{true, false}) {
		t.Errorf("%+v, %v, seed %v", got, err, seed)
	}
}

func TestBootstrapWarns(t *testing.T) {
	same := slices.Repeat([]Pair{{true, true}}, 30)
	oneWay := slices.Repeat([]Pair{{false, true}}, 30)
	tests := []struct {
		name       string
		pairs      []Pair
		iterations int
		alpha      float64
		want       []string
	}{
		{"of nothing, where it is sound", publishedPairs(), 10_000, 0.05, nil},
		{"of few pairs", publishedPairs()[20:25], 10_000, 0.05, []string{"n = 5: the percentile interval is too narrow; read Newcombe"}},
		{"of no discordant pair", same, 10_000, 0.05, []string{"no discordant pair"}},
		{"of pairs that all go one way", oneWay, 10_000, 0.05, []string{"every pair is discordant in one direction"}},
		{"of few iterations", publishedPairs(), 50, 0.05, []string{"50 iterations"}},
		{"of ends that cross", publishedPairs(), 7, 0.999999, []string{"7 iterations", "alpha = 0.999999 leaves no draw"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Bootstrap(test.pairs, BootstrapOptions{big.NewInt(1), test.iterations, test.alpha})
			if err != nil || len(got.Warnings) != len(test.want) {
				t.Fatalf("%q, %v; want %q", got.Warnings, err, test.want)
			}
			for i, want := range test.want {
				if !strings.HasPrefix(got.Warnings[i], want) {
					t.Errorf("warning %q, want %q", got.Warnings[i], want)
				}
			}
		})
	}
}

func TestAResampleAllocatesNothing(t *testing.T) {
	pairs := publishedPairs()
	cost := func(iterations int) float64 {
		return testing.AllocsPerRun(5, func() {
			_, _ = Bootstrap(pairs, BootstrapOptions{big.NewInt(4789), iterations, 0.05})
		})
	}
	if few, many := cost(2000), cost(20_000); many > few+2 { // more distinct values may grow the result once or twice
		t.Errorf("2,000 iterations allocate %v times, 20,000 allocate %v times", few, many)
	}
}
