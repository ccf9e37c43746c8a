package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"deermem-tui/engine/compare"
	"deermem-tui/engine/gate"
	"deermem-tui/engine/gate/secret"
	"deermem-tui/engine/report/page"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/study"
	"deermem-tui/ui"
	"deermem-tui/ui/widget"
)

// publication is a graded run with everything that its checklist and its report
// are made of. The commands and the application make them of the same.
type publication struct {
	run    *gradedrun.Run
	study  *study.Study  // nil where it is not at hand
	queue  *review.Queue // nil where the rows form no pairs
	ledger *review.Ledger
	checks *gate.Result
}

// publicationOf makes the checklist of a run.
func publicationOf(ctx context.Context, run *gradedrun.Run, s *study.Study) (*publication, error) {
	p := &publication{run: run, study: s}
	var err error
	if p.queue, p.ledger, err = reviewOf(run, s); err != nil {
		return nil, err
	}
	in := gate.Input{Run: run, Study: s, Queue: p.queue, Ledger: p.ledger, Shipped: shippedContracts(), Secrets: secretsOf(run)}
	if s == nil && os.Getenv(datasetVariable) != "" {
		in.Unused = "the dataset of $" + datasetVariable
	}
	p.checks, err = gate.Run(ctx, in)
	return p, err
}

// shippedName gives the name of the shipped protocol that a run is of, if any.
func shippedName(run *gradedrun.Run) string {
	for _, contracts := range shippedContracts() {
		if run.Doc != nil && contracts.Identity == run.Doc.Artifacts {
			return contracts.Location.Name
		}
	}
	return ""
}

// secretsOf gives what must be in no file of a run whatever its shape. The review
// refuses the same when it records.
func secretsOf(run *gradedrun.Run) []secret.Named {
	name := ""
	if run.Doc != nil {
		name = run.Doc.QA.APIKeyEnv
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	} else {
		home = filepath.Clean(home)
	}
	return secret.Environment(os.Environ(), name, home)
}

// report gives the files of the report, each checked.
func (p *publication) report() (map[string][]byte, error) {
	if p.queue == nil {
		return nil, usageError{fmt.Errorf("%s: %w", p.run.Dir.Path(), p.run.BookErr)}
	}
	r, err := page.New(page.Input{Run: p.run, Study: p.study, Standing: review.Stand(p.queue, p.ledger), Gate: p.checks, Program: versionText(), Shipped: shippedName(p.run), Secrets: secretsOf(p.run), Clean: widget.Clean})
	if err != nil {
		return nil, usageError{err}
	}
	return r.Files()
}

// write writes the report into a folder of its own.
func (p *publication) write(folder string) error {
	if err := page.CheckFolder(folder, p.run.Dir.Path()); err != nil {
		return usageError{err}
	}
	files, err := p.report()
	if err != nil {
		return err
	}
	err = page.Write(folder, files)
	if matches[*page.TakenError](err) {
		return usageError{err}
	}
	return err
}

var _ ui.Publisher = (*library)(nil)

// Compare compares two graded runs, as diff does.
func (l *library) Compare(ctx context.Context, a, b string, across bool) (*compare.Result, error) {
	first, err := gradedrun.Load(ctx, a)
	if err != nil {
		return nil, err
	}
	second, err := gradedrun.Load(ctx, b)
	if err != nil {
		return nil, err
	}
	return compare.Compare(first, second, compare.Options{AcrossProtocols: across})
}

// Check makes the checklist of a run, as publish-check does.
func (l *library) Check(ctx context.Context, path string) (*gate.Result, error) {
	run, err := gradedrun.Load(ctx, path)
	if unreadableRows(ctx, err) {
		return gate.Unreadable(path, err, false), nil
	}
	if err != nil {
		return nil, err
	}
	p, err := l.publication(ctx, run)
	if err != nil {
		return nil, err
	}
	return p.checks, nil
}

// Report writes the report of a run into a folder, as report does.
func (l *library) Report(ctx context.Context, path, folder string) (*gate.Result, error) {
	run, err := gradedrun.Load(ctx, path)
	if err != nil {
		return nil, err
	}
	p, err := l.publication(ctx, run)
	if err != nil {
		return nil, err
	}
	return p.checks, p.write(folder)
}

// publication takes a run with the study it is of, where that is at hand.
func (l *library) publication(ctx context.Context, run *gradedrun.Run) (*publication, error) {
	var s *study.Study
	var err error
	if run.Doc != nil {
		if one := l.find(run.Doc.Artifacts); one != nil && one.source != nil {
			if s, err = one.source.Study(ctx); err != nil {
				return nil, err
			}
		}
	}
	return publicationOf(ctx, run, s)
}
