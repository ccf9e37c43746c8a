// Putting a report on disk: all four files, in a folder of their own, and never
// over another.

package page

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"deermem-tui/engine/rundir"
)

// ErrInsideRun is a folder for a report that is a run's; test with errors.Is.
var ErrInsideRun = errors.New("a report does not lie among a run's files")

// CheckFolder makes sure that a report's folder is neither the run's own nor
// below it: what lies there is published, read and hashed as the run's.
func CheckFolder(folder, run string) error {
	at, root := resolved(folder), resolved(run)
	relative, err := filepath.Rel(root, at)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return nil
	}
	return fmt.Errorf("%s: %w: choose a folder outside %s", folder, ErrInsideRun, run)
}

// resolved gives the path that a name leads to, links followed as far as it is
// there already.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	missing := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, missing)
		}
		if filepath.Dir(at) == at {
			return path
		}
		missing = filepath.Join(filepath.Base(at), missing)
	}
}

// TakenError is a folder that holds files of another report; it is a
// rundir.ErrExists.
type TakenError struct {
	Folder string
	Names  []string
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("the folder %q holds %s already, and a report is never overwritten: choose another folder, or move what is there away", e.Folder, strings.Join(e.Names, ", "))
}

// Unwrap gives rundir.ErrExists.
func (e *TakenError) Unwrap() error { return rundir.ErrExists }

// taken tells of a report in the words of reports what rundir tells of a run.
func taken(err error) error {
	var found *rundir.ExistsError
	if errors.As(err, &found) {
		return &TakenError{Folder: found.Dir, Names: found.Names}
	}
	return err
}

// Write writes the files of a report into a folder, which is made where it is
// missing. A file that exists is never touched: of two processes that write
// different reports into one folder exactly one succeeds, and the other fails
// with a *TakenError; where both write the same one, either may complete it.
// Of a report that a killed process left incomplete, what says the same is kept
// and the rest is added. Other failures are those of rundir; what was written
// until then is taken away again, and the folder too where it was made for the
// report. A name that is a link to a folder is followed, as any program does, but
// for one that leads into the run: CheckFolder looks where it leads.
func Write(folder string, files map[string][]byte) error { return write(folder, files, func() {}) }

// write tells looked once it knows which files to write.
func write(folder string, files map[string][]byte, looked func()) (err error) {
	defer func() { err = taken(err) }()
	_, missing := os.Lstat(folder)
	dir, err := rundir.Create(folder)
	if err != nil {
		return err
	}
	var written []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range written {
			_ = os.Remove(filepath.Join(folder, name))
		}
		if missing != nil {
			_ = os.Remove(folder) // only where it is empty
		}
	}()
	names, err := lacking(dir, files)
	if err != nil {
		return err
	}
	looked()
	for _, name := range names {
		err := dir.WriteNew(name, files[name])
		switch {
		case err == nil:
			written = append(written, name)
		case errors.Is(err, rundir.ErrExists) && says(dir, name, files[name]):
			// another process completes the same report
		default:
			return err
		}
	}
	return nil
}

// says tells whether a file holds these bytes.
func says(dir *rundir.Dir, name string, data []byte) bool {
	found, err := dir.Read(name)
	return err == nil && bytes.Equal(found, data)
}

// lacking gives the files that are not there. A whole report, and a file that
// says something else, are refused with a *rundir.ExistsError that names all of
// them.
func lacking(dir *rundir.Dir, files map[string][]byte) ([]string, error) {
	refusal := dir.CheckNew(Names()...)
	var found *rundir.ExistsError
	if !errors.As(refusal, &found) {
		return Names(), refusal
	}
	if len(found.Names) == len(Names()) {
		return nil, refusal
	}
	other := &rundir.ExistsError{Dir: found.Dir}
	var names []string
	for _, name := range Names() {
		switch {
		case !slices.Contains(found.Names, name):
			names = append(names, name)
		case !says(dir, name, files[name]):
			other.Names = append(other.Names, name)
		}
	}
	if len(other.Names) > 0 {
		return nil, other
	}
	return names, nil
}
