package main

import (
	"fmt"
	"io"
	"strings"

	"deermem-tui/engine/casebook"
)

// listCases prints every case with whether each policy keeps its support fact
// at the protocol's capacities.
func listCases(w io.Writer, b *casebook.Book, asJSON bool) error {
	if asJSON {
		return printJSON(w, casesDoc(b))
	}
	width := len("case")
	for _, e := range b.Entries {
		width = max(width, len(e.Case.ID))
	}
	var capacities []string
	for _, capacity := range b.Capacities {
		capacities = append(capacities, fmt.Sprint(capacity))
	}
	lines := []string{fmt.Sprintf("%-*s  %-20s  support kept at capacities %s", width, "case", "scenario", strings.Join(capacities, ", "))}
	for _, e := range b.Entries {
		var kept []string
		for _, policy := range b.Policies {
			kept = append(kept, policy.Name+" "+keptAt(b, e, policy.Name))
		}
		lines = append(lines, fmt.Sprintf("%-*s  %-20s  %s", width, e.Case.ID, e.Case.Scenario, strings.Join(kept, ", ")))
	}
	return printLines(w, lines...)
}

// keptAt names the capacities at which a policy keeps a case's support fact.
func keptAt(b *casebook.Book, e casebook.Entry, policy string) string {
	var at []string
	for _, capacity := range b.Capacities {
		if e.Cells[casebook.CellKey{Policy: policy, Capacity: capacity}].SupportRetained {
			at = append(at, fmt.Sprint(capacity))
		}
	}
	if len(at) == 0 {
		return "-"
	}
	return strings.Join(at, " ")
}

func casesDoc(b *casebook.Book) any {
	type cell struct {
		Policy   string `json:"policy"`
		Capacity int    `json:"capacity"`
		Retained bool   `json:"support_all_retained"`
	}
	type entry struct {
		Case     string `json:"case_id"`
		Scenario string `json:"scenario"`
		Source   string `json:"source"`
		LossRank int    `json:"loss_rank"`
		Cells    []cell `json:"cells"`
	}
	var entries []entry
	for _, e := range b.Entries {
		one := entry{Case: e.Case.ID, Scenario: e.Case.Scenario, Source: e.Case.Source, LossRank: e.Case.LossRank}
		for _, capacity := range b.Capacities {
			for _, policy := range b.Policies {
				retained := e.Cells[casebook.CellKey{Policy: policy.Name, Capacity: capacity}].SupportRetained
				one.Cells = append(one.Cells, cell{policy.Name, capacity, retained})
			}
		}
		entries = append(entries, one)
	}
	return map[string]any{"protocol_id": b.Protocol, "cases": entries}
}
