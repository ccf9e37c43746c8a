// A table that draws only the rows in its window, so that its cost does not
// grow with their number.
package widget

import (
	"strconv"
	"strings"

	"deermem-tui/ui/theme"
)

// Column is one column of a table.
type Column struct {
	Title string
	Width int  // cells; the least width of a flexible column
	Flex  bool // takes what is left over, shared among the flexible ones
	Right bool // aligned right
	Rank  int  // 0 always shown; higher ranks are dropped first when space is short
}

// Table draws rows that a callback writes.
type Table struct {
	List
	Columns []Column
	// Cells writes row i, a text for every column; styles are allowed, widths
	// are the table's business.
	Cells func(i int, out []string)
	Empty string // shown when there is no row
	Plain bool   // no mark for the selected row: nothing to select
	Head  bool   // draw the titles
	gap   int

	widths []int // of the shown columns, 0 for hidden; made by layout
	laidW  int
	cells  []string
}

// mark is the room for the mark of the selected row.
const mark = 2

// Resize lays the table out for w×h cells, titles included.
func (t *Table) Resize(w, h int) {
	if t.Head {
		h--
	}
	t.Set(t.Len, h)
	t.layout(w)
}

func (t *Table) layout(w int) {
	t.gap, t.laidW = 2, w
	room := w
	if !t.Plain {
		room -= mark
	}
	t.widths = make([]int, len(t.Columns))
	t.cells = make([]string, len(t.Columns))
	worst := 0
	for _, c := range t.Columns {
		worst = max(worst, c.Rank)
	}
	for limit := worst; limit >= 0; limit-- {
		used, flexible := -t.gap, 0
		for i, c := range t.Columns {
			t.widths[i] = 0
			if c.Rank > limit {
				continue
			}
			t.widths[i] = c.Width
			used += c.Width + t.gap
			if c.Flex {
				flexible++
			}
		}
		if used > room && limit > 0 {
			continue
		}
		spare := room - used
		for i, c := range t.Columns {
			if c.Flex && t.widths[i] > 0 && spare > 0 {
				part := spare / flexible
				t.widths[i] += part
				spare -= part
				flexible--
			}
		}
		return
	}
}

// View draws the table: exactly the height given to Resize.
func (t *Table) View(th *theme.Theme, focus bool) []string {
	lines := make([]string, 0, t.Rows+1)
	if t.Head {
		for i, c := range t.Columns {
			t.cells[i] = c.Title
		}
		lines = append(lines, th.Dim.Render(t.line(th, " ")))
	}
	if t.Len == 0 && t.Empty != "" && t.Rows > 0 {
		lines = append(lines, Fit("  "+t.Empty, t.laidW, th.Sign.More))
	}
	from, to := t.Visible()
	for i := from; i < to; i++ {
		clear(t.cells)
		t.Cells(i, t.cells)
		if i != t.Cursor || t.Plain {
			lines = append(lines, t.line(th, " "))
			continue
		}
		row := t.line(th, th.Sign.Select)
		if focus {
			lines = append(lines, th.Selected.Over(row))
		} else {
			lines = append(lines, th.SelectedIdle.Over(row))
		}
	}
	for len(lines) < t.Rows+boolInt(t.Head) {
		lines = append(lines, Spaces(t.laidW))
	}
	return lines[:max(t.Rows, 0)+boolInt(t.Head)]
}

func (t *Table) line(th *theme.Theme, sign string) string {
	var out strings.Builder
	if !t.Plain {
		out.WriteString(sign)
		out.WriteByte(' ')
	}
	first := true
	for i, c := range t.Columns {
		w := t.widths[i]
		if w == 0 {
			continue
		}
		if !first {
			out.WriteString(Spaces(t.gap))
		}
		first = false
		if c.Right {
			out.WriteString(FitRight(t.cells[i], w, th.Sign.More))
		} else {
			out.WriteString(Fit(t.cells[i], w, th.Sign.More))
		}
	}
	return Fit(out.String(), t.laidW, th.Sign.More)
}

// Position tells which rows of how many are seen: "3/45"; empty when all are.
func (t *Table) Position() string {
	if t.Len <= t.Rows {
		return ""
	}
	return strconv.Itoa(t.Cursor+1) + "/" + strconv.Itoa(t.Len)
}

// RowAt gives the row drawn at line y of the view.
func (t *Table) RowAt(y int) (int, bool) {
	if t.Head {
		y--
	}
	from, to := t.Visible()
	return from + y, y >= 0 && from+y < to
}

// Shown tells whether there is room for a column.
func (t *Table) Shown(i int) bool { return i >= 0 && i < len(t.widths) && t.widths[i] > 0 }

// ColumnAt gives the column drawn at column x of the view.
func (t *Table) ColumnAt(x int) (int, bool) {
	at := 0
	if !t.Plain {
		at = mark
	}
	for i, w := range t.widths {
		if w == 0 {
			continue
		}
		if x >= at && x < at+w {
			return i, true
		}
		at += w + t.gap
	}
	return 0, false
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
