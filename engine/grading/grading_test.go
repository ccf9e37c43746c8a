// This file states the grader's rules case by case, corners first.

package grading

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestGrade(t *testing.T) {
	nines := strings.Repeat("9", 5000)
	tests := []struct {
		name                  string
		prediction, reference string
		correct               bool
		rule                  Rule
	}{
		{"an empty prediction is wrong", "", "x", false, RuleEmptyPrediction},
		{"a prediction without a letter or digit is empty", "… 杭州 ²!", "x", false, RuleEmptyPrediction},
		{"the abstention word alone is wrong, however it is dressed", "**Insufficient.**", "x", false, RuleInsufficient},
		{"the abstention word is wrong even where it is the reference", "INSUFFICIENT", "insufficient", false, RuleInsufficient},
		{"the abstention word among others is an answer like any other", "insufficient funds", "insufficient funds", true, RuleExact},
		{"equal tokens are right", "Under my bed", "under my bed.", true, RuleExact},
		{"equal stop words are right: the overlap comes later", "the of", "The, of!", true, RuleExact},
		{"a number word equals its digits", "nine months", "9 months", true, RuleExact},
		{"fifteen is a number word", "Fifteen", "15", true, RuleExact},
		{"eleven is none", "eleven", "11", false, RuleOverlapReject},
		{"a number word inside a word is none", "someone", "some 1", false, RuleOverlapReject},
		{"the Kelvin sign is a k", "5 \u212A", "5 k", true, RuleExact},
		{"the dotted capital I is an i that ends its token", "\u0130stanbul", "i stanbul", true, RuleExact},
		{"the dotted capital I ends a token in the middle of a word", "ab\u0130cd", "abi cd", true, RuleExact},
		{"a full-width letter separates", "ａbc", "bc", true, RuleExact},
		{"the long s separates", "\u017Fhoe", "hoe", true, RuleExact},
		{"invalid UTF-8 separates", "a\xffb\xc4\xe2\x84c", "a b c", true, RuleExact},
		{"a cut multi-byte character separates at the end of the text", "x\xe2\x84", "x", true, RuleExact},
		{"a reference inside the prediction is right", "It was 25 days.", "25 days", true, RuleSubstring},
		{"a prediction inside the reference is right", "30 days", "30 days. 31 days is fine too.", true, RuleSubstring},
		{"a token inside a token is no run", "5", "25", false, RuleNumericConflict},
		{"a run must be contiguous", "red bicycle", "red old bicycle", true, RuleOverlapAccept},
		{"a run is found after a false start", "a a b", "a a a b", true, RuleSubstring},
		{"a run decides before numbers conflict", "5 apples or 7", "7", true, RuleSubstring},

		{"an integer in the range is right", "six", "ranging from 4 years to 9 years", true, RuleNumericRange},
		{"the range's ends are in it", "4 and 9", "ranging from 4 up to 9", true, RuleNumericRange},
		{"a range may run down", "5, 6 and 7", "ranging from 9 weeks down to 4", true, RuleNumericRange},
		{"one integer outside is a conflict", "5 and 12", "ranging from 4 up to 9", false, RuleNumericConflict},
		{"the range ends at the nearest to", "12", "ranging from 4 to 9 and to 20", false, RuleNumericConflict},
		{"a to without an integer does not end it", "8", "ranging from 4 up to about 6 or to 9", true, RuleNumericRange},
		{"the first opening counts", "5", "ranging from 4 or ranging from 7 to 9", true, RuleNumericRange},
		{"an opening without an integer is passed over", "8", "ranging from here, ranging from 7 to 9", true, RuleNumericRange},
		{"the opening's own words may stand apart by signs only", "8", "Ranging-from: 7 …to 9", true, RuleNumericRange},
		{"a to before the opening does not end it", "5", "to 9 ranging from 4", false, RuleNumericConflict},
		{"an ordinal is no end", "5", "ranging from 4 to 9th", false, RuleNumericConflict},
		{"arranging from is no opening", "5", "arranging from 4 to 9", false, RuleNumericConflict},
		{"without an integer predicted the range is not asked", "weeks", "ranging from 4 days to 9 nights", false, RuleOverlapReject},
		{"a range may have ends of any size", nines, "ranging from 0" + nines + " to 1" + nines, true, RuleNumericRange},
		{"a value beyond a range of any size is a conflict", "the 2" + nines, "ranging from 0" + nines + " to 1" + nines, false, RuleNumericConflict},
		{"a value in a range of any size is right", "the 01" + nines, "ranging from 0" + nines + " to 1" + nines, true, RuleNumericRange},

		{"different integers conflict", "$400,000", "400000", false, RuleNumericConflict},
		{"leading zeros do not make a value", "apple pear 007", "pear apple 7", true, RuleOverlapAccept},
		{"equal values in other digits share no token", "00012", "12", false, RuleOverlapReject},
		{"zeros are zero", "000 apples pears", "pears apples 0", true, RuleOverlapAccept},
		{"large integers are compared to the last digit", "99999999999999999999999", "99999999999999999999998", false, RuleNumericConflict},
		{"a subset of the integers conflicts", "5 red", "5 or 7 red", false, RuleNumericConflict},
		{"a repeated integer is the same set", "5 5 red shoe", "shoe red 5", true, RuleOverlapAccept},
		{"an ordinal is no integer", "3rd floor", "floor 3", false, RuleOverlapReject},
		{"integers on one side do not conflict", "big red bicycle", "red big bicycle 1", true, RuleOverlapAccept},

		{"three of five on both sides are enough", "a1 b1 c1 d1 e1", "c1 b1 a1 x1 y1", true, RuleOverlapAccept},
		{"three of six are not", "a1 b1 c1 d1 e1", "c1 b1 a1 x1 y1 z1", false, RuleOverlapReject},
		{"the prediction's share counts too", "c1 b1 a1 x1 y1 z1", "a1 b1 c1 d1 e1", false, RuleOverlapReject},
		{"only stop words on one side are rejected", "the of and", "of bicycle the", false, RuleOverlapReject},
		{"only stop words on both sides are rejected", "the of and", "the of or", false, RuleOverlapReject},
		{"not is no stop word", "not", "no", false, RuleOverlapReject},
		{"repeated words count once", "red red red shoe", "shoe red", true, RuleOverlapAccept},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Grade(test.prediction, test.reference)
			if want := (Verdict{test.correct, test.rule}); err != nil || got != want {
				t.Errorf("got %+v, %v; want %+v", got, err, want)
			}
		})
	}
}

func TestAReferenceWithoutATokenIsRefusedWhateverThePrediction(t *testing.T) {
	for _, prediction := range []string{"", "x", "insufficient"} {
		for _, reference := range []string{"", " ", "…", "杭州", "\xff\xfe", "İ"[1:]} {
			if _, err := Grade(prediction, reference); !errors.Is(err, ErrEmptyReference) {
				t.Errorf("%q against %q: got %v", prediction, reference, err)
			}
		}
	}
}

func TestTraceKeepsWhatEachRuleSaw(t *testing.T) {
	d, err := Trace("About 012 red shoes", "ranging from nine to four; shoes")
	if err != nil {
		t.Fatal(err)
	}
	steps := []Step{
		{RuleEmptyPrediction, NotMet}, {RuleInsufficient, NotMet}, {RuleExact, NotMet}, {RuleSubstring, NotMet},
		{RuleNumericRange, NotMet}, {RuleNumericConflict, Decided},
	}
	if !slices.Equal(d.Steps, steps) {
		t.Errorf("steps %v", d.Steps)
	}
	if want := (Range{Low: "4", High: "9", Start: 0, End: 5}); d.Range == nil || *d.Range != want {
		t.Errorf("range %+v", d.Range)
	}
	if !slices.Equal(d.PredictionIntegers, []string{"12"}) || !slices.Equal(d.ReferenceIntegers, []string{"4", "9"}) {
		t.Errorf("integers %v and %v", d.PredictionIntegers, d.ReferenceIntegers)
	}
	if d.PredictionWords != nil || d.Shared != nil {
		t.Error("the overlap was not reached, yet its words are filled")
	}
}

func TestTraceMarksTheRun(t *testing.T) {
	d, err := Trace("it was under the old bed", "the old bed")
	if err != nil || d.RunInReference || !slices.Equal(d.Prediction[d.RunStart:d.RunEnd], d.Reference) {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = Trace("old bed", "the old bed")
	if err != nil || !d.RunInReference || !slices.Equal(d.Reference[d.RunStart:d.RunEnd], d.Prediction) {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestTraceKeepsTheSharedWords(t *testing.T) {
	d, err := Trace("blue big bicycle Marta", "big blue bicycle from Marta")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"bicycle", "big", "blue", "marta"}; !slices.Equal(d.Shared, want) || !slices.Equal(d.ReferenceWords, want) {
		t.Errorf("shared %v of %v", d.Shared, d.ReferenceWords)
	}
	if last := d.Steps[len(d.Steps)-1]; last != (Step{RuleOverlapAccept, Decided}) {
		t.Errorf("last step %v", last)
	}
	if d.Steps[4] != (Step{RuleNumericRange, NotApplicable}) || d.Steps[5] != (Step{RuleNumericConflict, NotApplicable}) {
		t.Errorf("steps %v", d.Steps)
	}
}

func TestExplainSaysWhatTheDecidingRuleSaw(t *testing.T) {
	tests := []struct{ prediction, reference, want string }{
		{"", "x", "The prediction has no word and no number."},
		{"insufficient", "x", "The prediction is INSUFFICIENT and nothing else: the model abstained."},
		{"x", "X", "Both answers are the same after normalisation."},
		{"old bed", "the old bed", "The prediction is words 2 to 3 of the reference."},
		{"bed", "the old bed", "The prediction is word 3 of the reference."},
		{"in the old bed", "old bed", "The reference is words 3 to 4 of the prediction."},
		{"5 and 6", "ranging from 4 up to 9", "The reference allows 4 to 9; the prediction's 5, 6 lie inside."},
		{"5", "25", "The integers differ: 5 predicted, 25 expected."},
		{"the of", "the bed of", "The prediction holds nothing but stop words."},
		{"a1 b1 c1 d1", "b1 a1 x1", "Shared content words: 2/4 of the prediction's (50.0 %), 2/3 of the reference's (66.6 %); 60 % of both are needed."},
		{strings.Repeat("1", 30), "2", "The integers differ: 11111111…11111111 (30 digits) predicted, 2 expected."},
	}
	for _, test := range tests {
		d, err := Trace(test.prediction, test.reference)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Explain(d.Steps[len(d.Steps)-1]); got != test.want {
			t.Errorf("%q against %q:\n got %s\nwant %s", test.prediction, test.reference, got, test.want)
		}
		for _, step := range d.Steps {
			if d.Explain(step) == "" {
				t.Errorf("%q against %q: nothing said on %v", test.prediction, test.reference, step)
			}
		}
	}
}

func TestALongRepetitivePredictionIsSearchedInLinearTime(t *testing.T) {
	// 200,000 tokens that nearly match at every position: a quadratic search
	// would take minutes and be noticed.
	hay := strings.Repeat("a ", 200_000)
	needle := strings.Repeat("a ", 100_000) + "b"
	if got, err := Grade(hay, needle); err != nil || got.Correct {
		t.Errorf("got %+v, %v", got, err)
	}
}

func BenchmarkGrade(b *testing.B) {
	for _, bench := range []struct{ name, prediction, reference string }{
		{"exact", "Under my bed", "under my bed."},
		{"overlap", "She kept the old blue bicycle in Marta's garage until spring.", "The blue bicycle stayed at Marta's garage."},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Grade(bench.prediction, bench.reference)
			}
		})
	}
}
