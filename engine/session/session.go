// Package session is a study opened together with one run folder: what the
// application looks at and drives. It resumes by itself, so the same folder may
// be opened again at any point of its run.
package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// Options say what is opened and where its answers come from.
type Options struct {
	Source   *Source         // may be shared; nil: one of its own, of the two below
	Location study.Location  // not used where there is a Source
	Dataset  study.Dataset   // not used where there is a Source
	Target   pipeline.Target // its folder may not exist yet
	ReadOnly bool            // no stage may run
	Prices   pipeline.Prices // of tokens; the zero value shows no cost
	// Answerer starts what answers a QA run and gives a function that ends it.
	Answerer func(context.Context) (pipeline.Answerer, func(), error)
}

// Session is a study and its run folder. Its methods may be called from
// several goroutines; one run at a time is the caller's to keep.
type Session struct {
	options Options
	source  *Source
	control pipeline.Control
	held    atomic.Bool // the folder had results when it was read
}

// Steer carries out an order on the run in progress, whatever stage it is in, or
// on the next.
func (s *Session) Steer(order pipeline.Order) { s.control.Do(order) }

// Peek grades the rows that are there, before the end, and tells it in lines.
// The look is recorded in the run folder; whoever asked has confirmed it.
func (s *Session) Peek(ctx context.Context) ([]string, error) {
	st, err := s.source.opened(ctx, s.options.Target.Now)
	if err != nil {
		return nil, err
	}
	result, err := pipeline.Peek(ctx, st, s.options.Target)
	if err != nil {
		return nil, err
	}
	return result.Lines(), nil
}

// StoredRow gives a row as its file has it; it fails with rundir.ErrNoRow where
// there is none.
func (s *Session) StoredRow(rowID string) (rundir.Row, error) {
	dir, err := rundir.Open(s.options.Target.Dir)
	if errors.Is(err, rundir.ErrMissing) {
		return rundir.Row{}, rundir.ErrNoRow // nothing was run yet
	}
	if err != nil {
		return rundir.Row{}, err
	}
	return dir.ReadRow(rowID)
}

// New gives a session; nothing is read yet.
func New(o Options) *Session {
	o.Target.Existing = pipeline.KeepEqual
	if o.Source == nil {
		o.Source = NewSource(o.Location, o.Dataset)
	}
	return &Session{options: o, source: o.Source}
}

// Load gives the study's cases with whatever the run folder holds of them.
// Grades are there only once grade-qa has written its results; where these are
// not what the answers give, checks that failed and warnings tell it. It fails
// as rundir's CheckProtocol does where the folder is of another protocol, and
// with ErrGone where results that were read before are gone with their folder.
func (s *Session) Load(ctx context.Context) (*casebook.Book, error) {
	st, err := s.source.opened(ctx, s.options.Target.Now)
	if err != nil {
		return nil, err
	}
	book := casebook.New(st)
	book.Checks = s.source.madeChecks()
	dir, err := rundir.Open(s.options.Target.Dir)
	if errors.Is(err, rundir.ErrMissing) {
		if s.held.Load() {
			return nil, fmt.Errorf("%s: %w", s.options.Target.Dir, ErrGone)
		}
		return book, nil
	}
	if err != nil {
		return nil, err
	}
	if err := dir.CheckProtocol(st.Identity); err != nil {
		return nil, err
	}
	rows, found, checks, err := storedRows(ctx, st, dir)
	if err != nil {
		var published *PublishedError
		if errors.As(err, &published) {
			published.embedded = s.source.dataset.Embedded()
		}
		return nil, err
	}
	if book = book.WithRows(rows); book.Graded {
		book.Figures = found
	}
	book.Checks = withChecks(book.Checks, checks, book.Figures)
	if book.Rows > 0 || dir.CheckNew(append(report.PolicyFiles(), report.QARunFile)...) != nil {
		s.held.Store(true)
	}
	book.PolicyDone = !slices.ContainsFunc(report.PolicyFiles(), func(name string) bool { return dir.CheckNew(name) == nil })
	if looks, err := pipeline.Looks(dir); err == nil {
		book.Looks = len(looks)
	}
	book.RunDoc, _ = optional(dir, report.QARunFile, report.ParseQARunDoc) // a damaged one is told of by what reads its rows
	return book, nil
}

// storedRows gives the rows of the folder that belong to the study; when the
// folder's graded results are there, graded, with their figures and with the
// checks of these results.
func storedRows(ctx context.Context, st *study.Study, dir *rundir.Dir) ([]casebook.Row, *figures.Figures, []study.Check, error) {
	if dir.CheckNew(report.GradeFiles()...) != nil {
		graded, err := pipeline.Grade(ctx, st, dir)
		if err == nil {
			made, err := figures.Compute(graded.Rows, graded.Stats.Policies, st.BootstrapOptions())
			return gradedRows(graded.Rows), made, storedChecks(st, dir, graded), err
		}
		var incomplete *pipeline.RowsError
		if !errors.As(err, &incomplete) {
			return nil, nil, nil, err
		}
		if len(incomplete.Missing) == len(st.Pools.Cases)*len(st.Policies) && dir.CheckNew(report.QARowsFile) != nil {
			return publishedRows(ctx, st, dir)
		}
	}
	tasks, err := pipeline.Tasks(st)
	if err != nil {
		return nil, nil, nil, err
	}
	var rows []casebook.Row
	for _, task := range tasks {
		row, err := dir.ReadRow(task.RowID)
		if err != nil || row.Matches(task.Task) != nil {
			continue // run-qa names it and calls it again
		}
		stored := casebook.Row{
			ID:          row.RowID,
			Prediction:  row.Prediction,
			Model:       text(row.ResponseModel),
			Attempts:    row.Attempts,
			Usage:       row.Counts(),
			Fingerprint: row.RequestFingerprint,
			Outcome:     row.State(),
		}
		if row.Extra != nil {
			stored.Note, stored.Latency = row.Extra.Note, row.Extra.Latency
		}
		rows = append(rows, stored)
	}
	return rows, nil, nil, nil
}

func gradedRows(rows []report.GradedRow) []casebook.Row {
	out := make([]casebook.Row, len(rows))
	for i, row := range rows {
		out[i] = casebook.GradedRow(row)
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
// stored is on disk. It stops at the first stage that fails, and fails with
// ErrReadOnly where the run is only read.
func (s *Session) Run(ctx context.Context, stages []pipeline.Stage, sink pipeline.Sink) error {
	if s.options.ReadOnly {
		return ErrReadOnly
	}
	defer s.control.End()
	for _, stage := range stages {
		if err := s.stage(ctx, stage, sink); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) stage(ctx context.Context, stage pipeline.Stage, sink pipeline.Sink) error {
	if stage == pipeline.StageValidate {
		_, err := s.source.validate(ctx, s.options.Target.Now, sink)
		return err
	}
	st, err := s.source.opened(ctx, s.options.Target.Now)
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
	_, err = pipeline.RunQA(ctx, st, s.options.Target, pipeline.QAOptions{Answerer: answerer, Control: &s.control, Prices: s.options.Prices}, sink)
	return err
}
