package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/session"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/vectortest"
)

// published copies a run's graded results without its answers, each changed.
func published(t *testing.T, from string, change func(name string, data []byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range append(report.GradeFiles(), report.QARunFile) {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			data = change(name, data)
		}
		if data == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func shadowSource(t *testing.T) *session.Source {
	t.Helper()
	location, err := study.Folder(vectortest.Path(t, "shadow", "protocol"), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	return session.NewSource(location, study.DatasetFile(vectortest.Path(t, "shadow", "longmemeval_shadow.json")))
}

func passed(t *testing.T, book *casebook.Book) {
	t.Helper()
	if len(book.Checks) == 0 {
		t.Error("no check was made")
	}
	for _, c := range book.Checks {
		if c.State != study.Passed {
			t.Errorf("check %q: %s, expected %s, found %s", c.Name, c.State, c.Expected, c.Found)
		}
	}
}

func TestAPublishedFolderOpensWithoutItsStudyAndIsOnlyRead(t *testing.T) {
	dir := published(t, vectortest.Path(t, "upstream", "results", "pr4789-reproduction-v1"), nil)
	s := session.OpenPublished(dir)
	book, err := s.Load(context.Background())
	if err != nil || !book.Graded || book.Rows != 90 || book.Study != nil || book.Figures == nil || book.RunDoc == nil {
		t.Fatalf("book %+v, error %v", book, err)
	}
	passed(t, book)
	if err := s.Run(context.Background(), allStages, nil); !errors.Is(err, session.ErrReadOnly) {
		t.Errorf("a stage ran: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 4 {
		t.Errorf("the folder holds %d files now", len(entries))
	}
}

func TestWithItsDatasetAPublishedFolderHasItsTexts(t *testing.T) {
	dir := published(t, vectortest.Path(t, "shadow", "qa-run"), nil)
	s := session.New(session.Options{Source: shadowSource(t), Target: pipeline.Target{Dir: dir}, ReadOnly: true})
	book, err := s.Load(context.Background())
	if err != nil || !book.Graded || book.Rows != 90 || book.Study == nil || book.Figures == nil {
		t.Fatalf("book %+v, error %v", book, err)
	}
	if book.Entries[0].Case.Question == "" || len(book.Entries[0].Case.Facts) != 10 {
		t.Error("the texts are missing")
	}
	passed(t, book)
	alone, err := session.OpenPublished(dir).Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range alone.Entries {
		other, ok := book.Find(e.Case.ID)
		if !ok || other.Pair(book.Policies) != e.Pair(alone.Policies) {
			t.Errorf("case %s is another with its dataset", e.Case.ID)
		}
	}
	if err := s.Run(context.Background(), allStages, nil); !errors.Is(err, session.ErrReadOnly) {
		t.Errorf("a stage ran: %v", err)
	}
}

func TestPublishedRowsThatTheStudyDoesNotGiveAreNamed(t *testing.T) {
	run := vectortest.Path(t, "shadow", "qa-run")
	rows := func(change func(string) string) func(string, []byte) []byte {
		return func(name string, data []byte) []byte {
			if name == report.QARowsFile {
				return []byte(change(string(data)))
			}
			return data
		}
	}
	source := shadowSource(t)
	for _, c := range []struct {
		name   string
		change func(string) string
		want   string
	}{
		{"another grade", func(s string) string { return strings.Replace(s, `"grade_correct": true`, `"grade_correct": false`, 1) }, "graded again"},
		{"another request", func(s string) string {
			i := strings.Index(s, `"request_fingerprint": "`) + len(`"request_fingerprint": "`)
			return s[:i] + strings.Repeat("0", 64) + s[i+64:]
		}, "request_fingerprint"},
		{"a row less", func(s string) string { return s[strings.Index(s, "\n")+1:] }, "missing"},
		{"a row twice", func(s string) string { return s + s[:strings.Index(s, "\n")+1] }, "91 rows"},
		{"a torn row", func(s string) string { return s[:len(s)-20] }, "line 90"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session.New(session.Options{Source: source, Target: pipeline.Target{Dir: published(t, run, rows(c.change))}, ReadOnly: true})
			if _, err := s.Load(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestAPublishedFolderThatIsDamagedSaysWhere(t *testing.T) {
	from := vectortest.Path(t, "upstream", "results", "pr4789-reproduction-v1")
	for name, want := range map[string]string{report.QARowsFile: "line 1", report.QARunFile: report.QARunFile, report.QAStatsFile: report.QAStatsFile} {
		dir := published(t, from, func(file string, data []byte) []byte {
			if file == name {
				return []byte("{\n")
			}
			return data
		})
		if _, err := session.OpenPublished(dir).Load(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := session.OpenPublished(filepath.Join(t.TempDir(), "none")).Load(context.Background()); !errors.Is(err, rundir.ErrMissing) {
		t.Errorf("no folder: %v", err)
	}
}

func TestSessionsOfOneSourceShareTheStudy(t *testing.T) {
	source := shadowSource(t)
	var books [4]*casebook.Book
	var wait sync.WaitGroup
	for i := range books {
		dir := t.TempDir()
		wait.Go(func() {
			books[i], _ = session.New(session.Options{Source: source, Target: pipeline.Target{Dir: dir}}).Load(context.Background())
		})
	}
	wait.Wait()
	last, err := session.New(session.Options{Source: source, Target: pipeline.Target{Dir: t.TempDir()}}).Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	again, err := session.New(session.Options{Source: source, Target: pipeline.Target{Dir: t.TempDir()}}).Load(context.Background())
	if err != nil || last.Study != again.Study {
		t.Errorf("the study was read again: %v", err)
	}
	for _, b := range books {
		if b == nil || len(b.Entries) != 45 {
			t.Errorf("a book opened at the same time is %+v", b)
		}
	}
}

func TestFoldersBegunInOneSecondAreTwo(t *testing.T) {
	runs, now := filepath.Join(t.TempDir(), "not made yet", "runs"), time.Date(2026, 8, 19, 0, 30, 0, 0, time.UTC)
	var found [12]string
	var wait sync.WaitGroup
	for i := range found {
		wait.Go(func() { found[i], _ = session.MakeFolder(runs, "sample", now) })
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, dir := range found {
		if info, err := os.Stat(dir); seen[dir] || err != nil || !info.IsDir() {
			t.Errorf("folder %q: seen %t, %v", dir, seen[dir], err)
		}
		seen[dir] = true
	}
	if got := filepath.Base(session.NewFolder(runs, "sample", now)); got != "sample-20260819-003000-13" {
		t.Errorf("the next one is %s", got)
	}
	// The last of them is the latest, the tenth after the ninth.
	if got, ok := session.LatestFolder(runs, "sample", contractsIdentity(t)); !ok || filepath.Base(got) != "sample-20260819-003000-12" {
		t.Errorf("the latest is %s", got)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if dir, err := session.MakeFolder(file, "sample", now); !errors.Is(err, rundir.ErrNotFolder) {
		t.Errorf("below a file: %q, %v", dir, err)
	}
}
