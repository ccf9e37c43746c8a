// Package export writes the table of a screen as CSV, JSON or Markdown. It
// turns values into bytes; package ui writes them to disk.
package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"deermem-tui/engine/safetext"
	"deermem-tui/ui/screen"
)

// Format is a way of writing a table.
type Format string

// The formats; each is the ending of its file's name too.
const (
	CSV      Format = "csv"
	JSON     Format = "json"
	Markdown Format = "md"
)

// Formats gives all of them in the order they are offered.
func Formats() []Format { return []Format{CSV, JSON, Markdown} }

// Title is the format's name.
func (f Format) Title() string {
	return map[Format]string{CSV: "CSV", JSON: "JSON", Markdown: "Markdown"}[f]
}

// Write gives the table in a format. It fails on a format that does not exist
// and on a row that is not as long as the columns.
func Write(f Format, t screen.Table) ([]byte, error) {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return nil, fmt.Errorf("export %s: row %d has %d values for %d columns", t.Name, i+1, len(row), len(t.Columns))
		}
	}
	switch f {
	case CSV:
		return writeCSV(t)
	case JSON:
		return writeJSON(t)
	case Markdown:
		return writeMarkdown(t), nil
	}
	return nil, fmt.Errorf("export: format %q does not exist; use csv, json or md", f)
}

// Line gives one row as text: its values parted by tabs.
func Line(t screen.Table, row int) string {
	if row < 0 || row >= len(t.Rows) {
		return ""
	}
	parts := make([]string, len(t.Rows[row]))
	for i, v := range t.Rows[row] {
		parts[i] = strings.Join(strings.Fields(safetext.Plain(text(v))), " ")
	}
	return strings.Join(parts, "\t")
}

// text writes a value as reports do; none is empty.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// writeCSV follows RFC 4180 with line feeds. A text that a spreadsheet would
// take for a formula begins with an apostrophe.
func writeCSV(t screen.Table) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	line := make([]string, len(t.Columns))
	write := func(cell func(i int) string) error {
		for i := range line {
			line[i] = cell(i)
		}
		return w.Write(line)
	}
	if err := write(func(i int) string { return safetext.Cell(t.Columns[i]) }); err != nil {
		return nil, err
	}
	for _, row := range t.Rows {
		err := write(func(i int) string {
			if s, ok := row[i].(string); ok {
				return safetext.Cell(s)
			}
			return text(row[i])
		})
		if err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// writeJSON gives a list of objects, their members in the order of the columns.
func writeJSON(t screen.Table) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("[")
	for i, row := range t.Rows {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n  {")
		for c, v := range row {
			if c > 0 {
				out.WriteString(", ")
			}
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				v = nil
			}
			name, err := encode(t.Columns[c])
			if err != nil {
				return nil, err
			}
			value, err := encode(v)
			if err != nil {
				return nil, fmt.Errorf("export %s: row %d, %s: %w", t.Name, i+1, t.Columns[c], err)
			}
			out.Write(name)
			out.WriteString(": ")
			out.Write(value)
		}
		out.WriteString("}")
	}
	if len(t.Rows) > 0 {
		out.WriteString("\n")
	}
	out.WriteString("]\n")
	return out.Bytes(), nil
}

func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// writeMarkdown gives a table in GitHub's form.
func writeMarkdown(t screen.Table) []byte {
	var out bytes.Buffer
	line := func(cell func(i int) string) {
		out.WriteString("|")
		for i := range t.Columns {
			out.WriteString(" " + cell(i) + " |")
		}
		out.WriteString("\n")
	}
	line(func(i int) string { return Escape(t.Columns[i]) })
	line(func(i int) string {
		if numeric(t, i) {
			return "---:"
		}
		return "---"
	})
	for _, row := range t.Rows {
		line(func(i int) string { return Escape(text(row[i])) })
	}
	return out.Bytes()
}

// numeric tells whether a column holds numbers alone.
func numeric(t screen.Table, column int) bool {
	found := false
	for _, row := range t.Rows {
		switch row[column].(type) {
		case nil:
		case int, int64, float64:
			found = true
		default:
			return false
		}
	}
	return found
}

var markdownSigns = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "\n", "<br>")

// Escape gives a text that is text in Markdown, and nothing else.
func Escape(s string) string { return markdownSigns.Replace(safetext.Plain(s)) }
