//go:build unix

// Being stopped and continued by job control: by ctrl+z, or by somebody's
// `kill -TSTP`. Either way the terminal is given back before the process stops,
// and taken again when it goes on.
package ui

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// suspender holds the signal that stops a process, so that the application can
// give the terminal back first.
type suspender struct {
	stops chan os.Signal
	ready atomic.Bool // the terminal is given back: the next one is to stop us
	done  chan struct{}
	wait  sync.WaitGroup
}

// newSuspender begins to hold the signal; ask is called when it came, and last
// right before the process stops.
func newSuspender(ask, last func()) *suspender {
	s := &suspender{stops: make(chan os.Signal, 1), done: make(chan struct{})}
	signal.Notify(s.stops, syscall.SIGTSTP)
	s.wait.Go(func() {
		for {
			select {
			case <-s.stops:
				if s.ready.CompareAndSwap(true, false) {
					last()
					// Go does not restore what the signal does by itself, so the
					// one that cannot be held does it.
					_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP)
				} else {
					ask()
				}
			case <-s.done:
				return
			}
		}
	})
	return s
}

// release lets the next signal stop the process.
func (s *suspender) release() { s.ready.Store(true) }

// end gives the signal back.
func (s *suspender) end() {
	signal.Stop(s.stops)
	close(s.done)
	s.wait.Wait()
}

// possible tells whether somebody is there to continue the process: a shell
// that leads the session from a group of its own. The system does not stop a
// process that has none, and waiting to be continued would never end.
func (s *suspender) possible() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}
