// Who answers a run: a folder's rows are of one kind of answerer, unless
// somebody says otherwise.

package pipeline

import (
	"errors"
	"fmt"

	"deermem-tui/engine/rundir"
)

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
