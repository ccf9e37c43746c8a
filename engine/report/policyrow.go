// A line of policy.raw.jsonl. A run writes hundreds of them, each with dozens
// of floats, so they are appended key by key instead of built as maps.

package report

import (
	"cmp"
	"slices"
	"strconv"

	"deermem-tui/protocol/pytext"
)

// PolicyRow is what one policy did with one case at one capacity.
type PolicyRow struct {
	CaseID          string
	Source          string // "longmemeval" or "synthetic"
	Scenario        string
	QuestionType    string
	Policy          string
	Capacity        int
	KeptFactIDs     []string // in the selector's order
	Evicted         []EvictedFact
	Scores          []FactScore // of every fact; written sorted by ID
	ReservedSlots   int         // reserved_correction_slots
	SupportFactIDs  []string
	SupportRetained bool    // every support fact was kept
	SupportRecall   float64 // share of the support facts kept, in [0,1]
}

// EvictedFact is a fact that lost its place; rows list the lowest rank first.
type EvictedFact struct {
	FactID     string
	Category   string
	Score      float64
	Components Components
}

// FactScore is one fact's score under the row's policy.
type FactScore struct {
	FactID     string
	Value      float64
	Components Components
}

// Components are the parts of a score before they are weighted, each in [0,1].
// Freshness and Heat are written only where the policy weighs Signals.
type Components struct {
	Confidence float64
	Freshness  float64 // confirmationFreshness
	Heat       float64 // accessHeat
	Signals    bool
}

// AppendJSON appends the row as one line, without the newline.
func (r *PolicyRow) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"capacity": `...)
	dst = strconv.AppendInt(dst, int64(r.Capacity), 10)
	dst = appendTextMember(dst, "case_id", r.CaseID)
	dst = append(appendKey(dst, "evicted"), '[')
	for i := range r.Evicted {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = r.Evicted[i].appendJSON(dst)
	}
	dst = append(dst, ']')
	dst = appendTextsMember(dst, "kept_fact_ids", r.KeptFactIDs)
	dst = appendTextMember(dst, "policy", r.Policy)
	dst = appendTextMember(dst, "question_type", r.QuestionType)
	dst = appendIntMember(dst, "reserved_correction_slots", r.ReservedSlots)
	dst = appendTextMember(dst, "scenario", r.Scenario)
	dst = appendIntMember(dst, "schema_version", schemaVersion)
	dst = append(appendKey(dst, "scores"), '{')
	for i, score := range sortedScores(r.Scores) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = pytext.AppendString(dst, score.FactID)
		dst = append(dst, `: {"components": `...)
		dst = score.Components.appendJSON(dst)
		dst = append(dst, `, "value": `...)
		dst = append(pytext.AppendJSONFloat(dst, score.Value), '}')
	}
	dst = append(dst, '}')
	dst = appendTextMember(dst, "source", r.Source)
	dst = appendBoolMember(dst, "support_all_retained", r.SupportRetained)
	dst = appendTextsMember(dst, "support_fact_ids", r.SupportFactIDs)
	dst = pytext.AppendJSONFloat(appendKey(dst, "support_recall"), r.SupportRecall)
	return append(dst, '}')
}

func (f *EvictedFact) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"category": `...)
	dst = pytext.AppendString(dst, f.Category)
	dst = append(dst, `, "components": `...)
	dst = f.Components.appendJSON(dst)
	dst = appendTextMember(dst, "fact_id", f.FactID)
	dst = append(dst, `, "score": `...)
	return append(pytext.AppendJSONFloat(dst, f.Score), '}')
}

func (c *Components) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if c.Signals {
		dst = append(dst, `"accessHeat": `...)
		dst = append(pytext.AppendJSONFloat(dst, c.Heat), ", "...)
	}
	dst = append(dst, `"confidence": `...)
	dst = pytext.AppendJSONFloat(dst, c.Confidence)
	if c.Signals {
		dst = append(dst, `, "confirmationFreshness": `...)
		dst = pytext.AppendJSONFloat(dst, c.Freshness)
	}
	return append(dst, '}')
}

// sortedScores gives scores by fact ID. Pools come sorted, so it rarely copies.
func sortedScores(scores []FactScore) []FactScore {
	byID := func(a, b FactScore) int { return cmp.Compare(a.FactID, b.FactID) }
	if slices.IsSortedFunc(scores, byID) {
		return scores
	}
	scores = slices.Clone(scores)
	slices.SortFunc(scores, byID)
	return scores
}

// policyRowBytes is about what a row of a ten-fact pool takes.
const policyRowBytes = 3 << 10

// PolicyRows gives the whole of policy.raw.jsonl, rows in the order given
// (case, then capacity, then policy).
func PolicyRows(rows []PolicyRow) []byte {
	dst := make([]byte, 0, len(rows)*policyRowBytes)
	for i := range rows {
		dst = append(rows[i].AppendJSON(dst), '\n')
	}
	return dst
}
