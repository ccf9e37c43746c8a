// What copying and exporting take from the screen: the rows of the run.
package run

import (
	"deermem-tui/ui/screen"
)

var _ screen.Tabular = (*Screen)(nil)

// Table gives the rows of the run. It holds what they took, never a grade.
func (s *Screen) Table() (screen.Table, bool) {
	if len(s.progress.rows) == 0 {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "rows", Selected: s.table.Cursor,
		Columns: []string{"row_id", "case_id", "policy", "state", "outcome", "attempts", "latency_seconds", "total_tokens", "problem"}}
	for _, r := range s.progress.rows {
		t.Rows = append(t.Rows, []any{r.rowID, r.caseID, r.policy, string(r.state), string(r.outcome), r.attempt, r.latency.Seconds(), r.tokens, r.problem})
	}
	return t, true
}
