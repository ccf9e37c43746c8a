// Package screen is the contract between the shell and its screens: one
// interface every screen keeps, and the messages that pass between them. A
// screen decides in Update and Do, draws in View and does no I/O in either;
// what it wants done it says with one of the requests.
package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
)

// ID names a screen.
type ID string

// The screens there are. The tab numbers of the design are in Tab.
const (
	Home  ID = "home"
	Study ID = "study"
	Run   ID = "run"
	Cases ID = "cases"
	Case  ID = "case" // opened from Cases, shares its tab

	Pairs      ID = "pairs"
	Statistics ID = "statistics"
	WhatIf     ID = "what-if"
	Store      ID = "store"

	Compare     ID = "compare"     // opened from Home, shares its tab
	Publication ID = "publication" // opened from Pairs, shares its tab
)

// Screen is what the shell asks of every screen.
type Screen interface {
	ID() ID
	// Title is the screen's name in the tab bar.
	Title() string
	// Init gives the screen's first command.
	Init() tea.Cmd
	// Update takes a message. Every screen gets the data messages, seen or not.
	Update(msg tea.Msg) tea.Cmd
	// Do carries out one of the screen's own actions.
	Do(action keys.Action) tea.Cmd
	// Typing tells that keys are text now; they come through Type, pastes too.
	Typing() bool
	Type(msg tea.KeyMsg) tea.Cmd
	// Mouse takes a click or a turn of the wheel inside the body.
	Mouse(m Mouse) tea.Cmd
	// Resize gives the size of the body in cells; any size, zero too.
	Resize(w, h int)
	// View draws the body: exactly as many lines as high, each exactly as wide.
	View() []string
	// Bindings are the actions that work now, for dispatch, footer, help and palette.
	Bindings() keys.Table
	// Selection is what copying copies: the ID under the cursor, or nothing.
	Selection() string
}

// Mouse is a mouse event with coordinates inside the body.
type Mouse struct {
	X, Y  int
	Wheel int // -1 up, +1 down, 0 for a click of the left button
}

// Hinter is kept by screens whose typing has keys of its own: Hint is the
// footer while they type.
type Hinter interface{ Hint() keys.Table }
