// A QA run under way: what it knows of itself, and what it tells of it.

package pipeline

import (
	"context"
	"sync"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
)

// qaRun is one QA run under way. The fields below mu belong to it once the
// workers run.
type qaRun struct {
	task      Target
	dir       *rundir.Dir
	lock      *rundir.Lock
	options   QAOptions
	emit      *emitter
	total     int
	workers   int
	model     string // as asked for
	maxTokens int    // of one answer
	retry     []outcome.State
	began     time.Time
	puts      chan put      // answers on their way to the disk
	over      chan struct{} // closed once broken is set
	journal   *journal
	history   history // of earlier starts
	guess     int64   // tokens of a request, before any was told
	looks     int

	mu       sync.Mutex
	pending  []Task
	failed   []Task // failed for good, until somebody orders them again
	givenUp  []Task // not answered in this start, and not pending any more
	done     int    // rows that are on disk, those included that are called again
	replies  int    // that tokens sums up
	states   map[string]outcome.State
	counts   map[outcome.State]int
	stored   map[string]rundir.Row
	again    map[string]bool // rows that are stored and called again
	doubts   map[string]Doubt
	result   QAResult
	limit    error // the limit that ended the run
	broken   error // the folder failed: no further row can be stored
	lost     int   // answers that were paid for and could not be stored
	draining bool
	resting  map[string]context.CancelFunc // rows that wait between two calls
	alike    string                        // how the rows before failed, hopelessly
	alikes   int                           // so many in a row
	inFlight int
	sent     int    // requests of this start
	reserved int    // more that rows may send at any time
	cut      int    // of those sent: ended before it was known what became of them
	tokens   Tokens // of the stored rows, and of what failed in this start
	pace     pace
	first    started // the first call of this start
	flying   map[string]started
	held     string
	until    time.Time
	still    standstill
}

// set keeps the count of states.
func (r *qaRun) set(rowID string, state outcome.State) {
	before, ok := r.states[rowID]
	if !ok {
		before = outcome.Missing
	}
	r.counts[before]--
	r.counts[state]++
	r.states[rowID] = state
}

// row emits a change of a row.
func (r *qaRun) row(task Task, state RowState, more func(*RowChanged)) {
	c := RowChanged{RowID: task.RowID, CaseID: task.CaseID, Policy: task.Policy, State: state, At: r.task.now(), Again: r.again[task.RowID]}
	if more != nil {
		more(&c)
	}
	r.emit.emit(c)
}

// slowed is the pace with what rows in flight show already: one that has taken
// longer than the mean tells that rows may take at least so long. The caller
// holds mu.
func (r *qaRun) slowed() *pace {
	p := r.pace
	if p.n < enough {
		return &p
	}
	usual := r.pace.mean
	for _, from := range r.flying {
		if age := r.since(from).Seconds(); age > usual {
			p.take(age)
		}
	}
	return &p
}

// facts sums up how the run stands; the caller holds mu.
func (r *qaRun) facts() RunFacts {
	now := r.task.now()
	f := RunFacts{
		At: now, Total: r.total, Done: r.done, Rows: map[outcome.State]int{},
		Reused: r.result.Reused, Called: r.result.Called, Failed: len(r.result.Failed), InFlight: r.inFlight,
		Calls: r.sent + r.history.calls, CallsNow: r.sent, Cut: r.cut + r.history.cut,
		Tokens: r.tokens.plus(r.history.tokens),
		Priced: r.options.Prices.Set, Elapsed: r.history.elapsed + max(now.Sub(r.began), 0), Looks: r.looks,
		Median: r.pace.quantile(0.5), P95: r.pace.quantile(0.95),
		Held: r.held, Until: r.until, Least: r.history.least,
	}
	for state, n := range r.counts {
		if n > 0 {
			f.Rows[state] = n
		}
	}
	for _, d := range r.doubts {
		if !d.Accepted {
			f.Undecided++
		}
	}
	f.Cost = r.options.Prices.Cost(f.Tokens.In, f.Tokens.Out)
	if !r.first.at.IsZero() && f.Called > 0 {
		if spent := r.since(r.first); spent > 0 {
			f.Rate = float64(f.Called) / spent.Seconds()
		}
	}
	open := len(r.pending) + r.inFlight
	f.Left, f.LeftLow, f.LeftHigh, f.HasLeft = r.slowed().left(open, min(r.workers, max(open, 1)))
	return f
}
