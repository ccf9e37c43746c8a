package pipeline_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	deermemtui "deermem-tui"
	"deermem-tui/engine/answer"
	"deermem-tui/engine/gitstate"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/prompt"
)

// Every stage waits for its goroutines, however it ends.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sample finds the embedded study.
func sample() (study.Location, study.Dataset) {
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	return study.Embedded(deermemtui.Sample, deermemtui.Files, p.Config, p.OfficialManifest, p.SyntheticManifest),
		study.EmbeddedDataset(deermemtui.Files, p.Dataset)
}

func sampleStudy(t testing.TB) *study.Study {
	t.Helper()
	location, dataset := sample()
	s, err := pipeline.Validate(context.Background(), location, dataset, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// target is a new run folder, at a time and beside code that can be told apart.
func target(t testing.TB, day int) pipeline.Target {
	return pipeline.Target{
		Dir: filepath.Join(t.TempDir(), "run"),
		Now: func() time.Time { return time.Date(2026, 8, day, 9, 0, 0, 0, time.UTC) },
		Git: func(context.Context) *gitstate.State {
			return &gitstate.State{Head: fmt.Sprintf("%040d", day), Dirty: day%2 == 0}
		},
	}
}

// recorder keeps a stage's events and notices two that come at once.
type recorder struct {
	t      testing.TB
	inside atomic.Int32
	events []pipeline.Event
	on     func(pipeline.Event) // called within, when set
}

func (r *recorder) sink(e pipeline.Event) {
	if r.inside.Add(1) != 1 {
		r.t.Error("the sink was called by two goroutines at once")
	}
	r.events = append(r.events, e)
	if r.on != nil {
		r.on(e)
	}
	r.inside.Add(-1)
}

// framed checks that one StageStarted comes first and one StageFinished last,
// with the stage's error.
func (r *recorder) framed(stage pipeline.Stage, err error) {
	r.t.Helper()
	if len(r.events) < 2 {
		r.t.Fatalf("%d events", len(r.events))
	}
	for i, event := range r.events {
		switch e := event.(type) {
		case pipeline.StageStarted:
			if i != 0 || e.Stage != stage {
				r.t.Errorf("event %d is %+v", i, e)
			}
		case pipeline.StageFinished:
			if i != len(r.events)-1 || e.Stage != stage || e.Err != err || (e.Summary == "") != (err != nil) {
				r.t.Errorf("event %d of %d is %+v, the stage's error %v", i, len(r.events), e, err)
			}
		default:
			if i == 0 || i == len(r.events)-1 {
				r.t.Errorf("event %d of %d is %T", i, len(r.events), e)
			}
		}
	}
}

// rowStates gives the states each row went through, in order.
func (r *recorder) rowStates() map[string][]pipeline.RowState {
	states := map[string][]pipeline.RowState{}
	for _, event := range r.events {
		if e, ok := event.(pipeline.RowChanged); ok {
			states[e.RowID] = append(states[e.RowID], e.State)
		}
	}
	return states
}

// answers is an answerer that does as a test says. It counts its calls.
type answers struct {
	mu    sync.Mutex
	calls []string // fingerprints
	do    func(ctx context.Context, n int, req prompt.Request, onAttempt func(answer.Attempt)) (answer.Reply, error)
}

func (a *answers) Answer(ctx context.Context, req prompt.Request, onAttempt func(answer.Attempt)) (answer.Reply, error) {
	a.mu.Lock()
	a.calls = append(a.calls, req.Fingerprint)
	n := len(a.calls)
	a.mu.Unlock()
	if a.do != nil {
		return a.do(ctx, n, req, onAttempt)
	}
	return replyTo(req), nil
}

func (a *answers) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.calls)
}

// replyTo answers with words that depend on the request alone.
func replyTo(req prompt.Request) answer.Reply {
	sum := sha256.Sum256(req.Payload)
	return answer.Reply{Text: hex.EncodeToString(sum[:3]), Model: "m", Attempts: 1}
}
