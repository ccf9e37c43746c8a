// When a stored row may stand for a call.

package rundir

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// ErrMismatch is a stored row that answers another question than the one
// asked; test with errors.Is.
var ErrMismatch = errors.New("the row was made for another task")

// Task is a row to be, as the protocol now computes it.
type Task struct {
	RowID       string // `{case}__{policy}`
	CaseID      string
	Source      string
	Scenario    string
	Policy      string
	Capacity    int
	KeptFactIDs []string // in the selector's order
	Fingerprint string   // of the request's body
}

// MismatchError is the first field in which a row differs from its task.
type MismatchError struct {
	RowID    string // the task's
	Field    string // as in the file
	Expected string
	Found    string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("row %s: %s is %s, the protocol gives %s", e.RowID, e.Field, e.Found, e.Expected)
}

// Unwrap gives ErrMismatch.
func (e *MismatchError) Unwrap() error { return ErrMismatch }

// Matches says whether the row may be reused for the task: everything that
// identifies the answer is equal. The error is a *MismatchError. (That the
// schema is 1 and the prediction a string holds of every Row.)
func (r Row) Matches(task Task) error {
	for _, f := range []struct{ field, expected, found string }{
		{"row_id", task.RowID, r.RowID},
		{"case_id", task.CaseID, r.CaseID},
		{"source", task.Source, r.Source},
		{"scenario", task.Scenario, r.Scenario},
		{"policy", task.Policy, r.Policy},
	} {
		if f.expected != f.found {
			return &MismatchError{task.RowID, f.field, strconv.Quote(f.expected), strconv.Quote(f.found)}
		}
	}
	if r.Capacity != task.Capacity {
		return &MismatchError{task.RowID, "capacity", strconv.Itoa(task.Capacity), strconv.Itoa(r.Capacity)}
	}
	if !slices.Equal(r.KeptFactIDs, task.KeptFactIDs) {
		return &MismatchError{task.RowID, "kept_fact_ids", fmt.Sprintf("%q", task.KeptFactIDs), fmt.Sprintf("%q", r.KeptFactIDs)}
	}
	if r.RequestFingerprint != task.Fingerprint {
		return &MismatchError{task.RowID, "request_fingerprint", strconv.Quote(task.Fingerprint), strconv.Quote(r.RequestFingerprint)}
	}
	return nil
}
