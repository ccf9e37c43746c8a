package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
)

// GradeResult is what grade-qa did.
type GradeResult struct {
	Rows   []report.GradedRow // sorted by row ID
	Stats  report.StatsDoc
	Suites []stats.Suite  // official, synthetic, overall
	Doubts []Doubt        // rows that are no plain answers, all of them accepted
	Looks  []Look         // at grades before the end
	Models map[string]int // rows by the model that answered them; "" where it was not told
	Dir    string
}

// Remarks are what has to be told with the results; none for a plain run.
func (r GradeResult) Remarks() []string {
	var out []string
	if len(r.Doubts) > 0 {
		counts := map[outcome.State]int{}
		for _, d := range r.Doubts {
			counts[d.State]++
		}
		out = append(out, fmt.Sprintf("%d of %d rows are no plain answers and were accepted: %s", len(r.Doubts), len(r.Rows), outcome.Tally(counts)))
	}
	for _, l := range r.Looks {
		out = append(out, fmt.Sprintf("grades were looked at before the end: %s, at %d of %d rows", l.At, l.Rows, l.Of))
	}
	return out
}

// Lines are the lines that end grade-qa.
func (r GradeResult) Lines() []string { return report.GradeLines(r.Stats, len(r.Rows), r.Dir) }

// RowsError is a run folder whose rows do not make up the whole run.
type RowsError struct {
	Dir      string
	Missing  []string // row IDs without a file
	Unusable []error  // rows that are there and cannot be used
}

func (e *RowsError) Error() string {
	text := fmt.Sprintf("run folder %s is not complete: %d rows missing, %d unusable; run run-qa on it first",
		e.Dir, len(e.Missing), len(e.Unusable))
	if len(e.Missing) > 0 {
		text += "\nmissing: " + strings.Join(firstOf(e.Missing), ", ")
	}
	for _, problem := range firstOf(texts(e.Unusable)) {
		text += "\nunusable: " + problem
	}
	return text
}

// namedRows is how many rows a message names.
const namedRows = 10

// firstOf gives the first of the names, and how many more there are.
func firstOf(names []string) []string {
	if len(names) <= namedRows {
		return names
	}
	return append(slices.Clone(names[:namedRows]), fmt.Sprintf("and %d more", len(names)-namedRows))
}

func texts(errs []error) []string {
	out := make([]string, len(errs))
	for i, err := range errs {
		out[i] = err.Error()
	}
	return out
}

// GradeQA grades a complete run and writes its three results. It reads and
// checks everything before it writes anything.
func GradeQA(ctx context.Context, s *study.Study, t Target, sink Sink) (GradeResult, error) {
	e := begin(StageGrade, sink, t.Now, len(s.Pools.Cases)*len(s.Policies), "rows")
	result, err := gradeQA(ctx, s, t, e)
	if err != nil {
		return result, e.finish("", err)
	}
	return result, e.finish(result.Lines()[len(result.Lines())-1], nil)
}

func gradeQA(ctx context.Context, s *study.Study, t Target, e *emitter) (result GradeResult, err error) {
	dir, err := rundir.Open(t.Dir)
	if err != nil {
		return result, err
	}
	if err := refuseComplete(dir, t.Existing, report.GradeFiles()); err != nil {
		made, unmade := Grade(ctx, s, dir)
		if unmade != nil {
			return result, err
		}
		return result, stale(dir, err, made.Rows)
	}
	if err := dir.CheckProtocol(s.Identity); err != nil {
		return result, err
	}
	if err := dir.CheckIdentity(s.Identity); err != nil {
		return result, err
	}
	tasks, err := Tasks(s)
	if err != nil {
		return result, err
	}
	rows, err := completeRows(dir, tasks)
	if err != nil {
		return result, err
	}
	if result, err = gradeRows(ctx, s, tasks, rows, e.progress); err != nil {
		return result, err
	}
	result.Dir = t.Dir
	if err := result.decided(dir, rows); err != nil {
		return GradeResult{Dir: t.Dir}, err
	}
	_, lock, err := t.lock(StageGrade)
	if err != nil {
		return result, err
	}
	defer unlock(lock, &err)
	if err := writeStates(dir, s, t, rows, &result); err != nil {
		return result, err
	}
	if text := mixedModels(result.Models); text != "" {
		e.note(text)
	}
	return result, stale(dir, writeResults(dir, t.Existing, []artifact{
		{report.QARowsFile, report.QARows(result.Rows)},
		{report.QASummaryFile, report.QASummary(s.Config.ProtocolID, grading.Version, s.Config.Pool.QACapacity, result.Rows)},
		{report.QAStatsFile, result.Stats.JSON()},
	}), result.Rows)
}

// Grade grades a complete run and writes nothing.
func Grade(ctx context.Context, s *study.Study, dir *rundir.Dir) (GradeResult, error) {
	if err := dir.CheckIdentity(s.Identity); err != nil {
		return GradeResult{}, err
	}
	tasks, err := Tasks(s)
	if err != nil {
		return GradeResult{}, err
	}
	rows, err := completeRows(dir, tasks)
	if err != nil {
		return GradeResult{}, err
	}
	result, err := gradeRows(ctx, s, tasks, rows, func(int, int) {})
	if err != nil {
		return result, err
	}
	result.Dir = dir.Path()
	if result.Doubts, err = doubts(dir, rows); err != nil {
		return result, err
	}
	result.Looks, err = Looks(dir)
	return result, err
}

// decided fills in what was decided about the rows. Rows that are no plain
// answers and were not accepted are an *UndecidedError.
func (r *GradeResult) decided(dir *rundir.Dir, rows []rundir.Row) (err error) {
	if r.Doubts, err = doubts(dir, rows); err != nil {
		return err
	}
	if open := undecided(r.Doubts); len(open) > 0 {
		return &UndecidedError{Dir: r.Dir, Rows: open, Of: len(rows)}
	}
	r.Looks, err = Looks(dir)
	return err
}

// gradeRows grades the rows of all tasks and compares the policies.
func gradeRows(ctx context.Context, s *study.Study, tasks []Task, rows []rundir.Row, progress func(done, total int)) (result GradeResult, err error) {
	result.Rows = make([]report.GradedRow, len(tasks))
	for i, task := range tasks {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		if result.Rows[i], err = Graded(task, rows[i]); err != nil {
			return result, err
		}
		progress(i+1, len(tasks))
	}
	result.Models = modelsOf(slices.Values(rows))
	slices.SortFunc(result.Rows, func(a, b report.GradedRow) int { return cmp.Compare(a.RowID, b.RowID) })
	result.Stats, result.Suites, err = compare(s, result.Rows)
	return result, err
}

// completeRows gives the stored row of every task, or a *RowsError.
func completeRows(dir *rundir.Dir, tasks []Task) ([]rundir.Row, error) {
	rows := make([]rundir.Row, len(tasks))
	incomplete := &RowsError{Dir: dir.Path()}
	for i, task := range tasks {
		row, err := dir.ReadRow(task.RowID)
		if err == nil {
			err = row.Matches(task.Task)
		}
		switch {
		case errors.Is(err, rundir.ErrNoRow):
			incomplete.Missing = append(incomplete.Missing, task.RowID)
		case err != nil:
			incomplete.Unusable = append(incomplete.Unusable, err)
		}
		rows[i] = row
	}
	if len(incomplete.Missing)+len(incomplete.Unusable) > 0 {
		return nil, incomplete
	}
	return rows, nil
}

// Graded gives the graded row of a stored answer: what the task says of it, what
// was answered, and the grade. It fails where the reference answer cannot be
// graded against.
func Graded(task Task, row rundir.Row) (report.GradedRow, error) {
	verdict, err := grading.Grade(row.Prediction, task.Case.Answer)
	if err != nil {
		return report.GradedRow{}, fmt.Errorf("row %s: %w; the case's reference answer cannot be graded against", task.RowID, err)
	}
	return report.GradedRow{
		RowID:              task.RowID,
		CaseID:             task.CaseID,
		Source:             task.Source,
		Scenario:           task.Scenario,
		QuestionType:       task.Case.QuestionType,
		Policy:             task.Policy,
		Capacity:           task.Capacity,
		KeptFactIDs:        task.KeptFactIDs,
		SupportRetained:    task.Cell.SupportRetained,
		SupportRecall:      task.Cell.SupportRecall,
		Prediction:         row.Prediction,
		Correct:            verdict.Correct,
		Rule:               string(verdict.Rule),
		GraderVersion:      grading.Version,
		Attempts:           row.Attempts,
		RequestFingerprint: task.Fingerprint,
		ResponseModel:      row.ResponseModel,
		Usage:              row.Usage,
	}, nil
}

// compare makes the three suites from graded rows.
func compare(s *study.Study, rows []report.GradedRow) (report.StatsDoc, []stats.Suite, error) {
	doc := report.StatsDoc{
		ProtocolID:    s.Config.ProtocolID,
		GraderVersion: grading.Version,
		Policies:      [2]string{s.Policies[0].Name, s.Policies[1].Name},
	}
	var suites []stats.Suite
	for _, target := range []struct {
		name string
		doc  *report.Suite
	}{{figures.Official, &doc.Official}, {figures.Synthetic, &doc.Synthetic}, {figures.Overall, &doc.Overall}} {
		pairs, err := figures.Pairs(rows, doc.Policies, figures.Sources(target.name)...)
		if err != nil {
			return doc, nil, err
		}
		suite, err := stats.Compare(target.name, pairs, s.BootstrapOptions())
		if err != nil {
			return doc, nil, err
		}
		suites = append(suites, suite)
		*target.doc = suiteDoc(suite)
	}
	return doc, suites, nil
}
