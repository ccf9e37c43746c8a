// A published folder: graded rows, without the files of the answers. It opens
// without its protocol, and is only read.

package session

import (
	"context"
	"errors"
	"fmt"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/grading"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// ErrReadOnly is a run that was opened to be read; test with errors.Is.
var ErrReadOnly = errors.New("this run is only read: it was published without the files of its answers; begin a new run to ask again")

// Published is a published folder opened without its study.
type Published struct{ folder string }

// OpenPublished gives a published folder; nothing is read yet.
func OpenPublished(folder string) *Published { return &Published{folder: folder} }

// Load gives the book of the folder's graded rows.
func (p *Published) Load(ctx context.Context) (*casebook.Book, error) {
	dir, err := rundir.Open(p.folder)
	if err != nil {
		return nil, err
	}
	found, err := publishedFiles(dir)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return casebook.FromPublished(found)
}

// Run always fails with ErrReadOnly.
func (p *Published) Run(context.Context, []pipeline.Stage, pipeline.Sink) error { return ErrReadOnly }

// publishedFiles reads a folder's graded rows and, where they are there, the
// two documents beside them.
func publishedFiles(dir *rundir.Dir) (p casebook.Published, err error) {
	data, err := dir.Read(report.QARowsFile)
	if err != nil {
		return p, err
	}
	if p.Rows, err = report.ParseGradedRows(data); err != nil {
		return p, fmt.Errorf("%s of %s: %w", report.QARowsFile, dir.Path(), err)
	}
	if p.Run, err = optional(dir, report.QARunFile, report.ParseQARunDoc); err != nil {
		return p, err
	}
	p.Stats, err = optional(dir, report.QAStatsFile, report.ParseStatsDoc)
	return p, err
}

// optional reads a document that may be missing.
func optional[T any](dir *rundir.Dir, name string, parse func([]byte) (T, error)) (*T, error) {
	data, err := dir.Read(name)
	if errors.Is(err, rundir.ErrMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	doc, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", name, dir.Path(), err)
	}
	return &doc, nil
}

// PublishedError is a graded row that the study at hand does not give.
type PublishedError struct {
	Dir   string
	RowID string
	Err   error

	embedded bool // the dataset is the binary's own, so the folder cannot be opened without it
}

func (e *PublishedError) Error() string {
	advice := "open the folder without the dataset to see its rows alone"
	if e.embedded {
		advice = "restore the folder's files from a sound copy"
	}
	return fmt.Sprintf("%s: row %s is not what the protocol at hand gives: %v; %s", e.Dir, e.RowID, e.Err, advice)
}

// Unwrap gives the difference.
func (e *PublishedError) Unwrap() error { return e.Err }

// publishedRows gives the graded rows of a folder without answers, each checked
// against the study: the same task, and the same grade when it is graded again.
// The checks are those of the figures that the folder states.
func publishedRows(ctx context.Context, st *study.Study, dir *rundir.Dir) ([]casebook.Row, *figures.Figures, []study.Check, error) {
	found, err := publishedFiles(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	byID := make(map[string]report.GradedRow, len(found.Rows))
	for _, row := range found.Rows {
		byID[row.RowID] = row
	}
	tasks, err := pipeline.Tasks(st)
	if err != nil {
		return nil, nil, nil, err
	}
	rows := make([]casebook.Row, 0, len(tasks))
	for _, task := range tasks {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		row, ok := byID[task.RowID]
		if !ok {
			return nil, nil, nil, &PublishedError{Dir: dir.Path(), RowID: task.RowID, Err: errors.New("it is missing")}
		}
		if err := sameRow(row, task); err != nil {
			return nil, nil, nil, &PublishedError{Dir: dir.Path(), RowID: task.RowID, Err: err}
		}
		rows = append(rows, casebook.GradedRow(row))
	}
	if len(byID) != len(tasks) || len(found.Rows) != len(tasks) {
		return nil, nil, nil, &PublishedError{Dir: dir.Path(), RowID: "count", Err: fmt.Errorf("%d rows, the protocol gives %d", len(found.Rows), len(tasks))}
	}
	made, err := figures.Compute(found.Rows, [2]string{st.Policies[0].Name, st.Policies[1].Name}, st.BootstrapOptions())
	if err != nil {
		return nil, nil, nil, err
	}
	alone, err := casebook.FromPublished(found)
	if err != nil {
		return nil, nil, nil, err
	}
	return rows, made, alone.Checks, nil
}

func sameRow(row report.GradedRow, task pipeline.Task) error {
	stored := rundir.Row{RowID: row.RowID, CaseID: row.CaseID, Source: row.Source, Scenario: row.Scenario, Policy: row.Policy,
		Capacity: row.Capacity, KeptFactIDs: row.KeptFactIDs, RequestFingerprint: row.RequestFingerprint}
	if err := stored.Matches(task.Task); err != nil {
		return err
	}
	verdict, err := grading.Grade(row.Prediction, task.Case.Answer)
	switch {
	case err != nil:
		return err
	case verdict.Correct != row.Correct || string(verdict.Rule) != row.Rule:
		return fmt.Errorf("graded again it is %t by %s, the row says %t by %s", verdict.Correct, verdict.Rule, row.Correct, row.Rule)
	}
	return nil
}
