package gradedrun_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/engine/rundir"
)

func TestAPublishedFolderIsReadWhole(t *testing.T) {
	run, err := gradedrun.Load(context.Background(), reviewtest.New().Write(t))
	if err != nil {
		t.Fatal(err)
	}
	names, ok := run.Policies()
	if !ok || names != reviewtest.Policies || len(run.Rows) != 90 || run.Doc == nil || run.Stats == nil || run.Summary == nil || len(run.Problems)+len(run.Answers)+len(run.Cells)+len(run.Undecided()) != 0 {
		t.Errorf("%+v", run)
	}
	if _, err := run.Pairs(); err != nil {
		t.Error(err)
	}
	if row, ok := run.Row("case03__confidence"); !ok || gradedrun.Hash(row) == gradedrun.Hash(run.Rows[0]) {
		t.Error("a row is not found, or two rows have one hash")
	}
}

func TestDamageBesideTheRowsIsToldAndStopsNothing(t *testing.T) {
	for name, text := range map[string]string{"qa_run.json": "{", "qa.stats.json": `{"a": 1}`, "run.json": "[]", "policy.raw.jsonl": `{"capacity": "x"}` + "\n"} {
		dir := reviewtest.New().Write(t)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		run, err := gradedrun.Load(context.Background(), dir)
		if err != nil || len(run.Problems) != 1 || !strings.Contains(run.Problems[0], name) || len(run.Rows) != 90 {
			t.Errorf("%s: %v, %v", name, run.Problems, err)
		}
	}
}

func TestAFolderWithoutUsableRowsIsRefused(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "no row": "{}\n", "torn": `{"attempts": 1`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "qa.rows.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := gradedrun.Load(context.Background(), dir); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := gradedrun.Load(context.Background(), t.TempDir()); !errors.Is(err, gradedrun.ErrNotGraded) {
		t.Errorf("%v", err)
	}
	if _, err := gradedrun.Load(context.Background(), filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, rundir.ErrMissing) {
		t.Errorf("%v", err)
	}
}

func TestRowsThatMakeNoPairsAreThereAndTheBookIsNot(t *testing.T) {
	r := reviewtest.New()
	r.Rows = r.Rows[1:]
	run, err := gradedrun.Load(context.Background(), r.Write(t))
	var problem *casebook.RowsError
	if err != nil || run.Book != nil || !errors.As(run.BookErr, &problem) || len(run.Rows) != 89 {
		t.Fatalf("%+v, %v", run, err)
	}
	if _, err := run.Pairs(); err == nil {
		t.Error("there are pairs")
	}
	if _, ok := run.Policies(); ok {
		t.Error("there are policies")
	}
}

func TestTheReferencesRunIsReadWithItsAnswers(t *testing.T) {
	const folder = "../../../../shared/shadow/qa-run"
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the reference run is not found at %s: skipped", folder)
	}
	run, err := gradedrun.Load(context.Background(), folder)
	if err != nil || len(run.Answers) != 90 || len(run.Problems) != 0 {
		t.Fatalf("%d answers, %v, %v", len(run.Answers), run.Problems, err)
	}
	if open, taken := run.Undecided(), run.Taken(); len(open) != 0 || !slices.ContainsFunc(taken, func(a gradedrun.Acceptance) bool { return a.RowID == "07741c45__confidence" }) {
		t.Errorf("open %v, taken %v", open, taken)
	}
}
