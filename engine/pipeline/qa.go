// The stage run-qa: what it takes, what it gives, and the steps from one to the
// other.

package pipeline

import (
	"context"
	"errors"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/prompt"
)

// Answerer answers one request, trying as often as it was made to.
type Answerer interface {
	Answer(ctx context.Context, req prompt.Request, onAttempt func(answer.Attempt)) (answer.Reply, error)
}

// FailedRow is a row that got no answer.
type FailedRow struct {
	RowID string
	Err   error
}

// QAResult is what run-qa did.
type QAResult struct {
	Reused  int
	Called  int // answered by a call and stored
	Failed  []FailedRow
	Missing int     // rows that are not stored, because the run was stopped
	Waiting int     // stored rows that were to be called again, and were not, because the run was stopped
	Gone    int     // rows that were stored and are no longer on disk
	Lost    int     // answers that were paid for and could not be stored
	Doubts  []Doubt // every stored row that is no plain answer, accepted ones too
	Facts   RunFacts
	Models  map[string]int // rows by the model that answered them; "" where it was not told
	Other   []string       // rows answered by another model than the one asked for
	Dir     string

	RetriesFailed int // of Failed: rows that are stored, and keep the answer they had
}

// Line is the line that ends run-qa.
func (r QAResult) Line() string { return report.AnswerLine(r.Reused, r.Called, len(r.Failed)) }

// QAOptions say how a QA run is made.
type QAOptions struct {
	Answerer Answerer
	// Drain, once closed, lets the calls in flight finish and starts no more.
	// Ending the context abandons them too.
	Drain <-chan struct{}
	// Control steers the run while it is made; nil when nobody does.
	Control *Control
	Limits  Limits
	Prices  Prices
	// Mixed lets a provider and the offline answerer answer rows of one run.
	Mixed bool
	// Regrade lets rows of a folder that is graded already be called: its graded
	// results are stale then.
	Regrade bool
	// Retry names the doubtful states whose stored rows are called again.
	Retry []outcome.State
	// Accept names the doubtful states in which rows that are stored now, before
	// any call, are taken as they are. It is recorded in the folder.
	Accept []outcome.State
}

// RunQA asks every row that is not stored already and stores each answer as it
// comes. Rows that are stored and match are reused, so running it again
// resumes. The result is right even beside an error: it wraps ErrRowsFailed,
// ErrStopped (and ErrLimit where a limit did it), ErrUndecided, the context's
// error, or says why the folder was refused.
func RunQA(ctx context.Context, s *study.Study, t Target, o QAOptions, sink Sink) (QAResult, error) {
	if o.Control == nil {
		o.Control = &Control{}
	}
	defer o.Control.End()
	e := begin(StageQA, sink, t.Now, len(s.Pools.Cases)*len(s.Policies), "rows")
	result, err := runQA(ctx, s, t, o, e)
	summary := ""
	if err == nil {
		summary = result.Line()
	}
	return result, e.finish(summary, err)
}

func runQA(ctx context.Context, s *study.Study, t Target, o QAOptions, e *emitter) (result QAResult, err error) {
	result.Dir = t.Dir
	tasks, err := Tasks(s)
	if err != nil {
		return result, err
	}
	for _, task := range tasks {
		if err := rundir.CheckRowID(task.RowID); err != nil {
			return result, err
		}
	}
	dir, lock, err := t.lock(StageQA)
	if errors.Is(err, rundir.ErrReadOnly) {
		if result, ok := wholeRun(s, t, o, e, tasks); ok {
			return result, nil // nothing is to be called or written
		}
	}
	if err != nil {
		return result, err
	}
	defer unlock(lock, &err)
	if err := dir.CheckFolders(); err != nil {
		return result, err
	}
	resumed, err := bind(ctx, dir, s, t)
	if err != nil {
		return result, err
	}
	journal, end := e.record(dir, len(tasks), hostOf(o.Answerer), &result, &err)
	defer end()
	if left := lock.Left(); left != "" {
		e.note(left)
	}
	run, err := newQARun(dir, s, t, o, e, tasks, resumed)
	if err != nil {
		return result, err
	}
	run.lock, run.journal = lock, journal
	if err := run.mayCall(); err != nil {
		return result, err
	}
	run.call(ctx)
	return run.outcome(ctx)
}

// wholeRun gives the result for a folder that cannot be written and needs not
// be: every row is there and nothing is to be decided.
func wholeRun(s *study.Study, t Target, o QAOptions, e *emitter, tasks []Task) (QAResult, bool) {
	dir, err := rundir.Open(t.Dir)
	if err != nil || dir.CheckIdentity(s.Identity) != nil || len(o.Accept) > 0 {
		return QAResult{}, false
	}
	if _, err := completeRows(dir, tasks); err != nil {
		return QAResult{}, false
	}
	quiet := begin(StageQA, nil, t.Now, len(tasks), "rows")
	run, err := newQARun(dir, s, t, o, quiet, tasks, false)
	if err != nil || len(run.pending) > 0 {
		return QAResult{}, false
	}
	result, err := run.outcome(context.Background())
	if err != nil {
		return QAResult{}, false
	}
	e.note("the folder cannot be written, and needs not be: every row is there")
	e.progress(len(tasks), len(tasks))
	return result, true
}

// record keeps the events from now on in the run's journal too. The function it
// gives ends that, before the folder is given free.
func (e *emitter) record(dir *rundir.Dir, total int, host string, result *QAResult, err *error) (*journal, func()) {
	j := openJournal(dir)
	j.add(StageStarted{Stage: e.stage, At: e.now(), Total: total, Unit: "rows", Host: host})
	e.tee(j.add)
	return j, func() {
		e.tee(nil)
		end := StageFinished{Stage: e.stage, At: e.now(), Err: *err}
		if end.Elapsed = end.At.Sub(e.start); *err == nil {
			end.Summary = result.Line()
		}
		j.add(end)
		j.close()
	}
}

// bind writes the folder's identity, or makes sure that the folder has this
// study's already: then there was a start before.
func bind(ctx context.Context, dir *rundir.Dir, s *study.Study, t Target) (resumed bool, err error) {
	if err := dir.CheckProtocol(s.Identity); err != nil {
		return false, err
	}
	err = dir.CheckIdentity(s.Identity)
	if !errors.Is(err, rundir.ErrMissing) {
		return true, err
	}
	return false, dir.WriteNew(report.QARunFile, qaRunDoc(s, t.now(), t.git(ctx)).JSON())
}
