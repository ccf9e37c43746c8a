// A named pipe, which a careless reader would wait on for ever.

//go:build unix

package rundir

import "syscall"

func makePipe(p string) error { return syscall.Mkfifo(p, 0o644) }
