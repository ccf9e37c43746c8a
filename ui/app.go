// The root model: which screen is seen, which dialog is open, and the words at
// the edges. It routes; what a screen is about is the screen's.
package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/casedetail"
	"deermem-tui/ui/cases"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Every screen keeps the contract.
var (
	_ screen.Screen = (*run.Screen)(nil)
	_ screen.Screen = (*cases.Screen)(nil)
	_ screen.Screen = (*casedetail.Screen)(nil)
)

// services are the effects the application can have. They are only used
// inside commands.
type services struct {
	load   func() tea.Msg
	start  func([]pipeline.Stage) tea.Msg
	cancel func()
	copy   func(string) error
	wrap   func(on bool) // whether the terminal continues a long line on the next
	after  func(time.Duration, tea.Msg) tea.Cmd
	now    func() time.Time
}

// tab is a place in the tab bar, numbered as the design numbers it.
type tab struct {
	key    string
	screen screen.ID
}

var tabs = []tab{{"2", screen.Run}, {"3", screen.Cases}}

// App is the root model.
type App struct {
	th   *theme.Theme
	info Info
	do   services

	run     *run.Screen
	cases   *cases.Screen
	detail  *casedetail.Screen
	screens []screen.Screen // all of them, for data messages
	active  screen.ID
	inCase  bool // a case is open on the Cases tab

	book    *casebook.Book
	loading bool
	failed  string // why loading failed
	first   string // a case to open once the book is there

	dialogs dialog.Stack
	toast   string
	toastNo int
	ticking bool
	w, h    int
}

func newApp(o Options, do services) *App {
	th := o.Theme
	a := &App{th: &th, info: o.Engine.Info(), do: do, active: screen.Run, first: o.Case, loading: true}
	a.run = run.New(a.th, a.info)
	a.cases = cases.New(a.th)
	a.detail = casedetail.New(a.th)
	a.screens = []screen.Screen{a.run, a.cases, a.detail}
	if o.Screen == screen.Cases || o.Case != "" {
		a.active = screen.Cases
	}
	return a
}

// Init loads the study.
func (a *App) Init() tea.Cmd {
	batch := []tea.Cmd{a.do.load, a.wrap(false)}
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
	book *casebook.Book
	err  error
}

func loaded(book *casebook.Book, err error) tea.Msg { return loadedMsg{book, err} }

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

// small tells whether the window is too small to show a screen. Narrow windows
// are fine when they are tall.
func (a *App) small() bool {
	return a.w < 60 || a.h < 24 || a.w < 80 && a.h < 32
}

// open turns to a screen.
func (a *App) open(id screen.ID) {
	if id == screen.Cases && a.inCase && a.active != screen.Case {
		id = screen.Case
	} else if id == screen.Cases {
		a.inCase = false
	}
	a.active = id
}

// bindings are all actions that work now: the screen's own first.
func (a *App) bindings() keys.Table {
	return append(append(keys.Table{}, a.current().Bindings()...), a.global()...)
}
