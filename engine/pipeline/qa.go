package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"deermem-tui/engine/answer"
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
	Missing int // rows never started, because the run was stopped
	Dir     string
}

// Line is the line that ends run-qa.
func (r QAResult) Line() string { return report.AnswerLine(r.Reused, r.Called, len(r.Failed)) }

// ErrRowsFailed is a run whose every row was tried and some got no answer.
var ErrRowsFailed = errors.New("rows without an answer")

// ErrNotStored is a run that ended because an answer could not be stored.
var ErrNotStored = errors.New("its answer could not be stored")

// ErrStopped is a run that was stopped before every row was tried.
var ErrStopped = errors.New("stopped")

// QAOptions say how a QA run is made.
type QAOptions struct {
	Answerer Answerer
	// Drain, once closed, lets the calls in flight finish and starts no more.
	// Ending the context abandons them too.
	Drain <-chan struct{}
}

// RunQA asks every row that is not stored already and stores each answer as it
// comes. Rows that are stored and match are reused, so running it again
// resumes. The result is right even beside an error: it wraps ErrRowsFailed,
// ErrStopped, the context's error, or says why the folder was refused.
func RunQA(ctx context.Context, s *study.Study, t Target, o QAOptions, sink Sink) (QAResult, error) {
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
	dir, lock, err := t.lock(StageQA)
	if err != nil {
		return result, err
	}
	defer unlock(lock, &err)
	if err := bind(ctx, dir, s, t); err != nil {
		return result, err
	}
	run := &qaRun{task: t, dir: dir, answerer: o.Answerer, emit: e, total: len(tasks)}
	waiting := run.reuse(tasks)
	run.call(ctx, o.Drain, s.Config.QA.Workers, waiting)
	return run.outcome(ctx)
}

// bind writes the folder's identity, or makes sure that the folder has this
// study's already.
func bind(ctx context.Context, dir *rundir.Dir, s *study.Study, t Target) error {
	err := dir.CheckIdentity(s.Identity)
	if !errors.Is(err, rundir.ErrMissing) {
		return err
	}
	return dir.WriteNew(report.QARunFile, qaRunDoc(s, t.now(), t.git(ctx)).JSON())
}

// qaRun is one QA run under way. The fields below mu belong to it.
type qaRun struct {
	task     Target
	dir      *rundir.Dir
	answerer Answerer
	emit     *emitter
	total    int

	mu      sync.Mutex
	done    int
	result  QAResult
	stopped bool
	broken  error // the folder failed: no further row can be stored
}

// reuse reports the rows that are stored and match, and gives the others.
func (r *qaRun) reuse(tasks []Task) []Task {
	var waiting []Task
	for _, task := range tasks {
		row, err := r.dir.ReadRow(task.RowID)
		if err == nil {
			err = row.Matches(task.Task)
		}
		if err != nil {
			if !errors.Is(err, rundir.ErrNoRow) {
				r.emit.note(fmt.Sprintf("%s is called again: %v", task.RowID, err))
			}
			r.row(task, RowWaiting, nil)
			waiting = append(waiting, task)
			continue
		}
		r.result.Reused++
		r.done++
		model := ""
		if row.ResponseModel != nil {
			model = *row.ResponseModel
		}
		r.row(task, RowReused, func(c *RowChanged) {
			c.Attempt, c.Model, c.Usage = row.Attempts, model, row.Counts()
		})
	}
	r.emit.progress(r.done, r.total)
	return waiting
}

// call asks the waiting rows with so many workers and returns when all ended.
func (r *qaRun) call(ctx context.Context, drain <-chan struct{}, workers int, waiting []Task) {
	ctx, abandon := context.WithCancel(ctx)
	defer abandon()
	queue := make(chan Task)
	var wait sync.WaitGroup
	for range min(workers, len(waiting)) {
		wait.Go(func() {
			for task := range queue {
				if !r.ask(ctx, task) {
					abandon() // an answer that cannot be stored is paid for nothing
				}
			}
		})
	}
	r.feed(ctx, drain, queue, waiting)
	close(queue)
	wait.Wait()
}

func (r *qaRun) feed(ctx context.Context, drain <-chan struct{}, queue chan<- Task, waiting []Task) {
	for i, task := range waiting {
		// Asked first on its own: select takes a ready worker as gladly.
		select {
		case <-ctx.Done():
		case <-drain:
		default:
			select {
			case queue <- task:
				continue
			case <-ctx.Done():
			case <-drain:
			}
		}
		r.mu.Lock()
		r.stopped = true
		r.result.Missing += len(waiting) - i
		r.mu.Unlock()
		return
	}
}

// ask gets and stores one row. It is false when the folder failed.
func (r *qaRun) ask(ctx context.Context, task Task) bool {
	r.row(task, RowCalling, func(c *RowChanged) { c.Attempt = 1 })
	reply, err := r.answerer.Answer(ctx, task.Request, func(a answer.Attempt) {
		if a.Wait <= 0 {
			return // the row's failure says it
		}
		r.row(task, RowRetrying, func(c *RowChanged) {
			c.Attempt, c.Wait, c.Problem = a.Number, a.Wait, a.Problem
		})
	})
	if err != nil {
		r.fail(ctx, task, err)
		return true
	}
	if err := r.dir.WriteRow(r.newRow(task, reply)); err != nil {
		r.mu.Lock()
		if r.broken == nil {
			r.broken = fmt.Errorf("row %s: %w: %w", task.RowID, ErrNotStored, err)
		}
		r.mu.Unlock()
		r.fail(context.Background(), task, err)
		return false
	}
	// Told under the lock: the count that is shown must never go back.
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Called++
	r.done++
	r.row(task, RowAnswered, func(c *RowChanged) {
		c.Attempt, c.Latency, c.Model, c.Usage = reply.Attempts, reply.Latency, reply.Model, counts(reply)
	})
	r.emit.progress(r.done, r.total)
	return true
}

func (r *qaRun) fail(ctx context.Context, task Task, err error) {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		r.mu.Lock()
		r.stopped = true
		r.result.Missing++
		r.mu.Unlock()
		r.row(task, RowWaiting, func(c *RowChanged) { c.Problem = "stopped before its answer came" })
		return
	}
	attempts := 0
	var failed *answer.Error
	if errors.As(err, &failed) {
		attempts = failed.Attempts
	}
	r.mu.Lock()
	r.result.Failed = append(r.result.Failed, FailedRow{task.RowID, err})
	r.mu.Unlock()
	r.row(task, RowFailed, func(c *RowChanged) { c.Attempt, c.Problem = attempts, err.Error() })
}

func (r *qaRun) newRow(task Task, reply answer.Reply) rundir.Row {
	row := rundir.Row{
		RowID:              task.RowID,
		CaseID:             task.CaseID,
		Source:             task.Source,
		Scenario:           task.Scenario,
		Policy:             task.Policy,
		Capacity:           task.Capacity,
		KeptFactIDs:        task.KeptFactIDs,
		RequestFingerprint: task.Fingerprint,
		Prediction:         reply.Text,
		Attempts:           reply.Attempts,
		Usage:              reply.Usage,
		CreatedAt:          report.Timestamp(r.task.now()),
	}
	if reply.Model != "" {
		row.ResponseModel = &reply.Model
	}
	return row
}

func counts(reply answer.Reply) map[string]int64 {
	return rundir.Row{Usage: reply.Usage}.Counts()
}

// row emits a change of a row.
func (r *qaRun) row(task Task, state RowState, more func(*RowChanged)) {
	c := RowChanged{RowID: task.RowID, CaseID: task.CaseID, Policy: task.Policy, State: state, At: r.task.now()}
	if more != nil {
		more(&c)
	}
	r.emit.emit(c)
}

// outcome gives the run's result once every worker has ended.
func (r *qaRun) outcome(ctx context.Context) (QAResult, error) {
	result := r.result
	result.Dir = r.task.Dir
	switch {
	case r.broken != nil:
		return result, r.broken
	case r.stopped:
		err := fmt.Errorf("%w with %d of %d rows stored; run it again to resume", ErrStopped, r.done, r.total)
		if ctx.Err() != nil {
			err = fmt.Errorf("%w (%w)", err, ctx.Err())
		}
		return result, err
	case len(result.Failed) > 0:
		return result, fmt.Errorf("%d of %d %w; run it again to retry them", len(result.Failed), r.total, ErrRowsFailed)
	}
	return result, nil
}
