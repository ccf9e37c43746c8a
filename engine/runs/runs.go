// Package runs finds run folders and tells what each holds, without opening
// the study it belongs to. It reads little: two small documents, one row, the
// names of the answers. Whatever else lies in the folders is named with the
// reason why it is no run; nothing of it is waited for, followed or trusted.
package runs

import (
	"fmt"
	"time"

	"deermem-tui/protocol/identity"
)

// Needed is the number of answers a whole run has: a protocol's manifests
// always name four scenarios of ten cases and five guards, asked under two
// policies.
const Needed = 90

// Kind tells how far a run is.
type Kind string

// The kinds.
const (
	None      Kind = ""          // no run: see Problem
	Empty     Kind = "empty"     // begun, nothing stored yet
	Policy    Kind = "policy"    // decisions at every capacity, no answer
	Answers   Kind = "answers"   // some or all answers, not graded
	Graded    Kind = "graded"    // answers and their grades
	Published Kind = "published" // graded rows without the answers' files
)

// Run is a folder and what it holds.
type Run struct {
	Path     string // as it was found: clean, not resolved
	Name     string // the folder's own name
	Kind     Kind
	Answers  int // answer files, counted by name
	Protocol string
	Created  time.Time // zero where no document tells
	Identity identity.Identity
	Problem  string // why it cannot be opened; empty for a run
}

// Bound tells whether all five hashes are known.
func (r Run) Bound() bool {
	for _, hash := range r.Identity.List() {
		if hash.SHA256 == "" {
			return false
		}
	}
	return true
}

// State is the kind in words, with the answers counted where they tell more:
// "answers 37/90".
func (r Run) State() string {
	switch {
	case r.Problem != "":
		return "not a run"
	case r.Kind == Answers:
		return fmt.Sprintf("answers %d/%d", r.Answers, Needed)
	}
	return string(r.Kind)
}
