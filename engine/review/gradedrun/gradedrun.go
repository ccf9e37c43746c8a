// Package gradedrun reads a folder of graded answers as a reviewer, a
// comparison, a report and the publication gate need it: the graded rows first,
// and whatever stands beside them. It reads a run of this program, one of the
// reference and a published folder alike, and changes nothing.
package gradedrun

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
)

// Run is a folder with graded rows. What is missing or damaged beside the rows
// is nil, and named in Problems.
type Run struct {
	Dir      *rundir.Dir
	RowsHash string // SHA-256 of qa.rows.jsonl
	Rows     []report.GradedRow
	Doc      *report.QARunDoc
	Stats    *report.StatsDoc
	Summary  []byte          // qa.summary.json as it is; nil without one
	Policy   *PolicyIdentity // what run.json says
	Cells    []Cell          // of policy.raw.jsonl

	// Answers are the files of the answers by row ID. Empty in a published folder.
	Answers map[string]rundir.Row

	Looks    []pipeline.Look
	Accepted map[Acceptance]bool // decisions to take a row that is no plain answer

	// Book holds the pairs; nil, with BookErr, where the rows make none.
	Book    *casebook.Book
	BookErr error

	Problems []string // what could not be read, each a sentence
}

// PolicyIdentity is the part of run.json that binds it to a protocol.
type PolicyIdentity struct {
	ProtocolID string
	Hashes     identity.Identity
}

// Cell tells whether a case's support was kept by a policy at a capacity.
type Cell struct {
	CaseID, Policy string
	Capacity       int
	Retained       bool
}

// ErrNotGraded is a folder without graded rows; test with errors.Is.
var ErrNotGraded = errors.New("it holds no graded rows")

// Load reads a folder. It fails with ErrNotGraded, where the rows cannot be
// read, or as rundir.Open does; damage elsewhere is told in Problems.
func Load(ctx context.Context, path string) (*Run, error) {
	dir, err := rundir.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir}
	data, err := dir.Read(report.QARowsFile)
	if errors.Is(err, rundir.ErrMissing) {
		return nil, fmt.Errorf("%s: %w: there is no %s; grade the run first (grade-qa)", path, ErrNotGraded, report.QARowsFile)
	}
	if err != nil {
		return nil, err
	}
	r.RowsHash = identity.Hash(data)
	if r.Rows, err = report.ParseGradedRows(data); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", report.QARowsFile, path, err)
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("%s: %w: %s is empty", path, ErrNotGraded, report.QARowsFile)
	}
	r.Doc = document(r, report.QARunFile, report.ParseQARunDoc)
	r.Stats = document(r, report.QAStatsFile, report.ParseStatsDoc)
	if r.Summary, err = dir.Read(report.QASummaryFile); err != nil && !errors.Is(err, rundir.ErrMissing) {
		r.problem(report.QASummaryFile, err)
	}
	r.readPolicy()
	r.readCells()
	r.readAnswers()
	if r.Looks, err = pipeline.Looks(dir); err != nil {
		r.problem(rundir.DecisionsFile, err)
	}
	r.readAccepted()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.Book, r.BookErr = casebook.FromPublished(casebook.Published{Rows: r.Rows, Run: r.Doc, Stats: r.Stats})
	if r.BookErr != nil {
		r.Book = nil
	}
	return r, nil
}

// Pairs gives the book, or why there is none.
func (r *Run) Pairs() (*casebook.Book, error) {
	if r.BookErr != nil {
		return nil, fmt.Errorf("%s: %w", r.Dir.Path(), r.BookErr)
	}
	return r.Book, nil
}

// Policies gives the names of the two policies, the first arm first; false
// where the rows are not of two.
func (r *Run) Policies() ([2]string, bool) {
	if r.Book == nil || len(r.Book.Policies) != 2 {
		return [2]string{}, false
	}
	return [2]string{r.Book.Policies[0].Name, r.Book.Policies[1].Name}, true
}

// Row gives a graded row by ID.
func (r *Run) Row(id string) (report.GradedRow, bool) {
	i := slices.IndexFunc(r.Rows, func(row report.GradedRow) bool { return row.RowID == id })
	if i < 0 {
		return report.GradedRow{}, false
	}
	return r.Rows[i], true
}

// Hash gives the SHA-256 of a graded row as it stands in the file.
func Hash(row report.GradedRow) string { return identity.Hash(row.AppendJSON(nil)) }

func (r *Run) problem(name string, err error) {
	r.Problems = append(r.Problems, fmt.Sprintf("%s cannot be read: %v", name, err))
}

func document[T any](r *Run, name string, parse func([]byte) (T, error)) *T {
	data, err := r.Dir.Read(name)
	if errors.Is(err, rundir.ErrMissing) {
		return nil
	}
	if err == nil {
		var doc T
		if doc, err = parse(data); err == nil {
			return &doc
		}
	}
	r.problem(name, err)
	return nil
}

func (r *Run) readPolicy() {
	id, err := r.Dir.ReadPolicyIdentity()
	switch {
	case err == nil:
		r.Policy = &PolicyIdentity{ProtocolID: id.ProtocolID, Hashes: id.Hashes}
	case !errors.Is(err, rundir.ErrMissing):
		r.problem(report.RunFile, err)
	}
}

func (r *Run) readAnswers() {
	names, err := r.Dir.Names()
	if err != nil {
		r.problem(rundir.ResponsesDir, err)
		return
	}
	r.Answers = map[string]rundir.Row{}
	if !slices.ContainsFunc(names, isAnswer) {
		return
	}
	for _, row := range r.Rows {
		answer, err := r.Dir.ReadRow(row.RowID)
		if err == nil {
			r.Answers[row.RowID] = answer
		} else {
			r.Problems = append(r.Problems, err.Error())
		}
	}
}

func isAnswer(name string) bool {
	return len(name) > len(rundir.ResponsesDir) && name[:len(rundir.ResponsesDir)+1] == rundir.ResponsesDir+"/"
}

// readCells reads which supports were kept at every capacity.
func (r *Run) readCells() {
	data, err := r.Dir.Read(report.PolicyRowsFile)
	if errors.Is(err, rundir.ErrMissing) {
		return
	}
	if err != nil {
		r.problem(report.PolicyRowsFile, err)
		return
	}
	var cells []Cell
	for number, line := range splitLines(data) {
		v, err := pytext.Decode(line)
		object, ok := v.(map[string]any)
		capacity, isInt := object["capacity"].(int64)
		retained, isBool := object["support_all_retained"].(bool)
		caseID, _ := object["case_id"].(string)
		policy, _ := object["policy"].(string)
		if err != nil || !ok || !isInt || !isBool || caseID == "" || policy == "" || capacity < 0 || capacity > 1<<20 {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: line %d is no decision of a policy", report.PolicyRowsFile, number+1))
			return
		}
		cells = append(cells, Cell{caseID, policy, int(capacity), retained})
	}
	r.Cells = cells
}
