// Package gate is the checklist before figures are published: that the folder
// holds what it claims, that its figures follow from its rows, that a person
// looked at what has to be looked at, and that nothing private is inside.
package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/report"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/study"
)

// State is what became of a check.
type State string

// The states. Failed and Missing keep the gate shut; Noted is for the reader.
const (
	Passed  State = "passed"
	Failed  State = "failed"  // what was found is wrong
	Missing State = "missing" // something has still to be done
	NotRun  State = "not run" // it needs something that is not at hand
	Noted   State = "noted"   // nothing is wrong, and the reader should know
)

// Check is one line of the checklist.
type Check struct {
	Name    string   `json:"name"`
	State   State    `json:"state"`
	Found   string   `json:"found"`   // one sentence or less
	Details []string `json:"details"` // exactly what is wrong or missing, one each
}

// Blocks tells whether the check keeps the gate shut.
func (c Check) Blocks() bool { return c.State == Failed || c.State == Missing }

// Result is the whole checklist, in a fixed order.
type Result struct {
	Path       string
	Checks     []Check
	RequireAll bool // a check that was not run keeps the gate shut too
}

// Open tells whether the run may be published.
func (r *Result) Open() bool { return !slices.ContainsFunc(r.Checks, r.shuts) }

// Blocking gives the checks that keep the gate shut.
func (r *Result) Blocking() []Check { return r.where(r.shuts) }

// NotRun gives the checks that could not be made.
func (r *Result) NotRun() []Check {
	return r.where(func(c Check) bool { return c.State == NotRun })
}

func (r *Result) shuts(c Check) bool { return c.Blocks() || r.RequireAll && c.State == NotRun }

func (r *Result) where(is func(Check) bool) []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return !is(c) })
}

// Names gives the names of checks.
func Names(checks []Check) []string {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.Name
	}
	return names
}

// Sentence tells in a line whether the run may be published.
func (r *Result) Sentence() string {
	notRun := ""
	if n := len(r.NotRun()); n > 0 {
		notRun = fmt.Sprintf("; %s not run", were(n))
	}
	switch n := len(r.Blocking()); n {
	case 0:
		return "ready: nothing is wrong or missing" + notRun
	case 1:
		return "not ready: 1 check keeps it shut" + notRun
	default:
		return fmt.Sprintf("not ready: %d checks keep it shut", n) + notRun
	}
}

// Conclusion tells in full what the checklist comes to: which checks keep the
// gate shut, and which could not be made.
func (r *Result) Conclusion() string {
	text := "nothing that was checked is wrong or missing: the run may be published"
	if blocking := r.Blocking(); len(blocking) > 0 {
		text = "not to be published yet: " + strings.Join(Names(blocking), ", ")
	}
	if skipped := r.Skipped(); skipped != "" {
		text += "; " + skipped
	}
	return text
}

// Skipped names the checks that could not be made, "" where all were.
func (r *Result) Skipped() string {
	checks := r.NotRun()
	if len(checks) == 0 {
		return ""
	}
	return fmt.Sprintf("%s not run: %s", were(len(checks)), strings.Join(Names(checks), ", "))
}

func were(n int) string {
	if n == 1 {
		return "1 check was"
	}
	return fmt.Sprintf("%d checks were", n)
}

// Find gives a check by name.
func (r *Result) Find(name string) (Check, bool) {
	i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Name == name })
	if i < 0 {
		return Check{}, false
	}
	return r.Checks[i], true
}

// The names of the checks, in their order.
const (
	Quiet      = "nobody writes"
	Rows       = "rows"
	Columns    = "columns agree"
	Answers    = "answers"
	Hashes     = "hashes"
	Protocol   = "protocol at hand"
	Grades     = "grades made again"
	Statistics = "statistics"
	Suites     = "suites apart"
	NoiseFloor = "A/A noise floor"
	Model      = "model served"
	Looks      = "looks before the end"
	Pairs      = "discordant pairs reviewed"
	Flags      = "flagged rows reviewed"
	Ledger     = "review ledger"
	Private    = "nothing private"
)

// Input is what the gate looks at.
type Input struct {
	Run    *gradedrun.Run
	Study  *study.Study // nil where the protocol or its dataset is not at hand
	Queue  *review.Queue
	Ledger *review.Ledger

	// Shipped are the protocols that the program brings. A run that states the
	// name of one must be of it, and the settings of a run that is of one are
	// known although the dataset is not at hand.
	Shipped []*study.Contracts
	// Secrets are texts that must be in no file whatever their shape, such as
	// the key in the variable that the run names, or the home of whoever asks.
	Secrets []secret.Named
	// Unused is a dataset that was named and not looked at, as the reader knows it.
	Unused string
}

// Run makes every check. It fails only with the context's error.
func Run(ctx context.Context, in Input) (*Result, error) {
	g := newChecker(in)
	for _, check := range []func(){
		g.quiet, g.rows, g.columns, g.answers, g.hashes, g.protocol, g.grades, g.statistics, g.suites, g.noiseFloor, g.model, g.looks, g.review, g.private, g.unchanged,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		check()
	}
	return g.result, nil
}

// Unreadable is the checklist of a folder whose graded rows are there and cannot
// be read: that fails, and nothing else can be checked.
func Unreadable(path string, err error, requireAll bool) *Result {
	r := &Result{Path: path, RequireAll: requireAll}
	for _, name := range []string{Quiet, Rows, Columns, Answers, Hashes, Protocol, Grades, Statistics, Suites, NoiseFloor, Model, Looks, Pairs, Flags, Ledger, Private} {
		c := Check{Name: name, State: NotRun, Found: "the graded rows cannot be read", Details: []string{}}
		if name == Rows {
			c.State, c.Details = Failed, []string{err.Error()}
		}
		r.Checks = append(r.Checks, c)
	}
	return r
}

type checker struct {
	Input
	contracts *study.Contracts // the run's protocol; nil where it is not known
	rowsOf    map[string]report.GradedRow
	standing  *review.Standing // nil where the rows form no pairs
	result    *Result
}

func newChecker(in Input) *checker {
	g := &checker{Input: in, rowsOf: map[string]report.GradedRow{}, result: &Result{Path: in.Run.Dir.Path()}}
	for _, row := range in.Run.Rows {
		g.rowsOf[row.RowID] = row
	}
	if in.Queue != nil {
		g.standing = review.Stand(in.Queue, in.Ledger)
	}
	switch {
	case in.Study != nil:
		g.contracts = in.Study.Contracts
	case in.Run.Doc != nil:
		if i := slices.IndexFunc(in.Shipped, func(c *study.Contracts) bool { return c.Identity == in.Run.Doc.Artifacts }); i >= 0 {
			g.contracts = in.Shipped[i]
		}
	}
	return g
}

func (g *checker) add(name string, state State, found string, details ...string) {
	g.result.Checks = append(g.result.Checks, Check{name, state, found, append([]string{}, details...)})
}

// verdict adds a check that passes where nothing is wrong. always is told either
// way, good where it passes; one of them may be empty.
func (g *checker) verdict(name, always, good string, wrong []string) {
	state, rest := Passed, good
	if len(wrong) > 0 {
		state, rest = Failed, count(len(wrong), "problem")
	}
	if always != "" && rest != "" {
		always += "; "
	}
	g.add(name, state, always+rest, wrong...)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// verbed counts what does something: "1 grade flips", "2 grades flip".
func verbed(n int, noun, verb string) string {
	if n == 1 {
		verb += "s"
	}
	return count(n, noun) + " " + verb
}
