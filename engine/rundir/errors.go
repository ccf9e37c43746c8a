// What can go wrong with a folder, in words that say which file and what to do.

package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"deermem-tui/engine/plainfile"
)

// What callers decide on; test with errors.Is.
var (
	ErrExists    = errors.New("already exists")
	ErrLocked    = errors.New("being written by another process")
	ErrReadOnly  = errors.New("cannot be written")
	ErrDiskFull  = errors.New("the disk is full")
	ErrDenied    = errors.New("cannot be read")
	ErrMissing   = errors.New("does not exist")
	ErrNotFolder = errors.New("not a folder")
	ErrName      = errors.New("not a usable file name")
	ErrNotFile   = errors.New("not a regular file")
	ErrLink      = errors.New("a link")
	ErrLost      = errors.New("the right to write was lost")
)

// What was being done; those of reading first.
const (
	opOpen   = "open"
	opRead   = "read"
	opList   = "list"
	opCreate = "create"
	opFind   = "look for"
	opWrite  = "write"
	opProbe  = "write to"
	opLock   = "lock"
)

// FileError is an operation on one file or folder that failed. It is one of
// the kinds above, where the cause is one of them, and wraps the system's error.
type FileError struct {
	Op   string // "write", "read", ...
	Path string
	Kind error // nil for a cause of no kind
	Err  error // the system's
}

func (e *FileError) Error() string {
	head := fmt.Sprintf("%s %s: ", e.Op, e.Path)
	switch e.Kind {
	case ErrDiskFull:
		return head + "the disk is full; nothing half-written is left: free some space and start again"
	case ErrReadOnly:
		return head + fmt.Sprintf("it cannot be written (%v): choose another folder or make this one writable", e.Err)
	case ErrDenied:
		return head + fmt.Sprintf("it cannot be read (%v): check its permissions", e.Err)
	case ErrMissing:
		return head + "it, or the folder it is in, does not exist: check the path, or whether the folder was moved or deleted"
	case ErrNotFolder:
		return head + fmt.Sprintf("a part of this path is not a folder (%v): choose another path", e.Err)
	case ErrNotFile:
		return head + "a regular file is expected there, and something else is (a link, a folder, a pipe): move it away"
	case ErrLink:
		return head + "a folder is expected there, and a link stands in its place, which would lead what is written elsewhere: put a real folder there"
	case ErrName:
		return head + fmt.Sprintf("the system refuses the name (%v): shorten it", e.Err)
	}
	return head + fmt.Sprintf("%v: look after the disk or the path, then start again", e.Err)
}

// Unwrap gives the kind and the cause.
func (e *FileError) Unwrap() []error {
	if e.Kind == nil {
		return []error{e.Err}
	}
	return []error{e.Kind, e.Err}
}

// errLink is a link where a folder of the run should be.
var errLink = errors.New("it is a link")

// fault classifies err, the failure of op on the file at p.
func (d *Dir) fault(op, p string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // p is named already, and may be a temporary file's there
	}
	var link *linkError
	if errors.As(err, &link) {
		err = link.Err
	}
	kind := kindOf(err)
	if errors.Is(err, plainfile.ErrNotRegular) {
		kind = ErrNotFile
	}
	if errors.Is(err, errLink) {
		kind = ErrLink
	}
	if kind == ErrReadOnly && (op == opOpen || op == opRead || op == opList) {
		kind = ErrDenied
	}
	return &FileError{Op: op, Path: p, Kind: kind, Err: err}
}

func kindOf(err error) error {
	for _, k := range []struct{ cause, kind error }{
		{syscall.ENOSPC, ErrDiskFull},
		{syscall.EDQUOT, ErrDiskFull},
		{syscall.EROFS, ErrReadOnly},
		{syscall.EACCES, ErrReadOnly},
		{syscall.EPERM, ErrReadOnly},
		{syscall.ENOENT, ErrMissing},
		{syscall.ENOTDIR, ErrNotFolder},
		{syscall.ELOOP, ErrNotFolder},
		{syscall.EEXIST, ErrNotFolder}, // something else has a folder's name
		{syscall.ENAMETOOLONG, ErrName},
	} {
		if errors.Is(err, k.cause) {
			return k.kind
		}
	}
	return nil
}

// ExistsError names results that exist where new ones were to be written.
type ExistsError struct {
	Dir   string
	Names []string
}

func (e *ExistsError) Error() string {
	verb := "exists"
	if len(e.Names) > 1 {
		verb = "exist"
	}
	return fmt.Sprintf("run folder %s: %s already %s, and results are never overwritten: choose another folder, or move them away",
		e.Dir, strings.Join(e.Names, ", "), verb)
}

// Unwrap gives ErrExists.
func (e *ExistsError) Unwrap() error { return ErrExists }

// NameError is an ID that cannot name a file in the folder.
type NameError struct {
	Name string
	Err  error // what is wrong; it quotes the name
}

func (e *NameError) Error() string { return fmt.Sprintf("no file can be named so: %v", e.Err) }

// Unwrap gives ErrName and the cause.
func (e *NameError) Unwrap() []error { return []error{ErrName, e.Err} }
