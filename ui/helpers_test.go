package ui

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/export"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/theme"
)

// fakeEngine answers from a fixture.
type fakeEngine struct {
	book *casebook.Book
	err  error
	run  func(ctx context.Context, sink pipeline.Sink) error
}

func (e *fakeEngine) Info() Info {
	return Info{
		Study: "sample", Protocol: "sample-v1", Run: "2026-08-18", Folder: "~/.local/state/deermem-tui/runs/sample",
		Answerer: "offline answerer (loopback)", Model: "offline-extractive-v1", Offline: true,
	}
}

func (e *fakeEngine) Load(context.Context) (*casebook.Book, error) { return e.book, e.err }

func (e *fakeEngine) Run(ctx context.Context, _ []pipeline.Stage, sink pipeline.Sink) error {
	if e.run == nil {
		return nil
	}
	return e.run(ctx, sink)
}

// desk drives an application as Bubble Tea would, without a terminal: commands
// are carried out at once, one after the other.
type desk struct {
	app     *App
	quit    bool
	started [][]pipeline.Stage
	stopped int
	copied  []string
	saved   map[string][]byte
	now     time.Time
}

func themes() map[string]theme.Theme {
	return map[string]theme.Theme{
		"dark":  theme.New(theme.Config{Mode: theme.Dark, Profile: termenv.TrueColor}),
		"plain": theme.New(theme.Config{Mode: theme.NoColour}),
		"ascii": theme.New(theme.Config{Mode: theme.NoColour, ASCII: true}),
	}
}

func newDesk(engine *fakeEngine, th theme.Theme, w, h int) *desk {
	return newDeskAt(engine, th, w, h, func(*App) {})
}

// newDeskAt is newDesk with a change to the application before it starts.
func newDeskAt(engine *fakeEngine, th theme.Theme, w, h int, change func(*App)) *desk {
	d := &desk{now: fixture.Now, saved: map[string][]byte{}}
	d.app = newApp(Options{Engine: engine, Theme: th}, services{
		load:   func() tea.Msg { return loaded(engine.Load(context.Background())) },
		start:  func(s []pipeline.Stage) tea.Msg { d.started = append(d.started, s); return nil },
		cancel: func() { d.stopped++ },
		copy:   func(s string) error { d.copied = append(d.copied, s); return nil },
		save: func(name string, data []byte) (string, error) {
			if _, there := d.saved[name]; there {
				return "", fmt.Errorf("%s %w", name, export.ErrExists)
			}
			d.saved[name] = data
			return "/somewhere/" + name, nil
		},
		wrap:  func(bool) {},
		after: func(time.Duration, tea.Msg) tea.Cmd { return nil },
		now:   func() time.Time { return d.now },
	})
	change(d.app)
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.do(d.app.Init())
	return d
}

func (d *desk) send(msg tea.Msg) { d.do(d.app.Update(msg)) }

func (d *desk) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.SuspendMsg:
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	default:
		d.send(msg)
	}
}

var named = map[string]tea.KeyMsg{
	"enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc}, "tab": {Type: tea.KeyTab}, "up": {Type: tea.KeyUp}, "down": {Type: tea.KeyDown},
	"pgdown": {Type: tea.KeyPgDown}, "ctrl+c": {Type: tea.KeyCtrlC}, "ctrl+z": {Type: tea.KeyCtrlZ}, "backspace": {Type: tea.KeyBackspace},
	"ctrl+r": {Type: tea.KeyCtrlR}, "ctrl+p": {Type: tea.KeyCtrlP}, "ctrl+y": {Type: tea.KeyCtrlY}, "end": {Type: tea.KeyEnd}, "home": {Type: tea.KeyHome},
	"left": {Type: tea.KeyLeft}, "right": {Type: tea.KeyRight}, " ": {Type: tea.KeySpace, Runes: []rune{' '}},
}

// keys types keys by name, or one rune each.
func (d *desk) keys(list ...string) {
	for _, k := range list {
		msg, ok := named[k]
		if !ok {
			msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		}
		d.send(msg)
	}
}

func (d *desk) paste(text string) {
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// runEvents is the middle of a run over the cases of a book.
func runEvents(book *casebook.Book, rows int) []pipeline.Event {
	at := fixture.Now
	tick := func() time.Time { at = at.Add(80 * time.Millisecond); return at }
	out := []pipeline.Event{
		pipeline.StageStarted{Stage: pipeline.StageValidate, At: tick(), Total: 24, Unit: "checks"},
		pipeline.StageFinished{Stage: pipeline.StageValidate, At: tick(), Elapsed: 80 * time.Millisecond, Summary: "24 checks passed"},
		pipeline.StageStarted{Stage: pipeline.StagePolicy, At: tick(), Total: 270, Unit: "cells"},
		pipeline.StageFinished{Stage: pipeline.StagePolicy, At: tick(), Elapsed: 40 * time.Millisecond, Summary: "270 cells written"},
		pipeline.StageStarted{Stage: pipeline.StageQA, At: tick(), Total: 2 * len(book.Entries), Unit: "rows"},
	}
	done := 0
	facts := func() []pipeline.Event { // as a run tells after every row; here once, at the end
		return append(out, pipeline.RunFacts{At: tick(), Total: 2 * len(book.Entries), Done: done, Calls: done + done/9, Tokens: pipeline.Tokens{Total: int64(700 * done)},
			Rate: 5.3, Median: 431 * time.Millisecond, P95: 1200 * time.Millisecond, Left: 12 * time.Second, LeftLow: 9 * time.Second, LeftHigh: 16 * time.Second, HasLeft: true})
	}
	for i := range book.Entries {
		for _, p := range book.Policies {
			if done >= rows {
				return facts()
			}
			id := casebook.RowID(book.Entries[i].Case.ID, p.Name)
			row := pipeline.RowChanged{RowID: id, CaseID: book.Entries[i].Case.ID, Policy: p.Name, State: pipeline.RowCalling, At: tick(), Attempt: 1}
			out = append(out, row)
			switch done % 9 {
			case 4:
				row.State, row.Wait, row.Problem, row.At = pipeline.RowRetrying, time.Second, "429 too many requests", tick()
				out = append(out, row)
				row.Attempt = 2
			case 7:
				row.State, row.Problem, row.At = pipeline.RowFailed, "401 unauthorized", tick()
				out = append(out, row)
				done++
				continue
			}
			done++
			row.State, row.Latency, row.Problem, row.At = pipeline.RowAnswered, 431*time.Millisecond, "", tick()
			row.Usage = map[string]int64{"total_tokens": int64(700 + 3*done)}
			out = append(out, row, pipeline.StageProgress{Stage: pipeline.StageQA, Done: done, Total: 2 * len(book.Entries)})
		}
	}
	return facts()
}
