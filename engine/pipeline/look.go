package pipeline

import (
	"context"
	"errors"
	"fmt"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// PeekSuite counts right answers among the rows that are there.
type PeekSuite struct {
	Name   string
	Policy string
	Rows   int // present
	Of     int // of a whole run
	Right  int
}

// PeekResult is what a look before the end shows. It holds no test and no
// interval: those are of the whole run only.
type PeekResult struct {
	Look   Look
	Suites []PeekSuite
	Looks  int // recorded so far, this one included
}

// Lines tell it to people.
func (r PeekResult) Lines() []string {
	out := []string{fmt.Sprintf("a look before the end, at %d of %d rows; it is recorded in the run folder and reported with the results", r.Look.Rows, r.Look.Of)}
	for _, s := range r.Suites {
		out = append(out, fmt.Sprintf("%s: %s %d of %d right, %d not there yet", s.Name, s.Policy, s.Right, s.Rows, s.Of-s.Rows))
	}
	return out
}

// ErrNothingSealed is a run that needs no look: every row is there.
var ErrNothingSealed = errors.New("every row is there: grade it instead")

// Peek grades the rows that are there. The look is recorded in the folder
// before anything is shown; where it cannot be, nothing is shown. The caller
// has asked whoever wants it to confirm.
func Peek(ctx context.Context, s *study.Study, t Target) (PeekResult, error) {
	dir, err := rundir.Open(t.Dir)
	if err != nil {
		return PeekResult{}, err
	}
	if err := dir.CheckIdentity(s.Identity); err != nil {
		return PeekResult{}, err
	}
	tasks, err := Tasks(s)
	if err != nil {
		return PeekResult{}, err
	}
	result := PeekResult{Look: Look{At: report.Timestamp(t.now()), Of: len(tasks)}}
	index := map[string]int{}
	for _, task := range tasks {
		key := task.Source + " " + task.Policy
		at, ok := index[key]
		if !ok {
			at = len(result.Suites)
			index[key] = at
			name := figures.Official
			if task.Source == pools.Synthetic {
				name = figures.Synthetic
			}
			result.Suites = append(result.Suites, PeekSuite{Name: name, Policy: task.Policy})
		}
		suite := &result.Suites[at]
		suite.Of++
		row, err := dir.ReadRow(task.RowID)
		if err != nil || row.Matches(task.Task) != nil {
			continue
		}
		verdict, err := grading.Grade(row.Prediction, task.Case.Answer)
		if err != nil {
			return PeekResult{}, fmt.Errorf("row %s: %w", task.RowID, err)
		}
		result.Look.Rows++
		suite.Rows++
		if verdict.Correct {
			suite.Right++
		}
	}
	if result.Look.Rows == len(tasks) {
		return PeekResult{}, ErrNothingSealed
	}
	if err := ctx.Err(); err != nil {
		return PeekResult{}, err
	}
	look := decision{Event: decisionLook, At: result.Look.At, Rows: result.Look.Rows, Of: result.Look.Of}
	if err := decide(dir, look); err != nil {
		return PeekResult{}, fmt.Errorf("the look could not be recorded, so nothing is shown: %w", err)
	}
	looks, err := Looks(dir)
	result.Looks = len(looks)
	return result, err
}
