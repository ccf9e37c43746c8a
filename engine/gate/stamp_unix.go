//go:build unix

package gate

import (
	"io/fs"
	"syscall"
)

// fileNumber tells a file from another of the same name, size and time.
func fileNumber(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}
