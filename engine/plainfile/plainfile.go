// Package plainfile reads a file that somebody else named: never from a pipe or
// a device, which could wait for ever, and never more than was agreed on.
package plainfile

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"syscall"
)

// What stands in the way of reading; test with errors.Is.
var (
	ErrNotRegular = errors.New("it is not a regular file; give the path of one")
	ErrTooLarge   = errors.New("it is larger than any such file")
)

// Read gives the bytes of a regular file of at most limit bytes. Other failures
// are the system's.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := check(info, limit); err != nil { // opening a device may do something already
		return nil, err
	}
	// Without waiting: a pipe may have taken the file's place since.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := check(info, limit); err != nil {
		return nil, err
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	most := limit
	if most < math.MaxInt64 {
		most++ // the file may grow while it is read
	}
	if _, err := data.ReadFrom(io.LimitReader(f, most)); err != nil {
		return nil, err
	}
	if int64(data.Len()) > limit {
		return nil, ErrTooLarge
	}
	return data.Bytes(), nil
}

// check tells what is wrong with a file before it is read.
func check(info os.FileInfo, limit int64) error {
	switch {
	case !info.Mode().IsRegular():
		return ErrNotRegular
	case info.Size() > limit:
		return ErrTooLarge
	}
	return nil
}
