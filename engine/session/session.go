// Package session is a study opened together with one run folder: what the
// application looks at and drives. It resumes by itself, so the same folder may
// be opened again at any point of its run.
package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// Options say what is opened and where its answers come from.
type Options struct {
	Location study.Location
	Dataset  study.Dataset
	Target   pipeline.Target // its folder may not exist yet
	// Answerer starts what answers a QA run and gives a function that ends it.
	Answerer func(context.Context) (pipeline.Answerer, func(), error)
}

// Session is a study and its run folder. Its methods may be called from
// several goroutines; one run at a time is the caller's to keep.
type Session struct {
	options Options

	mu     sync.Mutex
	study  *study.Study // nil until it was validated
	checks []study.Check
}

// New gives a session; nothing is read yet.
func New(o Options) *Session {
	o.Target.Existing = pipeline.KeepEqual
	return &Session{options: o}
}

// Load gives the study's cases with whatever the run folder holds of them.
// Grades are there only once grade-qa has written its results.
func (s *Session) Load(ctx context.Context) (*casebook.Book, error) {
	st, err := s.opened(ctx)
	if err != nil {
		return nil, err
	}
	book := casebook.New(st)
	book.Checks = s.madeChecks()
	dir, err := rundir.Open(s.options.Target.Dir)
	if errors.Is(err, rundir.ErrMissing) {
		return book, nil
	}
	if err != nil {
		return nil, err
	}
	rows, found, err := storedRows(ctx, st, dir)
	if err != nil {
		return nil, err
	}
	if book = book.WithRows(rows); book.Graded {
		book.Figures = found
	}
	return book, nil
}

// opened gives the study, validating it the first time.
func (s *Session) opened(ctx context.Context) (*study.Study, error) {
	s.mu.Lock()
	st := s.study
	s.mu.Unlock()
	if st != nil {
		return st, nil
	}
	return s.validate(ctx, nil)
}

func (s *Session) validate(ctx context.Context, sink pipeline.Sink) (*study.Study, error) {
	var checks []study.Check
	st, err := pipeline.Validate(ctx, s.options.Location, s.options.Dataset, s.options.Target.Now, func(event pipeline.Event) {
		if c, ok := event.(pipeline.CheckDone); ok {
			checks = append(checks, study.Check(c))
		}
		if sink != nil {
			sink(event)
		}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checks = checks
	if err != nil {
		return nil, err
	}
	s.study = st
	return st, nil
}

func (s *Session) madeChecks() []study.Check {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks
}

// storedRows gives the rows of the folder that belong to the study; when the
// folder's graded results are there, graded and with their figures.
func storedRows(ctx context.Context, st *study.Study, dir *rundir.Dir) ([]casebook.Row, *figures.Figures, error) {
	if dir.CheckNew(report.GradeFiles()...) != nil {
		graded, err := pipeline.Grade(ctx, st, dir)
		if err == nil {
			made, err := figures.Compute(graded.Rows, graded.Stats.Policies, st.BootstrapOptions())
			return gradedRows(graded.Rows), made, err
		}
		var incomplete *pipeline.RowsError
		if !errors.As(err, &incomplete) && !errors.Is(err, rundir.ErrIdentity) {
			return nil, nil, err
		}
	}
	tasks, err := pipeline.Tasks(st)
	if err != nil {
		return nil, nil, err
	}
	var rows []casebook.Row
	for _, task := range tasks {
		row, err := dir.ReadRow(task.RowID)
		if err != nil || row.Matches(task.Task) != nil {
			continue // run-qa names it and calls it again
		}
		rows = append(rows, casebook.Row{
			ID:          row.RowID,
			Prediction:  row.Prediction,
			Model:       text(row.ResponseModel),
			Attempts:    row.Attempts,
			Usage:       row.Counts(),
			Fingerprint: row.RequestFingerprint,
		})
	}
	return rows, nil, nil
}

func gradedRows(rows []report.GradedRow) []casebook.Row {
	out := make([]casebook.Row, len(rows))
	for i, row := range rows {
		out[i] = casebook.Row{
			ID:          row.RowID,
			Prediction:  row.Prediction,
			Model:       text(row.ResponseModel),
			Attempts:    row.Attempts,
			Usage:       rundir.Row{Usage: row.Usage}.Counts(),
			Fingerprint: row.RequestFingerprint,
			Graded:      true,
			Correct:     row.Correct,
			Rule:        row.Rule,
		}
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Run carries out stages one after the other and returns when everything it
// stored is on disk. It stops at the first stage that fails.
func (s *Session) Run(ctx context.Context, stages []pipeline.Stage, sink pipeline.Sink) error {
	for _, stage := range stages {
		if err := s.stage(ctx, stage, sink); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) stage(ctx context.Context, stage pipeline.Stage, sink pipeline.Sink) error {
	if stage == pipeline.StageValidate {
		_, err := s.validate(ctx, sink)
		return err
	}
	st, err := s.opened(ctx)
	if err != nil {
		return err
	}
	switch stage {
	case pipeline.StagePolicy:
		_, err = pipeline.RunPolicy(ctx, st, s.options.Target, sink)
	case pipeline.StageQA:
		err = s.ask(ctx, st, sink)
	case pipeline.StageGrade:
		_, err = pipeline.GradeQA(ctx, st, s.options.Target, sink)
	default:
		err = fmt.Errorf("there is no stage %q", stage)
	}
	return err
}

func (s *Session) ask(ctx context.Context, st *study.Study, sink pipeline.Sink) error {
	answerer, end, err := s.options.Answerer(ctx)
	if err != nil {
		return err
	}
	defer end()
	_, err = pipeline.RunQA(ctx, st, s.options.Target, pipeline.QAOptions{Answerer: answerer}, sink)
	return err
}
