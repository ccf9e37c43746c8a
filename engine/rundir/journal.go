// Files of this program's own in a run folder, in a folder of their own: the
// journal of a run, which others may watch while it grows, and the decisions a
// person took, which are never lost.

package rundir

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Names of the folder and the files. Nothing in them is needed to resume.
const (
	OwnDir        = "deermem-tui"
	JournalFile   = OwnDir + "/journal.jsonl"
	DecisionsFile = OwnDir + "/decisions.jsonl"
	StatesFile    = OwnDir + "/states.json"
)

// makeOwn makes the folder where it is missing, never the run folder.
func (d *Dir) makeOwn() error {
	p := filepath.Join(d.path, OwnDir)
	if info, err := os.Lstat(p); err == nil && info.IsDir() {
		return nil
	}
	if err := d.fs.mkdir(p); err != nil {
		return d.fault(opCreate, p, err)
	}
	if err := d.fs.syncDir(d.path); err != nil {
		return d.fault(opCreate, p, err)
	}
	return nil
}

// ReplaceOwn writes one of the own files whole, as Replace does.
func (d *Dir) ReplaceOwn(name string, data []byte) error {
	if err := d.makeOwn(); err != nil {
		return err
	}
	return d.Replace(name, data)
}

// Appender adds lines to one of the own files. Its methods may be called from
// several goroutines.
type Appender struct {
	mu   sync.Mutex
	dir  *Dir
	path string
	file *os.File
}

// Append opens one of the own files for adding lines and makes it where it is
// missing. A last line that was cut off is ended, so that it spoils no other.
func (d *Dir) Append(name string) (*Appender, error) {
	p, err := d.file(name)
	if err != nil {
		return nil, err
	}
	if err := d.makeOwn(); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(p); err == nil && !info.Mode().IsRegular() {
		return nil, d.fault(opWrite, p, errNotRegular)
	}
	file, err := os.OpenFile(p, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, d.fault(opWrite, p, err)
	}
	if size, err := file.Seek(0, io.SeekEnd); err == nil && size > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, size-1); err == nil && last[0] != '\n' {
			_, _ = file.Write([]byte("\n"))
		}
	}
	return &Appender{dir: d, path: p, file: file}, nil
}

// Add writes lines, each without its end. They are written in one go, so that
// a process that is killed leaves at most the last one cut off.
func (a *Appender) Add(lines ...[]byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []byte
	for _, line := range lines {
		all = append(append(all, line...), '\n')
	}
	if _, err := a.file.Write(all); err != nil {
		return a.dir.fault(opWrite, a.path, err)
	}
	return nil
}

// Sync puts what was added on disk.
func (a *Appender) Sync() error {
	if err := a.file.Sync(); err != nil {
		return a.dir.fault(opWrite, a.path, err)
	}
	return nil
}

// Close ends the adding.
func (a *Appender) Close() error { return a.file.Close() }

// Decide adds lines to the decisions. When it returns they are on disk.
func (d *Dir) Decide(lines ...[]byte) (err error) {
	a, err := d.Append(DecisionsFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if err := a.Add(lines...); err != nil {
		return err
	}
	if err := a.Sync(); err != nil {
		return err
	}
	return d.fs.syncDir(filepath.Join(d.path, OwnDir))
}

// Lines gives the whole lines of one of the own files from offset on, and the
// offset after them; a line without its end is still being written. A missing
// file has none.
func (d *Dir) Lines(name string, offset int64) (lines [][]byte, next int64, err error) {
	p, err := d.file(name)
	if err != nil {
		return nil, offset, err
	}
	info, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, offset, nil
	case err != nil:
		return nil, offset, d.fault(opRead, p, err)
	case !info.Mode().IsRegular():
		return nil, offset, d.fault(opRead, p, errNotRegular)
	case info.Size()-offset > maxFileBytes:
		return nil, offset, d.fault(opRead, p, errTooLarge)
	}
	file, err := os.Open(p)
	if err != nil {
		return nil, offset, d.fault(opRead, p, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, offset, maxFileBytes))
	if err != nil {
		return nil, offset, d.fault(opRead, p, err)
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	for line := range bytes.Lines(data[:end]) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines, offset + int64(end), nil
}
