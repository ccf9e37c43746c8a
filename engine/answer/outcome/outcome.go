// Package outcome names what became of a row of a QA run. A paid reply is not
// always an answer; the words here keep a bad one from passing for a good one,
// in files, events and on screens alike.
package outcome

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// State is what became of a row.
type State string

// The states. Only Answered is done without a word.
const (
	Answered  State = "answered"  // a whole answer
	Empty     State = "empty"     // a reply whose text is empty or blank
	Truncated State = "truncated" // cut off at the token limit (finish_reason length)
	Refused   State = "refused"   // withheld by a content filter, or declined
	Malformed State = "malformed" // a reply that is no plain answer
	Failed    State = "failed"    // no reply
	Missing   State = "missing"   // not asked yet, or stopped before a reply
)

// all is the order in which states are told.
var all = [...]State{Answered, Empty, Truncated, Refused, Malformed, Failed, Missing}

// All gives the states in the order in which they are told.
func All() []State { return slices.Clone(all[:]) }

// Doubtful gives the states of a stored row that somebody has to decide on:
// call it again, or accept it.
func Doubtful() []State { return []State{Empty, Truncated, Refused, Malformed} }

// Doubtful tells whether a stored row in this state needs a decision.
func (s State) Doubtful() bool { return slices.Contains(Doubtful(), s) }

// ErrUnknown marks a name that is none of the states.
var ErrUnknown = errors.New("not a state of a row")

// Parse reads names separated by commas, `all` for every doubtful state. Only
// states that pass allowed are taken; others fail with ErrUnknown.
func Parse(list string, allowed []State) ([]State, error) {
	var states []State
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == "":
		case name == "all":
			states = append(states, Doubtful()...)
		case slices.Contains(allowed, State(name)):
			states = append(states, State(name))
		default:
			return nil, fmt.Errorf("%q is %w; name some of %s, or all", name, ErrUnknown, Join(allowed))
		}
	}
	slices.Sort(states)
	return slices.Compact(states), nil
}

// Join writes states as a list with commas.
func Join(states []State) string {
	words := make([]string, len(states))
	for i, s := range states {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// Tally writes counts in the order of All, those of zero left out:
// "87 answered, 2 truncated, 1 missing".
func Tally(counts map[State]int) string {
	var parts []string
	for _, s := range all {
		if n := counts[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return strings.Join(parts, ", ")
}
