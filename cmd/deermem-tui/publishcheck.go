package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"deermem-tui/engine/gate"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/ui/widget"
)

// errNotPublishable is a run that the gate does not let through.
var errNotPublishable = errors.New("not to be published yet")

func newPublishCheck(std stdio) *cobra.Command {
	var protocol protocolFlags
	var asJSON, requireAll bool
	c := &cobra.Command{
		Use:   "publish-check DIR",
		Short: "Check that a graded run may be published",
		Long: `Makes the checklist of a publication over the run folder DIR: nobody writes it,
every row there and answered or decided, columns that can be true together,
documents, answers and rows that agree, everything that the protocol pins or
gives made again, figures that follow from the rows to the last bit, the suites
apart, the A/A noise floor known, every discordant pair and flag reviewed on the
rows as they are, and no credential, private path or dataset text in any file.
The exit code is 0 where nothing is wrong or missing, else 1; every check that is
not passed names exactly what.

What needs the protocol and its dataset is "not run" without them, and the last
line names it. That does not keep the gate shut, but with --require-all, which is
for machines that have both.`,
		Example:     "  deermem-tui publish-check runs/a\n  deermem-tui publish-check runs/a --require-all --json",
		Annotations: map[string]string{takesArgs: "DIR"},
		Args:        oneFolder,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			if err := refuseEmpty(cmd); err != nil {
				return err
			}
			result, err := checklist(ctx, std, cmd.Flags().Arg(0), &protocol, requireAll)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(std.out, map[string]any{"version": 1, "path": result.Path, "publishable": result.Open(), "require_all": requireAll,
					"not_run": gate.Names(result.NotRun()), "conclusion": result.Conclusion(), "checks": result.Checks})
			} else {
				err = printLines(std.out, gateLines(result)...)
			}
			if err != nil {
				return err
			}
			if blocking := result.Blocking(); len(blocking) > 0 {
				return fmt.Errorf("%s: %w: %s", result.Path, errNotPublishable, strings.Join(gate.Names(blocking), ", "))
			}
			return nil
		}),
	}
	protocol.register(c.Flags(), true)
	c.Flags().BoolVar(&requireAll, "require-all", false, "fail where a check could not be run, too")
	jsonFlag(c, &asJSON)
	return c
}

// checklist makes the checklist of a folder, also of one whose rows cannot be
// read, where that is what it says.
func checklist(ctx context.Context, std stdio, path string, protocol *protocolFlags, requireAll bool) (*gate.Result, error) {
	run, err := gradedRun(ctx, path)
	if unreadableRows(ctx, err) {
		return gate.Unreadable(path, err, requireAll), nil
	}
	if err != nil {
		return nil, err
	}
	s, err := studyOf(ctx, std, protocol, run)
	if err != nil {
		return nil, err
	}
	p, err := publicationOf(ctx, run, s)
	if err != nil {
		return nil, err
	}
	p.checks.RequireAll = requireAll
	return p.checks, nil
}

// unreadableRows tells graded rows that are there and damaged from a folder that
// has none or cannot be read at all.
func unreadableRows(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() == nil && !errors.Is(err, gradedrun.ErrNotGraded) && !matches[*rundir.FileError](err)
}

// reviewOf gives the queue of a run, with the seed and sample that its ledger
// records, and the ledger. The queue is nil where the rows form no pairs.
func reviewOf(run *gradedrun.Run, s *study.Study) (*review.Queue, *review.Ledger, error) {
	ledger, err := review.ReadLedger(run.Dir)
	if err != nil || run.Book == nil {
		return nil, ledger, err
	}
	options := review.Options{Seed: review.DefaultSeed(run), References: references(s)}
	if seed, sample, ok := ledger.Seed(); ok {
		options.Seed, options.Sample = seed, sample
	}
	q, err := review.NewQueue(run, options)
	return q, ledger, err
}

// gateSigns stand before a check, so that the list can be read at a glance.
var gateSigns = map[gate.State]string{gate.Passed: "ok  ", gate.Failed: "FAIL", gate.Missing: "TODO", gate.NotRun: "-   ", gate.Noted: "note"}

func gateLines(r *gate.Result) []string {
	var lines []string
	for _, c := range r.Checks {
		lines = append(lines, fmt.Sprintf("%s  %-25s  %s", gateSigns[c.State], c.Name, widget.Clean(c.Found)))
		for _, detail := range c.Details {
			lines = append(lines, "      "+widget.Clean(detail))
		}
	}
	return append(lines, widget.Clean(r.Conclusion()))
}
