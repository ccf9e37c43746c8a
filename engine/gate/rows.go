// The check that every row is there, once, as a grading writes it.

package gate

import (
	"bytes"
	"fmt"
	"slices"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/runs"
)

func (g *checker) rows() {
	var wrong []string
	if err := g.Run.BookErr; err != nil {
		wrong = append(wrong, err.Error())
	}
	want := runs.Needed
	if g.Study != nil {
		want = len(g.Study.Pools.Cases) * len(g.Study.Policies)
		known := map[string]bool{}
		for _, c := range g.Study.Pools.Cases {
			for _, p := range g.Study.Policies {
				id := rundir.RowID(c.ID, p.Name)
				known[id] = true
				if _, have := g.rowsOf[id]; !have {
					wrong = append(wrong, "missing: "+id)
				}
			}
		}
		for _, row := range g.Run.Rows {
			if !known[row.RowID] {
				wrong = append(wrong, row.RowID+" is no row of the protocol")
			}
		}
	}
	if len(g.Run.Rows) != want && len(wrong) == 0 {
		wrong = append(wrong, fmt.Sprintf("a whole run has %d rows", want))
	}
	g.verdict(Rows, fmt.Sprintf("%d rows of %d", len(g.Run.Rows), want), "", append(wrong, g.rowsAsWritten()...))
}

// rowsAsWritten compares the bytes of the rows with those that their values are
// written as: a key that stands twice is one thing to us and another to the
// next reader, and rows in another order are another file.
func (g *checker) rowsAsWritten() []string {
	data, err := g.Run.Dir.Read(report.QARowsFile)
	if err != nil {
		return []string{err.Error()}
	}
	if bytes.Equal(data, report.QARows(g.Run.Rows)) {
		return nil
	}
	wrong := linesAsWritten(report.QARowsFile, data)
	if !slices.IsSortedFunc(g.Run.Rows, func(a, b report.GradedRow) int { return bytes.Compare([]byte(a.RowID), []byte(b.RowID)) }) {
		wrong = append(wrong, report.QARowsFile+" is not in the order of the row IDs")
	}
	if len(wrong) == 0 {
		wrong = append(wrong, report.QARowsFile+" is not written as a grading writes it")
	}
	return wrong
}
