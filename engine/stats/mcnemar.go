// This file tests whether two arms are right equally often, on one assumption:
// without an effect a discordant pair falls to either side like a fair coin.

package stats

import (
	"fmt"
	"math/big"
)

// MethodMcNemarExact names the test in results and reports.
const MethodMcNemarExact = "exact two-sided McNemar"

// fewDiscordant is the number of discordant pairs up to which the exact test
// cannot reach p < 0.05: 2/2^5 = 0.0625.
const fewDiscordant = 5

// McNemarResult is the outcome of a McNemar test.
type McNemarResult struct {
	Table
	Method   string
	PValue   float64 // in (0, 1], or 0 where the exact value is below every float64
	Warnings []string
}

// McNemar computes the exact two-sided test (McNemar 1947, with the binomial
// distribution itself rather than its approximation):
//
//	p = min(1, 2 · Σ C(n,k) / 2^n),  k = 0 … min(b,c),  n = b + c
//
// and p = 1 for n = 0. The sum is exact and rounded once, to the nearest
// float64 (ties to even), so that every digit agrees with exact arithmetic at
// any n. It fails with [ErrNoPairs], or [ErrInvalid] for a negative count.
func McNemar(t Table) (McNemarResult, error) {
	if err := t.check(); err != nil {
		return McNemarResult{}, fmt.Errorf("McNemar: %w", err)
	}
	tail, _ := binomialTail(t.OnlyFirstCorrect, t.OnlySecondCorrect)
	return McNemarResult{
		Table:    t,
		Method:   MethodMcNemarExact,
		PValue:   twoSided(tail, t.Discordant()),
		Warnings: discordanceWarnings(t),
	}, nil
}

// binomialTail gives Σ C(n,k) for k = 0 … min(b,c) with n = b + c, and the last
// of its terms, both exact.
func binomialTail(b, c int) (sum, last *big.Int) {
	n, least := b+c, min(b, c)
	term := big.NewInt(1)
	total := big.NewInt(1)
	var factor big.Int
	for k := 1; k <= least; k++ {
		// C(n,k) = C(n,k-1) · (n-k+1) / k, without a remainder.
		term.Mul(term, factor.SetInt64(int64(n-k+1)))
		term.Quo(term, factor.SetInt64(int64(k)))
		total.Add(total, term)
	}
	return total, term
}

// twoSided gives min(1, 2·tail / 2^n), rounded once.
func twoSided(tail *big.Int, n int) float64 {
	double := new(big.Int).Lsh(tail, 1)
	whole := new(big.Int).Lsh(big.NewInt(1), uint(n))
	if double.Cmp(whole) >= 0 {
		return 1
	}
	p, _ := new(big.Rat).SetFrac(double, whole).Float64()
	return p
}

// discordanceWarnings says where a test of the discordant pairs can say little.
func discordanceWarnings(t Table) []string {
	switch n := t.Discordant(); {
	case n == 0:
		return []string{"no discordant pair: the test has nothing to decide on"}
	case n <= fewDiscordant:
		return []string{fmt.Sprintf("%s: p cannot fall below %v whatever their direction", plural(n, "discordant pair"), twoSided(big.NewInt(1), n))}
	}
	return nil
}

// plural gives "1 pair" or "2 pairs".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
