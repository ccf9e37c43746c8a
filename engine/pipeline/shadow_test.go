package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/vectortest"
)

// shadowStudy loads the reference run's protocol and dataset.
func shadowStudy(t testing.TB) *study.Study {
	t.Helper()
	location, err := study.Folder(vectortest.Path(t, "shadow", "protocol"), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := pipeline.Validate(context.Background(), location,
		study.DatasetFile(vectortest.Path(t, "shadow", "longmemeval_shadow.json")), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRunPolicyWritesTheReferenceBytes(t *testing.T) {
	s := shadowStudy(t)
	dir := filepath.Join(t.TempDir(), "policy-run")
	result, err := pipeline.RunPolicy(context.Background(), s, pipeline.Target{Dir: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "wrote 270 policy rows for 45 cases to " + dir; result.Line() != want {
		t.Errorf("last line %q, want %q", result.Line(), want)
	}
	for _, name := range []string{report.PolicyRowsFile, report.PolicySummaryFile} {
		sameBytes(t, filepath.Join(dir, name), vectortest.Read(t, "shadow", "policy-run", name))
	}
	sameButCreation(t, filepath.Join(dir, report.RunFile), vectortest.Read(t, "shadow", "policy-run", report.RunFile))
}

func TestGradeQARebuildsTheReferenceBytes(t *testing.T) {
	s := shadowStudy(t)
	dir := copyRun(t, vectortest.Path(t, "shadow", "qa-run"))
	if _, err := pipeline.GradeQA(context.Background(), s, pipeline.Target{Dir: dir}, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range report.GradeFiles() {
		sameBytes(t, filepath.Join(dir, name), vectortest.Read(t, "shadow", "qa-run", name))
	}
}

func TestRunQAReusesEveryRowOfTheReference(t *testing.T) {
	s := shadowStudy(t)
	dir := copyRun(t, vectortest.Path(t, "shadow", "qa-run"))
	result, err := pipeline.RunQA(context.Background(), s, pipeline.Target{Dir: dir}, pipeline.QAOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Reused != 90 || result.Called != 0 {
		t.Errorf("%s; the fingerprints are not those stored", result.Line())
	}
}

// copyRun copies a QA run without its graded results.
func copyRun(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "qa-run")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, name := range report.GradeFiles() {
		os.Remove(filepath.Join(dir, name))
	}
	return dir
}

func sameBytes(t *testing.T, file string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	a, b := bytes.Split(got, []byte{'\n'}), bytes.Split(want, []byte{'\n'})
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			t.Errorf("%s: line %d is\n%s\nwant\n%s", filepath.Base(file), i+1, a[i], b[i])
			return
		}
	}
	t.Errorf("%s has %d lines, want %d", filepath.Base(file), len(a), len(b))
}

func sameButCreation(t *testing.T, file string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	clean := func(data []byte) string {
		var document map[string]any
		if err := json.Unmarshal(data, &document); err != nil {
			t.Fatal(err)
		}
		delete(document, "created_at")
		delete(document, "git")
		out, _ := json.Marshal(document)
		return string(out)
	}
	if a, b := clean(got), clean(want); a != b {
		t.Errorf("%s is\n%s\nwant\n%s", filepath.Base(file), a, b)
	}
}
