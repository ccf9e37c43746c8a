// The check that the documents of the folder, its rows and its answers agree
// with one another, and with the protocol that they name.

package gate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

func (g *checker) hashes() {
	run := g.Run
	if run.Doc == nil {
		g.add(Hashes, Failed, report.QARunFile+" is missing or damaged, so nothing binds the rows to a protocol", run.Problems...)
		return
	}
	wrong := slices.Clone(run.Problems)
	say := func(when bool, format string, args ...any) {
		if when {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	doc := run.Doc
	say(doc.Dataset.SHA256 != doc.Artifacts.Dataset, "%s states two hashes of the dataset", report.QARunFile)
	if run.Policy != nil {
		for _, c := range rundir.Changes(run.Policy.Hashes, doc.Artifacts) {
			say(true, "%s and %s state another %s", report.RunFile, report.QARunFile, c.What)
		}
		say(run.Policy.ProtocolID != doc.ProtocolID, "%s and %s state another protocol ID", report.RunFile, report.QARunFile)
	}
	if run.Stats != nil {
		say(run.Stats.ProtocolID != doc.ProtocolID, "%s states another protocol ID", report.QAStatsFile)
		say(run.Stats.GraderVersion != doc.QA.GraderVersion, "%s states another grader", report.QAStatsFile)
	}
	for _, row := range run.Rows {
		say(row.GraderVersion != doc.QA.GraderVersion, "row %s was graded by %s", row.RowID, row.GraderVersion)
		say(row.Capacity != doc.QA.Capacity, "row %s is of capacity %d", row.RowID, row.Capacity)
	}
	wrong = append(wrong, g.misnamed()...)
	wrong = append(wrong, g.documentsAsWritten()...)
	wrong = append(wrong, g.answerFiles()...)
	wrong = append(wrong, g.cells()...)
	wrong = append(wrong, g.states()...)
	g.verdict(Hashes, "", "the folder's documents and rows agree with one another", wrong)
}

// misnamed tells a run that has the name of a protocol this program brings, and
// not its hashes: whoever changes one hash would otherwise be rid of every check
// that needs the protocol.
func (g *checker) misnamed() []string {
	doc := g.Run.Doc
	i := slices.IndexFunc(g.Shipped, func(c *study.Contracts) bool { return c.Config.ProtocolID == doc.ProtocolID })
	if i < 0 {
		return nil
	}
	var wrong []string
	for _, c := range rundir.Changes(doc.Artifacts, g.Shipped[i].Identity) {
		wrong = append(wrong, fmt.Sprintf("%s states the protocol %s, but not its %s", report.QARunFile, doc.ProtocolID, c.What))
	}
	return wrong
}

// documentsAsWritten looks for documents that say more than one thing.
func (g *checker) documentsAsWritten() []string {
	var wrong []string
	for _, name := range []string{report.RunFile, report.PolicySummaryFile, report.QARunFile, report.QAStatsFile, report.QASummaryFile} {
		data, err := g.Run.Dir.Read(name)
		if errors.Is(err, rundir.ErrMissing) {
			continue // told where it has to be there
		}
		if err == nil {
			err = asWritten(data)
		}
		again, read := g.again()[name]
		if err == nil && read && !bytes.Equal(data, again) {
			err = errRewritten // as {"dirty": false} beside no commit, which no stage writes
		}
		if err != nil {
			wrong = append(wrong, name+": "+err.Error())
		}
	}
	if data, err := g.Run.Dir.Read(report.PolicyRowsFile); err == nil { // else it is told where it was read
		wrong = append(wrong, linesAsWritten(report.PolicyRowsFile, data)...)
	}
	return wrong
}

// again gives the documents that were read, as they are written.
func (g *checker) again() map[string][]byte {
	out := map[string][]byte{}
	if g.Run.Doc != nil {
		out[report.QARunFile] = g.Run.Doc.JSON()
	}
	if g.Run.Stats != nil {
		out[report.QAStatsFile] = g.Run.Stats.JSON()
	}
	return out
}

// cells compares what run-policy found with what the graded rows say, at the
// capacity of the answers.
func (g *checker) cells() []string {
	var wrong []string
	for _, cell := range g.Run.Cells {
		row, ok := g.rowsOf[rundir.RowID(cell.CaseID, cell.Policy)]
		if ok && row.Capacity == cell.Capacity && row.SupportRetained != cell.Retained {
			wrong = append(wrong, fmt.Sprintf("%s and row %s differ on whether the support was kept", report.PolicyRowsFile, row.RowID))
		}
	}
	return wrong
}
