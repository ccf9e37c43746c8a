// One row in both runs, and where it differs.

package compare

import (
	"maps"
	"math/big"
	"slices"

	"deermem-tui/engine/report"
)

// Row is a row that both runs have and that differs somewhere.
type Row struct {
	RowID      string   `json:"row_id"`
	CaseID     string   `json:"case_id"`
	Policy     string   `json:"policy"`
	Scenario   string   `json:"scenario"`
	Request    bool     `json:"request_differs"`
	Capacity   bool     `json:"capacity_differs"`
	KeptOnlyA  []string `json:"kept_only_in_a"`
	KeptOnlyB  []string `json:"kept_only_in_b"`
	KeptOrder  bool     `json:"kept_order_differs"` // the same facts in another order
	Prediction bool     `json:"prediction_differs"`
	CorrectA   bool     `json:"grade_correct_a"`
	CorrectB   bool     `json:"grade_correct_b"`
	RuleA      string   `json:"grade_rule_a"`
	RuleB      string   `json:"grade_rule_b"`
	Model      bool     `json:"model_served_differs"`
	Retention  bool     `json:"retention_differs"` // what the row says of its support
	Labels     bool     `json:"labels_differ"`     // source, scenario, question type, case or policy
	Usage      bool     `json:"usage_differs"`     // attempts or tokens

	texts [2]string // for a reader at the run; no document holds them
}

// Texts gives the two answers. They are in no document of a comparison.
func (r *Row) Texts() (a, b string) { return r.texts[0], r.texts[1] }

// Flipped tells whether the grade differs.
func (r *Row) Flipped() bool { return r.CorrectA != r.CorrectB }

// Kept tells whether other facts were kept.
func (r *Row) Kept() bool { return len(r.KeptOnlyA)+len(r.KeptOnlyB) > 0 }

// Direction says how a flipped grade went from A to B.
func (r *Row) Direction() string {
	switch {
	case !r.Flipped():
		return ""
	case r.CorrectB:
		return "wrong to right"
	}
	return "right to wrong"
}

func rowOf(a, b report.GradedRow) Row {
	r := Row{
		RowID: a.RowID, CaseID: a.CaseID, Policy: a.Policy, Scenario: a.Scenario,
		Request: a.RequestFingerprint != b.RequestFingerprint, Capacity: a.Capacity != b.Capacity,
		KeptOnlyA: without(a.KeptFactIDs, b.KeptFactIDs), KeptOnlyB: without(b.KeptFactIDs, a.KeptFactIDs),
		Prediction: a.Prediction != b.Prediction,
		CorrectA:   a.Correct, CorrectB: b.Correct, RuleA: a.Rule, RuleB: b.Rule,
		Model:     served(a) != served(b),
		Retention: a.SupportRetained != b.SupportRetained || a.SupportRecall != b.SupportRecall,
		Labels:    a.Source != b.Source || a.Scenario != b.Scenario || a.QuestionType != b.QuestionType || a.CaseID != b.CaseID || a.Policy != b.Policy,
		Usage:     a.Attempts != b.Attempts || !maps.EqualFunc(a.Usage, b.Usage, func(x, y *big.Int) bool { return x.Cmp(y) == 0 }),
		texts:     [2]string{a.Prediction, b.Prediction},
	}
	r.KeptOrder = !r.Kept() && !slices.Equal(a.KeptFactIDs, b.KeptFactIDs)
	return r
}

// served gives the model of a row as its provider named it, told from a row
// without one.
func served(row report.GradedRow) string {
	if row.ResponseModel == nil {
		return ""
	}
	return "=" + *row.ResponseModel
}

// differs tells whether a row differs in more than what it took.
func (r *Row) differs() bool {
	return slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.Name != kindUsage && k.Holds(r) })
}

func without(a, b []string) []string {
	out := []string{}
	for _, id := range a {
		if !slices.Contains(b, id) {
			out = append(out, id)
		}
	}
	return out
}
