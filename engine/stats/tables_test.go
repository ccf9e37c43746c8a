// This file holds the tables of answers: the noise floor, retention, scenarios,
// and a suite with all its figures.

package stats

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// answered gives a pair of answers to requests with these names.
func answered(key, request1, request2, text1, text2 string, right1, right2 bool) AnsweredPair {
	return AnsweredPair{key, Answered{request1, text1, right1}, Answered{request2, text2, right2}}
}

func TestNoiseFloorCountsOnlyIdenticalRequests(t *testing.T) {
	got, err := NoiseFloor([]AnsweredPair{
		answered("d", "1", "1", "blue", "Blue", true, false),
		answered("a", "2", "2", "red", "red ", true, true), // one byte is a difference
		answered("b", "3", "3", "red", "red", true, true),
		answered("c", "4", "5", "red", "green", true, false), // another request
		answered("e", "6", "6", "", "", false, false),
	}, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if got.Pairs != 4 || got.Others != 1 || got.TextsDiffer != 2 || got.GradesFlip != 1 {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got.DifferingKeys, []string{"a", "d"}) || !slices.Equal(got.FlippedKeys, []string{"d"}) {
		t.Errorf("keys %q and %q", got.DifferingKeys, got.FlippedKeys)
	}
	want, _ := Wilson(1, 4, 0.05)
	if got.FlipRate.Lower != want.Lower || got.FlipRate.Upper != want.Upper || got.TextRate.Estimate != 0.5 || got.Method != MethodNoiseFloor {
		t.Errorf("%+v, want %+v", got.FlipRate, want)
	}
}

func TestNoiseFloorWarns(t *testing.T) {
	same := answered("b", "3", "3", "red", "red", true, true)
	tests := []struct {
		name  string
		pairs []AnsweredPair
		want  []string
	}{
		{"of no flip", []AnsweredPair{same}, []string{"0 flips in 1 pair: no proof of none; a flip rate up to 0.793"}},
		{"of pairs left out", []AnsweredPair{answered("d", "1", "1", "x", "y", true, false), answered("c", "4", "5", "", "", true, true)}, []string{"1 pair with different requests"}},
		{"of one text with two grades", []AnsweredPair{answered("d", "1", "1", "x", "x", true, false)}, []string{`pair "d": the same text has two grades`}},
	}
	for _, test := range tests {
		got, err := NoiseFloor(test.pairs, 0.05)
		expectWarnings(t, test.name, got.Warnings, err, test.want)
	}
}

func TestRetention(t *testing.T) {
	rows := []RetentionRow{{"a", true, true}, {"a", false, false}, {"b", true, true}, {"b", true, false}, {"c", false, true}}
	got, err := Retention(rows, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != 5 || got.Cases != 3 || got.RetainedCorrect != 2 || got.RetainedWrong != 1 || got.EvictedCorrect != 1 || got.EvictedWrong != 1 {
		t.Errorf("%+v", got)
	}
	if want, _ := Wilson(2, 3, 0.05); got.Retained.Lower != want.Lower || got.Evicted.Estimate != 0.5 || got.Method != MethodRetention {
		t.Errorf("%+v", got)
	}
	expectWarnings(t, "everything", got.Warnings, nil, []string{
		"retained: n = 3", "evicted: n = 2", "5 rows of 3 cases: rows of one case are not independent", "1 row right without the support"})

	got, err = Retention(rows[:1], 0.05)
	expectWarnings(t, "nothing evicted", got.Warnings, err, []string{"retained: n = 1", "no row with its support evicted"})
	if got.Evicted.Trials != 0 {
		t.Errorf("%+v", got.Evicted)
	}
}

func TestScenariosAreCorrectedAsOneFamily(t *testing.T) {
	got, err := Scenarios([]Group{
		{"confirmation", tablePairs(Table{3, 0, 7, 0})},
		{"control", tablePairs(Table{7, 1, 0, 2})},
		{"access", tablePairs(Table{3, 0, 6, 1})},
		{"noise", tablePairs(Table{9, 0, 0, 1})},
	}, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ p, adjusted float64 }{{0.015625, 0.0625}, {1, 1}, {0.03125, 0.09375}, {1, 1}} {
		row := got.Rows[i]
		if row.McNemar.PValue != want.p || row.Adjusted != want.adjusted || row.Standing != Secondary || row.Newcombe.Pairs() != 10 {
			t.Errorf("%+v, want %+v", row, want)
		}
	}
	if got.Method != MethodScenarios || got.Alpha != 0.05 {
		t.Errorf("%+v", got)
	}
	expectWarnings(t, "each named", got.Warnings, nil, []string{
		"control: 1 discordant pair", "noise: no discordant pair: the test", "noise: no discordant pair: the interval"})
}

func TestOnlyWhatIsPinnedIsPrimary(t *testing.T) {
	for method, want := range map[string]Standing{
		MethodMcNemarExact: Primary, MethodBootstrap: Primary,
		MethodMcNemarMidP: Secondary, MethodNewcombe: Secondary, MethodBCa: Secondary, MethodTiesSplit: Secondary,
		MethodWilson: Secondary, MethodHolm: Secondary, MethodKappa: Secondary, MethodPower: Secondary,
		MethodNoiseFloor: Secondary, MethodRetention: Secondary, MethodScenarios: Secondary, "": Secondary,
	} {
		if got := StandingOf(method); got != want {
			t.Errorf("%s is %s, want %s", method, got, want)
		}
	}
}

func TestAnAnalysisAddsToASuiteAndLeavesItAlone(t *testing.T) {
	suite, err := Compare("overall", publishedPairs(), BootstrapOptions{big.NewInt(4789), 10_000, 0.05})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Analyse(suite)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "overall" || got.McNemar.PValue != suite.McNemar.PValue || got.Bootstrap.Lower != suite.Bootstrap.Lower {
		t.Errorf("%+v", got.Suite)
	}
	if got.Trust.Read != MethodBootstrap || !got.Detectable.Reachable || got.Detectable.Difference != 0.267 || !got.BCa.Defined {
		t.Errorf("%+v", got)
	}
	expectWarnings(t, "all figures", got.Warnings(), nil, []string{"mid-p is not guaranteed", "rests on the assumed discordant rate"})
}

func TestAnAnalysisIsDefinedForEveryTable(t *testing.T) {
	for n := 1; n <= 5; n++ {
		everyTable(n, func(table Table) {
			suite, err := Compare("x", tablePairs(table), BootstrapOptions{big.NewInt(1), 50, 0.05})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Analyse(suite)
			if err != nil || got.Trust.Read != MethodNewcombe || math.IsNaN(got.BCa.Lower+got.BCa.Upper+got.TiesSplit.Lower+got.TiesSplit.Upper) {
				t.Fatalf("%+v: %+v, %v", table, got, err)
			}
		})
	}
}

func TestTablesRefuseWhatTheyCannotCompute(t *testing.T) {
	same := answered("b", "3", "3", "red", "red", true, true)
	none := answered("c", "4", "", "red", "red", true, true)
	group := Group{"a", []Pair{{true, false}}}
	for _, test := range []struct {
		name  string
		call  func() error
		want  error
		names string
	}{
		{"a floor without pairs", func() error { _, err := NoiseFloor(nil, 0.05); return err }, ErrNoPairs, "A/A"},
		{"a floor without identical requests", func() error {
			_, err := NoiseFloor([]AnsweredPair{answered("c", "4", "5", "", "", true, true)}, 0.05)
			return err
		}, ErrNoPairs, "none of 1 pair"},
		{"a key given twice", func() error { _, err := NoiseFloor([]AnsweredPair{same, same}, 0.05); return err }, ErrInvalid, `"b"`},
		{"a request without identity", func() error { _, err := NoiseFloor([]AnsweredPair{none}, 0.05); return err }, ErrInvalid, `"c"`},
		{"a floor with a bad alpha", func() error { _, err := NoiseFloor([]AnsweredPair{same}, 0); return err }, ErrInvalid, "A/A"},
		{"retention without rows", func() error { _, err := Retention(nil, 0.05); return err }, ErrNoPairs, "retention"},
		{"retention with a bad alpha", func() error { _, err := Retention([]RetentionRow{{}}, 2); return err }, ErrInvalid, "retention"},
		{"no scenario", func() error { _, err := Scenarios(nil, 0.05); return err }, ErrInvalid, "scenarios"},
		{"a scenario without pairs", func() error { _, err := Scenarios([]Group{{"empty", nil}}, 0.05); return err }, ErrNoPairs, "empty"},
		{"a scenario given twice", func() error { _, err := Scenarios([]Group{group, group}, 0.05); return err }, ErrInvalid, "scenario a"},
		{"a scenario with a bad alpha", func() error { _, err := Scenarios([]Group{group}, 0); return err }, ErrInvalid, "scenario a"},
		{"Newcombe without pairs", func() error { _, err := Newcombe(Table{}, 0.05); return err }, ErrNoPairs, "Newcombe"},
		{"Newcombe with a bad alpha", func() error { _, err := Newcombe(Table{BothWrong: 1}, 0); return err }, ErrInvalid, "Newcombe"},
		{"an empty suite", func() error { _, err := Analyse(Suite{Name: "nothing"}); return err }, ErrNoPairs, "nothing"},
	} {
		if err := test.call(); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.names) {
			t.Errorf("%s: %v, want %v that names %s", test.name, err, test.want, test.names)
		}
	}
}
