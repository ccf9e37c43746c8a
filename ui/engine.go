// Package ui is the terminal application: a shell that owns the terminal and
// the run in the background, and the screens in it. This file is what it asks
// of the engine.
package ui

import (
	"context"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/screen"
)

// Info describes the study that is opened.
type Info = screen.Info

// Engine is the study and its run, as the application needs them. Its methods
// are called from the application's own goroutines, never from Update.
type Engine interface {
	// Info tells what is opened. It does no I/O and never changes.
	Info() Info
	// Load gives the study with whatever rows exist already.
	Load(ctx context.Context) (*casebook.Book, error)
	// Run carries out stages one after the other, resuming by itself, and
	// returns when all is closed: the rows are on disk then. The sink is called
	// from one goroutine at a time. A canceled ctx ends it early with ctx's error.
	Run(ctx context.Context, stages []pipeline.Stage, sink pipeline.Sink) error
}

// Steerer is an Engine whose run can be steered while it is made.
type Steerer interface {
	// Steer carries out an order; it does not wait.
	Steer(order pipeline.Order)
}

// Peeker is an Engine that can show grades before every row is there.
type Peeker interface {
	// Peek gives what the look shows, in lines, once it is recorded.
	Peek(ctx context.Context) ([]string, error)
}

// RowReader is an Engine that can tell what is stored of a row.
type RowReader interface {
	// StoredRow gives a row as its file has it; it fails with rundir.ErrNoRow
	// where there is none.
	StoredRow(rowID string) (rundir.Row, error)
}
