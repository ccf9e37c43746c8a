// Graded results beside rows that change: they are never overwritten, so a row
// that is called again leaves them telling of an answer that is not there any
// more.

package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

// ErrGraded is a run that would pay for rows of a folder that is graded already;
// test with errors.Is.
var ErrGraded = errors.New("is graded already")

// GradedError is that folder.
type GradedError struct {
	Dir   string
	Names []string // the graded results that are there
	Rows  int      // that would be called
}

func (e *GradedError) Error() string {
	return fmt.Sprintf("run folder %s %v (%s): %s be called and paid for, and these results would no longer be those of the rows. "+
		"Move them away first and run grade-qa afterwards, choose another folder, or add --regrade to call all the same",
		e.Dir, ErrGraded, strings.Join(e.Names, ", "), plural(e.Rows, "row would", "rows would"))
}

// Unwrap gives ErrGraded.
func (e *GradedError) Unwrap() error { return ErrGraded }

// graded refuses to call rows of a graded folder; where that was confirmed, it
// tells what becomes of the results.
func (r *qaRun) graded() error {
	var found *rundir.ExistsError
	if !errors.As(r.dir.CheckNew(report.GradeFiles()...), &found) {
		return nil
	}
	if !r.options.Regrade {
		return &GradedError{Dir: r.task.Dir, Names: found.Names, Rows: len(r.pending)}
	}
	r.emit.note(fmt.Sprintf("the graded results (%s) are stale once a row is stored: move them away then, and run grade-qa again", strings.Join(found.Names, ", ")))
	return nil
}

// ErrStale is graded results of other answers than are stored now; test with
// errors.Is.
var ErrStale = errors.New("graded results of other answers than are stored now")

// StaleError is a folder with such results.
type StaleError struct {
	Dir   string
	Names []string
	Err   error // what was refused for it
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("run folder %s holds %v: %s. Move these away and grade again; results are never overwritten",
		e.Dir, ErrStale, strings.Join(e.Names, ", "))
}

// Unwrap gives ErrStale and the refusal.
func (e *StaleError) Unwrap() []error { return []error{ErrStale, e.Err} }

// stale says of a folder whose results are refused that they are those of other
// answers, where they are; else it gives the refusal.
func stale(dir *rundir.Dir, refusal error, made []report.GradedRow) error {
	var found *rundir.ExistsError
	if !errors.As(refusal, &found) {
		return refusal
	}
	stored, err := dir.Read(report.QARowsFile)
	if err != nil || bytes.Equal(stored, report.QARows(made)) {
		return refusal
	}
	all := &rundir.ExistsError{}
	errors.As(dir.CheckNew(report.GradeFiles()...), &all)
	return &StaleError{Dir: dir.Path(), Names: all.Names, Err: refusal}
}

// otherHost tells that rows of one run are answered by several hosts.
func (r *qaRun) otherHost() {
	host := hostOf(r.options.Answerer)
	var others []string
	for _, h := range r.history.hosts {
		if h != host {
			others = append(others, h)
		}
	}
	if host != "" && len(others) > 0 {
		r.emit.note(fmt.Sprintf("this start asks %s; earlier ones asked %s", host, strings.Join(others, ", ")))
	}
}
