// This file says which of two intervals for the same difference to read, because
// at few pairs they disagree and the pinned one is the worse.

package stats

import "fmt"

// fewOff is the number of pairs off the commonest outcome below which a
// percentile interval is read with Newcombe's: a convention, the usual bound for
// a count that is to vary about evenly to both sides.
const fewOff = 10

// Advice is which interval to read.
type Advice struct {
	Read   string // the method's name
	Reason string // one sentence, with both intervals where they are at odds
}

// WhichToTrust chooses between the pinned percentile interval and Newcombe's for
// the same pairs. Newcombe's is read where
//   - there are fewer than 20 pairs: the resamples vary by (n-1)/n of what they
//     should and take few values;
//   - every pair has the same difference: the percentile interval has no width;
//   - fewer than 10 pairs are off the commonest of the three differences -1, 0 and
//     1: the resamples' distribution is then lopsided and coarse.
//
// What to read does not change what is primary. It fails with [ErrInvalid] where
// the two are not of the same number of pairs and the same difference.
func WhichToTrust(percentile BootstrapResult, newcombe DifferenceResult) (Advice, error) {
	if percentile.Pairs != newcombe.Pairs() || percentile.MeanDifference != newcombe.Difference || percentile.Alpha != newcombe.Alpha {
		return Advice{}, fmt.Errorf("which interval to trust: %d pairs with a difference of %v at alpha %v against %d with %v at %v: give two intervals of the same pairs: %w",
			percentile.Pairs, percentile.MeanDifference, percentile.Alpha, newcombe.Pairs(), newcombe.Difference, newcombe.Alpha, ErrInvalid)
	}
	t := newcombe.Table
	n := t.Pairs()
	off := n - max(t.OnlyFirstCorrect, t.OnlySecondCorrect, n-t.Discordant())
	var cause string
	switch {
	case noSpread(t):
		cause = "every pair has the same difference, so the percentile interval has no width"
	case n < fewPairs:
		cause = "too few pairs: the percentile interval covers less than it says"
	case off < fewOff:
		cause = fmt.Sprintf("only %s off the commonest outcome: the percentile interval is coarse and lopsided", plural(off, "pair"))
	default:
		return Advice{
			Read:   MethodBootstrap,
			Reason: fmt.Sprintf("n = %d: both intervals hold; read the pinned one", n),
		}, nil
	}
	return Advice{
		Read: MethodNewcombe,
		Reason: fmt.Sprintf("n = %d, %s; read Newcombe [%+.2f, %+.2f], not percentile [%+.2f, %+.2f]",
			n, cause, newcombe.Lower, newcombe.Upper, percentile.Lower, percentile.Upper),
	}, nil
}
