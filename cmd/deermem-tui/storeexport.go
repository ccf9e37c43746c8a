package main

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"deermem-tui/ui/widget"
)

// columns are the columns of an export, the same in CSV and Markdown.
var columns = [...]string{
	"user", "agent", "id", "category", "confidence_score", "confidence_rank", "confidence_kept",
	"hybrid_score", "freshness", "heat", "hybrid_rank", "hybrid_kept", "hybrid_margin",
	"created_at", "last_confirmed_at", "confirmations", "last_accessed_at", "accesses", "title", "content",
}

// row gives a fact's columns, cleaned. A number keeps every digit. Heat is empty
// where none was ever measured.
func (a *agentView) row(i int) []string {
	f := &a.agent.Facts[i]
	confidence, hybrid := a.policies[0], a.policies[1]
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	margin, heat := "", ""
	if m, ok := hybrid.Margin(i); ok {
		margin = number(m)
	}
	if a.agent.UsageFound {
		heat = number(a.table.Hybrid[i].Heat)
	}
	row := []string{
		a.user.ID, a.agent.Name, f.ID, f.Category,
		number(a.table.Confidence[i].Value), strconv.Itoa(confidence.Rank[i]), strconv.FormatBool(confidence.Kept[i]),
		number(a.table.Hybrid[i].Value), number(a.table.Hybrid[i].Freshness), heat,
		strconv.Itoa(hybrid.Rank[i]), strconv.FormatBool(hybrid.Kept[i]), margin,
		f.CreatedAt, f.LastConfirmedAt, strconv.FormatInt(f.ConfirmationCount, 10), f.LastAccessed, strconv.FormatInt(f.AccessCount, 10),
		f.Title, f.Content,
	}
	for at := range row {
		row[at] = widget.Clean(row[at])
	}
	return row
}

// printCSV prints the facts of the chosen agents; warnings go to standard error.
func (v *storeView) printCSV(std stdio) error {
	v.warnAside(std)
	w := csv.NewWriter(std.out)
	if err := w.Write(columns[:]); err != nil {
		return err
	}
	for i := range v.chosen {
		for _, fact := range v.chosen[i].found {
			row := v.chosen[i].row(fact)
			for at := range row {
				row[at] = plainCell(row[at])
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

// plainCell keeps a spreadsheet from taking a text for a formula: an apostrophe
// goes before a first character that begins one. Numbers stay numbers.
func plainCell(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// printMarkdown prints the same as a table an agent.
func (v *storeView) printMarkdown(std stdio) error {
	v.warnAside(std)
	shown := [...]int{2, 3, 4, 6, 7, 8, 9, 11, 12, 18} // of the columns: the content is left to the others
	var lines []string
	for i := range v.chosen {
		a := &v.chosen[i]
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, "## "+markdownText(a.name()), "",
			fmt.Sprintf("%s, cap %d (%s), at %s.", widget.Plural(len(a.agent.Facts), "fact"), a.capacity, a.source, v.at), "")
		head, rule := "|", "|"
		for _, at := range shown {
			head += " " + columns[at] + " |"
			rule += " --- |"
		}
		lines = append(lines, head, rule)
		for _, fact := range a.found {
			row, line := a.row(fact), "|"
			for _, at := range shown {
				cell := row[at]
				if x, err := strconv.ParseFloat(cell, 64); err == nil && at > 3 && at < 13 {
					cell = widget.Score(x)
				}
				line += " " + markdownText(cell) + " |"
			}
			lines = append(lines, line)
		}
	}
	return printLines(std.out, lines...)
}

// markdownText keeps a text from being taken for marks or for HTML.
func markdownText(s string) string {
	var out strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>#|!~", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// warnAside prints the warnings where they are no part of the table.
func (v *storeView) warnAside(std stdio) {
	for _, line := range v.warningLines() {
		if line != "" {
			fmt.Fprintln(std.err, line)
		}
	}
}
