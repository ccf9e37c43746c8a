// What a graded folder states, against what its answers give: the screens show
// the figures that were computed, and must tell where the files say otherwise.

package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/identity"
)

// DifferWarning stands with every figure of a run whose stored grades are not
// those its answers give.
const DifferWarning = "the stored files differ from the recomputed figures: see Study"

// ErrGone is a run folder that was there and no longer is; test with errors.Is.
var ErrGone = errors.New("the run folder is gone: it was moved or removed while it was open; what is shown was read before. Bring it back, or open another run")

// storedChecks compares the three files of the grades, byte for byte, with
// what grading the answers again gives.
func storedChecks(st *study.Study, dir *rundir.Dir, graded pipeline.GradeResult) []study.Check {
	var checks []study.Check
	for _, f := range []struct {
		name, file string
		want       []byte
	}{
		{"stored rows", report.QARowsFile, report.QARows(graded.Rows)},
		{"stored summary", report.QASummaryFile, report.QASummary(st.Config.ProtocolID, grading.Version, st.Config.Pool.QACapacity, graded.Rows)},
		{"stored statistics", report.QAStatsFile, graded.Stats.JSON()},
	} {
		check := study.Check{Name: f.name, State: study.Passed, Expected: identity.Hash(f.want)}
		found, err := dir.Read(f.file)
		switch {
		case errors.Is(err, rundir.ErrMissing):
			check.State, check.Found = study.Failed, f.file+" is missing"
		case err != nil:
			check.State, check.Found = study.Failed, err.Error()
		case !bytes.Equal(found, f.want):
			check.State = study.Failed
			check.Found = fmt.Sprintf("%s: line %d of %s is not what the answers give", identity.Hash(found), firstLine(found, f.want), f.file)
		default:
			check.Found = "computed again from the answers: equal"
		}
		checks = append(checks, check)
	}
	return checks
}

// firstLine is the first line, from 1, in which two texts differ.
func firstLine(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}

// withChecks adds checks to the study's own, and the warning to every suite
// where one of them failed.
func withChecks(own, more []study.Check, f *figures.Figures) []study.Check {
	if f != nil && slices.ContainsFunc(more, func(c study.Check) bool { return c.State == study.Failed }) {
		for i := range f.Suites {
			f.Suites[i].Notes = append(f.Suites[i].Notes, DifferWarning)
		}
	}
	return append(slices.Clone(own), more...)
}
