// The report as data: every row as CSV, every figure as JSON.

package page

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/gate"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/safetext"
	"deermem-tui/engine/stats"
)

// CSV gives one line a graded row, without the answer's text.
func (r *Report) CSV() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	lines := [][]string{{"row_id", "case_id", "source", "scenario", "question_type", "policy", "capacity", "support_all_retained", "grade_correct", "grade_rule",
		"pair", "kind", "same_request", "in_queue", "flags", "verdicts", "stale", "grade_disputed", "attempts", "prompt_tokens", "completion_tokens", "total_tokens", "response_model", "row_sha256"}}
	standing := map[string]*review.ItemStanding{}
	for i := range r.in.Standing.Items {
		standing[r.in.Standing.Items[i].CaseID] = &r.in.Standing.Items[i]
	}
	disputed := map[string]bool{}
	for _, id := range r.disputed {
		disputed[id] = true
	}
	for _, row := range r.in.Run.Rows {
		pair, kind, same := "", "", false
		if e, ok := r.in.Run.Book.Find(row.CaseID); ok {
			if a, ok := r.in.Run.Book.Analyse(e); ok {
				pair, kind, same = r.outcome(a.Outcome), string(a.Kind), a.SameRequest
			}
		}
		queue, stale, verdicts := "", false, []string{}
		if item := standing[row.CaseID]; item != nil {
			queue, stale = string(item.Reason), len(item.Stale) > 0
			for _, e := range item.Current {
				word := "agrees"
				if slices.Contains(e.Disputed, row.RowID) {
					word = "disputes"
				}
				verdicts = append(verdicts, fmt.Sprintf("%s: %s, %s", e.Reviewer, e.Cause, word))
			}
		}
		var flags []string
		if item := standing[row.CaseID]; item != nil {
			for side := range item.Rows {
				if item.Rows[side].RowID == row.RowID {
					for _, flag := range item.Flags[side] {
						flags = append(flags, string(flag))
					}
				}
			}
		}
		count := func(name string) string {
			if n := row.Usage[name]; n != nil {
				return n.String()
			}
			return ""
		}
		model := ""
		if row.ResponseModel != nil {
			model = *row.ResponseModel
		}
		lines = append(lines, []string{row.RowID, row.CaseID, row.Source, row.Scenario, row.QuestionType, row.Policy, fmt.Sprint(row.Capacity),
			fmt.Sprint(row.SupportRetained), fmt.Sprint(row.Correct), row.Rule, pair, kind, fmt.Sprint(same), queue, strings.Join(flags, " "), strings.Join(verdicts, "; "), fmt.Sprint(stale),
			fmt.Sprint(disputed[row.RowID]), fmt.Sprint(row.Attempts), count("prompt_tokens"), count("completion_tokens"), count("total_tokens"), model, gradedrun.Hash(row)})
	}
	for _, line := range lines {
		for i := range line {
			line[i] = safetext.Cell(r.clean(line[i]))
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// outcome names how a pair came out, in words that no spreadsheet takes for a sum.
func (r *Report) outcome(p casebook.Pair) string {
	switch p {
	case casebook.PairConfidence:
		return "only " + r.policies[0] + " right"
	case casebook.PairHybrid:
		return "only " + r.policies[1] + " right"
	}
	return string(p)
}

// JSON gives every figure.
func (r *Report) JSON() ([]byte, error) {
	doc := map[string]any{
		"version": Version, "run": r.clean(r.name), "policies": r.policies[:], "rows_sha256": r.in.Run.RowsHash, "rows": len(r.in.Run.Rows),
		"models_served": r.clean(r.models()), "suites": suitesDoc(r.figures, "primary"), "scenarios": r.scenariosDoc(), "looks_before_the_end": len(r.in.Run.Looks),
		"review": r.reviewDoc(), "usage": usageDoc(r.figures),
	}
	if d := r.in.Run.Doc; d != nil {
		hashes := map[string]string{}
		for _, h := range d.Artifacts.List() {
			hashes[h.Key] = h.SHA256
		}
		doc["protocol_id"], doc["artifacts"], doc["model"], doc["grader_version"], doc["capacity"] = r.clean(d.ProtocolID), hashes, r.clean(d.QA.Model), d.QA.GraderVersion, d.QA.Capacity
	}
	if r.wouldBe != nil {
		doc["suites_if_disputes_held"] = suitesDoc(r.wouldBe, "not_primary")
	}
	if g := r.in.Gate; g != nil {
		checks := []any{}
		for _, c := range g.Checks {
			checks = append(checks, map[string]any{"name": c.Name, "state": c.State, "open": len(c.Details)})
		}
		doc["publishable"], doc["checks"], doc["checks_not_run"] = g.Open(), checks, gate.Names(g.NotRun())
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(doc)
	return out.Bytes(), err
}

// suitesDoc gives the suites; pinned is the key of the figures whose methods the
// protocol pins, which are primary only for the grades as they are.
func suitesDoc(f *figures.Figures, pinned string) []any {
	out := []any{}
	for _, s := range f.Suites {
		m, b := s.McNemar, s.Bootstrap
		out = append(out, map[string]any{
			"name": s.Name, "cases": s.Cases, "both_correct": m.BothCorrect, "only_first_correct": m.OnlyFirstCorrect, "only_second_correct": m.OnlySecondCorrect, "both_wrong": m.BothWrong,
			pinned: map[string]any{"difference": b.MeanDifference, "p_value": m.PValue, "lower": b.Lower, "upper": b.Upper, "alpha": b.Alpha, "seed": b.Seed.String(), "iterations": b.Iterations},
			"secondary": map[string]any{"mid_p": s.MidP.PValue, "newcombe": []float64{s.Newcombe.Lower, s.Newcombe.Upper}, "bca": []float64{s.BCa.Lower, s.BCa.Upper},
				"ties_split": []float64{s.TiesSplit.Lower, s.TiesSplit.Upper}, "interval_to_read": s.Trust.Read, "why": s.Trust.Reason,
				"detectable_difference": s.Detectable.Difference, "detectable_reachable": s.Detectable.Reachable, "power": s.Detectable.Target},
			"noise_floor": map[string]any{"pairs": s.NoiseFloor.Pairs, "texts_differ": s.NoiseFloor.TextsDiffer, "grades_flip": s.NoiseFloor.GradesFlip},
			"retention":   map[string]any{"retained_correct": s.Retention.RetainedCorrect, "retained_wrong": s.Retention.RetainedWrong, "evicted_correct": s.Retention.EvictedCorrect, "evicted_wrong": s.Retention.EvictedWrong},
			"warnings":    append([]string{}, s.Warnings()...),
		})
	}
	return out
}

func usageDoc(f *figures.Figures) []any {
	out := []any{}
	for _, u := range f.Usage {
		out = append(out, map[string]any{"policy": u.Policy, "rows": u.Rows, "attempts": u.Attempts, "prompt_tokens": u.PromptTokens,
			"completion_tokens": u.CompletionTokens, "total_tokens": u.TotalTokens, "rows_counted": u.Counted})
	}
	return out
}

func (r *Report) scenariosDoc() []any {
	out := []any{}
	for _, row := range r.figures.Scenarios.Rows {
		m := row.McNemar
		out = append(out, map[string]any{"name": r.clean(row.Name), "standing": stats.Secondary, "both_correct": m.BothCorrect, "only_first_correct": m.OnlyFirstCorrect,
			"only_second_correct": m.OnlySecondCorrect, "both_wrong": m.BothWrong, "difference": row.Newcombe.Difference,
			"newcombe": []float64{row.Newcombe.Lower, row.Newcombe.Upper}, "p_value": m.PValue, "holm": row.Adjusted})
	}
	return out
}

func (r *Report) reviewDoc() map[string]any {
	s := r.in.Standing
	doc := map[string]any{"seed": fmt.Sprint(s.Queue.Seed), // a text: not every reader of JSON keeps 64 bits
		"reviewers": len(s.Reviewers), "stale": len(s.StaleItems()), "disagreements": len(s.Disagreements()),
		"references_at_hand": s.Queue.References, "disputed_rows": append([]string{}, r.disputed...)}
	for _, reason := range []review.Reason{review.Discordant, review.Flagged, review.Sampled} {
		reviewed, of := s.Count(reason)
		doc[string(reason)] = map[string]int{"reviewed": reviewed, "of": of}
	}
	agreed := []any{}
	for _, a := range r.agreed {
		one := map[string]any{"changed": a.Changed, "open": a.Open, "left_out": a.Left}
		for name, k := range map[string]stats.KappaResult{"verdicts": a.Causes, "grades": a.Grades} {
			one[name] = map[string]any{"items": k.Items, "observed": k.Observed, "expected": k.Expected, "defined": k.Defined, "kappa": k.Kappa, "lower": k.Lower, "upper": k.Upper, "highest": k.Highest}
		}
		agreed = append(agreed, one)
	}
	doc["agreement"] = agreed
	return doc
}
