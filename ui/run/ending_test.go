package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

func TestTheEndIsToldInKeysNotFlags(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Partly, false))
	open := &pipeline.UndecidedError{Rows: []pipeline.Doubt{{RowID: "c1__confidence", State: outcome.Empty, Note: "its text is empty"}}, Of: 90}
	for _, c := range []struct {
		name  string
		end   screen.RunEnded
		title string
		text  string
	}{
		{"carried through", screen.RunEnded{}, "the run is complete", ""},
		{"stopped without an error", screen.RunEnded{Canceled: true}, kept, ""},
		{"stopped at once", screen.RunEnded{Err: context.Canceled, Canceled: true}, kept, ""},
		{"drained", screen.RunEnded{Err: fmt.Errorf("%w with 10 of 90 rows stored", pipeline.ErrStopped)}, kept, ""},
		{"at a limit", screen.RunEnded{Err: fmt.Errorf("%w (%w)", pipeline.ErrStopped, pipeline.ErrLimit)}, "The run was stopped", "limit"},
		{"undecided", screen.RunEnded{Err: open}, "1 row has no plain answer", "R    calls them again"},
		{"failed", screen.RunEnded{Err: pipeline.ErrRowsFailed}, "0 rows have no answer", "r calls these again"},
		{"called again in vain", screen.RunEnded{Err: &pipeline.RetryError{Rows: 3}}, "No other answer came", "3 stored rows were called again without success"},
		{"graded already", screen.RunEnded{Err: &pipeline.GradedError{Rows: 3, Names: []string{"qa.rows.jsonl"}}}, "The run is graded already", "3 rows would be called and paid for"},
		{"anything else", screen.RunEnded{Err: errors.New("no space left")}, "The run ended early", "no space left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			title, text := s.Ending(c.end)
			if title != c.title || !strings.Contains(text, c.text) || c.text == "" && text != "" {
				t.Errorf("%q, %q", title, text)
			}
			if strings.Contains(text, "--") {
				t.Errorf("it names flags: %q", text)
			}
		})
	}
}

func TestQuittingSaysWhatIsGivenUpAndOffersToWait(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	s := asking(book, changed(book, 0, pipeline.RowCalling))
	ask, needed := s.BeforeQuit("yes")
	if !needed || ask.Action != "yes" || !strings.Contains(ask.Text, "1 call in flight is given up: the provider may charge for it") {
		t.Errorf("%v: %+v", needed, ask)
	}
	if action, ok := ask.Also.Match("d"); !ok || action != Leave {
		t.Errorf("it offers %+v", ask.Also)
	}
	stop, ok := asked(s, Cancel).(screen.Ask)
	if action, offered := stop.Also.Match("d"); !ok || !offered || action != Drain {
		t.Errorf("stopping offers %+v", stop)
	}
	s.Do(Drain)
	if ask, _ := s.BeforeQuit("yes"); len(ask.Also) != 1 {
		t.Error("while it drains, leaving afterwards is not offered")
	}
	s.Update(screen.RunEnded{At: fixture.Now})
	if _, needed := s.BeforeQuit("yes"); needed {
		t.Error("it asks although nothing is in progress")
	}
}

func TestLeavingARunThatIsWatchedAsksNothing(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th, screen.Info{Watching: true})
	s.Update(screen.RunStarted{At: fixture.Now})
	if _, needed := s.BeforeQuit("yes"); needed {
		t.Error("it asks")
	}
	if title, text := s.Ending(screen.RunEnded{}); title != "the run that was watched has ended" || text != "" {
		t.Errorf("%q, %q", title, text)
	}
}

func TestWhatWasDoneBeforeIsToldAsFarAsItIsKnown(t *testing.T) {
	passed := []study.Check{{Name: "a", State: study.Passed}, {Name: "b", State: study.Passed}, {Name: "c", State: study.NotRun}}
	for _, c := range []struct {
		name  string
		rows  fixture.Kind
		known bool // the study is at hand
		done  bool // the policy stage's results are there
		wants []string
	}{
		{"nothing was run", fixture.Fresh, true, false, []string{"validate", "2 checks passed when this was opened", "score the facts", "ask each question", "grade the answers"}},
		{"stopped in the middle", fixture.Partly, true, true, []string{"2 checks passed", "results are in the folder", "30/90 stored", "60 rows still to be asked: r goes on there"}},
		{"graded", fixture.Graded, true, true, []string{"2 checks passed", "results are in the folder", "90 answers stored", "graded before this was opened"}},
		{"published without protocol or dataset", fixture.Graded, false, false, []string{"not known: no protocol or dataset here", "no results of it are in the folder", "90 answers stored"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			book := *fixture.Book(45, c.rows, false)
			book.Checks, book.PolicyDone = passed, c.done
			if c.known {
				book.Study = &study.Study{}
			}
			s := newScreen(nil)
			s.book = &book // its study is empty: nothing is to be computed of it
			s.progress.Load(&book)
			s.arrange()
			says(t, strings.Join(s.View(), "\n"), c.wants...)
		})
	}
}
