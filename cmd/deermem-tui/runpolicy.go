package main

import (
	"context"

	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
)

func newRunPolicy(std stdio) *cobra.Command {
	var protocol protocolFlags
	var progress progressFlag
	var dir string
	var asJSON bool
	c := &cobra.Command{
		Use:   "run-policy",
		Short: "Apply both policies to every pool at every capacity",
		Long: `Validates the protocol and its dataset, then writes run.json, policy.raw.jsonl
and summary.json to the run folder. Results that exist are never overwritten.`,
		Args: cobra.NoArgs,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			t, err := target(ctx, dir)
			if err != nil {
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
			result, err := pipeline.RunPolicy(ctx, s, t, sink)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(std.out, policyDoc(result))
			}
			return printLines(std.out, result.Line())
		}),
	}
	protocol.register(c.Flags(), true)
	outputDirFlag(c, &dir)
	progress.register(c.Flags())
	jsonFlag(c, &asJSON)
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
