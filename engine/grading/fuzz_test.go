// This file looks for answers that break what must hold for all of them.

package grading

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func FuzzGrade(f *testing.F) {
	for _, seed := range [][2]string{
		{"", ""}, {"x", "X"}, {"insufficient", "7"}, {"six", "ranging from 4 years to 9 years"}, {"\xff\xc4\xb0", "\xe2\x84\xaa"},
		{"5 5 007", "7 5"}, {"the of", "of a"}, {"big blue bicycle", "blue bicycle"}, {"8", "ranging from 4 to x to 9 to 12"},
		{"ranging from 00 to 1", "to 4 ranging from ranging from 5 to 3"},
	} {
		f.Add(seed[0], seed[1])
	}
	separators := regexp.MustCompile(`[^0-9a-z]+`)
	spans := regexp.MustCompile(`\branging from (\d+)\b.*?\bto (\d+)\b`)
	f.Fuzz(func(t *testing.T, prediction, reference string) {
		// The tokens, the plain way.
		fold := func(text string) []string {
			text = strings.NewReplacer("\u0130", "i ", "\u212A", "k").Replace(strings.ToValidUTF8(text, " "))
			text = strings.Map(func(r rune) rune {
				if 'A' <= r && r <= 'Z' {
					return r + 'a' - 'A'
				}
				return r
			}, text)
			tokens := strings.Fields(separators.ReplaceAllString(text, " "))
			for i := range tokens {
				tokens[i] = digits(tokens[i])
			}
			return tokens
		}
		for _, text := range []string{prediction, reference} {
			if got, want := Tokens(text), fold(text); !slices.Equal(got, want) {
				t.Fatalf("%q: tokens %q, want %q", text, got, want)
			}
		}

		decision, err := Trace(prediction, reference)
		verdict, gradeErr := Grade(prediction, reference)
		if err != gradeErr || (err == nil && verdict != decision.Verdict) {
			t.Fatalf("Grade says %+v, %v; Trace says %+v, %v", verdict, gradeErr, decision.Verdict, err)
		}
		if (err != nil) != (len(decision.Reference) == 0) {
			t.Fatalf("error %v with reference tokens %q", err, decision.Reference)
		}
		if err != nil {
			return
		}

		// Exactly the last step decides, and it gives the verdict.
		for i, step := range decision.Steps {
			last := i == len(decision.Steps)-1
			if (step.Outcome == Decided) != last || (last && step.Rule != decision.Rule) {
				t.Fatalf("steps %v for %+v", decision.Steps, decision.Verdict)
			}
			if decision.Explain(step) == "" {
				t.Fatalf("nothing said on %v", step)
			}
		}

		// The range is what a lazy pattern finds on whole tokens.
		got, found := findRange(decision.Reference)
		match := spans.FindStringSubmatch(strings.Join(decision.Reference, " "))
		if found != (match != nil) {
			t.Fatalf("%q: range found %v, pattern %q", decision.Reference, found, match)
		}
		if found {
			a, _ := integer(match[1])
			b, _ := integer(match[2])
			if compareIntegers(a, b) > 0 {
				a, b = b, a
			}
			if got.Low != a || got.High != b {
				t.Fatalf("%q: range %+v, pattern %q", decision.Reference, got, match)
			}
		}

		// A run is found exactly where comparing at every position finds one.
		if len(decision.Prediction)+len(decision.Reference) > 1000 {
			return // the plain way below is quadratic
		}
		long, short := decision.Prediction, decision.Reference
		if len(short) > len(long) {
			long, short = short, long
		}
		plain := false
		for i := 0; len(short) > 0 && i+len(short) <= len(long); i++ {
			plain = plain || slices.Equal(long[i:i+len(short)], short)
		}
		d := decision
		if d.findRun() != plain {
			t.Fatalf("%q and %q: run %v", decision.Prediction, decision.Reference, plain)
		}
	})
}
