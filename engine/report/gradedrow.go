// A line of qa.rows.jsonl: a stored answer with its grade and what became of
// the support facts.

package report

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"deermem-tui/protocol/pytext"
)

// GradedRow is one case's answer under one policy, graded.
type GradedRow struct {
	RowID              string // `{case}__{policy}`
	CaseID             string
	Source             string // "longmemeval" or "synthetic"
	Scenario           string
	QuestionType       string
	Policy             string
	Capacity           int
	KeptFactIDs        []string // in the selector's order
	SupportRetained    bool
	SupportRecall      float64 // share of the support facts kept, in [0,1]
	Prediction         string
	Correct            bool
	Rule               string // the grader's rule that decided
	GraderVersion      string
	Attempts           int
	RequestFingerprint string
	ResponseModel      *string             // as served; nil where the provider named none
	Usage              map[string]*big.Int // token counts as served, of any size; none nil
}

// AppendJSON appends the row as one line, without the newline.
func (r *GradedRow) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"attempts": `...)
	dst = strconv.AppendInt(dst, int64(r.Attempts), 10)
	dst = appendIntMember(dst, "capacity", r.Capacity)
	dst = appendTextMember(dst, "case_id", r.CaseID)
	dst = appendBoolMember(dst, "grade_correct", r.Correct)
	dst = appendTextMember(dst, "grade_rule", r.Rule)
	dst = appendTextMember(dst, "grader_version", r.GraderVersion)
	dst = appendTextsMember(dst, "kept_fact_ids", r.KeptFactIDs)
	dst = appendTextMember(dst, "policy", r.Policy)
	dst = appendTextMember(dst, "prediction", r.Prediction)
	dst = appendTextMember(dst, "question_type", r.QuestionType)
	dst = appendTextMember(dst, "request_fingerprint", r.RequestFingerprint)
	if r.ResponseModel == nil {
		dst = append(dst, `, "response_model": null`...)
	} else {
		dst = appendTextMember(dst, "response_model", *r.ResponseModel)
	}
	dst = appendTextMember(dst, "row_id", r.RowID)
	dst = appendTextMember(dst, "scenario", r.Scenario)
	dst = appendIntMember(dst, "schema_version", schemaVersion)
	dst = appendTextMember(dst, "source", r.Source)
	dst = appendBoolMember(dst, "support_all_retained", r.SupportRetained)
	dst = pytext.AppendJSONFloat(appendKey(dst, "support_recall"), r.SupportRecall)
	dst = append(appendKey(dst, "usage"), '{')
	for i, name := range slices.Sorted(maps.Keys(r.Usage)) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = pytext.AppendString(dst, name)
		dst = append(dst, ": "...)
		dst = r.Usage[name].Append(dst, 10)
	}
	return append(dst, "}}"...)
}

// QARows gives the whole of qa.rows.jsonl, sorted by row ID.
func QARows(rows []GradedRow) []byte {
	order := make([]*GradedRow, len(rows))
	for i := range rows {
		order[i] = &rows[i]
	}
	slices.SortStableFunc(order, func(a, b *GradedRow) int { return cmp.Compare(a.RowID, b.RowID) })
	var dst []byte
	for _, row := range order {
		dst = append(row.AppendJSON(dst), '\n')
	}
	return dst
}
