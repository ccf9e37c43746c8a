package pipeline_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/prompt"
)

func TestLimitsStopARunBeforeItCostsMore(t *testing.T) {
	s := sampleStudy(t)
	metered := func(_ context.Context, _ int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		reply := replyTo(req)
		reply.Usage = map[string]*big.Int{"total_tokens": big.NewInt(1000)}
		return reply, nil
	}
	failing := func(context.Context, int, prompt.Request, func(answer.Attempt)) (answer.Reply, error) {
		return answer.Reply{}, &answer.Error{Class: answer.Server, Attempts: 1}
	}
	for _, tt := range []struct {
		name     string
		do       func(context.Context, int, prompt.Request, func(answer.Attempt)) (answer.Reply, error)
		limits   pipeline.Limits
		low, top int // calls
		says     string
	}{
		{"calls", metered, pipeline.Limits{Calls: 12}, 12, 12, "--max-calls"},
		{"tokens", metered, pipeline.Limits{Tokens: 20_000}, 16, 20, "--max-tokens-total"},
		{"tokens that do not suffice for one call", metered, pipeline.Limits{Tokens: 5}, 0, 0, "--max-tokens-total"},
		{"failures", failing, pipeline.Limits{Failures: 4}, 4, 4 + s.Config.QA.Workers, "--stop-after-failures"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			where, a, r := target(t, 1), &answers{do: tt.do}, &recorder{t: t}
			result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Limits: tt.limits}, r.sink)
			r.framed(pipeline.StageQA, err)
			if !errors.Is(err, pipeline.ErrStopped) || !errors.Is(err, pipeline.ErrLimit) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "run it again to resume") {
				t.Errorf("error %v", err)
			}
			if n := a.count(); n < tt.low || n > tt.top {
				t.Errorf("%d calls, want %d to %d", n, tt.low, tt.top)
			}
			if result.Called+len(result.Failed)+result.Missing != 90 {
				t.Errorf("%+v", result)
			}
			// The limit gone, the rest is called.
			b := &answers{do: metered}
			if result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: b}, nil); err != nil || result.Reused+result.Called != 90 {
				t.Errorf("resumed: %+v, %v", result, err)
			}
		})
	}
}

func TestTheTokenLimitCountsEarlierStarts(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	metered := &answers{do: func(_ context.Context, _ int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		reply := replyTo(req)
		reply.Usage = map[string]*big.Int{"total_tokens": big.NewInt(1000)}
		return reply, nil
	}}
	limited := pipeline.QAOptions{Answerer: metered, Limits: pipeline.Limits{Tokens: 10_000}}
	for range 3 {
		if _, err := pipeline.RunQA(t.Context(), s, where, limited, nil); !errors.Is(err, pipeline.ErrLimit) {
			t.Fatal(err)
		}
	}
	if n := metered.count(); n > 10 {
		t.Errorf("%d calls of 1000 tokens were made under a limit of 10000", n)
	}
}

// A retry is a call too: the gate is asked before it.
func TestTheCallLimitCountsRetries(t *testing.T) {
	s := sampleStudy(t)
	a := &answers{do: func(ctx context.Context, _ int, req prompt.Request, onAttempt func(answer.Attempt)) (answer.Reply, error) {
		return gated(ctx, req, 2)
	}}
	result, err := pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: a, Limits: pipeline.Limits{Calls: 9}}, nil)
	if !errors.Is(err, pipeline.ErrLimit) || len(result.Failed) > 0 {
		t.Errorf("%v: %+v", err, result)
	}
	if result.Called < 2 || result.Called > 5 { // two calls a row
		t.Errorf("%d rows were answered with 9 calls", result.Called)
	}
}

// gated asks ctx's gate as a client does, and answers at the last attempt.
func gated(ctx context.Context, req prompt.Request, attempts int) (answer.Reply, error) {
	for number := 1; number <= attempts; number++ {
		if err := answer.AskGate(ctx, number); err != nil {
			return answer.Reply{}, err
		}
	}
	reply := replyTo(req)
	reply.Attempts = attempts
	return reply, nil
}

func TestPauseBeginsNoCallUntilItIsResumed(t *testing.T) {
	s := sampleStudy(t)
	control := &pipeline.Control{}
	var atPause int
	a := &answers{}
	a.do = func(ctx context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 10 {
			control.Do(pipeline.Order{Kind: pipeline.OrderPause})
		}
		return gated(ctx, req, 1)
	}
	r := &recorder{t: t}
	r.on = func(e pipeline.Event) {
		// Told once every worker waits or has a row that waits.
		if f, ok := e.(pipeline.RunFacts); ok && f.Held == "paused" && atPause == 0 {
			atPause = a.count()
			control.Do(pipeline.Order{Kind: pipeline.OrderResume})
		}
	}
	result, err := pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: a, Control: control}, r.sink)
	if err != nil || result.Called != 90 {
		t.Errorf("%+v, %v", result, err)
	}
	if atPause < 10 || atPause > 10+s.Config.QA.Workers {
		t.Errorf("%d calls were begun when the pause was told", atPause)
	}
}

func TestAnOrderCanGiveUpOneRowAndDrainTheRest(t *testing.T) {
	s := sampleStudy(t)
	control := &pipeline.Control{}
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{} // some cases send the same request under both policies
	for _, task := range tasks {
		seen[task.Fingerprint]++
	}
	at := 5
	for seen[tasks[at].Fingerprint] > 1 {
		at++
	}
	flying, waiting := tasks[at], tasks[70]
	var once sync.Once
	a := &answers{do: func(ctx context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		first := false
		if req.Fingerprint == flying.Fingerprint {
			once.Do(func() { first = true })
		}
		if first {
			control.Do(pipeline.Order{Kind: pipeline.OrderCancelRow, RowID: flying.RowID})
			control.Do(pipeline.Order{Kind: pipeline.OrderCancelRow, RowID: waiting.RowID})
			return answer.Reply{}, ctx.Err()
		}
		return replyTo(req), nil
	}}
	where := target(t, 1)
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Control: control}, nil)
	if !errors.Is(err, pipeline.ErrStopped) || result.Missing != 2 || result.Called != 88 || len(result.Failed) > 0 {
		t.Errorf("%+v, %v", result, err)
	}
	// The next run knows nothing of it.
	b := &answers{}
	if result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: b, Control: control}, nil); err != nil || result.Called != 2 {
		t.Errorf("%+v, %v", result, err)
	}

	drained := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 7 {
			control.Do(pipeline.Order{Kind: pipeline.OrderDrain})
		}
		return replyTo(req), nil
	}}
	result, err = pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: drained, Control: control}, nil)
	if !errors.Is(err, pipeline.ErrStopped) || result.Called != drained.count() || result.Called > 7+s.Config.QA.Workers {
		t.Errorf("%+v, %v", result, err)
	}
}

// What is ordered while the stages before it are under way holds for the
// questions.
func TestAnOrderGivenBeforeTheFirstQuestionHolds(t *testing.T) {
	s := sampleStudy(t)
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a drain", func(t *testing.T) {
		control := &pipeline.Control{}
		control.Do(pipeline.Order{Kind: pipeline.OrderDrain})
		where, a := target(t, 1), &answers{}
		result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Control: control}, nil)
		if !errors.Is(err, pipeline.ErrStopped) || a.count() > 0 || result.Missing != 90 {
			t.Errorf("%d calls, %v", a.count(), err)
		}
		// The next run knows nothing of it.
		if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Control: control}, nil); err != nil || a.count() != 90 {
			t.Errorf("%d calls, %v", a.count(), err)
		}
	})
	t.Run("a row given up", func(t *testing.T) {
		control := &pipeline.Control{}
		control.Do(pipeline.Order{Kind: pipeline.OrderCancelRow, RowID: tasks[3].RowID})
		a := &answers{}
		result, err := pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: a, Control: control}, nil)
		if !errors.Is(err, pipeline.ErrStopped) || a.count() != 89 || result.Missing != 1 {
			t.Errorf("%d calls, %v", a.count(), err)
		}
	})
	t.Run("a pause", func(t *testing.T) {
		control := &pipeline.Control{}
		control.Do(pipeline.Order{Kind: pipeline.OrderPause})
		a, r, held := &answers{}, &recorder{t: t}, false
		r.on = func(e pipeline.Event) {
			if f, ok := e.(pipeline.RunFacts); ok && f.Held == "paused" && !held {
				if held = true; a.count() > 0 {
					t.Errorf("%d calls were made before the pause held", a.count())
				}
				control.Do(pipeline.Order{Kind: pipeline.OrderResume})
			}
		}
		if _, err := pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: a, Control: control}, r.sink); err != nil || !held || a.count() != 90 {
			t.Errorf("held %v, %d calls, %v", held, a.count(), err)
		}
	})
}

func TestFailedRowsAreCalledAgainByAnOrderWhileTheRunIsOn(t *testing.T) {
	s := sampleStudy(t)
	control := &pipeline.Control{}
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		switch {
		case n <= 3:
			return answer.Reply{}, &answer.Error{Class: answer.Server, Attempts: 1}
		case n == 30:
			control.Do(pipeline.Order{Kind: pipeline.OrderRetry, States: []outcome.State{outcome.Failed}})
		}
		return replyTo(req), nil
	}}
	result, err := pipeline.RunQA(t.Context(), s, target(t, 1), pipeline.QAOptions{Answerer: a, Control: control}, nil)
	if err != nil || result.Called != 90 || a.count() != 93 || result.Facts.Rows[outcome.Answered] != 90 {
		t.Errorf("%+v after %d calls, %v", result, a.count(), err)
	}
}

func TestAClockThatIsSetBackSpoilsNoTotal(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 9)
	now := where.Now()
	step := time.Minute
	var mu sync.Mutex
	where.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(step)
		return now
	}
	drain := make(chan struct{})
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 20 {
			close(drain)
		}
		return replyTo(req), nil
	}}
	s.Config.QA.Workers = 1
	if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a, Drain: drain}, nil); !errors.Is(err, pipeline.ErrStopped) {
		t.Fatal(err)
	}
	now, step = now.Add(-30*24*time.Hour), -time.Minute
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil)
	if err != nil || result.Reused < 20 || result.Facts.Elapsed < 20*time.Minute || result.Facts.Left < 0 || result.Facts.LeftLow < 0 {
		t.Errorf("%+v, %v", result.Facts, err)
	}
	if _, err := pipeline.GradeQA(t.Context(), s, where, nil); err != nil {
		t.Error(err)
	}
}

func TestALookBeforeTheEndIsRecordedAndReported(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	if _, err := pipeline.Peek(t.Context(), s, where); !errors.Is(err, rundir.ErrMissing) {
		t.Errorf("a folder that is not there: %v", err)
	}
	_, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}, Limits: pipeline.Limits{Calls: 40}}, nil)
	if !errors.Is(err, pipeline.ErrLimit) {
		t.Fatal(err)
	}
	look, err := pipeline.Peek(t.Context(), s, where)
	if err != nil || look.Look.Rows != 40 || look.Look.Of != 90 || look.Looks != 1 {
		t.Fatalf("%+v, %v", look, err)
	}
	rows := 0
	for _, suite := range look.Suites {
		rows += suite.Rows
	}
	if rows != 40 || len(look.Suites) != 4 {
		t.Errorf("%+v", look.Suites)
	}
	if result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil); err != nil || result.Facts.Looks != 1 {
		t.Errorf("%+v, %v", result.Facts, err)
	}
	graded, err := pipeline.GradeQA(t.Context(), s, where, nil)
	if err != nil || len(graded.Remarks()) != 1 || !strings.Contains(graded.Remarks()[0], "2026-08-01T09:00:00.000000Z, at 40 of 90 rows") {
		t.Errorf("%v, %q", err, graded.Remarks())
	}
	if _, err := pipeline.Peek(t.Context(), s, where); !errors.Is(err, pipeline.ErrNothingSealed) {
		t.Errorf("a whole run: %v", err)
	}
}

func TestALookThatCannotBeRecordedShowsNothing(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}, Limits: pipeline.Limits{Calls: 5}}, nil)
	spoil(t, where.Dir)
	if look, err := pipeline.Peek(t.Context(), s, where); err == nil || len(look.Suites) > 0 {
		t.Errorf("%+v, %v", look, err)
	}
}
