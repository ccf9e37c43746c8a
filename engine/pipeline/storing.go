// The part of a QA run that stores answers: the worker that got one puts it
// into the folder and asks on, and one goroutine waits for the disk.

package pipeline

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/rundir"
)

// put is an answer that stands in the folder and has to reach the disk. It
// counts as answered from then on; the worker that got it asks on meanwhile.
type put struct {
	task  Task
	row   rundir.Row
	reply answer.Reply
	whole time.Duration // of the row's way to its answer, pauses left out
	file  *rundir.Put
	lost  error // the lock, found gone
}

// together is how long an answer waits for others before the disk is asked:
// those that come at about the same time take it no longer than one.
const together = 5 * time.Millisecond

// batches gives what comes into a channel: an answer, and those that come soon
// after it.
func batches(puts <-chan put) iter.Seq[[]put] {
	return func(yield func([]put) bool) {
		for first := range puts {
			batch := []put{first}
			soon := time.NewTimer(together)
			for open := true; open && len(batch) < cap(puts); {
				var next put
				select {
				case next, open = <-puts:
					if open {
						batch = append(batch, next)
					}
				case <-soon.C:
					open = false
				}
			}
			soon.Stop()
			if !yield(batch) {
				return
			}
		}
	}
}

// settle waits for the disk and then counts and tells the answers. A row that
// has its name is stored, whatever the disk says of it: it is told as stored,
// and the run ends.
func (r *qaRun) settle(batch []put) {
	stands := make([]bool, len(batch))
	errs := make([]error, len(batch))
	for i, p := range batch {
		stands[i] = p.file.Stands()
		errs[i] = p.file.Sync()
	}
	folder := r.dir.SyncRows()
	for i, p := range batch {
		err := errors.Join(errs[i], folder)
		switch {
		case err == nil:
		case stands[i]:
			if lost := r.lock.Check(); lost != nil {
				err = lost
			}
			r.end(fmt.Errorf("row %s stands in the folder, but the disk did not confirm it: %w", p.task.RowID, err))
		default:
			r.notStored(p.task, p.row, err)
			continue
		}
		r.answered(p)
	}
}

// store keeps an answer.
func (r *qaRun) store(task Task, reply answer.Reply, began started) {
	p := put{task: task, row: r.newRow(task, reply), reply: reply, whole: r.way(began), lost: r.lock.Check()}
	var gone *rundir.LostError
	err := p.lost
	switch {
	case errors.As(p.lost, &gone) && gone.Folder:
	case gone != nil && gone.Name == "" && r.stands(task):
		// Whoever has the lock now stored this row; theirs may be graded already.
	default:
		p.file, err = r.dir.PutRow(p.row) // into the right folder; without the lock it is the last one
	}
	if err != nil {
		r.notStored(task, p.row, err)
		return
	}
	r.puts <- p
}

// stands tells whether the folder holds a task's row already.
func (r *qaRun) stands(task Task) bool {
	_, err := r.dir.ReadRow(task.RowID)
	return err == nil
}

// notStored ends a run whose folder failed an answer that was paid for. The
// calls under way may bring theirs: each is tried.
func (r *qaRun) notStored(task Task, row rundir.Row, err error) {
	r.end(fmt.Errorf("row %s: %w: %w", task.RowID, ErrNotStored, err))
	r.mu.Lock()
	r.lost++
	r.mu.Unlock()
	model := ""
	if row.ResponseModel != nil {
		model = *row.ResponseModel
	}
	r.fail(task, err, spent{row.Attempts, tokensOf(row), model})
}

// end begins no further call, because the folder failed.
func (r *qaRun) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.breakOff(err)
}

// breakOff is end for a caller that holds mu.
func (r *qaRun) breakOff(err error) {
	if r.broken == nil {
		r.broken = err
		close(r.over)
	}
	for _, drop := range r.resting {
		drop() // rows that wait between two calls; nothing is sent any more
	}
}

// lostAnswers is the end of a run whose folder failed, whatever was noticed
// first, when answers were lost by it.
type lostAnswers struct {
	broken error
	n      int
}

func (e *lostAnswers) Error() string {
	return fmt.Sprintf("%s\n%s paid for could not be stored", e.broken, plural(e.n, "answer that was", "answers that were"))
}

func (e *lostAnswers) Unwrap() []error { return []error{e.broken, ErrNotStored} }
