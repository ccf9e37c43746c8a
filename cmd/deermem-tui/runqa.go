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
	var stage stageFlags
	var flags qaFlags
	var offline bool
	c := &cobra.Command{
		Use:   "run-qa",
		Short: "Ask every question from what each policy kept; resumes by itself",
		Long: `Asks the provider every question of the study, once from what each policy kept,
and stores each answer as it comes. Rows that are stored and match are reused,
so running the command again resumes. The first ctrl+c lets the calls in flight
finish, the second abandons them; finished rows are kept either way.

A reply that is no plain answer (empty, truncated, refused, malformed) is stored
and named at the end: call such rows again with --retry, or take them as they
are with --accept. In a folder that is graded already no row is called unless
--regrade says so. --max-calls, --max-tokens-total and --stop-after-failures
stop a run before it costs more.

The provider's address and key are read from the environment variables that the
configuration names. The sample is answered offline and needs neither.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			options, err := flags.options()
			if err != nil {
				return err
			}
			var from provider
			opening, opened := untilSignal(cmd) // until questions are asked, the first signal ends it
			s, err := stage.open(opening, std, func(c *study.Contracts) error {
				if from, err = newProvider(c.Config.QA, offline); err != nil {
					return err
				}
				return from.check()
			})
			interrupted := opening.Err() != nil
			opened()
			if interrupted {
				return errInterrupted
			}
			if err != nil {
				return err
			}
			answerer, closeAnswerer, err := from.start(ctx)
			if err != nil {
				return err
			}
			defer closeAnswerer()
			tell := func(text string) {
				if s.sink != nil {
					s.sink(pipeline.Note{Stage: pipeline.StageQA, At: time.Now(), Text: text})
				}
			}
			for _, line := range from.announce() {
				tell(line)
			}
			ctx, drain, stop := drainOnSignal(ctx, func() { hurry(cmd) }, tell)
			defer stop()
			options.Answerer, options.Drain = answerer, drain
			result, err := pipeline.RunQA(ctx, s.study, s.target, options, s.sink)
			err = failedRows(result, err)
			if !started(result, err) {
				return err
			}
			return errors.Join(err, stage.print(std.out, func() map[string]any { return qaDoc(result) }, result.Line()))
		},
	}
	stage.register(c)
	flags.register(c.Flags())
	c.Flags().BoolVar(&offline, "offline", false, "answer with the offline answerer instead of the provider")
	return c
}

// started tells whether a run came as far as its rows.
func started(r pipeline.QAResult, err error) bool {
	return err == nil || r.Reused+r.Called+len(r.Failed)+r.Missing+r.Gone > 0
}

// failedRows adds to an error which rows failed and why. Of many that failed
// alike only the first are told.
func failedRows(r pipeline.QAResult, err error) error {
	if err == nil || len(r.Failed) == 0 {
		return err
	}
	const shown = 3
	alike, told := map[string]int{}, map[string]int{}
	for _, f := range r.Failed {
		alike[f.Err.Error()]++
	}
	var lines strings.Builder
	for _, f := range r.Failed {
		problem := f.Err.Error()
		told[problem]++
		switch n := alike[problem]; {
		case n <= shown+1 || told[problem] <= shown:
			fmt.Fprintf(&lines, "\n%s: %s", f.RowID, problem)
		case told[problem] == n:
			fmt.Fprintf(&lines, "\nand %d more rows: %s", n-shown, problem)
		}
	}
	return fmt.Errorf("%w%s", err, lines.String())
}

func qaDoc(r pipeline.QAResult) map[string]any {
	failed := make([]any, len(r.Failed))
	for i, f := range r.Failed {
		failed[i] = map[string]any{"row_id": f.RowID, "problem": f.Err.Error()}
	}
	doubts := make([]any, len(r.Doubts))
	for i, d := range r.Doubts {
		doubts[i] = map[string]any{"row_id": d.RowID, "state": d.State, "note": d.Note, "accepted": d.Accepted}
	}
	others := append([]string{}, r.Other...)
	doc := map[string]any{
		"reused": r.Reused, "called": r.Called, "failed": failed, "missing": r.Missing, "retries_failed": r.RetriesFailed, "retries_not_made": r.Waiting, "rows_gone": r.Gone, "output_dir": r.Dir,
		"no_plain_answers": doubts, "answered_by_other": others, "rows": r.Facts.Rows, "calls_of_this_start": r.Facts.CallsNow, "calls_of_all_starts": r.Facts.Calls,
		"calls_cut_off": r.Facts.Cut, "answers_lost": r.Lost,
		"replies_without_usage": r.Facts.Tokens.Untold, "counts_are_least": r.Facts.Least,
		"tokens": r.Facts.Tokens.Total, "tokens_in": r.Facts.Tokens.In, "tokens_out": r.Facts.Tokens.Out,
		"seconds_of_all_starts": r.Facts.Elapsed.Seconds(),
	}
	switch r.Facts.CostKnown() {
	case pipeline.CostWhole:
		doc["cost"] = r.Facts.Cost
	case pipeline.CostPart:
		doc["cost_at_least"] = r.Facts.Cost
	}
	return doc
}
