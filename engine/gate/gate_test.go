package gate_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/gate"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/pools"
)

const published = "../../../shared/upstream/results/pr4789-reproduction-v1"

func check(t testing.TB, dir string) *gate.Result {
	t.Helper()
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	in := gate.Input{Run: run}
	if run.Book != nil {
		if in.Queue, err = review.NewQueue(run, review.Options{Seed: 7}); err != nil {
			t.Fatal(err)
		}
	}
	if in.Ledger, err = review.ReadLedger(run.Dir); err != nil {
		t.Fatal(err)
	}
	r, err := gate.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reviewAll gives a verdict on every pair of the queue.
func reviewAll(t testing.TB, dir, reviewer string) {
	t.Helper()
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	q, err := review.NewQueue(run, review.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range q.Items {
		v := review.Verdict{Reviewer: reviewer, CaseID: item.CaseID, Cause: review.CauseEviction}
		if _, err := review.Record(run.Dir, rundir.Writer{}, q, v, nil, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

func blocking(r *gate.Result) []string {
	var names []string
	for _, c := range r.Blocking() {
		names = append(names, c.Name)
	}
	return names
}

func TestThePublishedRunPassesWhatNeedsNoReviewAndTheGateNamesTheRest(t *testing.T) {
	if _, err := os.Stat(published); err != nil {
		t.Skipf("published results not found at %s: skipped", published)
	}
	r := check(t, published)
	if got := blocking(r); !slices.Equal(got, []string{gate.Pairs, gate.Flags}) {
		t.Errorf("blocking: %v", got)
	}
	pairs, _ := r.Find(gate.Pairs)
	flags, _ := r.Find(gate.Flags)
	if len(pairs.Details) != 18 || !slices.Contains(pairs.Details, "1cea1afa: no verdict") || len(flags.Details) != 6 {
		t.Errorf("%+v\n%+v", pairs, flags)
	}
	if floor, _ := r.Find(gate.NoiseFloor); floor.State != gate.Passed || floor.Found != "13 pairs with byte-identical requests: 3 texts differ, 0 grades flip" {
		t.Errorf("%+v", floor)
	}
	for _, c := range r.Checks {
		if c.State == gate.Failed {
			t.Errorf("%+v", c)
		}
	}
}

func TestAReviewedRunMayBePublished(t *testing.T) {
	dir := reviewtest.New().Write(t)
	if got := blocking(check(t, dir)); !slices.Equal(got, []string{gate.Pairs}) {
		t.Errorf("before: %v", got)
	}
	reviewAll(t, dir, "ann")
	if r := check(t, dir); !r.Open() {
		t.Errorf("after: %+v", r.Blocking())
	}
}

func TestEveryFaultShutsTheGateByName(t *testing.T) {
	edit := func(name, old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(data), old) {
				t.Fatalf("%v, or no %q", err, old)
			}
			if err := os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	put := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	rows := func(change func(*reviewtest.Run)) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			r := reviewtest.New()
			change(r)
			r.WriteTo(t, dir)
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(*testing.T, string)
		want  string
		says  string
	}{
		{"a case is missing", rows(func(r *reviewtest.Run) { r.Rows = r.Rows[2:] }), gate.Rows, "a whole run has 90 rows"},
		{"a row is missing", rows(func(r *reviewtest.Run) { r.Rows = r.Rows[1:] }), gate.Rows, "case00"},
		{"an answer is empty", rows(func(r *reviewtest.Run) { r.Rows[3].Prediction = " " }), gate.Answers, "case01__hybrid-v1"},
		{"no identity", remove("qa_run.json"), gate.Hashes, ""},
		{"two hashes of the dataset", rows(func(r *reviewtest.Run) { r.Doc.Dataset.SHA256 = strings.Repeat("c", 64) }), gate.Hashes, "two hashes"},
		{"another capacity", rows(func(r *reviewtest.Run) { r.Doc.QA.Capacity = 5 }), gate.Hashes, "capacity 7"},
		{"another p", edit("qa.stats.json", `"p_value": 0.125`, `"p_value": 0.0125`), gate.Statistics, "synthetic"},
		{"a grade turned in the rows", edit("qa.rows.jsonl", `"grade_correct": true`, `"grade_correct": false`), gate.Statistics, "official"},
		{"no statistics", remove("qa.stats.json"), gate.Statistics, "missing"},
		{"another summary", edit("qa.summary.json", `"correct": 5`, `"correct": 4`), gate.Statistics, "qa.summary.json"},
		{"no summary", remove("qa.summary.json"), gate.Statistics, "qa.summary.json"},
		{"a foreign source", rows(func(r *reviewtest.Run) { r.Rows[0].Source, r.Rows[1].Source = "mine", "mine" }), gate.Suites, "mine"},
		{"a key", put("notes.txt", "sk-proj-abcdefghijklmnop1234"), gate.Private, "notes.txt: it holds an API key"},
		{"a header", put("log.txt", "Authorization: Bearer abcdefghijklmnop"), gate.Private, "log.txt"},
		{"a home", put("log.txt", "read /home/somebody/data.json"), gate.Private, "home"},
		{"no text", put("x.bin", "\xff\xfe\x00"), gate.Private, "no text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := reviewtest.New().Write(t)
			reviewAll(t, dir, "ann")
			c.spoil(t, dir)
			r := check(t, dir)
			found, _ := r.Find(c.want)
			if r.Open() || !found.Blocks() || !strings.Contains(strings.Join(found.Details, "\n"), c.says) {
				t.Errorf("%+v; blocking %v", found, blocking(r))
			}
		})
	}
}

func TestAnEmptyAnswerIsDecidedByItsReview(t *testing.T) {
	r := reviewtest.New()
	r.Row(t, "case01__confidence").Prediction = ""
	r.Row(t, "case01__confidence").Rule = "empty-prediction"
	dir := r.Write(t)
	if got := blocking(check(t, dir)); !slices.Equal(got, []string{gate.Answers, gate.Pairs, gate.Flags}) {
		t.Errorf("before: %v", got)
	}
	reviewAll(t, dir, "ann")
	if got := blocking(check(t, dir)); got != nil {
		t.Errorf("after: %v", got)
	}
}

func TestStaleVerdictsAndOpenDisagreementsAreMissing(t *testing.T) {
	dir := reviewtest.New().Write(t)
	reviewAll(t, dir, "ann")
	r := reviewtest.New()
	r.Row(t, "case23__confidence").Prediction = "changed since"
	r.WriteTo(t, dir)
	pairs, _ := check(t, dir).Find(gate.Pairs)
	if pairs.State != gate.Missing || len(pairs.Details) != 1 || !strings.Contains(pairs.Details[0], "case23: its verdict is stale") {
		t.Errorf("%+v", pairs)
	}
	reviewAll(t, dir, "ann")
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	q, err := review.NewQueue(run, review.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	v := review.Verdict{Reviewer: "bob", CaseID: "case23", Cause: review.CauseGrader}
	if _, err := review.Record(run.Dir, rundir.Writer{}, q, v, nil, time.Unix(2, 0)); err != nil {
		t.Fatal(err)
	}
	if ledger, _ := check(t, dir).Find(gate.Ledger); ledger.State != gate.Missing || !slices.Contains(ledger.Details, "case23: reviewers differ") {
		t.Errorf("%+v", ledger)
	}
}

func TestTextOfTheDatasetIsFoundOutsideThePredictions(t *testing.T) {
	text := "On the fourth of May I bought a red bicycle in Ghent."
	cases := []pools.Case{{ID: "c", Question: "Which colour did the bicycle that I bought in May have?", Facts: []pools.Fact{{ID: "gold_c", Content: text}}}}
	for name, want := range map[string]int{
		`{"prediction": "` + text + `"}`:                           0,
		`{"note": "` + text + `"}`:                                 1,
		`{"note": "On the fourth\nof May I bought a red bicycle"}`: 1,
		`which colour did the bicycle that i bought`:               1,
		`a red bicycle`: 0,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f.json"), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		problems, err := gate.Scan(dir, cases, []string{text})
		if err != nil || len(problems) != want {
			t.Errorf("%s: %v, %v", name, problems, err)
		}
	}
}
