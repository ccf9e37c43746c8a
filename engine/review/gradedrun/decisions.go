// What a person decided while the run was made, as the run folder records it.

package gradedrun

import (
	"bytes"
	"encoding/json"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
)

// Acceptance is a decision to take an answer that is no plain one.
type Acceptance struct {
	RowID   string
	State   outcome.State
	Created string // of the answer, so that its successor is not meant
}

// Undecided gives the rows that are no plain answers and that nobody decided
// on. A row without its file is judged by its text alone, as the reference does.
func (r *Run) Undecided() []Acceptance {
	var open []Acceptance
	for _, row := range r.Rows {
		answer, ok := r.Answers[row.RowID]
		if !ok {
			if rundir.Row.State(rundir.Row{Prediction: row.Prediction}).Doubtful() {
				open = append(open, Acceptance{RowID: row.RowID, State: outcome.Empty})
			}
			continue
		}
		if a := (Acceptance{row.RowID, answer.State(), answer.CreatedAt}); a.State.Doubtful() && answer.Extra != nil && !r.Accepted[a] {
			open = append(open, a)
		}
	}
	return open
}

// Taken gives the rows that are no plain answers and that were taken as they
// are.
func (r *Run) Taken() []Acceptance {
	var taken []Acceptance
	for _, row := range r.Rows {
		if answer, ok := r.Answers[row.RowID]; ok {
			if a := (Acceptance{row.RowID, answer.State(), answer.CreatedAt}); a.State.Doubtful() && (answer.Extra == nil || r.Accepted[a]) {
				taken = append(taken, a)
			}
		}
	}
	return taken
}

func (r *Run) readAccepted() {
	r.Accepted = map[Acceptance]bool{}
	lines, _, err := r.Dir.Lines(rundir.DecisionsFile, 0)
	if err != nil {
		return // told already by the looks, which stand in the same file
	}
	for _, line := range lines {
		var d struct {
			Event   string        `json:"event"`
			RowID   string        `json:"row_id"`
			State   outcome.State `json:"state"`
			Created string        `json:"created_at"`
		}
		if json.Unmarshal(line, &d) == nil && d.Event == "accepted" {
			r.Accepted[Acceptance{d.RowID, d.State, d.Created}] = true
		}
	}
}

func splitLines(data []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.Lines(data) {
		lines = append(lines, line)
	}
	return lines
}
