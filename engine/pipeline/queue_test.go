package pipeline_test

import (
	"context"
	"errors"
	"testing"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/pipeline"
	"deermem-tui/protocol/prompt"
)

func TestABlockOfRowsThatFailAlikeKeepsNoOthersFromBeingAsked(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]bool{}
	for _, task := range tasks[3:11] {
		bad[task.Fingerprint] = true
	}
	failing := 0
	for _, task := range tasks {
		if bad[task.Fingerprint] {
			failing++
		}
	}
	var asked []bool // in order: was it a bad row
	a := &answers{do: func(_ context.Context, _ int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if bad[req.Fingerprint] {
			return answer.Reply{}, &answer.Error{Class: answer.Refused, Status: 400, Message: "content policy", Attempts: 1}
		}
		return replyTo(req), nil
	}}
	result, err := pipeline.RunQA(t.Context(), s, where, pipeline.QAOptions{Answerer: a}, nil)
	if stored := result.Called + result.Reused; stored != len(tasks)-failing {
		t.Errorf("%d of %d rows stored beside %d that fail: %v", stored, len(tasks), failing, err)
	}

	// In the next start of another folder they come last.
	other := target(t, 2)
	a.do = func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if bad[req.Fingerprint] || n > 20 { // ends with some of each left
			return answer.Reply{}, &answer.Error{Class: answer.Refused, Status: 400, Message: "content policy", Attempts: 1}
		}
		return replyTo(req), nil
	}
	a = &answers{do: a.do}
	if _, err := pipeline.RunQA(t.Context(), s, other, pipeline.QAOptions{Answerer: a}, nil); !errors.Is(err, pipeline.ErrLimit) {
		t.Fatalf("a run whose rows all fail alike ended with %v", err)
	}
	if n := a.count(); n > 60 {
		t.Errorf("%d calls before the run was given up", n)
	}
	next := &answers{do: func(_ context.Context, _ int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		asked = append(asked, bad[req.Fingerprint])
		return replyTo(req), nil
	}}
	one := *s
	config := *s.Config
	config.QA.Workers = 1
	one.Config = &config
	if _, err := pipeline.RunQA(t.Context(), &one, other, pipeline.QAOptions{Answerer: next}, nil); err != nil {
		t.Fatal(err)
	}
	if len(asked) == 0 || asked[0] {
		t.Errorf("the next start begins with a row that failed before: %v", asked)
	}
}
