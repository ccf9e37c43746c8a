// This file gives the mid-p variant of the McNemar test: the exact test without
// its conservatism, on the same assumption.

package stats

import (
	"fmt"
	"math/big"
)

// MethodMcNemarMidP names the test in results and reports.
const MethodMcNemarMidP = "mid-p McNemar"

// McNemarMidP computes the two-sided mid-p test (Fagerland, Lydersen and Laake
// 2013, BMC Medical Research Methodology 13:91): the exact p less the
// probability of the observed split,
//
//	p = 2 · Σ C(n,k) / 2^n - C(n,m) / 2^n,  k = 0 … m,  m = min(b,c)
//
// and, for b = c, p = 1 - C(n,m) / 2^(n+1); 1 for n = 0. Exact, and rounded
// once. Unlike the exact test it may exceed its level, a little. It fails as
// [McNemar] does.
func McNemarMidP(t Table) (McNemarResult, error) {
	if err := t.check(); err != nil {
		return McNemarResult{}, fmt.Errorf("McNemar mid-p: %w", err)
	}
	result := McNemarResult{Table: t, Method: MethodMcNemarMidP, PValue: 1}
	n := t.Discordant()
	if n == 0 {
		result.Warnings = discordanceWarnings(t)
		return result, nil
	}
	result.Warnings = []string{"mid-p is not guaranteed to keep its level: report it beside the exact p, not in its place"}

	tail, last := binomialTail(t.OnlyFirstCorrect, t.OnlySecondCorrect)
	whole := new(big.Int).Lsh(big.NewInt(1), uint(n))
	part := new(big.Int).Lsh(tail, 1)
	if t.OnlyFirstCorrect == t.OnlySecondCorrect {
		whole.Lsh(whole, 1)
		part.Set(whole)
	}
	part.Sub(part, last)
	result.PValue, _ = new(big.Rat).SetFrac(part, whole).Float64()
	return result, nil
}
