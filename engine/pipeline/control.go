package pipeline

import (
	"context"
	"errors"
	"slices"
	"sync"

	"deermem-tui/engine/answer/outcome"
)

// OrderKind is what somebody who watches a run asks of it.
type OrderKind string

// The orders. All may be given before the first question is asked.
const (
	OrderPause     OrderKind = "pause"      // begin no further call
	OrderResume    OrderKind = "resume"     // go on after a pause
	OrderDrain     OrderKind = "drain"      // let the calls in flight finish, begin no more
	OrderCancelRow OrderKind = "cancel-row" // give one row up for this run
	OrderRetry     OrderKind = "retry"      // call rows in these states again; Failed works while the run is on
	OrderAccept    OrderKind = "accept"     // take rows stored in these states as they are, and record it
)

// Order is one such request.
type Order struct {
	Kind   OrderKind
	RowID  string          // of OrderCancelRow
	States []outcome.State // of OrderRetry and OrderAccept
}

// Control steers a run while it is made, and holds what was ordered before it
// asks its first question. The zero value is ready; its methods may be called
// from any goroutine, before, during and after a run.
type Control struct {
	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every change
	paused   bool
	drained  bool
	retry    []outcome.State
	accept   []outcome.State
	again    bool                          // failed rows are to be called again now
	flying   map[string]context.CancelFunc // rows being called
	canceled map[string]bool               // rows given up
}

// Do carries out an order.
func (c *Control) Do(o Order) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch o.Kind {
	case OrderPause:
		c.paused = true
	case OrderResume:
		c.paused = false
	case OrderDrain:
		c.drained, c.paused = true, false
	case OrderCancelRow:
		if c.canceled == nil {
			c.canceled = map[string]bool{}
		}
		c.canceled[o.RowID] = true
		if cancel := c.flying[o.RowID]; cancel != nil {
			cancel()
		}
	case OrderRetry:
		c.retry = append(c.retry, o.States...)
		c.again = c.again || slices.Contains(o.States, outcome.Failed)
	case OrderAccept:
		c.accept = append(c.accept, o.States...)
	}
	c.signal()
}

func (c *Control) signal() {
	if c.changed != nil {
		close(c.changed)
	}
	c.changed = nil
}

// change gives a channel that closes at the next change.
func (c *Control) change() <-chan struct{} {
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return c.changed
}

// begin gives what is to be called again and what is accepted in this run. A
// pause, rows given up and a drain stay as they were ordered before.
func (c *Control) begin() (retry, accept []outcome.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	retry, accept = c.retry, c.accept
	c.retry, c.accept, c.again = nil, nil, false
	c.flying = map[string]context.CancelFunc{}
	return retry, accept
}

// End forgets what a run was told about itself: the next one is paused by
// nothing that was meant for this. Whoever runs several stages under one control
// calls it at their end; a QA run does so at its own.
func (c *Control) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused, c.drained, c.canceled, c.again = false, false, nil, false
	c.signal()
}

// takeAgain tells once that failed rows are to be called again.
func (c *Control) takeAgain() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.again
	c.again = false
	return again
}

// state tells whether the run is paused or to end, and gives a channel that
// closes when that changes.
func (c *Control) state() (paused, drained bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.paused, c.drained, c.change()
}

// errRowCanceled is a row that was given up by an order.
var errRowCanceled = errors.New("given up in this run")

// fly notes that a row is being called; ok is false for one that was given up.
func (c *Control) fly(rowID string, cancel context.CancelFunc) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flying[rowID] = cancel
	return !c.canceled[rowID]
}

// land ends that, and tells whether the row was given up meanwhile.
func (c *Control) land(rowID string) (canceled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flying, rowID)
	return c.canceled[rowID]
}
