// Linux can rename without replacing, which file systems without hard links
// often support.

package rundir

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameExclusive(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) { // how a file system says it cannot
		return errors.ErrUnsupported
	}
	return err
}
