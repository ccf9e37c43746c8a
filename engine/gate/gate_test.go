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

func copied(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// edit, put and remove spoil a folder.
func edit(name, old, new string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatalf("%v, or no %q", err, old)
		}
		put(name, strings.Replace(string(data), old, new, 1))(t, dir)
	}
}

func put(name, text string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(name string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryFaultShutsTheGateByName(t *testing.T) {
	rows := func(change func(*reviewtest.Run)) func(testing.TB, string) {
		return func(t testing.TB, dir string) {
			t.Helper()
			r := reviewtest.New()
			change(r)
			r.WriteTo(t, dir)
		}
	}
	whole := reviewtest.New().Write(t)
	reviewAll(t, whole, "ann")
	for _, c := range []struct {
		name  string
		spoil func(testing.TB, string)
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
		{"a key", put("notes.txt", "sk-proj-abcdefghijklmnop1234"), gate.Private, "notes.txt, line 1: it holds an API key"},
		{"a header", put("log.txt", "Authorization: Bearer abcdefghijklmnop"), gate.Private, "log.txt"},
		{"a home", put("log.txt", "read /home/somebody/data.json"), gate.Private, "home"},
		{"no text", put("x.bin", "\xff\xfe\x00"), gate.Private, "no text"},
		{"a home of root", put("log.txt", "\nread /root/data.json"), gate.Private, "log.txt, line 2: it holds a path"},
		{"a key as a name", put("a/sk-proj-abcdefghijklmnop1234.txt", "x"), gate.Private, "./a/: a name in it holds an API key"},
		{"a key under its name", put(".env", "OPENAI_API_KEY=abcdefgh12345"), gate.Private, "a credential under its name"},
		{"a key whose escapes hide it", put("x.json", `{"a": "s\u006b-proj-abcdefghijklmnop1234"}`), gate.Private, "x.json, line 1: it holds an API key"},
		{"a rule that never gives its grade", rows(func(r *reviewtest.Run) { r.Rows[0].Rule = "insufficient" }), gate.Columns, "case00__confidence: grade_correct is true"},
		{"a rule that is none", rows(func(r *reviewtest.Run) { r.Rows[0].Rule = "bogus-rule" }), gate.Columns, "bogus-rule"},
		{"a grade that its text does not give", rows(func(r *reviewtest.Run) { r.Rows[0].Rule, r.Rows[0].Correct = "insufficient", false }), gate.Columns, "the prediction gives another"},
		{"a conflict of integers without one", rows(func(r *reviewtest.Run) {
			r.Rows[0].Rule, r.Rows[0].Correct, r.Rows[0].Prediction = "numeric-conflict", false, "some words"
		}), gate.Columns, "holds no integer"},
		{"a recall that the facts do not give", rows(func(r *reviewtest.Run) { r.Rows[0].SupportRecall = 0 }), gate.Columns, "support_recall is 0"},
		{"a retention that the facts do not give", rows(func(r *reviewtest.Run) { r.Rows[0].SupportRetained, r.Rows[0].SupportRecall = false, 0 }), gate.Columns, "support_all_retained is false"},
		{"a fact kept twice", rows(func(r *reviewtest.Run) { r.Rows[0].KeptFactIDs[1] = r.Rows[0].KeptFactIDs[0] }), gate.Columns, "twice"},
		{"too few facts", rows(func(r *reviewtest.Run) { r.Rows[0].KeptFactIDs = r.Rows[0].KeptFactIDs[1:] }), gate.Columns, "6 facts are kept at capacity 7"},
		{"one request of two sets of facts", rows(func(r *reviewtest.Run) { r.Rows[0].KeptFactIDs[0] = "d_x" }), gate.Columns, "case00: both rows have one request"},
		{"two requests of one set of facts", rows(func(r *reviewtest.Run) { r.Rows[0].RequestFingerprint = strings.Repeat("d", 64) }), gate.Columns, "their requests differ"},
		{"more attempts than allowed", rows(func(r *reviewtest.Run) { r.Rows[0].Attempts = 4 }), gate.Columns, "4 attempts"},
		{"two grades of one text", rows(func(r *reviewtest.Run) { r.Rows[0].Rule = "substring" }), gate.Columns, "one text and two grades"},
		{"a grade that flips on one request and text", rows(func(r *reviewtest.Run) { r.Rows[0].Rule, r.Rows[0].Correct = "overlap-reject", false }), gate.NoiseFloor, "case00: the grade flips"},
		{"a key that stands twice in a row", edit("qa.rows.jsonl", `{"attempts"`, `{"grade_correct": false, "attempts"`), gate.Rows, "line 1: it is not written"},
		{"rows in another order", func(t testing.TB, dir string) {
			data, _ := os.ReadFile(filepath.Join(dir, "qa.rows.jsonl"))
			first, rest, _ := strings.Cut(string(data), "\n")
			put("qa.rows.jsonl", rest+first+"\n")(t, dir)
		}, gate.Rows, "order of the row IDs"},
		{"a key that stands twice in a document", edit("qa_run.json", `"model":`, `"model": "another",
    "model":`), gate.Hashes, "qa_run.json: it is not written"},
		{"statistics written otherwise", edit("qa.stats.json", "{", "{ "), gate.Hashes, "qa.stats.json: it is not written"},
		{"a look that only the grading knows", put("deermem-tui/states.json", `{"looks_before_the_end": [{"at": "2026-08-18T04:12:21Z", "rows": 3, "of": 90}]}`), gate.Looks, "at 3 of 90 rows: deermem-tui/states.json lists it"},
		{"a decision that cannot be read", put("deermem-tui/decisions.jsonl", "{x\"event\": \"look\"}\n"), gate.Looks, "line 1 cannot be read"},
		{"a killed writer", put(".deermem-tui.lock", "{}"), gate.Quiet, "was left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copied(t, whole)
			c.spoil(t, dir)
			r := check(t, dir)
			found, _ := r.Find(c.want)
			if r.Open() || !found.Blocks() || !strings.Contains(strings.Join(found.Details, "\n"), c.says) {
				t.Errorf("%+v; blocking %v", found, blocking(r))
			}
		})
	}
}

func TestTheGradesOfAnotherGraderAreNotJudged(t *testing.T) {
	r := reviewtest.New()
	for i := range r.Rows {
		r.Rows[i].GraderVersion, r.Rows[i].Rule = "another-v2", "another-rule"
	}
	if found, _ := check(t, r.Write(t)).Find(gate.Columns); found.State != gate.NotRun || !strings.Contains(found.Found, "another-v2") {
		t.Errorf("%+v", found)
	}
}

func TestAnEmptyAnswerIsDecidedByItsReview(t *testing.T) {
	r := reviewtest.New()
	row := r.Row(t, "case36__confidence")
	row.Prediction, row.Rule = "", "empty-prediction"
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
		`{"a": "On the fourth of \u004day I bought a red bicycle"}`: 1,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f.json"), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		problems, err := gate.Search{Cases: cases, Predictions: []string{text}}.Scan(dir)
		if err != nil || len(problems) != want {
			t.Errorf("%s: %v, %v", name, problems, err)
		}
	}
}

func TestASampleThatNobodyLookedAtIsToldAndDisputedRowsAreNot(t *testing.T) {
	dir := reviewtest.New().Write(t)
	run, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	q, err := review.NewQueue(run, review.Options{Seed: 7, Sample: 3})
	if err != nil {
		t.Fatal(err)
	}
	v := review.Verdict{Reviewer: "ann", CaseID: "case23", Cause: review.CauseGrader, Disputed: []review.Side{review.SideA}}
	if _, err := review.Record(run.Dir, rundir.Writer{}, q, v, nil, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	ledger, err := review.ReadLedger(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gate.Run(context.Background(), gate.Input{Run: run, Queue: q, Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	found, _ := r.Find(gate.Ledger)
	if text := found.Found + strings.Join(found.Details, " "); !strings.Contains(text, "of the sample of other pairs 0 of 3") || !strings.Contains(text, "the dispute of 1 grade") || strings.Contains(text, "__") {
		t.Errorf("%+v", found)
	}
}
