// What of the shell is about a DeerMem store and what is played with: from one
// to the other, and the settings that are kept.
package ui

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/whatif/kept"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/whatif"
)

// errNoStore says why nothing is read where no store was asked for.
var errNoStore = errors.New("none was asked for")

// readStore reads the store, whichever screen asks: the Store screen then has it.
func (a *App) readStore() tea.Cmd {
	if a.do.store == nil {
		return screen.Request(screen.StoreRead{Err: errNoStore})
	}
	a.store.Wanted()
	return a.do.store
}

// playWith turns to the What-if screen with an agent of the store.
func (a *App) playWith(msg screen.PlayWith) tea.Cmd {
	a.open(screen.WhatIf)
	return a.whatif.Update(msg)
}

// openFact turns to a fact on the Store screen.
func (a *App) openFact(msg screen.OpenFact) tea.Cmd {
	a.open(screen.Store)
	return a.store.ShowFact(msg.Agent, msg.Fact)
}

// wish has something done to the settings that are kept.
func (a *App) wish(msg whatif.Wish) tea.Cmd {
	settings := a.do.settings
	if settings == nil {
		return nil
	}
	return func() tea.Msg { return screen.For{Screen: screen.WhatIf, Msg: settings(msg)} }
}

// wishOver carries out a wish over a file of settings.
func wishOver(file kept.File, w whatif.Wish) whatif.Kept {
	var readOnly []string
	if w.Store != "" {
		readOnly = []string{w.Store}
	}
	done := whatif.Kept{Do: w.Do, Name: w.Name}
	switch w.Do {
	case whatif.KeepSetting:
		done.Settings, done.Err = file.Keep(w.Setting, readOnly...)
	case whatif.ForgetSetting:
		done.Settings, done.Err = file.Forget(w.Name, readOnly...)
	default:
		done.Settings, done.Err = file.List()
	}
	return done
}
