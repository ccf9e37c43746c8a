// The comparison as documents: JSON for scripts, Markdown for a change request.
// Neither holds the text of an answer.

package compare

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/stats"
)

// Doc gives the result as the value of its JSON document.
func (r *Result) Doc() map[string]any {
	kept, predictions, rightToWrong, wrongToRight := r.Count()
	tests := []any{}
	for _, t := range r.Tests {
		tests = append(tests, map[string]any{
			"policy": t.Policy, "suite": t.Suite, "standing": stats.Secondary, "cases": t.McNemar.Pairs(),
			"both_correct": t.McNemar.BothCorrect, "only_a_correct": t.McNemar.OnlyFirstCorrect,
			"only_b_correct": t.McNemar.OnlySecondCorrect, "both_wrong": t.McNemar.BothWrong,
			"p_value": t.McNemar.PValue, "difference_b_minus_a": t.Newcombe.Difference,
			"newcombe_lower": t.Newcombe.Lower, "newcombe_upper": t.Newcombe.Upper,
		})
	}
	kinds := map[string]int{}
	for _, k := range Kinds() {
		kinds[k.Name] = r.Number(k)
	}
	flips := []any{}
	for _, row := range r.Flips() {
		flips = append(flips, map[string]any{"row_id": row.RowID, "direction": row.Direction(), "rule_a": row.RuleA, "rule_b": row.RuleB})
	}
	return map[string]any{
		"version":              Version,
		"a":                    map[string]any{"path": r.PathA, "protocol_id": r.ProtocolA},
		"b":                    map[string]any{"path": r.PathB, "protocol_id": r.ProtocolB},
		"identity_differences": append([]Change{}, r.Changes...), "joined": r.Joined,
		"joined_across_protocols": r.Across(), "sealed": r.Sealed,
		"common_rows": r.Common, "missing_in_b": append([]string{}, r.OnlyA...), "missing_in_a": append([]string{}, r.OnlyB...),
		"counts": map[string]any{"kept": kept, "predictions": predictions, "right_to_wrong": rightToWrong, "wrong_to_right": wrongToRight},
		"kinds":  kinds, "rows_that_differ": r.Different(),
		"flips": flips, "rows": append([]Row{}, r.all()...), "tests": tests, "warnings": append([]string{}, r.Warnings...),
	}
}

// JSON gives the document, indented.
func (r *Result) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(r.Doc(), "", "  ")
	return append(data, '\n'), err
}

// Markdown gives the comparison for people.
func (r *Result) Markdown() string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("# Comparison of two runs\n")
	line("Document version %d. A: %s, protocol %s. B: %s, protocol %s.\n", Version, code(r.PathA), code(r.ProtocolA), code(r.PathB), code(r.ProtocolB))
	line("## Identity\n")
	if len(r.Changes) == 0 {
		line("Both runs are of one protocol: all five hashes, the model, the grader and the capacity are equal.\n")
	} else {
		line("| differs | A | B |\n| --- | --- | --- |")
		for _, c := range r.Changes {
			line("| %s | %s | %s |", cell(c.What), code(c.A), code(c.B))
		}
		line("")
	}
	if !r.Joined {
		line("The rows were not joined, because the protocols differ.")
		return out.String()
	}
	kept, predictions, rightToWrong, wrongToRight := r.Count()
	line("## Rows\n")
	grades := fmt.Sprintf(", right to wrong %d, wrong to right %d", rightToWrong, wrongToRight)
	if r.Sealed != "" {
		grades = "; " + r.Sealed
	}
	both := fmt.Sprintf("%d rows are", r.Common)
	if r.Common == 1 {
		both = "1 row is"
	}
	line("%s in both runs. Among them: other facts kept %d, another text %d%s.\n", both, kept, predictions, grades)
	if others := r.Others(); len(others) > 0 {
		line("Besides: %s.\n", strings.Join(others, ", "))
	}
	for _, missing := range []struct {
		where string
		ids   []string
	}{{"A", r.OnlyB}, {"B", r.OnlyA}} {
		if len(missing.ids) > 0 {
			line("Missing in %s: %s.\n", missing.where, codes(missing.ids))
		}
	}
	for _, warning := range r.Warnings {
		line("Warning: %s.\n", cell(warning))
	}
	if flips := r.Flips(); len(flips) > 0 {
		line("## Flips\n\n| row | direction | rule in A | rule in B | other facts kept | another request |\n| --- | --- | --- | --- | --- | --- |")
		for _, row := range flips {
			line("| %s | %s | %s | %s | %s | %s |", code(row.RowID), row.Direction(), cell(row.RuleA), cell(row.RuleB), yes(row.Kept()), yes(row.Request))
		}
		line("")
	}
	if kept > 0 {
		line("## Kept facts\n\n| row | only in A | only in B |\n| --- | --- | --- |")
		for i := range r.Rows {
			if row := &r.Rows[i]; row.Kept() {
				line("| %s | %s | %s |", code(row.RowID), codes(row.KeptOnlyA), codes(row.KeptOnlyB))
			}
		}
		line("")
	}
	if rest := r.Unflipped(); len(rest) > 0 {
		line("## What else differs\n\n| row | in |\n| --- | --- |")
		for i := range rest {
			line("| %s | %s |", code(rest[i].RowID), cell(strings.Join(rest[i].Ways(), ", ")))
		}
		line("")
	}
	if r.Sealed != "" {
		return out.String()
	}
	line("## Paired test between the runs\n\nSecondary figures: no protocol pins them. The difference is B's share of right answers minus A's.\n")
	line("| suite | policy | cases | both right | only A | only B | both wrong | difference | Newcombe | exact p |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, t := range r.Tests {
		m := t.McNemar
		line("| %s | %s | %d | %d | %d | %d | %d | %+.3f | [%+.3f, %+.3f] | %.4g |", t.Suite, cell(t.Policy), m.Pairs(), m.BothCorrect, m.OnlyFirstCorrect,
			m.OnlySecondCorrect, m.BothWrong, t.Newcombe.Difference, t.Newcombe.Lower, t.Newcombe.Upper, m.PValue)
	}
	return out.String()
}

// Others counts, in words, what differs besides facts, texts and grades, which
// are told on their own.
func (r *Result) Others() []string {
	var out []string
	for _, k := range Kinds() {
		if n := r.Number(k); n > 0 && !k.shown {
			out = append(out, fmt.Sprintf("%s %d", k.Words, n))
		}
	}
	return out
}

// Unflipped gives, beside a list of the flips, the other rows that differ in
// more than attempts or tokens.
func (r *Result) Unflipped() []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return row.Flipped() })
}

// Sentence gives the comparison in one line that can be quoted: what was
// compared, what differs, and the paired tests of both suites with their method.
func (r *Result) Sentence() string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	say("A %s against B %s", filepath.Base(r.PathA), filepath.Base(r.PathB))
	switch {
	case len(r.Changes) == 0:
		say(" (one protocol, %s)", r.ProtocolA)
	case r.Joined:
		say(" (joined across protocols: %s differ)", r.changed())
	default:
		say(": not joined, %s differ.", r.changed())
		return out.String()
	}
	kept, predictions, rightToWrong, wrongToRight := r.Count()
	say(": %d rows in both, other facts kept in %d, another text in %d", r.Common, kept, predictions)
	if r.Sealed != "" {
		say("; %s.", r.Sealed)
		return out.String()
	}
	say(", right to wrong %d, wrong to right %d", rightToWrong, wrongToRight)
	for _, t := range r.Tests {
		if t.Suite != figures.Overall { // a summary of this set of cases and no finding
			say("; %s, %s: B minus A %+.3f, %.4g %% Newcombe interval [%+.3f, %+.3f], exact McNemar p = %.4g", t.Suite, t.Policy, t.Newcombe.Difference,
				100*(1-t.Newcombe.Alpha), t.Newcombe.Lower, t.Newcombe.Upper, t.McNemar.PValue)
		}
	}
	say("; secondary figures, no protocol pins them.")
	return out.String()
}

// Across tells whether the rows were joined although the protocols differ.
func (r *Result) Across() bool { return r.Joined && len(r.Changes) > 0 }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// cell makes text safe inside a table.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ", "<", "&lt;").Replace(text)
}

// code marks text as code: a backtick would end it.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "\\|", "\n", " ", "\r", " ").Replace(text) + "`"
}

func codes(ids []string) string {
	if len(ids) == 0 {
		return "–"
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = code(id)
	}
	return strings.Join(out, ", ")
}
