// The end of a row's way: answered, given up or failed, and what the run makes
// of rows that fail alike.

package pipeline

import (
	"errors"
	"fmt"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
)

// answered counts and tells an answer, under the lock: the count that is shown
// must never go back.
func (r *qaRun) answered(p put) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.lost != nil {
		r.breakOff(p.lost)
	}
	r.landed(p.task)
	r.result.Called++
	if _, again := r.stored[p.task.RowID]; !again {
		r.done++
	}
	r.spend(tokensOf(p.row))
	r.stored[p.task.RowID] = p.row
	delete(r.doubts, p.task.RowID)
	if state := p.row.State(); state.Doubtful() {
		r.doubts[p.task.RowID] = Doubt{RowID: p.task.RowID, State: state, Note: p.reply.Note, created: p.row.CreatedAt}
	}
	r.set(p.task.RowID, p.row.State())
	r.pace.add(p.reply.Latency, p.whole)
	r.row(p.task, RowAnswered, func(c *RowChanged) { describe(c, p.row, p.reply.Note) })
	r.emit.emit(r.facts())
	r.emit.progress(r.done, r.total)
}

// landed ends a row's way; the caller holds mu.
func (r *qaRun) landed(task Task) {
	r.inFlight--
	delete(r.flying, task.RowID)
}

// spend adds what a reply took.
func (r *qaRun) spend(t Tokens) {
	r.tokens = r.tokens.plus(t)
	r.replies++
}

// unanswered notes that a row got no answer in this start; one that is stored
// keeps what it has. The caller holds mu.
func (r *qaRun) unanswered(task Task, state outcome.State) {
	if row, there := r.stored[task.RowID]; there {
		state = row.State()
	}
	r.set(task.RowID, state)
}

// giveUp leaves a row without an answer, for the next run; cut tells that a
// request of it was cut off.
func (r *qaRun) giveUp(task Task, why string, cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.landed(task)
	r.givenUp = append(r.givenUp, task)
	r.unanswered(task, outcome.Missing)
	r.row(task, RowWaiting, func(c *RowChanged) { c.Problem, c.CutOff = why, cut })
	r.emit.emit(r.facts())
}

// spent is what a row took that has no answer.
type spent struct {
	attempts int
	tokens   Tokens
	model    string
}

// costOf gives what an answerer's error tells of it.
func costOf(err error) spent {
	var failed *answer.Error
	if !errors.As(err, &failed) {
		return spent{}
	}
	cost := spent{attempts: failed.Attempts, model: failed.Model}
	// A failure costs tokens only where a whole reply came that was not taken.
	if failed.Class == answer.Malformed || len(failed.Usage) > 0 || failed.FullUsage != nil {
		cost.tokens = tokensOf(rundir.Row{Usage: failed.Usage, Extra: &rundir.Extra{Usage: failed.FullUsage}})
	}
	return cost
}

func (r *qaRun) fail(task Task, err error, cost spent) {
	state := outcome.Failed
	var failed *answer.Error
	if errors.As(err, &failed) && failed.Class == answer.Malformed {
		state = outcome.Malformed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.landed(task)
	if cost.tokens != (Tokens{}) {
		r.spend(cost.tokens)
	}
	r.despair(failed)
	r.failed = append(r.failed, task)
	r.result.Failed = append(r.result.Failed, FailedRow{task.RowID, err})
	if _, there := r.stored[task.RowID]; there {
		r.result.RetriesFailed++
	}
	r.unanswered(task, state)
	r.row(task, RowFailed, func(c *RowChanged) {
		c.Attempt, c.Problem, c.Outcome, c.Tokens, c.Model = cost.attempts, err.Error(), state, cost.tokens, cost.model
	})
	r.emit.emit(r.facts())
}

// hopeless is how many rows in a row may fail in a way that the next will not
// escape.
const hopeless = 5

// hope notes that a reply came, at once: storing it takes longer than a failure
// does, so that failures with answers between them would seem to be in a row.
func (r *qaRun) hope() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.alikes = 0
}

// despair ends a run whose rows all fail for a reason that lies with the
// provider's settings: a wrong key, an unknown model, no server. The caller
// holds mu.
func (r *qaRun) despair(failed *answer.Error) {
	if failed == nil {
		r.alikes = 0
		return
	}
	how := failed.Lasting()
	if how == "" {
		r.alikes = 0
		return
	}
	if how != r.alike {
		r.alikes = 0
	}
	r.alike = how
	if r.alikes++; r.alikes >= hopeless && r.limit == nil {
		r.limit = fmt.Errorf("%w: %d rows in a row failed the same way (%s), and the next ones would too", ErrLimit, r.alikes, how)
		r.emit.note(r.limit.Error() + "; no further call is begun")
	}
}
