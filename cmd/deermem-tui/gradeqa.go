package main

import (
	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/report"
)

func newGradeQA(std stdio) *cobra.Command {
	var flags stageFlags
	var accepted string
	var peeking, yes bool
	c := &cobra.Command{
		Use:   "grade-qa",
		Short: "Grade a complete QA run and compare the policies in pairs",
		Long: `Checks that the run folder holds every row of this very study, grades each
prediction against its reference answer, and writes qa.rows.jsonl,
qa.summary.json and qa.stats.json. Nothing is written unless everything holds.

Rows that are no plain answers must be called again (run-qa --retry) or accepted
(--accept) first. --peek shows grades before every row is there: it asks, is
recorded in the run folder, and is reported with the results.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			take, err := states("accept", accepted)
			if err != nil {
				return err
			}
			s, err := flags.open(cmd.Context(), std, nil)
			if err != nil {
				return err
			}
			if peeking {
				return peek(cmd.Context(), std, s.study, s.target, yes, flags.asJSON)
			}
			if len(take) > 0 {
				if _, err := pipeline.Accept(s.study, s.target, take); err != nil {
					return err
				}
			}
			result, err := pipeline.GradeQA(cmd.Context(), s.study, s.target, s.sink)
			if err != nil {
				return err
			}
			return flags.print(std.out, func() map[string]any { return gradeDoc(result) }, append(result.Remarks(), result.Lines()...)...)
		},
	}
	flags.register(c)
	acceptFlag(c.Flags(), &accepted)
	c.Flags().BoolVar(&peeking, "peek", false, "show the grades of the rows that are there; recorded and reported")
	c.Flags().BoolVar(&yes, "yes", false, "confirm --peek without being asked")
	return c
}

func gradeDoc(r pipeline.GradeResult) map[string]any {
	suites := map[string]any{}
	for _, named := range []struct {
		name  string
		suite report.Suite
	}{{"official", r.Stats.Official}, {"synthetic", r.Stats.Synthetic}, {"overall", r.Stats.Overall}} {
		s := named.suite
		suites[named.name] = map[string]any{
			"cases": s.Cases, "first_correct": s.FirstCorrect(), "second_correct": s.SecondCorrect(),
			"both_correct": s.BothCorrect, "both_wrong": s.BothWrong,
			"only_first_correct": s.OnlyFirstCorrect, "only_second_correct": s.OnlySecondCorrect,
			"p_value": s.PValue, "mean_difference": s.MeanDifference,
			"lower": s.Bootstrap.Lower, "upper": s.Bootstrap.Upper,
		}
	}
	for _, s := range r.Suites {
		suite := suites[s.Name].(map[string]any)
		warnings := []any{}
		for _, w := range s.Warnings() {
			warnings = append(warnings, w)
		}
		suite["warnings"] = warnings
	}
	doubts, looks := []any{}, []any{}
	for _, d := range r.Doubts {
		doubts = append(doubts, map[string]any{"row_id": d.RowID, "state": d.State, "note": d.Note})
	}
	for _, l := range r.Looks {
		looks = append(looks, map[string]any{"at": l.At, "rows": l.Rows, "of": l.Of})
	}
	return map[string]any{
		"rows": len(r.Rows), "output_dir": r.Dir, "policies": r.Stats.Policies[:], "suites": suites,
		"accepted_without_plain_answer": doubts, "looks_before_the_end": looks, "models": r.Models,
	}
}
