//go:build unix

// This file reads the files of one folder by its handle, with half the system
// calls: a store has a hundred thousand of them. It opens for reading only, and
// only names in the folder itself that are no links.

package memstore

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// shard is a folder of facts with its handle open.
type shard struct {
	folder
	handle *os.File
}

func openShard(f folder) (shard, error) {
	handle, err := f.root.OpenFile(".", openFlags, 0)
	return shard{f, handle}, err
}

func (s shard) closeHandle() { _ = s.handle.Close() }

// readStart is folder's for a name in the folder itself.
func (s shard) readStart(name string, limit int64, buffer []byte) (data []byte, size int64, err error) {
	fault := func(op string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }
	fd, err := again(func() (int, error) {
		return unix.Openat(int(s.handle.Fd()), name, openFlags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, 0, fault("open", err)
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return nil, 0, fault("stat", err)
	}
	if info.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, 0, errNotRegular
	}
	data, size, err = readUpTo(descriptor(fd), info.Size, limit, buffer)
	if err != nil {
		return nil, 0, fault("read", err)
	}
	return data, size, nil
}

// descriptor reads from an open file.
type descriptor int

func (d descriptor) Read(p []byte) (int, error) {
	n, err := again(func() (int, error) { return unix.Read(int(d), p) })
	if n <= 0 && err == nil {
		return 0, io.EOF
	}
	return max(n, 0), err
}

// again repeats a system call that a signal interrupted.
func again(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
