// The few calls that change a disk, behind an interface so that a test can
// make each of them fail.

package rundir

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// pendingFile is a file that has no name of its own yet.
type pendingFile interface {
	io.Writer
	Name() string // where it is meanwhile
	Sync() error
	Close() error                  // synced
	CloseAtomicallyReplace() error // take the name, whoever has it; synced
	Stands() bool                  // it has a name, wherever its folder is now
	Cleanup() error                // close it; remove what has not taken a name
}

type fileSystem interface {
	newFile(path string) (pendingFile, error)
	// publish gives the file at temp the name path unless that is taken
	// (syscall.EEXIST). temp may or may not be left.
	publish(temp, path string) error
	rename(temp, path string) error // whoever has the name
	mkdir(path string) error
	syncDir(path string) error
}

// linkError is what os.Link and os.Rename return.
type linkError = os.LinkError

type disk struct{}

// newFile makes one beside the target, never in the system's folder for
// temporary files: the last step must not cross file systems, and a stale file
// should be found where the run is.
func (disk) newFile(path string) (pendingFile, error) { return newPending(path) }

// publish links, because link(2) is the portable call that never replaces a
// name. File systems without links get the kernel's exclusive rename and, for
// want of that too, a look before the rename; the folder's lock keeps our own
// processes out of that gap.
func (disk) publish(temp, path string) error {
	err := os.Link(temp, path)
	if !cannotLink(err) {
		return err
	}
	if err = renameExclusive(temp, path); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return syscall.EEXIST
	}
	return os.Rename(temp, path)
}

func cannotLink(err error) bool {
	for _, cause := range []error{errors.ErrUnsupported, syscall.EPERM, syscall.EMLINK, syscall.EXDEV} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

func (disk) rename(temp, path string) error { return os.Rename(temp, path) }

func (disk) mkdir(path string) error { return os.Mkdir(path, 0o755) }

// syncDir puts the entries of a folder on disk. Some file systems cannot sync
// a folder and say so; there is nothing more to be done on them.
func (disk) syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
