package main

import (
	"errors"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// The exit codes of every command.
const (
	exitDone    = 0
	exitFailed  = 1 // the work failed: which rows, why
	exitRefused = 2 // wrong use, or an input that was refused
)

// usageError is a wrong use of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// exitCode tells by its type whether an error is a refusal or failed work.
func exitCode(err error) int {
	var file *rundir.FileError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, rundir.ErrDiskFull), errors.Is(err, pipeline.ErrNotStored), errors.Is(err, rundir.ErrLost):
		return exitFailed // the work was under way
	case matches[usageError](err), matches[*study.FileError](err), matches[*study.LocationError](err),
		matches[*rundir.ExistsError](err), matches[*rundir.IdentityError](err), matches[*rundir.LockedError](err),
		matches[*rundir.NameError](err), errors.Is(err, rundir.ErrBadIdentity), errors.Is(err, answer.ErrOptions), errors.Is(err, pipeline.ErrMixed), errors.Is(err, pipeline.ErrGraded):
		return exitRefused
	case errors.As(err, &file) && file.Kind != nil:
		return exitRefused // a folder that is missing, no folder, or read-only
	}
	return exitFailed
}

func matches[E error](err error) bool {
	var target E
	return errors.As(err, &target)
}
