// What passes between shell and screens.
package screen

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/runs"
	"deermem-tui/ui/keys"
)

// Data messages, sent to every screen.
type (
	// Book is the study as it stands now.
	Book struct{ Book *casebook.Book }
	// Events are what a run told since the last time, in order.
	Events struct{ Events []pipeline.Event }
	// RunStarted tells that a run was started.
	RunStarted struct {
		Stages []pipeline.Stage
		At     time.Time
	}
	// RunEnded tells that it is over; Err is nil when it was carried through.
	RunEnded struct {
		Err      error
		At       time.Time
		Canceled bool
	}
	// Runs are the run folders that were found.
	Runs struct {
		Runs    []runs.Run
		Folders []string // where they were looked for
		Open    string   // the path of what is opened now; empty for nothing
	}
	// For is a message for one screen, such as what its own command found.
	For struct {
		Screen ID
		Msg    tea.Msg
	}
	// Tick comes a few times a second while a run is in progress.
	Tick struct{ At time.Time }
)

// Requests, sent by a screen to the shell.
type (
	// Start asks to run stages in the background.
	Start struct{ Stages []pipeline.Stage }
	// Cancel asks to stop the run; finished rows are kept.
	Cancel struct{}
	// Steer gives an order about the run in progress, or about the next.
	Steer struct{ Order pipeline.Order }
	// Peek asks for a look at grades before the end; it was confirmed.
	Peek struct{}
	// Quit asks to leave, once nothing is in progress any more.
	Quit struct{}
	// OpenCase asks for the detail of a case.
	OpenCase struct{ CaseID string }
	// OpenRun asks to open another run in place of the one that is open.
	OpenRun struct{ Path string }
	// ReadStore asks to read the store, again if it was read.
	ReadStore struct{}
	// Close asks to go back to the screen before.
	Close struct{}
	// Ask wants a decision; on yes, the action is carried out.
	Ask struct {
		Title, Text string
		Yes         string // the word of agreement
		Action      keys.Action
	}
	// Read shows a text in full.
	Read struct{ Title, Text string }
	// Copy puts a text on the clipboard.
	Copy struct{ Text string }
	// Toast is a word that goes away again.
	Toast struct{ Text string }
)

// Request makes a command of a request.
func Request(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
