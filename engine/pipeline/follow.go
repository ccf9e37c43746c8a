package pipeline

import (
	"context"
	"errors"

	"deermem-tui/engine/rundir"
)

// Follow tells a sink what another process writes into the journal of a run
// folder: the latest start from its beginning, then everything new. It returns
// when nobody writes the folder any more and all was told, or when wait fails;
// wait is called between two looks. It changes nothing in the folder.
func Follow(ctx context.Context, dir *rundir.Dir, wait func(context.Context) error, sink Sink) error {
	return follow(ctx, dir, wait, sink, false)
}

// FollowOn is Follow that waits for the next start where a run has ended, until
// wait fails. A start that was killed says no end of its own: it gets one here.
func FollowOn(ctx context.Context, dir *rundir.Dir, wait func(context.Context) error, sink Sink) error {
	return follow(ctx, dir, wait, sink, true)
}

// errDied is the end of a start that wrote none.
var errDied = errors.New("its process ended without a word")

func follow(ctx context.Context, dir *rundir.Dir, wait func(context.Context) error, sink Sink, on bool) error {
	events, offset, err := journalEvents(dir, 0)
	if err != nil {
		return err
	}
	var open *StageStarted // a start that has not told its end
	tell := func(event Event) {
		sink(event)
		switch e := event.(type) {
		case StageStarted:
			open = &e
		case StageFinished:
			open = nil
		}
		// The journal leaves out what the facts say too.
		if f, ok := event.(RunFacts); ok {
			sink(StageProgress{Stage: StageQA, Done: f.Done, Total: f.Total})
		}
	}
	for _, event := range latestStart(events) {
		tell(event)
	}
	for {
		// Asked before reading: what a writer wrote before it ended is read.
		_, writing := dir.Writing()
		if events, offset, err = journalEvents(dir, offset); err != nil {
			return err
		}
		for _, event := range events {
			tell(event)
		}
		if !writing {
			if !on {
				return nil
			}
			if open != nil {
				tell(StageFinished{Stage: open.Stage, At: open.At, Err: errDied})
			}
		}
		if err := wait(ctx); err != nil {
			return err
		}
	}
}

func journalEvents(dir *rundir.Dir, offset int64) ([]Event, int64, error) {
	lines, next, err := dir.Lines(rundir.JournalFile, offset)
	if err != nil {
		return nil, offset, err
	}
	var events []Event
	for _, line := range lines {
		// A line that was cut off, or of a later version, is passed over.
		if event, err := ParseEvent(line); err == nil {
			events = append(events, event)
		}
	}
	return events, next, nil
}

// latestStart gives the events from the last start of a stage on.
func latestStart(events []Event) []Event {
	for i := len(events) - 1; i >= 0; i-- {
		if _, ok := events[i].(StageStarted); ok {
			return events[i:]
		}
	}
	return events
}
