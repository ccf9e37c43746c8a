// The root model: which screen is seen, which dialog is open, and the words at
// the edges. It routes; what a screen is about is the screen's.
package ui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/casedetail"
	"deermem-tui/ui/cases"
	"deermem-tui/ui/compare"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/home"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/pairs"
	"deermem-tui/ui/publish"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/statistics"
	"deermem-tui/ui/store"
	"deermem-tui/ui/study"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/whatif"
	"deermem-tui/ui/widget"
)

// Every screen keeps the contract.
var (
	_ screen.Screen = (*home.Screen)(nil)
	_ screen.Screen = (*study.Screen)(nil)
	_ screen.Screen = (*run.Screen)(nil)
	_ screen.Screen = (*cases.Screen)(nil)
	_ screen.Screen = (*casedetail.Screen)(nil)
	_ screen.Screen = (*pairs.Screen)(nil)
	_ screen.Screen = (*statistics.Screen)(nil)
	_ screen.Screen = (*whatif.Screen)(nil)
	_ screen.Screen = (*store.Screen)(nil)
	_ screen.Screen = (*compare.Screen)(nil)
	_ screen.Screen = (*publish.Screen)(nil)
)

// services are the effects the application can have. They are only used
// inside commands.
type services struct {
	load    func() tea.Msg
	list    func() tea.Msg            // nil where there is no library: no home, nothing else to open
	open    func(path string) tea.Msg // opens another run; nil where list is
	use     func(e Engine, no int)    // makes it the one that is loaded and run
	stamp   func() tea.Msg            // tells the state of the run folder; nil: it is not watched
	start   func([]pipeline.Stage) tea.Msg
	row     func(rowID string) tea.Msg // what is stored of a row; nil: nobody can tell
	peek    func() tea.Msg             // nil: nobody may look before the end
	cancel  func()
	suspend func() tea.Msg // the message that stops the process, or why it cannot be; nil: there is no job control
	after   func(time.Duration, tea.Msg) tea.Cmd
	copy    func(string) error
	store   func() tea.Msg                                                        // reads the store; nil: none was asked for
	review  func(no int, folder string, book *casebook.Book, sample *int) tea.Msg // nil: nothing can be reviewed
	verdict func(no int, book *casebook.Book, given screen.GiveVerdict) tea.Msg   // nil with review
	steer   func(pipeline.Order)                                                  // nil: the run cannot be steered
	save    func(name string, data []byte) (path string, err error)               // a new file in the current folder
	compare func(screen.CompareRuns) tea.Msg                                      // compares two runs; nil: none can be
	check   func(folder string) tea.Msg                                           // makes the checklist of a run; nil: none can be made
	glance  func(folder string) tea.Msg                                           // looks whether the folder of the checklist changed; nil where check is
	report  func(folder, name string) tea.Msg                                     // writes its report; nil where check is
	wrap    func(on bool)                                                         // whether the terminal continues a long line on the next
	now     func() time.Time

	settings func(whatif.Wish) whatif.Kept // carries out a wish over the settings that are kept; nil: none are
}

// tab is a place in the tab bar, numbered as the design numbers it.
type tab struct {
	key    string
	screen screen.ID
}

var tabs = []tab{{"0", screen.Home}, {"1", screen.Study}, {"2", screen.Run}, {"3", screen.Cases}, {"4", screen.Pairs}, {"5", screen.Statistics}, {"6", screen.WhatIf}, {"7", screen.Store}}

// App is the root model.
type App struct {
	th   *theme.Theme
	info Info
	do   services

	home    *home.Screen
	study   *study.Screen
	run     *run.Screen
	cases   *cases.Screen
	detail  *casedetail.Screen
	store   *store.Screen   // of no run: it stays when another one is opened
	whatif  *whatif.Screen  // of no run either: it plays with a store too
	compare *compare.Screen // of no run either
	publish *publish.Screen
	screens []screen.Screen // all of them, for data messages
	active  screen.ID
	inCase  bool               // a case is open on the Cases tab
	subs    map[screen.ID]bool // the other screens that are open on the tab of their parent
	writing string             // the folder that a report is being written into
	checked bool               // the checklist is seen

	book    *casebook.Book
	loading bool
	failed  string           // why loading failed
	first   string           // a case to open once the book is there
	memory  memory           // where the reader was when the program was left last
	left    map[string]place // where the reader was in the studies opened since then
	reopen  bool             // the case that was open when the program was left last
	back    screen.ID        // the screen that was gone back to, until there is a book; empty where one was asked for

	opened  bool // a run is open; without one there is only the home screen
	no      int  // of the openings: what is loaded for an earlier one is not taken
	found   listedMsg
	opening string // the path being opened
	next    string // the path to open once the run in progress was stopped
	stopped bool   // it was asked to stop for that
	arrived bool   // the book of the run that was opened came
	stamp   uint64 // the state of the run folder that was read last
	notes   uint64 // of the ledger and the like, as the screens were told last
	watched int    // the opening whose folder is watched, plus one
	quiet   bool   // the load under way was asked for by nobody
	gone    bool   // what is shown was read before; the folder cannot be read now
	from    screen.ID
	startAt int  // the capacity that cases open at; 0: the one of the questions
	pointer bool // the mouse is ours

	shown   shown // what was seen, for the review
	dialogs dialog.Stack
	toast   string
	toastNo int
	ticking bool
	w, h    int
}

func newApp(o Options, do services) *App {
	th := o.Theme
	a := &App{th: &th, do: do, active: screen.Home, first: o.Case, startAt: o.Capacity, pointer: o.Mouse}
	if o.Engine != nil {
		a.info, a.opened, a.loading, a.active = o.Engine.Info(), true, true, screen.Run
	}
	a.home, a.store, a.compare = home.New(a.th), store.New(a.th), compare.New(a.th)
	a.whatif = whatif.New(a.th)
	a.store.SetClock(o.Clock)
	a.build()
	switch {
	case !a.opened && o.Screen != screen.Store && o.Screen != screen.WhatIf:
	case o.Case != "":
		a.active = screen.Cases
	case slices.ContainsFunc(a.offered(), func(t tab) bool { return t.screen == o.Screen }):
		a.active = o.Screen
	}
	return a
}

// build makes the screens of what is open.
func (a *App) build() {
	a.study = study.New(a.th)
	a.run = run.New(a.th, a.info)
	a.cases = cases.New(a.th)
	a.detail = casedetail.New(a.th)
	startAt(a.detail, a.startAt)
	a.cases.StartAt(a.startAt)
	a.screens = nil
	if a.do.list != nil {
		a.screens = append(a.screens, a.home, a.compare)
	}
	if a.opened {
		a.screens = append(a.screens, a.study, a.run, a.cases, a.detail, pairs.New(a.th).Of(a.info.Folder), statistics.New(a.th))
	}
	a.publish = publish.New(a.th, a.info.Folder)
	delete(a.subs, screen.Publication)
	if a.opened && a.do.check != nil {
		a.screens = append(a.screens, a.publish)
	}
	a.whatif.Update(screen.Book{}) // of the run that was open
	a.screens = append(a.screens, a.whatif, a.store)
}

// Init loads the study.
func (a *App) Init() tea.Cmd {
	batch := []tea.Cmd{a.do.load, a.list(), a.wrap(false)}
	for _, s := range a.screens {
		batch = append(batch, s.Init())
	}
	return tea.Batch(batch...)
}

// wrap switches the terminal's own line wrapping: a character that is wider
// there than here must not push the rest of a line into the next one.
func (a *App) wrap(on bool) tea.Cmd {
	set := a.do.wrap
	return func() tea.Msg { set(on); return nil }
}

// current is the screen that is seen.
func (a *App) current() screen.Screen {
	for _, s := range a.screens {
		if s.ID() == a.active {
			return s
		}
	}
	return a.run
}

// loadedMsg is a study that was read, or why not.
type loadedMsg struct {
	book  *casebook.Book
	err   error
	no    int    // the opening it is of
	none  bool   // there was nothing to read
	stamp uint64 // the state of the run folder before it was read
	notes uint64 // and of what stands beside its results
}

func loaded(book *casebook.Book, err error) tea.Msg { return loadedMsg{book: book, err: err} }

// toastOver ends a toast, unless a newer one is shown.
type toastOver struct{ no int }

const (
	toastTime = 3 * time.Second
	tickTime  = 125 * time.Millisecond
)

func (a *App) say(text string) tea.Cmd {
	a.toast = widget.Clean(text)
	a.toastNo++
	return a.do.after(toastTime, toastOver{a.toastNo})
}

// tick keeps the clock of a run moving; there is never more than one.
func (a *App) tick() tea.Cmd {
	if a.ticking || !a.run.Running() {
		return nil
	}
	a.ticking = true
	return a.do.after(tickTime, tickMsg{})
}

type tickMsg struct{}

// resize gives every screen the body: the window less header, tabs and footer.
func (a *App) resize(w, h int) {
	a.w, a.h = max(w, 0), max(h, 0)
	for _, s := range a.screens {
		s.Resize(a.w, max(a.h-edges, 0))
	}
}

// edges is the number of lines around the body.
const edges = 3

// small tells whether the window is too small to show a screen.
func (a *App) small() bool { return a.w < 60 || a.h < 24 }

// open turns to a screen.
func (a *App) open(id screen.ID) {
	if id == screen.Cases && a.inCase && a.active != screen.Case {
		id = screen.Case
	} else if id == screen.Cases {
		a.leaveCase()
	}
	a.active = a.subOf(id)
}

// leaveCase turns from a case to the list: the cursor is on it there, at the
// same capacity.
func (a *App) leaveCase() {
	if a.active == screen.Case {
		a.cases.StartAt(a.detail.Capacity())
		a.cases.Select(a.detail.CaseID())
	}
	a.inCase = false
}

// bindings are all actions that work now: the screen's own first.
func (a *App) bindings() keys.Table {
	return append(append(keys.Table{}, a.current().Bindings()...), a.global()...)
}
