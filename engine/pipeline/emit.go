package pipeline

import (
	"sync"
	"time"

	"deermem-tui/engine/study"
)

// emitter hands events to a sink, one at a time, and times a stage.
type emitter struct {
	mu    sync.Mutex
	sink  Sink
	now   func() time.Time
	stage Stage
	start time.Time
	also  func(Event) // a second sink, or nil
}

// begin opens a stage. A nil sink drops everything; a nil clock is time.Now.
func begin(stage Stage, sink Sink, now func() time.Time, total int, unit string) *emitter {
	if now == nil {
		now = time.Now
	}
	e := &emitter{sink: sink, now: now, stage: stage, start: now()}
	e.emit(StageStarted{Stage: stage, At: e.start, Total: total, Unit: unit})
	return e
}

func (e *emitter) emit(event Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.also != nil {
		e.also(event)
	}
	if e.sink != nil {
		e.sink(event)
	}
}

// tee gives events to a second sink too, until the next call.
func (e *emitter) tee(also func(Event)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.also = also
}

func (e *emitter) progress(done, total int) {
	e.emit(StageProgress{Stage: e.stage, Done: done, Total: total})
}

func (e *emitter) note(text string) { e.emit(Note{Stage: e.stage, At: e.now(), Text: text}) }

// finish closes the stage and gives err back.
func (e *emitter) finish(summary string, err error) error {
	at := e.now()
	e.emit(StageFinished{Stage: e.stage, At: at, Elapsed: at.Sub(e.start), Summary: summary, Err: err})
	return err
}

// checks gives a function that reports a study's checks as events.
func (e *emitter) checks(total int) func(study.Check) {
	done := 0
	return func(c study.Check) {
		e.emit(CheckDone{Name: c.Name, State: c.State, Expected: c.Expected, Found: c.Found})
		if c.State == study.Passed {
			done++
			e.progress(done, total)
		}
	}
}
