// One writer at a time: a lock the system drops when its holder dies, in a file
// that says who the holder is.

package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"deermem-tui/engine/plainfile"
)

// LockFile is the lock's name in a run folder. It is there while somebody
// writes, and after a writer that was killed; it alone locks nothing.
const LockFile = ".deermem-tui.lock"

// Writer says who writes a run folder.
type Writer struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Command string    `json:"command"` // "run-qa"
	Started time.Time `json:"started_at"`
}

// LockedError is a folder that has a writer. Writer is zero where the holder
// could not be read.
type LockedError struct {
	Dir    string
	Writer Writer
}

func (e *LockedError) Error() string {
	if e.Writer == (Writer{}) {
		return fmt.Sprintf("run folder %s is being written by another process: wait for it to end, or stop it", e.Dir)
	}
	return fmt.Sprintf("run folder %s is being written by pid %d (%s, since %s) on host %s: wait for it to end, or stop it",
		e.Dir, e.Writer.PID, e.Writer.Command, e.Writer.Started.UTC().Format("2006-01-02 15:04:05 UTC"), e.Writer.Host)
}

// Unwrap gives ErrLocked.
func (e *LockedError) Unwrap() error { return ErrLocked }

// Lock is the right to write a run folder.
type Lock struct {
	dir    *Dir
	folder os.FileInfo // as it was when the right was taken
	file   *flock.Flock
	inside map[string]os.FileInfo // by name: what must stay what it was
	left   *Writer                // of another host, whose lock stood here and was not held
	once   sync.Once
	err    error
}

// Lock takes the right to write and leaves who in the lock file. A folder that
// has a writer is refused with a *LockedError that names it, after a twentieth
// of a second at most: a look by Writing holds the lock for an instant, and a
// new holder needs one to write its name. The lock of a dead process is taken, and its temporary files removed.
// A folder that cannot be written is refused with a *FileError.
func (d *Dir) Lock(who Writer) (*Lock, error) {
	p := filepath.Join(d.path, LockFile)
	// A link would make a file somewhere else, and a folder cannot be locked.
	if info, err := os.Lstat(p); err == nil && !info.Mode().IsRegular() {
		return nil, d.fault(opLock, p, plainfile.ErrNotRegular)
	}
	folder, err := os.Stat(d.path)
	if err != nil {
		return nil, d.fault(opLock, d.path, err)
	}
	for try := 1; ; try++ {
		file := flock.New(p, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
		ok, err := file.TryLock()
		if err != nil {
			return nil, d.fault(opLock, p, err)
		}
		// A holder removes the file as it lets go, so the file just locked may no
		// longer be the one under the name.
		if ok && isNamed(file, p) {
			before, _ := d.readWriter()
			if err := writeWriter(p, who); err != nil {
				os.Remove(p)
				file.Unlock()
				return nil, d.fault(opLock, p, err)
			}
			d.sweep()
			lock := &Lock{dir: d, folder: folder, file: file}
			if before.Host != "" && before.Host != who.Host {
				lock.left = &before
			}
			return lock, nil
		}
		file.Unlock()
		if try == lockTries {
			holder, _ := d.readWriter()
			return nil, &LockedError{Dir: d.path, Writer: holder}
		}
		time.Sleep(lockPause)
	}
}

// Left tells of a writer on another host whose lock stood in the folder and was
// taken, because the system says that nobody holds it; empty where there was
// none. Of a copied folder that is right. On a share whose locks other machines
// do not see, that writer may be at work: whoever takes the lock says so.
func (l *Lock) Left() string {
	if l.left == nil {
		return ""
	}
	w := *l.left
	return fmt.Sprintf("a lock of host %s stood here (%s, pid %d, since %s). Nobody holds it as far as this machine can tell; on a shared disk make sure that nothing writes there",
		w.Host, w.Command, w.PID, w.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
}

const (
	lockTries = 10
	lockPause = 5 * time.Millisecond
)

// isNamed tells whether the locked file is the one at p.
func isNamed(file *flock.Flock, p string) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(p)
	return err == nil && os.SameFile(locked, named)
}

// Watch has Check look after a file or a folder inside the run folder too: it
// must stay the one that it is now. It is called before the lock is shared.
func (l *Lock) Watch(name string) error {
	p := filepath.Join(l.dir.path, filepath.FromSlash(name))
	info, err := os.Lstat(p)
	if err != nil {
		return l.dir.fault(opFind, p, err)
	}
	if l.inside == nil {
		l.inside = map[string]os.FileInfo{}
	}
	l.inside[name] = info
	return nil
}

// Check makes sure that the right still stands: the folder under the name is
// the one that was locked, and so is the lock file in it and what is watched.
// Somebody may have moved or deleted either, and another process may be writing
// by now. The error is a *LostError.
func (l *Lock) Check() error {
	if err := l.checkFolder(); err != nil {
		return err
	}
	err := l.checkInside()
	if err == nil {
		return nil
	}
	// The folder may have gone between the two: then that is what happened.
	if gone := l.checkFolder(); gone != nil {
		return gone
	}
	return err
}

func (l *Lock) checkFolder() error {
	folder, err := os.Stat(l.dir.path)
	switch {
	case err != nil:
		return &LostError{Dir: l.dir.path, Folder: true, Err: l.dir.fault(opFind, l.dir.path, err)}
	case !os.SameFile(folder, l.folder):
		return &LostError{Dir: l.dir.path, Folder: true}
	}
	return nil
}

func (l *Lock) checkInside() error {
	if !isNamed(l.file, l.file.Path()) {
		return &LostError{Dir: l.dir.path}
	}
	for name, was := range l.inside {
		p := filepath.Join(l.dir.path, filepath.FromSlash(name))
		switch is, err := os.Lstat(p); {
		case err != nil:
			return &LostError{Dir: l.dir.path, Name: name, Err: l.dir.fault(opFind, p, err)}
		case !os.SameFile(is, was):
			return &LostError{Dir: l.dir.path, Name: name}
		}
	}
	return nil
}

// LostError is a folder whose lock does not protect this process any more.
type LostError struct {
	Dir    string
	Folder bool   // the folder itself is another one, or gone
	Name   string // what inside it is another one, or gone; the lock file where empty
	Err    error  // the system's, if any
}

func (e *LostError) Error() string {
	if e.Folder {
		return fmt.Sprintf("run folder %s was moved, deleted or replaced while this process wrote it: put it back, then run again; rows that were stored before are in it", e.Dir)
	}
	if e.Name != "" {
		return fmt.Sprintf("run folder %s: %s in it was moved, deleted or replaced while this process wrote there: put it back, then run again", e.Dir, e.Name)
	}
	return fmt.Sprintf("run folder %s: its lock file %s was removed while this process held it, so another process may be writing there: make sure that none is, then run again", e.Dir, LockFile)
}

// Unwrap gives ErrLost and the cause.
func (e *LostError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrLost}
	}
	return []error{ErrLost, e.Err}
}

// Unlock gives the folder free and removes the lock file, so that a finished
// folder holds results only. Further calls do nothing.
func (l *Lock) Unlock() error {
	l.once.Do(func() {
		// First the file, then the lock: the other way round a new holder's file
		// could be removed. Where it cannot be removed it does no harm.
		if isNamed(l.file, l.file.Path()) {
			os.Remove(l.file.Path())
		}
		if err := l.file.Unlock(); err != nil {
			l.err = fmt.Errorf("unlock %s: %w", l.file.Path(), err)
		}
	})
	return l.err
}

// Writing tells who writes the folder now, and whether anybody does. It takes
// no lock and changes nothing, so it also works on a read-only folder.
func (d *Dir) Writing() (Writer, bool) {
	p := filepath.Join(d.path, LockFile)
	// A shared lock on the existing file; a writer's is exclusive.
	file := flock.New(p, flock.SetFlag(os.O_RDONLY))
	defer file.Close()
	free, err := file.TryRLock()
	if err != nil || free {
		return Writer{}, false
	}
	who, err := d.readWriter()
	return who, err == nil || !errors.Is(err, os.ErrNotExist)
}

// readWriter reads who holds the lock. The holder may be about to write it.
func (d *Dir) readWriter() (Writer, error) {
	var who Writer
	data, err := plainfile.Read(filepath.Join(d.path, LockFile), 1<<16)
	if err != nil {
		return who, err
	}
	if err := json.Unmarshal(data, &who); err != nil {
		return Writer{}, err
	}
	return who, nil
}

// writeWriter leaves who in the lock file itself: a new file would not be the
// one that is locked.
func writeWriter(p string, who Writer) error {
	data, err := json.Marshal(who)
	if err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // a locked file can be written by nobody there; the holder stays unnamed
	}
	return os.WriteFile(p, append(data, '\n'), 0o644)
}
