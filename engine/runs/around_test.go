package runs_test

import (
	"os"
	"path/filepath"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/engine/runs"
)

func TestAFileInARunFolderIsToldAtAnyDepth(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := folder(t, filepath.Join(base, "run"), answers(3, nil))
	damaged := folder(t, filepath.Join(base, "damaged"), map[string][]byte{report.QARunFile: []byte("{")})
	foreign := folder(t, filepath.Join(base, "foreign"), map[string][]byte{report.RunFile: []byte(`{"a": 1}`)})
	begun := folder(t, filepath.Join(base, "begun"), nil)
	link := filepath.Join(base, "link")
	if err := os.Symlink(run, link); err != nil {
		t.Skip("links are not possible here: skipped")
	}
	for file, want := range map[string]string{
		filepath.Join(run, "x.json"): run, filepath.Join(run, "responses", "x.json"): run, filepath.Join(run, "not", "there", "x.json"): run,
		filepath.Join(link, "x.json"): run, filepath.Join(damaged, "x.json"): damaged, run: "",
		filepath.Join(foreign, "x.json"): "", filepath.Join(begun, "x.json"): "", filepath.Join(base, "x.json"): "",
	} {
		if got := runs.Around(file); got != want {
			t.Errorf("%s lies in %q, want %q", file, got, want)
		}
	}
}
