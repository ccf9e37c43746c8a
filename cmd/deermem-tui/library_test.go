package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/session"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/vectortest"
	"deermem-tui/ui"
)

// shadowLibrary is the library of the reference run's protocol.
func shadowLibrary(t testing.TB) *library {
	t.Helper()
	t.Setenv(datasetVariable, "")
	f := &appFlags{protocol: protocolFlags{dir: vectortest.Path(t, "shadow", "protocol"), dataset: vectortest.Path(t, "shadow", "longmemeval_shadow.json")}}
	l, err := newLibrary(f, t.TempDir(), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// copied copies a run, all of it or the published part.
func copied(t testing.TB, answers bool) string {
	t.Helper()
	from, dir := vectortest.Path(t, "shadow", "qa-run"), filepath.Join(t.TempDir(), "run")
	if answers {
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(report.GradeFiles(), report.QARunFile) {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, e ui.Engine) *casebook.Book {
	t.Helper()
	book, err := e.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestARunIsOpenedWithTheProtocolOfItsHashes(t *testing.T) {
	ctx := context.Background()
	with := shadowLibrary(t)
	without, err := newLibrary(&appFlags{}, t.TempDir(), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	whole, published := copied(t, true), copied(t, false)
	policy := filepath.Join(t.TempDir(), "policy")
	if err := os.CopyFS(policy, os.DirFS(vectortest.Path(t, "shadow", "policy-run"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		library  *library
		dir      string
		study    bool
		readOnly bool
		refused  string
	}{
		{"a graded run with its protocol", with, whole, true, false, ""},
		{"a published one with its protocol", with, published, true, true, ""},
		{"decisions with their protocol", with, policy, true, false, ""},
		{"an empty folder", without, t.TempDir(), true, false, ""},
		{"a graded run without its protocol", without, whole, false, true, ""},
		{"a published one without", without, published, false, true, ""},
		{"decisions without", without, policy, false, false, "--protocol-dir"},
		{"no run", without, "/no/such/run", false, false, "is not a run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := c.library.Open(ctx, c.dir)
			if c.refused != "" {
				var usage usageError
				if !errors.As(err, &usage) || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			book, info := load(t, e), e.Info()
			if (book.Study != nil) != c.study || (info.ReadOnly != "") != c.readOnly || info.Folder != c.dir {
				t.Errorf("study %t, info %+v", book.Study != nil, info)
			}
			if c.readOnly {
				if err := e.Run(ctx, []pipeline.Stage{pipeline.StageQA}, nil); !errors.Is(err, session.ErrReadOnly) {
					t.Errorf("a stage ran: %v", err)
				}
			}
		})
	}
}

// The memory of ten runs that are open at once: they share what was read of
// their study.
func TestTenOpenRunsTakeLittleMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("memory is another under the race detector: skipped")
	}
	l := shadowLibrary(t)
	var books []*casebook.Book
	for range 10 {
		e, err := l.Open(context.Background(), copied(t, true))
		if err != nil {
			t.Fatal(err)
		}
		books = append(books, load(t, e))
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if most := uint64(120 << 20); m.HeapInuse > most {
		t.Errorf("%d MiB in use, at most %d wanted", m.HeapInuse>>20, most>>20)
	}
	t.Logf("%d MiB in use", m.HeapInuse>>20)
	for _, b := range books {
		if b.Study != books[0].Study {
			t.Fatal("the study was read more than once")
		}
	}
}

func BenchmarkLibrary(b *testing.B) {
	for b.Loop() {
		if _, err := newLibrary(&appFlags{}, "", nil, true); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAProtocolOrDatasetThatIsNotTheRunsIsTold(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "mine")
	if r := tui(t, "run-policy", "--output-dir", mine); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	names := func(l *library, dir string) string {
		e, err := l.Open(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range load(t, e).Checks {
			if c.State == study.Failed {
				out = append(out, c.Name)
			}
		}
		return strings.Join(out, ", ")
	}
	shadow := shadowLibrary(t)
	if got := names(shadow, copied(t, true)); got != "" {
		t.Errorf("a run of the given protocol: %s", got)
	}
	if got := names(shadow, mine); !strings.Contains(got, "given config") || !strings.Contains(got, "given dataset") {
		t.Errorf("a run of another protocol: %q", got)
	}
	only, err := newLibrary(&appFlags{protocol: protocolFlags{dataset: "/some/dataset.json"}}, t.TempDir(), nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(only, copied(t, false)); got != "given dataset" {
		t.Errorf("a published run that the dataset is not used for: %q", got)
	}
}

func TestWrongFlagsAreRefusedBeforeATerminalIsAskedFor(t *testing.T) {
	for _, args := range [][]string{{"--theme", "pink"}, {"--mouse", "maybe"}, {"--remember", "maybe"}, {"--screen", "sauna"},
		{"--capacity", "0"}, {"--protocol", "pr1"}, {".", "--new"}, {"--price-in", "-1"}} {
		if r := tui(t, args...); r.code != exitRefused || strings.Contains(r.stderr, "needs a terminal") {
			t.Errorf("%v: exit %d, %s", args, r.code, r.stderr)
		}
	}
}
