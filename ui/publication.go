// Comparing runs and preparing one for publication: what the shell does for the
// Compare and Publication screens, and the report. All of it reads and writes
// files, so all of it happens in goroutines.
package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/gate"
	"deermem-tui/engine/report/page"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/compare"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/export"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/publish"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// checklist is the shell's action that opens the publication checklist.
const checklist keys.Action = "app.publication"

// reportedMsg is a report that was written, or why not.
type reportedMsg struct {
	name   string // of the folder, as it was asked for
	path   string // where it is, links followed
	folder string // of the run
	stamp  uint64 // the state of the run's folder before it was looked at
	checks *gate.Result
	err    error
}

// publish fills in the effects that need a publisher.
func (s *services) publish(ctx context.Context, p Publisher, g *guard, send func(tea.Msg)) {
	s.compare = func(of screen.CompareRuns) tea.Msg {
		g.Go("comparing two runs", func() {
			result, err := p.Compare(ctx, of.A, of.B, of.Across)
			send(screen.For{Screen: screen.Compare, Msg: compare.Compared{Of: of, Result: result, Err: err}})
		})
		return nil
	}
	s.check = func(folder string) tea.Msg {
		g.Go("the publication checklist", func() {
			stamp := gate.Stamp(folder)
			result, err := p.Check(ctx, folder)
			send(screen.For{Screen: screen.Publication, Msg: publish.Checked{Folder: folder, Result: result, Err: err, Stamp: stamp}})
		})
		return nil
	}
	s.glance = func(folder string) tea.Msg {
		return screen.For{Screen: screen.Publication, Msg: publish.Seen{Folder: folder, Stamp: gate.Stamp(folder)}}
	}
	s.report = func(folder, name string) tea.Msg {
		g.Go("writing the report", func() {
			done := reportedMsg{name: name, path: name, folder: folder, stamp: gate.Stamp(folder)}
			if here, err := os.Getwd(); err == nil {
				done.path = filepath.Join(here, name)
			}
			done.checks, done.err = p.Report(ctx, folder, name)
			if real, err := filepath.EvalSymlinks(done.path); err == nil {
				done.path = real
			}
			send(done)
		})
		return nil
	}
}

// publishing gives the shell's bindings that publish.
func (a *App) publishing() keys.Table {
	if !a.opened || a.do.check == nil {
		return nil
	}
	var t keys.Table
	if a.active != screen.Publication {
		b := keys.Binding{Action: checklist, Words: "publication", Help: "the publication checklist: what keeps the run from being published", Category: "Publish", Quiet: true}
		if a.active == screen.Pairs {
			b.Keys, b.Quiet = []string{"P"}, false
		}
		t = append(t, b)
	}
	if a.book != nil && a.book.Graded && !a.current().Bindings().Has(screen.WriteReport) {
		t = append(t, keys.Binding{Action: screen.WriteReport, Words: "write report", Help: "write the report of the run: HTML, Markdown, CSV and JSON", Category: "Publish", Quiet: true})
	}
	return t
}

// parents are the screens on whose tab another one is opened.
var parents = map[screen.ID]screen.ID{screen.Case: screen.Cases, screen.Compare: screen.Home, screen.Publication: screen.Pairs}

// tabOf gives the screen whose tab a screen is on.
func tabOf(id screen.ID) screen.ID {
	if parent, ok := parents[id]; ok {
		return parent
	}
	return id
}

// enter notes that a screen is open on the tab of its parent.
func (a *App) enter(id screen.ID) {
	if id == screen.Compare || id == screen.Publication {
		if a.subs == nil {
			a.subs = map[screen.ID]bool{}
		}
		a.subs[id] = true
	}
}

// subOf gives the screen that a tab leads to: the one that is open on it, unless
// one is there already and goes back.
func (a *App) subOf(id screen.ID) screen.ID {
	a.enter(id)
	for _, sub := range []screen.ID{screen.Compare, screen.Publication} {
		if parents[sub] != id || !a.subs[sub] {
			continue
		}
		if a.active != sub && a.has(sub) {
			return sub
		}
		delete(a.subs, sub)
	}
	return id
}

// leaveSub goes back to the parent's own screen.
func (a *App) leaveSub() {
	if parent := tabOf(a.active); parent != a.active {
		delete(a.subs, a.active)
		a.active = parent
	}
}

// has tells whether there is such a screen now.
func (a *App) has(id screen.ID) bool {
	for _, s := range a.screens {
		if s.ID() == id {
			return true
		}
	}
	return false
}

// hollow tells of a screen that shows nothing before somebody opens something
// in it.
func (a *App) hollow(s screen.Screen) bool {
	switch s.ID() {
	case screen.Case:
		return a.detail.CaseID() == ""
	case screen.Compare:
		return !a.compare.Begun()
	}
	return false
}

// crumb names what is open on the tab of a parent.
func (a *App) crumb() string {
	switch a.active {
	case screen.Case:
		return a.detail.CaseID()
	case screen.Compare, screen.Publication:
		return a.current().Title()
	}
	return ""
}

// compareRuns turns to the Compare screen and has two runs compared.
func (a *App) compareRuns(of screen.CompareRuns) tea.Cmd {
	compared := a.do.compare
	if compared == nil || !a.has(screen.Compare) {
		return a.say("runs cannot be compared here")
	}
	a.compare.Begin(of)
	a.active = screen.Compare
	a.enter(a.active)
	return func() tea.Msg { return compared(of) }
}

// check has the checklist of what is open made.
func (a *App) check() tea.Cmd {
	made, folder := a.do.check, a.info.Folder
	return func() tea.Msg { return made(folder) }
}

// checklistWanted has the checklist made where that is wanted while it is seen,
// and looks at the folder first thing when somebody comes back to it.
func (a *App) checklistWanted() tea.Cmd {
	seen := a.active == screen.Publication && a.do.check != nil
	back := seen && !a.checked
	a.checked = seen
	switch {
	case seen && a.publish.Wanted():
		return a.check()
	case back:
		return a.glance()
	}
	return nil
}

// glance looks whether what the checklist was made of changed: the watch of the
// run folder knows its results only, and the checklist reads every file.
func (a *App) glance() tea.Cmd {
	glance, folder := a.do.glance, a.info.Folder
	if glance == nil || a.active != screen.Publication {
		return nil
	}
	return func() tea.Msg { return glance(folder) }
}

// goFiltered turns to a screen and gives its list a filter.
func (a *App) goFiltered(msg screen.Go) tea.Cmd {
	if !a.has(msg.Screen) {
		return a.say("there is no such screen now")
	}
	if a.active == screen.Publication && tabOf(msg.Screen) == screen.Pairs {
		a.leaveSub()
	}
	cmd := a.goTo(msg.Screen)
	if msg.Filter == "" {
		return cmd
	}
	return tea.Batch(cmd, a.current().Update(screen.Filter{Text: msg.Filter}))
}

// askReport asks where the report goes.
func (a *App) askReport(name, problem string) {
	if a.writing != "" {
		problem = "the report is being written into " + widget.Clean(a.writing)
	}
	if name == "" {
		name = export.Suggest("report", a.info.Run)
	}
	d := publish.NewFolder(name)
	d.Problem = problem
	a.dialogs.Push(d)
}

// writeReport has it written.
func (a *App) writeReport(name string) tea.Cmd {
	if a.writing != "" || a.do.report == nil {
		return a.say("one report at a time: " + a.writing + " is being written")
	}
	a.writing = name
	report, folder := a.do.report, a.info.Folder
	return tea.Batch(a.say("writing the report…"), func() tea.Msg { return report(folder, name) })
}

// reported says where the report is, or asks again.
func (a *App) reported(msg reportedMsg) tea.Cmd {
	a.writing, a.toast = "", ""
	if msg.checks != nil { // the screen behind the dialog says what the dialog says
		a.publish.Update(publish.Checked{Folder: msg.folder, Result: msg.checks, Stamp: msg.stamp, Stated: true})
	}
	if msg.err != nil {
		name := msg.name
		if errors.Is(msg.err, rundir.ErrExists) {
			name = another(name)
		}
		a.askReport(name, widget.Clean(msg.err.Error()))
		return nil
	}
	lines := append([]string{msg.path, ""}, page.Names()...)
	lines = append(lines, "", page.HTMLFile+" needs nothing beside it.")
	if msg.checks != nil {
		lines = append(lines, "The checklist that it states: "+msg.checks.Sentence()+".")
	}
	a.dialogs.Push(&dialog.Reader{Title: "The report is written", Text: widget.CleanBlock(strings.Join(lines, "\n"))})
	return nil
}

// another gives the next name of a row: report, report-2, report-3.
func another(name string) string {
	stem, n := name, 2
	if at := strings.LastIndexByte(name, '-'); at > 0 {
		if last := 0; len(name)-at <= 4 {
			if _, err := fmt.Sscanf(name[at+1:], "%d", &last); err == nil && last > 1 && fmt.Sprint(last) == name[at+1:] {
				stem, n = name[:at], last+1
			}
		}
	}
	return fmt.Sprintf("%s-%d", stem, n)
}
