// What passes between shell and screens.
package screen

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/review"
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
	// Review is how the review of the run stands, or why it cannot be read.
	Review struct {
		Desk    *review.Desk
		Refusal error          // why no verdict can be recorded now; nil where one can
		Result  *review.Result // under the disputes; nil where there is none to show
		Err     error
	}
	// Verdict tells that a verdict was recorded, or why it was not. A Review
	// follows it where it was.
	Verdict struct {
		Given review.Verdict
		Entry review.Entry
		Err   error
	}
	// Seen tells that a case was shown with its policies in this session, see
	// Telling. It comes again after another run was opened.
	Seen struct{ CaseID string }
	// Noted tells that somebody changed what stands beside the results: the review
	// ledger, the journal, a decision.
	Noted struct{}
	// Again tells the screen that is seen to make anew what it made itself.
	Again struct{}
	// Filter gives a list's filter a text, as if it had been typed.
	Filter struct{ Text string }
	// StoreRead is the store as the Store screen shows it, at its clock, or why
	// there is none.
	StoreRead struct {
		Store    *memstore.Store
		Now      eviction.Moment
		ClockSet bool // Now was asked for; else it is the time of reading
		Err      error
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
	// ReadRow asks what is stored of a row of the run.
	ReadRow struct{ RowID string }
	// Quit asks to leave, once nothing is in progress any more.
	Quit struct{}
	// OpenCase asks for the detail of a case.
	OpenCase struct{ CaseID string }
	// OpenRun asks to open another run in place of the one that is open.
	OpenRun struct{ Path string }
	// ReadReview asks how the review stands; a Review answers.
	ReadReview struct{ Sample *int } // concordant pairs to add; nil: as many as the ledger says
	// GiveVerdict asks to record a verdict on a pair as the desk shows it; a
	// Verdict answers.
	GiveVerdict struct {
		Desk    *review.Desk
		Verdict review.Verdict
	}
	// CompareRuns asks to set two graded runs beside one another.
	CompareRuns struct {
		A, B   string // the paths of their folders
		Across bool   // although the protocols differ; it was confirmed
	}
	// Go asks to turn to a screen, and to filter its list where a filter is given.
	Go struct {
		Screen ID
		Filter string
	}
	// ReadStore asks to read the store, again if it was read.
	ReadStore struct{}
	// PlayWith asks to play with the facts of an agent of the store.
	PlayWith struct {
		Agent    *memstore.Agent
		Now      eviction.Moment
		ClockSet bool // Now was asked for; else it is the time of reading
		Cap      int
		CapFrom  insight.CapSource
		Fact     string // to begin with; empty for any
	}
	// OpenFact asks for a fact of the store.
	OpenFact struct {
		Agent *memstore.Agent
		Fact  string
	}
	// Close asks to go back to the screen before.
	Close struct{}
	// Ask wants a decision; on yes, the action is carried out.
	Ask struct {
		Title, Text string
		Yes         string // the word of agreement
		Action      keys.Action
		Also        keys.Table // other ways on, each with its key and its words; may be none
	}
	// Read shows a text in full.
	Read struct {
		Title, Text string
		Case        string // the case that it tells a policy's answer of; empty for none
	}
	// Copy puts a text on the clipboard.
	Copy struct{ Text string }
	// Toast is a word that goes away again.
	Toast struct{ Text string }
)

// WriteReport is the shell's action that writes the report of the run.
const WriteReport keys.Action = "app.report"

// Request makes a command of a request.
func Request(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
