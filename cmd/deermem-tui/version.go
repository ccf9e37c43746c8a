package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/grading"
)

// version is the program's own; releases follow CHANGELOG.md.
const version = "0.1.0"

func newVersion(std stdio) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, its policy and its grader",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return printJSON(std.out, map[string]any{
					"version": version, "commit": commit(), "go": runtime.Version(),
					"policy": eviction.NameHybridV1, "grader": grading.Version,
				})
			}
			return printLines(std.out, versionText())
		},
	}
	jsonFlag(c, &asJSON)
	return c
}

func versionText() string {
	return fmt.Sprintf("deermem-tui %s (commit %s, %s) policy %s, grader %s",
		version, commit(), runtime.Version(), eviction.NameHybridV1, grading.Version)
}

// commit gives the revision the binary was built from, if the build knew it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return setting.Value[:12]
		}
	}
	return "unknown"
}
