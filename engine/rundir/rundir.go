// Package rundir is a run's folder on disk: results that are written once,
// rows that are written one at a time, and one writer at a time.
//
// A result appears under its name whole or not at all, whatever happens to the
// process or the machine, and is never overwritten. A row may be called again,
// so its file is replaced, just as atomically. The folder holds what the
// reference implementation's holds, byte for byte but for one key in the rows
// that it passes over; ours besides are a folder for the journal and for
// decisions, a lock file while somebody writes, and temporary files, which
// readers ignore.
package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"deermem-tui/engine/plainfile"
	"deermem-tui/protocol/manifest"
)

// ResponsesDir is the folder of the rows inside a run folder.
const ResponsesDir = "responses"

// Dir is a run folder. It keeps no state of the disk, so it stays right when
// another process writes, and may be used by several goroutines.
type Dir struct {
	path string
	fs   fileSystem
}

// Open gives the run folder at dir, which must exist. Reading takes no lock.
// It fails with ErrMissing or ErrNotFolder.
func Open(dir string) (*Dir, error) {
	d := &Dir{path: dir, fs: disk{}}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, d.fault(opOpen, dir, err)
	}
	if !info.IsDir() {
		return nil, d.fault(opOpen, dir, syscall.ENOTDIR)
	}
	return d, nil
}

// Create gives the run folder at dir and makes it, with its parents, where it
// is missing. It fails with ErrNotFolder, ErrReadOnly or ErrDiskFull.
func Create(dir string) (*Dir, error) {
	d := &Dir{path: dir, fs: disk{}}
	missing := firstMissing(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, d.fault(opCreate, dir, err)
	}
	// A folder survives a crash once its parent's entry is on disk.
	for made := filepath.Clean(dir); missing != ""; made = filepath.Dir(made) {
		if err := d.fs.syncDir(filepath.Dir(made)); err != nil {
			return nil, d.fault(opCreate, made, err)
		}
		if made == missing {
			break
		}
	}
	return Open(dir)
}

// firstMissing gives the topmost part of dir that does not exist, or "".
func firstMissing(dir string) string {
	missing := ""
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing = dir
		if filepath.Dir(dir) == dir {
			return missing
		}
	}
}

// Path gives the folder as it was named to Open or Create.
func (d *Dir) Path() string { return d.path }

// SafeName says whether id can be a file's name, or part of one, by the rule
// that manifests keep for case IDs. The error is a *NameError.
func SafeName(id string) error {
	if err := manifest.CheckCaseID(id); err != nil {
		return &NameError{Name: id, Err: err}
	}
	return nil
}

// maxName is the longest name that file systems take, in bytes.
const maxName = 255

// CheckRowID says whether a row with this ID can have a file at all, whatever
// the disk. The error is a *NameError.
func CheckRowID(id string) error {
	if err := SafeName(id); err != nil {
		return err
	}
	if most := maxName - len(rowSuffix); len(id) > most {
		return &NameError{Name: id, Err: fmt.Errorf("%q is %d characters long, a row's name at most %d; shorten the case ID", id, len(id), most)}
	}
	return nil
}

// file gives the path of name, which may be in the folder of the rows or in
// this program's own.
func (d *Dir) file(name string) (string, error) {
	base := strings.TrimPrefix(strings.TrimPrefix(name, ResponsesDir+"/"), OwnDir+"/")
	if err := SafeName(base); err != nil {
		return "", err
	}
	return filepath.Join(d.path, filepath.FromSlash(name)), nil
}

// maxFileBytes bounds what is read of one file: far above any result, far
// below what a foreign file could take of memory.
const maxFileBytes = 256 << 20

// Read gives the bytes of a result. A missing one fails with ErrMissing.
func (d *Dir) Read(name string) ([]byte, error) {
	p, err := d.file(name)
	if err != nil {
		return nil, err
	}
	data, err := plainfile.Read(p, maxFileBytes)
	if err != nil {
		return nil, d.fault(opRead, p, err)
	}
	return data, nil
}

// CheckNew makes sure that none of the results named exists, so that a command
// can refuse before it works. The error is an *ExistsError that names all that
// do.
func (d *Dir) CheckNew(names ...string) error {
	var found []string
	for _, name := range names {
		p, err := d.file(name)
		if err != nil {
			return err
		}
		_, err = os.Lstat(p)
		switch {
		case err == nil:
			found = append(found, name)
		case !errors.Is(err, fs.ErrNotExist):
			return d.fault(opFind, p, err)
		}
	}
	if len(found) > 0 {
		return &ExistsError{Dir: d.path, Names: found}
	}
	return nil
}

// CheckWritable writes and removes a small file, so that a read-only or full
// disk is known before any work is done.
func (d *Dir) CheckWritable() error { return d.probe(d.path) }

func (d *Dir) probe(folder string) error {
	pending, err := d.fs.newFile(filepath.Join(folder, probeName))
	if err != nil {
		return d.fault(opProbe, folder, err)
	}
	defer pending.Cleanup()
	if _, err = pending.Write(make([]byte, 4096)); err == nil {
		err = pending.Sync()
	}
	if err != nil {
		return d.fault(opProbe, folder, err)
	}
	return nil
}

// probeName is the name CheckWritable's file would have; it never gets it.
const probeName = "writable-probe.json"

// Names lists the files of the folder and of its rows, sorted, those of ours
// left out (lock and temporary files). Rows are `responses/{name}`.
func (d *Dir) Names() ([]string, error) {
	var names []string
	for _, sub := range []string{"", ResponsesDir} {
		entries, err := os.ReadDir(filepath.Join(d.path, sub))
		if err != nil {
			if sub != "" && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return nil, d.fault(opList, filepath.Join(d.path, sub), err)
		}
		for _, entry := range entries {
			if !entry.IsDir() && !isOurs(entry.Name()) {
				names = append(names, path.Join(sub, entry.Name()))
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
