package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	deermemtui "deermem-tui"
	"deermem-tui/engine/answer"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/session"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/prompt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type answerer func(ctx context.Context, req prompt.Request) (answer.Reply, error)

func (a answerer) Answer(ctx context.Context, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
	return a(ctx, req)
}

func insufficient(context.Context, prompt.Request) (answer.Reply, error) {
	return answer.Reply{Text: "INSUFFICIENT", Model: "m", Attempts: 1}, nil
}

func location() study.Location {
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	return study.Embedded(deermemtui.Sample, deermemtui.Files, p.Config, p.OfficialManifest, p.SyntheticManifest)
}

// open gives a session on a run folder, and a count of the answerers that
// were started less those that were ended.
func open(dir string, a answerer) (s *session.Session, running *int) {
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	running = new(int)
	return session.New(session.Options{
		Location: location(),
		Dataset:  study.EmbeddedDataset(deermemtui.Files, p.Dataset),
		Target:   pipeline.Target{Dir: dir},
		Answerer: func(context.Context) (pipeline.Answerer, func(), error) {
			*running++
			return a, func() { *running-- }, nil
		},
	}), running
}

var allStages = []pipeline.Stage{pipeline.StageValidate, pipeline.StagePolicy, pipeline.StageQA, pipeline.StageGrade}

func TestASessionRunsAllStagesAndLoadsWhatTheyLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s, running := open(dir, insufficient)
	book, err := s.Load(context.Background())
	if err != nil || book.Rows != 0 || book.Graded {
		t.Fatalf("before: %+v, %v", book, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("looking made the folder")
	}
	var stages []pipeline.Stage
	sink := func(e pipeline.Event) {
		if f, ok := e.(pipeline.StageFinished); ok && f.Err == nil {
			stages = append(stages, f.Stage)
		}
	}
	if err := s.Run(context.Background(), allStages, sink); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(stages, allStages) || *running != 0 {
		t.Errorf("stages %v, %d answerers left running", stages, *running)
	}
	if book, err = s.Load(context.Background()); err != nil || book.Rows != 90 || !book.Graded {
		t.Errorf("after: %d rows, graded %t, %v", book.Rows, book.Graded, err)
	}
	// The same folder may be run again: everything is kept.
	if err := s.Run(context.Background(), allStages, nil); err != nil {
		t.Errorf("again: %v", err)
	}
	// So may another session, in another process.
	other, _ := open(dir, func(context.Context, prompt.Request) (answer.Reply, error) {
		t.Error("a stored row was called again")
		return answer.Reply{}, errors.New("no")
	})
	if err := other.Run(context.Background(), allStages, nil); err != nil {
		t.Errorf("another session: %v", err)
	}
}

func TestGradesStayHiddenUntilGradeQAWroteThem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s, _ := open(dir, insufficient)
	if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StageQA}, nil); err != nil {
		t.Fatal(err)
	}
	book, err := s.Load(context.Background())
	if err != nil || book.Rows != 90 || book.Graded {
		t.Errorf("%d rows, graded %t, %v", book.Rows, book.Graded, err)
	}
	for _, e := range book.Entries {
		for _, row := range e.Rows {
			if row.Graded || row.Correct || row.Rule != "" {
				t.Fatalf("a grade shows: %+v", row)
			}
		}
	}
	if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StageGrade}, nil); err != nil {
		t.Fatal(err)
	}
	// A row that goes away takes every grade with it.
	first := filepath.Join(dir, rundir.ResponsesDir, book.Entries[0].Case.ID+"__confidence.json")
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	if book, err = s.Load(context.Background()); err != nil || book.Rows != 89 || book.Graded {
		t.Errorf("after a row was lost: %d rows, graded %t, %v", book.Rows, book.Graded, err)
	}
}

func TestARunStopsAtTheFirstStageThatFailsAndResumes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(context.Background())
	s, running := open(dir, func(ctx context.Context, req prompt.Request) (answer.Reply, error) {
		if ctx.Err() != nil {
			return answer.Reply{}, ctx.Err()
		}
		return insufficient(ctx, req)
	})
	var started []pipeline.Stage
	err := s.Run(ctx, allStages, func(e pipeline.Event) {
		switch e := e.(type) {
		case pipeline.StageStarted:
			started = append(started, e.Stage)
		case pipeline.StageProgress:
			if e.Stage == pipeline.StageQA && e.Done == 30 {
				cancel()
			}
		}
	})
	if !errors.Is(err, pipeline.ErrStopped) || !slices.Equal(started, allStages[:3]) || *running != 0 {
		t.Errorf("error %v, stages %v, %d answerers left running", err, started, *running)
	}
	book, err := s.Load(context.Background())
	if err != nil || book.Rows < 30 || book.Rows == 90 || book.Graded {
		t.Fatalf("%d rows, graded %t, %v", book.Rows, book.Graded, err)
	}
	if err := s.Run(context.Background(), allStages, nil); err != nil {
		t.Fatal(err)
	}
	if book, err = s.Load(context.Background()); err != nil || !book.Graded {
		t.Errorf("resumed: %d rows, graded %t, %v", book.Rows, book.Graded, err)
	}
}

func TestAnOrderGivenDuringAnEarlierStageHoldsForTheQuestions(t *testing.T) {
	s, _ := open(filepath.Join(t.TempDir(), "run"), insufficient)
	asked := 0
	sink := func(e pipeline.Event) {
		switch e := e.(type) {
		case pipeline.StageStarted:
			if e.Stage == pipeline.StagePolicy {
				s.Steer(pipeline.Order{Kind: pipeline.OrderDrain})
			}
		case pipeline.CallSent:
			asked++
		}
	}
	if err := s.Run(context.Background(), allStages, sink); !errors.Is(err, pipeline.ErrStopped) || asked > 0 {
		t.Errorf("%d questions were asked, %v", asked, err)
	}
	// The next run knows nothing of it.
	if err := s.Run(context.Background(), allStages, func(e pipeline.Event) {
		if _, ok := e.(pipeline.CallSent); ok {
			asked++
		}
	}); err != nil || asked != 90 {
		t.Errorf("%d questions were asked, %v", asked, err)
	}
}

func TestAnUnknownStageIsAnError(t *testing.T) {
	s, _ := open(t.TempDir(), insufficient)
	if err := s.Run(context.Background(), []pipeline.Stage{"dance"}, nil); err == nil || !strings.Contains(err.Error(), `"dance"`) {
		t.Errorf("error %v", err)
	}
}

func TestAnAnswererThatDoesNotStartEndsTheStage(t *testing.T) {
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	missing := errors.New("a variable is missing")
	s := session.New(session.Options{
		Location: location(), Dataset: study.EmbeddedDataset(deermemtui.Files, p.Dataset), Target: pipeline.Target{Dir: t.TempDir()},
		Answerer: func(context.Context) (pipeline.Answerer, func(), error) { return nil, nil, missing },
	})
	if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StageQA}, nil); !errors.Is(err, missing) {
		t.Errorf("error %v", err)
	}
}

func TestALoadThatFailsSaysWhy(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s, _ := open(file, insufficient)
	if _, err := s.Load(context.Background()); !errors.Is(err, rundir.ErrNotFolder) {
		t.Errorf("a file: %v", err)
	}
	bad := session.New(session.Options{Location: location(), Dataset: study.DatasetFile("/no/such/dataset.json"), Target: pipeline.Target{Dir: t.TempDir()}})
	var refused *study.FileError
	if _, err := bad.Load(context.Background()); !errors.As(err, &refused) {
		t.Errorf("no dataset: %v", err)
	}
}

func TestStateDir(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"below XDG_STATE_HOME", map[string]string{"XDG_STATE_HOME": "/state", "HOME": "/home/a"}, "/state/deermem-tui/runs"},
		{"a relative XDG_STATE_HOME does not count", map[string]string{"XDG_STATE_HOME": "state", "HOME": "/home/a"}, "/home/a/.local/state/deermem-tui/runs"},
		{"below HOME", map[string]string{"HOME": "/home/a"}, "/home/a/.local/state/deermem-tui/runs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := session.StateDir(func(name string) string { return c.env[name] })
			if err != nil || filepath.ToSlash(got) != c.want {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		})
	}
	t.Setenv("HOME", "")
	if dir, err := session.StateDir(func(string) string { return "" }); err == nil {
		t.Skipf("this system knows a home without HOME (%s): skipped", dir)
	} else if !strings.Contains(err.Error(), "--output-dir") {
		t.Errorf("the error does not say what to do: %v", err)
	}
}

// contractsIdentity is the identity of the sample.
func contractsIdentity(t *testing.T) identity.Identity {
	t.Helper()
	c, err := study.LoadContracts(location(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Identity
}

func TestLatestFolder(t *testing.T) {
	id := contractsIdentity(t)
	other := id
	other.Config = strings.Repeat("0", 64)
	policy := func(t *testing.T, dir string) {
		s, _ := open(dir, insufficient)
		if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StagePolicy}, nil); err != nil {
			t.Fatal(err)
		}
	}
	asked := func(t *testing.T, dir string) {
		s, _ := open(dir, insufficient)
		if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StageQA}, nil); err != nil {
			t.Fatal(err)
		}
	}
	empty := func(t *testing.T, dir string) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	torn := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			empty(t, dir)
			if err := os.WriteFile(filepath.Join(dir, name), []byte("{"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := func(t *testing.T, path string) {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		study string
		id    identity.Identity
		found map[string]func(*testing.T, string)
		want  string
	}{
		{"there is none", "sample", id, nil, ""},
		{"the newest", "sample", id, map[string]func(*testing.T, string){"sample-20260101-000000": asked, "sample-20260102-000000": policy}, "sample-20260102-000000"},
		{"an empty one hides none with results", "sample", id, map[string]func(*testing.T, string){"sample-20260101-000000": asked, "sample-20260102-000000": empty}, "sample-20260101-000000"},
		{"the newest of empty ones", "sample", id, map[string]func(*testing.T, string){"sample-20260101-000000": empty, "sample-20260102-000000": empty}, "sample-20260102-000000"},
		{"an empty one", "sample", id, map[string]func(*testing.T, string){"sample-20260101-000000": empty}, "sample-20260101-000000"},
		{"answers of another protocol are passed over", "sample", other, map[string]func(*testing.T, string){
			"sample-20260101-000000": empty, "sample-20260102-000000": asked}, "sample-20260101-000000"},
		{"policy results of another protocol are passed over", "sample", other, map[string]func(*testing.T, string){
			"sample-20260101-000000": empty, "sample-20260102-000000": policy}, "sample-20260101-000000"},
		{"torn documents are passed over", "sample", id, map[string]func(*testing.T, string){
			"sample-20260101-000000": empty, "sample-20260102-000000": torn("run.json"), "sample-20260103-000000": torn("qa_run.json")}, "sample-20260101-000000"},
		{"another study's are passed over", "sample", id, map[string]func(*testing.T, string){
			"sample-20260101-000000": empty, "sample-two-20260102-000000": empty, "pr4789-20260103-000000": empty}, "sample-20260101-000000"},
		{"names that are no time are passed over", "sample", id, map[string]func(*testing.T, string){
			"sample-20260101-000000": empty, "sample-20269999-000000": empty, "sample-zzzzzzzz-zzzzzz": empty, "sample-20260103-000000": file}, "sample-20260101-000000"},
		{"a study that is a path goes by its last name", "/some/[folder]/my study", id, map[string]func(*testing.T, string){
			"my-study-20260101-000000": empty}, "my-study-20260101-000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := filepath.Join(t.TempDir(), "[runs] *?") // no pattern, but a name
			if err := os.MkdirAll(runs, 0o755); err != nil {
				t.Skipf("not a name here (%v): skipped", err)
			}
			for name, make := range c.found {
				make(t, filepath.Join(runs, name))
			}
			got, ok := session.LatestFolder(runs, c.study, c.id)
			want := ""
			if c.want != "" {
				want = filepath.Join(runs, c.want)
			}
			if got != want || ok != (want != "") {
				t.Errorf("%q, %t, want %q", got, ok, want)
			}
		})
	}
}

func TestANewFolderIsTheLatestOnceItIsMade(t *testing.T) {
	runs := t.TempDir()
	now := time.Date(2026, 8, 18, 23, 30, 0, 0, time.FixedZone("", -3600))
	dir := session.NewFolder(runs, "sample", now)
	if filepath.Base(dir) != "sample-20260819-003000" {
		t.Errorf("the name is %s, want the time in UTC", filepath.Base(dir))
	}
	s, _ := open(dir, insufficient)
	if err := s.Run(context.Background(), []pipeline.Stage{pipeline.StagePolicy}, nil); err != nil {
		t.Fatal(err)
	}
	if got, ok := session.LatestFolder(runs, "sample", contractsIdentity(t)); !ok || got != dir {
		t.Errorf("%q, %t, want %q", got, ok, dir)
	}
	if _, err := os.Stat(filepath.Join(dir, report.RunFile)); err != nil {
		t.Error(err)
	}
}
