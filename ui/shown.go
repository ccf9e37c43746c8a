// What the application showed in this session: the review asks for it, because a
// verdict on a pair is blind only if its policies were on no screen before.
package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/screen"
)

// shown are the cases that were on a screen with their policies, by study: two
// runs of one study keep the same facts, and often have the same answers.
type shown map[string]map[string]bool

// show notes a case, and tells the screens of one that is new.
func (a *App) show(caseID string) tea.Cmd {
	if caseID == "" {
		return nil
	}
	if a.shown == nil {
		a.shown = shown{}
	}
	of := a.shown[a.studyKey()]
	if of == nil {
		of = map[string]bool{}
		a.shown[a.studyKey()] = of
	}
	if of[caseID] {
		return nil
	}
	of[caseID] = true
	return a.broadcast(screen.Seen{CaseID: caseID})
}

// showing notes what the screen that is seen shows now.
func (a *App) showing() tea.Cmd {
	if s, ok := a.current().(screen.Telling); ok && !a.small() && a.book != nil {
		return a.show(s.Tells())
	}
	return nil
}

// remind tells the screens of a run that was opened what was shown of its study.
func (a *App) remind() {
	for caseID := range a.shown[a.studyKey()] {
		a.broadcast(screen.Seen{CaseID: caseID})
	}
}

// at is where the reader is: the screen, and what is under its cursor.
func (a *App) at() string { return string(a.active) + " " + a.current().Selection() }
