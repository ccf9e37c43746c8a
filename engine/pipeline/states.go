package pipeline

import (
	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pytext"
)

// writeStates writes what the graded summary does not say: what the rows are
// worth, which were accepted, which models answered, what the run cost, and
// who looked before the end. It is written anew by every grading.
func writeStates(dir *rundir.Dir, s *study.Study, t Target, rows []rundir.Row, r *GradeResult) error {
	stored := map[string]rundir.Row{}
	counts, models := map[string]any{}, map[string]any{}
	byState := map[outcome.State]int{}
	byModel, untold := map[string]int{}, 0
	other := []any{}
	var tokens Tokens
	for _, row := range rows {
		stored[row.RowID] = row
		byState[row.State()]++
		if row.ResponseModel != nil {
			byModel[*row.ResponseModel]++
		} else {
			untold++
		}
		if row.Extra != nil && row.Extra.OtherModel {
			other = append(other, row.RowID)
		}
		tokens = tokens.plus(tokensOf(row))
	}
	past, err := readHistory(dir, stored)
	if err != nil {
		return err
	}
	past.begun(0)
	hosts := []any{}
	for _, host := range past.hosts {
		hosts = append(hosts, host)
	}
	tokens = tokens.plus(past.tokens)
	for state, n := range byState {
		counts[string(state)] = n
	}
	for model, n := range byModel {
		models[model] = n
	}
	doubtful, looks := []any{}, []any{}
	for _, d := range r.Doubts {
		doubtful = append(doubtful, map[string]any{"row_id": d.RowID, "state": string(d.State), "note": d.Note, "accepted": d.Accepted})
	}
	for _, l := range r.Looks {
		looks = append(looks, map[string]any{"at": l.At, "rows": l.Rows, "of": l.Of})
	}
	return dir.ReplaceOwn(rundir.StatesFile, pytext.MarshalIndent(map[string]any{
		"schema_version":        1,
		"protocol_id":           s.Config.ProtocolID,
		"created_at":            report.Timestamp(t.now()),
		"rows":                  counts,
		"no_plain_answers":      doubtful,
		"models":                models,
		"model_not_told":        untold,
		"more_than_one_model":   mixedModels(r.Models) != "",
		"answered_by_other":     other,
		"model_asked_for":       s.Config.QA.Model,
		"looks_before_the_end":  looks,
		"calls":                 past.calls,
		"calls_cut_off":         past.cut,
		"tokens_in":             tokens.In,
		"tokens_out":            tokens.Out,
		"tokens":                tokens.Total,
		"replies_without_usage": tokens.Untold,
		"counts_are_least":      past.least,
		"hosts":                 hosts,
		"seconds_of_all_starts": past.elapsed.Seconds(),
	}))
}
