//go:build unix

package runs_test

import "syscall"

func pipe(path string) bool { return syscall.Mkfifo(path, 0o600) == nil }
