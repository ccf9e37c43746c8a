//go:build unix

package rundir

import (
	"io/fs"
	"syscall"
)

// linked tells whether a file has a name in some folder.
func linked(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Nlink > 0
}
