// This file applies the rules in order and keeps what each of them saw, so that
// a screen can show how a verdict came about and cannot show another one.

package grading

import "slices"

// Outcome is what trying one rule came to.
type Outcome string

// The outcomes of a rule that was tried.
const (
	Decided       Outcome = "decided"        // its condition held: the verdict is this rule's
	NotMet        Outcome = "not-met"        // it applied, and its condition did not hold
	NotApplicable Outcome = "not-applicable" // its premise is missing (no range, no integers on a side)
)

// Step is one rule tried. The rules after the deciding one were not tried and
// have no step.
type Step struct {
	Rule    Rule
	Outcome Outcome
}

// The least shared share of both sides' content words that the overlap accepts,
// as a fraction: 3/5 of each, compared in integers.
const (
	OverlapNumerator   = 3
	OverlapDenominator = 5
)

// Decision is a verdict with everything that led to it. The fields a rule needs
// are filled only if that rule was reached, as told at each.
type Decision struct {
	Verdict

	// Prediction and Reference are the tokens after normalisation. They hold
	// nothing but 0-9 and a-z, so they are safe to show.
	Prediction, Reference []string

	// Steps are the rules tried, in order. The last one decided.
	Steps []Step

	// RunStart and RunEnd mark, for RuleSubstring, the shorter list inside the
	// longer one: [RunStart, RunEnd) of Reference if RunInReference, else of
	// Prediction.
	RunStart, RunEnd int
	RunInReference   bool

	// PredictionIntegers and ReferenceIntegers are the sets of integer values,
	// ascending, without leading zeros. Filled from RuleNumericRange on.
	PredictionIntegers, ReferenceIntegers []string

	// Range is the range stated by the reference, nil without one. Filled from
	// RuleNumericRange on.
	Range *Range

	// PredictionWords and ReferenceWords are the sets of content words (tokens
	// that are no stop words) and Shared is what they have in common, all in
	// byte order. Filled if the overlap was reached.
	PredictionWords, ReferenceWords, Shared []string
}

// Trace decides as [Grade] does and returns the whole decision. With
// [ErrEmptyReference] the decision holds the prediction's tokens and no step.
func Trace(prediction, reference string) (Decision, error) {
	d := Decision{Prediction: Tokens(prediction), Reference: Tokens(reference)}
	if len(d.Reference) == 0 {
		return d, ErrEmptyReference
	}
	d.Steps = make([]Step, 0, 7)
	d.decide()
	return d, nil
}

// decide tries the rules in order and stops at the first that decides.
func (d *Decision) decide() {
	if d.try(RuleEmptyPrediction, false, len(d.Prediction) == 0) {
		return
	}
	if d.try(RuleInsufficient, false, len(d.Prediction) == 1 && d.Prediction[0] == "insufficient") {
		return
	}
	if d.try(RuleExact, true, slices.Equal(d.Prediction, d.Reference)) {
		return
	}
	if d.try(RuleSubstring, true, d.findRun()) {
		return
	}

	d.PredictionIntegers = integers(d.Prediction)
	d.ReferenceIntegers = integers(d.Reference)
	if span, ok := findRange(d.Reference); ok {
		d.Range = &span
	}
	if d.Range == nil || len(d.PredictionIntegers) == 0 {
		d.skip(RuleNumericRange)
	} else {
		// The values ascend, so the two ends speak for all of them.
		first, last := d.PredictionIntegers[0], d.PredictionIntegers[len(d.PredictionIntegers)-1]
		if d.try(RuleNumericRange, true, d.Range.contains(first) && d.Range.contains(last)) {
			return
		}
	}
	if len(d.PredictionIntegers) == 0 || len(d.ReferenceIntegers) == 0 {
		d.skip(RuleNumericConflict)
	} else if d.try(RuleNumericConflict, false, !slices.Equal(d.PredictionIntegers, d.ReferenceIntegers)) {
		return
	}

	d.PredictionWords = contentWords(d.Prediction)
	d.ReferenceWords = contentWords(d.Reference)
	d.Shared = intersection(d.PredictionWords, d.ReferenceWords)
	if !d.try(RuleOverlapAccept, true, enough(d.Shared, d.PredictionWords) && enough(d.Shared, d.ReferenceWords)) {
		d.try(RuleOverlapReject, false, true)
	}
}

// try records a rule and, if it decides, its verdict.
func (d *Decision) try(rule Rule, correct, decides bool) bool {
	if !decides {
		d.Steps = append(d.Steps, Step{rule, NotMet})
		return false
	}
	d.Steps = append(d.Steps, Step{rule, Decided})
	d.Verdict = Verdict{Correct: correct, Rule: rule}
	return true
}

// skip records a rule whose premise is missing.
func (d *Decision) skip(rule Rule) {
	d.Steps = append(d.Steps, Step{rule, NotApplicable})
}

// findRun looks for the shorter token list inside the longer one and marks it.
func (d *Decision) findRun() bool {
	long, short := d.Prediction, d.Reference
	d.RunInReference = len(d.Reference) > len(d.Prediction)
	if d.RunInReference {
		long, short = short, long
	}
	start := indexRun(long, short)
	if start < 0 {
		d.RunInReference = false
		return false
	}
	d.RunStart, d.RunEnd = start, start+len(short)
	return true
}

// enough tells whether the shared words are at least 3/5 of words. A side
// without content words never has enough.
func enough(shared, words []string) bool {
	return len(words) > 0 && len(shared)*OverlapDenominator >= len(words)*OverlapNumerator
}

// intersection gives the words in both of two sorted sets.
func intersection(a, b []string) []string {
	var common []string
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			common = append(common, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return common
}
