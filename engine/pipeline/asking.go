// The part of a QA run that calls: workers that take rows from the queue and
// ask, under somebody's control.

package pipeline

import (
	"context"
	"errors"
	"sync"
	"time"

	"deermem-tui/engine/answer"
)

// call asks the pending rows and returns when every worker has ended and every
// answer is on disk.
func (r *qaRun) call(ctx context.Context) {
	ctx, abandon := context.WithCancel(ctx)
	ended := make(chan struct{})
	var watch, work, settle sync.WaitGroup
	watch.Go(func() { r.watchDrain(ctx, ended) })
	r.puts = make(chan put, r.workers)
	settle.Go(func() {
		for batch := range batches(r.puts) {
			r.settle(batch)
		}
	})
	for range min(r.workers, len(r.pending)) {
		work.Go(func() {
			for {
				task, ok := r.next(ctx)
				if !ok {
					return
				}
				r.ask(ctx, task)
			}
		})
	}
	work.Wait()
	close(r.puts)
	settle.Wait()
	close(ended)
	abandon()
	watch.Wait()
}

// watchDrain drops the rows that wait between two calls once the run is to
// drain: what is in flight may finish, nothing is sent any more.
func (r *qaRun) watchDrain(ctx context.Context, ended <-chan struct{}) {
	for {
		_, drained, changed := r.options.Control.state()
		if drained || closed(r.options.Drain) {
			break
		}
		select {
		case <-changed:
		case <-r.options.Drain:
		case <-ctx.Done():
			return
		case <-ended:
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.draining = true
	for _, drop := range r.resting {
		drop()
	}
}

// ask gets and stores one row.
func (r *qaRun) ask(ctx context.Context, task Task) {
	began := r.setOut(task)
	rowCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &asked{run: r, task: task, drop: cancel, sending: sending{allowed: true}}
	if !r.options.Control.fly(task.RowID, cancel) {
		r.options.Control.land(task.RowID)
		a.over(0, context.Canceled)
		r.giveUp(task, errRowCanceled.Error(), false)
		return
	}
	r.row(task, RowCalling, func(c *RowChanged) { c.Attempt = 1 })
	reply, err := r.options.Answerer.Answer(a.watch(rowCtx), task.Request, a.attempt)
	canceled := r.options.Control.land(task.RowID)
	a.rest(false)
	cost := costOf(err)
	if err == nil {
		cost.attempts = reply.Attempts
	}
	cut := a.over(cost.attempts, err)
	switch {
	case err == nil:
		r.hope()
		r.store(task, reply, began)
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		r.giveUp(task, "stopped before its answer came", cut)
	case canceled && errors.Is(err, context.Canceled):
		r.giveUp(task, errRowCanceled.Error(), cut)
	case errors.Is(err, errDrained), rowCtx.Err() != nil && errors.Is(err, context.Canceled):
		r.giveUp(task, errDrained.Error(), cut)
	case errors.Is(err, ErrLimit):
		r.giveUp(task, errLimit.Error(), cut)
	case closed(r.over) && r.kept(err):
		r.giveUp(task, errDrained.Error(), cut)
	default:
		r.fail(task, err, cost)
	}
}

// Why a row was left without an answer.
var (
	errDrained = errors.New("stopped before another attempt")
	errLimit   = errors.New("the limit was reached before another attempt")
)

// asked is one row being asked; its methods are called from one goroutine.
type asked struct {
	run  *qaRun
	task Task
	drop context.CancelFunc
	held bool // it waited since its last call was told
	sending
}

// rest notes whether the row waits between two calls.
func (a *asked) rest(on bool) {
	r := a.run
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !on:
		delete(r.resting, a.task.RowID)
	case r.draining, r.broken != nil:
		a.drop()
	default:
		r.resting[a.task.RowID] = a.drop
	}
}

// permit is the gate of the row's calls.
func (a *asked) permit(ctx context.Context, number int) error {
	r := a.run
	a.rest(false)
	for {
		paused, _, changed := r.options.Control.state()
		if !paused || closed(r.options.Drain) || closed(r.over) {
			break
		}
		if !a.held {
			a.held = true
			r.row(a.task, RowHeld, func(c *RowChanged) { c.Attempt, c.Problem = number, "the run is paused" })
			r.mu.Lock()
			r.hold(heldPaused, time.Time{})
			r.mu.Unlock()
		}
		select {
		case <-changed:
		case <-r.options.Drain:
		case <-r.over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.draining || closed(r.options.Drain) {
		return errDrained
	}
	if r.broken != nil {
		return r.broken
	}
	if number > 1 {
		if a.allowed && !a.told { // nobody told of the attempt before
			a.count(number - 1)
		}
		a.open = false
		// The first attempt was checked when its row was taken up; the wait
		// before another is long enough to lose a folder in.
		if !a.allowed {
			if err := r.mayBegin(); err != nil {
				return err
			}
			a.allow()
		}
	}
	r.unhold()
	if r.first.at.IsZero() {
		r.first = r.mark()
	}
	if number > 1 || a.held {
		a.held = false
		r.row(a.task, RowCalling, func(c *RowChanged) { c.Attempt = number })
	}
	return r.unwritten()
}

// attempt tells of a failed attempt, or of a wait for another row's.
func (a *asked) attempt(t answer.Attempt) {
	r := a.run
	if !t.Held {
		a.failedAttempt(t)
	}
	if t.Final {
		return // the row's failure says it
	}
	state := RowRetrying
	if t.Held {
		state, a.held = RowHeld, true
	}
	r.row(a.task, state, func(c *RowChanged) {
		c.Attempt, c.Wait, c.Until, c.Problem = t.Number, t.Wait, t.Until, t.Problem
	})
	a.rest(true)
	if t.Class == answer.RateLimit && !t.Held {
		r.mu.Lock()
		r.hold("the provider's rate limit", t.Until)
		r.mu.Unlock()
	}
}
