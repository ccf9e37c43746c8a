package run

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
)

// inFull opens the row under the cursor, with what is found on disk of it.
func inFull(t *testing.T, s *Screen, row rundir.Row, err error) string {
	t.Helper()
	wanted, ok := asked(s, keys.Open).(screen.ReadRow)
	if !ok {
		t.Fatal("enter does not open the row")
	}
	read, ok := s.Update(Stored{RowID: wanted.RowID, Row: row, Err: err})().(screen.Read)
	if !ok || !strings.Contains(read.Title, wanted.RowID) {
		t.Fatalf("%+v", read)
	}
	return read.Text
}

func says(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestARowThatWaitsTellsItsAttemptsAndUntilWhen(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	until := fixture.Now.Add(4 * time.Second)
	retrying := changed(book, 0, pipeline.RowRetrying)
	retrying.Problem, retrying.Wait, retrying.Until = "the provider's rate limit (HTTP 429)", 4*time.Second, until
	s := asking(book, changed(book, 0, pipeline.RowCalling), retrying)
	says(t, inFull(t, s, rundir.Row{}, fmt.Errorf("row: %w", rundir.ErrNoRow)),
		"state     retrying, attempt 1", "until "+clock(until)+" (4.0 s): the provider's rate limit (HTTP 429)",
		"stored    nothing yet", "attempt 1 is called", "attempt 1 failed: the provider's rate limit (HTTP 429); waits for 4.0 s until "+clock(until))
}

func TestAStoredRowTellsWhatWasSentAndWhatCame(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	cut := changed(book, 0, pipeline.RowAnswered)
	cut.Outcome, cut.Note, cut.Attempt = outcome.Truncated, "it was cut off at the token limit", 2
	s := asking(book, cut)
	model := "m-2" + fixture.Hostile
	text := inFull(t, s, rundir.Row{
		RequestFingerprint: "3af3", Prediction: "The answer\x1b[31m is", ResponseModel: &model, Attempts: 2, CreatedAt: "2026-08-18T10:00:00Z", Capacity: 7,
		KeptFactIDs: []string{"a", "b"}, Usage: map[string]*big.Int{"total_tokens": big.NewInt(12)},
		Extra: &rundir.Extra{FinishReason: "length", Latency: 431 * time.Millisecond, OtherModel: true, Started: "2026-08-18T09:59:58Z",
			Usage:    map[string]any{"total_tokens": int64(12), "completion_tokens_details": map[string]any{"reasoning_tokens": int64(3)}},
			Failures: []rundir.Failure{{Attempt: 1, Class: "rate-limit", Status: 429, Latency: 20 * time.Millisecond, Wait: 4 * time.Second}}},
	}, nil)
	says(t, text, "state     stored, no plain answer: truncated", "because   it was cut off at the token limit", "request   SHA-256\n  3af3", "kept      2 facts at capacity 7",
		"another than was asked for", "ended     length", "latency   431 ms", "1. rate-limit, HTTP 429 after 20 ms, then waited 4.0 s",
		"completion_tokens_details.reasoning_tokens: 3", "total_tokens: 12", "The answer")
	if strings.Contains(text, "\x1b") {
		t.Errorf("it is not cleaned: %q", text)
	}
}

func TestARowOfAnotherProgramSaysWhatItDoesNotTell(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Partly, false))
	says(t, inFull(t, s, rundir.Row{Attempts: 2, Prediction: "x"}, nil), "another program wrote this row", "model     not told", "usage     not told")
}

func TestAPublishedRowIsToldFromTheGradedOnes(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false))
	text := inFull(t, s, rundir.Row{}, rundir.ErrNoRow)
	says(t, text, "the file of its answer is not in this folder", "graded rows do not name them", "total_tokens", "Answer")
	if strings.Contains(text, "nothing yet") || strings.Contains(text, "correct") {
		t.Error(text)
	}
}

func TestTheTableCanBeNarrowedToRowsThatNeedALook(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	empty := changed(book, 3, pipeline.RowAnswered)
	empty.Outcome = outcome.Empty
	s := asking(book, changed(book, 1, pipeline.RowFailed), changed(book, 2, pipeline.RowCalling), empty)
	for _, want := range []string{"Rows: in flight 1 of 90", "Rows: failed 1 of 90", "Rows: no plain answer 1 of 90", "Rows: not there yet 89 of 90", "Rows 1/90"} {
		s.Do(Only)
		if got := s.listed(); got != want {
			t.Errorf("it lists %q, want %q", got, want)
		}
	}
	s = newScreen(fixture.Book(45, fixture.Partly, false))
	s.Do(Only)
	if got := s.listed(); got != "Rows: not there yet 60 of 90" {
		t.Errorf("kinds without rows are not passed over: %q", got)
	}
}

func TestAnAnswerThatCouldNotBeStoredCountsNoAttempts(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	lost := changed(book, 0, pipeline.RowFailed)
	lost.Attempt, lost.Problem = 0, "no space left on device"
	if got := NewProgress().Apply(lost); !strings.HasSuffix(got, lost.RowID+" failed: no space left on device") {
		t.Errorf("the log says %q", got)
	}
}

func TestAnotherModelIsToldOnce(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	p := NewProgress()
	lines := 0
	for i := range 5 {
		e := changed(book, i, pipeline.RowAnswered)
		e.OtherModel, e.Model = true, "m-2"
		if p.Apply(e) != "" {
			lines++
		}
	}
	if lines != 1 {
		t.Errorf("it is told %d times", lines)
	}
}
