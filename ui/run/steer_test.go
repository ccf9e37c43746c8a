package run

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// asked gives the request that an action makes; nil when it does nothing.
func asked(s *Screen, action keys.Action) tea.Msg {
	cmd := s.Do(action)
	if cmd == nil {
		return nil
	}
	return cmd()
}

// asking is a screen whose run asks its questions.
func asking(book *casebook.Book, events ...pipeline.Event) *Screen {
	s := newScreen(book)
	s.Update(screen.RunStarted{At: fixture.Now})
	s.Update(screen.Events{Events: append([]pipeline.Event{pipeline.StageStarted{Stage: pipeline.StageQA, At: fixture.Now, Total: 90, Unit: "rows"}}, events...)})
	return s
}

func TestARunIsSteeredWhileItAsks(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	for _, action := range []keys.Action{Pause, Drain, Leave, CancelRow, RetryFailed} {
		if s := newScreen(book); asked(s, action) != nil || s.Bindings().Has(action) {
			t.Errorf("%s does something before a run", action)
		}
	}
	s := asking(book, changed(book, 1, pipeline.RowFailed), changed(book, 0, pipeline.RowCalling))
	s.follow = false
	s.table.Select(0)
	for _, tt := range []struct {
		action keys.Action
		want   string
	}{
		{CancelRow, fmt.Sprint(pipeline.Order{Kind: pipeline.OrderCancelRow, RowID: changed(book, 0, "").RowID})},
		{RetryFailed, fmt.Sprint(pipeline.Order{Kind: pipeline.OrderRetry, States: []outcome.State{outcome.Failed}})},
		{Pause, fmt.Sprint(pipeline.Order{Kind: pipeline.OrderPause})},
		{GoOn, fmt.Sprint(pipeline.Order{Kind: pipeline.OrderResume})},
		{Drain, fmt.Sprint(pipeline.Order{Kind: pipeline.OrderDrain})},
	} {
		if !s.Bindings().Has(tt.action) {
			t.Errorf("%s is not offered", tt.action)
		}
		got, ok := asked(s, tt.action).(screen.Steer)
		if !ok || fmt.Sprint(got.Order) != tt.want {
			t.Errorf("%s orders %v, want %s", tt.action, got, tt.want)
		}
	}
	if s.Bindings().Has(Pause) || s.Headline() != "stopping" {
		t.Errorf("while it drains: %s", s.Headline())
	}
	if !s.Bindings().Has(Leave) {
		t.Error("while it drains, quitting afterwards is not offered")
	}
	s = asking(book)
	asked(s, Leave)
	if s.Bindings().Has(Leave) {
		t.Error("what was asked for already is offered")
	}
	if cmd := s.Update(screen.RunEnded{At: fixture.Now}); cmd == nil {
		t.Error("after draining it does not quit")
	} else if _, ok := cmd().(screen.Quit); !ok {
		t.Error("after draining it does not quit")
	}
}

func TestMoneyIsAskedForBeforeItIsSpent(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th, screen.Info{Answerer: "https://api.example.org/v1/chat/completions", Model: "m-1", Variables: []screen.Variable{{Name: "THE_KEY", Set: true}}, Warnings: []string{"not encrypted"}})
	s.Resize(80, 21)
	s.Update(screen.Book{Book: fixture.Book(45, fixture.Partly, false)})
	ask, ok := asked(s, Start).(screen.Ask)
	if !ok || ask.Action != StartYes {
		t.Fatalf("%+v", ask)
	}
	for _, want := range []string{"https://api.example.org", "m-1", "THE_KEY", "The key's value is never shown", "Ahead: 60 calls", "Careful: not encrypted"} {
		if !strings.Contains(ask.Text, want) {
			t.Errorf("it does not say %q:\n%s", want, ask.Text)
		}
	}
	if _, ok := asked(s, StartYes).(screen.Start); !ok {
		t.Error("yes does not start")
	}
	free := New(&th, screen.Info{Offline: true})
	free.Update(screen.Book{Book: fixture.Book(45, fixture.Fresh, false)})
	if _, ok := asked(free, Start).(screen.Start); !ok {
		t.Error("a run that costs nothing asks")
	}
}

func TestDoubtfulRowsAreNamedAndDecidedOn(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	cut := changed(book, 2, pipeline.RowAnswered)
	cut.Outcome, cut.Note = outcome.Truncated, "it was cut off at the token limit"
	s := asking(book, cut)
	s.Update(screen.RunEnded{At: fixture.Now})
	s.follow = false
	s.table.Select(s.progress.index[cut.RowID])
	s.Resize(120, 30)
	view := strings.Join(s.View(), "\n")
	for _, want := range []string{"! truncated", "cut off at the token", "is stored, but truncated"} {
		if !strings.Contains(view, want) {
			t.Errorf("the screen does not say %q:\n%s", want, view)
		}
	}
	if got := s.Headline(); got != "answers 1/90, 1 not plain" {
		t.Errorf("headline %q", got)
	}
	for _, action := range []keys.Action{RetryDoubt, Accept, Peek} {
		ask, ok := asked(s, action).(screen.Ask)
		if !ok || !s.Bindings().Has(action) {
			t.Errorf("%s does not ask", action)
		}
		if told := strings.Contains(ask.Text, "goes on with the rows that have no answer: 90 calls"); told != (action != Peek) {
			t.Errorf("%s: what else is called is told %v:\n%s", action, told, ask.Text)
		}
	}
	if _, ok := asked(s, PeekYes).(screen.Peek); !ok {
		t.Error("a look that was confirmed is not asked for")
	}
}

func TestSilenceIsExplained(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	until := fixture.Now.Add(30 * time.Second)
	held := changed(book, 0, pipeline.RowHeld)
	held.At, held.Until, held.Problem = fixture.Now, until, "waiting for the provider's rate limit"
	facts := pipeline.RunFacts{At: fixture.Now, Total: 90, Done: 3, Calls: 12, Tokens: pipeline.Tokens{Total: 12400}, Cost: 0.5, Priced: true, Rate: 1.9, Median: 431 * time.Millisecond, P95: 1200 * time.Millisecond,
		Left: 26 * time.Second, LeftLow: 20 * time.Second, LeftHigh: 40 * time.Second, HasLeft: true, Held: "the provider's rate limit", Until: until}
	s := asking(book, held, facts)
	s.Resize(130, 30)
	view := strings.Join(s.View(), "\n")
	clock := until.Local().Format("15:04:05")
	for _, want := range []string{"12 calls  12,400 tokens  cost 0.5000  1.9 rows/s  latency 431 ms, p95 1.20 s", "56 s left, likely 50 s to 1m 10s", "3/90 rows, 3 %",
		"no call is begun until " + clock + " (30 s): the provider's rate limit", "↻ held", "in 30 s", "until " + clock} {
		if !strings.Contains(view, want) {
			t.Errorf("the screen does not say %q:\n%s", want, view)
		}
	}
}

func TestTheLogCanBeFiltered(t *testing.T) {
	book := fixture.Book(45, fixture.Fresh, false)
	s := asking(book, pipeline.Note{At: fixture.Now, Text: "an apple"}, pipeline.Note{At: fixture.Now, Text: "a pear"})
	s.Resize(120, 30)
	s.Do(FilterLog)
	if !s.Typing() {
		t.Fatal("no filter can be typed")
	}
	for _, r := range "PEAR" {
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	s.Type(tea.KeyMsg{Type: tea.KeyEnter})
	s.Update(screen.Events{Events: []pipeline.Event{pipeline.Note{At: fixture.Now, Text: "another apple"}, pipeline.Note{At: fixture.Now, Text: "another pear"}}})
	view := strings.Join(s.View(), "\n")
	if strings.Contains(view, "apple") || !strings.Contains(view, "a pear") || !strings.Contains(view, "another pear") || !strings.Contains(view, "/PEAR") {
		t.Error(view)
	}
	s.Do(keys.Focus)
	if read, ok := asked(s, keys.Open).(screen.Read); !ok || strings.Count(read.Text, "pear") != 2 || strings.Contains(read.Text, "apple") {
		t.Errorf("enter on the log reads %+v", read)
	}
	s.Do(FilterLog)
	s.Type(tea.KeyMsg{Type: tea.KeyEsc})
	if view := strings.Join(s.View(), "\n"); !strings.Contains(view, "an apple") || !strings.Contains(view, "another apple") {
		t.Error(view)
	}
}

func TestARunThatIsWatchedCannotBeSteered(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th, screen.Info{Watching: true})
	s.Resize(80, 21)
	cmd := s.Update(screen.Book{Book: fixture.Book(45, fixture.Partly, false)})
	if cmd == nil {
		t.Fatal("watching does not begin by itself")
	}
	if _, ok := cmd().(screen.Start); !ok {
		t.Error("watching does not begin by itself")
	}
	s.Update(screen.RunStarted{At: fixture.Now})
	s.Update(screen.Events{Events: []pipeline.Event{pipeline.StageStarted{Stage: pipeline.StageQA, At: fixture.Now, Total: 90}}})
	for _, action := range []keys.Action{Pause, Drain, Leave, CancelRow, RetryFailed, RetryDoubt, Accept, Peek} {
		if s.Bindings().Has(action) {
			t.Errorf("%s is offered", action)
		}
	}
	if _, ok := asked(s, Cancel).(screen.Cancel); !ok {
		t.Error("watching cannot be stopped")
	}
}
