// Package pipeline runs the stages of a study (validate, run-policy, run-qa,
// grade-qa). A stage takes a context and a sink of typed events and returns a
// result; the terminal UI, the plain progress printer and the JSON progress
// writer are three sinks of the same events.
package pipeline

import (
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/study"
)

// Stage names one step of a run, as the command that runs it alone is named.
type Stage string

// The stages, in the order a run takes them.
const (
	StageValidate Stage = "validate"
	StagePolicy   Stage = "run-policy"
	StageQA       Stage = "run-qa"
	StageGrade    Stage = "grade-qa"
)

// Event is something a stage tells its sink. The set is closed: the types below.
type Event interface{ event() }

// Sink receives events. A stage calls it from one goroutine at a time and
// never drops an event; a slow sink slows the stage.
type Sink func(Event)

// StageStarted opens a stage. Total counts the units of StageProgress; 0 when unknown.
type StageStarted struct {
	Stage Stage
	At    time.Time
	Total int
	Unit  string // "checks", "rows", "cases"
	Host  string // where the answers of a QA run come from; only where it is known
}

// StageProgress tells how far a stage is.
type StageProgress struct {
	Stage Stage
	Done  int
	Total int
}

// StageFinished closes a stage. Err is nil when it succeeded. The last event of a stage.
type StageFinished struct {
	Stage   Stage
	At      time.Time
	Elapsed time.Duration
	Summary string // one line for people
	Err     error
}

// CheckState tells what became of a check.
type CheckState = study.State

// The states of a check.
const (
	CheckPassed = study.Passed
	CheckFailed = study.Failed
	CheckNotRun = study.NotRun
)

// CheckDone reports one check of validate, with what was expected and found.
type CheckDone struct {
	Name     string
	State    CheckState
	Expected string
	Found    string
}

// RowState is where a row of a QA run stands.
type RowState string

// The states of a row. A row ends as reused, answered or failed; what a reused
// or answered one is worth is its Outcome.
const (
	RowWaiting  RowState = "waiting"
	RowCalling  RowState = "calling"
	RowRetrying RowState = "retrying" // waits after a failed attempt
	RowHeld     RowState = "held"     // waits for what another row met, or for the end of a pause
	RowReused   RowState = "reused"
	RowAnswered RowState = "answered"
	RowFailed   RowState = "failed"
)

// RowChanged reports one row of a QA run: `{case}__{policy}`.
type RowChanged struct {
	RowID   string
	CaseID  string
	Policy  string
	State   RowState
	At      time.Time
	Attempt int           // 1-based; 0 before the first
	Wait    time.Duration // with RowRetrying and RowHeld: until the next attempt
	Until   time.Time     // the same as a time; zero when it is not known
	Latency time.Duration // with RowAnswered and RowReused: of the answering attempt
	Model   string        // as served
	Usage   map[string]int64
	Tokens  Tokens        // what Usage tells, as counts
	Problem string        // cleaned, short, without secrets; with retrying, held, failed, and waiting after a stop
	Outcome outcome.State // with reused, answered and failed
	Note    string        // why the outcome is no plain answer; cleaned

	CutOff     bool   // with waiting: a request was sent, and it is not known what became of it
	OtherModel bool   // Model is not the one asked for
	Again      bool   // an answer of it was stored before this start called it; it stands until a new one comes
	CreatedAt  string // of the stored row
}

// CallSent tells of one request, right before it goes out. A row may send
// several: each attempt is one, and so is each redirect that is followed.
type CallSent struct {
	RowID   string
	Attempt int // from 1
	At      time.Time
}

// Note is a line for the log.
type Note struct {
	Stage Stage
	At    time.Time
	Text  string
}

func (StageStarted) event()  {}
func (StageProgress) event() {}
func (StageFinished) event() {}
func (CheckDone) event()     {}
func (RowChanged) event()    {}
func (CallSent) event()      {}
func (Note) event()          {}
