// The checks that the folder holds still: nobody writes it, and nothing changed
// while it was checked.

package gate

import (
	"fmt"
	"os"
	"path/filepath"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/identity"
)

// quiet looks for a writer. What a run holds while it is written may be gone or
// another in a moment.
func (g *checker) quiet() {
	dir := g.Run.Dir
	if who, busy := dir.Writing(); busy {
		g.add(Quiet, Missing, "somebody writes the folder", (&rundir.LockedError{Dir: dir.Path(), Writer: who}).Error())
		return
	}
	if _, err := os.Lstat(filepath.Join(dir.Path(), rundir.LockFile)); err == nil {
		g.add(Quiet, Missing, "a writer was killed before it ended",
			fmt.Sprintf("%s was left: start again what wrote there, which takes the lock away at its end, or remove the file once you know that the run is whole", rundir.LockFile))
		return
	}
	g.add(Quiet, Passed, "no process writes the folder")
}

// unchanged tells, at the end, that the rows are those that were checked.
func (g *checker) unchanged() {
	data, err := g.Run.Dir.Read(report.QARowsFile)
	if err == nil && identity.Hash(data) == g.Run.RowsHash {
		return
	}
	for i := range g.result.Checks {
		if c := &g.result.Checks[i]; c.Name == Quiet {
			c.State, c.Found = Failed, report.QARowsFile+" changed while it was checked"
			c.Details = append(c.Details, "check again once nobody writes there")
		}
	}
}
