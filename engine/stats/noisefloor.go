// This file measures how much two arms differ where they cannot: cases whose
// requests are byte-identical under both. What differs there is the provider's
// own variation, and no effect of the same size elsewhere is evidence.

package stats

import (
	"fmt"
	"slices"
)

// MethodNoiseFloor names the measurement in results and reports.
const MethodNoiseFloor = "A/A comparison of byte-identical requests"

// Answered is one arm's answer to a case.
type Answered struct {
	Request    string // identifies the request to the byte, such as its SHA-256
	Prediction string // the answer's text as received
	Correct    bool   // its grade
}

// AnsweredPair is a case answered under both arms.
type AnsweredPair struct {
	Key           string // unique: the case's ID, for instance
	First, Second Answered
}

// NoiseFloorResult is what two arms differ by on identical requests.
type NoiseFloorResult struct {
	Method      string
	Pairs       int // with byte-identical requests
	Others      int // left out: their requests differ
	TextsDiffer int // pairs whose two answers are not the same bytes
	GradesFlip  int // pairs of which one answer is right and the other wrong

	TextRate ProportionResult // TextsDiffer of Pairs, with its Wilson interval
	FlipRate ProportionResult // GradesFlip of Pairs, with its Wilson interval

	DifferingKeys, FlippedKeys []string // sorted

	Warnings []string
}

// NoiseFloor picks the pairs with the same request under both arms and counts the
// differences; texts are compared byte for byte. It fails with [ErrNoPairs] where
// no request is shared, or [ErrInvalid] for an empty request, a key given twice or
// an alpha outside (0, 1).
func NoiseFloor(pairs []AnsweredPair, alpha float64) (NoiseFloorResult, error) {
	result := NoiseFloorResult{Method: MethodNoiseFloor}
	seen := make(map[string]bool, len(pairs))
	for _, pair := range pairs {
		switch {
		case seen[pair.Key]:
			return NoiseFloorResult{}, fmt.Errorf("A/A: pair %q is given twice: %w", pair.Key, ErrInvalid)
		case pair.First.Request == "" || pair.Second.Request == "":
			return NoiseFloorResult{}, fmt.Errorf("A/A: pair %q has no request identity: %w", pair.Key, ErrInvalid)
		}
		seen[pair.Key] = true
		if pair.First.Request != pair.Second.Request {
			result.Others++
			continue
		}
		result.Pairs++
		if pair.First.Prediction != pair.Second.Prediction {
			result.TextsDiffer++
			result.DifferingKeys = append(result.DifferingKeys, pair.Key)
		}
		if pair.First.Correct != pair.Second.Correct {
			result.GradesFlip++
			result.FlippedKeys = append(result.FlippedKeys, pair.Key)
		}
	}
	if result.Pairs == 0 {
		return NoiseFloorResult{}, fmt.Errorf("A/A: none of %s has byte-identical requests, so the noise floor is unknown: %w", plural(len(pairs), "pair"), ErrNoPairs)
	}
	slices.Sort(result.DifferingKeys)
	slices.Sort(result.FlippedKeys)
	var err error
	if result.TextRate, err = Wilson(result.TextsDiffer, result.Pairs, alpha); err != nil {
		return NoiseFloorResult{}, fmt.Errorf("A/A: %w", err)
	}
	if result.FlipRate, err = Wilson(result.GradesFlip, result.Pairs, alpha); err != nil {
		return NoiseFloorResult{}, fmt.Errorf("A/A: %w", err)
	}
	result.Warnings = result.warnings()
	return result, nil
}

func (r *NoiseFloorResult) warnings() []string {
	var warnings []string
	if r.GradesFlip == 0 {
		warnings = append(warnings, fmt.Sprintf("0 flips in %s: no proof of none; a flip rate up to %.3f agrees with that", plural(r.Pairs, "pair"), r.FlipRate.Upper))
	}
	for i := range r.FlippedKeys {
		if _, differs := slices.BinarySearch(r.DifferingKeys, r.FlippedKeys[i]); !differs {
			warnings = append(warnings, fmt.Sprintf("pair %q: the same text has two grades; grade the run again", r.FlippedKeys[i]))
		}
	}
	if r.Others > 0 {
		warnings = append(warnings, fmt.Sprintf("%s with different requests left out: the floor is measured where the arms agree, and harder cases may vary more", plural(r.Others, "pair")))
	}
	return warnings
}
