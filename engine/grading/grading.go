// Package grading decides whether a predicted answer agrees with a reference
// answer. It sees two strings and nothing else: no case, policy or capacity can
// sway it, and the same two strings always give the same verdict.
//
// This file holds the verdict and its rules; the other files hold the steps.
package grading

import "errors"

// Version names this exact set of rules, number words and stop words. A change
// to any of them needs another version, because published rows carry it.
const Version = "deterministic-overlap-v1"

// ErrEmptyReference is returned when the reference has no token after
// normalisation. Callers wrap it with the row it belongs to.
var ErrEmptyReference = errors.New("the reference answer holds no digit and no letter a to z, so nothing can be compared with it; correct the answer in the dataset")

// Rule names the rule that decided a verdict, as it is stored in graded rows.
type Rule string

// The rules, in the order in which they are tried. Each decides either right or
// wrong, never both.
const (
	RuleEmptyPrediction Rule = "empty-prediction" // wrong: the prediction has no token
	RuleInsufficient    Rule = "insufficient"     // wrong: the prediction is the abstention word alone
	RuleExact           Rule = "exact"            // right: equal token lists
	RuleSubstring       Rule = "substring"        // right: one list is a contiguous run inside the other
	RuleNumericRange    Rule = "numeric-range"    // right: every predicted integer lies in the reference's range
	RuleNumericConflict Rule = "numeric-conflict" // wrong: both have integers and their values differ
	RuleOverlapAccept   Rule = "overlap-accept"   // right: enough content words are shared
	RuleOverlapReject   Rule = "overlap-reject"   // wrong: too few are, or one side has none
)

// Verdict is the decision on one prediction.
type Verdict struct {
	Correct bool
	Rule    Rule
}

// Grade decides whether prediction agrees with reference. It fails only with
// [ErrEmptyReference]. The decision is [Trace]'s, without its record.
func Grade(prediction, reference string) (Verdict, error) {
	decision, err := Trace(prediction, reference)
	if err != nil {
		return Verdict{}, err
	}
	return decision.Verdict, nil
}
