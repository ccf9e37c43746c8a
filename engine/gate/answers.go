// The checks of the answers: each is one, or somebody decided on it, and the
// files of the answers say what the graded rows say.

package gate

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/pytext"
)

func (g *checker) answers() {
	var open []string
	for _, row := range g.Run.Undecided() {
		if !g.reviewed(row.RowID) { // a verdict on the very row is a decision too
			open = append(open, fmt.Sprintf("%s is %s and nobody decided on it: call it again, accept it (grade-qa --accept), or review it", row.RowID, row.State))
		}
	}
	found := "every row is answered"
	if len(g.Run.Answers) == 0 {
		found += ", as far as the texts tell: the files of the answers are not published"
	}
	if taken := g.Run.Taken(); len(taken) > 0 {
		var ids []string
		for _, t := range taken {
			ids = append(ids, fmt.Sprintf("%s (%s)", t.RowID, t.State))
		}
		found = "answered or decided; taken as they are: " + strings.Join(ids, ", ")
	}
	if len(open) > 0 {
		g.add(Answers, Missing, fmt.Sprintf("%d of %d rows are no plain answers and undecided", len(open), len(g.Run.Rows)), open...)
		return
	}
	if early := g.early(); len(early) > 0 {
		g.add(Answers, Noted, found, early...)
		return
	}
	g.add(Answers, Passed, found)
}

// early tells answers that are older than the run. A clock that was set back
// makes them too, so that it is told and fails nothing.
func (g *checker) early() []string {
	if g.Run.Doc == nil {
		return nil
	}
	var ids []string
	for _, row := range g.Run.Rows {
		at, err := time.Parse(time.RFC3339Nano, g.Run.Answers[row.RowID].CreatedAt)
		if err == nil && at.Before(g.Run.Doc.CreatedAt) {
			ids = append(ids, row.RowID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of %d, the first of them %s, are dated before the run was begun, %s", count(len(ids), "answer"), len(g.Run.Rows), ids[0], report.Timestamp(g.Run.Doc.CreatedAt))}
}

// reviewed tells whether a standing verdict covers a row.
func (g *checker) reviewed(rowID string) bool {
	if g.standing == nil {
		return false
	}
	for i := range g.standing.Items {
		for _, row := range g.standing.Items[i].Rows {
			if row.RowID == rowID {
				return g.standing.Items[i].Reviewed()
			}
		}
	}
	return false
}

// answerFiles compares every file of an answer with its graded row, and names
// the files that are of no row.
func (g *checker) answerFiles() []string {
	if len(g.Run.Answers) == 0 {
		return nil // a published folder has none; what could not be read is told already
	}
	var wrong []string
	for _, row := range g.Run.Rows {
		answer, ok := g.Run.Answers[row.RowID]
		if !ok {
			wrong = append(wrong, fmt.Sprintf("row %s has no answer file that can be read", row.RowID))
			continue
		}
		if columns := columnsOf(row, answered(row, answer)); len(columns) > 0 {
			wrong = append(wrong, fmt.Sprintf("row %s is not its answer file: %s differ", row.RowID, strings.Join(columns, ", ")))
		}
		for _, problem := range g.answerFile(row.RowID) {
			wrong = append(wrong, rundir.RowFile(row.RowID)+": "+problem)
		}
	}
	stored, unusable, err := g.Run.Dir.Rows()
	if err != nil {
		return append(wrong, err.Error())
	}
	for _, answer := range stored {
		if _, ok := g.rowsOf[answer.RowID]; !ok {
			wrong = append(wrong, fmt.Sprintf("%s is an answer of no graded row", rundir.RowFile(answer.RowID)))
		}
	}
	for _, file := range unusable {
		if _, ok := g.rowsOf[file.RowID]; !ok { // else it is told above
			wrong = append(wrong, file.Error())
		}
	}
	return wrong
}

// answered gives the graded row as the file of its answer would have it.
func answered(row report.GradedRow, answer rundir.Row) report.GradedRow {
	row.CaseID, row.Source, row.Scenario, row.Policy, row.Capacity = answer.CaseID, answer.Source, answer.Scenario, answer.Policy, answer.Capacity
	row.KeptFactIDs, row.RequestFingerprint, row.Prediction = answer.KeptFactIDs, answer.RequestFingerprint, answer.Prediction
	row.ResponseModel, row.Attempts, row.Usage = answer.ResponseModel, answer.Attempts, answer.Usage
	return row
}

// answerFile looks at what only the file says: how it is written, and the state
// that this program keeps in it.
func (g *checker) answerFile(rowID string) (wrong []string) {
	data, err := g.Run.Dir.Read(rundir.RowFile(rowID))
	if err == nil {
		err = asWritten(data)
	}
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	v, _ := pytext.Decode(data) // what cannot be read is told already
	document, _ := v.(map[string]any)
	own, there := document[rundir.ExtraKey]
	if !there {
		return wrong
	}
	extra, _ := own.(map[string]any)
	usage, _ := extra["usage"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(g.Run.Answers[rowID].Usage)) {
		if all, told := usage[name]; told && !bytes.Equal(pytext.Marshal(all), pytext.Marshal(g.Run.Answers[rowID].Usage[name])) {
			wrong = append(wrong, "it tells two numbers of "+name)
		}
	}
	text, _ := extra["state"].(string)
	switch state := outcome.State(text); {
	case state != outcome.Answered && !state.Doubtful():
		wrong = append(wrong, fmt.Sprintf("its state %q is none that a stored answer has", text))
	case state == outcome.Answered && strings.TrimSpace(g.Run.Answers[rowID].Prediction) == "":
		wrong = append(wrong, "its state is answered, and there is no text")
	}
	return wrong
}
