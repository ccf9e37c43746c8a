// Views of the Run screen when a run does not go by itself: a wait, rows that
// failed or are no plain answers, a row in full, the question before quitting.
package ui

import (
	"fmt"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// limited is a run that waits for its provider: one row met the rate limit, two
// are held by it, one was cut off, one failed.
func limited(th theme.Theme, w, h int) *desk {
	book := fixture.Book(45, fixture.Partly, false)
	d := newDesk(&fakeEngine{book: book}, th, w, h)
	d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
	until := fixture.Now.Add(34 * time.Second)
	row := func(i int, state pipeline.RowState, attempt int, more func(*pipeline.RowChanged)) pipeline.Event {
		id := book.Entries[i].Case.ID
		c := pipeline.RowChanged{RowID: casebook.RowID(id, "hybrid-v1"), CaseID: id, Policy: "hybrid-v1", State: state, At: fixture.Now.Add(time.Second), Attempt: attempt}
		if more != nil {
			more(&c)
		}
		return c
	}
	d.send(screen.Events{Events: []pipeline.Event{
		pipeline.StageStarted{Stage: pipeline.StageQA, At: fixture.Now, Total: 90, Unit: "rows"},
		row(1, pipeline.RowAnswered, 1, func(c *pipeline.RowChanged) {
			c.Latency, c.Usage = 640*time.Millisecond, map[string]int64{"total_tokens": 812}
			c.Outcome, c.Note = outcome.Truncated, "it was cut off at the token limit"
		}),
		row(2, pipeline.RowFailed, 3, func(c *pipeline.RowChanged) { c.Problem = "the provider failed, HTTP 503: overloaded" }),
		row(4, pipeline.RowCalling, 1, nil),
		row(4, pipeline.RowRetrying, 1, func(c *pipeline.RowChanged) {
			c.Wait, c.Until, c.Problem = 33*time.Second, until, "the provider's rate limit was reached, HTTP 429: slow down"
		}),
		row(5, pipeline.RowHeld, 1, func(c *pipeline.RowChanged) {
			c.Wait, c.Until, c.Problem = 33*time.Second, until, "waiting for the provider's rate limit, which another call met"
		}),
		row(7, pipeline.RowCalling, 2, nil),
		pipeline.RunFacts{At: fixture.Now.Add(time.Second), Total: 90, Done: 31, Calls: 37, Tokens: pipeline.Tokens{Total: 22_412}, Cost: 0.0431, Priced: true, Rate: 1.9,
			Median: 640 * time.Millisecond, P95: 2100 * time.Millisecond, HasLeft: true, Left: 31 * time.Second, LeftLow: 24 * time.Second, LeftHigh: 41 * time.Second,
			Looks: 1, Held: "the provider's rate limit", Until: until},
	}})
	return d
}

// stored is what the row of case 1 looks like on disk.
func stored(book *casebook.Book) run.Stored {
	id := casebook.RowID(book.Entries[1].Case.ID, "hybrid-v1")
	model := "m-1-2026"
	return run.Stored{RowID: id, Row: rundir.Row{
		RowID: id, RequestFingerprint: "3af3d2c1b0a9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a392817065", Prediction: "At seven, because", ResponseModel: &model, Attempts: 2,
		CreatedAt: "2026-06-01T12:00:01.000000Z", Capacity: 7, KeptFactIDs: []string{"a", "b", "c", "d", "e", "f", "g"}, Usage: map[string]*big.Int{"total_tokens": big.NewInt(812)},
		Extra: &rundir.Extra{State: outcome.Truncated, FinishReason: "length", Started: "2026-06-01T12:00:00.360000Z", Latency: 640 * time.Millisecond,
			Usage:    map[string]any{"total_tokens": int64(812), "completion_tokens_details": map[string]any{"reasoning_tokens": int64(300)}},
			Failures: []rundir.Failure{{Attempt: 1, Class: "timeout", Latency: 30 * time.Second, Wait: 1200 * time.Millisecond}}},
	}}
}

var runScenes = []struct {
	name, why string
	make      func(th theme.Theme, w, h int) *desk
}{
	{"run-waits", "no call is begun: said why and until when, of the run and of each row", limited},
	{"run-paused", "a pause says how to go on", func(th theme.Theme, w, h int) *desk {
		d := limited(th, w, h)
		d.keys("p")
		return d
	}},
	{"run-only", "only the rows that have no plain answer", func(th theme.Theme, w, h int) *desk {
		d := limited(th, w, h)
		d.keys("o", "o", "o")
		return d
	}},
	{"run-row", "a row in full: why it is no plain answer, its attempts, what it took", func(th theme.Theme, w, h int) *desk {
		d := limited(th, w, h)
		d.send(screen.For{Screen: screen.Run, Msg: stored(d.app.book)})
		return d
	}},
	{"run-quit", "before quitting: what is given up, and the choice to wait for it", func(th theme.Theme, w, h int) *desk {
		d := limited(th, w, h)
		d.keys("q")
		return d
	}},
	{"run-left", "a run that was stopped says what is left to do, and with which key", func(th theme.Theme, w, h int) *desk {
		d := limited(th, w, h)
		d.send(screen.RunEnded{At: fixture.Now.Add(2 * time.Second), Canceled: true})
		return d
	}},
}

func TestRunViewsAreThoseThatWereLookedAt(t *testing.T) {
	for _, scene := range runScenes {
		for name, th := range themes() {
			for _, size := range sizes {
				file := fmt.Sprintf("%s_%dx%d_%s.txt", scene.name, size[0], size[1], name)
				t.Run(file, func(t *testing.T) {
					view := scene.make(th, size[0], size[1]).app.View()
					exact(t, view, size[0], size[1])
					golden(t, filepath.Join("testdata", "golden", file), view+"\n")
				})
			}
		}
	}
}
