// The run in the background: one at a time, owned, cancelable, waited for.
package ui

import (
	"context"
	"errors"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/screen"
)

// runner starts and stops the engine's run.
type runner struct {
	engine Engine
	guard  *guard
	ctx    context.Context // ends with the application
	send   func(tea.Msg)
	now    func() time.Time

	mu     sync.Mutex
	cancel context.CancelFunc // nil while no run is in progress
}

// Start begins a run unless one is in progress; it does not wait.
func (r *runner) Start(stages []pipeline.Stage) tea.Msg {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		return screen.Toast{Text: "a run is in progress already"}
	}
	ctx, cancel := context.WithCancel(r.ctx)
	r.cancel = cancel
	f := newFeed(r.send, feedPause)
	delivered := make(chan struct{})
	r.guard.Go("the delivery of events", func() {
		defer close(delivered)
		f.Deliver()
	})
	started := screen.RunStarted{Stages: stages, At: r.now()}
	r.guard.Go("the run", func() {
		var err error
		r.send(started) // before any event
		defer func() {
			f.Close()
			<-delivered
			canceled := ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled))
			cancel()
			r.mu.Lock()
			r.cancel = nil
			r.mu.Unlock()
			r.send(screen.RunEnded{Err: err, At: r.now(), Canceled: canceled})
		}()
		err = r.engine.Run(ctx, stages, f.Sink)
	})
	return nil
}

// Cancel asks the run to stop; it ends when the engine has closed everything.
func (r *runner) Cancel() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel()
	}
}

// Running tells whether a run is in progress.
func (r *runner) Running() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cancel != nil
}
