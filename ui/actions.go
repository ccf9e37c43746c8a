// What works on every screen, and how an action is carried out.
package ui

import (
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
	for _, tab := range tabs {
		title := a.screen(tab.screen).Title()
		t = append(t, keys.Binding{Action: keys.Action(tabGoto + tab.key), Keys: []string{tab.key}, Words: title, Help: "go to " + title, Category: "Screens", Quiet: true})
	}
	if a.current().Selection() != "" {
		t = append(t, keys.Binding{Action: copyID, Keys: []string{"y"}, Words: "copy ID", Help: "copy the ID under the cursor", Category: category, Quiet: true})
	}
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
		a.dialogs.Push(&dialog.Help{Table: a.bindings()})
		return nil
	case palette:
		a.dialogs.Push(dialog.NewPalette(a.bindings()))
		return nil
	case copyID:
		if id := a.current().Selection(); id != "" {
			return a.copy(id)
		}
		return nil
	case suspend:
		set := a.do.wrap
		return func() tea.Msg { set(true); return tea.SuspendMsg{} }
	case redraw:
		return tea.ClearScreen
	case reload:
		a.loading = true
		return a.do.load
	}
	for _, tab := range tabs {
		if action == keys.Action(tabGoto+tab.key) {
			a.open(tab.screen)
			return nil
		}
	}
	return a.current().Do(action)
}

// quit leaves, and asks first when a run is in progress.
func (a *App) quit() tea.Cmd {
	if !a.run.Running() {
		return tea.Quit
	}
	a.dialogs.Push(&dialog.Confirm{
		Title:  "Quit while the run is in progress?",
		Text:   "The run stops; every finished row is kept. Start again later and it goes on where it stopped, paying for nothing twice.",
		Yes:    "quit",
		Action: quitYes,
	})
	return nil
}

// copy puts a text on the clipboard and says so.
func (a *App) copy(text string) tea.Cmd {
	write := a.do.copy
	return func() tea.Msg {
		if err := write(text); err != nil {
			return screen.Toast{Text: "copying failed: " + err.Error()}
		}
		return screen.Toast{Text: "copied " + text}
	}
}
