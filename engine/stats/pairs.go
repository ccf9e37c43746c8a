// Package stats holds the paired statistics of a study: how two arms answered
// the same cases. It knows nothing of policies or runs, so any two arms can be
// compared with it.
//
// Every result carries its estimate, the name of its method and its warnings;
// whoever shows a number shows its warnings too.
//
// This file holds the pair and the 2×2 table every method starts from.
package stats

import (
	"errors"
	"fmt"
)

// ErrNoPairs is returned by every method that was given nothing to compare.
var ErrNoPairs = errors.New("no pairs: at least one case answered under both arms is needed")

// ErrInvalid is wrapped by errors about arguments out of their domain.
var ErrInvalid = errors.New("invalid argument")

// Pair is one case answered under both arms. The order of pairs matters to the
// bootstrap, which draws them by position: give them in case-ID order.
type Pair struct {
	First, Second bool // whether the arm's answer is right
}

// Table counts pairs by their two outcomes. Counts are never negative.
type Table struct {
	BothCorrect       int
	OnlyFirstCorrect  int // discordant in favour of the first arm (b)
	OnlySecondCorrect int // discordant in favour of the second arm (c)
	BothWrong         int
}

// Count tabulates pairs.
func Count(pairs []Pair) Table {
	var t Table
	for _, pair := range pairs {
		switch {
		case pair.First && pair.Second:
			t.BothCorrect++
		case pair.First:
			t.OnlyFirstCorrect++
		case pair.Second:
			t.OnlySecondCorrect++
		default:
			t.BothWrong++
		}
	}
	return t
}

// Pairs is the number of pairs counted.
func (t Table) Pairs() int {
	return t.BothCorrect + t.OnlyFirstCorrect + t.OnlySecondCorrect + t.BothWrong
}

// Discordant is the number of pairs whose two outcomes differ.
func (t Table) Discordant() int { return t.OnlyFirstCorrect + t.OnlySecondCorrect }

// FirstCorrect is the number of cases the first arm got right.
func (t Table) FirstCorrect() int { return t.BothCorrect + t.OnlyFirstCorrect }

// SecondCorrect is the number of cases the second arm got right.
func (t Table) SecondCorrect() int { return t.BothCorrect + t.OnlySecondCorrect }

// MeanDifference is the second arm's share of right answers minus the first's,
// in [-1, 1]: two quotients rounded to float64, then their difference, as
// mean(second) - mean(first) gives it. It is 0 for an empty table.
func (t Table) MeanDifference() float64 {
	n := t.Pairs()
	if n == 0 {
		return 0
	}
	return difference(t.FirstCorrect(), t.SecondCorrect(), n)
}

// difference is second/n - first/n with each operation rounded on its own.
func difference(first, second, n int) float64 {
	mean1 := float64(first) / float64(n)
	mean2 := float64(second) / float64(n)
	return mean2 - mean1
}

// check refuses a table no pairs can have given.
func (t Table) check() error {
	if t.BothCorrect < 0 || t.OnlyFirstCorrect < 0 || t.OnlySecondCorrect < 0 || t.BothWrong < 0 {
		return fmt.Errorf("2×2 table %+v: a count is negative: %w", t, ErrInvalid)
	}
	if t.Pairs() == 0 {
		return ErrNoPairs
	}
	return nil
}

// checkAlpha refuses an error rate outside (0, 1), NaN included.
func checkAlpha(alpha float64) error {
	if alpha > 0 && alpha < 1 {
		return nil
	}
	return fmt.Errorf("alpha is %v, it must lie between 0 and 1: %w", alpha, ErrInvalid)
}
