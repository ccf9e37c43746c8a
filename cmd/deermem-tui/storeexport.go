package main

import (
	"fmt"
	"slices"

	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/export"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// sheet gives what was asked for of one agent: its facts, its audit or the
// comparison; the Store screen exports the same.
func (v *storeView) sheet(a *agentView) insight.Sheet {
	of := insight.Owner{User: a.user.ID, Agent: a.agent.Name}
	switch {
	case v.audit:
		return insight.AuditSheet(of, a.agent)
	case v.compare:
		return a.table.Compare(a.capacity).Sheet(of)
	}
	return a.table.Facts(of, a.capacity, a.found)
}

// printCSV prints the sheets of the chosen agents as one; warnings go to
// standard error.
func (v *storeView) printCSV(std stdio) error {
	v.warnAside(std)
	var all screen.Table
	for i := range v.chosen {
		one := v.sheet(&v.chosen[i])
		all.Name, all.Columns = one.Name, one.Columns
		all.Rows = append(all.Rows, one.Rows...)
	}
	data, err := export.Write(export.CSV, all)
	if err != nil {
		return err
	}
	_, err = std.out.Write(data)
	return err
}

// wide are the columns that a Markdown table leaves to the other forms.
var wide = []string{"user", "agent", "confidence_rank", "hybrid_rank", "created_at", "last_confirmed_at", "confirmations", "last_accessed_at", "accesses", "cap", "clock", "content"}

// printMarkdown prints the same as a table an agent, scores with three decimals.
func (v *storeView) printMarkdown(std stdio) error {
	v.warnAside(std)
	var lines []string
	for i := range v.chosen {
		a := &v.chosen[i]
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, "## "+export.Escape(a.name()), "",
			fmt.Sprintf("%s, cap %d (%s), at %s.", widget.Plural(len(a.agent.Facts), "fact"), a.capacity, a.source, v.at), "")
		data, err := export.Write(export.Markdown, narrow(v.sheet(a)))
		if err != nil {
			return err
		}
		lines = append(lines, string(data))
	}
	return printLines(std.out, lines...)
}

// narrow leaves wide columns out and writes numbers as people read them.
func narrow(sheet insight.Sheet) screen.Table {
	t := screen.Table{Name: sheet.Name}
	var shown []int
	for i, name := range sheet.Columns {
		if !slices.Contains(wide, name) {
			shown = append(shown, i)
			t.Columns = append(t.Columns, name)
		}
	}
	for _, row := range sheet.Rows {
		line := make([]any, len(shown))
		for at, i := range shown {
			line[at] = row[i]
			if x, ok := row[i].(float64); ok {
				line[at] = widget.Score(x)
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// warnAside prints the warnings where they are no part of the table.
func (v *storeView) warnAside(std stdio) {
	for _, line := range v.warningLines() {
		if line != "" {
			fmt.Fprintln(std.err, line)
		}
	}
}
