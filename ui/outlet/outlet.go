// Package outlet writes to a terminal or a pipe whose reader may have stopped
// reading (flow control, a stuck connection, a pager), without letting that
// hold a process that was asked to end.
package outlet

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"time"
)

// ErrUnread is a write that was given up because nobody reads the other end.
var ErrUnread = errors.New("the output is not being read")

// Grace is how long a write may take once the process is to end.
const Grace = time.Second

// Outlet is a file that is written as any other until Hurry; from then on no
// write takes longer than its grace, and after one that did all fail at once.
// Writes may come from any goroutine, and one is whole before the next begins.
// What was given up may stay blocked in its own goroutine: it ends with the
// process.
type Outlet struct {
	*os.File // for what asks for its descriptor

	grace time.Duration
	mu    sync.Mutex // held by a write
	gone  bool
	once  sync.Once
	hurry chan struct{}
}

// New gives the outlet of a file; grace is usually Grace.
func New(f *os.File, grace time.Duration) *Outlet {
	return &Outlet{File: f, grace: grace, hurry: make(chan struct{})}
}

// Hurry tells that the process is to end. It may be called at any time, more
// than once, and while a write is under way.
func (o *Outlet) Hurry() { o.once.Do(func() { close(o.hurry) }) }

// Write writes all of p, or fails with the file's error or ErrUnread.
func (o *Outlet) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gone {
		return 0, ErrUnread
	}
	type written struct {
		n   int
		err error
	}
	done := make(chan written, 1)
	text := bytes.Clone(p) // the caller has p back when this was given up
	go func() {
		n, err := o.File.Write(text)
		done <- written{n, err}
	}()
	select {
	case w := <-done:
		return w.n, w.err
	case <-o.hurry:
	}
	timer := time.NewTimer(o.grace)
	defer timer.Stop()
	select {
	case w := <-done:
		return w.n, w.err
	case <-timer.C:
		o.gone = true
		return 0, ErrUnread
	}
}

// WriteString is Write for text; the embedded file's own would go around it.
func (o *Outlet) WriteString(s string) (int, error) { return o.Write([]byte(s)) }
