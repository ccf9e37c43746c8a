package pipeline

import (
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// Doubt is a stored row that is no plain answer.
type Doubt struct {
	RowID    string
	State    outcome.State
	Note     string // why
	Accepted bool   // by a recorded decision
	created  string
}

// ErrUndecided is a run that holds rows which are no plain answers and which
// nobody decided on.
var ErrUndecided = errors.New("no plain answers")

// UndecidedError names such rows.
type UndecidedError struct {
	Dir  string
	Rows []Doubt
	Of   int
}

func (e *UndecidedError) Error() string {
	counts := map[outcome.State]int{}
	names := make([]string, len(e.Rows))
	var states []outcome.State
	for i, d := range e.Rows {
		counts[d.State]++
		names[i] = fmt.Sprintf("%s: %s: %s", d.RowID, d.State, d.Note)
		states = append(states, d.State)
	}
	slices.Sort(states)
	list := outcome.Join(slices.Compact(states))
	text := fmt.Sprintf("%d of %d rows are %v (%s): call them again with run-qa --retry %s, or take them as they are with --accept %s",
		len(e.Rows), e.Of, ErrUndecided, outcome.Tally(counts), commas(list), commas(list))
	for _, name := range firstOf(names) {
		text += "\n" + name
	}
	return text
}

// Unwrap gives ErrUndecided.
func (e *UndecidedError) Unwrap() error { return ErrUndecided }

// commas writes a list as a flag takes it.
func commas(list string) string {
	out := make([]rune, 0, len(list))
	for _, r := range list {
		if r != ' ' {
			out = append(out, r)
		}
	}
	return string(out)
}

// doubts gives the stored rows that are no plain answers, in the order of the
// rows, and whether they were accepted. A row of another program is not judged
// beyond its text, and is accepted as it is.
func doubts(dir *rundir.Dir, rows []rundir.Row) ([]Doubt, error) {
	list, err := decisions(dir)
	if err != nil {
		return nil, err
	}
	type key struct {
		row, created string
		state        outcome.State
	}
	accepted := map[key]bool{}
	for _, d := range list {
		if d.Event == decisionAccepted {
			accepted[key{d.RowID, d.Created, d.State}] = true
		}
	}
	var found []Doubt
	for _, row := range rows {
		state := row.State()
		if !state.Doubtful() {
			continue
		}
		d := Doubt{RowID: row.RowID, State: state, created: row.CreatedAt, Note: "its text is empty"}
		d.Accepted = row.Extra == nil || accepted[key{row.RowID, row.CreatedAt, state}]
		if row.Extra != nil && row.Extra.Note != "" {
			d.Note = row.Extra.Note
		}
		found = append(found, d)
	}
	return found, nil
}

// accept records that rows in these states are taken as they are, and marks
// them.
func accept(dir *rundir.Dir, t Target, found []Doubt, states []outcome.State) (accepted int, err error) {
	var made []decision
	for i, d := range found {
		if !d.Accepted && slices.Contains(states, d.State) {
			made = append(made, decision{Event: decisionAccepted, At: report.Timestamp(t.now()), RowID: d.RowID, State: d.State, Created: d.created})
			found[i].Accepted = true
		}
	}
	if len(made) == 0 {
		return 0, nil
	}
	return len(made), decide(dir, made...)
}

// Accept records that the rows stored in these states are taken as they are,
// and gives how many that were. Rows accepted before are not counted again.
func Accept(s *study.Study, t Target, states []outcome.State) (n int, err error) {
	tasks, err := Tasks(s)
	if err != nil {
		return 0, err
	}
	dir, err := rundir.Open(t.Dir)
	if err != nil {
		return 0, err
	}
	if err := dir.CheckIdentity(s.Identity); err != nil {
		return 0, err
	}
	_, lock, err := t.lock(StageGrade)
	if err != nil {
		return 0, err
	}
	defer unlock(lock, &err)
	var rows []rundir.Row
	for _, task := range tasks {
		if row, err := dir.ReadRow(task.RowID); err == nil && row.Matches(task.Task) == nil {
			rows = append(rows, row)
		}
	}
	found, err := doubts(dir, rows)
	if err != nil {
		return 0, err
	}
	return accept(dir, t, found, states)
}

// undecided gives the doubts that are not accepted.
func undecided(found []Doubt) []Doubt {
	var open []Doubt
	for _, d := range found {
		if !d.Accepted {
			open = append(open, d)
		}
	}
	return open
}
