package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
)

// inbox receives what would go to the program.
type inbox struct {
	mu   sync.Mutex
	msgs []tea.Msg
	got  chan struct{} // one for every message
}

func newInbox() *inbox { return &inbox{got: make(chan struct{}, 10000)} }

func (b *inbox) send(msg tea.Msg) {
	b.mu.Lock()
	b.msgs = append(b.msgs, msg)
	b.mu.Unlock()
	b.got <- struct{}{}
}

// events are all events received, and the number of messages they came in.
func (b *inbox) events() (all []pipeline.Event, messages int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.msgs {
		if e, ok := m.(screen.Events); ok {
			all = append(all, e.Events...)
			messages++
		}
	}
	return all, messages
}

func TestTheFeedDropsNoEventAndKeepsTheirOrder(t *testing.T) {
	const n = 5000
	box := newInbox()
	f := newFeed(box.send, 0)
	var wait sync.WaitGroup
	wait.Go(f.Deliver)
	for i := range n {
		f.Sink(pipeline.StageProgress{Done: i})
	}
	f.Close()
	wait.Wait()
	all, _ := box.events()
	if len(all) != n {
		t.Fatalf("%d of %d events arrived", len(all), n)
	}
	for i, e := range all {
		if e.(pipeline.StageProgress).Done != i {
			t.Fatalf("event %d is %v", i, e)
		}
	}
}

func TestTheFeedDeliversInChunksAndTheLastOneAtOnce(t *testing.T) {
	box := newInbox()
	f := newFeed(box.send, time.Hour) // a second delivery comes by Close alone
	var wait sync.WaitGroup
	wait.Go(f.Deliver)
	f.Sink(pipeline.Note{Text: "first"})
	<-box.got
	for range 1000 {
		f.Sink(pipeline.Note{})
	}
	f.Close()
	wait.Wait()
	if all, messages := box.events(); len(all) != 1001 || messages != 2 {
		t.Errorf("%d events in %d messages, want 1001 in 2", len(all), messages)
	}
}

func newRunner(engine Engine, box *inbox) *runner {
	return &runner{engine: engine, guard: &guard{}, ctx: context.Background(), send: box.send, now: func() time.Time { return fixture.Now }}
}

func TestTheRunnerTellsStartEventsAndEndInThisOrder(t *testing.T) {
	box := newInbox()
	r := newRunner(&fakeEngine{run: func(_ context.Context, sink pipeline.Sink) error {
		sink(pipeline.Note{Text: "a"})
		sink(pipeline.Note{Text: "last"})
		return errors.New("failed")
	}}, box)
	r.Start(nil)
	r.guard.wait.Wait()
	if _, ok := box.msgs[0].(screen.RunStarted); !ok {
		t.Errorf("first came %T", box.msgs[0])
	}
	end, ok := box.msgs[len(box.msgs)-1].(screen.RunEnded)
	if !ok || end.Err == nil || end.Canceled {
		t.Errorf("last came %#v", box.msgs[len(box.msgs)-1])
	}
	if all, _ := box.events(); len(all) != 2 || r.Running() {
		t.Errorf("%d events, running %v", len(all), r.Running())
	}
}

func TestOnlyOneRunIsInProgressAndCancelEndsIt(t *testing.T) {
	box := newInbox()
	r := newRunner(&fakeEngine{run: func(ctx context.Context, _ pipeline.Sink) error {
		<-ctx.Done()
		return fmt.Errorf("run-qa: %w", ctx.Err())
	}}, box)
	r.Start(nil)
	if msg := r.Start(nil); msg != (screen.Toast{Text: "a run is in progress already"}) {
		t.Errorf("a second start gave %v", msg)
	}
	r.Cancel()
	r.guard.wait.Wait()
	end, ok := box.msgs[len(box.msgs)-1].(screen.RunEnded)
	if !ok || !end.Canceled {
		t.Errorf("last came %#v", end)
	}
}

func TestAPanicInTheRunIsKeptAndEndsTheProgramOnce(t *testing.T) {
	box := newInbox()
	r := newRunner(&fakeEngine{run: func(context.Context, pipeline.Sink) error { panic("boom") }}, box)
	stops := 0
	r.guard.stop = func() { stops++ }
	r.Start(nil)
	r.guard.wait.Wait()
	p := r.guard.Panic()
	if p == nil || stops != 1 || !strings.Contains(p.Error(), "boom") || !strings.Contains(string(p.Stack), "background_test.go") {
		t.Errorf("kept %v, stopped %d times", p, stops)
	}
	if r.Running() {
		t.Error("the run is still called in progress")
	}
}

func TestAPanicInACommandOrInTheModelIsKept(t *testing.T) {
	boom := func() tea.Msg { panic("boom") }
	for name, use := range map[string]func(*guard){
		"a command":          func(g *guard) { g.Cmd(boom)() },
		"one of a batch":     func(g *guard) { g.Cmd(tea.Batch(boom, boom))().(tea.BatchMsg)[1]() },
		"update of no model": func(g *guard) { guarded{guard: g}.Update(tea.WindowSizeMsg{}) },
		"view of no model":   func(g *guard) { guarded{guard: g}.View() },
	} {
		g := &guard{}
		use(g)
		if g.Panic() == nil {
			t.Errorf("the panic in %s was not kept", name)
		}
		if _, cmd := (guarded{guard: g}).Update(nil); cmd == nil || cmd() != (tea.QuitMsg{}) {
			t.Errorf("after %s the model does not end", name)
		}
	}
}

func TestCopyGoesThroughTmuxBothWays(t *testing.T) {
	env := map[string]string{}
	get := func(k string) string { return env[k] }
	plain := "\x1b]52;c;Z29sZF8x\x07"
	if got := copySequence("gold_1", get); got != plain {
		t.Errorf("got %q", got)
	}
	env["TMUX"] = "/tmp/tmux"
	if got := copySequence("gold_1", get); !strings.HasPrefix(got, plain) || !strings.Contains(got, "\x1bPtmux;") {
		t.Errorf("in tmux got %q", got)
	}
}
