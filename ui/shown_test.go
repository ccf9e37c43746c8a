package ui

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/review"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
)

// Every way on which the application shows a case with its policies is known to
// the review, at the sizes where it does.
func TestWhateverShowsThePoliciesOfACaseIsNoted(t *testing.T) {
	const small, medium, large = 80, 120, 200
	for _, way := range []struct {
		name  string
		keys  []string
		w     int
		shows bool
	}{
		{"a pair under the cursor", []string{"4", "j"}, small, true},
		{"a pair read", []string{"4", "enter"}, medium, true},
		{"the case of a pair", []string{"4", "c"}, small, true},
		{"the list of pairs alone", []string{"4"}, medium, false},
		{"the list of cases alone", []string{"3", "j"}, small, false},
		{"a case previewed", []string{"3", "j"}, medium, true},
		{"a case opened", []string{"3", "enter"}, small, true},
		{"the ring of a case", []string{"1"}, large, true},
		{"the pins alone", []string{"1"}, small, false},
		{"what-if over a case", []string{"6"}, small, true},
		{"the case of what-if", []string{"6", "enter"}, medium, true},
		{"a row of the run", []string{"2", "enter"}, small, true},
		{"the rows of the run alone", []string{"2", "j"}, large, false},
		{"statistics", []string{"5"}, large, false},
	} {
		t.Run(way.name, func(t *testing.T) {
			book := fixture.Book(45, fixture.Graded, false)
			if way.keys[0] == "1" {
				book = fixture.Study() // whose distractors are known
			}
			d := newDeskAt(&fakeEngine{book: book}, themes()["plain"], way.w, 50, func(a *App) {
				a.do.row = func(rowID string) tea.Msg {
					return screen.For{Screen: screen.Run, Msg: run.Stored{RowID: rowID, Row: rundir.Row{}}}
				}
			})
			d.keys(way.keys...)
			if got := len(d.app.shown[d.app.studyKey()]); (got > 0) != way.shows {
				t.Errorf("%d cases are noted:\n%s", got, d.app.View())
			}
		})
	}
}

func TestAComparisonTellsOfItsRow(t *testing.T) {
	d, _ := newOffice(themes()["plain"], 120, 36, &office{})
	d.send(screen.CompareRuns{A: "a", B: "b"})
	if d.app.active != screen.Compare || len(d.app.shown[d.app.studyKey()]) == 0 {
		t.Errorf("at %s, noted %v:\n%s", d.app.active, d.app.shown, d.app.View())
	}
}

func TestAVerdictOnWhatWasShownElsewhereIsNotBlind(t *testing.T) {
	open := func(d *desk) { d.send(screen.OpenCase{CaseID: "case24"}) }
	for name, way := range map[string]func(d *desk){
		"a case":               open,
		"no case but the list": func(d *desk) { d.keys("3") },
		"a pair":               func(d *desk) { d.keys("enter", "esc") },
		"no pair":              func(*desk) {},
		"the case of a pair":   func(d *desk) { d.keys("c") },
	} {
		t.Run(name, func(t *testing.T) {
			d, dir := reviewDesk(t, themes()["plain"], 80, 24)
			way(d)
			d.keys(append(append([]string{"1", "4"}, asAnn...), "v", "e", "y", "enter")...)
			for range 19 {
				d.keys("n", "v", "e", "y", "enter")
			}
			folder, err := rundir.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			l, err := review.ReadLedger(folder)
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for _, e := range l.Entries {
				if !e.Blind {
					told++
				}
			}
			if want := map[bool]int{true: 0, false: 1}[strings.HasPrefix(name, "no ")]; told != want {
				t.Errorf("%d of %d verdicts are not blind, want %d", told, len(l.Entries), want)
			}
		})
	}
}

func TestWhatWasShownIsKnownWhenTheRunIsOpenedAgain(t *testing.T) {
	d, _ := plainShelf(true)
	d.keys("3", "j")
	before := len(d.app.shown[d.app.studyKey()])
	if before == 0 {
		t.Fatal("nothing is noted")
	}
	told := 0
	d.app.screens = append(d.app.screens, &listener{heard: &told})
	d.app.remind()
	if told != before {
		t.Errorf("%d of %d are told to the screens of a run that was opened", told, before)
	}
}

// listener is a screen that hears what was seen.
type listener struct {
	*run.Screen
	heard *int
}

func (l *listener) ID() screen.ID { return "listener" }

func (l *listener) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(screen.Seen); ok {
		*l.heard++
	}
	return nil
}

func TestAWordAboutOnePairDoesNotStandOverTheNext(t *testing.T) {
	d, _ := reviewDesk(t, themes()["plain"], 120, 36, append(asAnn, "v", "e", "y", "enter")...)
	d.shows(t, "recorded: eviction. A was ")
	d.keys("n")
	d.hides(t, "recorded: ")
	d.send(screen.Toast{Text: "only graded runs can be compared"})
	d.send(screen.OpenCase{CaseID: "case03"})
	d.hides(t, "only graded runs")
	d.send(screen.Toast{Text: "a word"})
	d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	d.shows(t, "a word")
}

func TestAQuestionThatIsNotSeenTakesNoAnswer(t *testing.T) {
	for _, c := range []struct {
		w, h int
		seen bool
	}{{40, 10, true}, {59, 23, true}, {12, 3, false}, {40, 3, false}} {
		d, _ := reviewDesk(t, themes()["plain"], 80, 24, append(asAnn, "v", "e", "y")...)
		d.send(tea.WindowSizeMsg{Width: c.w, Height: c.h})
		d.keys("ctrl+c")
		if got := strings.Contains(d.app.View(), "Quit without recording it?"); got != c.seen {
			t.Errorf("%d×%d: the question is seen: %v\n%s", c.w, c.h, got, d.app.View())
		}
		exact(t, d.app.View(), c.w, c.h)
		if d.keys("y"); d.quit != c.seen {
			t.Errorf("%d×%d: y quits: %v", c.w, c.h, d.quit)
		}
		if c.seen {
			continue
		}
		if d.keys("q", "ctrl+c", "enter"); d.quit {
			t.Errorf("%d×%d: a draft is thrown away unseen", c.w, c.h)
		}
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.shows(t, "Quit without recording it?")
	}
}

func TestTheStateOfWhatStandsBesideTheResultsIsWatched(t *testing.T) {
	d, dir := reviewDesk(t, themes()["plain"], 120, 36, asAnn...)
	engine := folderEngine{Engine: &fakeEngine{}, folder: dir}
	before := stampOf(engine, d.app.no)
	d.app.stamp, d.app.notes, d.app.watched = before.stamp, before.notes, 1
	r := &reviews{now: d.app.do.now}
	desk := r.Read(context.Background(), dir, nil, nil).Desk
	at := desk.Standing.Queue.Items[0].CaseID
	if done := r.Record(nil, desk, review.Verdict{Reviewer: "bob", CaseID: at, Cause: review.CauseOther}); done.Err != nil {
		t.Fatal(done.Err)
	}
	after := stampOf(engine, d.app.no)
	if after.stamp != before.stamp || after.notes == before.notes {
		t.Fatalf("%+v, then %+v: a verdict is no result, and it is not seen at %s", before, after, filepath.Base(dir))
	}
	d.send(after)
	d.shows(t, "discordant 1/18")
	d.hides(t, "was read again")
}

// folderEngine is an engine whose run is in a folder.
type folderEngine struct {
	Engine
	folder string
}

func (e folderEngine) Info() Info { return Info{Folder: e.folder} }
