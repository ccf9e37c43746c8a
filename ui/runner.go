// The run in the background: one at a time, owned, cancelable, waited for.
package ui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// runner starts and stops the engine's run.
type runner struct {
	engine Engine // the one that the next run is of; see Use
	guard  *guard
	ctx    context.Context // ends with the application
	send   func(tea.Msg)
	now    func() time.Time

	mu     sync.Mutex
	cancel context.CancelFunc // nil while no run is in progress
}

// Use makes another engine the one that the next run is of.
func (r *runner) Use(e Engine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.engine = e
}

// Start begins a run unless one is in progress; it does not wait.
func (r *runner) Start(stages []pipeline.Stage) tea.Msg {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		return screen.Toast{Text: "a run is in progress already"}
	}
	if r.engine == nil {
		return screen.Toast{Text: "no run is open"}
	}
	ctx, cancel := context.WithCancel(r.ctx)
	r.cancel = cancel
	engine := r.engine
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
		err = engine.Run(ctx, stages, f.Sink)
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

// Steer gives an order about the run to the engine, where that takes any.
func (r *runner) Steer(order pipeline.Order) {
	r.mu.Lock()
	engine, ok := r.engine.(Steerer)
	r.mu.Unlock()
	if ok {
		engine.Steer(order)
	}
}

// look has an engine show grades before the end.
func look(ctx context.Context, e Engine) tea.Msg {
	peeker, ok := e.(Peeker)
	if !ok {
		return screen.Toast{Text: "this run cannot be looked at before its end"}
	}
	lines, err := peeker.Peek(ctx)
	if err != nil {
		return screen.Read{Title: "Nothing is shown", Text: err.Error()}
	}
	return screen.Read{Title: "Before the end", Text: strings.Join(lines, "\n")}
}

// readRow asks an engine what is stored of a row, for the Run screen.
func readRow(e Engine, rowID string) tea.Msg {
	reader, ok := e.(RowReader)
	if !ok {
		return screen.For{Screen: screen.Run, Msg: run.Stored{RowID: rowID, Err: rundir.ErrNoRow}}
	}
	row, err := reader.StoredRow(rowID)
	return screen.For{Screen: screen.Run, Msg: run.Stored{RowID: rowID, Row: row, Err: err}}
}

// question is the dialog of a screen's question.
func question(ask screen.Ask) *dialog.Confirm {
	return &dialog.Confirm{Title: widget.Clean(ask.Title), Text: widget.CleanBlock(ask.Text), Yes: widget.Clean(ask.Yes), Action: ask.Action, Also: ask.Also}
}

// Running tells whether a run is in progress.
func (r *runner) Running() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cancel != nil
}
