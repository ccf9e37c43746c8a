// Package pools builds the ten-fact pool of every case by the protocol's
// fixed rules: one support fact and nine distractors whose confidence, age,
// confirmation and heat depend on the case's scenario and loss rank only.
package pools

import "time"

// The two sources a case can come from.
const (
	Official  = "longmemeval"
	Synthetic = "synthetic"
)

// Case is one question with the pool of facts it is asked from.
type Case struct {
	ID           string
	Scenario     string
	Source       string // Official or Synthetic
	QuestionType string
	LossRank     int // 1..10, the rank the confidence policy gives the support
	Question     string
	QuestionDate *string // nil for synthetic cases and rows without one
	Answer       string  // the reference answer
	Facts        []Fact  // sorted by ID (code points)
	SupportIDs   []string
	BankOffset   int // index in the distractor bank of distractor 0
}

// Fact is one remembered fact of a pool.
type Fact struct {
	ID         string
	Content    string
	Category   string
	Confidence float64
	Created    time.Time
	Confirmed  *time.Time // nil when never confirmed
	Heat       float64    // 0 when never accessed
	Accessed   *time.Time // nil when never accessed
	RowID      string     // the dataset row it was made from; empty for a synthetic support
	Support    bool
}
