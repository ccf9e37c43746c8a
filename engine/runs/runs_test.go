package runs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/runs"
	"deermem-tui/protocol/identity"
)

var (
	hashes = identity.Identity{
		Config: strings.Repeat("a", 64), OfficialManifest: strings.Repeat("b", 64), SyntheticManifest: strings.Repeat("c", 64),
		AnswerPrompt: strings.Repeat("d", 64), Dataset: strings.Repeat("e", 64),
	}
	created = time.Date(2026, 8, 18, 4, 12, 21, 258451000, time.UTC)
)

func dataset() report.Dataset { return report.Dataset{Filename: "d.json", SHA256: hashes.Dataset} }

func runDoc(id identity.Identity) []byte {
	return report.RunDoc{ProtocolID: "p-v1", Artifacts: id, Dataset: dataset(), CreatedAt: created}.JSON()
}

func qaDoc(at time.Time) []byte {
	return report.QARunDoc{ProtocolID: "p-v1", Artifacts: hashes, Dataset: dataset(), CreatedAt: at}.JSON()
}

func gradedRow() []byte {
	row := report.GradedRow{RowID: "a__confidence", CaseID: "a", Source: "longmemeval", Scenario: "s", QuestionType: "t", Policy: "confidence",
		Capacity: 7, KeptFactIDs: []string{"gold_a"}, Rule: "exact", GraderVersion: "g", RequestFingerprint: strings.Repeat("0", 64)}
	return report.QARows([]report.GradedRow{row})
}

// folder makes a run folder of files by name.
func folder(t *testing.T, path string, files map[string][]byte) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(path, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func answers(n int, more map[string][]byte) map[string][]byte {
	files := map[string][]byte{report.QARunFile: qaDoc(created)}
	for i := range n {
		files[rundir.RowFile(fmt.Sprintf("case%02d__confidence", i))] = nil // never read
	}
	for name, data := range more {
		files[name] = data
	}
	return files
}

func TestAFolderIsWhatItHolds(t *testing.T) {
	other := hashes
	other.Config = strings.Repeat("f", 64)
	grades := map[string][]byte{report.QARowsFile: gradedRow(), report.QASummaryFile: nil, report.QAStatsFile: nil}
	for _, c := range []struct {
		name    string
		files   map[string][]byte
		kind    runs.Kind
		state   string
		problem string // part of it
	}{
		{"nothing yet", nil, runs.Empty, "empty", ""},
		{"a lock alone", map[string][]byte{rundir.LockFile: []byte("x")}, runs.Empty, "empty", ""},
		{"decisions", map[string][]byte{report.RunFile: runDoc(hashes)}, runs.Policy, "policy", ""},
		{"answers begun", answers(0, nil), runs.Answers, "answers 0/90", ""},
		{"some answers", answers(37, nil), runs.Answers, "answers 37/90", ""},
		{"some answers beside grades of more", answers(37, grades), runs.Answers, "answers 37/90", ""},
		{"all answers", answers(90, nil), runs.Answers, "answers 90/90", ""},
		{"all answers and grades", answers(90, grades), runs.Graded, "graded", ""},
		{"decisions and answers of one protocol", answers(1, map[string][]byte{report.RunFile: runDoc(hashes)}), runs.Answers, "answers 1/90", ""},
		{"published", map[string][]byte{report.QARowsFile: gradedRow(), report.QARunFile: qaDoc(created)}, runs.Published, "published", ""},
		{"published rows alone", map[string][]byte{report.QARowsFile: gradedRow()}, runs.Published, "published", ""},
		{"other files among the answers do not count", answers(2, map[string][]byte{"responses/notes.txt": nil, "responses/.tmp__x.json~": nil, "responses/a.json": nil}), runs.Answers, "answers 2/90", ""},

		{"something else", map[string][]byte{"readme.txt": nil}, runs.None, "not a run", "no file of a run"},
		{"a torn document", map[string][]byte{report.QARunFile: []byte(`{"protocol_id": "p`)}, runs.None, "not a run", "qa_run.json is damaged"},
		{"an empty document", map[string][]byte{report.RunFile: nil}, runs.None, "not a run", "run.json is damaged"},
		{"a document of something else", map[string][]byte{report.RunFile: []byte(`{"a": 1}`)}, runs.None, "not a run", "lacks protocol_id"},
		{"a list", map[string][]byte{report.RunFile: []byte(`[]`)}, runs.None, "not a run", "not an object"},
		{"nested without end", map[string][]byte{report.RunFile: []byte(strings.Repeat(`{"a":`, 200_000))}, runs.None, "not a run", "damaged"},
		{"a document without end", map[string][]byte{report.RunFile: []byte(strings.Repeat(" ", 2<<20))}, runs.None, "not a run", "larger"},
		{"answers of nothing", map[string][]byte{"responses/a__confidence.json": nil}, runs.None, "not a run", "no qa_run.json"},
		{"two protocols", map[string][]byte{report.RunFile: runDoc(other), report.QARunFile: qaDoc(created)}, runs.None, "not a run", "different protocols"},
		{"grades of nothing", map[string][]byte{report.QAStatsFile: nil}, runs.None, "not a run", "neither"},
		{"decisions without their document", map[string][]byte{report.PolicyRowsFile: nil}, runs.None, "not a run", "policy.raw.jsonl"},
		{"published rows that are none", map[string][]byte{report.QARowsFile: []byte("{}\n")}, runs.None, "not a run", "line 1"},
		{"published rows cut off", map[string][]byte{report.QARowsFile: append(gradedRow(), []byte(`{"attempts": 1`)...)}, runs.None, "not a run", "last row does not end"},
		{"one row without an end", map[string][]byte{report.QARowsFile: []byte(strings.Repeat("x", 2<<20))}, runs.None, "not a run", "first row does not end"},
		{"no published row", map[string][]byte{report.QARowsFile: nil}, runs.None, "not a run", "first row does not end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := folder(t, filepath.Join(t.TempDir(), "run"), c.files)
			got := runs.Inspect(path)
			if got.Kind != c.kind || got.State() != c.state || !strings.Contains(got.Problem, c.problem) || (got.Problem != "") != (c.kind == runs.None) {
				t.Errorf("%+v, state %q", got, got.State())
			}
			if got.Path != path || got.Name != "run" {
				t.Errorf("path %q, name %q", got.Path, got.Name)
			}
		})
	}
}

func TestARunTellsProtocolDateAndIdentity(t *testing.T) {
	for name, files := range map[string]map[string][]byte{
		"decisions": {report.RunFile: runDoc(hashes)}, "answers": answers(3, nil),
	} {
		got := runs.Inspect(folder(t, filepath.Join(t.TempDir(), "run"), files))
		if got.Protocol != "p-v1" || !got.Created.Equal(created) || got.Identity != hashes || !got.Bound() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatIsNoFileOrNoFolderIsNamedAndNeverWaitedFor(t *testing.T) {
	top := t.TempDir()
	file := filepath.Join(folder(t, filepath.Join(top, "file"), map[string][]byte{"x": nil}), "x")
	folder(t, filepath.Join(top, "dir-for-file", report.QARunFile), nil)
	folder(t, filepath.Join(top, "file-for-dir"), map[string][]byte{report.QARunFile: qaDoc(created), rundir.ResponsesDir: nil})
	link(t, filepath.Join(top, "loop"), filepath.Join(top, "loop"))
	link(t, "/no/such/place", filepath.Join(top, "dangling"))
	link(t, filepath.Join(top, "nothing"), filepath.Join(folder(t, filepath.Join(top, "dangling-document"), nil), report.RunFile))
	link(t, ".", filepath.Join(folder(t, filepath.Join(top, "itself"), nil), "deeper"))
	pipes := pipe(filepath.Join(folder(t, filepath.Join(top, "pipe"), nil), report.QARunFile)) &&
		pipe(filepath.Join(folder(t, filepath.Join(top, "pipe-rows"), nil), report.QARowsFile)) &&
		pipe(filepath.Join(folder(t, filepath.Join(top, "pipe-answers"), map[string][]byte{report.QARunFile: qaDoc(created)}), rundir.ResponsesDir))
	for name, want := range map[string]string{
		"dir-for-file": "qa_run.json is not a regular file", "file-for-dir": "responses is not a folder", "loop": "cannot be looked at",
		"dangling": "cannot be looked at", "dangling-document": "run.json is a link to nothing", "itself": "no file of a run",
		"pipe": "qa_run.json is not a regular file", "pipe-rows": "qa.rows.jsonl is not a regular file", "pipe-answers": "responses is not a folder",
	} {
		if strings.HasPrefix(name, "pipe") && !pipes {
			continue
		}
		if got := runs.Inspect(filepath.Join(top, name)); !strings.Contains(got.Problem, want) || got.Kind != runs.None {
			t.Errorf("%s: %+v, want %q", name, got, want)
		}
	}
	if got := runs.Inspect(file); !strings.Contains(got.Problem, "not a folder") {
		t.Errorf("a file: %+v", got)
	}
	if got := runs.Inspect(filepath.Join(top, "nothing")); got.Problem == "" {
		t.Errorf("nothing: %+v", got)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skipf("links cannot be made here (%v): skipped", err)
	}
}

func TestTheListHidesNothingAndSortsTheNewestFirst(t *testing.T) {
	top := filepath.Join(t.TempDir(), "[runs] *?")
	folder(t, filepath.Join(top, "old"), map[string][]byte{report.QARunFile: qaDoc(created.Add(-time.Hour))})
	folder(t, filepath.Join(top, "new"), map[string][]byte{report.QARunFile: qaDoc(created.Add(time.Hour))})
	folder(t, filepath.Join(top, "begun"), nil)
	folder(t, filepath.Join(top, "torn"), map[string][]byte{report.RunFile: []byte("{")})
	folder(t, filepath.Join(top, "foreign\x1b[2J"), map[string][]byte{"x": nil})
	folder(t, filepath.Join(top, ".git"), map[string][]byte{"x": nil})
	folder(t, top, map[string][]byte{"notes.txt": nil})
	own := folder(t, filepath.Join(t.TempDir(), "own"), answers(1, nil))
	got := runs.List(context.Background(), []string{top, own, own + "/.", filepath.Join(top, "old")}, nil)
	var names []string
	for _, r := range got {
		names = append(names, r.Name)
	}
	if want := []string{"new", "own", "old", "begun", "foreign\x1b[2J", "torn"}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
}

func TestAFolderThatIsNoneIsListedAndAnOptionalOneMayBeMissing(t *testing.T) {
	top := t.TempDir()
	missing, empty := filepath.Join(top, "missing"), folder(t, filepath.Join(top, "empty"), nil)
	file := filepath.Join(folder(t, top, map[string][]byte{"file": nil}), "file")
	got := runs.List(context.Background(), []string{missing, empty, file}, nil)
	if len(got) != 3 || slices.ContainsFunc(got, func(r runs.Run) bool { return r.Problem == "" }) {
		t.Errorf("listed %+v", got)
	}
	if got := runs.List(context.Background(), []string{missing, empty}, func(string) bool { return true }); len(got) != 0 {
		t.Errorf("optional folders give %+v", got)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if got := runs.List(done, []string{top}, nil); len(got) != 0 {
		t.Errorf("after the end of its context: %+v", got)
	}
}

func TestADamagedFolderThatIsNamedIsListedItself(t *testing.T) {
	torn := folder(t, filepath.Join(t.TempDir(), "torn"), map[string][]byte{report.RunFile: []byte("{"), "responses/a__confidence.json": nil})
	got := runs.List(context.Background(), []string{torn}, nil)
	if len(got) != 1 || got[0].Name != "torn" || got[0].Problem == "" {
		t.Errorf("listed %+v", got)
	}
}

func TestEveryNameOfManyIsLookedAtWithinABound(t *testing.T) {
	top := t.TempDir()
	for i := range 4200 {
		if err := os.Mkdir(filepath.Join(top, fmt.Sprintf("d%04d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got := runs.List(context.Background(), []string{top}, nil)
	last := got[len(got)-1]
	if len(got) != 4097 || !strings.Contains(last.Problem, "more than 4096") {
		t.Errorf("listed %d, the last is %+v", len(got), last)
	}
}

func TestAStampChangesWithTheResultsAndWithNothingElse(t *testing.T) {
	path := folder(t, filepath.Join(t.TempDir(), "run"), answers(3, nil))
	before := runs.Stamp(path)
	write := func(name, data string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(path, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(rundir.LockFile, "x")
	write("notes.txt", "x")
	write("responses/.case.json123", "x")
	if runs.Stamp(path) != before {
		t.Error("a lock, a note or a temporary file changed the stamp")
	}
	for _, name := range []string{"responses/case00__confidence.json", "responses/case99__confidence.json", report.QARowsFile, report.RunFile} {
		before := runs.Stamp(path)
		write(name, "changed "+name)
		if runs.Stamp(path) == before {
			t.Errorf("%s changed and the stamp did not", name)
		}
	}
	before = runs.Stamp(path)
	if err := os.Remove(filepath.Join(path, "responses/case01__confidence.json")); err != nil {
		t.Fatal(err)
	}
	if runs.Stamp(path) == before {
		t.Error("an answer was removed and the stamp did not change")
	}
	if runs.Stamp(filepath.Join(path, "missing")) != runs.Stamp(t.TempDir()) {
		t.Error("a missing folder is not as an empty one")
	}
}

// A folder of three hundred whole runs is listed in a few milliseconds.
func BenchmarkListThreeHundredRuns(b *testing.B) {
	top := b.TempDir()
	for i := range 300 {
		path := filepath.Join(top, fmt.Sprintf("run-%03d", i), rundir.ResponsesDir)
		if err := os.MkdirAll(path, 0o755); err != nil {
			b.Fatal(err)
		}
		for k := range 90 {
			if err := os.WriteFile(filepath.Join(path, fmt.Sprintf("c%02d__confidence.json", k)), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(top, fmt.Sprintf("run-%03d", i), report.QARunFile), qaDoc(created), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		if got := runs.List(context.Background(), []string{top}, nil); len(got) != 300 {
			b.Fatal(len(got))
		}
	}
}
