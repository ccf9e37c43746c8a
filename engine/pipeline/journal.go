// A run's own record: every event of every start, written as it comes, and what
// it tells of the starts before.

package pipeline

import (
	"fmt"
	"sync"

	"deermem-tui/engine/rundir"
)

// journal writes a run's events into its folder as they come. It is for
// watching and for totals, and nothing in it decides which rows are called. But
// a request is in it before it is sent: where it cannot be written, nothing is
// sent. The zero journal takes nothing and never fails.
type journal struct {
	out *rundir.Appender

	mu  sync.Mutex
	err error // the first failure
}

func openJournal(dir *rundir.Dir) *journal {
	out, err := dir.Append(rundir.JournalFile)
	j := &journal{out: out}
	if err == nil {
		err = out.KeepRoom()
	}
	j.fail(err)
	return j
}

func (j *journal) add(event Event) {
	if j.out == nil || !lasting(event) {
		return
	}
	line, err := eventLine(event)
	if err == nil {
		err = j.out.Add(line) // after a failure too: there may be room again
	}
	j.fail(err)
}

func (j *journal) fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil && j.err == nil {
		j.err = fmt.Errorf("no call is made that could not be told of after a crash: %w", err)
	}
}

// failed says why the journal is not complete.
func (j *journal) failed() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// lasting tells whether an event says something that is not known without it.
func lasting(event Event) bool {
	switch e := event.(type) {
	case StageProgress:
		return false
	case RowChanged:
		return e.State != RowWaiting || e.Problem != ""
	}
	return true
}

func (j *journal) close() {
	if j.out != nil {
		_ = j.out.Close()
		j.out = nil
	}
}
