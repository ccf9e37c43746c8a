package main

import (
	"github.com/spf13/cobra"

	deermemtui "deermem-tui"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
)

// complete gives the shell the values of a flag.
func complete(c *cobra.Command, flag string, values ...string) {
	// The only error is a flag that does not exist, which a test would find.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeFlags gives the shell the values of the flags that several commands share.
func completeFlags(c *cobra.Command) {
	for flag, values := range map[string][]string{
		"protocol":   deermemtui.Protocols(),
		progressName: {"auto", "plain", progressJSON, "none"},
		"mouse":      {"on", "off"},
	} {
		if c.Flags().Lookup(flag) != nil {
			complete(c, flag, values...)
		}
	}
	for _, flag := range []string{"protocol-dir", "output-dir", "runs-dir"} {
		if c.Flags().Lookup(flag) != nil {
			_ = c.MarkFlagDirname(flag)
		}
	}
	for flag, endings := range map[string][]string{"config": {"yaml", "yml"}, "official-manifest": {"json"}, "synthetic-manifest": {"json"}} {
		if c.Flags().Lookup(flag) != nil {
			_ = c.MarkFlagFilename(flag, endings...)
		}
	}
}

// completeCases gives the shell the IDs of the study's cases.
func completeCases(c *cobra.Command, protocol *protocolFlags) {
	_ = c.RegisterFlagCompletionFunc("case", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		location, err := protocol.location()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		dataset, err := protocol.source()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		s, err := pipeline.Validate(cmd.Context(), location, dataset, nil, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var ids []string
		for _, e := range casebook.New(s).Entries {
			ids = append(ids, e.Case.ID+"\t"+e.Case.Scenario)
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	})
}
