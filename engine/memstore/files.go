// This file and shard_unix.go are the only doors to the disk: they open for
// reading and nothing else, below one folder that no link leads out of.

package memstore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// openFlags are the flags of every file that is opened. O_NONBLOCK keeps a pipe
// in a hostile store from stopping the reader; a regular file ignores it.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

var (
	errNotRegular = errors.New("not a regular file")
	errTooLong    = errors.New("longer than the limit")
)

// folder is a directory that can be read.
type folder struct{ root *os.Root }

func openFolder(name string) (folder, error) {
	root, err := os.OpenRoot(name)
	return folder{root}, err
}

func (f folder) close() { _ = f.root.Close() }

// sub opens a folder below f. A link that leads out of f is an error.
func (f folder) sub(name string) (folder, error) {
	root, err := f.root.OpenRoot(name)
	return folder{root}, err
}

// list gives what a folder holds, in the order of names. (The root's own file
// system would refuse names that are not UTF-8.)
func (f folder) list(name string) ([]fs.DirEntry, error) {
	dir, err := f.root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// names gives the names in the folder f itself, sorted. Unlike list it does not
// ask the system about each of them.
func (f folder) names() ([]string, error) {
	dir, err := f.root.OpenFile(".", openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// exists tells whether there is anything of that name.
func (f folder) exists(name string) bool {
	_, err := f.root.Lstat(name)
	return err == nil
}

// written tells when a file was last written; zero without one.
func (f folder) written(name string) time.Time {
	info, err := f.root.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// isLink tells whether a path names a symbolic link.
func (f folder) isLink(name string) bool {
	info, err := f.root.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// isFolder follows links inside f.
func (f folder) isFolder(name string) bool {
	info, err := f.root.Stat(name)
	return err == nil && info.IsDir()
}

// read gives a file's bytes, with errTooLong and the beginning when there are
// more than limit.
func (f folder) read(name string, limit int64) ([]byte, error) {
	data, size, err := f.readStart(name, limit, nil)
	if err == nil && size > limit {
		return data, errTooLong
	}
	return data, err
}

// readStart gives the first bytes of a file, limit at most, and its size. The
// bytes are in buffer where they fit.
func (f folder) readStart(name string, limit int64, buffer []byte) (data []byte, size int64, err error) {
	file, err := f.root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errNotRegular
	}
	return readUpTo(file, info.Size(), limit, buffer)
}

// readUpTo reads the first bytes of a file of a size, limit at most.
func readUpTo(file io.Reader, size, limit int64, buffer []byte) ([]byte, int64, error) {
	want := min(size, limit)
	if int64(cap(buffer)) < want {
		buffer = make([]byte, want)
	}
	data := buffer[:want]
	n, err := io.ReadFull(file, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return data[:n], int64(n), nil // it shrank since
	}
	return data[:n], size, err
}

// starter gives the beginning of a file: a folder, or one whose handle is open.
type starter interface {
	readStart(name string, limit int64, buffer []byte) (data []byte, size int64, err error)
}

// isFile tells whether a path given by a person names a file, else a folder. A
// pipe or a device is neither: reading one might never end.
func isFile(name string) (file bool, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return false, err
	case info.Mode().IsRegular():
		return true, nil
	case !info.IsDir():
		return false, ErrNoFile
	}
	return false, nil
}

// splitFile gives the folder of a file and its name in it.
func splitFile(name string) (dir, base string) {
	abs := path.Clean(toSlash(name))
	return path.Dir(abs), path.Base(abs)
}

func toSlash(name string) string {
	if os.PathSeparator == '/' {
		return name
	}
	out := []byte(name)
	for i, c := range out {
		if os.IsPathSeparator(c) {
			out[i] = '/'
		}
	}
	return string(out)
}
