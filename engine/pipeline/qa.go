package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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

// Kinds of answerers. Rows of both in one run would be a comparison of nothing.
const (
	KindOffline  = "offline"
	KindProvider = "provider"
)

// Kinded is an Answerer that tells its kind.
type Kinded interface{ Kind() string }

// Hosted is an Answerer that tells which host it asks, and its port; never more
// of the address.
type Hosted interface{ Host() string }

// hostOf is the host that an answerer asks; empty when it does not tell.
func hostOf(a Answerer) string {
	if h, ok := a.(Hosted); ok {
		return h.Host()
	}
	return ""
}

// ErrMixed is a run that would be answered by the offline answerer and by a
// provider; test with errors.Is.
var ErrMixed = errors.New("answered by another kind of answerer")

// mayCall makes sure, before anything is paid, that the answers can be stored
// and belong to those that are there.
func (r *qaRun) mayCall() error {
	if len(r.pending) == 0 {
		return nil
	}
	if err := r.graded(); err != nil {
		return err
	}
	if err := r.mixed(); err != nil {
		return err
	}
	r.otherHost()
	ids := make([]string, len(r.pending))
	for i, task := range r.pending {
		ids[i] = task.RowID
	}
	if err := r.dir.CheckStorable(ids...); err != nil {
		return err
	}
	if err := r.journal.failed(); err != nil {
		return err
	}
	for _, name := range []string{rundir.ResponsesDir, rundir.JournalFile} {
		if err := r.lock.Watch(name); err != nil {
			return err
		}
	}
	return nil
}

func (r *qaRun) mixed() error {
	if r.kind() == "" || r.options.Mixed {
		return nil
	}
	calling := map[string]bool{}
	for _, task := range r.pending {
		calling[task.RowID] = true
	}
	others := 0
	for id, row := range r.stored {
		kind := KindProvider // a row of another program
		if row.Extra != nil {
			kind = row.Extra.Answerer
		}
		if !calling[id] && kind != "" && kind != r.kind() {
			others++
		}
	}
	if others == 0 {
		return nil
	}
	return fmt.Errorf("run folder %s: %d stored rows are %w than the %s one now asked for: choose another folder, or add --mix-answerers",
		r.task.Dir, others, ErrMixed, r.kind())
}

// kind is that of the answerer; empty when it does not tell.
func (r *qaRun) kind() string {
	if k, ok := r.options.Answerer.(Kinded); ok {
		return k.Kind()
	}
	return ""
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

// newQARun takes stock of the folder: which rows are there, what they cost,
// which are no plain answers, and which are to be called.
func newQARun(dir *rundir.Dir, s *study.Study, t Target, o QAOptions, e *emitter, tasks []Task, resumed bool) (*qaRun, error) {
	retry, accepted := o.Control.begin()
	r := &qaRun{
		task: t, dir: dir, options: o, emit: e, total: len(tasks), workers: s.Config.QA.Workers, model: s.Config.QA.Model, maxTokens: s.Config.QA.MaxTokens,
		states: map[string]outcome.State{}, stored: map[string]rundir.Row{}, counts: map[outcome.State]int{outcome.Missing: len(tasks)},
		retry: append(slices.Clone(o.Retry), retry...), began: t.now(), resting: map[string]context.CancelFunc{}, over: make(chan struct{}), journal: &journal{},
		flying: map[string]started{}, again: map[string]bool{},
	}
	for _, task := range tasks {
		r.guess += int64(len(task.Request.Payload)) / 4 / int64(len(tasks))
	}
	r.read(tasks)
	if err := r.judge(append(slices.Clone(o.Accept), accepted...)); err != nil {
		return nil, err
	}
	var err error
	if r.history, err = readHistory(dir, r.stored); err != nil {
		e.note(fmt.Sprintf("calls of earlier starts are counted by their rows alone: %v", err))
	} else if resumed {
		r.history.begun(1)
	}
	if r.history.least != "" {
		e.note("more calls may have been made, and paid for, than are told: " + r.history.least)
	}
	looks, err := Looks(dir)
	if err != nil {
		return nil, err
	}
	r.looks = len(looks)
	r.reuse(tasks)
	return r, nil
}

// read gets the stored rows that match, and tells of those that do not.
func (r *qaRun) read(tasks []Task) {
	for _, task := range tasks {
		row, err := r.dir.ReadRow(task.RowID)
		if err == nil {
			err = row.Matches(task.Task)
		}
		switch {
		case err == nil:
			r.stored[task.RowID] = row
		case !errors.Is(err, rundir.ErrNoRow):
			r.emit.note(fmt.Sprintf("%s is called again: %v", task.RowID, err))
		}
	}
	r.nameStrangers(tasks)
}

// nameStrangers tells of files among the rows that belong to no row of the
// study. They are left alone.
func (r *qaRun) nameStrangers(tasks []Task) {
	ours := map[string]bool{}
	for _, task := range tasks {
		ours[task.RowID] = true
	}
	rows, problems, err := r.dir.Rows()
	if err != nil {
		return // no folder of rows yet
	}
	for _, row := range rows {
		if !ours[row.RowID] {
			r.emit.note(fmt.Sprintf("%s is left alone: the study has no such row", rundir.RowFile(row.RowID)))
		}
	}
	for _, problem := range problems {
		if !ours[problem.RowID] {
			r.emit.note(fmt.Sprintf("left alone: %v", problem))
		}
	}
}

// judge finds the stored rows that are no plain answers, and accepts those in
// these states.
func (r *qaRun) judge(states []outcome.State) error {
	rows := make([]rundir.Row, 0, len(r.stored))
	for _, row := range r.stored {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b rundir.Row) int { return compareIDs(a.RowID, b.RowID) })
	found, err := doubts(r.dir, rows)
	if err != nil {
		return err
	}
	n, err := accept(r.dir, r.task, found, states)
	if err != nil {
		return fmt.Errorf("the decision could not be recorded: %w", err)
	}
	if n > 0 {
		r.emit.note(fmt.Sprintf("%d rows accepted as they are; recorded in %s", n, rundir.DecisionsFile))
	}
	r.doubts = map[string]Doubt{}
	for _, d := range found {
		r.doubts[d.RowID] = d
	}
	return nil
}

// reuse reports the rows that are stored and stay, and queues the others.
func (r *qaRun) reuse(tasks []Task) {
	for _, task := range tasks {
		row, there := r.stored[task.RowID]
		if there {
			r.spend(tokensOf(row))
			r.done++
			r.set(task.RowID, row.State())
		}
		if doubt, doubtful := r.doubts[task.RowID]; there && doubtful && slices.Contains(r.retry, doubt.State) {
			r.emit.note(fmt.Sprintf("%s is called again: it is %s", task.RowID, doubt.State))
			there, r.again[task.RowID] = false, true
		}
		if !there {
			r.row(task, RowWaiting, nil)
			r.pending = append(r.pending, task)
			continue
		}
		r.result.Reused++
		r.row(task, RowReused, func(c *RowChanged) { describe(c, row, r.doubts[task.RowID].Note) })
	}
	r.emit.emit(r.facts())
	r.emit.progress(r.done, r.total)
	if n := len(r.pending); n > 0 {
		var tokens int64
		for _, task := range r.pending {
			tokens += int64(len(task.Request.Payload)) / 4
		}
		r.emit.note(fmt.Sprintf("%s ahead, about %d tokens of requests and at most %d of answers; %s stored",
			plural(n, "call", "calls"), tokens, int64(n)*int64(r.maxTokens), plural(r.done, "row is", "rows are")))
	}
}

// describe tells a stored row.
func describe(c *RowChanged, row rundir.Row, note string) {
	c.Attempt, c.Usage, c.Tokens, c.Outcome, c.CreatedAt, c.Note = row.Attempts, row.Counts(), tokensOf(row), row.State(), row.CreatedAt, note
	if row.ResponseModel != nil {
		c.Model = *row.ResponseModel
	}
	if row.Extra != nil {
		c.Latency, c.OtherModel = row.Extra.Latency, row.Extra.OtherModel
	}
}

// outcome gives the run's result once every worker has ended.
func (r *qaRun) outcome(ctx context.Context) (QAResult, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	gone := r.vanished()
	result := r.result
	result.Dir = r.task.Dir
	for _, task := range slices.Concat(r.pending, r.givenUp) {
		if _, there := r.stored[task.RowID]; there {
			result.Waiting++
			result.Reused++ // it keeps the answer it had
		} else if !slices.Contains(gone, task.RowID) {
			result.Missing++
		}
	}
	result.Lost, result.Gone = r.lost, len(gone)
	result.Models = modelsOf(maps.Values(r.stored))
	for _, id := range slices.Sorted(keysOf(r.stored)) {
		row := r.stored[id]
		if d, ok := r.doubts[id]; ok {
			result.Doubts = append(result.Doubts, d)
		}
		if row.Extra != nil && row.Extra.OtherModel {
			result.Other = append(result.Other, id)
		}
	}
	result.Facts = r.facts()
	r.emit.emit(result.Facts)
	r.remark(result)
	open := undecided(result.Doubts)
	unanswered := len(result.Failed) - result.RetriesFailed
	switch {
	case r.broken != nil:
		if r.lost > 0 {
			return result, &lostAnswers{r.broken, r.lost}
		}
		return result, r.broken
	case len(gone) > 0:
		return result, &vanishedError{r.task.Dir, gone}
	case result.Missing+result.Waiting > 0:
		err := fmt.Errorf("%w with %d of %d rows stored; run it again to resume", ErrStopped, r.done, r.total)
		if result.Missing == 0 {
			err = fmt.Errorf("%w with %d of %d rows stored, before %s called again; each keeps the answer it had: run it again with --retry to go on",
				ErrStopped, r.done, r.total, plural(result.Waiting, "row of these was", "rows of these were"))
		}
		if r.limit != nil {
			err = fmt.Errorf("%w (%w)", err, r.limit)
		}
		if ctx.Err() != nil {
			err = &abandoned{err, ctx.Err(), r.cut}
		}
		return result, err
	case unanswered > 0:
		return result, fmt.Errorf("%d of %d %w; run it again to retry them", unanswered, r.total, ErrRowsFailed)
	}
	var err error
	if n := result.RetriesFailed; n > 0 {
		err = &RetryError{n}
	}
	if len(open) > 0 {
		undecided := &UndecidedError{Dir: r.task.Dir, Rows: open, Of: r.total}
		if err == nil {
			return result, undecided
		}
		return result, fmt.Errorf("%w\n%w", undecided, err)
	}
	return result, err
}

// RetryError tells of stored rows that were called again and got no answer.
type RetryError struct{ Rows int }

func (e *RetryError) Error() string {
	return plural(e.Rows, "stored row was", "stored rows were") + " called again without success; each keeps the answer it had"
}

// Unwrap gives ErrRowsFailed.
func (e *RetryError) Unwrap() error { return ErrRowsFailed }

// abandoned is a run whose calls in flight were given up.
type abandoned struct {
	error
	cause error
	calls int // that were cut off
}

func (e *abandoned) Error() string {
	if e.calls == 0 {
		return e.error.Error() + " (abandoned; no call was in flight)"
	}
	return fmt.Sprintf("%v (abandoned: %s cut off, and may be paid for)", e.error, plural(e.calls, "call in flight was", "calls in flight were"))
}

func (e *abandoned) Unwrap() []error { return []error{e.error, e.cause} }

// vanished finds the rows that counted as stored and are on disk no more, and
// counts them no longer: what is told is what can be graded. Of a folder that
// failed nothing is known. The caller holds mu.
func (r *qaRun) vanished() []string {
	if r.broken != nil {
		return nil
	}
	var gone []string
	for _, id := range slices.Sorted(keysOf(r.stored)) {
		if _, err := r.dir.ReadRow(id); err != nil {
			gone = append(gone, id)
			delete(r.stored, id)
			delete(r.doubts, id)
			r.done--
			r.set(id, outcome.Missing)
		}
	}
	return gone
}

// vanishedError names rows that were taken away under the run.
type vanishedError struct {
	dir  string
	rows []string
}

func (e *vanishedError) Error() string {
	return fmt.Sprintf("%s no longer in %s: %s; put them back, or run it again to call them again",
		plural(len(e.rows), "row that was stored is", "rows that were stored are"), e.dir, strings.Join(firstOf(e.rows), ", "))
}

// Unwrap gives ErrNotStored.
func (e *vanishedError) Unwrap() error { return ErrNotStored }

// remark tells at the end what a run that went well would not show: accepted
// rows that are no plain answers, and answers of other models.
func (r *qaRun) remark(result QAResult) {
	if r.cut > 0 {
		r.emit.note(plural(r.cut, "call was", "calls were") + " cut off before an answer came, and may have been paid for")
	}
	if taken := len(result.Doubts) - len(undecided(result.Doubts)); taken > 0 {
		r.emit.note(fmt.Sprintf("%d stored rows are no plain answers and are accepted as they are", taken))
	}
	if n := len(result.Other); n > 0 {
		models := map[string]bool{}
		for _, id := range result.Other {
			if model := r.stored[id].ResponseModel; model != nil {
				models[*model] = true
			}
		}
		text := fmt.Sprintf("%s answered by another model than %s: %s", plural(n, "row was", "rows were"), r.model, strings.Join(firstOf(slices.Sorted(maps.Keys(models))), ", "))
		if n < r.total {
			text += " (" + strings.Join(firstOf(result.Other), ", ") + ")"
		}
		r.emit.note(text)
	}
	if text := mixedModels(result.Models); text != "" {
		r.emit.note(text)
	}
}

// plural counts things in words.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
