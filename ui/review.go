// The review's two effects: reading how it stands and recording a verdict. Both
// answer with data messages, so that every screen hears of them.
package ui

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/quote"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/screen"
)

// reviews reads the review of a run folder and adds to it. Its methods may be
// called from several goroutines.
type reviews struct {
	now     func() time.Time
	secrets func(*gradedrun.Run) []secret.Named // what no file of a run may hold; nil: nothing is known

	mu    sync.Mutex
	of    *study.Study
	texts *quote.Finder // of that study
}

// reviewMsg is an answer, and of which opening it is.
type reviewMsg struct {
	no   int
	told tea.Msg
}

// Read tells how the review of a folder stands. The book gives the cases, where
// their texts are at hand.
func (r *reviews) Read(ctx context.Context, folder string, book *casebook.Book, sample *int) screen.Review {
	desk, err := review.Open(ctx, folder, review.Ask{Cases: casesOf(book), Sample: sample})
	if err != nil {
		return screen.Review{Err: err}
	}
	desk.Private = r.private(book, desk.Run)
	told := screen.Review{Desk: desk, Refusal: desk.Refusal()}
	if desk.Standing.Finished() {
		told.Result, told.Err = desk.Result()
	}
	return told
}

// Record adds a verdict to the ledger.
func (r *reviews) Record(book *casebook.Book, desk *review.Desk, v review.Verdict) screen.Verdict {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	who := rundir.Writer{PID: os.Getpid(), Host: host}
	entry, err := review.Record(desk.Run.Dir, who, desk.Standing.Queue, v, r.private(book, desk.Run), r.now())
	return screen.Verdict{Given: v, Entry: entry, Err: err}
}

// private gives what must not be recorded; making it takes a while.
func (r *reviews) private(book *casebook.Book, run *gradedrun.Run) *review.Private {
	p := &review.Private{}
	if r.secrets != nil {
		p.Secrets = r.secrets(run)
	}
	if book == nil || book.Study == nil {
		return p
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of != book.Study {
		r.of, r.texts = book.Study, review.Texts(casesOf(book))
	}
	p.Texts = r.texts
	return p
}

// casesOf gives the cases of a book that was made of a study, nil of any other.
func casesOf(book *casebook.Book) []pools.Case {
	if book == nil || book.Study == nil {
		return nil
	}
	return book.Study.Pools.Cases
}

// readReview asks how the review of what is open stands.
func (a *App) readReview(msg screen.ReadReview) tea.Cmd {
	read, no, folder, book := a.do.review, a.no, a.info.Folder, a.book
	if read == nil {
		return a.say("this run cannot be reviewed here")
	}
	return func() tea.Msg { return read(no, folder, book, msg.Sample) }
}

// giveVerdict records a verdict on a pair of what is open.
func (a *App) giveVerdict(msg screen.GiveVerdict) tea.Cmd {
	record, no, book := a.do.verdict, a.no, a.book
	if record == nil {
		return a.say("no verdict can be recorded here")
	}
	return func() tea.Msg { return record(no, book, msg) }
}

// reviewed passes an answer on. One about a run that is no longer open concerns
// no screen; what became of a verdict is told all the same.
func (a *App) reviewed(msg reviewMsg) tea.Cmd {
	if msg.no == a.no {
		return a.broadcast(msg.told)
	}
	if v, ok := msg.told.(screen.Verdict); ok {
		if v.Err != nil {
			return a.say(fmt.Sprintf("the verdict on the run before was not recorded: %v", v.Err))
		}
		return a.say("the verdict on the run before is recorded")
	}
	return nil
}

// unsaved tells of what was typed and would be lost.
func (a *App) unsaved() string {
	for _, s := range a.screens {
		if keeper, ok := s.(screen.Unsaved); ok && keeper.Unsaved() != "" {
			return keeper.Unsaved()
		}
	}
	return ""
}

// discard forgets it.
func (a *App) discard() {
	for _, s := range a.screens {
		if keeper, ok := s.(screen.Unsaved); ok {
			keeper.Discard()
		}
	}
}
