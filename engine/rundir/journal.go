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

	"deermem-tui/engine/plainfile"
)

// Names of the folder and the files. Nothing in them is needed to resume.
const (
	OwnDir        = "deermem-tui"
	JournalFile   = OwnDir + "/journal.jsonl"
	DecisionsFile = OwnDir + "/decisions.jsonl"
	StatesFile    = OwnDir + "/states.json"
)

// ReplaceOwn writes one of the own files whole, as Replace does.
func (d *Dir) ReplaceOwn(name string, data []byte) error {
	if err := d.makeInside(OwnDir); err != nil {
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
	size int64 // as far as this process knows
	room int64 // up to here the disk has room for it; 0 where none was taken
	torn bool  // the last line was not written whole
}

// Append opens one of the own files for adding lines and makes it where it is
// missing. A last line that was cut off is ended before the next, so that it
// spoils no other.
func (d *Dir) Append(name string) (*Appender, error) {
	p, err := d.file(name)
	if err != nil {
		return nil, err
	}
	if err := d.makeInside(OwnDir); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(p); err == nil && !info.Mode().IsRegular() {
		return nil, d.fault(opWrite, p, plainfile.ErrNotRegular)
	}
	file, err := os.OpenFile(p, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, d.fault(opWrite, p, err)
	}
	a := &Appender{dir: d, path: p, file: file}
	if a.size, err = file.Seek(0, io.SeekEnd); err == nil && a.size > 0 {
		last := make([]byte, 1)
		_, err = file.ReadAt(last, a.size-1)
		a.torn = err == nil && last[0] != '\n'
	}
	if err != nil {
		file.Close()
		return nil, d.fault(opWrite, p, err)
	}
	return a, nil
}

// How much room a file that keeps some takes, and when it takes more.
const (
	roomTaken = 16 << 10
	roomLeast = 8 << 10
)

// KeepRoom has the file take room on the disk ahead of its lines, where the
// system can: that the disk is full is then known while there is still room to
// tell what became of what is under way. It fails with ErrDiskFull.
func (a *Appender) KeepRoom() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.takeRoom()
}

func (a *Appender) takeRoom() error {
	if err := reserve(a.file, a.size, roomTaken); err != nil {
		return a.dir.fault(opWrite, a.path, err)
	}
	a.room = a.size + roomTaken
	return nil
}

// Add writes lines, each without its end. They are written in one go, so that
// a process that is killed leaves at most the last one cut off.
func (a *Appender) Add(lines ...[]byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []byte
	if a.torn {
		all = append(all, '\n')
	}
	for _, line := range lines {
		all = append(append(all, line...), '\n')
	}
	n, err := a.file.Write(all)
	a.size += int64(n)
	if err != nil {
		a.torn = a.torn || n > 0
		return a.dir.fault(opWrite, a.path, err)
	}
	a.torn = false
	if a.room > 0 && a.size+roomLeast > a.room {
		return a.takeRoom() // the lines are written; the next may find no room
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

// Close ends the adding and gives back the room that was not used.
func (a *Appender) Close() error {
	if a.room > 0 {
		if size, err := a.file.Seek(0, io.SeekEnd); err == nil {
			_ = a.file.Truncate(size)
		}
	}
	return a.file.Close()
}

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
		return nil, offset, d.fault(opRead, p, plainfile.ErrNotRegular)
	case info.Size()-offset > maxFileBytes:
		return nil, offset, d.fault(opRead, p, plainfile.ErrTooLarge)
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
