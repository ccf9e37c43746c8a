package main

import (
	"fmt"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"deermem-tui/engine/grading"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// reviewView is a review as it is told to one reader.
type reviewView struct {
	run      *gradedrun.Run
	study    *study.Study // nil where the dataset is not at hand
	alpha    float64      // of the intervals
	standing *review.Standing
	reviewer string // empty: nobody in particular
}

// answerDoc is one side of a pair. Policy is empty while the reader is blind.
type answerDoc struct {
	Side       string   `json:"side"`
	Policy     string   `json:"policy,omitempty"`
	RowID      string   `json:"row_id,omitempty"`
	Prediction string   `json:"prediction"`
	Correct    bool     `json:"grade_correct"`
	Rule       string   `json:"grade_rule"`
	Why        string   `json:"why,omitempty"`
	Retained   bool     `json:"support_all_retained"`
	Flags      []string `json:"flags"`
}

// sides gives the two answers, A first.
func (v *reviewView) sides(item *review.ItemStanding) [2]answerDoc {
	order := v.standing.Queue.Sides(v.reviewer, item.CaseID)
	told := item.Seen(v.reviewer)
	var out [2]answerDoc
	for i, side := range []review.Side{review.SideA, review.SideB} {
		row := item.Rows[order[i]]
		out[i] = answerDoc{Side: string(side), Prediction: row.Prediction, Correct: row.Correct, Rule: row.Rule, Retained: row.SupportRetained, Flags: flagWords(item.Flags[order[i]])}
		if told {
			out[i].Policy, out[i].RowID = row.Policy, row.RowID
		}
		if c, ok := v.caseOf(item.CaseID); ok {
			if d, err := grading.Trace(row.Prediction, c.Answer); err == nil {
				out[i].Why = d.Explain(d.Steps[len(d.Steps)-1])
			}
		}
	}
	return out
}

func flagWords(flags []review.Flag) []string {
	words := make([]string, len(flags))
	for i, flag := range flags {
		words[i] = string(flag)
	}
	return words
}

func (v *reviewView) caseOf(id string) (pools.Case, bool) {
	if v.study == nil {
		return pools.Case{}, false
	}
	i := slices.IndexFunc(v.study.Pools.Cases, func(c pools.Case) bool { return c.ID == id })
	if i < 0 {
		return pools.Case{}, false
	}
	return v.study.Pools.Cases[i], true
}

func (v *reviewView) pairDoc(item *review.ItemStanding) map[string]any {
	sides := v.sides(item)
	doc := map[string]any{"case_id": item.CaseID, "reason": item.Reason, "shown": v.standing.Queue.Shown(v.reviewer, item.Item), "blind": !item.Seen(v.reviewer), "answers": sides[:], "stale": len(item.Stale) > 0}
	if c, ok := v.caseOf(item.CaseID); ok {
		doc["question"], doc["reference_answer"] = c.Question, c.Answer
	}
	if item.Seen(v.reviewer) {
		doc["kind"] = item.Analysis.Kind
		doc["same_request"] = item.Analysis.SameRequest
		doc["verdicts"] = append([]review.Entry{}, item.Current...)
	}
	return doc
}

// show prints one pair, blind unless the reviewer gave a verdict on it.
func (v *reviewView) show(std stdio, item *review.ItemStanding, asJSON bool) error {
	if asJSON {
		return printJSON(std.out, v.pairDoc(item))
	}
	at := slices.IndexFunc(v.standing.Items, func(i review.ItemStanding) bool { return i.CaseID == item.CaseID })
	lines := []string{fmt.Sprintf("case %s, %s, %d of %d in the queue", item.CaseID, item.Reason, at+1, len(v.standing.Items))}
	if c, ok := v.caseOf(item.CaseID); ok {
		lines = append(lines, "question:  "+widget.Clean(c.Question), "reference: "+widget.Clean(c.Answer))
	} else {
		lines = append(lines, "question and reference answer: the dataset is not at hand; give --dataset FILE and the run's protocol")
	}
	for _, side := range v.sides(item) {
		name := side.Side
		if side.Policy != "" {
			name += " (" + side.Policy + ")"
		}
		support := "support evicted"
		if side.Retained {
			support = "support kept"
		}
		text := widget.Clean(side.Prediction)
		if strings.TrimSpace(text) == "" {
			text = "(no text)"
		}
		lines = append(lines, "", fmt.Sprintf("%s: %s", name, text), fmt.Sprintf("   graded %s by %s; %s", rightWord(side.Correct), side.Rule, support))
		if side.Why != "" {
			lines = append(lines, "   "+widget.Clean(side.Why))
		}
		for _, flag := range side.Flags {
			lines = append(lines, fmt.Sprintf("   flag %s: %s", flag, review.Flag(flag).Means()))
		}
	}
	lines = append(lines, "")
	if len(item.Stale) > 0 {
		lines = append(lines, "stale: the rows have changed since "+names(item.Stale)+" reviewed them")
	}
	if item.Seen(v.reviewer) {
		lines = append(lines, v.told(item)...)
	} else {
		lines = append(lines, v.recordLines(item)...)
	}
	return printLines(std.out, lines...)
}

// recordLines give the command that records a verdict on the pair as it is shown.
func (v *reviewView) recordLines(item *review.ItemStanding) []string {
	q := v.standing.Queue
	command := widget.Clean(shellescape.QuoteCommand([]string{"deermem-tui", "review", v.run.Dir.Path(), "--case", item.CaseID, "--reviewer", v.reviewer, "--shown", q.Shown(v.reviewer, item.Item)}))
	if len(v.standing.Ledger.Entries) == 0 && q.Seed != review.DefaultSeed(v.run) {
		command += fmt.Sprintf(" --seed %d", q.Seed)
	}
	if q.Sample > 0 {
		command += fmt.Sprintf(" --sample %d", q.Sample)
	}
	causes := review.Causes()
	words := make([]string, len(causes))
	for i, cause := range causes {
		words[i] = string(cause)
	}
	return []string{
		"record: " + command + " --verdict VERDICT --agree",
		"    or: " + command + " --verdict VERDICT --dispute A   (or B, or A,B)",
		"VERDICT is one of " + strings.Join(words, ", "),
	}
}

func rightWord(right bool) string {
	if right {
		return "right"
	}
	return "wrong"
}

// told says what a reader may know once their verdict is recorded.
func (v *reviewView) told(item *review.ItemStanding) []string {
	sides := v.sides(item)
	lines := []string{fmt.Sprintf("A was %s, B was %s", sides[0].Policy, sides[1].Policy)}
	if kind := item.Analysis.Kind; kind != "" {
		lines = append(lines, fmt.Sprintf("as the rows tell it: %s. %s", kind, kind.Means()))
	}
	for _, e := range item.Current {
		line := fmt.Sprintf("%s: %s, %s", widget.Clean(e.Reviewer), e.Cause, agreement(e))
		if e.Note != "" {
			line += ": " + widget.Clean(e.Note)
		}
		lines = append(lines, line)
	}
	return lines
}

func names(entries []review.Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, widget.Clean(e.Reviewer))
	}
	return strings.Join(out, ", ")
}

// state says how an item stands, without any verdict a blind reader could use.
func (v *reviewView) state(item *review.ItemStanding) string {
	var parts []string
	switch {
	case item.Disagreement() && item.Seen(v.reviewer):
		parts = append(parts, "reviewers differ: "+names(item.Current))
	case item.Reviewed():
		parts = append(parts, "reviewed by "+names(item.Current))
	case len(item.Stale) == 0:
		parts = append(parts, "open")
	}
	if len(item.Stale) > 0 {
		parts = append(parts, "stale: "+names(item.Stale))
	}
	if v.reviewer != "" && item.Seen(v.reviewer) {
		for _, e := range item.Current {
			parts = append(parts, fmt.Sprintf("%s: %s, %s", widget.Clean(e.Reviewer), e.Cause, agreement(e)))
		}
	}
	return strings.Join(parts, "; ")
}

func (v *reviewView) lines() ([]string, error) {
	s := v.standing
	var counts []string
	for _, reason := range []review.Reason{review.Discordant, review.Flagged, review.Sampled} {
		reviewed, of := s.Count(reason)
		counts = append(counts, fmt.Sprintf("%s %d/%d", reason, reviewed, of))
	}
	lines := []string{fmt.Sprintf("reviewed: %s; stale %d, reviewers differ on %d; seed %d",
		strings.Join(counts, ", "), len(s.StaleItems()), len(s.Disagreements()), s.Queue.Seed)}
	if !s.Queue.References {
		lines = append(lines, "the reference answers are not at hand: flags rest on the predictions alone")
	}
	for _, warning := range s.Ledger.Warnings() {
		lines = append(lines, "warning: "+warning)
	}
	width := len("case")
	for i := range s.Items {
		width = max(width, len(s.Items[i].CaseID))
	}
	lines = append(lines, fmt.Sprintf("%-*s  %-10s  %-28s  %s", width, "case", "reason", "flags", "state"))
	for i := range s.Items {
		item := &s.Items[i]
		lines = append(lines, fmt.Sprintf("%-*s  %-10s  %-28s  %s", width, item.CaseID, item.Reason, strings.Join(itemFlags(item.Item), ", "), v.state(item)))
	}
	for _, stray := range s.Strays {
		lines = append(lines, fmt.Sprintf("%-*s  %-10s  %-28s  reviewed by %s, but not in the queue now", width, widget.Clean(stray.CaseID), "-", "", widget.Clean(stray.Reviewer)))
	}
	for _, odd := range s.Odd {
		lines = append(lines, fmt.Sprintf("warning: the verdict of %s on %s at %s says that A and B were other rows than the seed gives; it counts for nothing", widget.Clean(odd.Reviewer), widget.Clean(odd.CaseID), odd.At))
	}
	if !v.toldAll() {
		if len(s.Reviewers) > 0 {
			lines = append(lines, "agreement and disputes are told to --reviewer NAME once they gave a verdict on every discordant and flagged pair and nothing is open; the report has them too")
		}
		return lines, nil
	}
	agreed, err := s.Agreements(v.alpha)
	if err != nil {
		return nil, err
	}
	for _, a := range agreed {
		who := widget.Clean(a.Reviewers[0] + " and " + a.Reviewers[1])
		for _, line := range a.Lines() {
			lines = append(lines, who+": "+line)
		}
	}
	if disputed := s.Disputed(false); len(disputed) > 0 {
		lines = append(lines, fmt.Sprintf("disputed grades: %s; no grade is changed, report shows the result as it would be", strings.Join(disputed, ", ")))
	}
	return lines, nil
}

// toldAll tells whether what was found as a whole can sway this reader no more.
func (v *reviewView) toldAll() bool { return v.reviewer != "" && v.standing.Told(v.reviewer) }

func itemFlags(item *review.Item) []string {
	var out []string
	for _, side := range item.Flags {
		for _, flag := range side {
			if !slices.Contains(out, string(flag)) {
				out = append(out, string(flag))
			}
		}
	}
	return out
}

func (v *reviewView) doc() (any, error) {
	s := v.standing
	items := []any{}
	for i := range s.Items {
		item := &s.Items[i]
		one := map[string]any{
			"case_id": item.CaseID, "reason": item.Reason, "flags": append([]string{}, itemFlags(item.Item)...),
			"reviewed": item.Reviewed(), "stale": len(item.Stale) > 0, "disagreement": item.Disagreement() && item.Seen(v.reviewer), "reviewers": reviewersOf(item.Current),
		}
		if v.reviewer != "" && item.Seen(v.reviewer) {
			one["verdicts"] = append([]review.Entry{}, item.Current...)
		}
		items = append(items, one)
	}
	doc := map[string]any{
		"version": 1, "seed": s.Queue.Seed, "sample": s.Queue.Sample, "references_at_hand": s.Queue.References,
		"items": items, "warnings": append([]string{}, s.Ledger.Warnings()...), "reviewers": append([]string{}, s.Reviewers...),
	}
	if v.toldAll() {
		agreed, err := s.Agreements(v.alpha)
		if err != nil {
			return nil, err
		}
		list := []any{}
		for _, a := range agreed {
			list = append(list, map[string]any{"reviewers": a.Reviewers[:], "verdicts": kappaDoc(a.Causes), "grades": kappaDoc(a.Grades), "changed": a.Changed, "open": a.Open, "left_out": a.Left})
		}
		doc["agreement"], doc["disputed_rows"] = list, append([]string{}, s.Disputed(false)...)
	}
	return doc, nil
}

func reviewersOf(entries []review.Entry) []string {
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Reviewer)
	}
	return out
}

func kappaDoc(k stats.KappaResult) map[string]any {
	return map[string]any{"items": k.Items, "observed": k.Observed, "expected": k.Expected, "defined": k.Defined, "kappa": k.Kappa,
		"lower": k.Lower, "upper": k.Upper, "highest": k.Highest, "warnings": append([]string{}, k.Warnings...)}
}
