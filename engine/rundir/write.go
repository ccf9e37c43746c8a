// Writing a file so that it is there whole or not at all, even if the power
// fails: write beside it, sync, take the name, sync the folder.

package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// WriteNew writes a result. One that exists is never touched: of two processes
// that write the same name exactly one succeeds, and the other fails with an
// *ExistsError. Other failures are a *FileError and leave nothing behind, but
// that a folder whose entries could not be synced may hold the whole file.
func (d *Dir) WriteNew(name string, data []byte) error {
	p, err := d.file(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(p); err == nil {
		return &ExistsError{Dir: d.path, Names: []string{name}}
	}
	err = d.write(p, data, func(f pendingFile) error {
		if err := f.Sync(); err != nil {
			return err
		}
		if err := d.fs.publish(f.Name(), p); err != nil {
			return err
		}
		f.Cleanup() // after a link the temporary name still stands
		return nil
	})
	if errors.Is(err, syscall.EEXIST) {
		return &ExistsError{Dir: d.path, Names: []string{name}}
	}
	if err != nil {
		return d.fault(opWrite, p, err)
	}
	return nil
}

// Replace writes a file that may exist: its old bytes or its new ones are
// there, never a mixture. Failures are a *FileError, and keep the old bytes.
func (d *Dir) Replace(name string, data []byte) error {
	p, err := d.file(name)
	if err != nil {
		return err
	}
	if err := d.write(p, data, pendingFile.CloseAtomicallyReplace); err != nil {
		return d.fault(opWrite, p, err)
	}
	return nil
}

// write writes a temporary file beside p; takeName syncs it and gives it the name.
func (d *Dir) write(p string, data []byte, takeName func(pendingFile) error) error {
	f, err := d.fs.newFile(p)
	if err != nil {
		return err
	}
	defer f.Cleanup() // does nothing once the name is taken
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := takeName(f); err != nil {
		return err
	}
	return d.fs.syncDir(filepath.Dir(p))
}

// isOurs tells the lock and temporary files from results and rows.
func isOurs(name string) bool { return name == LockFile || tempName.MatchString(name) }

// sweep removes temporary files of writers that died. The caller holds the
// lock, so none of them is being written.
func (d *Dir) sweep() {
	for _, dir := range []string{d.path, filepath.Join(d.path, ResponsesDir), filepath.Join(d.path, OwnDir)} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // nothing to sweep, or no way to; readers ignore them anyway
		}
		for _, entry := range entries {
			if entry.Type().IsRegular() && tempName.MatchString(entry.Name()) {
				os.Remove(filepath.Join(dir, entry.Name()))
			}
		}
	}
}
