package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	deermemtui "deermem-tui"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

type studyAndTarget struct {
	study  *study.Study
	target pipeline.Target
}

// checks gives the checks told, as `name state`.
func (r *recorder) checks() []string {
	var told []string
	for _, event := range r.events {
		if e, ok := event.(pipeline.CheckDone); ok {
			told = append(told, e.Name+" "+string(e.State))
		}
	}
	return told
}

func TestValidateTellsEveryCheckOnceInOrder(t *testing.T) {
	location, dataset := sample()
	all := append(study.ContractChecks(), study.DatasetChecks()...)
	missing := location
	missing.Synthetic = "manifests/none.json"
	for _, c := range []struct {
		name   string
		run    func(pipeline.Sink) error
		failed int // index of the failing check; -1: none
		done   int // progress at the end
		passed int // checks before the rest were not run
	}{
		{"a good study", func(s pipeline.Sink) error {
			_, err := pipeline.Validate(context.Background(), location, dataset, nil, s)
			return err
		}, -1, 11, 11},
		{"contracts alone", func(s pipeline.Sink) error { _, err := pipeline.Contracts(location, nil, s); return err }, -1, 6, 6},
		{"a missing manifest", func(s pipeline.Sink) error {
			_, err := pipeline.Validate(context.Background(), missing, dataset, nil, s)
			return err
		}, 2, 2, 2},
		{"a missing dataset", func(s pipeline.Sink) error {
			_, err := pipeline.Validate(context.Background(), location, study.EmbeddedDataset(deermemtui.Files, "none.json"), nil, s)
			return err
		}, 6, 6, 6},
		{"another file as dataset", func(s pipeline.Sink) error {
			_, err := pipeline.Validate(context.Background(), location, study.EmbeddedDataset(deermemtui.Files, location.Official), nil, s)
			return err
		}, 6, 6, 6},
		{"a context that ended", func(s pipeline.Sink) error {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_, err := pipeline.Validate(ctx, location, dataset, nil, s)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			return err
		}, -1, 6, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &recorder{t: t}
			r.framed(pipeline.StageValidate, c.run(r.sink))
			var want []string
			for i, name := range all {
				state := study.Passed
				switch {
				case i == c.failed:
					state = study.Failed
				case i >= c.passed:
					state = study.NotRun
				}
				want = append(want, fmt.Sprintf("%s %s", name, state))
			}
			if got := r.checks(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("checks\n%q\nwant\n%q", got, want)
			}
			done := 0
			for _, event := range r.events {
				if e, ok := event.(pipeline.StageProgress); ok {
					done = e.Done
				}
			}
			if done != c.done {
				t.Errorf("progress ends at %d, want %d", done, c.done)
			}
		})
	}
}

func TestStagesRunWithoutASink(t *testing.T) {
	location, dataset := sample()
	if _, err := pipeline.Contracts(location, nil, nil); err != nil {
		t.Error(err)
	}
	if _, err := pipeline.Validate(context.Background(), location, dataset, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestRunPolicyTellsEachCase(t *testing.T) {
	s := sampleStudy(t)
	r := &recorder{t: t}
	result, err := pipeline.RunPolicy(context.Background(), s, target(t, 1), r.sink)
	r.framed(pipeline.StagePolicy, err)
	if err != nil || result.Rows != 270 || result.Cases != 45 || len(r.events) != 47 {
		t.Errorf("result %+v, error %v, %d events", result, err, len(r.events))
	}
}

func TestRunPolicyStopsWithItsContextAndWritesNothing(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	ctx, cancel := context.WithCancel(context.Background())
	r := &recorder{t: t, on: func(e pipeline.Event) {
		if p, ok := e.(pipeline.StageProgress); ok && p.Done == 10 {
			cancel()
		}
	}}
	_, err := pipeline.RunPolicy(ctx, s, where, r.sink)
	r.framed(pipeline.StagePolicy, err)
	if !errors.Is(err, context.Canceled) || len(names(t, where.Dir)) > 0 {
		t.Errorf("error %v, the folder holds %v", err, names(t, where.Dir))
	}
}
