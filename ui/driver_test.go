package ui

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/publish"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/store"
)

// Whatever comes in whatever order, the application neither panics nor draws a
// line that is too long, and a paste never quits.
func TestAnyMessagesInAnyOrderAreSafe(t *testing.T) {
	for seed := range uint64(10) {
		driveAtRandom(t, seed, 400)
	}
}

func driveAtRandom(t *testing.T, seed uint64, steps int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 4789))
	books := []*casebook.Book{
		fixture.Book(45, fixture.Fresh, false), fixture.Book(45, fixture.Graded, false), fixture.Book(7, fixture.Partly, true),
		fixture.Book(0, fixture.Graded, false), {}, fixture.Book(3, fixture.Graded, true),
	}
	engine := &fakeEngine{book: books[r.IntN(len(books))]}
	names := []string{"dark", "plain", "ascii"}
	o := &office{difference: fixture.Difference(r.IntN(4)), hostile: r.IntN(2) == 0, ready: r.IntN(2) == 0}
	d := newDeskAt(engine, themes()[names[r.IntN(len(names))]], 80, 24, func(a *App) {
		o.services(&a.do)
		a.do.list = func() tea.Msg { return listedMsg{fixture.Runs(o.hostile), []string{"runs"}} }
		a.build()
		a.do.store = func() tea.Msg {
			loaded := store.Loaded{Store: fixture.Store(r.IntN(2) == 0), At: fixture.Now}
			if r.IntN(4) == 0 {
				loaded = store.Loaded{Err: errors.New(fixture.Hostile)}
			}
			return screen.For{Screen: screen.Store, Msg: loaded}
		}
		a.do.settings = keepsInMemory()
	})
	d.app.do.review, d.app.do.verdict = reviewEffects(d.app, reviewtest.New().Write(t))
	if seed%2 == 1 { // begin in the review, which few random keys would reach
		d.keys("4", "w", "a", "n", "n", "enter", "v")
	}
	events := runEvents(books[0], 90)
	w, h := 80, 24
	last := tea.Msg(nil)
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("seed %d: panic after %#v in %d×%d", seed, last, w, h)
			panic(p)
		}
	}()
	for range steps {
		d.quit = false
		last = randomMsg(r, events)
		switch msg := last.(type) {
		case tea.WindowSizeMsg:
			w, h = max(msg.Width, 0), max(msg.Height, 0)
		case loadedMsg:
			if msg.err == nil {
				engine.book = books[r.IntN(len(books))]
				last = loadedMsg{book: engine.book}
			}
		}
		d.send(last)
		if key, ok := last.(tea.KeyMsg); ok && key.Paste && d.quit {
			t.Fatalf("seed %d: the paste %q quit", seed, string(key.Runes))
		}
		view := d.app.View()
		if w > 0 && h > 0 && r.IntN(4) == 0 {
			exact(t, view, w, h)
			if t.Failed() {
				t.Fatalf("seed %d: after %#v in %d×%d", seed, last, w, h)
			}
		}
	}
}

func randomMsg(r *rand.Rand, events []pipeline.Event) tea.Msg {
	now := fixture.Now.Add(time.Duration(r.IntN(100000)) * time.Millisecond)
	switch r.IntN(20) {
	case 0, 1:
		return tea.WindowSizeMsg{Width: r.IntN(502) - 1, Height: r.IntN(202) - 1}
	case 2:
		return tea.WindowSizeMsg{Width: 60 + r.IntN(80), Height: 24 + r.IntN(30)}
	case 3:
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(fixture.Hostile + "q\ns"), Paste: true}
	case 4, 5:
		return tea.MouseMsg{X: r.IntN(520) - 10, Y: r.IntN(220) - 10, Action: tea.MouseAction(r.IntN(3)), Button: tea.MouseButton(r.IntN(9))}
	case 6, 7:
		from := r.IntN(len(events))
		return screen.Events{Events: events[from:min(from+r.IntN(40), len(events))]}
	case 8:
		return screen.RunStarted{Stages: run.Stages(), At: now}
	case 9:
		return screen.RunEnded{At: now, Canceled: r.IntN(2) == 0, Err: []error{nil, errors.New(fixture.Hostile)}[r.IntN(2)]}
	case 10:
		return loadedMsg{err: []error{nil, nil, nil, errors.New(fixture.Hostile)}[r.IntN(4)]}
	case 11:
		return []tea.Msg{tickMsg{}, toastOver{r.IntN(5)}, screen.Toast{Text: fixture.Hostile}, screen.Close{}, screen.OpenCase{CaseID: "9e3779b1"},
			screen.CompareRuns{A: "a", B: fixture.Hostile, Across: r.IntN(2) == 0}, screen.Go{Screen: screen.Publication}, screen.Go{Screen: screen.Pairs, Filter: fixture.Hostile},
			publish.Checked{Result: fixture.Checklist(false, true)}, reportedMsg{name: fixture.Hostile, err: errors.New(fixture.Hostile)}, screen.Again{},
			screen.Read{Title: "x", Text: fixture.Hostile}, screen.Ask{Title: "x", Text: "y", Yes: "z", Action: "nothing"}, tea.FocusMsg{},
			screen.Events{Events: []pipeline.Event{
				pipeline.StageProgress{Stage: "run-qa", Done: r.IntN(500) - 100, Total: r.IntN(200) - 50},
				pipeline.StageStarted{Stage: "nonsense"}, pipeline.CheckDone{Name: fixture.Hostile, State: pipeline.CheckFailed},
				pipeline.RowChanged{RowID: fixture.Hostile, State: "nonsense", Problem: fixture.Hostile, Latency: -time.Second}, pipeline.Note{Text: fixture.Hostile},
				pipeline.StageFinished{Stage: "run-qa", Err: errors.New(fixture.Hostile), Elapsed: -time.Hour},
			}}}[r.IntN(15)]
	case 12, 13:
		types := []tea.KeyType{tea.KeyEnter, tea.KeyEsc, tea.KeyTab, tea.KeyShiftTab, tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyPgUp,
			tea.KeyPgDown, tea.KeyHome, tea.KeyEnd, tea.KeyBackspace, tea.KeyCtrlU, tea.KeyCtrlW, tea.KeyCtrlC, tea.KeyCtrlZ, tea.KeyCtrlR, tea.KeyCtrlL, tea.KeyCtrlY, tea.KeyDelete, tea.KeyF1}
		return tea.KeyMsg{Type: types[r.IntN(len(types))]}
	case 14:
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(r.IntN(0x3000))}, Alt: r.IntN(3) == 0}
	}
	const letters = "cmxtwajjjjkkllhhggGG[[]]//oOdnNvyYeemtsscr?::01234566778899JKHLVP  qabfipuwxz=,\""
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(letters[r.IntN(len(letters))])}}
}
