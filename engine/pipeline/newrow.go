// The row that is stored of an answer.

package pipeline

import (
	"strings"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

func (r *qaRun) newRow(task Task, reply answer.Reply) rundir.Row {
	row := rundir.Row{
		RowID:              task.RowID,
		CaseID:             task.CaseID,
		Source:             task.Source,
		Scenario:           task.Scenario,
		Policy:             task.Policy,
		Capacity:           task.Capacity,
		KeptFactIDs:        task.KeptFactIDs,
		RequestFingerprint: task.Fingerprint,
		Prediction:         reply.Text,
		Attempts:           reply.Attempts,
		Usage:              reply.Usage,
		CreatedAt:          report.Timestamp(r.task.now()),
	}
	if reply.Model != "" {
		row.ResponseModel = &reply.Model
	}
	state := reply.State
	if state == "" {
		state = row.State()
	}
	row.Extra = &rundir.Extra{
		Answerer: r.kind(), State: state, Note: reply.Note, FinishReason: reply.FinishReason, Latency: reply.Latency, Usage: reply.FullUsage,
		OtherModel: otherModel(r.model, reply.Model),
	}
	if !reply.Started.IsZero() {
		row.Extra.Started = report.Timestamp(reply.Started)
	}
	for _, f := range reply.Failures {
		row.Extra.Failures = append(row.Extra.Failures, rundir.Failure{
			Attempt: f.Number, Class: string(f.Class), Status: f.Status, Latency: f.Latency, Wait: f.Wait,
		})
	}
	return row
}

// otherModel tells whether a model that answered is another one than that asked
// for. Providers write theirs with a version behind it or an owner before it.
func otherModel(asked, served string) bool {
	name := func(s string) string {
		s = strings.ToLower(s)
		return s[strings.LastIndexByte(s, '/')+1:]
	}
	a, s := name(asked), name(served)
	if served == "" || a == s {
		return false
	}
	rest, ok := strings.CutPrefix(s, a)
	return !ok || !strings.ContainsAny(rest[:min(len(rest), 1)], "-:@.")
}
