// Tests of rows that are stored and called again, of replies that tell no
// tokens, and of a watched run that is started once more.

package run

import (
	"errors"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

func TestAStoredRowThatIsCalledAgainStaysCounted(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	doubtful := changed(book, 0, pipeline.RowAnswered)
	doubtful.Outcome, doubtful.Note = outcome.Truncated, "cut off at the token limit"
	s := asking(book, doubtful, changed(book, 1, pipeline.RowAnswered))
	s.Update(screen.RunEnded{At: fixture.Now})
	s.Update(screen.RunStarted{At: fixture.Now})
	s.Update(screen.Events{Events: []pipeline.Event{pipeline.StageStarted{Stage: pipeline.StageQA, At: fixture.Now, Total: 90, Unit: "rows"}}})
	p := s.progress
	for _, state := range []pipeline.RowState{pipeline.RowWaiting, pipeline.RowCalling, pipeline.RowRetrying, pipeline.RowFailed} {
		again := changed(book, 0, state)
		again.Again, again.Problem = true, "HTTP 401"
		s.Update(screen.Events{Events: []pipeline.Event{again}})
		if p.finished() != 2 || p.doubtful() != 1 {
			t.Errorf("%s: %d stored, %d doubtful", state, p.finished(), p.doubtful())
		}
	}
	if p.unanswered() != 0 {
		t.Error("a row that has an answer counts as one without")
	}
	s.Update(screen.RunEnded{At: fixture.Now, Err: pipeline.ErrRowsFailed})
	if r := p.rows[0]; r.state != pipeline.RowReused || r.outcome != outcome.Truncated || r.problem != "cut off at the token limit" || p.counts[pipeline.RowFailed] != 0 {
		t.Errorf("after the end it is %+v", r)
	}
}

func TestTokensThatWereNotToldAreNotZero(t *testing.T) {
	for _, tt := range []struct {
		facts pipeline.RunFacts
		wants []string
	}{
		{pipeline.RunFacts{Tokens: pipeline.Tokens{Untold: 3, Unpriced: 3}}, []string{"12 calls  tokens unknown (3 replies without usage)  cost unknown"}},
		{pipeline.RunFacts{Tokens: pipeline.Tokens{In: 900, Out: 100, Total: 1000, Untold: 1, Unpriced: 1}, Cost: 0.25}, []string{"at least 1,000 tokens (1 reply without usage)  cost at least 0.2500"}},
		{pipeline.RunFacts{Tokens: pipeline.Tokens{In: 900, Out: 100, Total: 1000}, Cost: 0.25, Least: "there is no journal of earlier starts"},
			[]string{"at least 12 calls  at least 1,000 tokens  cost at least 0.2500", "there is no journal of earlier starts"}},
		{pipeline.RunFacts{Tokens: pipeline.Tokens{In: 9, Out: 1, Total: 10}, Cost: 0.00001}, []string{"cost 1e-05"}},
	} {
		tt.facts.Total, tt.facts.Calls, tt.facts.Priced = 90, 12, true
		p := NewProgress()
		p.Apply(tt.facts)
		text := strings.Join(p.took(), "  ")
		for _, want := range tt.wants {
			if !strings.Contains(text, want) || strings.Contains(text, "0.0000") {
				t.Errorf("%q does not say %q", text, want)
			}
		}
	}
	book := fixture.Book(45, fixture.Fresh, false)
	absurd := changed(book, 0, pipeline.RowAnswered)
	absurd.Usage = map[string]int64{"total_tokens": 1 << 62, "prompt_tokens": -4}
	p := NewProgress()
	p.Load(book)
	p.Apply(absurd)
	if got := p.stored(); got != "tokens unknown (1 reply without usage)" {
		t.Errorf("the table's edge says %q", got)
	}
}

func TestAWatchedRunThatIsStartedAgainIsShownAnew(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th, screen.Info{Watching: true})
	s.Resize(120, 36)
	book := fixture.Book(45, fixture.Fresh, false)
	s.Update(screen.Book{Book: book})
	s.Update(screen.RunStarted{At: fixture.Now})
	start := pipeline.StageStarted{Stage: pipeline.StageQA, At: fixture.Now, Total: 90, Unit: "rows"}
	failed := changed(book, 2, pipeline.RowFailed)
	failed.Problem = "HTTP 500"
	s.Update(screen.Events{Events: []pipeline.Event{start, changed(book, 0, pipeline.RowAnswered), changed(book, 1, pipeline.RowCalling), failed,
		pipeline.RunFacts{At: fixture.Now, Total: 90, Done: 1, Calls: 25, Rate: 2, Held: "the provider's rate limit"},
		pipeline.StageFinished{Stage: pipeline.StageQA, At: fixture.Now, Elapsed: time.Second, Err: errors.New("stopped with 1 of 90 rows stored; run it again to resume")}}})
	says(t, strings.Join(s.View(), "\n"), "stopped with 1 of 90 rows stored", "no process writes this folder now; the next start is shown by itself")
	if got := s.Headline(); got != "answers 1/90, 1 failed" {
		t.Errorf("between two starts the header says %q", got)
	}
	s.Update(screen.Events{Events: []pipeline.Event{start, changed(book, 0, pipeline.RowReused), changed(book, 1, pipeline.RowCalling)}})
	text, _, _ := strings.Cut(strings.Join(s.View(), "\n"), " Log ") // the log keeps what it told
	for _, old := range []string{"stopped with", "25 calls", "no process writes", "HTTP 500", "failed 1"} {
		if strings.Contains(text, old) {
			t.Errorf("%q of the start before is shown:\n%s", old, text)
		}
	}
	says(t, text, "1 call in flight", "stored before 1")
	if got := s.Headline(); !strings.HasPrefix(got, "running run-qa") {
		t.Errorf("the header says %q", got)
	}
}
