// What works on every screen, and how an action is carried out.
package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/dialog"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
)

// The shell's own actions.
const (
	quit    keys.Action = "app.quit"
	quitYes keys.Action = "app.quit.yes"
	help    keys.Action = "app.help"
	palette keys.Action = "app.palette"
	copyID  keys.Action = "app.copy"
	suspend keys.Action = "app.suspend"
	reload  keys.Action = "app.reload"
	redraw  keys.Action = "app.redraw"
	tabGoto             = "app.tab."
)

// global gives the bindings of the shell.
func (a *App) global() keys.Table {
	const category = "Everywhere"
	t := keys.Table{
		{Action: help, Keys: []string{"?"}, Words: "help", Help: "the keys that work here", Category: category},
		{Action: palette, Keys: []string{":", "ctrl+p"}, Show: ":", Words: "commands", Help: "find a command by its words", Category: category},
		{Action: quit, Keys: []string{"q", "ctrl+c"}, Show: "q", Words: "quit", Help: "quit; a run in progress keeps every finished row", Category: category},
	}
	for _, tab := range a.offered() {
		title := a.screen(tab.screen).Title()
		t = append(t, keys.Binding{Action: keys.Action(tabGoto + tab.key), Keys: []string{tab.key}, Words: title, Help: "go to " + title, Category: "Screens", Quiet: true})
	}
	if a.active == screen.Home && a.opened && a.from != "" {
		t = append(t, keys.Binding{Action: goHome, Keys: []string{"esc"}, Words: "back", Help: "back to the run that is open", Category: "Screens", Quiet: true})
	}
	if a.do.list != nil && a.active != screen.Home {
		t = append(t, keys.Binding{Action: goHome, Keys: []string{"esc"}, Words: "home", Help: "home: the other runs", Category: "Screens", Quiet: true})
	}
	t = append(t, a.publishing()...)
	t = append(t, a.transfers()...)
	return append(t,
		keys.Binding{Action: suspend, Keys: []string{"ctrl+z"}, Words: "suspend", Help: "suspend to the shell; fg comes back", Category: category, Quiet: true},
		keys.Binding{Action: reload, Keys: []string{"ctrl+r"}, Words: "reload", Help: "read the run folder again", Category: category, Quiet: true},
		keys.Binding{Action: redraw, Keys: []string{"ctrl+l"}, Words: "redraw", Help: "draw the whole screen again", Category: category, Quiet: true},
	)
}

func (a *App) screen(id screen.ID) screen.Screen {
	for _, s := range a.screens {
		if s.ID() == id {
			return s
		}
	}
	return a.run
}

// act carries out an action: the shell's own, or else the screen's.
func (a *App) act(action keys.Action) tea.Cmd {
	switch action {
	case keys.None:
		return nil
	case quit:
		return a.quit()
	case quitYes:
		return tea.Quit
	case help:
		a.dialogs.Push(&dialog.Help{Table: a.bindings().Apart()})
		return nil
	case palette:
		a.dialogs.Push(dialog.NewPalette(a.everything()))
		return nil
	case suspend:
		return a.do.suspend
	case redraw:
		return tea.ClearScreen
	case reload:
		a.loading = true
		return tea.Batch(a.do.load, a.list(), a.current().Update(screen.Again{}))
	case goHome:
		if a.active == screen.Home && a.from != "" {
			return a.goTo(a.from)
		}
		return a.goTo(screen.Home)
	case openYes:
		return a.stopAndOpen()
	case checklist:
		return a.goTo(screen.Publication)
	case screen.WriteReport:
		a.askReport("", "")
		return nil
	}
	for _, tab := range a.offered() {
		if action == keys.Action(tabGoto+tab.key) {
			return a.goTo(tab.screen)
		}
	}
	if cmd, done := a.transfer(action); done {
		return cmd
	}
	if owner := a.owner(action); owner != nil {
		a.active = owner.ID()
		a.enter(a.active)
		a.inCase = a.active == screen.Case || a.inCase && a.active != screen.Cases
	}
	return a.current().Do(action)
}

// everything is every action of every screen: those that work here first. The
// actions of another screen lead there. What moves and opens belongs to where
// one is.
func (a *App) everything() keys.Table {
	t := a.bindings().Apart()
	for _, s := range a.screens {
		if s.ID() == a.active || a.hollow(s) {
			continue
		}
		for _, b := range s.Bindings() {
			if !t.Has(b.Action) && !common(b.Action) {
				b.Help, b.Keys, b.Show = s.Title()+": "+b.Line(), nil, ""
				t = append(t, b)
			}
		}
	}
	return t
}

// common tells whether an action means something else on every screen.
func common(a keys.Action) bool {
	return keys.Moves("").Has(a) || a == keys.Left || a == keys.Right || a == keys.Open || a == keys.Back || a == keys.Focus
}

// owner gives the other screen that an action is one of, nil when it works
// here or belongs to none.
func (a *App) owner(action keys.Action) screen.Screen {
	if common(action) || a.current().Bindings().Has(action) {
		return nil
	}
	for _, s := range a.screens {
		if s.Bindings().Has(action) && !a.hollow(s) {
			return s
		}
	}
	return nil
}

// quit leaves, and asks first when a run is in progress.
func (a *App) quit() tea.Cmd {
	ask, needed := a.run.BeforeQuit(quitYes)
	unsaved := a.unsaved()
	switch {
	case needed:
		ask.Text = strings.TrimSpace(ask.Text + "\n\n" + unsaved)
	case unsaved != "":
		ask = screen.Ask{Title: "Quit without recording it?", Text: unsaved, Yes: "quit", Action: quitYes}
	default:
		return tea.Quit
	}
	a.dialogs.Push(question(ask))
	return nil
}
