// Reading a little of a file, and counting names, with bounds: what lies in a
// folder may be a pipe, a device, or larger than memory.

package runs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"deermem-tui/engine/rundir"
)

// errNotRegular is a pipe, a device or a folder where a file should be.
var errNotRegular = errors.New("it is not a regular file")

// openRegular opens a regular file; it never waits for a pipe's writer.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// readStart gives the first bytes of a file, at most limit; whole tells that
// there are no more.
func readStart(path string, limit int64) (data []byte, whole bool, err error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, false, err
	}
	if int64(len(data)) > limit {
		return data[:limit], false, nil
	}
	return data, true, nil
}

func lastByte(path string) (byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.Seek(-1, io.SeekEnd); err != nil {
		return 0, err
	}
	var b [1]byte
	_, err = io.ReadFull(f, b[:])
	return b[0], err
}

// mostAnswers bounds how many names are counted.
const mostAnswers = 100_000

// countAnswers counts the files among the answers that have a row's name.
func (l *looker) countAnswers() int {
	folder := filepath.Join(l.run.Path, rundir.ResponsesDir)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return 0
	case err != nil:
		l.fail("%s cannot be looked at: %v", rundir.ResponsesDir, plain(err))
		return 0
	case !info.IsDir():
		l.fail("%s is not a folder", rundir.ResponsesDir)
		return 0
	}
	f, err := os.Open(folder)
	if err != nil {
		l.fail("%s cannot be listed: %v", rundir.ResponsesDir, plain(err))
		return 0
	}
	defer f.Close()
	for seen := 0; seen < mostAnswers; {
		names, err := f.Readdirnames(1024)
		seen += len(names)
		for _, name := range names {
			if id, ok := strings.CutSuffix(name, ".json"); ok && strings.Contains(id, "__") && rundir.SafeName(id) == nil {
				l.run.Answers++
			}
		}
		if err != nil {
			break
		}
	}
	return l.run.Answers
}
