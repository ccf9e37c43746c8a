// The checks that need the run's protocol, and those that need its dataset too:
// whatever the protocol gives is made again and compared.

package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/pools"
)

func (g *checker) protocol() {
	if g.contracts == nil {
		found := "the protocol and dataset of the run are not at hand; give --protocol-dir DIR and --dataset FILE to compare its five hashes and requests"
		if g.Unused != "" {
			found += "; " + g.Unused + " was not looked at"
		}
		g.add(Protocol, NotRun, found)
		return
	}
	wrong := slices.Concat(g.pinned(), g.listed())
	if g.Study == nil {
		if len(wrong) > 0 {
			g.verdict(Protocol, "the dataset is not at hand", "", wrong)
			return
		}
		g.add(Protocol, NotRun, "its settings and cases are those of "+g.contracts.Config.ProtocolID+"; the dataset is not at hand, so no kept fact and no request was compared: give --dataset FILE")
		return
	}
	wrong = append(wrong, g.madeAgain()...)
	wrong = append(wrong, g.policyResults()...)
	g.verdict(Protocol, "", "the five hashes, every setting, kept fact and request are the protocol's", wrong)
}

// pinned compares the documents with what the protocol pins. When and where the
// run was begun is the run's own.
func (g *checker) pinned() []string {
	var wrong []string
	compare := func(name string, found, expected []byte) {
		for _, path := range differing(found, expected) {
			wrong = append(wrong, fmt.Sprintf("%s: %s is not the protocol's", name, path))
		}
	}
	if doc := g.Run.Doc; doc != nil {
		compare(report.QARunFile, doc.JSON(), pipeline.QARunDoc(g.contracts, doc.CreatedAt, doc.Git).JSON())
	}
	if data, err := g.Run.Dir.Read(report.RunFile); err == nil {
		want := pipeline.RunDoc(g.contracts, time.Time{}, nil).JSON()
		for _, path := range differing(data, want) {
			if path != "created_at" && !strings.HasPrefix(path, "git") {
				wrong = append(wrong, fmt.Sprintf("%s: %s is not the protocol's", report.RunFile, path))
			}
		}
	} else if !errors.Is(err, rundir.ErrMissing) {
		wrong = append(wrong, err.Error())
	}
	return wrong
}

// listed compares the cases of the rows with those that the manifests list,
// which needs no dataset.
func (g *checker) listed() []string {
	type group struct{ source, scenario string }
	cases := map[string]group{}
	for scenario, ids := range g.contracts.Official.Scenarios {
		for _, id := range ids {
			cases[id] = group{pools.Official, scenario}
		}
	}
	for _, guard := range g.contracts.Synthetic.Cases {
		cases[guard.CaseID] = group{pools.Synthetic, g.contracts.Synthetic.Scenario}
	}
	first, second := eviction.FromConfig(g.contracts.Config)
	var wrong []string
	for _, row := range g.Run.Rows {
		want, known := cases[row.CaseID]
		if row.Policy != first.Name && row.Policy != second.Name {
			wrong = append(wrong, fmt.Sprintf("row %s is of a policy that the protocol does not have", row.RowID))
		}
		if want.source == pools.Synthetic && row.QuestionType != pools.SyntheticType {
			wrong = append(wrong, fmt.Sprintf("row %s is not of the question type of synthetic cases", row.RowID))
		}
		switch {
		case !known:
			wrong = append(wrong, fmt.Sprintf("row %s is of a case that no manifest lists", row.RowID))
		case want != group{row.Source, row.Scenario}:
			wrong = append(wrong, fmt.Sprintf("row %s is not of the source and scenario that its manifest gives", row.RowID))
		}
	}
	return wrong
}

// gradeColumns are those that the check of the grades compares.
var gradeColumns = []string{"grade_correct", "grade_rule"}

// madeAgain makes every graded row again and names the columns that differ, but
// for the grade.
func (g *checker) madeAgain() []string {
	tasks, err := pipeline.Tasks(g.Study)
	if err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	for _, task := range tasks {
		row, ok := g.rowsOf[task.RowID]
		if !ok {
			continue // told by the check of the rows
		}
		again, err := pipeline.Graded(task, rundir.Row{Prediction: row.Prediction, ResponseModel: row.ResponseModel, Attempts: row.Attempts, Usage: row.Usage})
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		columns := slices.DeleteFunc(columnsOf(row, again), func(name string) bool { return slices.Contains(gradeColumns, name) })
		if len(columns) > 0 {
			wrong = append(wrong, fmt.Sprintf("row %s: the protocol gives another %s", row.RowID, strings.Join(columns, ", ")))
		}
	}
	return wrong
}

// policyResults makes the results of run-policy again, where the folder has them.
func (g *checker) policyResults() []string {
	found, err := g.Run.Dir.Read(report.PolicyRowsFile)
	summary, summaryErr := g.Run.Dir.Read(report.PolicySummaryFile)
	if errors.Is(err, rundir.ErrMissing) && errors.Is(summaryErr, rundir.ErrMissing) {
		return nil
	}
	rows, makeErr := pipeline.PolicyRows(context.Background(), g.Study, func(int, int) {})
	if makeErr != nil {
		return []string{makeErr.Error()}
	}
	var wrong []string
	for _, one := range []struct {
		name        string
		err         error
		found, want []byte
	}{
		{report.PolicyRowsFile, err, found, report.PolicyRows(rows)},
		{report.PolicySummaryFile, summaryErr, summary, report.PolicySummary(g.Study.Config.ProtocolID, rows)},
	} {
		switch {
		case errors.Is(one.err, rundir.ErrMissing):
		case one.err != nil:
			wrong = append(wrong, one.err.Error())
		case !bytes.Equal(one.found, one.want):
			wrong = append(wrong, one.name+" is not what the protocol gives"+firstLine(one.found, one.want))
		}
	}
	return wrong
}

// firstLine names the first line in which two files differ.
func firstLine(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Sprintf(": line %d", i+1)
		}
	}
	return fmt.Sprintf(": it has %d lines, not %d", len(x)-1, len(y)-1)
}

func (g *checker) grades() {
	if g.Study == nil {
		g.add(Grades, NotRun, "the reference answers are not at hand")
		return
	}
	var wrong []string
	answers := make(map[string]string, len(g.Study.Pools.Cases))
	for _, c := range g.Study.Pools.Cases {
		answers[c.ID] = c.Answer
	}
	for _, row := range g.Run.Rows {
		verdict, err := grading.Grade(row.Prediction, answers[row.CaseID])
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("row %s: %v", row.RowID, err))
		case verdict.Correct != row.Correct || string(verdict.Rule) != row.Rule:
			wrong = append(wrong, fmt.Sprintf("row %s: graded again it is another grade", row.RowID))
		}
	}
	g.verdict(Grades, "", "every row graded again: the same", wrong)
}
