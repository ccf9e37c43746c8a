package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

func newValidateContracts(std stdio) *cobra.Command {
	var protocol protocolFlags
	var progress progressFlag
	var asJSON bool
	c := &cobra.Command{
		Use:   "validate-contracts",
		Short: "Check a protocol's files without a dataset",
		Long: `Checks the configuration, both manifests and the answer prompt of a protocol:
every key known and in bounds, one protocol ID, the grader's version, the
prompt's SHA-256. Prints the five hashes that make up the identity of a run;
the dataset's is the one that the protocol pins.`,
		Args: cobra.NoArgs,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			location, err := protocol.location()
			if err != nil {
				return err
			}
			sink, err := progress.sink(std)
			if err != nil {
				return err
			}
			contracts, err := pipeline.Contracts(location, nil, sink)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(std.out, contractsDoc(contracts))
			}
			return printLines(std.out, append(hashLines(contracts),
				fmt.Sprintf("contracts of %s are valid", contracts.Config.ProtocolID))...)
		}),
	}
	protocol.register(c.Flags(), false)
	progress.register(c.Flags())
	jsonFlag(c, &asJSON)
	return c
}

func newValidate(std stdio) *cobra.Command {
	var protocol protocolFlags
	var progress progressFlag
	var asJSON bool
	c := &cobra.Command{
		Use:   "validate",
		Short: "Check a protocol and its dataset, and build the pools",
		Long: `Makes the checks of validate-contracts, then confirms the dataset's SHA-256,
reads its rows, selects the cases again by the protocol's rules, compares them
with the manifest, and builds every pool.`,
		Args: cobra.NoArgs,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			s, err := openStudy(ctx, std, &protocol, &progress)
			if err != nil {
				return err
			}
			if asJSON {
				doc := contractsDoc(s.Contracts)
				doc["dataset_rows"] = s.Rows
				doc["cases"] = len(s.Pools.Cases)
				doc["bank"] = len(s.Pools.Bank)
				return printJSON(std.out, doc)
			}
			return printLines(std.out, append(hashLines(s.Contracts),
				fmt.Sprintf("%s is valid: %d cases of %d facts, %d distractors in the bank, %d dataset rows",
					s.Config.ProtocolID, len(s.Pools.Cases), s.Config.Pool.Size, len(s.Pools.Bank), s.Rows))...)
		}),
	}
	protocol.register(c.Flags(), true)
	progress.register(c.Flags())
	jsonFlag(c, &asJSON)
	return c
}

func hashLines(c *study.Contracts) []string {
	var lines []string
	for _, hash := range c.Identity.List() {
		lines = append(lines, fmt.Sprintf("%-26s %s", hash.Key, hash.SHA256))
	}
	return lines
}

func contractsDoc(c *study.Contracts) map[string]any {
	hashes := map[string]any{}
	for _, hash := range c.Identity.List() {
		hashes[hash.Key] = hash.SHA256
	}
	return map[string]any{"protocol_id": c.Config.ProtocolID, "artifacts": hashes}
}
