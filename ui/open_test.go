package ui

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/runs"
	"deermem-tui/engine/study"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// shelf is a library of fixtures: every run has the book that its kind tells.
type shelf struct {
	found   []runs.Run
	refuse  error
	opened  []string
	listed  int
	stamp   uint64
	engine  Engine
	no      int
	pending []tea.Msg // what opening will tell; held back while hold is set
	hold    bool
}

// engineAt is an engine of a run folder.
type engineAt struct {
	fakeEngine
	path, readOnly string
}

func (e *engineAt) Info() Info {
	i := e.fakeEngine.Info()
	i.Folder, i.Run, i.ReadOnly = e.path, filepath.Base(e.path), e.readOnly
	return i
}

func (s *shelf) open(path string) tea.Msg {
	s.opened = append(s.opened, path)
	if s.refuse != nil {
		return openedMsg{path: path, err: s.refuse}
	}
	e := &engineAt{path: path}
	switch i := strings.Index(path, "pr4789"); {
	case i >= 0:
		e.book, e.readOnly = fixture.Published(false), "this run is only read"
	case strings.HasSuffix(path, "090000"):
		e.book = fixture.Book(45, fixture.Graded, false)
	default:
		e.book = fixture.Book(45, fixture.Fresh, false)
	}
	return openedMsg{path: path, engine: e}
}

func (s *shelf) load() tea.Msg {
	msg := load(context.Background(), s.engine, s.no)
	msg.stamp = s.stamp
	if s.hold {
		s.pending = append(s.pending, msg)
		return nil
	}
	return msg
}

// newShelf gives a desk with a library; without a run open it begins at home.
func newShelf(th theme.Theme, w, h int, open bool, hostile bool) (*desk, *shelf) {
	s := &shelf{found: fixture.Runs(hostile)}
	engine := &engineAt{fakeEngine: fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, path: s.found[1].Path}
	if open {
		s.engine = engine
	}
	d := newDeskAt(&engine.fakeEngine, th, w, h, func(a *App) {
		a.do.list = func() tea.Msg {
			s.listed++
			return listedMsg{s.found, []string{"/home/mara/.local/state/deermem-tui/runs"}}
		}
		a.do.open, a.do.load = s.open, s.load
		a.do.use = func(e Engine, no int) { s.engine, s.no = e, no }
		a.do.stamp = func() tea.Msg { return stampMsg{no: s.no, stamp: s.stamp} }
		if open {
			a.info = engine.Info()
		} else {
			a.opened, a.loading, a.active, a.info = false, false, screen.Home, Info{}
		}
		a.build()
	})
	return d, s
}

func plainShelf(open bool) (*desk, *shelf) { return newShelf(themes()["plain"], 120, 36, open, false) }

func TestWithoutARunThereIsOnlyHome(t *testing.T) {
	d, _ := plainShelf(false)
	d.shows(t, "no run is open", "0 Home", "Runs 7", "answers 37/90", "not a run")
	d.hides(t, "2 Run", "3 Cases", "1 Study")
	d.keys("3", "2", "s", "ctrl+r", "esc", "n", "?", "esc", ":", "esc")
	if d.app.active != screen.Home || len(d.started) > 0 {
		t.Errorf("a key led to %s", d.app.active)
	}
	d.shows(t, "Runs 7")
	d.keys("q")
	if !d.quit {
		t.Error("q did not quit")
	}
}

func TestEnterOpensARunInPlaceOfTheOneBefore(t *testing.T) {
	d, s := plainShelf(true)
	d.keys("3", "n", "enter", "esc", "esc")
	if d.app.active != screen.Home {
		t.Fatalf("esc led to %s", d.app.active)
	}
	d.keys("home", "enter")
	if len(s.opened) != 1 || d.app.info.Folder != s.found[0].Path || d.app.book.Graded || d.app.active != screen.Run || d.app.detail.CaseID() != "" {
		t.Errorf("opened %v, at %s, graded %t, case %q", s.opened, d.app.active, d.app.book.Graded, d.app.detail.CaseID())
	}
	d.shows(t, "run sample-20260601-115500", "not run yet")
	d.keys("0", "down", "down", "down", "enter")
	if d.app.active != screen.Cases || d.app.book.Study != nil || !d.app.book.Graded {
		t.Errorf("a published run opens at %s", d.app.active)
	}
	d.shows(t, "graded 90/90")
	d.keys("2", "s")
	d.send(screen.Start{Stages: run.Stages()})
	if len(d.started) != 0 {
		t.Error("a run that is only read was started")
	}
	d.shows(t, "this run is only read")
}

func TestEnterOnWhatIsOpenGoesThere(t *testing.T) {
	d, s := plainShelf(true)
	d.keys("0", "enter")
	if len(s.opened) != 0 || d.app.active != screen.Cases {
		t.Errorf("opened %v, at %s", s.opened, d.app.active)
	}
	d.keys("1", "0", "esc")
	if d.app.active != screen.Study {
		t.Errorf("esc at home led to %s, not back", d.app.active)
	}
}

func TestARunInProgressIsStoppedBeforeAnotherIsOpened(t *testing.T) {
	d, s := plainShelf(true)
	start := func() {
		d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
		d.keys("0", "home", "enter")
	}
	start()
	d.shows(t, "Stop the run in progress?", "finished row is kept")
	d.keys("esc")
	if d.stopped != 0 || len(s.opened) != 0 {
		t.Fatal("esc stopped the run or opened another")
	}
	d.send(screen.RunEnded{At: fixture.Now})
	if len(s.opened) != 0 {
		t.Fatal("what was given up was opened when the run ended")
	}
	start()
	d.keys("y")
	if d.stopped != 1 || len(s.opened) != 0 {
		t.Fatalf("stopped %d times, opened %v before the run ended", d.stopped, s.opened)
	}
	d.send(screen.RunEnded{At: fixture.Now, Canceled: true})
	if len(s.opened) != 1 || d.app.info.Folder != s.found[0].Path {
		t.Errorf("opened %v", s.opened)
	}
}

func TestARunThatCannotBeOpenedLeavesWhatIsOpen(t *testing.T) {
	d, s := plainShelf(true)
	s.refuse = errors.New("its protocol is not at hand\x1b[2J")
	d.keys("0", "home", "enter")
	d.shows(t, "The run could not be opened", "its protocol is not at hand")
	d.keys("esc", "3")
	if d.app.book == nil || !d.app.book.Graded {
		t.Error("what was open is gone")
	}
	s.refuse = nil
	if d.keys("0", "home", "enter"); len(s.opened) != 2 {
		t.Error("it cannot be tried again")
	}
}

func TestABookOfTheRunBeforeIsNotTakenForTheOneThatIsOpen(t *testing.T) {
	d, s := plainShelf(true)
	s.hold = true
	d.keys("ctrl+r") // the load of the first run is slow
	s.hold = false
	d.keys("0", "home", "enter")
	book := d.app.book
	for _, msg := range s.pending {
		d.send(msg)
	}
	if d.app.book != book || d.app.book.Graded {
		t.Error("the slow book of the run before was taken")
	}
}

func TestWhatIsOpenIsReadAgainWhenItsFolderChanged(t *testing.T) {
	d, s := plainShelf(true)
	if d.app.watched != 1 {
		t.Fatal("the folder is not watched")
	}
	look := func() { d.send(watchMsg{d.app.no}) }
	before := d.app.book
	look()
	if d.app.book != before || d.app.toast != "" {
		t.Error("an unchanged folder was read again")
	}
	next := fixture.Book(45, fixture.Partly, false)
	s.engine.(*engineAt).book, s.stamp = next, 7
	look()
	if d.app.book != next {
		t.Error("a changed folder was not read again")
	}
	d.shows(t, "the run folder changed and was read again")
	d.shows(t, "answers 30/90") // rows that are gone are not counted
	s.engine.(*engineAt).err, s.stamp = errors.New("torn"), 8
	look()
	if d.app.book != next || d.app.failed != "" {
		t.Error("a folder that cannot be read took away what is shown")
	}
	d.shows(t, "cannot be read now")
	d.app.Update(toastOver{d.app.toastNo})
	d.shows(t, "the folder cannot be read now: ctrl+r tells why")
	d.hides(t, "answers 30/90")
	d.keys("ctrl+r")
	d.shows(t, "The study could not be loaded", "torn")
	d.keys("esc")

	s.engine.(*engineAt).err, s.stamp = nil, 9
	d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
	at := d.app.stamp
	look()
	if d.app.stamp != at {
		t.Error("the folder was read while our own run writes it")
	}
	d.send(screen.RunEnded{At: fixture.Now})
	d.keys("0")
	listed := s.listed
	look()
	if s.listed != listed+1 {
		t.Error("the list of runs is not looked through again while it is seen")
	}
	d.send(watchMsg{d.app.no - 1})
	d.send(stampMsg{no: d.app.no - 1, stamp: 99})
	if d.app.stamp == 99 {
		t.Error("a stamp of another run was taken")
	}
}

func TestAStudyThatCannotBeLoadedSaysSoOnEveryScreen(t *testing.T) {
	d := newDesk(&fakeEngine{err: errors.New("the dataset is another one")}, themes()["plain"], 120, 36)
	d.keys("esc")
	for _, key := range []string{"1", "2", "3", "4", "5", "6"} {
		d.keys(key)
		d.shows(t, "The study could not be loaded.", "the dataset is another one", "ctrl+r tries again")
		d.hides(t, "Loading the study", "Press s")
	}
	for _, size := range [][2]int{{60, 24}, {80, 24}, {200, 60}} {
		d.app.resize(size[0], size[1])
		exact(t, d.app.View(), size[0], size[1])
	}
}

func TestARunThatFailedACheckIsNotCalledSound(t *testing.T) {
	book := *fixture.Book(45, fixture.Graded, false)
	book.Checks = append(slices.Clone(book.Checks), study.Check{Name: "stored rows", State: study.Failed})
	d := newDesk(&fakeEngine{book: &book}, themes()["plain"], 120, 36)
	d.shows(t, "graded 90/90, a check failed: see Study")
}

func TestThereIsOneWatchAnOpening(t *testing.T) {
	d, _ := plainShelf(true)
	after := 0
	d.app.do.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		if _, ok := msg.(watchMsg); ok {
			after++
		}
		return nil
	}
	for range 5 {
		d.keys("ctrl+r")
	}
	if after != 0 {
		t.Errorf("%d more watches began", after)
	}
	if d.send(watchMsg{d.app.no}); after != 1 {
		t.Errorf("a watch goes on %d times", after)
	}
}

func TestTheStudyScreenShowsTheRingOfTheCaseOneComesFrom(t *testing.T) {
	d := newDesk(&fakeEngine{book: fixture.Study()}, themes()["plain"], 120, 36)
	d.keys("3", "down", "down", "1")
	want := fixture.Study().Entries[2].Case.ID
	d.shows(t, want+" · ")
	d.keys("3", "down", "enter", "1")
	d.shows(t, fixture.Study().Entries[3].Case.ID+" · ")
}

func TestTheFirstScreenAndCapacityAreThoseAskedFor(t *testing.T) {
	for id, want := range map[screen.ID]screen.ID{"": screen.Run, screen.Study: screen.Study, screen.Cases: screen.Cases, "sauna": screen.Run} {
		a := newApp(Options{Engine: &fakeEngine{}, Screen: id}, services{})
		if a.active != want {
			t.Errorf("--screen %q begins at %s", id, a.active)
		}
	}
	if a := newApp(Options{Screen: screen.Cases}, services{list: func() tea.Msg { return nil }}); a.active != screen.Home {
		t.Errorf("without a run it begins at %s", a.active)
	}
	book := fixture.Book(45, fixture.Graded, false)
	a := newApp(Options{Engine: &fakeEngine{book: book}, Case: book.Entries[3].Case.ID, Capacity: 4}, services{
		after: func(time.Duration, tea.Msg) tea.Cmd { return nil }, now: func() time.Time { return fixture.Now },
	})
	a.resize(120, 36)
	a.Update(loaded(book, nil))
	if view := a.View(); !strings.Contains(view, "[4]") || a.active != screen.Case {
		t.Errorf("the case does not open at capacity 4:\n%s", view)
	}
}

// The same messages in any order, with a library.
func TestOpeningsInAnyOrderAreSafe(t *testing.T) {
	events := runEvents(fixture.Book(45, fixture.Fresh, false), 90)
	books := []*casebook.Book{fixture.Published(true), fixture.Study(), fixture.Book(7, fixture.Partly, true), fixture.Published(false), {}}
	for seed := range uint64(4) {
		d, s := newShelf(themes()["dark"], 80, 24, seed%2 == 0, seed > 1)
		r := rand.New(rand.NewPCG(seed, 3))
		o := &office{difference: fixture.Difference(r.IntN(4)), hostile: seed > 1}
		o.services(&d.app.do)
		d.app.build()
		d.app.resize(80, 24)
		w, h := 80, 24
		for step := range 250 {
			d.quit = false
			switch r.IntN(9) {
			case 0:
				e := &engineAt{path: s.found[r.IntN(len(s.found))].Path}
				e.book = books[r.IntN(len(books))]
				d.send(openedMsg{engine: e})
			case 1:
				d.send(openedMsg{err: errors.New(fixture.Hostile)})
			case 2:
				s.stamp = r.Uint64()
				d.send([]tea.Msg{watchMsg{d.app.no}, stampMsg{no: d.app.no, stamp: s.stamp}, watchMsg{-1}, screen.OpenRun{Path: s.found[r.IntN(len(s.found))].Path}}[r.IntN(4)])
			case 3:
				d.keys([]string{"0", "1", "esc", "enter", "J", "K", "tab", "end", "/", "c", "m", "x", "y", "v", "P", "w"}[r.IntN(16)])
			default:
				msg := randomMsg(r, events)
				if size, ok := msg.(tea.WindowSizeMsg); ok {
					w, h = max(size.Width, 0), max(size.Height, 0)
				}
				d.send(msg)
			}
			if view := d.app.View(); w > 0 && h > 0 && step%5 == 0 {
				if exact(t, view, w, h); t.Failed() {
					t.Fatalf("seed %d, step %d in %d×%d", seed, step, w, h)
				}
			}
		}
	}
}
