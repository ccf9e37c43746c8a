// Package page makes the report of a graded run that can be handed on: one HTML
// file that needs nothing beside it, and the same as Markdown, CSV and JSON.
//
// None of them holds a question, a fact, a reference answer, the text of an
// answer, a reviewer's note or a credential; Check proves it of every output
// before it is written.
package page

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/gate"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/quote"
	"deermem-tui/engine/stats"
	"deermem-tui/engine/study"
)

// Version is the version of the JSON document.
const Version = 1

// The names of the files of a report.
const (
	HTMLFile     = "report.html"
	MarkdownFile = "report.md"
	CSVFile      = "rows.csv"
	JSONFile     = "report.json"
)

// Input is what a report is made of. Equal input gives equal bytes.
type Input struct {
	Run      *gradedrun.Run
	Study    *study.Study // nil where it is not at hand
	Standing *review.Standing
	Gate     *gate.Result
	Program  string              // the program's version, for the foot
	Shipped  string              // name of the shipped protocol that the run is of; empty for another
	Secrets  []secret.Named      // what no output may hold, whatever its shape
	Clean    func(string) string // makes foreign text safe to show; nil: as it is
}

// Report is a report to be written.
type Report struct {
	in       Input
	name     string // of the run: its folder's own name, never the path
	policies [2]string
	figures  *figures.Figures
	disputed []string         // rows whose grade somebody disputes
	wouldBe  *figures.Figures // nil without a dispute
	agreed   []review.Agreement
	alpha    float64
	texts    *quote.Finder // of the dataset; nil where it is not at hand
}

// ErrNoFigures is a run whose figures cannot be computed.
var ErrNoFigures = errors.New("the figures cannot be computed")

// New gathers what a report says. It fails where the rows form no pairs or the
// figures cannot be computed.
func New(in Input) (*Report, error) {
	book, err := in.Run.Pairs()
	if err != nil {
		return nil, err
	}
	if book.Figures == nil {
		return nil, fmt.Errorf("%s: %w: qa.stats.json, which pins the bootstrap, is missing or damaged", in.Run.Dir.Path(), ErrNoFigures)
	}
	r := &Report{in: in, figures: book.Figures, alpha: in.Run.Stats.Official.Bootstrap.Alpha}
	absolute, err := filepath.Abs(in.Run.Dir.Path())
	if err != nil {
		return nil, err
	}
	r.name = filepath.Base(absolute)
	r.policies, _ = in.Run.Policies()
	if in.Study != nil {
		r.texts = quote.Cases(in.Study.Pools.Cases, true)
	}
	if r.agreed, err = in.Standing.Agreements(r.alpha); err != nil {
		return nil, err
	}
	if r.disputed = in.Standing.Disputed(false); len(r.disputed) > 0 {
		pinned := in.Run.Stats.Official.Bootstrap
		o := stats.BootstrapOptions{Seed: pinned.Seed, Iterations: pinned.Iterations, Alpha: pinned.Alpha}
		if r.wouldBe, err = review.WouldBe(in.Run.Rows, r.policies, r.disputed, o); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Files gives every output by its name, each checked.
func (r *Report) Files() (map[string][]byte, error) {
	doc, err := r.JSON()
	if err != nil {
		return nil, err
	}
	table, err := r.CSV()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{HTMLFile: r.HTML(), MarkdownFile: r.Markdown(), CSVFile: table, JSONFile: doc}
	for _, name := range Names() {
		if err := r.Check(files[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// Names gives the names of the files, sorted.
func Names() []string {
	names := []string{HTMLFile, MarkdownFile, CSVFile, JSONFile}
	slices.Sort(names)
	return names
}

// ErrPrivate is an output that holds what must not be handed on.
var ErrPrivate = errors.New("the report would hold something private")

// Check makes sure that an output holds nothing of the shape of a credential
// and, where the dataset is at hand, no question, fact or reference answer.
func (r *Report) Check(output []byte) error {
	if found := secret.All(string(output), r.in.Secrets, 1); len(found) > 0 {
		return fmt.Errorf("%w: %s", ErrPrivate, found[0].Name)
	}
	if r.texts != nil {
		if from, found := r.texts.Find(string(output)); found {
			return fmt.Errorf("%w: it quotes %s", ErrPrivate, from.Name)
		}
	}
	return nil
}

// clean makes foreign text one safe line.
func (r *Report) clean(text string) string {
	if r.in.Clean == nil {
		return text
	}
	return r.in.Clean(text)
}
