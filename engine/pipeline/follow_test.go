package pipeline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"encoding/json"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/prompt"
)

// spoil makes the folder of our own files one in which nothing can be added.
func spoil(t testing.TB, dir string) {
	t.Helper()
	own := filepath.Join(dir, rundir.OwnDir)
	if err := os.RemoveAll(own); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAJournalThatCannotBeWrittenCostsNoAnswer(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	if err := os.MkdirAll(where.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	spoil(t, where.Dir)
	if result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}}, nil); err == nil && result.Called == 90 {
		return
	} else if result.Called != 0 { // refused before a call is fine, a paid answer lost is not
		t.Errorf("%+v, %v", result, err)
	}
}

func TestFollowTellsARunOfAnotherProcess(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	// An earlier start is not told again.
	_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{}, Limits: pipeline.Limits{Calls: 10}}, nil)
	halfway, goOn := make(chan struct{}), make(chan struct{})
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 30 {
			close(halfway)
			<-goOn
		}
		return replyTo(req), nil
	}}
	ended := make(chan error)
	go func() {
		_, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: a}, nil)
		ended <- err
	}()
	<-halfway
	dir, err := rundir.Open(where.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var events []pipeline.Event
	looks := 0
	err = pipeline.Follow(t.Context(), dir, func(context.Context) error {
		if looks++; looks == 1 {
			close(goOn)
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		return nil
	}, func(e pipeline.Event) { events = append(events, e) })
	if err != nil || looks == 0 {
		t.Fatalf("%v after %d looks", err, looks)
	}
	starts, answered, reused := 0, 0, 0
	var last pipeline.RunFacts
	for _, event := range events {
		switch e := event.(type) {
		case pipeline.StageStarted:
			starts++
		case pipeline.RowChanged:
			switch e.State {
			case pipeline.RowAnswered:
				answered++
			case pipeline.RowReused:
				reused++
			}
		case pipeline.RunFacts:
			last = e
		}
	}
	if starts != 1 || answered != 80 || reused != 10 || last.Done != 90 || last.Rows[outcome.Answered] != 90 {
		t.Errorf("%d starts, %d answered, %d reused, %+v", starts, answered, reused, last)
	}
	if _, ok := events[len(events)-1].(pipeline.StageFinished); !ok {
		t.Errorf("the last event is %T", events[len(events)-1])
	}
	if gone, err := rundir.Open(where.Dir); err != nil {
		t.Fatal(gone, err)
	}
}

func TestFollowEndsWhenItsWatcherLeaves(t *testing.T) {
	dir, err := rundir.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lock, err := dir.Lock(rundir.Writer{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	left := errors.New("left")
	if err := pipeline.Follow(t.Context(), dir, func(context.Context) error { return left }, func(pipeline.Event) {}); !errors.Is(err, left) {
		t.Error(err)
	}
}

func TestEventsReadBackFromTheirLines(t *testing.T) {
	at := time.Date(2026, 8, 1, 9, 0, 0, 5000, time.UTC)
	for _, event := range []pipeline.Event{
		pipeline.StageStarted{Stage: pipeline.StageQA, At: at, Total: 90, Unit: "rows"},
		pipeline.StageProgress{Stage: pipeline.StageQA, Done: 1, Total: 90},
		pipeline.StageFinished{Stage: pipeline.StageQA, At: at, Elapsed: 2 * time.Second, Summary: "done"},
		pipeline.Note{Stage: pipeline.StageQA, At: at, Text: "a <b> \u2028"},
		pipeline.RowChanged{RowID: "r", CaseID: "c", Policy: "p", State: pipeline.RowRetrying, At: at, Attempt: 2, Wait: time.Second, Until: at.Add(time.Second), Problem: "busy"},
		pipeline.RowChanged{RowID: "r", CaseID: "c", Policy: "p", State: pipeline.RowAnswered, At: at, Attempt: 1, Latency: time.Second, Model: "m", Usage: map[string]int64{"n": 1},
			Tokens: pipeline.Tokens{In: 1, Out: 2, Total: 3}, Outcome: outcome.Truncated, Note: "cut", OtherModel: true, CreatedAt: "x"},
		pipeline.RunFacts{At: at, Total: 90, Done: 3, Rows: map[outcome.State]int{outcome.Answered: 3}, Reused: 1, Called: 2, InFlight: 3, Undecided: 1, Calls: 4, Tokens: pipeline.Tokens{In: 1, Out: 2, Total: 3},
			Cost: 0.5, Priced: true, Elapsed: time.Minute, Looks: 1, Rate: 2, Median: time.Second, P95: 2 * time.Second, Left: 3 * time.Second, LeftLow: time.Second, LeftHigh: 5 * time.Second, HasLeft: true, Held: "paused", Until: at},
	} {
		line, err := json.Marshal(pipeline.EventDoc(event))
		if err != nil {
			t.Fatal(err)
		}
		got, err := pipeline.ParseEvent(line)
		if err != nil || !reflect.DeepEqual(got, event) {
			t.Errorf("%s\nread back as %+v, %v\nwant %+v", line, got, err, event)
		}
	}
	for _, line := range []string{"", "{", "[]", `{"event":"later"}`, `{"event":"row","attempt":"x"}`, `{"event":5}`} {
		if _, err := pipeline.ParseEvent([]byte(line)); !errors.Is(err, pipeline.ErrNoEvent) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestWatchingGoesOnWithTheNextStart(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	limited := pipeline.QAOptions{Answerer: &answers{}, Limits: pipeline.Limits{Calls: 10}}
	_, _ = pipeline.RunQA(t.Context(), s, where, limited, nil)
	dir, err := rundir.Open(where.Dir)
	if err != nil {
		t.Fatal(err)
	}
	left, looks := errors.New("left"), 0
	var order []string
	err = pipeline.FollowOn(t.Context(), dir, func(context.Context) error {
		switch looks++; looks {
		case 1: // between two looks another start is made from end to end
			_, _ = pipeline.RunQA(t.Context(), s, where, limited, nil)
		case 2: // and one that is killed
			out, err := dir.Append(rundir.JournalFile)
			if err := errors.Join(err, out.Add([]byte(`{"event":"stage_started","stage":"run-qa","at":"2026-08-01T09:00:00Z","total":90,"unit":"rows"}`)), out.Close()); err != nil {
				t.Error(err)
			}
		case 4:
			return left
		}
		return nil
	}, func(event pipeline.Event) {
		switch e := event.(type) {
		case pipeline.StageStarted:
			order = append(order, "started")
		case pipeline.StageFinished:
			order = append(order, "ended")
			if len(order) == 6 && (e.Err == nil || !strings.Contains(e.Err.Error(), "ended without a word")) {
				t.Errorf("a start that was killed ends with %v", e.Err)
			}
		}
	})
	if !errors.Is(err, left) || !slices.Equal(order, []string{"started", "ended", "started", "ended", "started", "ended"}) {
		t.Errorf("%v, %v", err, order)
	}
}
