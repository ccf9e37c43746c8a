// What the list gives to export, and what it remembers.
package cases

import (
	"fmt"
	"slices"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/screen"
)

var (
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
)

// Table gives the cases shown, in the order shown.
func (s *Screen) Table() (screen.Table, bool) {
	if s.book == nil {
		return screen.Table{}, false
	}
	policies := s.book.Policies[:min(2, len(s.book.Policies))]
	t := screen.Table{Name: "cases", Selected: s.table.Cursor, Columns: []string{"case_id", "source", "scenario", "question_type", "loss_rank"}}
	for _, p := range policies {
		for _, capacity := range s.book.Capacities {
			t.Columns = append(t.Columns, fmt.Sprintf("support_kept_%s_%d", p.Name, capacity))
		}
	}
	for _, p := range policies {
		t.Columns = append(t.Columns, "correct_"+p.Name, "rule_"+p.Name)
	}
	t.Columns = append(t.Columns, "pair")
	for _, i := range s.shown {
		r := &s.rows[i]
		e := &s.book.Entries[r.order]
		row := []any{e.Case.ID, r.source, e.Case.Scenario, e.Case.QuestionType, e.Case.LossRank}
		for side := range policies {
			for c := range s.book.Capacities {
				if r.known && c < len(r.kept[side]) {
					row = append(row, r.kept[side][c])
				} else {
					row = append(row, nil)
				}
			}
		}
		for side, p := range policies {
			switch r.answers[side] {
			case right, wrong:
				row = append(row, r.answers[side] == right, e.Rows[p.Name].Rule)
			default:
				row = append(row, nil, nil)
			}
		}
		t.Rows = append(t.Rows, append(row, pairName(r.pair)))
	}
	return t, true
}

// pairName is the pair in words that no spreadsheet takes for a formula.
func pairName(p casebook.Pair) string {
	switch p {
	case casebook.PairConfidence:
		return "only confidence right"
	case casebook.PairHybrid:
		return "only hybrid-v1 right"
	}
	return string(p)
}

// State is filter, order and the case under the cursor.
func (s *Screen) State() map[string]string {
	out := map[string]string{"filter": s.input.Value, "sort": sortNames[s.sort], "case": s.Selection()}
	if s.Selection() == "" {
		out["case"] = s.restore
	}
	if s.reverse {
		out["reverse"] = "yes"
	}
	if s.only {
		out["discordant"] = "yes"
	}
	return out
}

// Restore takes them back.
func (s *Screen) Restore(state map[string]string) {
	s.input.Set(state["filter"])
	if i := slices.Index(sortNames[:], state["sort"]); i >= 0 {
		s.sort = sortKey(i)
	}
	s.reverse, s.only = state["reverse"] == "yes", state["discordant"] == "yes"
	s.restore = state["case"]
	s.again = s.book == nil
	s.refresh(s.restore)
}
