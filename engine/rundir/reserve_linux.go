package rundir

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve takes room on the disk behind a file's end without making it longer.
// Where that cannot be done nothing is.
func reserve(f *os.File, from, bytes int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, from, bytes)
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return err
	}
	return nil
}
