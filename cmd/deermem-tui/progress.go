package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"deermem-tui/engine/answer/outcome"
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
		return (&plainProgress{out: std.err, now: time.Now, live: term.IsTerminal(int(std.err.Fd())) && !dumb()}).event, nil
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

	facts pipeline.RunFacts // the latest; zero outside a QA run
}

func (p *plainProgress) event(event pipeline.Event) {
	switch e := event.(type) {
	case pipeline.StageStarted:
		p.told, p.facts = p.now(), pipeline.RunFacts{}
		p.line("%s: started", e.Stage)
	case pipeline.RunFacts:
		p.hold(e)
		p.facts = e
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
		case pipeline.RowAnswered:
			if e.Outcome.Doubtful() {
				p.line("%s: stored, but %s: %s", e.RowID, e.Outcome, e.Note)
			}
		}
	case pipeline.Note:
		p.line("%s: %s", e.Stage, e.Text)
	case pipeline.StageFinished:
		if e.Err == nil {
			p.line("%s: done in %s", e.Stage, widget.Elapsed(e.Elapsed))
		} else {
			p.line("%s: not done after %s", e.Stage, widget.Elapsed(e.Elapsed))
		}
		if p.facts.Total > 0 {
			p.line("%s: %s", e.Stage, spent(p.facts))
		}
	}
}

func (p *plainProgress) progress(e pipeline.StageProgress) {
	if e.Total == 0 {
		return
	}
	text := fmt.Sprintf("%s: %d/%d%s", e.Stage, e.Done, e.Total, pace(p.facts))
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
		_ = writeJSONLine(out, pipeline.EventDoc(event))
	}
}

// hold tells once that no call is begun now, until when and why.
func (p *plainProgress) hold(e pipeline.RunFacts) {
	if e.Held == "" || e.Held == p.facts.Held && e.Until.Equal(p.facts.Until) {
		return
	}
	text := "no call is begun: " + e.Held
	if !e.Until.IsZero() {
		text += ", until " + e.Until.Local().Format("15:04:05")
	}
	p.line("%s: %s", pipeline.StageQA, text)
}

// pace is how a QA run goes, behind its count.
func pace(f pipeline.RunFacts) string {
	var out strings.Builder
	if f.Rate > 0 {
		fmt.Fprintf(&out, "  %.1f rows/s", f.Rate)
	}
	if f.Tokens.Total > 0 || f.Tokens.Untold > 0 {
		out.WriteString("  " + f.TokenWords(widget.Count))
	}
	if f.Priced {
		out.WriteString("  " + f.CostWords())
	}
	if f.Median > 0 {
		fmt.Fprintf(&out, "  latency %s, p95 %s", widget.Latency(f.Median), widget.Latency(f.P95))
	}
	if f.HasLeft && f.Left > 0 {
		fmt.Fprintf(&out, "  %s left (%s to %s)", widget.Elapsed(f.Left), widget.Elapsed(f.LeftLow), widget.Elapsed(f.LeftHigh))
	}
	return out.String()
}

// spent is what the whole run took.
func spent(f pipeline.RunFacts) string {
	least := ""
	if f.Least != "" {
		least = "at least "
	}
	rows := "" // where a row took several calls, their number alone would look wrong
	if n := f.Called + f.Failed; n > 0 && n != f.CallsNow {
		rows = " for " + widget.Plural(n, "row")
	}
	text := fmt.Sprintf("%s; this start sent %s%s; all starts: %s%s", outcome.Tally(f.Rows), widget.Plural(f.CallsNow, "call"), rows, least, widget.Plural(f.Calls, "call"))
	if f.Cut > 0 {
		text += fmt.Sprintf(" (%d cut off before an answer came)", f.Cut)
	}
	text += ", " + f.TokenWords(widget.Count)
	if f.Priced {
		text += ", " + f.CostWords()
	}
	text += ", " + widget.Elapsed(f.Elapsed)
	if f.Least != "" {
		text += " (" + f.Least + ")"
	}
	return text
}
