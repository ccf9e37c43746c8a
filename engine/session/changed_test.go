// What becomes of a run folder while it is open.

package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/session"
	"deermem-tui/engine/study"
)

func gradedFolder(t *testing.T) (*session.Session, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	s, _ := open(dir, insufficient)
	if err := s.Run(context.Background(), allStages, nil); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestStoredGradesThatTheAnswersDoNotGiveFailAClearCheck(t *testing.T) {
	s, dir := gradedFolder(t)
	load := func() (failed []study.Check, warned bool) {
		t.Helper()
		book, err := s.Load(context.Background())
		if err != nil || !book.Graded || book.Figures == nil {
			t.Fatalf("book %+v, %v", book, err)
		}
		for _, c := range book.Checks {
			if c.State == study.Failed {
				failed = append(failed, c)
			}
		}
		return failed, slices.Contains(book.Figures.Suites[0].Warnings(), session.DifferWarning)
	}
	if failed, warned := load(); len(failed) != 0 || warned {
		t.Fatalf("a sound run: %v, warned %t", failed, warned)
	}
	for _, c := range []struct {
		name, file, check, want string
		change                  func(string) []byte
	}{
		{"another grade", report.QARowsFile, "stored rows", "line 1 of", func(s string) []byte {
			return []byte(strings.Replace(s, `"grade_correct": false`, `"grade_correct": true`, 1))
		}},
		{"a torn row", report.QARowsFile, "stored rows", "line 90 of", func(s string) []byte { return []byte(s[:len(s)-20]) }},
		{"a torn summary", report.QASummaryFile, "stored summary", "line 1 of", func(string) []byte { return []byte("[") }},
		{"no summary", report.QASummaryFile, "stored summary", "is missing", func(string) []byte { return nil }},
		{"other statistics", report.QAStatsFile, "stored statistics", "is not what the answers give", func(s string) []byte { return []byte(strings.Replace(s, "45", "44", 1)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, c.file)
			sound, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.WriteFile(path, sound, 0o644) }()
			if data := c.change(string(sound)); data == nil {
				_ = os.Remove(path)
			} else if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			failed, warned := load()
			if len(failed) != 1 || failed[0].Name != c.check || !strings.Contains(failed[0].Found, c.want) || len(failed[0].Expected) != 64 || !warned {
				t.Errorf("failed %+v, warned %t", failed, warned)
			}
		})
	}
}

func TestAFolderThatBecomesAnotherProtocolsIsAnError(t *testing.T) {
	for _, name := range []string{report.RunFile, report.QARunFile} {
		s, dir := gradedFolder(t)
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		at := strings.Index(text, `"config_sha256": "`) + len(`"config_sha256": "`)
		if err := os.WriteFile(path, []byte(text[:at]+strings.Repeat("0", 64)+text[at+64:]), 0o644); err != nil {
			t.Fatal(err)
		}
		var foreign *rundir.IdentityError
		if _, err := s.Load(context.Background()); !errors.As(err, &foreign) || foreign.Changes[0].What != "config" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFolderWithResultsThatIsGoneIsAnError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s, _ := open(dir, insufficient)
	load := func() error { _, err := s.Load(context.Background()); return err }
	if err := load(); err != nil {
		t.Errorf("not begun: %v", err)
	}
	if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StagePolicy}, nil); err != nil {
		t.Fatal(err)
	}
	if err := load(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := load(); !errors.Is(err, session.ErrGone) || !strings.Contains(err.Error(), dir) {
		t.Errorf("gone: %v", err)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if err := load(); err != nil {
		t.Errorf("back again: %v", err)
	}
}

func TestAPublishedFolderOfAnEmbeddedStudyIsNotToBeOpenedWithoutIt(t *testing.T) {
	_, dir := gradedFolder(t)
	only := published(t, dir, func(name string, data []byte) []byte {
		if name == report.QARowsFile {
			return []byte(strings.Replace(string(data), `"grade_correct": false`, `"grade_correct": true`, 1))
		}
		return data
	})
	s, _ := open(only, insufficient)
	if _, err := s.Load(context.Background()); err == nil || strings.Contains(err.Error(), "without the dataset") || !strings.Contains(err.Error(), "sound copy") {
		t.Errorf("error %v", err)
	}
}
