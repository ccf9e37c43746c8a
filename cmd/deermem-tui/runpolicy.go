package main

import (
	"context"

	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
)

func newRunPolicy(std stdio) *cobra.Command {
	var flags stageFlags
	c := &cobra.Command{
		Use:   "run-policy",
		Short: "Apply both policies to every pool at every capacity",
		Long: `Validates the protocol and its dataset, then writes run.json, policy.raw.jsonl
and summary.json to the run folder. Results that exist are never overwritten.`,
		Args: cobra.NoArgs,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			s, err := flags.open(ctx, std, nil)
			if err != nil {
				return err
			}
			result, err := pipeline.RunPolicy(ctx, s.study, s.target, s.sink)
			if err != nil {
				return err
			}
			return flags.print(std.out, func() map[string]any { return policyDoc(result) }, result.Line())
		}),
	}
	flags.register(c)
	return c
}

func policyDoc(r pipeline.PolicyResult) map[string]any {
	groups := make([]any, len(r.Groups))
	for i, g := range r.Groups {
		groups[i] = map[string]any{
			"source": g.Source, "scenario": g.Scenario, "capacity": g.Capacity, "policy": g.Policy,
			"cases": g.Cases, "support_all_retained": g.AllRetained,
		}
	}
	return map[string]any{"rows": r.Rows, "cases": r.Cases, "output_dir": r.Dir, "groups": groups}
}
