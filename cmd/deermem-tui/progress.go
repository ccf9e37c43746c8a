package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/widget"
)

// The flag's name and its values.
const (
	progressName  = "progress"
	progressAuto  = "auto"
	progressPlain = "plain"
	progressJSON  = "json"
	progressNone  = "none"
)

// progressFlag says how a command tells its progress on standard error.
type progressFlag struct{ mode string }

func (f *progressFlag) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.mode, progressName, progressAuto, "progress on standard error: auto, plain, json or none")
}

// sink gives the sink that the flag names.
func (f *progressFlag) sink(std stdio) (pipeline.Sink, error) {
	switch f.mode {
	case progressNone:
		return nil, nil
	case progressJSON:
		return jsonProgress(std.err), nil
	case progressPlain:
		return (&plainProgress{out: std.err, now: time.Now}).event, nil
	case progressAuto:
		return (&plainProgress{out: std.err, now: time.Now, live: term.IsTerminal(int(std.err.Fd()))}).event, nil
	}
	return nil, usageError{fmt.Errorf("--progress %q: expected auto, plain, json or none", f.mode)}
}

// oneAtATime lets another goroutine than the stage's speak to its sink.
func oneAtATime(sink pipeline.Sink) pipeline.Sink {
	if sink == nil {
		return nil
	}
	var mu sync.Mutex
	return func(event pipeline.Event) {
		mu.Lock()
		defer mu.Unlock()
		sink(event)
	}
}

// plainPause is how long a count stays untold where lines cannot be written
// over: a log wants to know that a run goes on, not each of its steps.
const plainPause = 2 * time.Second

// plainProgress prints events as lines for people. On a terminal the count of
// a stage is one line that is written over; elsewhere a line each plainPause,
// so a stage that is done sooner only tells that it started and ended.
type plainProgress struct {
	out  io.Writer
	now  func() time.Time
	live bool
	open bool      // a live line stands unfinished
	told time.Time // when the stage began or its count was last told
}

func (p *plainProgress) event(event pipeline.Event) {
	switch e := event.(type) {
	case pipeline.StageStarted:
		p.told = p.now()
		p.line("%s: started", e.Stage)
	case pipeline.StageProgress:
		p.progress(e)
	case pipeline.CheckDone:
		if e.State == pipeline.CheckFailed {
			p.line("check failed: %s: expected %s", e.Name, e.Expected)
		}
	case pipeline.RowChanged:
		switch e.State {
		case pipeline.RowRetrying:
			p.line("%s: attempt %d failed (%s), trying again in %s", e.RowID, e.Attempt, e.Problem, e.Wait.Round(time.Millisecond))
		case pipeline.RowFailed:
			p.line("%s: failed: %s", e.RowID, e.Problem)
		}
	case pipeline.Note:
		p.line("%s: %s", e.Stage, e.Text)
	case pipeline.StageFinished:
		if e.Err == nil {
			p.line("%s: done in %s", e.Stage, widget.Elapsed(e.Elapsed))
		} else {
			p.line("%s: not done after %s", e.Stage, widget.Elapsed(e.Elapsed))
		}
	}
}

func (p *plainProgress) progress(e pipeline.StageProgress) {
	if e.Total == 0 {
		return
	}
	text := fmt.Sprintf("%s: %d/%d", e.Stage, e.Done, e.Total)
	if p.live {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		p.open = true
		return
	}
	if now := p.now(); now.Sub(p.told) >= plainPause {
		p.told = now
		p.line("%s", text)
	}
}

func (p *plainProgress) line(format string, args ...any) {
	if p.open {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.open = false
	}
	fmt.Fprintln(p.out, widget.Clean(fmt.Sprintf(format, args...)))
}

// jsonProgress prints one JSON object an event: `event` names its kind.
func jsonProgress(out io.Writer) pipeline.Sink {
	return func(event pipeline.Event) {
		// A progress line that cannot be written must not stop paid work.
		_ = writeJSONLine(out, progressDoc(event))
	}
}

func progressDoc(event pipeline.Event) map[string]any {
	switch e := event.(type) {
	case pipeline.StageStarted:
		return map[string]any{"event": "stage_started", "stage": e.Stage, "at": stamp(e.At), "total": e.Total, "unit": e.Unit}
	case pipeline.StageProgress:
		return map[string]any{"event": "stage_progress", "stage": e.Stage, "done": e.Done, "total": e.Total}
	case pipeline.StageFinished:
		doc := map[string]any{"event": "stage_finished", "stage": e.Stage, "at": stamp(e.At), "seconds": e.Elapsed.Seconds(), "ok": e.Err == nil}
		if e.Err != nil {
			doc["error"] = e.Err.Error()
		} else {
			doc["summary"] = e.Summary
		}
		return doc
	case pipeline.CheckDone:
		return map[string]any{"event": "check", "check": e.Name, "state": e.State, "expected": e.Expected, "found": e.Found}
	case pipeline.RowChanged:
		doc := map[string]any{"event": "row", "row_id": e.RowID, "case_id": e.CaseID, "policy": e.Policy, "state": e.State, "at": stamp(e.At)}
		if e.Attempt > 0 {
			doc["attempt"] = e.Attempt
		}
		if e.Wait > 0 {
			doc["wait_seconds"] = e.Wait.Seconds()
		}
		if e.Latency > 0 {
			doc["latency_seconds"] = e.Latency.Seconds()
		}
		if e.Model != "" {
			doc["model"] = e.Model
		}
		if len(e.Usage) > 0 {
			doc["usage"] = e.Usage
		}
		if e.Problem != "" {
			doc["problem"] = e.Problem
		}
		return doc
	case pipeline.Note:
		return map[string]any{"event": "note", "stage": e.Stage, "at": stamp(e.At), "text": e.Text}
	}
	return map[string]any{"event": "unknown"}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
