package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

func newRunQA(std stdio) *cobra.Command {
	var protocol protocolFlags
	var progress progressFlag
	var dir string
	var offline, asJSON bool
	c := &cobra.Command{
		Use:   "run-qa",
		Short: "Ask every question from what each policy kept; resumes by itself",
		Long: `Asks the provider every question of the study, once from what each policy kept,
and stores each answer as it comes. Rows that are stored and match are reused,
so running the command again resumes. The first ctrl+c lets the calls in flight
finish, the second abandons them; finished rows are kept either way.

The provider's address and key are read from the environment variables that the
configuration names. The sample is answered offline and needs neither.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			t, err := target(ctx, dir)
			if err != nil {
				return err
			}
			// Before the dataset is touched: a missing variable should not
			// cost the time to read it.
			location, err := protocol.location()
			if err != nil {
				return err
			}
			contracts, err := study.LoadContracts(location, nil)
			if err != nil {
				return err
			}
			provider, err := newProvider(contracts.Config.QA, offline)
			if err != nil {
				return err
			}
			if err := provider.check(); err != nil {
				return err
			}
			s, err := openStudy(ctx, std, &protocol, &progress)
			if err != nil {
				return err
			}
			sink, err := progress.sink(std)
			if err != nil {
				return err
			}
			answerer, closeAnswerer, err := provider.start(ctx)
			if err != nil {
				return err
			}
			defer closeAnswerer()
			sink = oneAtATime(sink)
			ctx, drain, stop := drainOnSignal(ctx, func(text string) {
				if sink != nil {
					sink(pipeline.Note{Stage: pipeline.StageQA, At: time.Now(), Text: text})
				}
			})
			defer stop()
			result, err := pipeline.RunQA(ctx, s, t, pipeline.QAOptions{Answerer: answerer, Drain: drain}, sink)
			err = failedRows(result, err)
			switch {
			case !started(result, err):
				return err
			case asJSON:
				return errors.Join(err, printJSON(std.out, qaDoc(result)))
			}
			return errors.Join(err, printLines(std.out, result.Line()))
		},
	}
	protocol.register(c.Flags(), true)
	outputDirFlag(c, &dir)
	progress.register(c.Flags())
	c.Flags().BoolVar(&offline, "offline", false, "answer with the offline answerer instead of the provider")
	jsonFlag(c, &asJSON)
	return c
}

// started tells whether a run came as far as its rows.
func started(r pipeline.QAResult, err error) bool {
	return err == nil || r.Reused+r.Called+len(r.Failed)+r.Missing > 0
}

// failedRows adds to an error which rows failed and why.
func failedRows(r pipeline.QAResult, err error) error {
	if err == nil || len(r.Failed) == 0 {
		return err
	}
	lines := make([]string, len(r.Failed))
	for i, f := range r.Failed {
		lines[i] = fmt.Sprintf("\n%s: %v", f.RowID, f.Err)
	}
	return fmt.Errorf("%w%s", err, strings.Join(lines, ""))
}

func qaDoc(r pipeline.QAResult) map[string]any {
	failed := make([]any, len(r.Failed))
	for i, f := range r.Failed {
		failed[i] = map[string]any{"row_id": f.RowID, "problem": f.Err.Error()}
	}
	return map[string]any{"reused": r.Reused, "called": r.Called, "failed": failed, "missing": r.Missing, "output_dir": r.Dir}
}
