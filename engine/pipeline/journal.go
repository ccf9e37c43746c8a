package pipeline

import (
	"encoding/json"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
)

// journal writes a run's events into its folder as they come. It is for
// watching and for totals; nothing in it decides what is called, so where it
// cannot be written the run goes on without.
type journal struct{ out *rundir.Appender }

func openJournal(dir *rundir.Dir) *journal {
	out, err := dir.Append(rundir.JournalFile)
	if err != nil {
		return &journal{}
	}
	return &journal{out}
}

func (j *journal) add(event Event) {
	if j.out == nil || !lasting(event) {
		return
	}
	line, err := json.Marshal(EventDoc(event))
	if err == nil {
		err = j.out.Add(line)
	}
	if err != nil {
		j.close()
	}
}

// lasting tells whether an event says something that is not known without it.
func lasting(event Event) bool {
	switch e := event.(type) {
	case StageProgress:
		return false
	case RowChanged:
		return e.State != RowWaiting || e.Problem != ""
	}
	return true
}

func (j *journal) close() {
	if j.out != nil {
		_ = j.out.Close()
		j.out = nil
	}
}

// history is what the journal tells of earlier starts.
type history struct {
	calls   int
	tokens  Tokens
	elapsed time.Duration
}

// readHistory sums up what was called and paid before, and is not in a stored
// row: replies without an answer, and rows that were called again since.
func readHistory(dir *rundir.Dir, stored map[string]rundir.Row) history {
	var h history
	lines, _, err := dir.Lines(rundir.JournalFile, 0)
	if err != nil {
		return h
	}
	var first, last time.Time
	end := func() {
		if d := last.Sub(first); d > 0 { // a clock that was set back gives no time
			h.elapsed += d
		}
	}
	for _, line := range lines {
		event, err := ParseEvent(line)
		if err != nil {
			continue
		}
		switch e := event.(type) {
		case StageStarted:
			end()
			first, last = e.At, e.At
		case StageFinished:
			last = e.At
		case RowChanged:
			last = e.At
			if e.State != RowAnswered && e.State != RowFailed {
				continue
			}
			if row, ok := stored[e.RowID]; ok && e.CreatedAt != "" && row.CreatedAt == e.CreatedAt {
				continue
			}
			h.calls += e.Attempt
			h.tokens = h.tokens.plus(e.Tokens)
		}
	}
	end()
	return h
}

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
