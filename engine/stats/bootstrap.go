// This file estimates how far the difference between two arms would move with
// other cases, on one assumption: the cases at hand stand for all the others.

package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// MethodBootstrap names the interval in results and reports.
const MethodBootstrap = "paired percentile bootstrap"

// Below these a percentile interval is warned of. With few pairs it covers less
// than it says, because the resamples vary by (n-1)/n of what they should and
// take few values; with few iterations too few draws lie beyond a 95 % end. Both
// bounds are conventions of this package.
const (
	fewPairs      = 20
	fewIterations = 1000
)

// maxPairs is what a draw's three packed counters can hold.
const maxPairs = 1<<counterBits - 1

// BootstrapOptions are the pinned parameters of a bootstrap.
type BootstrapOptions struct {
	Seed       *big.Int // any integer; its sign is ignored, as in Python
	Iterations int      // resamples, at least 1
	Alpha      float64  // error rate in (0, 1); 0.05 gives a 95 % interval
}

// Bin is one value the resampled difference took, and how often.
type Bin struct {
	Value float64 // in [-1, 1]
	Count int     // at least 1
}

// BootstrapResult is an interval for mean(second) - mean(first).
type BootstrapResult struct {
	Method         string
	Pairs          int
	Seed           *big.Int
	Iterations     int
	Alpha          float64
	MeanDifference float64 // of the pairs as given, in [-1, 1]
	Lower, Upper   float64 // the interval's ends, both attained values; warned of where they meet or cross

	// LowerRank and UpperRank are the positions of the ends among the sorted
	// resampled differences, from 0.
	LowerRank, UpperRank int

	// Distribution is all resampled differences, ascending by value; its
	// counts add up to Iterations.
	Distribution []Bin

	Warnings []string
}

// Bootstrap resamples pairs with replacement and gives the percentile interval
// of the difference (Efron 1979). It is Python's random.Random(seed), n calls of
// randrange(n) an iteration, differences sorted, and of N sorted values the
// elements floor(alpha/2 · N) and floor((1 - alpha/2) · N) - 1, both clamped to
// [0, N-1]. The same pairs in another order give another draw.
//
// It fails with [ErrNoPairs], or [ErrInvalid] for a nil seed, an iteration count
// below 1, an alpha outside (0, 1) or more than 2,097,151 pairs.
func Bootstrap(pairs []Pair, options BootstrapOptions) (BootstrapResult, error) {
	if err := options.check(len(pairs)); err != nil {
		return BootstrapResult{}, fmt.Errorf("bootstrap: %w", err)
	}
	table := Count(pairs)
	result := BootstrapResult{
		Method:         MethodBootstrap,
		Pairs:          len(pairs),
		Seed:           new(big.Int).Set(options.Seed),
		Iterations:     options.Iterations,
		Alpha:          options.Alpha,
		MeanDifference: table.MeanDifference(),
		Distribution:   resample(pairs, options),
		Warnings:       bootstrapWarnings(table, options),
	}
	result.LowerRank, result.UpperRank = ranks(options.Alpha, options.Iterations)
	result.Lower = element(result.Distribution, result.LowerRank)
	result.Upper = element(result.Distribution, result.UpperRank)
	return result, nil
}

func (o BootstrapOptions) check(pairs int) error {
	switch {
	case pairs == 0:
		return ErrNoPairs
	case pairs > maxPairs:
		return fmt.Errorf("%d pairs, at most %d can be resampled: %w", pairs, maxPairs, ErrInvalid)
	case o.Seed == nil:
		return fmt.Errorf("no seed: %w", ErrInvalid)
	case o.Iterations < 1:
		return fmt.Errorf("%d iterations, at least 1 is needed: %w", o.Iterations, ErrInvalid)
	}
	return checkAlpha(o.Alpha)
}

// ranks gives the positions of the interval's ends among n sorted values.
func ranks(alpha float64, n int) (lower, upper int) {
	half := alpha / 2
	lower = int(math.Floor(float64(half * float64(n))))
	upper = int(math.Floor(float64((1-half)*float64(n)))) - 1
	return min(max(lower, 0), n-1), min(max(upper, 0), n-1)
}

// element gives the value at a rank of the sorted sample that bins stand for.
func element(bins []Bin, rank int) float64 {
	for _, bin := range bins {
		if rank -= bin.Count; rank < 0 {
			return bin.Value
		}
	}
	return math.NaN() // not reached: the counts add up to more than any rank
}

// A draw's counters share one word, so that adding a pair is one addition: how
// many pairs were drawn, and in how many of them each arm was right.
const (
	counterBits = 21
	firstShift  = counterBits
	secondShift = 2 * counterBits
	counterMask = 1<<counterBits - 1
)

// resample gives the distribution of the resampled difference.
//
// randrange(n) takes the top n.bit_length() bits of a word and throws the word
// away unless they are below n. Here a table maps those bits to what the pair
// adds to the counters, and a rejected word adds nothing: a lookup in place of a
// branch that no processor could predict.
func resample(pairs []Pair, options BootstrapOptions) []Bin {
	n := len(pairs)
	width := bits.Len(uint(n))
	shift := uint(32-width) & 31 // 11 to 31; the mask only tells the compiler so
	adds := make([]uint64, 1<<width)
	for i, pair := range pairs {
		adds[i] = 1
		if pair.First {
			adds[i] |= 1 << firstShift
		}
		if pair.Second {
			adds[i] |= 1 << secondShift
		}
	}

	tally := newTally(n, options.Iterations)
	generator := newMersenne(options.Seed)
	next := mtWords
	for range options.Iterations {
		var drawn uint64
		for drawn&counterMask < uint64(n) {
			if next == mtWords {
				generator.refill()
				next = 0
			}
			drawn += adds[generator.words[next]>>(shift&31)]
			next++
		}
		tally.add(int(drawn>>firstShift&counterMask), int(drawn>>secondShift))
	}
	return tally.bins()
}

// tally counts how often each pair of sums was drawn: in a flat table while
// that is small, else in a map.
type tally struct {
	n    int
	flat []int // index first*(n+1) + second
	rare map[[2]int]int
}

// newTally makes a tally for sums from 0 to n. A flat table is used while it is
// small, or no larger than the draws that fill it.
func newTally(n, iterations int) *tally {
	const small = 1 << 14
	cells := (n + 1) * (n + 1) // n < 2^21: no overflow
	if cells <= small || cells <= iterations {
		return &tally{n: n, flat: make([]int, cells)}
	}
	return &tally{n: n, rare: make(map[[2]int]int)}
}

func (t *tally) add(first, second int) {
	if t.flat != nil {
		t.flat[first*(t.n+1)+second]++
		return
	}
	t.rare[[2]int{first, second}]++
}

// bins gives the differences ascending. Sums that give the same float64 share a
// bin; sums that differ only by rounding do not.
func (t *tally) bins() []Bin {
	var bins []Bin
	for cell, count := range t.flat {
		if count > 0 {
			bins = append(bins, Bin{difference(cell/(t.n+1), cell%(t.n+1), t.n), count})
		}
	}
	for sums, count := range t.rare {
		bins = append(bins, Bin{difference(sums[0], sums[1], t.n), count})
	}
	slices.SortFunc(bins, func(a, b Bin) int { return cmp.Compare(a.Value, b.Value) })
	merged := bins[:0]
	for _, bin := range bins {
		if last := len(merged) - 1; last >= 0 && merged[last].Value == bin.Value {
			merged[last].Count += bin.Count
		} else {
			merged = append(merged, bin)
		}
	}
	return slices.Clip(merged)
}

// bootstrapWarnings says what the interval must not be read as.
func bootstrapWarnings(t Table, options BootstrapOptions) []string {
	var warnings []string
	if n := t.Pairs(); n < fewPairs {
		warnings = append(warnings, fmt.Sprintf("n = %d: the percentile interval is too narrow; read Newcombe", n))
	}
	if t.Discordant() == 0 {
		warnings = append(warnings, "no discordant pair: every resample gives 0, and the interval of no width is no proof of equality")
	} else if t.Discordant() == t.Pairs() && (t.OnlyFirstCorrect == 0 || t.OnlySecondCorrect == 0) {
		warnings = append(warnings, "every pair is discordant in one direction: every resample gives the same value, and the interval of no width is no certainty")
	}
	if options.Iterations < fewIterations {
		warnings = append(warnings, fmt.Sprintf("%s: the interval's ends still move with the seed; use %d or more", plural(options.Iterations, "iteration"), fewIterations))
	}
	if lower, upper := ranks(options.Alpha, options.Iterations); lower >= upper {
		warnings = append(warnings, fmt.Sprintf("alpha = %v leaves no draw between the ends of %s: this is no interval", options.Alpha, plural(options.Iterations, "iteration")))
	}
	return warnings
}
