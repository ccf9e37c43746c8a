// This file measures what docs/performance.md states of this package.

package stats

import (
	"fmt"
	"math/big"
	"testing"
)

// publishedPairs gives 45 pairs in the published run's proportions: 23 both
// right, 1 and 17 discordant, 4 both wrong.
func publishedPairs() []Pair {
	pairs := make([]Pair, 45)
	for i := range pairs {
		switch {
		case i < 23:
			pairs[i] = Pair{true, true}
		case i < 24:
			pairs[i] = Pair{true, false}
		case i < 41:
			pairs[i] = Pair{false, true}
		}
	}
	return pairs
}

func BenchmarkBootstrap45Pairs10000Iterations(b *testing.B) {
	pairs := publishedPairs()
	options := BootstrapOptions{Seed: big.NewInt(4789), Iterations: 10_000, Alpha: 0.05}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Bootstrap(pairs, options); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMersenneBlock(b *testing.B) {
	generator := newMersenne(big.NewInt(1))
	b.SetBytes(4 * mtWords)
	for b.Loop() {
		generator.refill()
	}
}

func BenchmarkMcNemar(b *testing.B) {
	for _, n := range []int{18, 500, 5000} {
		table := Table{OnlyFirstCorrect: n * 2 / 5, OnlySecondCorrect: n - n*2/5}
		b.Run(fmt.Sprintf("discordant=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := McNemar(table); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBCa45Pairs10000Iterations(b *testing.B) {
	pairs := publishedPairs()
	options := BootstrapOptions{Seed: big.NewInt(4789), Iterations: 10_000, Alpha: 0.05}
	b.ReportAllocs()
	for b.Loop() { // the resamples included
		bootstrap, err := Bootstrap(pairs, options)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := BCa(Count(pairs), bootstrap); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDetectable(b *testing.B) {
	for _, n := range []int{45, 1000, 20_000} {
		b.Run(fmt.Sprintf("pairs=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Detectable(Design{n, 0.4, 0.05}, UsualPower); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAnalyse45Pairs(b *testing.B) {
	suite, err := Compare("overall", publishedPairs(), BootstrapOptions{big.NewInt(4789), 10_000, 0.05})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Analyse(suite); err != nil {
			b.Fatal(err)
		}
	}
}
