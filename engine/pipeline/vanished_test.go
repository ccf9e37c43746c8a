package pipeline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/prompt"
)

func TestSuccessIsNotSaidOfRowsThatVanishedUnderTheRun(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	var removed string
	sweeper := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n == 60 { // long after the first rows were stored
			dir, err := rundir.Open(where.Dir)
			if err != nil {
				t.Error(err)
				return replyTo(req), nil
			}
			rows, _, err := dir.Rows()
			if err != nil || len(rows) == 0 {
				t.Errorf("no rows: %v", err)
				return replyTo(req), nil
			}
			removed = rows[0].RowID
			os.Remove(filepath.Join(where.Dir, filepath.FromSlash(rundir.RowFile(removed))))
		}
		return replyTo(req), nil
	}}
	_, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: sweeper}, nil)
	if !errors.Is(err, pipeline.ErrNotStored) || removed == "" || !strings.Contains(err.Error(), removed) {
		t.Fatalf("error %v, want %q named", err, removed)
	}
	again := &answers{}
	if result, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: again}, nil); err != nil || again.count() != 1 {
		t.Errorf("resumed with %d calls: %s, %v", again.count(), result.Line(), err)
	}
}

func TestAWriterThatLostItsLockLeavesTheRowsOfAnotherAlone(t *testing.T) {
	s := sampleStudy(t)
	where := target(t, 1)
	tasks, err := pipeline.Tasks(s)
	if err != nil {
		t.Fatal(err)
	}
	const theirs = "the answer of the process that has the lock now"
	var row string
	robbed := &answers{do: func(_ context.Context, n int, req prompt.Request, _ func(answer.Attempt)) (answer.Reply, error) {
		if n != 10 {
			return replyTo(req), nil
		}
		if err := os.Remove(filepath.Join(where.Dir, rundir.LockFile)); err != nil {
			t.Error(err)
		}
		// A request can be that of two rows, one under each policy: another
		// process that goes on has stored both.
		dir, err := rundir.Open(where.Dir)
		if err != nil {
			t.Error(err)
			return replyTo(req), nil
		}
		for _, task := range tasks {
			if task.Fingerprint == req.Fingerprint {
				row = task.RowID
				err := dir.WriteRow(rundir.Row{RowID: task.RowID, CaseID: task.CaseID, Source: task.Source, Scenario: task.Scenario, Policy: task.Policy,
					Capacity: task.Capacity, KeptFactIDs: task.KeptFactIDs, RequestFingerprint: task.Fingerprint, Prediction: theirs, Attempts: 1})
				if err != nil {
					t.Error(err)
				}
			}
		}
		return replyTo(req), nil
	}}
	if _, err := pipeline.RunQA(context.Background(), s, where, pipeline.QAOptions{Answerer: robbed}, nil); !errors.Is(err, rundir.ErrLost) {
		t.Fatalf("error %v", err)
	}
	dir, err := rundir.Open(where.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := dir.ReadRow(row); err != nil || found.Prediction != theirs {
		t.Errorf("row %s holds %q (%v)", row, found.Prediction, err)
	}
	if robbed.count() >= len(tasks) {
		t.Errorf("%d calls were made after the lock was lost", robbed.count())
	}
}
