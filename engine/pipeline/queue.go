// The part of a QA run that says which row is called next, and whether any is:
// the queue, the limits, a pause, a folder that is not the one it was.

package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
)

// next gives the row to call next; it waits while the run is paused. It is
// false when no further call is to be begun.
func (r *qaRun) next(ctx context.Context) (Task, bool) {
	for {
		paused, drained, changed := r.options.Control.state()
		task, ok, wait := r.take(ctx, paused, drained)
		if !wait {
			return task, ok
		}
		select {
		case <-changed:
		case <-ctx.Done():
		case <-r.options.Drain:
		case <-r.over:
		}
	}
}

func (r *qaRun) take(ctx context.Context, paused, drained bool) (task Task, ok, wait bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.options.Control.takeAgain() {
		r.requeue()
	}
	switch {
	case len(r.pending) == 0, ctx.Err() != nil, drained, closed(r.options.Drain), r.limit != nil, r.broken != nil:
		return task, false, false
	case paused:
		r.hold(heldPaused, time.Time{})
		return task, false, true
	}
	if r.limit = r.reached(0); r.limit != nil {
		r.emit.note(r.limit.Error() + "; no further call is begun")
		return task, false, false
	}
	if err := r.intact(); err != nil {
		r.breakOff(err)
		return task, false, false
	}
	if r.held == heldPaused {
		r.unhold()
	}
	task = r.draw()
	r.inFlight++
	r.reserved++
	return task, true, false
}

// draw takes a row out of the queue: the first, or one from its middle while rows
// fail alike. Neighbours are often of one case and of one kind, and five of them
// must not speak for rows of another. The caller holds mu.
func (r *qaRun) draw() Task {
	at := 0
	if r.alikes > 0 {
		at = len(r.pending) / 2
	}
	task := r.pending[at]
	r.pending = slices.Delete(r.pending, at, at+1)
	return task
}

// intact makes sure that the folder and what is written in it are still those
// that were locked, still bound to the study, and that the journal takes lines.
// The caller holds mu.
func (r *qaRun) intact() error {
	if err := r.lock.Check(); err != nil {
		return err
	}
	if r.dir.CheckNew(rundir.IdentityFile) == nil {
		if err := r.lock.Check(); err != nil { // the folder went between the two looks
			return err
		}
		return fmt.Errorf("run folder %s: %w: %s was removed while this process wrote it: put it back, then run again", r.task.Dir, rundir.ErrLost, rundir.IdentityFile)
	}
	return r.journal.failed()
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// reached says which limit forbids a call beside those in flight; less of them
// have told their tokens already.
func (r *qaRun) reached(less int) error {
	each := r.guess
	if n := int64(r.replies - r.tokens.Untold); n > 0 && r.tokens.Total > 0 {
		each = r.tokens.Total / n
	}
	return r.options.Limits.reached(r.used(), r.tokens.plus(r.history.tokens), r.inFlight-less, each, len(r.result.Failed))
}

// requeue puts the rows that failed back into the queue.
func (r *qaRun) requeue() {
	for _, task := range r.failed {
		r.unanswered(task, outcome.Missing)
		r.row(task, RowWaiting, nil)
	}
	r.pending = append(r.pending, r.failed...)
	r.failed, r.result.Failed, r.result.RetriesFailed = nil, nil, 0
}

// hold tells that no call is begun now, and why.
func (r *qaRun) hold(why string, until time.Time) {
	if r.held == why && r.until.Equal(until) {
		return
	}
	r.held, r.until = why, until
	r.still.set(why == heldPaused, r.task.now())
	r.emit.emit(r.facts())
}

// unhold notes that calls are begun again.
func (r *qaRun) unhold() {
	r.held, r.until = "", time.Time{}
	r.still.set(false, r.task.now())
}
