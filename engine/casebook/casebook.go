// Package casebook is the read-only model that screens and commands share:
// every case of a study with its cells (one policy at one capacity), the rows
// a QA run has so far, their grades once every row is there, and the pair the
// two policies form.
package casebook

import (
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/report"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// Book is a study's cases in the order of the protocol. It is never changed
// after it was made; new rows make a new Book that shares the rest.
type Book struct {
	Protocol   string
	Capacities []int // in the protocol's order
	QACapacity int
	Policies   []eviction.Policy // confidence first, hybrid-v1 second
	Now        eviction.Moment   // the protocol's evaluation time
	Entries    []Entry
	Rows       int  // rows present
	RowsNeeded int  // rows of a whole run
	Graded     bool // every row is there and graded
	PolicyDone bool // the results of the policy stage are in the run folder
	Looks      int  // at grades before every row was there, as the run folder records them

	Study   *study.Study     // what the book was made from; nil for a published folder without its dataset
	Checks  []study.Check    // of the study, as they were made
	Figures *figures.Figures // nil until Graded; nil too where no document pins the bootstrap
	RunDoc  *report.QARunDoc // what qa_run.json says of the answers; nil without one
}

// Entry is one case and what is known of it.
type Entry struct {
	Case  pools.Case
	Cells map[CellKey]Cell
	Rows  map[string]Row // by policy name; absent while missing
}

// CellKey names a cell of a case.
type CellKey struct {
	Policy   string
	Capacity int
}

// Cell is one case under one policy at one capacity.
type Cell struct {
	Kept            []string // fact IDs in rank order
	Evicted         []string // lowest rank first
	ReservedSlots   int
	SupportRetained bool
	SupportRecall   float64
}

// Row is the stored answer of one cell at the QA capacity.
type Row struct {
	ID          string
	Prediction  string
	Model       string
	Attempts    int
	Usage       map[string]int64
	Fingerprint string
	Graded      bool
	Correct     bool
	Rule        string

	Outcome outcome.State // what the reply was worth; empty where the row does not tell
	Note    string        // why it is no plain answer
	Latency time.Duration // of the answering call; 0 where the row does not tell
}

// Pair tells how the two policies compare on one case.
type Pair string

// The pairs. PairPending while a row is missing or ungraded.
const (
	PairPending    Pair = "pending"
	PairBothRight  Pair = "both right"
	PairBothWrong  Pair = "both wrong"
	PairConfidence Pair = "+confidence" // discordant: only confidence is right
	PairHybrid     Pair = "+hybrid"     // discordant: only hybrid-v1 is right
)
