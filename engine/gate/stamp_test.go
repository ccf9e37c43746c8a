package gate_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"deermem-tui/engine/gate"
)

func TestTheStampChangesWithWhateverTheChecklistLooksAt(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	put := func(name, text string) { t.Helper(); must(os.WriteFile(at(name), []byte(text), 0o644)) }
	must(os.MkdirAll(at("deermem-tui"), 0o755))
	put("qa.rows.jsonl", "rows")
	put("deermem-tui/review.jsonl", "a\nb\n")
	put("deermem-tui/journal.jsonl", "j\n")
	old := time.Unix(1, 0)
	for _, step := range []struct {
		what   string
		change func()
		same   bool
	}{
		{"nothing", func() {}, true},
		{"a probe that left nothing", func() { put("probe", "x"); must(os.Remove(at("probe"))) }, true},
		{"a line of the ledger less", func() { put("deermem-tui/review.jsonl", "a\n") }, false},
		{"another time", func() { must(os.Chtimes(at("deermem-tui/review.jsonl"), old, old)) }, false},
		{"another file of the same size and time", func() {
			put("other", "b\n")
			must(os.Chtimes(at("other"), old, old))
			must(os.Rename(at("other"), at("deermem-tui/review.jsonl")))
		}, false},
		{"no ledger", func() { must(os.Remove(at("deermem-tui/review.jsonl"))) }, false},
		{"a longer journal", func() { put("deermem-tui/journal.jsonl", "j\nj\n") }, false},
		{"a note in the folder", func() { put("notes.txt", "n") }, false},
		{"a file another name", func() { must(os.Rename(at("notes.txt"), at("more.txt"))) }, false},
		{"an empty folder", func() { must(os.Mkdir(at("sk-a"), 0o755)) }, false},
		{"no folder", func() { must(os.RemoveAll(folder)) }, false},
		{"still no folder", func() {}, true},
	} {
		before := gate.Stamp(folder)
		step.change()
		if same := gate.Stamp(folder) == before; same != step.same {
			t.Errorf("%s: the stamp is the same: %v", step.what, same)
		}
	}
}
