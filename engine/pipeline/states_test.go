package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/prompt"
)

// spoiled answers the first calls with replies that are no plain answers, one
// of each kind, and the others as usual.
func spoiled(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
	reply := replyTo(req)
	reply.State, reply.Usage = outcome.Answered, map[string]*big.Int{"prompt_tokens": big.NewInt(10), "completion_tokens": big.NewInt(1)}
	if kinds := outcome.Doubtful(); n <= len(kinds) {
		reply.State, reply.Note = kinds[n-1], "a test wants it so"
		if reply.State == outcome.Empty {
			reply.Text = ""
		}
	}
	return reply, nil
}

func TestARowThatIsNoPlainAnswerNeedsADecision(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	first := &answers{do: spoiled}
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: first}, nil)
	var open *pipeline.UndecidedError
	if !errors.As(err, &open) || !errors.Is(err, pipeline.ErrUndecided) || len(open.Rows) != 4 || result.Called != 90 || result.Facts.Undecided != 4 {
		t.Fatalf("%v; %+v", err, result)
	}
	for _, want := range []string{"4 of 90 rows", "1 empty, 1 truncated, 1 refused, 1 malformed", "--retry empty,malformed,refused,truncated", "a test wants it so", open.Rows[0].RowID} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	// They are stored: running again pays for nothing, and still says it.
	again := &answers{}
	if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: again}, nil); !errors.Is(err, pipeline.ErrUndecided) || again.count() != 0 {
		t.Errorf("%v after %d calls", err, again.count())
	}
	if _, err := pipeline.GradeQA(t.Context(), s, where, nil); !errors.Is(err, pipeline.ErrUndecided) {
		t.Errorf("grading: %v", err)
	}
	dir, _ := rundir.Open(where.Dir)
	if err := dir.CheckNew(report.GradeFiles()...); err != nil {
		t.Errorf("results were written: %v", err)
	}

	// Two are called again, and nothing but these.
	third := &answers{}
	options := pipeline.QAOptions{Answerer: third, Retry: []outcome.State{outcome.Truncated, outcome.Refused}}
	later := where
	later.Now = func() time.Time { return where.Now().Add(time.Hour) }
	if _, err := pipeline.RunQA(t.Context(), s, later, options, nil); !errors.As(err, &open) || len(open.Rows) != 2 || third.count() != 2 {
		t.Errorf("%v after %d calls", err, third.count())
	}
	// What was paid before stays counted.
	if got, _ := pipeline.RunQA(t.Context(), s, later, pipeline.QAOptions{Answerer: third}, nil); got.Facts.Calls != 92 || got.Facts.Tokens.In != 900 {
		t.Errorf("%d calls and %d tokens in all, want 92 and 900", got.Facts.Calls, got.Facts.Tokens.In)
	}

	// The others are accepted, which is recorded and lasts.
	r := &recorder{t: t}
	result, err = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: third, Accept: outcome.Doubtful()}, r.sink)
	if err != nil || len(result.Doubts) != 2 || !result.Doubts[0].Accepted {
		t.Errorf("%v: %+v", err, result.Doubts)
	}
	if lines, _, err := dir.Lines(rundir.DecisionsFile, 0); len(lines) != 2 || err != nil || !strings.Contains(string(lines[0]), `"event":"accepted"`) {
		t.Errorf("decisions %q, %v", lines, err)
	}
	graded, err := pipeline.GradeQA(t.Context(), s, where, nil)
	if err != nil || len(graded.Remarks()) != 1 || !strings.Contains(graded.Remarks()[0], "2 of 90 rows are no plain answers and were accepted: 1 empty, 1 malformed") {
		t.Errorf("%v, %q", err, graded.Remarks())
	}
	var states struct {
		Rows   map[string]int `json:"rows"`
		Doubts []struct {
			RowID    string `json:"row_id"`
			Accepted bool   `json:"accepted"`
		} `json:"no_plain_answers"`
		Calls int `json:"calls"`
	}
	data, err := os.ReadFile(filepath.Join(where.Dir, rundir.StatesFile))
	if err := errors.Join(err, json.Unmarshal(data, &states)); err != nil || states.Rows["answered"] != 88 || len(states.Doubts) != 2 || states.Calls != 92 {
		t.Errorf("%v: %s", err, data)
	}
}

func TestAcceptingMeansTheRowThatWasSeen(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	truncated := func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		reply := replyTo(req)
		if n == 1 {
			reply.State = outcome.Truncated
		}
		return reply, nil
	}
	// Nothing is stored yet: there is nothing to accept.
	_, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{do: truncated}, Accept: outcome.Doubtful()}, nil)
	if !errors.Is(err, pipeline.ErrUndecided) {
		t.Fatal(err)
	}
	if n, err := pipeline.Accept(s, where, []outcome.State{outcome.Truncated}); n != 1 || err != nil {
		t.Fatalf("%d accepted, %v", n, err)
	}
	// Its successor was not seen.
	later := where
	later.Now = func() time.Time { return where.Now().Add(time.Second) }
	_, err = pipeline.RunQA(t.Context(), s, later, pipeline.QAOptions{Answerer: &answers{do: truncated}, Retry: []outcome.State{outcome.Truncated}}, nil)
	if !errors.Is(err, pipeline.ErrUndecided) {
		t.Errorf("the new row counts as accepted: %v", err)
	}
}

func TestARowThatFailsWhenItIsCalledAgainKeepsItsAnswer(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	_, _ = pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: &answers{do: spoiled}}, nil)
	failing := &answers{do: func(context.Context, int, prompt.Request, func(answer.Attempt)) (answer.Reply, error) {
		return answer.Reply{}, &answer.Error{Class: answer.Server, Attempts: 1}
	}}
	if _, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: failing, Retry: outcome.Doubtful()}, nil); !errors.Is(err, pipeline.ErrRowsFailed) {
		t.Error(err)
	}
	dir, _ := rundir.Open(where.Dir)
	if rows, problems, err := dir.Rows(); len(rows) != 90 || len(problems) > 0 || err != nil {
		t.Errorf("%d rows, %v, %v", len(rows), problems, err)
	}
}

func TestAnotherModelIsRecordedAndTold(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	served := map[int]string{1: "cheap-model", 2: "vendor/" + s.Config.QA.Model, 3: s.Config.QA.Model + "-2026-01-01", 4: s.Config.QA.Model + "mini", 5: ""}
	a := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		reply := replyTo(req)
		reply.Model = s.Config.QA.Model
		if model, ok := served[n]; ok {
			reply.Model = model
		}
		return reply, nil
	}}
	r := &recorder{t: t}
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a}, r.sink)
	if err != nil || len(result.Other) != 2 {
		t.Errorf("%v, other models in %v", err, result.Other)
	}
	if text := notes(r); !strings.Contains(text, "2 rows were answered by another model than "+s.Config.QA.Model) || !strings.Contains(text, "more than one model answered: ") {
		t.Errorf("told %q", text)
	}
}

func notes(r *recorder) string {
	var all []string
	for _, e := range r.events {
		if n, ok := e.(pipeline.Note); ok {
			all = append(all, n.Text)
		}
	}
	return strings.Join(all, "\n")
}

func TestGradedBytesDoNotDependOnOurKey(t *testing.T) {
	s := sampleStudy(t)
	with, without := target(t, 1), target(t, 1)
	if _, err := pipeline.RunQA(t.Context(), s, with, pipeline.QAOptions{Answerer: &answers{}}, nil); err != nil {
		t.Fatal(err)
	}
	from, _ := rundir.Open(with.Dir)
	to, err := rundir.Create(without.Dir)
	if err != nil {
		t.Fatal(err)
	}
	rows, _, _ := from.Rows()
	for _, row := range rows {
		row.Extra = nil
		if err := to.WriteRow(row); err != nil {
			t.Fatal(err)
		}
	}
	identity, _ := from.Read(rundir.IdentityFile)
	if err := to.WriteNew(rundir.IdentityFile, identity); err != nil {
		t.Fatal(err)
	}
	// A row of another program is reused as it is.
	none := &answers{}
	if result, err := pipeline.RunQA(t.Context(), s, without, pipeline.QAOptions{Answerer: none}, nil); err != nil || none.count() != 0 || result.Reused != 90 {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, where := range []pipeline.Target{with, without} {
		if _, err := pipeline.GradeQA(t.Context(), s, where, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range report.GradeFiles() {
		a, _ := from.Read(name)
		b, _ := to.Read(name)
		if len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
}
