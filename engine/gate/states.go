// What the grading wrote beside its results, compared with the answers it is of.

package gate

import (
	"bytes"
	"errors"
	"fmt"

	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/pytext"
)

// states compares the grading's list of states and models with the answers. What
// the list does not have, as one of an earlier version, is not compared.
func (g *checker) states() []string {
	data, err := g.Run.Dir.Read(rundir.StatesFile)
	if errors.Is(err, rundir.ErrMissing) || len(g.Run.Answers) == 0 {
		return nil
	}
	if err == nil {
		err = asWritten(data)
	}
	v, decodeErr := pytext.Decode(data)
	document, ok := v.(map[string]any)
	if err = errors.Join(err, decodeErr); err != nil || !ok {
		return []string{fmt.Sprintf("%s: %v", rundir.StatesFile, err)}
	}
	states, models, untold := map[string]any{}, map[string]any{}, int64(0)
	add := func(counts map[string]any, key string) {
		n, _ := counts[key].(int64)
		counts[key] = n + 1
	}
	for _, row := range g.Run.Rows {
		answer, ok := g.Run.Answers[row.RowID]
		if !ok {
			continue // told already
		}
		add(states, string(answer.State()))
		if answer.ResponseModel != nil {
			add(models, *answer.ResponseModel)
		} else {
			untold++
		}
	}
	want := map[string]any{"rows": states, "models": models, "model_not_told": untold}
	if doc := g.Run.Doc; doc != nil {
		want["protocol_id"], want["model_asked_for"] = doc.ProtocolID, doc.QA.Model
	}
	var wrong []string
	for _, key := range []string{"protocol_id", "rows", "models", "model_not_told", "model_asked_for"} {
		value, there := want[key]
		found, told := document[key]
		if there && told && !bytes.Equal(pytext.Marshal(value), pytext.Marshal(found)) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is not that of the answers", rundir.StatesFile, key))
		}
	}
	return wrong
}
