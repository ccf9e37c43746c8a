// Package gate is the checklist before figures are published: that the folder
// holds what it claims, that its figures follow from its rows, that a person
// looked at what has to be looked at, and that nothing private is inside.
package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	Path   string
	Checks []Check
}

// Open tells whether the run may be published.
func (r *Result) Open() bool { return !slices.ContainsFunc(r.Checks, Check.Blocks) }

// Blocking gives the checks that keep the gate shut.
func (r *Result) Blocking() []Check {
	return slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return !c.Blocks() })
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
	Rows       = "rows"
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
}

// Run makes every check. It fails only with the context's error.
func Run(ctx context.Context, in Input) (*Result, error) {
	g := &checker{Input: in, result: &Result{Path: in.Run.Dir.Path()}}
	for _, check := range []func(){
		g.rows, g.answers, g.hashes, g.protocol, g.grades, g.statistics, g.suites, g.noiseFloor, g.model, g.looks, g.review, g.private,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		check()
	}
	return g.result, nil
}

type checker struct {
	Input
	result *Result
}

func (g *checker) add(name string, state State, found string, details ...string) {
	g.result.Checks = append(g.result.Checks, Check{name, state, found, append([]string{}, details...)})
}

// verdict adds a check that passes where nothing is wrong.
func (g *checker) verdict(name, found string, wrong []string) {
	if len(wrong) > 0 {
		g.add(name, Failed, fmt.Sprintf("%s; %s", found, count(len(wrong), "problem")), wrong...)
		return
	}
	g.add(name, Passed, found)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (g *checker) review() {
	if g.Queue == nil {
		for _, name := range []string{Pairs, Flags, Ledger} {
			g.add(name, NotRun, "the rows form no pairs")
		}
		return
	}
	s := review.Stand(g.Queue, g.Ledger)
	for _, one := range []struct {
		name   string
		reason review.Reason
	}{{Pairs, review.Discordant}, {Flags, review.Flagged}} {
		reviewed, of := s.Count(one.reason)
		found := fmt.Sprintf("%d of %d reviewed", reviewed, of)
		if one.name == Flags && !g.Queue.References {
			found += "; flags rest on the predictions alone, because the reference answers are not at hand"
		}
		var details []string
		for _, item := range s.Open(one.reason) {
			details = append(details, open(item))
		}
		if len(details) > 0 {
			g.add(one.name, Missing, found, details...)
		} else {
			g.add(one.name, Passed, found)
		}
	}
	g.ledger(s)
}

func open(item *review.ItemStanding) string {
	text := item.CaseID + ": no verdict"
	if len(item.Stale) > 0 {
		text = item.CaseID + ": its verdict is stale, the rows have changed since"
	}
	var flags []string
	for _, side := range item.Flags {
		for _, flag := range side {
			if !slices.Contains(flags, string(flag)) {
				flags = append(flags, string(flag))
			}
		}
	}
	if len(flags) > 0 {
		text += " (" + strings.Join(flags, ", ") + ")"
	}
	return text
}

// ledger tells damage, open disagreements and disputes.
func (g *checker) ledger(s *review.Standing) {
	var missing []string
	for _, item := range s.Disagreements() {
		missing = append(missing, item.CaseID+": reviewers differ")
	}
	found := fmt.Sprintf("%s by %s", count(len(g.Ledger.Entries), "entry"), count(len(s.Reviewers), "reviewer"))
	found = strings.ReplaceAll(found, "entrys", "entries")
	if disputed := s.Disputed(false); len(disputed) > 0 {
		found += "; disputed grades, reported beside the result: " + strings.Join(disputed, ", ")
	}
	warnings := g.Ledger.Warnings()
	switch {
	case len(missing) > 0:
		g.add(Ledger, Missing, found, append(missing, warnings...)...)
	case len(warnings) > 0:
		g.add(Ledger, Noted, found, warnings...)
	default:
		g.add(Ledger, Passed, found)
	}
}
