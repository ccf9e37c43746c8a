// This file says an explanation in words: one sentence why a fact was kept or
// evicted, and the sum that proves its score. Plain text, no IDs.

package eviction

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Explained is one fact of a decision taken apart, with what of the decision its
// words need.
type Explained struct {
	Policy        Policy
	Capacity      int
	ReservedSlots int
	Of            int // facts in all
	FactExplanation
}

// Why gives the sentence for fact i of an explanation, such as `Evicted: rank 8
// of 10 at capacity 7, 0.023 below the cut. Confirming it within 12.4 days, or
// confidence 0.735 instead of 0.700, would have kept it.` It names at most two
// changes, the smallest among them. Their figures are rounded to the side on
// which they still turn the decision. Empty for an i outside the list.
func Why(e Explanation, i int) string {
	if i < 0 || i >= len(e.Facts) {
		return ""
	}
	return e.one(i).Why()
}

func (e *Explanation) one(i int) Explained {
	return Explained{Policy: e.Policy, Capacity: e.Capacity, ReservedSlots: e.ReservedSlots, Of: len(e.Facts), FactExplanation: e.Facts[i]}
}

// Why is the function Why for one fact.
func (f Explained) Why() string {
	text := f.verdict()
	if f.SharedID {
		text += "; it shares its ID with another fact, and the last one's score counts for all of them"
	}
	remedy := f.remedy()
	return text + ". " + strings.ToUpper(remedy[:1]) + remedy[1:] + "."
}

// verdict says on which side of the cut f is and what decided.
func (f *Explained) verdict() string {
	word, n := "Evicted", f.Of
	if f.Kept {
		word = "Kept"
	}
	switch {
	case n <= f.Capacity && n == 1:
		return fmt.Sprintf("%s: the only fact fits in capacity %d", word, f.Capacity)
	case n <= f.Capacity:
		return fmt.Sprintf("%s: all %d facts fit in capacity %d", word, n, f.Capacity)
	case f.Capacity <= 0:
		return fmt.Sprintf("%s: capacity %d keeps nothing", word, f.Capacity)
	}
	place := fmt.Sprintf("%s: rank %d of %d at capacity %d", word, f.Rank, n, f.Capacity)
	if f.Displaced {
		slots := "a slot is"
		if f.ReservedSlots > 1 {
			slots = fmt.Sprintf("%d slots are", f.ReservedSlots)
		}
		return fmt.Sprintf("%s would fit, but %s reserved for corrections", place, slots)
	}
	if f.HasMargin {
		place += ", " + distance(f.Margin)
	}
	if f.ViaReserve {
		place += ", but it is a correction in a reserved slot"
	}
	if f.TieDecided {
		if f.Kept {
			place += ", where it stands before its equals in the list"
		} else {
			place += ", where an equal stands before it in the list"
		}
	}
	return place
}

// distance words a margin.
func distance(margin float64) string {
	side := "above"
	if margin < 0 {
		side = "below"
	}
	switch size := math.Abs(margin); {
	case size == 0:
		return "level with the cut"
	case size < 0.001:
		return "less than 0.001 " + side + " the cut"
	default:
		return fmt.Sprintf("%.3f %s the cut", size, side)
	}
}

// remedy says what would have turned the decision.
func (f *Explained) remedy() string {
	turned := "would have kept it"
	if f.Kept {
		turned = "would have evicted it"
	}
	if 0 < f.Capacity && f.Capacity < f.Of && len(f.Changes) == 1 && f.Changes[0].Kind == ChangeCapacity {
		values := "no confidence, confirmation or heat"
		if !f.Policy.Hybrid() {
			values = "no confidence"
		}
		return fmt.Sprintf("%s %s, only %s", values, turned, f.Changes[0].words(f.Kept))
	}
	var named []string
	for at, c := range f.Changes {
		// Two at most; the second place is the smallest's until it was named.
		if len(named) == 0 || len(named) == 1 && f.Smallest <= at {
			named = append(named, c.words(f.Kept))
		}
	}
	if len(named) == 2 {
		return named[0] + ", or " + named[1] + ", " + turned
	}
	return strings.Join(named, "") + " " + turned
}

// words names the changed value.
func (c Change) words(kept bool) string {
	switch c.Kind {
	case ChangeConfirmation:
		if !kept {
			return "confirming it " + within(c.To)
		}
		from, to := apart(c.From, c.To, 1, true)
		return fmt.Sprintf("a last confirmation %s days ago instead of %s", to, from)
	case ChangeConfidence:
		from, to := apart(c.From, c.To, 3, !kept)
		return fmt.Sprintf("confidence %s instead of %s", to, from)
	case ChangeHeat:
		from, to := apart(c.From, c.To, 1, !kept)
		if c.From == 0 {
			from = "0"
		}
		return fmt.Sprintf("an access heat of %s instead of %s", to, from)
	}
	return "capacity " + strconv.FormatFloat(c.To, 'f', -1, 64)
}

// within words a span of days from below, in the largest unit that holds it.
func within(days float64) string {
	for _, unit := range [...]struct {
		name string
		days float64
	}{{"days", 1}, {"hours", 1. / 24}, {"minutes", 1. / 1440}, {"seconds", 1. / 86400}} {
		if days >= unit.days {
			return fmt.Sprintf("within %s %s", rounded(days/unit.days, 1, false), unit.name)
		}
	}
	return "at that very moment"
}

// apart writes two different numbers with so many decimals, and more if they
// would look equal. to is rounded up or down, from to the nearest.
func apart(from, to float64, decimals int, up bool) (fromText, toText string) {
	for {
		fromText = strconv.FormatFloat(from, 'f', decimals, 64)
		toText = rounded(to, decimals, up)
		if fromText != toText || decimals >= 17 {
			return fromText, toText
		}
		decimals++
	}
}

// rounded writes x with so many decimals, rounded up or down.
func rounded(x float64, decimals int, up bool) string {
	scale := math.Pow10(decimals)
	whole := math.Floor(x * scale)
	if up {
		whole = math.Ceil(x * scale)
		if whole/scale < x {
			whole++
		}
	} else if whole/scale > x {
		whole--
	}
	return strconv.FormatFloat(whole/scale, 'f', decimals, 64)
}

// Proof gives the sum behind fact i's score, such as `0.65×0.70 + 0.25×0.948 +
// 0.10×0 = 0.692`, three decimals at most; under the confidence policy
// `confidence = 0.700`. Empty for an i outside the list.
func Proof(e Explanation, i int) string {
	if i < 0 || i >= len(e.Facts) {
		return ""
	}
	return e.one(i).Proof()
}

// Proof is the function Proof for one fact.
func (f Explained) Proof() string {
	s := f.Score
	if !f.Policy.Hybrid() {
		return fmt.Sprintf("confidence = %.3f", s.Value)
	}
	w := f.Policy.Weights
	return fmt.Sprintf("%s×%s + %s×%s + %s×%s = %.3f",
		short(w.Confidence), short(s.Confidence),
		short(w.Confirmation), short(s.Freshness),
		short(w.Access), short(s.Heat), s.Value)
}

// short writes a number with three decimals, two where the third is 0, none
// for exactly 0 and 1.
func short(x float64) string {
	if x == 0 || x == 1 {
		return strconv.Itoa(int(x))
	}
	text := strconv.FormatFloat(x, 'f', 3, 64)
	if math.Abs(x) >= 0.005 {
		text = strings.TrimSuffix(text, "0")
	}
	return text
}
