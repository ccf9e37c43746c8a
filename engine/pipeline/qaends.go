// How a QA run ends: its result, its errors, and what it remarks on.

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"deermem-tui/engine/answer/outcome"
)

// ErrRowsFailed is a run whose every row was tried and some got no answer.
var ErrRowsFailed = errors.New("rows without an answer")

// ErrNotStored is a run that ended because an answer could not be stored.
var ErrNotStored = errors.New("its answer could not be stored")

// ErrStopped is a run that was stopped before every row was tried.
var ErrStopped = errors.New("stopped")

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
	for _, id := range slices.Sorted(maps.Keys(r.stored)) {
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
	for _, id := range slices.Sorted(maps.Keys(r.stored)) {
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
