// Package reviewtest makes graded run folders for tests: invented rows in the
// shape of the published study, 40 official cases in four scenarios and five
// synthetic ones under two policies.
package reviewtest

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/report"
	"deermem-tui/engine/stats"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pools"
)

// Policies are the two arms.
var Policies = [2]string{"confidence", "hybrid-v1"}

// Run is a folder to be.
type Run struct {
	Rows []report.GradedRow
	Doc  report.QARunDoc
}

// Scenarios are those of the official cases.
var Scenarios = []string{"access_help", "confidence_control", "confirmation_help", "noisy_signal_control"}

// New gives rows whose official table is 22/1/13/4 and whose synthetic one is
// 1/0/4/0, as the published study's. The first 13 cases send the same request
// under both policies.
func New() *Run {
	r := &Run{Doc: report.QARunDoc{
		ProtocolID: "test-protocol", CreatedAt: time.Date(2026, 8, 18, 4, 12, 21, 0, time.UTC),
		Artifacts: identity.Identity{Config: hash("config"), OfficialManifest: hash("official"), SyntheticManifest: hash("synthetic"),
			AnswerPrompt: hash("prompt"), Dataset: hash("dataset")},
		Dataset: report.Dataset{Repository: "r/d", Revision: strings.Repeat("a", 40), Filename: "d.json", SHA256: hash("dataset")},
		QA: report.QASettings{APIKeyEnv: "TEST_KEY", BaseURLEnv: "TEST_URL", Capacity: 7, GraderVersion: grading.Version,
			MaxAttempts: 3, MaxTokens: 64, Model: "m", TimeoutSeconds: 10, Workers: 2},
	}}
	for i := range 45 {
		c := pools.Case{ID: fmt.Sprintf("case%02d", i), Source: pools.Official, QuestionType: "single-session-user"}
		right := [2]bool{true, true}
		switch {
		case i < 40:
			c.Scenario = Scenarios[i%4]
			if i >= 22 {
				right = [2]bool{i == 22, i > 22 && i < 36}
			}
		default:
			c.Source, c.Scenario, c.QuestionType = pools.Synthetic, "correction_reserve", "synthetic-correction"
			right = [2]bool{i == 40, true}
		}
		for p := range Policies {
			r.Rows = append(r.Rows, row(c, i, p, right[p]))
		}
	}
	return r
}

// sameRequests is how many cases send one request under both policies.
const sameRequests = 13

func row(c pools.Case, i, p int, right bool) report.GradedRow {
	model := "m-served"
	g := report.GradedRow{
		RowID: c.ID + "__" + Policies[p], CaseID: c.ID, Source: c.Source, Scenario: c.Scenario, QuestionType: c.QuestionType,
		Policy: Policies[p], Capacity: 7, SupportRetained: right, GraderVersion: grading.Version, Attempts: 1,
		RequestFingerprint: hash(fmt.Sprint(c.ID, p)), ResponseModel: &model,
		Usage: map[string]*big.Int{"prompt_tokens": big.NewInt(100), "completion_tokens": big.NewInt(int64(10 + p)), "total_tokens": big.NewInt(int64(110 + p))},
	}
	for n := range 6 {
		if n == 0 && i >= sameRequests && p == 1 {
			n = 7 // another request is made of other facts
		}
		g.KeptFactIDs = append(g.KeptFactIDs, fmt.Sprintf("d_%s_%d_x", c.ID, n))
	}
	if i < sameRequests {
		g.RequestFingerprint = hash(c.ID)
	}
	if right {
		g.SupportRecall, g.Correct, g.Rule, g.Prediction = 1, true, string(grading.RuleExact), fmt.Sprintf("answer number%d words", i)
		g.KeptFactIDs = append(g.KeptFactIDs, "gold_"+c.ID)
	} else {
		g.Rule, g.Prediction = string(grading.RuleInsufficient), "INSUFFICIENT"
		g.KeptFactIDs = append(g.KeptFactIDs, fmt.Sprintf("d_%s_6_x", c.ID))
	}
	return g
}

func hash(text string) string { return identity.Hash([]byte(text)) }

// Row gives a row to change.
func (r *Run) Row(t testing.TB, id string) *report.GradedRow {
	t.Helper()
	i := slices.IndexFunc(r.Rows, func(row report.GradedRow) bool { return row.RowID == id })
	if i < 0 {
		t.Fatalf("no row %s", id)
	}
	return &r.Rows[i]
}

// Options are the bootstrap's.
func Options() stats.BootstrapOptions {
	return stats.BootstrapOptions{Seed: big.NewInt(4789), Iterations: 2000, Alpha: 0.05}
}

// Write writes the four files of a published folder and gives its path.
func (r *Run) Write(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.WriteTo(t, dir)
	return dir
}

// WriteTo writes the files into a folder, over what is there.
func (r *Run) WriteTo(t testing.TB, dir string) {
	t.Helper()
	doc := report.StatsDoc{ProtocolID: r.Doc.ProtocolID, GraderVersion: grading.Version, Policies: Policies}
	for name, target := range map[string]*report.Suite{figures.Official: &doc.Official, figures.Synthetic: &doc.Synthetic, figures.Overall: &doc.Overall} {
		pairs, err := figures.Pairs(r.Rows, Policies, figures.Sources(name)...)
		if err != nil {
			continue // rows are missing on purpose
		}
		s, err := stats.Compare(name, pairs, Options())
		if err != nil {
			t.Fatal(err)
		}
		m, b := s.McNemar, s.Bootstrap
		*target = report.Suite{Cases: s.Cases, BothCorrect: m.BothCorrect, BothWrong: m.BothWrong, OnlyFirstCorrect: m.OnlyFirstCorrect,
			OnlySecondCorrect: m.OnlySecondCorrect, PValue: m.PValue, MeanDifference: b.MeanDifference,
			Bootstrap: report.Bootstrap{Alpha: b.Alpha, Iterations: b.Iterations, Seed: b.Seed, Lower: b.Lower, Upper: b.Upper}}
	}
	files := map[string][]byte{
		report.QARowsFile: report.QARows(r.Rows), report.QARunFile: r.Doc.JSON(),
		report.QASummaryFile: report.QASummary(r.Doc.ProtocolID, grading.Version, 7, r.Rows),
	}
	if doc.Overall.Cases > 0 {
		files[report.QAStatsFile] = doc.JSON()
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
