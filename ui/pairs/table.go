// What copying, exporting and remembering take from the screen.
package pairs

import (
	"slices"

	"deermem-tui/engine/review"
	"deermem-tui/ui/screen"
)

// Table gives the pairs as they are shown.
func (s *Screen) Table() (screen.Table, bool) {
	if s.review.active() {
		return s.review.exported()
	}
	if len(s.rows) == 0 {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "pairs", Selected: -1, Columns: []string{"case_id", "scenario", "source", "question_type", "outcome", "kind", "same_request",
		"first_policy", "first_correct", "first_rule", "first_support_retained", "second_policy", "second_correct", "second_rule", "second_support_retained"}}
	for i, at := range s.shown {
		r := &s.rows[at]
		if i == s.table.Cursor {
			t.Selected = i
		}
		c, a := &r.entry.Case, &r.pair
		values := []any{c.ID, c.Scenario, r.source, c.QuestionType, string(a.Outcome), string(a.Kind), a.SameRequest}
		for j := range a.Sides {
			side := &a.Sides[j]
			values = append(values, side.Policy, side.Row.Correct, side.Row.Rule, side.SupportRetained)
		}
		t.Rows = append(t.Rows, values)
	}
	return t, true
}

// State is how the list was left.
func (s *Screen) State() map[string]string {
	out := map[string]string{"filter": s.input.Value, "sort": sortNames[s.sort], "case": s.caseID()}
	if out["case"] == "" {
		out["case"] = s.restore
	}
	if v := s.review; v.reviewer == "" && v.last != "" {
		out["reviewer"] = v.last
	} else if v.reviewer != "" {
		out["reviewer"], out["reviewer-of"] = v.reviewer, v.folder
		if s.review.on {
			out["review"] = "on"
		}
	}
	if s.all {
		out["concordant"] = "yes"
	}
	return out
}

// Restore takes it back; the case is found once there are pairs.
func (s *Screen) Restore(state map[string]string) {
	s.input.Set(state["filter"])
	if i := slices.Index(sortNames[:], state["sort"]); i >= 0 {
		s.sort = sortKey(i)
	}
	s.all = state["concordant"] == "yes"
	if review.CheckReviewer(state["reviewer"]) == nil {
		s.review.on = state["review"] == "on" // so that who reviews sees no policy on the way there
		s.review.reviewer, s.review.remembered = state["reviewer"], true
		if state["reviewer-of"] != s.review.folder { // of another run: perhaps somebody else sits here now
			s.review.last, s.review.reviewer, s.review.remembered = s.review.reviewer, "", false
			if s.review.on {
				s.review.ask(whose)
			}
		}
	}
	s.restore = state["case"]
	s.refresh(s.restore)
}
