// What copying and exporting take from the screen. The documents are the
// engine's own; like them the table holds no answer's text.
package compare

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/ui/export"
	"deermem-tui/ui/screen"
)

// name is the stem of the file of an export.
const name = "comparison"

// Table gives the rows as they are shown.
func (s *Screen) Table() (screen.Table, bool) {
	if !s.joined() {
		return screen.Table{Name: name}, false
	}
	t := screen.Table{Name: name, Selected: -1, Columns: []string{"row_id", "case_id", "policy", "scenario", "only_in", "request_differs", "kept_only_in_a",
		"kept_only_in_b", "kept_order_differs", "prediction_differs", "direction", "grade_correct_a", "grade_correct_b", "grade_rule_a", "grade_rule_b", "joined_across_protocols"}}
	for i, at := range s.shown {
		r := &s.rows[at]
		if i == s.table.Cursor {
			t.Selected = i
		}
		values := []any{r.id, r.caseID, r.policy, nil, r.only, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, s.result.Across()}
		if d := r.diff; d != nil {
			values[3], values[4] = d.Scenario, nil
			values[5], values[6], values[7], values[8], values[9] = d.Request, strings.Join(d.KeptOnlyA, " "), strings.Join(d.KeptOnlyB, " "), d.KeptOrder, d.Prediction
			if s.result.Sealed == "" {
				values[10], values[11], values[12], values[13], values[14] = d.Direction(), d.CorrectA, d.CorrectB, d.RuleA, d.RuleB
			}
		}
		t.Rows = append(t.Rows, values)
	}
	return t, true
}

// Document gives the comparison as the engine's document: all of it, whatever
// the list shows now.
func (s *Screen) Document(ending string) (data []byte, ok bool, err error) {
	if s.result == nil {
		return nil, false, nil
	}
	switch export.Format(ending) {
	case export.JSON:
		data, err = s.result.JSON()
		return data, true, err
	case export.Markdown:
		return []byte(s.result.Markdown()), true, nil
	}
	return nil, false, nil
}

// About says what an export holds.
func (s *Screen) About() string {
	if s.result == nil {
		return ""
	}
	return "JSON and Markdown hold the whole comparison, CSV the rows as shown."
}

// Pane is the text of the pane that has the keys.
func (s *Screen) Pane() string {
	var lines []string
	switch {
	case s.result == nil:
		return ""
	case s.focus == onTexts:
		lines = s.texts(s.lay.textsW - 4)
	case s.focus == onSummary:
		lines = s.summaryLines(s.w - 4)
	default:
		return ""
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(out, "\n")
}
