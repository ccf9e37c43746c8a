// This file recomputes the secondary figures of the published run from its rows.

package stats

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"deermem-tui/protocol/vectortest"
)

// publishedRow is what the secondary figures need of a line of qa.rows.jsonl.
type publishedRow struct {
	CaseID      string `json:"case_id"`
	Policy      string `json:"policy"`
	Source      string `json:"source"`
	Scenario    string `json:"scenario"`
	Prediction  string `json:"prediction"`
	Fingerprint string `json:"request_fingerprint"`
	Retained    bool   `json:"support_all_retained"`
	Correct     bool   `json:"grade_correct"`
}

// publishedRun gives the published rows by case ID, ascending, `confidence` first.
func publishedRun(t *testing.T) [][2]publishedRow {
	t.Helper()
	data := vectortest.Read(t, "upstream", "results", "pr4789-reproduction-v1", "qa.rows.jsonl")
	cases := make(map[string][2]publishedRow)
	for line := range bytes.Lines(data) {
		var row publishedRow
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		pair := cases[row.CaseID]
		if row.Policy == "confidence" {
			pair[0] = row
		} else {
			pair[1] = row
		}
		cases[row.CaseID] = pair
	}
	var ordered [][2]publishedRow
	for _, id := range slices.Sorted(maps.Keys(cases)) {
		ordered = append(ordered, cases[id])
	}
	if len(ordered) != 45 {
		t.Fatalf("%d cases, want 45", len(ordered))
	}
	return ordered
}

func TestPublishedSuites(t *testing.T) {
	suites := make(map[string][]Pair)
	for _, rows := range publishedRun(t) {
		pair := Pair{rows[0].Correct, rows[1].Correct}
		name := "synthetic"
		if rows[0].Source == "longmemeval" {
			name = "official"
		}
		suites[name] = append(suites[name], pair)
		suites["overall"] = append(suites["overall"], pair)
	}
	// The BCa and ties-split ends: the same draws corrected in CPython.
	tests := []struct {
		name                             string
		table                            Table
		exact, midP                      float64 // mid-p rounded
		newcombe, bca, split, correction [2]float64
		detectable, detectablePower      float64
		reachable                        bool
		trust                            string
	}{
		{"official", Table{22, 1, 13, 4}, 0.0018310546875, 0.00098,
			[2]float64{0.127, 0.454}, [2]float64{0.15, 0.45}, [2]float64{0.14282477341389727, 0.46192857142857136}, [2]float64{0.005, 0.008},
			0.264, 0.803, true, MethodBootstrap},
		{"synthetic", Table{1, 0, 4, 0}, 0.125, 0.0625,
			[2]float64{0.193, 0.964}, [2]float64{0.2, 1}, [2]float64{0.3804878048780488, 1}, [2]float64{-0.087, -0.112},
			0.8, 0, false, MethodNewcombe},
		{"overall", Table{23, 1, 17, 4}, 0.00014495849609375, 0.00008,
			[2]float64{0.187, 0.501}, [2]float64{0.2, 0.5111111111111111}, [2]float64{0.20285035629453682, 0.5104439312291505}, [2]float64{0.006, 0.003},
			0.267, 0.802, true, MethodBootstrap},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			suite, err := Compare(test.name, suites[test.name], BootstrapOptions{big.NewInt(4789), 10_000, 0.05})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Analyse(suite)
			if err != nil {
				t.Fatal(err)
			}
			if got.McNemar.Table != test.table || !sameBits(got.McNemar.PValue, test.exact) {
				t.Errorf("%+v, want %+v with p %v", got.McNemar, test.table, test.exact)
			}
			for _, number := range []struct {
				name                 string
				got, want, tolerance float64
			}{
				{"mid-p", got.MidP.PValue, test.midP, 0.000005},
				{"Newcombe lower", got.Newcombe.Lower, test.newcombe[0], 0.0005},
				{"Newcombe upper", got.Newcombe.Upper, test.newcombe[1], 0.0005},
				{"BCa lower", got.BCa.Lower, test.bca[0], 1e-12},
				{"BCa upper", got.BCa.Upper, test.bca[1], 1e-12},
				{"ties split lower", got.TiesSplit.Lower, test.split[0], 1e-12},
				{"ties split upper", got.TiesSplit.Upper, test.split[1], 1e-12},
				{"detectable", got.Detectable.Difference, test.detectable, 0},
				{"its power", got.Detectable.Power, test.detectablePower, 0.0005},
			} {
				if math.Abs(number.got-number.want) > number.tolerance {
					t.Errorf("%s is %v, want %v", number.name, number.got, number.want)
				}
			}
			if got.Detectable.Reachable != test.reachable || got.Trust.Read != test.trust {
				t.Errorf("%+v, %+v", got.Detectable, got.Trust)
			}
			expectInterval(t, "bias and acceleration", got.BCa.Bias, got.BCa.Acceleration, test.correction[0], test.correction[1])
			if test.name == "synthetic" {
				if math.Abs(got.TiesSplit.TiedUpper-0.3258) > 1e-12 {
					t.Errorf("%v of the draws equal the upper end", got.TiesSplit.TiedUpper)
				}
				const want = "n = 5, too few pairs: the percentile interval covers less than it says; read Newcombe [+0.19, +0.96], not percentile [+0.40, +1.00]"
				if got.Trust.Reason != want {
					t.Errorf("%s, want %s", got.Trust.Reason, want)
				}
			}
		})
	}
}

func TestPublishedScenarios(t *testing.T) {
	names := []string{"confirmation_help", "access_help", "confidence_control", "noisy_signal_control"}
	pairs := make(map[string][]Pair)
	for _, rows := range publishedRun(t) {
		pairs[rows[0].Scenario] = append(pairs[rows[0].Scenario], Pair{rows[0].Correct, rows[1].Correct})
	}
	var groups []Group
	for _, name := range names {
		groups = append(groups, Group{name, pairs[name]})
	}
	got, err := Scenarios(groups, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		table        Table
		p, adjusted  float64
		lower, upper float64 // Newcombe, rounded
	}{
		{Table{3, 0, 7, 0}, 0.015625, 0.0625, 0.289, 0.892},
		{Table{3, 0, 6, 1}, 0.03125, 0.09375, 0.171, 0.809},
		{Table{7, 1, 0, 2}, 1, 1, -0.364, 0.173},
		{Table{9, 0, 0, 1}, 1, 1, -0.278, 0.278},
	}
	for i, row := range got.Rows {
		if row.Name != names[i] || row.McNemar.Table != want[i].table || row.McNemar.PValue != want[i].p || row.Adjusted != want[i].adjusted {
			t.Errorf("%+v, want %+v", row, want[i])
		}
		expectInterval(t, row.Name, row.Newcombe.Lower, row.Newcombe.Upper, want[i].lower, want[i].upper)
	}
}

// expectInterval compares an interval with one rounded to three decimals.
func expectInterval(t *testing.T, name string, lower, upper, wantLower, wantUpper float64) {
	t.Helper()
	if math.Abs(lower-wantLower) > 0.0005 || math.Abs(upper-wantUpper) > 0.0005 {
		t.Errorf("%s: [%.4f, %.4f], want [%v, %v]", name, lower, upper, wantLower, wantUpper)
	}
}

func TestPublishedNoiseFloor(t *testing.T) {
	var pairs []AnsweredPair
	for _, rows := range publishedRun(t) {
		pairs = append(pairs, AnsweredPair{
			Key:    rows[0].CaseID,
			First:  Answered{rows[0].Fingerprint, rows[0].Prediction, rows[0].Correct},
			Second: Answered{rows[1].Fingerprint, rows[1].Prediction, rows[1].Correct},
		})
	}
	got, err := NoiseFloor(pairs, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if got.Pairs != 13 || got.Others != 32 || got.TextsDiffer != 3 || got.GradesFlip != 0 || len(got.DifferingKeys) != 3 || got.FlippedKeys != nil {
		t.Errorf("%+v", got)
	}
	expectInterval(t, "flip rate", got.FlipRate.Lower, got.FlipRate.Upper, 0, 0.228)
}

func TestPublishedRetention(t *testing.T) {
	var rows []RetentionRow
	for _, pair := range publishedRun(t) {
		for _, row := range pair {
			rows = append(rows, RetentionRow{row.CaseID, row.Retained, row.Correct})
		}
	}
	got, err := Retention(rows, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if got.EvictedCorrect != 0 || got.EvictedWrong != 18 || got.RetainedCorrect != 64 || got.RetainedWrong != 8 || got.Rows != 90 || got.Cases != 45 {
		t.Errorf("%+v", got)
	}
	if math.Abs(got.Retained.Estimate-64.0/72) > 1e-15 || got.Evicted.Estimate != 0 {
		t.Errorf("%+v", got)
	}
	expectInterval(t, "retained", got.Retained.Lower, got.Retained.Upper, 0.796, 0.943)
	expectInterval(t, "evicted", got.Evicted.Lower, got.Evicted.Upper, 0, 0.176)
}
