// The checks of what the folder holds: rows, answers, hashes and figures.

package gate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/runs"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

func (g *checker) rows() {
	var wrong []string
	if err := g.Run.BookErr; err != nil {
		wrong = append(wrong, err.Error())
	}
	want := runs.Needed
	if g.Study != nil {
		want = len(g.Study.Pools.Cases) * len(g.Study.Policies)
		have := map[string]bool{}
		for _, row := range g.Run.Rows {
			have[row.RowID] = true
		}
		for _, c := range g.Study.Pools.Cases {
			for _, p := range g.Study.Policies {
				if id := rundir.RowID(c.ID, p.Name); !have[id] {
					wrong = append(wrong, "missing: "+id)
				}
			}
		}
	}
	if len(g.Run.Rows) != want && len(wrong) == 0 {
		wrong = append(wrong, fmt.Sprintf("a whole run has %d rows", want))
	}
	g.verdict(Rows, fmt.Sprintf("%d rows of %d", len(g.Run.Rows), want), wrong)
}

func (g *checker) answers() {
	var open []string
	for _, row := range g.Run.Undecided() {
		if !g.reviewed(row.RowID) { // a verdict on the very row is a decision too
			open = append(open, fmt.Sprintf("%s is %s and nobody decided on it: call it again, accept it (grade-qa --accept), or review it", row.RowID, row.State))
		}
	}
	found := "every row is answered"
	if len(g.Run.Answers) == 0 {
		found += ", as far as the texts tell: the files of the answers are not published"
	}
	if taken := g.Run.Taken(); len(taken) > 0 {
		var ids []string
		for _, t := range taken {
			ids = append(ids, fmt.Sprintf("%s (%s)", t.RowID, t.State))
		}
		found = "answered or decided; taken as they are: " + strings.Join(ids, ", ")
	}
	if len(open) > 0 {
		g.add(Answers, Missing, fmt.Sprintf("%d of %d rows are no plain answers and undecided", len(open), len(g.Run.Rows)), open...)
		return
	}
	g.add(Answers, Passed, found)
}

// reviewed tells whether a standing verdict covers a row.
func (g *checker) reviewed(rowID string) bool {
	if g.Queue == nil {
		return false
	}
	s := review.Stand(g.Queue, g.Ledger)
	for i := range s.Items {
		for _, row := range s.Items[i].Rows {
			if row.RowID == rowID {
				return s.Items[i].Reviewed()
			}
		}
	}
	return false
}

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
		answer, ok := run.Answers[row.RowID]
		if len(run.Answers) == 0 {
			continue
		}
		say(!ok, "row %s has no answer file", row.RowID)
		say(ok && (answer.Prediction != row.Prediction || answer.RequestFingerprint != row.RequestFingerprint || !slices.Equal(answer.KeptFactIDs, row.KeptFactIDs)),
			"row %s is not its answer file", row.RowID)
	}
	g.verdict(Hashes, "the folder's documents and rows agree with one another", wrong)
}

func (g *checker) protocol() {
	if g.Study == nil {
		g.add(Protocol, NotRun, "the protocol and dataset of the run are not at hand; give --protocol-dir DIR and --dataset FILE to compare its five hashes and requests")
		return
	}
	var wrong []string
	if g.Run.Doc != nil {
		for _, c := range rundir.Changes(g.Run.Doc.Artifacts, g.Study.Identity) {
			wrong = append(wrong, "another "+c.What)
		}
	}
	tasks, err := pipeline.Tasks(g.Study)
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	for _, task := range tasks {
		if row, ok := g.Run.Row(task.RowID); ok {
			stored := rundir.Row{RowID: row.RowID, CaseID: row.CaseID, Source: row.Source, Scenario: row.Scenario, Policy: row.Policy,
				Capacity: row.Capacity, KeptFactIDs: row.KeptFactIDs, RequestFingerprint: row.RequestFingerprint}
			if err := stored.Matches(task.Task); err != nil {
				wrong = append(wrong, err.Error())
			}
		}
	}
	g.verdict(Protocol, "the five hashes, every kept fact and every request are the protocol's", wrong)
}

func (g *checker) grades() {
	if g.Study == nil {
		g.add(Grades, NotRun, "the reference answers are not at hand")
		return
	}
	var wrong []string
	answers := answersOf(g.Study)
	for _, row := range g.Run.Rows {
		verdict, err := grading.Grade(row.Prediction, answers[row.CaseID])
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("row %s: %v", row.RowID, err))
		case verdict.Correct != row.Correct || string(verdict.Rule) != row.Rule:
			wrong = append(wrong, fmt.Sprintf("row %s: graded again it is another grade", row.RowID))
		}
	}
	g.verdict(Grades, "every row graded again: the same", wrong)
}

func answersOf(s *study.Study) map[string]string {
	out := make(map[string]string, len(s.Pools.Cases))
	for _, c := range s.Pools.Cases {
		out[c.ID] = c.Answer
	}
	return out
}

// statistics compares what the documents state with what the rows give.
func (g *checker) statistics() {
	var wrong []string
	switch {
	case g.Run.Stats == nil:
		wrong = append(wrong, report.QAStatsFile+" is missing or damaged")
	case g.Run.Book != nil:
		for _, check := range g.Run.Book.Checks {
			if strings.HasPrefix(check.Name, "statistics ") && check.State == study.Failed {
				wrong = append(wrong, strings.TrimPrefix(check.Name, "statistics ")+": "+check.Found)
			}
		}
		pinned := g.Run.Stats.Official.Bootstrap
		for _, s := range []report.Suite{g.Run.Stats.Synthetic, g.Run.Stats.Overall} {
			if b := s.Bootstrap; b.Alpha != pinned.Alpha || b.Iterations != pinned.Iterations || b.Seed.Cmp(pinned.Seed) != 0 {
				wrong = append(wrong, "the suites are not drawn alike")
				break
			}
		}
		if g.Study != nil {
			if o := g.Study.BootstrapOptions(); pinned.Alpha != o.Alpha || pinned.Iterations != o.Iterations || pinned.Seed.Cmp(o.Seed) != 0 {
				wrong = append(wrong, "the bootstrap is not the one that the protocol pins")
			}
		}
	}
	switch doc := g.Run.Doc; {
	case g.Run.Summary == nil:
		wrong = append(wrong, report.QASummaryFile+" is missing or damaged")
	case doc != nil && !bytes.Equal(g.Run.Summary, report.QASummary(doc.ProtocolID, doc.QA.GraderVersion, doc.QA.Capacity, g.Run.Rows)):
		wrong = append(wrong, report.QASummaryFile+" is not what the rows give")
	}
	if g.Run.Book == nil {
		wrong = append(wrong, "the rows form no pairs")
	}
	g.verdict(Statistics, "computed again from the rows: equal to the last bit", wrong)
}

func (g *checker) suites() {
	var wrong []string
	cases := map[string]map[string]bool{pools.Official: {}, pools.Synthetic: {}}
	for _, row := range g.Run.Rows {
		if known := cases[row.Source]; known != nil {
			known[row.CaseID] = true
		} else {
			wrong = append(wrong, fmt.Sprintf("row %s is of source %q", row.RowID, row.Source))
		}
	}
	official, synthetic := len(cases[pools.Official]), len(cases[pools.Synthetic])
	if s := g.Run.Stats; s != nil && (s.Official.Cases != official || s.Synthetic.Cases != synthetic || s.Overall.Cases != official+synthetic) {
		wrong = append(wrong, fmt.Sprintf("%s states %d, %d and %d cases", report.QAStatsFile, s.Official.Cases, s.Synthetic.Cases, s.Overall.Cases))
	}
	if official == 0 || synthetic == 0 {
		wrong = append(wrong, "one of the suites has no case")
	}
	g.verdict(Suites, fmt.Sprintf("official %d cases, synthetic %d, no case in both", official, synthetic), wrong)
}

func (g *checker) noiseFloor() {
	if g.Run.Book == nil || g.Run.Book.Figures == nil {
		g.add(NoiseFloor, Failed, "it cannot be computed: the figures are missing")
		return
	}
	overall, ok := g.Run.Book.Figures.Find(figures.Overall)
	if !ok {
		g.add(NoiseFloor, Failed, "it cannot be computed: there is no suite")
		return
	}
	floor := overall.NoiseFloor
	if floor.Pairs == 0 {
		g.add(NoiseFloor, Noted, "no pair has byte-identical requests, so the floor is unknown; say so where figures are shown")
		return
	}
	found := fmt.Sprintf("%d pairs with byte-identical requests: %d texts differ, %d grades flip", floor.Pairs, floor.TextsDiffer, floor.GradesFlip)
	if len(floor.FlippedKeys) > 0 {
		g.add(NoiseFloor, Noted, found, floor.FlippedKeys...)
		return
	}
	g.add(NoiseFloor, Passed, found)
}

func (g *checker) model() {
	var models []string
	for _, row := range g.Run.Rows {
		name := "not told"
		if row.ResponseModel != nil {
			name = *row.ResponseModel
		}
		if !slices.Contains(models, name) {
			models = append(models, name)
		}
	}
	slices.Sort(models)
	found := strings.Join(models, ", ")
	if len(models) > 1 {
		g.add(Model, Noted, found, "the rows were answered by several models; say so where figures are shown")
		return
	}
	g.add(Model, Passed, found)
}

func (g *checker) looks() {
	if len(g.Run.Looks) == 0 {
		g.add(Looks, Passed, "none is recorded")
		return
	}
	var details []string
	for _, look := range g.Run.Looks {
		details = append(details, fmt.Sprintf("%s at %d of %d rows", look.At, look.Rows, look.Of))
	}
	g.add(Looks, Noted, count(len(details), "look")+" is part of the result; say so where figures are shown", details...)
}
