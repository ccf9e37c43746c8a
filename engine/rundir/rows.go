// The rows of a folder: reading one, writing one, and taking stock of all,
// whatever else has found its way among them.

package rundir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"deermem-tui/engine/plainfile"
)

// What can be wrong with a row's file; test with errors.Is.
var (
	ErrNoRow   = errors.New("no such row")                // no file of that name
	ErrTorn    = errors.New("not a whole file")           // empty, cut off, or not JSON
	ErrForeign = errors.New("not a row")                  // JSON, but of something else
	ErrRenamed = errors.New("the row of another name")    // its row_id is not its name
	ErrUnread  = errors.New("the file could not be read") // permissions, a failing disk
)

// RowError is a file among the rows that cannot be used as one. It wraps one
// of the errors above and the cause.
type RowError struct {
	RowID string // from the file's name; empty where that names no row
	Path  string
	Err   error
}

func (e *RowError) Error() string { return fmt.Sprintf("row file %s: %v", e.Path, e.Err) }

// Unwrap gives the cause.
func (e *RowError) Unwrap() error { return e.Err }

// maxRowBytes bounds one row's file. The largest answer a protocol allows is a
// thousandth of it.
const maxRowBytes = 16 << 20

const rowSuffix = ".json"

// RowID names the row of a case under a policy.
func RowID(caseID, policy string) string { return caseID + "__" + policy }

// RowFile gives the name of a row's file in the run folder.
func RowFile(rowID string) string { return ResponsesDir + "/" + rowID + rowSuffix }

// ReadRow reads one row. The error is a *NameError or a *RowError.
func (d *Dir) ReadRow(rowID string) (Row, error) {
	p, err := d.file(RowFile(rowID))
	if err != nil {
		return Row{}, err
	}
	row, err := readRow(p, rowID)
	if err != nil {
		return Row{}, &RowError{RowID: rowID, Path: p, Err: err}
	}
	return row, nil
}

func readRow(p, rowID string) (Row, error) {
	data, err := plainfile.Read(p, maxRowBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENAMETOOLONG):
		return Row{}, fmt.Errorf("%w: run run-qa to ask for it", ErrNoRow)
	case errors.Is(err, plainfile.ErrNotRegular), errors.Is(err, plainfile.ErrTooLarge):
		return Row{}, fmt.Errorf("%w: %w", ErrForeign, err)
	case err != nil:
		return Row{}, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	row, err := ParseRow(data)
	if err == nil && row.RowID != rowID {
		err = fmt.Errorf("%w: row_id is %q, the file's name says %q", ErrRenamed, row.RowID, rowID)
	}
	return row, err
}

// WriteRow writes a row under its row_id and replaces what stood there. It
// makes the folder of the rows, but never the run folder: one that was moved
// or deleted meanwhile is an error.
func (d *Dir) WriteRow(row Row) error {
	name := RowFile(row.RowID)
	if _, err := d.file(name); err != nil {
		return err
	}
	data, err := row.encode()
	if err != nil {
		return err
	}
	if err := d.makeInside(ResponsesDir); err != nil {
		return err
	}
	return d.Replace(name, data)
}

// PutRow writes a row as WriteRow does, but leaves it to the caller to wait for
// the disk: once it returns the row outlives this process, and once Sync and
// SyncRows have returned it outlives a power failure too. In between, whoever
// asks the disk need not be whoever asks the provider.
func (d *Dir) PutRow(row Row) (*Put, error) {
	name := RowFile(row.RowID)
	p, err := d.file(name)
	if err != nil {
		return nil, err
	}
	data, err := row.encode()
	if err != nil {
		return nil, err
	}
	if err := d.makeInside(ResponsesDir); err != nil {
		return nil, err
	}
	f, err := d.fs.newFile(p)
	if err != nil {
		return nil, d.fault(opWrite, p, err)
	}
	_, err = f.Write(data)
	if err == nil && closedFirst {
		err = f.Close()
	}
	if err == nil {
		err = d.fs.rename(f.Name(), p)
	}
	if err != nil {
		f.Cleanup()
		return nil, d.fault(opWrite, p, err)
	}
	return &Put{dir: d, path: p, file: f}, nil
}

// Put is a row that stands under its name and may not be on the disk yet.
type Put struct {
	dir  *Dir
	path string
	file pendingFile
}

// Stands tells, before Sync is called, whether the row still has a name: also
// where its folder was moved meanwhile, not where it was deleted.
func (p *Put) Stands() bool { return p.file.Stands() }

// Sync puts the row's bytes on the disk. It is called once.
func (p *Put) Sync() error {
	defer p.file.Cleanup() // closes it; its temporary name is gone
	if err := p.file.Sync(); err != nil {
		return p.dir.fault(opWrite, p.path, err)
	}
	return nil
}

// SyncRows puts the names of the rows on the disk.
func (d *Dir) SyncRows() error {
	p := filepath.Join(d.path, ResponsesDir)
	if err := d.fs.syncDir(p); err != nil {
		return d.fault(opWrite, p, err)
	}
	return nil
}

// CheckStorable makes sure, as far as that can be known before, that rows with
// these IDs can be stored, so that no answer is paid for in vain: the folder of
// the rows takes a file, and no row's name is too long, a folder, or a file
// that must not be replaced.
func (d *Dir) CheckStorable(rowIDs ...string) error {
	if err := d.makeInside(ResponsesDir); err != nil {
		return err
	}
	if err := d.probe(filepath.Join(d.path, ResponsesDir)); err != nil {
		return err
	}
	for _, id := range rowIDs {
		if err := CheckRowID(id); err != nil {
			return err
		}
		p := filepath.Join(d.path, filepath.FromSlash(RowFile(id)))
		info, err := os.Lstat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return d.fault(opWrite, p, err)
		case info.IsDir():
			return d.fault(opWrite, p, plainfile.ErrNotRegular)
		case info.Mode().IsRegular():
			// Only a file that is marked immutable refuses its owner so.
			file, err := os.OpenFile(p, os.O_WRONLY, 0)
			if err == nil {
				file.Close()
			} else if errors.Is(err, syscall.EPERM) {
				return d.fault(opWrite, p, err)
			}
		}
	}
	return nil
}

// makeInside makes one of the folders inside the run folder where it is
// missing, never the run folder. A link in its place is refused: what is
// written would end up elsewhere.
func (d *Dir) makeInside(name string) error {
	p := filepath.Join(d.path, name)
	err := isFolder(p)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.fs.mkdir(p); err == nil {
			err = d.fs.syncDir(d.path)
		} else if errors.Is(err, syscall.EEXIST) {
			err = isFolder(p) // another goroutine made it
		}
	}
	if err != nil {
		return d.fault(opCreate, p, err)
	}
	return nil
}

// CheckFolders makes sure that the folders inside the run folder are such where
// they are there, and no links: what is written would end up elsewhere. The
// error is a *FileError.
func (d *Dir) CheckFolders() error {
	for _, name := range []string{ResponsesDir, OwnDir} {
		p := filepath.Join(d.path, name)
		if err := isFolder(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return d.fault(opFind, p, err)
		}
	}
	return nil
}

func isFolder(p string) error {
	info, err := os.Lstat(p)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return errLink
	case !info.IsDir():
		return syscall.ENOTDIR
	}
	return nil
}

// Rows gives every row of the folder, sorted by ID, and every file among them
// that cannot be used: torn, foreign, renamed or unreadable. Temporary files
// are passed over. It fails only where the folder cannot be listed; one without
// rows has none.
func (d *Dir) Rows() ([]Row, []*RowError, error) {
	folder := filepath.Join(d.path, ResponsesDir)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(d.path); err != nil {
			return nil, nil, d.fault(opList, d.path, err)
		}
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, d.fault(opList, folder, err)
	}
	var rows []Row
	var problems []*RowError
	for _, entry := range entries {
		name := entry.Name()
		if isOurs(name) {
			continue
		}
		p := filepath.Join(folder, name)
		rowID, isRow := strings.CutSuffix(name, rowSuffix)
		if !isRow || SafeName(rowID) != nil {
			problems = append(problems, &RowError{Path: p, Err: fmt.Errorf("%w: its name is not that of a row", ErrForeign)})
			continue
		}
		row, err := readRow(p, rowID)
		if errors.Is(err, ErrNoRow) {
			continue // removed since the folder was listed
		}
		if err != nil {
			problems = append(problems, &RowError{RowID: rowID, Path: p, Err: err})
			continue
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.RowID, b.RowID) })
	return rows, problems, nil
}
