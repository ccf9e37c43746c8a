// What a person decided about a run, and looks before its end, as they are
// recorded in its folder.

package pipeline

import (
	"encoding/json"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
)

// decision is a line of the decisions.
type decision struct {
	Event   string        `json:"event"` // "accepted" or "look"
	At      string        `json:"at"`
	RowID   string        `json:"row_id,omitempty"`
	State   outcome.State `json:"state,omitempty"`
	Created string        `json:"created_at,omitempty"` // of the row, so that its successor is not meant
	Rows    int           `json:"rows,omitempty"`       // present at a look
	Of      int           `json:"of,omitempty"`
}

const (
	decisionAccepted = "accepted"
	decisionLook     = "look"
)

func decide(dir *rundir.Dir, decisions ...decision) error {
	lines := make([][]byte, len(decisions))
	for i, d := range decisions {
		line, err := json.Marshal(d)
		if err != nil {
			return err
		}
		lines[i] = line
	}
	return dir.Decide(lines...)
}

// decisions gives those recorded in a folder; lines of another kind are passed
// over. It fails where they are there and cannot be read.
func decisions(dir *rundir.Dir) ([]decision, error) {
	lines, _, err := dir.Lines(rundir.DecisionsFile, 0)
	if err != nil {
		return nil, err
	}
	var list []decision
	for _, line := range lines {
		var d decision
		if json.Unmarshal(line, &d) == nil && (d.Event == decisionAccepted || d.Event == decisionLook) {
			list = append(list, d)
		}
	}
	return list, nil
}

// Look is a look at grades before every row was there.
type Look struct {
	At       string // UTC
	Rows, Of int
}

// Looks gives the looks recorded in a run folder.
func Looks(dir *rundir.Dir) ([]Look, error) {
	list, err := decisions(dir)
	var looks []Look
	for _, d := range list {
		if d.Event == decisionLook {
			looks = append(looks, Look{d.At, d.Rows, d.Of})
		}
	}
	return looks, err
}
