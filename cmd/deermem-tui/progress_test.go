package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/pipeline"
)

// clock is a time that only moves when it is told to.
type clock struct{ at time.Time }

func (c *clock) now() time.Time       { return c.at }
func (c *clock) pass(d time.Duration) { c.at = c.at.Add(d) }
func newClock() *clock                { return &clock{time.Date(2026, 8, 18, 9, 0, 0, 0, time.UTC)} }
func counted(done int) pipeline.StageProgress {
	return pipeline.StageProgress{Stage: "run-qa", Done: done, Total: 90}
}

func TestPlainProgressTellsACountEveryTwoSecondsAtMost(t *testing.T) {
	var out bytes.Buffer
	c := newClock()
	p := &plainProgress{out: &out, now: c.now}
	p.event(pipeline.StageStarted{Stage: "run-qa", Total: 90})
	for done := range 45 { // 9 s at 200 ms a row
		c.pass(200 * time.Millisecond)
		p.event(counted(done + 1))
	}
	p.event(pipeline.StageFinished{Stage: "run-qa", Elapsed: 9 * time.Second})
	want := "run-qa: started\nrun-qa: 10/90\nrun-qa: 20/90\nrun-qa: 30/90\nrun-qa: 40/90\nrun-qa: done in 9.0 s\n"
	if out.String() != want {
		t.Errorf("told\n%s\nwant\n%s", out.String(), want)
	}
}

func TestPlainProgressCountsAnewInEachStage(t *testing.T) {
	var out bytes.Buffer
	c := newClock()
	p := &plainProgress{out: &out, now: c.now}
	p.event(pipeline.StageStarted{Stage: "validate"})
	c.pass(1900 * time.Millisecond)
	p.event(pipeline.StageStarted{Stage: "run-qa"})
	c.pass(1900 * time.Millisecond)
	p.event(counted(30))
	if want := "validate: started\nrun-qa: started\n"; out.String() != want {
		t.Errorf("told\n%s\nwant\n%s", out.String(), want)
	}
}

func TestPlainProgressWritesTheCountOverOnATerminal(t *testing.T) {
	var out bytes.Buffer
	p := &plainProgress{out: &out, now: newClock().now, live: true}
	p.event(pipeline.StageStarted{Stage: "run-qa"})
	p.event(counted(1))
	p.event(counted(2))
	p.event(pipeline.Note{Stage: "run-qa", Text: "a note"})
	p.event(counted(3))
	p.event(pipeline.StageFinished{Stage: "run-qa", Elapsed: time.Second, Err: errors.New("no")})
	want := "run-qa: started\n\r\x1b[Krun-qa: 1/90\r\x1b[Krun-qa: 2/90\r\x1b[Krun-qa: a note\n" +
		"\r\x1b[Krun-qa: 3/90\r\x1b[Krun-qa: not done after 1.0 s\n"
	if out.String() != want {
		t.Errorf("told\n%q\nwant\n%q", out.String(), want)
	}
}

func TestProgressLetsNothingHostileThrough(t *testing.T) {
	hostile := "a\x1b[2Jb\u009b31mc\u202ed\U000E0041e\x7f\nf"
	events := []pipeline.Event{
		pipeline.StageStarted{Stage: pipeline.Stage(hostile)},
		pipeline.CheckDone{Name: hostile, State: pipeline.CheckFailed, Expected: hostile, Found: hostile},
		pipeline.RowChanged{RowID: hostile, State: pipeline.RowRetrying, Problem: hostile, Model: hostile, Usage: map[string]int64{hostile: 1}},
		pipeline.RowChanged{RowID: hostile, State: pipeline.RowFailed, Problem: hostile},
		pipeline.Note{Stage: pipeline.Stage(hostile), Text: hostile},
		pipeline.StageFinished{Stage: pipeline.Stage(hostile), Err: errors.New(hostile), Summary: hostile},
	}
	var plain, lines bytes.Buffer
	p, j := &plainProgress{out: &plain, now: newClock().now}, jsonProgress(&lines)
	for _, event := range events {
		p.event(event)
		j(event)
	}
	result{stdout: plain.String(), stderr: lines.String()}.checkCalm(t)
	for name, text := range map[string]string{"plain": plain.String(), "json": lines.String()} {
		if n := strings.Count(text, "\n"); n != len(events) {
			t.Errorf("%s: %d lines for %d events:\n%s", name, n, len(events), text)
		}
	}
	var first map[string]any
	if err := json.Unmarshal(bytes.SplitN(lines.Bytes(), []byte("\n"), 2)[0], &first); err != nil || first["stage"] != hostile {
		t.Errorf("the JSON says %q (%v), want %q", first["stage"], err, hostile)
	}
}

func TestEveryEventHasAJSONForm(t *testing.T) {
	for _, event := range []pipeline.Event{
		pipeline.StageStarted{}, pipeline.StageProgress{}, pipeline.StageFinished{}, pipeline.CheckDone{},
		pipeline.RowChanged{Attempt: 1, Wait: 1, Latency: 1}, pipeline.Note{}, pipeline.RunFacts{},
	} {
		if kind := pipeline.EventDoc(event)["event"]; kind == "unknown" || kind == nil {
			t.Errorf("%T is %v", event, kind)
		}
	}
}
