// These tests forge what only the protocol, its dataset or the files of the
// answers can disprove, in a whole run of the sample.

package gate_test

import (
	"context"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	deermemtui "deermem-tui"
	"deermem-tui/engine/gate"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

func contractsOf(t testing.TB, name string) (*study.Contracts, deermemtui.Paths) {
	t.Helper()
	p, _ := deermemtui.Protocol(name)
	c, err := study.LoadContracts(study.Embedded(name, deermemtui.Files, p.Config, p.OfficialManifest, p.SyntheticManifest), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

// made is a copy of a graded and reviewed run of the sample, answered without a
// mistake wherever the support was kept.
func made(t testing.TB) (*study.Study, string) {
	t.Helper()
	once.Do(func() { once.study, once.dir = makeRun(t) })
	if once.dir == "" {
		t.Fatal("the run could not be made")
	}
	return once.study, copied(t, once.dir)
}

// once is that run: to make it takes longer than any test of it.
var once struct {
	sync.Once
	study *study.Study
	dir   string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if once.dir != "" {
		os.RemoveAll(filepath.Dir(once.dir))
	}
	os.Exit(code)
}

func makeRun(t testing.TB) (*study.Study, string) {
	t.Helper()
	ctx := context.Background()
	contracts, paths := contractsOf(t, deermemtui.Sample)
	s, err := contracts.Open(ctx, study.EmbeddedDataset(deermemtui.Files, paths.Dataset), nil)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "deermem-tui-gate")
	if err != nil {
		t.Fatal(err)
	}
	target := pipeline.Target{Dir: filepath.Join(folder, "run")}
	if _, err := pipeline.RunPolicy(ctx, s, target, nil); err != nil {
		t.Fatal(err)
	}
	dir, err := rundir.Open(target.Dir)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	if err := dir.WriteNew(report.QARunFile, pipeline.QARunDoc(contracts, begun, nil).JSON()); err != nil {
		t.Fatal(err)
	}
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		row := rundir.Row{RowID: task.RowID, CaseID: task.CaseID, Source: task.Source, Scenario: task.Scenario, Policy: task.Policy, Capacity: task.Capacity,
			KeptFactIDs: task.KeptFactIDs, RequestFingerprint: task.Fingerprint, Prediction: task.Case.Answer, Attempts: 1, ResponseModel: &s.Config.QA.Model,
			Usage:     map[string]*big.Int{"total_tokens": big.NewInt(77)},
			CreatedAt: report.Timestamp(begun)}
		if !task.Cell.SupportRetained {
			row.Prediction = "INSUFFICIENT"
		}
		if err := dir.WriteRow(row); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := pipeline.GradeQA(ctx, s, target, nil); err != nil {
		t.Fatal(err)
	}
	reviewed(t, s, target.Dir)
	return s, target.Dir
}

func reviewed(t testing.TB, s *study.Study, folder string) {
	t.Helper()
	run, q := queued(t, s, folder)
	for _, item := range q.Items {
		if _, err := review.Record(run.Dir, rundir.Writer{}, q, review.Verdict{Reviewer: "ann", CaseID: item.CaseID, Cause: review.CauseEviction}, nil, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
	}
}

func queued(t testing.TB, s *study.Study, folder string) (*gradedrun.Run, *review.Queue) {
	t.Helper()
	run, err := gradedrun.Load(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	options := review.Options{Seed: 7}
	if s != nil {
		options.References = review.References(s.Pools.Cases)
	}
	q, err := review.NewQueue(run, options)
	if err != nil {
		t.Fatal(err)
	}
	return run, q
}

func judged(t testing.TB, folder string, in gate.Input) *gate.Result {
	t.Helper()
	in.Run, in.Queue = queued(t, in.Study, folder)
	var err error
	if in.Ledger, err = review.ReadLedger(in.Run.Dir); err != nil {
		t.Fatal(err)
	}
	r, err := gate.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// line changes a text in the lines of a file that hold another.
func line(name, holds, old, new string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		lines, found := strings.Split(string(data), "\n"), false
		for i := range lines {
			if strings.Contains(lines[i], holds) && strings.Contains(lines[i], old) {
				found, lines[i] = true, strings.Replace(lines[i], old, new, 1)
			}
		}
		if !found {
			t.Fatalf("no line of %s holds %q and %q", name, holds, old)
		}
		put(name, strings.Join(lines, "\n"))(t, dir)
	}
}

func TestWhatTheProtocolDisprovesShutsTheGate(t *testing.T) {
	s, whole := made(t)
	if r := judged(t, whole, gate.Input{Study: s}); !r.Open() || len(r.NotRun()) != 0 {
		t.Fatalf("as it was made: %+v", r.Checks)
	}
	const row = "before-the-keys__hybrid-v1"
	rows, answer := report.QARowsFile, rundir.RowFile(row)
	forged := func(edits ...func(testing.TB, string)) func(testing.TB, string) {
		return func(t testing.TB, dir string) {
			for _, e := range edits {
				e(t, dir)
			}
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(testing.TB, string)
		want  string
		says  string
	}{
		{"another retention", forged(line(rows, row, `"support_all_retained": true, "support_recall": 1.0`, `"support_all_retained": false, "support_recall": 0.0`)), gate.Protocol, row + ": the protocol gives another support_all_retained, support_recall"},
		{"another question type", line(rows, "before-the-keys", `"question_type": "`, `"question_type": "x`), gate.Protocol, "question_type"},
		{"another model asked for", edit("qa_run.json", `"model": "`, `"model": "gpt-9-`), gate.Protocol, "qa_run.json: qa.model is not the protocol's"},
		{"another temperature", edit("qa_run.json", `"temperature": 0.0`, `"temperature": 1.5`), gate.Protocol, "qa.temperature"},
		{"more attempts", edit("qa_run.json", `"max_attempts": 3`, `"max_attempts": 30`), gate.Protocol, "qa.max_attempts"},
		{"another repository of the dataset", edit("qa_run.json", `"repository": "`, `"repository": "x`), gate.Protocol, "dataset.repository"},
		{"other capacities in run.json", edit("run.json", `"capacities": [`, `"capacities": [
    1,`), gate.Protocol, "run.json: capacities"},
		{"another policy result", line("policy.raw.jsonl", `"capacity": 5`, `"support_all_retained": true`, `"support_all_retained": false`), gate.Protocol, "policy.raw.jsonl is not what the protocol gives: line"},
		{"another served model in the row", line(rows, row, `"response_model": "`, `"response_model": "gpt-9`), gate.Hashes, row + " is not its answer file: response_model differ"},
		{"more attempts in the row", line(rows, row, `{"attempts": 1`, `{"attempts": 2`), gate.Hashes, "attempts differ"},
		{"another usage in the row", line(rows, row, `"total_tokens": 77`, `"total_tokens": 78`), gate.Hashes, "usage"},
		{"an answer with another text", edit(answer, `"prediction": "`, `"prediction": "x`), gate.Hashes, "prediction differ"},
		{"a key that stands twice in an answer", edit(answer, `"prediction":`, `"prediction": "x",
  "prediction":`), gate.Hashes, answer + ": it is not written"},
		{"a state that is none", edit(answer, `"kept_fact_ids"`, `"deermem_tui": {
    "state": "lalala"
  },
  "kept_fact_ids"`), gate.Hashes, "lalala"},
		{"two numbers of one count", edit(answer, `"kept_fact_ids"`, `"deermem_tui": {
    "state": "answered",
    "usage": {
      "total_tokens": 78
    }
  },
  "kept_fact_ids"`), gate.Hashes, "two numbers of total_tokens"},
		{"another model among the states", edit("deermem-tui/states.json", `"model_asked_for": "`, `"model_asked_for": "x`), gate.Hashes, "states.json: model_asked_for"},
		{"other states", edit("deermem-tui/states.json", `"answered": 90`, `"answered": 89`), gate.Hashes, "states.json: rows"},
		{"a key that stands twice among the states", edit("deermem-tui/states.json", `"models"`, `"models": {},
  "models"`), gate.Hashes, "states.json: it is not written"},
		{"a commit that is none", edit("qa_run.json", `"dirty": null`, `"dirty": false`), gate.Hashes, "qa_run.json: it is not written"},
		{"an answer of no row", put("responses/more__hybrid-v1.json", "{}"), gate.Hashes, "more__hybrid-v1.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copied(t, whole)
			c.spoil(t, dir)
			found, _ := judged(t, dir, gate.Input{Study: s}).Find(c.want)
			if !found.Blocks() || !strings.Contains(strings.Join(found.Details, "\n"), c.says) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestARunWithTheNameOfAShippedProtocolAndNotItsHashesFails(t *testing.T) {
	s, dir := made(t)
	remove("run.json")(t, dir)
	edit("qa_run.json", `"config_sha256": "`+s.Identity.Config, `"config_sha256": "`+strings.Repeat("0", 64))(t, dir)
	found, _ := judged(t, dir, gate.Input{Shipped: []*study.Contracts{s.Contracts}}).Find(gate.Hashes)
	if found.State != gate.Failed || !strings.Contains(strings.Join(found.Details, "\n"), "states the protocol deermem-tui-sample-v1, but not its config") {
		t.Errorf("%+v", found)
	}
}

func TestTheSettingsOfAShippedProtocolAreComparedWithoutItsDataset(t *testing.T) {
	s, dir := made(t)
	in := gate.Input{Shipped: []*study.Contracts{s.Contracts}}
	r := judged(t, dir, in)
	if names := gate.Names(r.NotRun()); !slices.Equal(names, []string{gate.Protocol, gate.Grades}) || !r.Open() || !strings.HasSuffix(r.Conclusion(), "2 checks were not run: protocol at hand, grades made again") {
		t.Errorf("%v, %s", names, r.Conclusion())
	}
	if r.RequireAll = true; r.Open() || !slices.Equal(gate.Names(r.Blocking()), []string{gate.Protocol, gate.Grades}) {
		t.Errorf("all required: %s", r.Conclusion())
	}
	for says, spoil := range map[string]func(testing.TB, string){
		"qa.model is not the protocol's": edit("qa_run.json", `"model": "`, `"model": "gpt-9-`),
		"its manifest gives":             line(report.QARowsFile, "before-the-keys", `"scenario": "`, `"scenario": "x`),
	} {
		spoiled := copied(t, dir)
		spoil(t, spoiled)
		if found, _ := judged(t, spoiled, in).Find(gate.Protocol); found.State != gate.Failed || !strings.Contains(strings.Join(found.Details, "\n"), says) {
			t.Errorf("%s: %+v", says, found)
		}
	}
}

func TestAModelThatWasNotAskedForIsTold(t *testing.T) {
	s, dir := made(t)
	edit("qa_run.json", `"model": "`, `"model": "gpt-9-`)(t, dir)
	found, _ := judged(t, dir, gate.Input{Study: s}).Find(gate.Model)
	if found.State != gate.Noted || !strings.Contains(strings.Join(found.Details, "\n"), "gpt-9-"+s.Config.QA.Model+" was asked for") {
		t.Errorf("%+v", found)
	}
}

func TestAnswersThatAreOlderThanTheirRunAreTold(t *testing.T) {
	s, dir := made(t)
	edit("qa_run.json", `"created_at": "2026`, `"created_at": "2036`)(t, dir)
	found, _ := judged(t, dir, gate.Input{Study: s}).Find(gate.Answers)
	if found.State != gate.Noted || !strings.Contains(strings.Join(found.Details, "\n"), "90 answers of 90") {
		t.Errorf("%+v", found)
	}
}

func TestTheKeyInUseAndTheHomeAreFoundWhateverTheirShape(t *testing.T) {
	dir := t.TempDir()
	put("a/x.txt", "one\nplainsecret\n/srv/people/ann/x\n")(t, dir)
	problems, err := gate.Search{Secrets: []secret.Named{{Name: "the key in use", Text: "plainsecret"}, {Name: "a path in your home", Text: "/srv/people/ann"}}}.Scan(dir)
	if err != nil || len(problems) != 2 || problems[0].String() != "a/x.txt, line 2: it holds the key in use" || problems[1].Line != 3 {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestAFolderThatIsWrittenIsShut(t *testing.T) {
	_, whole := made(t)
	dir, err := rundir.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := dir.Lock(rundir.Writer{PID: 4711, Command: "run-qa"})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	found, _ := judged(t, whole, gate.Input{}).Find(gate.Quiet)
	if found.State != gate.Missing || !strings.Contains(strings.Join(found.Details, "\n"), "pid 4711 (run-qa") {
		t.Errorf("%+v", found)
	}
}

func TestRowsThatChangeWhileTheyAreCheckedFail(t *testing.T) {
	_, whole := made(t)
	run, q := queued(t, nil, whole)
	put(report.QARowsFile, "")(t, whole)
	r, err := gate.Run(context.Background(), gate.Input{Run: run, Queue: q, Ledger: &review.Ledger{}})
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := r.Find(gate.Quiet); found.State != gate.Failed {
		t.Errorf("%+v", found)
	}
}

func TestARunOfTheReferenceFailsNowhere(t *testing.T) {
	const folder = "../../../shared/shadow"
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the reference run is not found at %s: skipped", folder)
	}
	location, err := study.Folder(folder+"/protocol", "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	contracts, err := study.LoadContracts(location, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := contracts.Open(context.Background(), study.DatasetFile(folder+"/longmemeval_shadow.json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range judged(t, folder+"/qa-run", gate.Input{Study: s}).Checks {
		if c.State == gate.Failed || c.State == gate.NotRun {
			t.Errorf("%+v", c)
		}
	}
}
