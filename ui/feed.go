// The way of a run's events to the screens: the engine hands them over one by
// one and never waits for a frame; a goroutine of ours passes on all there are,
// a few times a second. None is dropped, the last one least of all.
package ui

import (
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/screen"
)

// feedPause is the least time between two deliveries: about thirty frames a second.
const feedPause = 33 * time.Millisecond

// feed gathers events between deliveries.
type feed struct {
	send  func(tea.Msg)
	pause time.Duration

	mu     sync.Mutex
	events []pipeline.Event
	wake   chan struct{} // holds one: something is there
	closed chan struct{}
}

func newFeed(send func(tea.Msg), pause time.Duration) *feed {
	return &feed{send: send, pause: pause, wake: make(chan struct{}, 1), closed: make(chan struct{})}
}

// Sink takes an event; it never blocks.
func (f *feed) Sink(e pipeline.Event) {
	f.mu.Lock()
	f.events = append(f.events, e)
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Close tells that no event follows.
func (f *feed) Close() { close(f.closed) }

// Deliver passes events on until Close, and then what is left.
func (f *feed) Deliver() {
	for {
		select {
		case <-f.wake:
		case <-f.closed:
			f.flush()
			return
		}
		f.flush()
		timer := time.NewTimer(f.pause)
		select {
		case <-timer.C:
		case <-f.closed:
			timer.Stop()
			f.flush()
			return
		}
	}
}

func (f *feed) flush() {
	f.mu.Lock()
	events := f.events
	f.events = nil
	f.mu.Unlock()
	if len(events) > 0 {
		f.send(screen.Events{Events: events})
	}
}
