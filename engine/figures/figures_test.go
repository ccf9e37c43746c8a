package figures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/protocol/vectortest"
)

var policies = [2]string{"confidence", "hybrid-v1"}

func options(iterations int) stats.BootstrapOptions {
	return stats.BootstrapOptions{Seed: big.NewInt(4789), Iterations: iterations, Alpha: 0.05}
}

// published reads the rows of the published run.
func published(t *testing.T) []report.GradedRow {
	t.Helper()
	var rows []report.GradedRow
	for line := range bytes.Lines(vectortest.Read(t, "upstream/results/pr4789-reproduction-v1", "qa.rows.jsonl")) {
		var r struct {
			CaseID      string              `json:"case_id"`
			Source      string              `json:"source"`
			Scenario    string              `json:"scenario"`
			Policy      string              `json:"policy"`
			Retained    bool                `json:"support_all_retained"`
			Correct     bool                `json:"grade_correct"`
			Prediction  string              `json:"prediction"`
			Fingerprint string              `json:"request_fingerprint"`
			Attempts    int                 `json:"attempts"`
			Usage       map[string]*big.Int `json:"usage"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, report.GradedRow{CaseID: r.CaseID, Source: r.Source, Scenario: r.Scenario, Policy: r.Policy,
			SupportRetained: r.Retained, Correct: r.Correct, Prediction: r.Prediction, RequestFingerprint: r.Fingerprint,
			Attempts: r.Attempts, Usage: r.Usage})
	}
	return rows
}

func TestThePublishedRunHasItsPublishedFigures(t *testing.T) {
	f, err := Compute(published(t), policies, options(10_000))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name         string
		table        stats.Table
		p            float64
		lower, upper float64
		newcombe     [2]float64 // rounded
		read         string
		retention    [4]int // retained right, retained wrong, evicted right, evicted wrong
		arms         [2]Arm
		same, texts  int
		detectable   bool
	}{
		{Official, stats.Table{BothCorrect: 22, OnlyFirstCorrect: 1, OnlySecondCorrect: 13, BothWrong: 4}, 0.0018310546875, 0.15, 0.45,
			[2]float64{0.127, 0.454}, stats.MethodBootstrap, [4]int{58, 8, 0, 14},
			[2]Arm{{"confidence", 40, 26, 23, 23}, {"hybrid-v1", 40, 40, 35, 35}}, 12, 3, true},
		{Synthetic, stats.Table{BothCorrect: 1, OnlySecondCorrect: 4}, 0.125, 0.4, 1,
			[2]float64{0.193, 0.964}, stats.MethodNewcombe, [4]int{6, 0, 0, 4},
			[2]Arm{{"confidence", 5, 1, 1, 1}, {"hybrid-v1", 5, 5, 5, 5}}, 1, 0, false},
		{Overall, stats.Table{BothCorrect: 23, OnlyFirstCorrect: 1, OnlySecondCorrect: 17, BothWrong: 4}, 0.00014495849609375, 0.2, 0.5111111111111111,
			[2]float64{0.187, 0.501}, stats.MethodBootstrap, [4]int{64, 8, 0, 18},
			[2]Arm{{"confidence", 45, 27, 24, 24}, {"hybrid-v1", 45, 45, 40, 40}}, 13, 3, true},
	} {
		t.Run(want.name, func(t *testing.T) {
			s := f.Suites[i]
			if s.Name != want.name || s.McNemar.Table != want.table || s.McNemar.PValue != want.p {
				t.Errorf("%s %+v", s.Name, s.McNemar)
			}
			if math.Abs(s.Bootstrap.Lower-want.lower) > 1e-12 || math.Abs(s.Bootstrap.Upper-want.upper) > 1e-12 || s.Bootstrap.MeanDifference != want.table.MeanDifference() {
				t.Errorf("bootstrap [%v, %v] around %v", s.Bootstrap.Lower, s.Bootstrap.Upper, s.Bootstrap.MeanDifference)
			}
			if math.Abs(s.Newcombe.Lower-want.newcombe[0]) > 0.0005 || math.Abs(s.Newcombe.Upper-want.newcombe[1]) > 0.0005 {
				t.Errorf("Newcombe [%v, %v]", s.Newcombe.Lower, s.Newcombe.Upper)
			}
			if s.Trust.Read != want.read || s.Detectable.Reachable != want.detectable {
				t.Errorf("read %s, detectable %v", s.Trust.Read, s.Detectable.Reachable)
			}
			r := s.Retention
			if got := [4]int{r.RetainedCorrect, r.RetainedWrong, r.EvictedCorrect, r.EvictedWrong}; got != want.retention {
				t.Errorf("retention %v", got)
			}
			if s.Arms != want.arms {
				t.Errorf("arms %+v", s.Arms)
			}
			if n := s.NoiseFloor; n.Pairs != want.same || n.TextsDiffer != want.texts || n.GradesFlip != 0 {
				t.Errorf("A/A: %d pairs, %d texts differ, %d flip", n.Pairs, n.TextsDiffer, n.GradesFlip)
			}
		})
	}
	var names []string
	holm := map[string]float64{"access_help": 0.09375, "confidence_control": 1, "confirmation_help": 0.0625, "noisy_signal_control": 1}
	for _, row := range f.Scenarios.Rows {
		names = append(names, row.Name)
		if row.Adjusted != holm[row.Name] {
			t.Errorf("%s: Holm %v", row.Name, row.Adjusted)
		}
	}
	if !slices.IsSorted(names) || len(names) != 4 {
		t.Errorf("scenarios %v", names)
	}
	for _, u := range f.Usage {
		if u.Rows != 45 || u.Counted != 45 || u.Attempts != 45 || u.TotalTokens != u.PromptTokens+u.CompletionTokens {
			t.Errorf("usage %+v", u)
		}
	}
}

// made gives n pairs of an official scenario, every outcome in turn.
func made(n int, same bool) []report.GradedRow {
	var rows []report.GradedRow
	for i := range n {
		for p, policy := range policies {
			r := report.GradedRow{CaseID: fmt.Sprintf("c%02d", i), Source: "longmemeval", Scenario: "s", Policy: policy,
				Correct: i%4 == 0 || i%4 == 1+p, SupportRetained: p == 1, RequestFingerprint: fmt.Sprint(i, p), Attempts: 2}
			if same {
				r.RequestFingerprint = fmt.Sprint(i)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func TestPoliciesThatNeverSendTheSameRequestHaveNoNoiseFloor(t *testing.T) {
	f, err := Compute(made(8, false), policies, options(200))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := f.Find(Official)
	if !ok || s.NoiseFloor.Pairs != 0 || s.NoiseFloor.Others != 8 {
		t.Errorf("%+v", s.NoiseFloor)
	}
	if all := strings.Join(s.Warnings(), "\n"); !strings.Contains(all, "no pair has byte-identical requests") {
		t.Errorf("the warnings do not say so:\n%s", all)
	}
	f, err = Compute(made(8, true), policies, options(200))
	if err != nil || f.Suites[0].NoiseFloor.Pairs != 8 {
		t.Errorf("%v, %+v", err, f)
	}
}

func TestASuiteWithoutACaseIsLeftOut(t *testing.T) {
	f, err := Compute(made(8, true), policies, options(200))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Find(Synthetic); ok || len(f.Suites) != 2 {
		t.Errorf("%d suites", len(f.Suites))
	}
	if a, b := f.Suites[0], f.Suites[1]; a.McNemar.PValue != b.McNemar.PValue || b.Name != Overall {
		t.Error("overall of one suite is not that suite's figures")
	}
	if _, err := Compute(nil, policies, options(200)); !errors.Is(err, stats.ErrNoPairs) {
		t.Errorf("no row at all gives %v", err)
	}
}

func TestACaseWithOneRowIsRefusedByName(t *testing.T) {
	_, err := Compute(made(8, true)[:15], policies, options(200))
	if !errors.Is(err, ErrUnpaired) || !strings.Contains(err.Error(), `"c07"`) {
		t.Errorf("%v", err)
	}
	if _, err := Pairs(made(8, true)[:15], policies, "longmemeval"); !errors.Is(err, ErrUnpaired) {
		t.Errorf("%v", err)
	}
}

func TestTheOrderOfRowsChangesNothing(t *testing.T) {
	rows := made(12, true)
	a, err := Compute(rows, policies, options(500))
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(rows)
	b, err := Compute(rows, policies, options(500))
	if err != nil {
		t.Fatal(err)
	}
	x, y := a.Suites[0].Bootstrap, b.Suites[0].Bootstrap
	if x.Lower != y.Lower || x.Upper != y.Upper || !slices.Equal(x.Distribution, y.Distribution) {
		t.Errorf("[%v, %v] and [%v, %v]", x.Lower, x.Upper, y.Lower, y.Upper)
	}
}

func TestUsageCountsOnlyWhatWasTold(t *testing.T) {
	rows := made(2, true)
	rows[0].Usage = map[string]*big.Int{"prompt_tokens": big.NewInt(7), "total_tokens": new(big.Int).Lsh(big.NewInt(1), 80)}
	f, err := Compute(rows, policies, options(100))
	if err != nil {
		t.Fatal(err)
	}
	if u := f.Usage[0]; u.Rows != 2 || u.Attempts != 4 || u.Counted != 1 || u.PromptTokens != 7 || u.TotalTokens != 0 {
		t.Errorf("%+v", u)
	}
}
