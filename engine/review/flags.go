// Which graded rows a person should look at although the grader was sure: those
// where its rules are known to be blunt, or where the answer is hardly one.

package review

import (
	"slices"
	"unicode"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/protocol/pytext"
)

// Flag is a reason to look at a row.
type Flag string

// The flags, in the order in which they are told.
const (
	FlagEmpty           Flag = "empty"            // the answer has no text, or none the grader reads
	FlagTruncated       Flag = "truncated"        // cut off at the token limit
	FlagRefused         Flag = "refused"          // withheld or declined
	FlagMalformed       Flag = "malformed"        // a reply that is no plain answer
	FlagOneToken        Flag = "one-token"        // right because one word lies in the other answer
	FlagStopWords       Flag = "stop-words"       // right because a run of stop words lies in the other answer
	FlagNumericConflict Flag = "numeric-conflict" // wrong by its integers, and a person might forgive it
	FlagNonASCII        Flag = "non-ascii"        // the grader dropped letters or digits outside a-z and 0-9
)

// Means says in a sentence why a flagged row is looked at.
func (f Flag) Means() string {
	switch f {
	case FlagEmpty:
		return "The answer has no text that the grader reads."
	case FlagTruncated:
		return "The answer was cut off at the token limit."
	case FlagRefused:
		return "The answer was withheld or declined."
	case FlagMalformed:
		return "The reply was no plain answer."
	case FlagOneToken:
		return "It counts as right because a single word lies in the other text."
	case FlagStopWords:
		return "It counts as right because a run of nothing but stop words lies in the other text."
	case FlagNumericConflict:
		return "It counts as wrong because its integers differ; a person might forgive that."
	case FlagNonASCII:
		return "The grader dropped letters or digits other than a-z and 0-9."
	}
	return ""
}

// Flags gives the flags of a row. reference is the case's reference answer, nil
// where the dataset is not at hand: rules are then judged by the prediction
// alone, and every numeric conflict is flagged.
func Flags(run *gradedrun.Run, row report.GradedRow, reference *string) []Flag {
	var flags []Flag
	add := func(flag Flag, when bool) {
		if when {
			flags = append(flags, flag)
		}
	}
	answer, have := run.Answers[row.RowID]
	state := outcome.Answered
	if have {
		state = answer.State()
	}
	add(FlagEmpty, state == outcome.Empty || row.Rule == string(grading.RuleEmptyPrediction))
	add(FlagTruncated, state == outcome.Truncated || have && answer.Extra != nil && answer.Extra.FinishReason == "length")
	add(FlagRefused, state == outcome.Refused)
	add(FlagMalformed, state == outcome.Malformed)
	one, stops := contained(row, reference)
	add(FlagOneToken, one)
	add(FlagStopWords, stops)
	add(FlagNumericConflict, row.Rule == string(grading.RuleNumericConflict) && forgivable(row, reference))
	add(FlagNonASCII, stripped(row.Prediction) || reference != nil && stripped(*reference))
	return flags
}

// contained tells whether a row is right because a single token, or stop words
// alone, lie in the longer text.
func contained(row report.GradedRow, reference *string) (one, stops bool) {
	if row.Rule != string(grading.RuleSubstring) {
		return false, false
	}
	short := grading.Tokens(row.Prediction)
	text := row.Prediction
	if reference != nil {
		if tokens := grading.Tokens(*reference); len(tokens) < len(short) {
			short, text = tokens, *reference
		}
	}
	return len(short) == 1, len(contentWords(text)) == 0
}

// contentWords gives a text's tokens that are no stop words, by the grader's
// own overlap rule: against a reference that shares no token with any text, the
// rules before it pass.
func contentWords(text string) []string {
	const nothingShared = "zqxzqxzqx"
	d, err := grading.Trace(text, nothingShared)
	if err != nil {
		return nil
	}
	return d.PredictionWords
}

// forgivable tells whether the integers of both texts overlap, or what the
// texts say besides them agrees.
func forgivable(row report.GradedRow, reference *string) bool {
	if reference == nil {
		return true
	}
	d, err := grading.Trace(row.Prediction, *reference)
	if err != nil {
		return false
	}
	for _, n := range d.PredictionIntegers {
		if slices.Contains(d.ReferenceIntegers, n) {
			return true
		}
	}
	a, b := words(row.Prediction), words(*reference)
	shared := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			shared++
		}
	}
	enough := func(n int) bool { return n > 0 && shared*grading.OverlapDenominator >= n*grading.OverlapNumerator }
	return enough(len(a)) && enough(len(b))
}

// words gives the content words of a text that hold a letter.
func words(text string) []string {
	return slices.DeleteFunc(contentWords(text), func(word string) bool {
		return !slices.ContainsFunc([]byte(word), func(c byte) bool { return c >= 'a' && c <= 'z' })
	})
}

// stripped tells whether the grader drops letters or digits of a text.
func stripped(text string) bool {
	for _, r := range pytext.Lower(text) {
		if r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return true
		}
	}
	return false
}
