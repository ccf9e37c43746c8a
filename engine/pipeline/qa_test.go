package pipeline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/prompt"
)

func TestTasksCarryTheFingerprintOfTheirPayload(t *testing.T) {
	s := sampleStudy(t)
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(tasks) != 90 {
		t.Fatalf("%d tasks, want 90", len(tasks))
	}
	for i, task := range tasks {
		want := s.Policies[i%2].Name
		if task.Policy != want || task.RowID != task.CaseID+"__"+want || task.CaseID != s.Pools.Cases[i/2].ID {
			t.Errorf("task %d is %s", i, task.RowID)
		}
		if identity.Hash(task.Request.Payload) != task.Fingerprint || task.Request.Fingerprint != task.Fingerprint {
			t.Errorf("%s: the fingerprint is not its payload's", task.RowID)
		}
		if len(task.KeptFactIDs) != s.Config.Pool.QACapacity {
			t.Errorf("%s: %d facts kept", task.RowID, len(task.KeptFactIDs))
		}
	}
}

func TestRunQATellsEveryRowFromWaitingToItsEnd(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	failing := errors.New("no answer")
	var failed string
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, onAttempt func(answer.Attempt)) (answer.Reply, error) {
		switch n {
		case 10:
			failed = req.Fingerprint
			onAttempt(answer.Attempt{Number: 1, Final: true, Problem: "no answer"}) // the last attempt: none follows
			return answer.Reply{}, failing
		case 20:
			onAttempt(answer.Attempt{Number: 1, Wait: time.Second, Problem: "busy"})
		}
		return replyTo(req), nil
	}}
	r := &recorder{t: t}
	result, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: a}, r.sink)
	r.framed(pipeline.StageQA, err)
	if !errors.Is(err, pipeline.ErrRowsFailed) || result.Called != 89 || len(result.Failed) != 1 || result.Missing != 0 || !errors.Is(result.Failed[0].Err, failing) {
		t.Errorf("result %+v, error %v", result, err)
	}
	retried := 0
	for id, states := range r.rowStates() {
		want := []pipeline.RowState{pipeline.RowWaiting, pipeline.RowCalling, pipeline.RowAnswered}
		switch {
		case id == result.Failed[0].RowID:
			want[2] = pipeline.RowFailed
		case slices.Contains(states, pipeline.RowRetrying):
			retried++
			want = slices.Insert(want, 2, pipeline.RowRetrying)
		}
		if !slices.Equal(states, want) {
			t.Errorf("%s: %v, want %v", id, states, want)
		}
	}
	if retried != 1 || len(r.rowStates()) != 90 {
		t.Errorf("%d rows, %d retried", len(r.rowStates()), retried)
	}

	// Once more: only the failed row is called.
	b, again := &answers{}, &recorder{t: t}
	result, err = pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: b}, again.sink)
	again.framed(pipeline.StageQA, err)
	if err != nil || result.Reused != 89 || result.Called != 1 || !slices.Equal(b.calls, []string{failed}) {
		t.Errorf("result %+v, error %v, calls %v, want one of %s", result, err, b.calls, failed)
	}
	reused := 0
	for _, event := range again.events {
		if e, ok := event.(pipeline.RowChanged); ok && e.State == pipeline.RowReused {
			reused++
			if e.Model != "m" || e.Attempt != 1 {
				t.Errorf("a reused row tells %+v", e)
			}
		}
	}
	if reused != 89 {
		t.Errorf("%d rows told as reused", reused)
	}
}

func TestProgressOfRowsNeverGoesBack(t *testing.T) {
	s := sampleStudy(t)
	r := &recorder{t: t}
	if _, err := pipeline.RunQA(context.Background(), s, target(t, 1), pipeline.QAOptions{Answerer: &answers{}}, r.sink); err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, event := range r.events {
		if e, ok := event.(pipeline.StageProgress); ok {
			if e.Done <= last || e.Total != 90 {
				t.Errorf("progress %d/%d after %d", e.Done, e.Total, last)
			}
			last = e.Done
		}
	}
	if last != 90 {
		t.Errorf("the last progress is %d", last)
	}
}

func TestDrainLetsTheCallsInFlightFinishAndStartsNoMore(t *testing.T) {
	s := sampleStudy(t)
	workers := s.Config.QA.Workers
	where := target(t, 1)
	drain, calling, release := make(chan struct{}), make(chan struct{}, 90), make(chan struct{})
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		calling <- struct{}{}
		<-release
		return replyTo(req), nil
	}}
	go func() {
		for range workers {
			<-calling
		}
		close(drain)
		close(release)
	}()
	result, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: a, Drain: drain}, nil)
	if !errors.Is(err, pipeline.ErrStopped) || result.Called+result.Missing != 90 || len(result.Failed) != 0 || a.count() != result.Called {
		t.Errorf("result %+v, error %v, %d calls", result, err, a.count())
	}
	if result.Called < workers || result.Called > 2*workers {
		t.Errorf("%d rows were called with %d workers", result.Called, workers)
	}
	dir, _ := rundir.Open(where.Dir)
	if stored, problems, err := dir.Rows(); len(stored) != result.Called || len(problems) > 0 || err != nil {
		t.Errorf("%d rows stored, %v, %v", len(stored), problems, err)
	}
}

func TestEndingTheContextAbandonsTheCallsInFlight(t *testing.T) {
	s := sampleStudy(t)
	ctx, cancel := context.WithCancel(context.Background())
	a := &answers{do: func(ctx context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n <= 5 {
			return replyTo(req), nil
		}
		if n == 5+s.Config.QA.Workers {
			cancel()
		}
		<-ctx.Done()
		return answer.Reply{}, ctx.Err()
	}}
	r := &recorder{t: t}
	result, err := pipeline.RunQA(ctx, s, target(t, 1), pipeline.QAOptions{Answerer: a}, r.sink)
	r.framed(pipeline.StageQA, err)
	if !errors.Is(err, pipeline.ErrStopped) || !errors.Is(err, context.Canceled) || result.Called != 5 || result.Missing != 85 || len(result.Failed) != 0 {
		t.Errorf("result %+v, error %v", result, err)
	}
	if !strings.Contains(err.Error(), "5 of 90 rows stored; run it again to resume") {
		t.Errorf("the error says %q", err)
	}
	// Every row ended as answered or waits again.
	for id, states := range r.rowStates() {
		if last := states[len(states)-1]; last != pipeline.RowAnswered && last != pipeline.RowWaiting {
			t.Errorf("%s ended as %s", id, last)
		}
	}
}

func TestAContextThatEndedBeforeStartsNoCall(t *testing.T) {
	s := sampleStudy(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a := &answers{}
	result, err := pipeline.RunQA(ctx, s, target(t, 1), pipeline.QAOptions{Answerer: a}, nil)
	if !errors.Is(err, context.Canceled) || result.Missing != 90 || a.count() != 0 {
		t.Errorf("result %+v, error %v, %d calls", result, err, a.count())
	}
}

func TestAnAnswerThatCannotBeStoredEndsTheRun(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 4 { // the folder goes away under the run
			if err := os.Rename(where.Dir, where.Dir+"-moved"); err != nil {
				t.Error(err)
			}
		}
		return replyTo(req), nil
	}}
	r := &recorder{t: t}
	result, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: a}, r.sink)
	r.framed(pipeline.StageQA, err)
	if !errors.Is(err, pipeline.ErrNotStored) || !errors.Is(err, rundir.ErrMissing) {
		t.Errorf("error %v, want ErrNotStored for a missing folder", err)
	}
	if n := a.count(); n > 4+2*s.Config.QA.Workers {
		t.Errorf("%d calls were made although nothing could be stored", n)
	}
	if len(result.Failed) == 0 || result.Called > 6 {
		t.Errorf("result %+v", result)
	}
}

func TestAFolderOfAnotherProtocolIsRefused(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	if _, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil); err != nil {
		t.Fatal(err)
	}
	contracts := *s.Contracts
	contracts.Identity.AnswerPrompt = strings.Repeat("0", 64)
	other := *s
	other.Contracts = &contracts
	a, r := &answers{}, &recorder{t: t}
	_, err := pipeline.RunQA(context.Background(), &other, where, pipeline.QAOptions{Answerer: a}, r.sink)
	r.framed(pipeline.StageQA, err)
	var changed *rundir.IdentityError
	if !errors.As(err, &changed) || len(changed.Changes) != 1 || changed.Changes[0].What != "answer prompt" || a.count() > 0 {
		t.Errorf("error %v after %d calls", err, a.count())
	}
	if _, err := pipeline.GradeQA(context.Background(), &other, where, nil); !errors.As(err, &changed) {
		t.Errorf("grade-qa: error %v", err)
	}
}

func TestOneWriterAtATime(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	where.Writer = rundir.Writer{PID: 4711, Host: "here"}
	calling, release := make(chan struct{}, 90), make(chan struct{})
	a := &answers{do: func(_ context.Context, _ int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		calling <- struct{}{}
		<-release
		return replyTo(req), nil
	}}
	first := make(chan error)
	go func() {
		_, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: a}, nil)
		first <- err
	}()
	<-calling
	var locked *rundir.LockedError
	if _, err := pipeline.RunPolicy(context.Background(), s, where, nil); !errors.As(err, &locked) ||
		locked.Writer.PID != 4711 || locked.Writer.Command != "run-qa" || !locked.Writer.Started.Equal(where.Now()) {
		t.Errorf("run-policy: %v", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if _, err := pipeline.RunPolicy(context.Background(), s, where, nil); err != nil {
		t.Errorf("once the first is done: %v", err)
	}
	if _, err := os.Stat(filepath.Join(where.Dir, rundir.LockFile)); err == nil {
		t.Error("a lock file is left")
	}
}
