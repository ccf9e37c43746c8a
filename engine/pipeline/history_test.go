// Tests of what a journal tells of earlier starts, line by line.

package pipeline

import (
	"errors"
	"testing"
	"time"

	"deermem-tui/engine/rundir"
)

func TestAJournalTellsWhatWasSentWhateverEndedAStart(t *testing.T) {
	at := time.Date(2026, 8, 18, 4, 0, 0, 0, time.UTC)
	start := StageStarted{Stage: StageQA, At: at, Total: 90}
	end := StageFinished{Stage: StageQA, At: at.Add(time.Minute), Err: errors.New("stopped")}
	call := func(row string) Event { return CallSent{RowID: row, Attempt: 1, At: at} }
	row := func(id string, state RowState, more func(*RowChanged)) Event {
		c := RowChanged{RowID: id, State: state, At: at, Attempt: 1}
		if more != nil {
			more(&c)
		}
		return c
	}
	created := func(text string) func(*RowChanged) {
		return func(c *RowChanged) { c.CreatedAt, c.Tokens = text, Tokens{8, 2, 10, 0, 0} }
	}
	stored := func(id, text string, attempts int) map[string]rundir.Row {
		return map[string]rundir.Row{id: {RowID: id, CreatedAt: text, Attempts: attempts}}
	}
	for _, tt := range []struct {
		name       string
		events     []Event
		stored     map[string]rundir.Row
		calls, cut int
		tokens     int64 // that no stored row tells of
	}{
		{"an answer", []Event{start, call("a"), row("a", RowAnswered, created("1")), end}, stored("a", "1", 1), 1, 0, 0},
		{"an answer after a redirect is two requests and one attempt", []Event{start, call("a"), call("a"), row("a", RowAnswered, created("1")), end}, stored("a", "1", 1), 2, 0, 0},
		{"a kill in flight", []Event{start, call("a")}, nil, 1, 1, 0},
		{"a kill in flight, and the next start too", []Event{start, call("a"), start, call("a")}, nil, 2, 2, 0},
		{"a kill right after the row was stored", []Event{start, call("a")}, stored("a", "1", 1), 1, 0, 0},
		{"the same, two starts later", []Event{start, call("a"), start, row("a", RowReused, created("1")), end, start, row("a", RowReused, created("1")), end}, stored("a", "1", 1), 1, 0, 0},
		{"a kill in flight, answered by the next start", []Event{start, call("a"), start, call("a"), row("a", RowAnswered, created("1")), end}, stored("a", "1", 1), 2, 1, 0},
		{"calls that were abandoned", []Event{start, call("a"), row("a", RowWaiting, func(c *RowChanged) { c.Problem, c.CutOff = "stopped", true }), end}, nil, 1, 1, 0},
		{"a limit reached behind a redirect", []Event{start, call("a"), row("a", RowWaiting, func(c *RowChanged) { c.Problem = "the limit" }), end}, nil, 1, 0, 0},
		{"retries", []Event{start, call("a"), row("a", RowRetrying, nil), call("a"), row("a", RowAnswered, created("1")), end}, stored("a", "1", 2), 2, 0, 0},
		{"attempts that reached nobody are none", []Event{start, row("a", RowFailed, func(c *RowChanged) { c.Attempt = 3 }), end}, nil, 0, 0, 0},
		{"a failure that was paid for", []Event{start, call("a"), row("a", RowFailed, created("")), end}, nil, 1, 0, 10},
		{"an answer that was replaced", []Event{start, call("a"), row("a", RowAnswered, created("1")), end, start, call("a"), row("a", RowAnswered, created("2")), end}, stored("a", "2", 1), 2, 0, 10},
		{"a row of another program", nil, stored("a", "1", 3), 3, 0, 0},
		{"a row of another program that is called again", []Event{start, row("a", RowReused, func(c *RowChanged) { c.CreatedAt, c.Attempt = "1", 3 }), end, start, call("a"), row("a", RowAnswered, created("2")), end}, stored("a", "2", 1), 4, 0, 0},
		{"a row whose journal was lost, and another", []Event{start, row("a", RowReused, created("1")), call("b"), row("b", RowAnswered, created("2")), end},
			map[string]rundir.Row{"a": {RowID: "a", CreatedAt: "1", Attempts: 1}, "b": {RowID: "b", CreatedAt: "2", Attempts: 1}}, 2, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := rundir.Create(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			j := openJournal(dir)
			for _, e := range tt.events {
				j.add(e)
			}
			j.close()
			if err := j.failed(); err != nil {
				t.Fatal(err)
			}
			h, err := readHistory(dir, tt.stored)
			if err != nil || h.calls != tt.calls || h.cut != tt.cut || h.tokens.Total != tt.tokens {
				t.Errorf("%d calls, %d cut off, %d tokens; want %d, %d, %d", h.calls, h.cut, h.tokens.Total, tt.calls, tt.cut, tt.tokens)
			}
		})
	}
}
