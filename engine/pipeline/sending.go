// Counting what is really sent: one request at a time, written down right
// before its first byte, so that the count is right after a kill too.

package pipeline

import (
	"context"
	"errors"
	"net/http/httptrace"

	"deermem-tui/engine/answer"
)

// sending is what a row that is being asked has under way. The run's mu guards
// it.
type sending struct {
	allowed bool // a request may be sent that was not yet; it is reserved
	waiting bool // one is about to be sent, and has no connection yet
	open    bool // one was sent, and what became of it is not known
	told    bool // the answerer tells of its requests itself
	number  int  // of the attempt under way
	sent    int  // in this row
}

// used is how many requests were sent in this start, those included that may be
// at any time. The caller holds mu.
func (r *qaRun) used() int { return r.sent + r.reserved }

// allow reserves a request. The caller holds mu.
func (a *asked) allow() {
	if !a.allowed {
		a.allowed = true
		a.run.reserved++
	}
}

// release gives a reserved request back. The caller holds mu.
func (a *asked) release() {
	if a.allowed {
		a.allowed = false
		a.run.reserved--
	}
}

// count notes a request that is being sent. The caller holds mu.
func (a *asked) count(attempt int) {
	a.release()
	a.run.sent++
	a.sent++
	a.waiting, a.open = false, true
	a.run.emit.emit(CallSent{RowID: a.task.RowID, Attempt: attempt, At: a.run.task.now()})
}

// watch gives a context whose requests are counted.
func (a *asked) watch(ctx context.Context) context.Context {
	ctx = answer.WithBeforeRequest(answer.WithGate(ctx, a.permit), a.before)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: a.connected})
}

// before is asked before each request. An attempt may be more than one: only the
// first was let through when the attempt was.
func (a *asked) before(_ context.Context, s answer.Sending) error {
	r := a.run
	r.mu.Lock()
	defer r.mu.Unlock()
	a.told, a.open = true, false
	if !a.allowed {
		if err := r.mayBegin(); err != nil {
			return err
		}
		a.allow()
	}
	a.number, a.waiting = s.Attempt, true
	return nil
}

// connected is called once there is a connection for a request and nothing of
// it is written; once more where that connection turns out to be a dead one.
func (a *asked) connected(httptrace.GotConnInfo) {
	r := a.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.waiting {
		a.count(a.number)
		_ = r.unwritten() // no further one is begun
	}
}

// failedAttempt notes that it is known what became of the row's last request.
// One that was answered over no connection that was seen counts as well.
func (a *asked) failedAttempt(t answer.Attempt) {
	r := a.run
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.waiting && t.Status != 0 {
		a.count(a.number)
	}
	a.waiting, a.open = false, false
	if !t.Final {
		r.emit.emit(r.facts())
	}
}

// mayBegin says whether another request may be sent now; where a limit forbids
// it, the run ends. The caller holds mu.
func (r *qaRun) mayBegin() error {
	if err := r.intact(); err != nil {
		r.breakOff(err)
		return r.broken
	}
	if err := r.reached(1); err != nil {
		if r.limit == nil {
			r.limit = err
			r.emit.note(err.Error() + "; no further call is begun")
		}
		return err
	}
	return nil
}

// unwritten ends the run where the journal could not be written: what is paid
// for could not be told after a crash. The caller holds mu.
func (r *qaRun) unwritten() error {
	if err := r.journal.failed(); err != nil {
		r.breakOff(err)
		return r.broken
	}
	return nil
}

// over ends the row's sending; cut tells that its last request was cut off. An
// answerer that does not tell of its requests is believed about its attempts.
func (a *asked) over(attempts int, err error) (cut bool) {
	r := a.run
	r.mu.Lock()
	defer r.mu.Unlock()
	var failed *answer.Error
	errors.As(err, &failed)
	stopped := err != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
	kept := r.denied(err)
	switch {
	case a.told:
		if err == nil && a.waiting {
			a.count(a.number)
		}
	case stopped:
		if a.allowed && failed == nil {
			a.count(a.sent + 1)
		}
	case !unsent(failed):
		for a.sent < attempts || a.allowed && !kept && attempts == 0 {
			a.count(a.sent + 1)
		}
	}
	if cut = a.open && stopped; cut {
		r.cut++
	}
	a.open, a.waiting = false, false
	a.release()
	return cut
}

// denied tells whether a row's next request was not let through. The caller
// holds mu.
func (r *qaRun) denied(err error) bool {
	return errors.Is(err, errDrained) || errors.Is(err, ErrLimit) || r.broken != nil && errors.Is(err, r.broken)
}

// kept is denied for a caller that does not hold mu.
func (r *qaRun) kept(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.denied(err)
}

// unsent tells whether a failure is one of the network before anything came
// back, as of a connection that was refused.
func unsent(failed *answer.Error) bool {
	return failed != nil && failed.Status == 0 && (failed.Class == answer.Network || failed.Class == answer.Timeout)
}
