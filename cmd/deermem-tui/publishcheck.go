package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	publication "deermem-tui/engine/gate"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/study"
	"deermem-tui/ui/widget"
)

// errNotPublishable is a run that the gate does not let through.
var errNotPublishable = errors.New("not to be published yet")

func newPublishCheck(std stdio) *cobra.Command {
	var protocol protocolFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "publish-check DIR",
		Short: "Check that a graded run may be published",
		Long: `Makes the checklist of a publication over the run folder DIR: every row there and
answered or decided, hashes that agree, figures that follow from the rows to the
last bit, the suites apart, the A/A noise floor known, every discordant pair and
flag reviewed on the rows as they are, and no credential, private path or
dataset text in any file. The exit code is 0 where nothing is wrong or missing,
else 1; every check that is not passed names exactly what.

What needs the protocol and its dataset is "not run" without them, which does not
keep the gate shut.`,
		Annotations: map[string]string{takesArgs: "DIR"},
		Args:        oneFolder,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			run, err := gradedRun(ctx, cmd.Flags().Arg(0))
			if err != nil {
				return err
			}
			s, err := studyOf(ctx, std, &protocol, run)
			if err != nil {
				return err
			}
			in := publication.Input{Run: run, Study: s}
			if in.Queue, in.Ledger, err = reviewOf(run, s); err != nil {
				return err
			}
			result, err := publication.Run(ctx, in)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(std.out, map[string]any{"version": 1, "path": result.Path, "publishable": result.Open(), "checks": result.Checks})
			} else {
				err = printLines(std.out, gateLines(result)...)
			}
			if err != nil {
				return err
			}
			if blocking := result.Blocking(); len(blocking) > 0 {
				var names []string
				for _, check := range blocking {
					names = append(names, check.Name)
				}
				return fmt.Errorf("%s: %w: %s", result.Path, errNotPublishable, strings.Join(names, ", "))
			}
			return nil
		}),
	}
	protocol.register(c.Flags(), true)
	jsonFlag(c, &asJSON)
	return c
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
var gateSigns = map[publication.State]string{publication.Passed: "ok  ", publication.Failed: "FAIL", publication.Missing: "TODO", publication.NotRun: "-   ", publication.Noted: "note"}

func gateLines(r *publication.Result) []string {
	var lines []string
	for _, c := range r.Checks {
		lines = append(lines, fmt.Sprintf("%s  %-25s  %s", gateSigns[c.State], c.Name, widget.Clean(c.Found)))
		for _, detail := range c.Details {
			lines = append(lines, "      "+widget.Clean(detail))
		}
	}
	if r.Open() {
		return append(lines, "nothing is wrong or missing: the run may be published")
	}
	return lines
}
