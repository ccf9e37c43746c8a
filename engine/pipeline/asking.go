// The part of a QA run that calls: workers that take rows from a queue and ask,
// within limits and under somebody's control.

package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"
	"sync"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/report"
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

func compareIDs(a, b string) int { return cmp.Compare(a, b) }

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

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
	task, r.pending = r.pending[0], r.pending[1:]
	r.inFlight++
	r.reserved++
	return task, true, false
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

// setOut gives the start of a row's way.
func (r *qaRun) setOut(task Task) started {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := r.mark()
	r.flying[task.RowID] = from
	return from
}

// mark gives the time now, for a reckoning without pauses; the caller holds mu.
func (r *qaRun) mark() started {
	now := r.task.now()
	return started{now, r.still.total(now)}
}

// way gives how long a row has been on its way, pauses left out.
func (r *qaRun) way(from started) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.since(from)
}

// since gives the time from then on, pauses left out; the caller holds mu.
func (r *qaRun) since(from started) time.Duration {
	now := r.mark()
	return max(now.at.Sub(from.at)-(now.still-from.still), 0)
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
	state := reply.State
	if state == "" {
		state = row.State()
	}
	row.Extra = &rundir.Extra{
		Answerer: r.kind(), State: state, Note: reply.Note, FinishReason: reply.FinishReason, Latency: reply.Latency, Usage: reply.FullUsage,
		OtherModel: otherModel(r.model, reply.Model),
	}
	if !reply.Started.IsZero() {
		row.Extra.Started = report.Timestamp(reply.Started)
	}
	for _, f := range reply.Failures {
		row.Extra.Failures = append(row.Extra.Failures, rundir.Failure{
			Attempt: f.Number, Class: string(f.Class), Status: f.Status, Latency: f.Latency, Wait: f.Wait,
		})
	}
	return row
}

// otherModel tells whether a model that answered is another one than that asked
// for. Providers write theirs with a version behind it or an owner before it.
func otherModel(asked, served string) bool {
	name := func(s string) string {
		s = strings.ToLower(s)
		return s[strings.LastIndexByte(s, '/')+1:]
	}
	a, s := name(asked), name(served)
	if served == "" || a == s {
		return false
	}
	rest, ok := strings.CutPrefix(s, a)
	return !ok || !strings.ContainsAny(rest[:min(len(rest), 1)], "-:@.")
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
