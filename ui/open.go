// Opening another run in place of the one that is open, finding the runs there
// are, and reading again what others change on disk.
package ui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/review"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/runs"
	"deermem-tui/ui/casedetail"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// Library is what finds runs and opens them. Its methods are called from the
// application's own goroutines, never from Update.
type Library interface {
	// List gives the runs there are and the folders they were looked for in.
	List(ctx context.Context) (found []runs.Run, folders []string)
	// Open gives the run in a folder. What the engine then loads is not read yet.
	Open(ctx context.Context, path string) (Engine, error)
}

// current is the engine that is used now. The application's goroutines read it,
// Update alone changes it.
type current struct {
	mu     sync.Mutex
	engine Engine
	no     int // of the openings
}

func (o *current) use(e Engine, no int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.engine, o.no = e, no
}

func (o *current) now() (Engine, int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.engine, o.no
}

// info describes what is open; the zero Info where nothing is.
func (o *current) info() Info {
	if e, _ := o.now(); e != nil {
		return e.Info()
	}
	return Info{}
}

// Messages of this file.
type (
	// listedMsg is the runs that were found.
	listedMsg struct {
		runs    []runs.Run
		folders []string
	}
	// openedMsg is a run that was opened, or why not.
	openedMsg struct {
		path   string
		engine Engine
		err    error
	}
	// watchMsg is the time to look whether the run folder changed.
	watchMsg struct{ no int }
	// stampMsg is the state of the run folder.
	stampMsg struct {
		no    int
		stamp uint64
		notes uint64 // of what stands beside the results
	}
)

// The shell's actions that open.
const (
	goHome   keys.Action = "app.home"
	openYes  keys.Action = "app.open.yes"
	watching             = 2 * time.Second
)

// load reads what is open; the message tells which opening it is of, since
// another run may be open by the time it comes.
func load(ctx context.Context, engine Engine, no int) loadedMsg {
	if engine == nil {
		return loadedMsg{no: no, none: true}
	}
	now := stampOf(engine, no)
	book, err := engine.Load(ctx)
	return loadedMsg{book: book, err: err, no: no, stamp: now.stamp, notes: now.notes}
}

// stampOf looks at the files of what is open, and reads none.
func stampOf(engine Engine, no int) stampMsg {
	folder := engine.Info().Folder
	return stampMsg{no: no, stamp: runs.Stamp(folder), notes: runs.StampOf(folder, review.LedgerFile, rundir.JournalFile, rundir.DecisionsFile)}
}

// list asks for the runs there are.
func (a *App) list() tea.Cmd {
	if a.do.list == nil {
		return nil
	}
	return a.do.list
}

func (a *App) listed(msg listedMsg) tea.Cmd {
	a.found = msg
	return a.broadcast(screen.Runs{Runs: msg.runs, Folders: msg.folders, Open: a.info.Folder})
}

// openRun opens another run; while one is in progress it asks first.
func (a *App) openRun(path string) tea.Cmd {
	switch {
	case a.do.open == nil || a.opening != "":
		return nil
	case path == a.info.Folder && a.opened:
		a.active = screen.Run
		if a.book != nil && a.book.Graded {
			a.active = screen.Cases
		}
		return nil
	case a.unsaved() != "" && !a.run.Running():
		a.next = path
		a.dialogs.Push(&dialog.Confirm{Title: "Open another run without recording it?", Text: a.unsaved(), Yes: "open", Action: openYes})
		return nil
	case a.run.Running():
		a.next = path
		a.dialogs.Push(&dialog.Confirm{
			Title:  "Stop the run in progress?",
			Text:   "Another run can be opened once this one is stopped. Every finished row is kept; open it again and start, and it goes on where it stopped. " + a.unsaved(),
			Yes:    "stop and open",
			Action: openYes,
		})
		return nil
	}
	a.opening = path
	open := a.do.open
	return func() tea.Msg { return open(path) }
}

// stopAndOpen stops the run; what is to be opened is opened when it has ended.
func (a *App) stopAndOpen() tea.Cmd {
	a.discard()
	if !a.run.Running() {
		return a.openNext()
	}
	a.stopped = true
	stop := a.do.cancel
	return func() tea.Msg { stop(); return nil }
}

// openNext opens what waited for the run to end.
func (a *App) openNext() tea.Cmd {
	path := a.next
	a.next, a.stopped = "", false
	if path == "" {
		return nil
	}
	return a.openRun(path)
}

// openedRun puts another run in the place of the one that was open.
func (a *App) openedRun(msg openedMsg) tea.Cmd {
	a.opening = ""
	switch {
	case msg.err != nil || msg.engine == nil:
		text := "there is no run"
		if msg.err != nil {
			text = widget.CleanBlock(msg.err.Error())
		}
		a.dialogs.Push(&dialog.Reader{Title: "The run could not be opened", Text: text})
		return nil
	case a.run.Running():
		return a.say("a run is in progress: nothing else was opened")
	}
	a.leave(a.do.now())
	a.no++
	a.do.use(msg.engine, a.no)
	a.info, a.opened = msg.engine.Info(), true
	a.book, a.loading, a.failed, a.gone, a.stamp = nil, true, "", false, 0
	a.build()
	a.recall(true)
	a.remind()
	a.resize(a.w, a.h)
	a.active, a.from, a.inCase, a.arrived = screen.Run, screen.Run, false, false
	batch := []tea.Cmd{a.do.load}
	for _, s := range a.screens {
		if s != screen.Screen(a.home) {
			batch = append(batch, s.Init())
		}
	}
	return tea.Batch(append(batch, a.listed(a.found))...)
}

// arrive turns to what one came for once the book of a run that was just
// opened is there: its cases when there are answers to look at.
func (a *App) arrive() {
	if a.arrived {
		return
	}
	a.arrived = true
	if a.active == screen.Run && a.no > 0 && a.book.Rows > 0 {
		a.active = screen.Cases
	}
}

// watch looks at the run folder after a while; there is one watch an opening.
func (a *App) watch() tea.Cmd {
	if a.do.stamp == nil || a.watched == a.no+1 {
		return nil
	}
	a.watched = a.no + 1
	return a.do.after(watching, watchMsg{a.no})
}

// look carries on the watch of what is open. A run of our own tells what
// changes by itself.
func (a *App) look(msg watchMsg) tea.Cmd {
	if msg.no != a.no {
		return nil // another run is open and has its own
	}
	a.watched = 0
	var batch []tea.Cmd
	if a.active == screen.Home {
		batch = append(batch, a.list())
	}
	batch = append(batch, a.glance())
	if a.run.Running() || a.loading || !a.opened {
		return tea.Batch(append(batch, a.watch())...)
	}
	return tea.Batch(append(batch, a.do.stamp)...)
}

// looked reads the folder again when it changed. What stands beside the results
// concerns the screens that read it, and they are told.
func (a *App) looked(msg stampMsg) tea.Cmd {
	if msg.no != a.no {
		return nil
	}
	if a.run.Running() || a.loading {
		return a.watch()
	}
	var noted tea.Cmd
	if msg.notes != a.notes {
		a.notes = msg.notes
		noted = a.broadcast(screen.Noted{})
	}
	if msg.stamp == a.stamp {
		return tea.Batch(noted, a.watch())
	}
	a.stamp, a.quiet = msg.stamp, true
	return tea.Batch(noted, a.do.load, a.watch())
}

// again tells of a load that nobody asked for; a failure of it does not take
// away what is shown.
func (a *App) again(msg loadedMsg) (tea.Cmd, bool) {
	quiet := a.quiet
	a.quiet = false
	switch {
	case !quiet || a.book == nil:
		return nil, false
	case msg.err != nil || msg.book == nil:
		a.gone = true
		return a.say("the run folder changed and cannot be read now; ctrl+r tells why"), true
	}
	return a.say("the run folder changed and was read again"), false
}

// offered are the tabs that lead somewhere now.
func (a *App) offered() []tab {
	var out []tab
	for _, t := range tabs {
		if home := t.screen == screen.Home; home && a.do.list != nil || !home && (a.opened || t.screen == screen.Store || t.screen == screen.WhatIf) {
			out = append(out, t)
		}
	}
	return out
}

// goTo turns to a screen for somebody who asked for it. The ring of the Study
// screen is that of the case one comes from.
func (a *App) goTo(id screen.ID) tea.Cmd {
	switch id {
	case screen.Home:
		if tabOf(a.active) != id {
			a.from = a.active
		}
		a.open(id)
		return a.list()
	case screen.Study:
		if a.active == screen.Case {
			a.study.ShowCase(a.detail.CaseID())
		} else if a.active == screen.Cases {
			a.study.ShowCase(a.cases.Selection())
		}
	}
	a.open(id)
	return nil
}

// startAt sets the capacity that the case detail starts at.
func startAt(d *casedetail.Screen, capacity int) {
	if capacity > 0 {
		d.StartAt(capacity)
	}
}

// Screens names the screens that --screen may open first.
func Screens() []string {
	var out []string
	for _, t := range tabs {
		out = append(out, string(t.screen))
	}
	return out
}
