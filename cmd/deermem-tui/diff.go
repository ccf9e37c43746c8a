package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"deermem-tui/engine/compare"
	"deermem-tui/ui/widget"
)

// failures gives what --fail-on may name, in the order it is told.
func failures() []string {
	var names []string
	for _, kind := range compare.Kinds() {
		names = append(names, kind.Name)
	}
	return append(names, "missing", "any")
}

// errNothingCompared is a comparison that says nothing.
var errNothingCompared = errors.New("the runs have no row in common, so nothing was compared")

// errDiffers is a difference that --fail-on names.
var errDiffers = errors.New("the runs differ")

func newDiff(std stdio) *cobra.Command {
	var asJSON, markdown, across bool
	var failOn []string
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two graded runs row by row",
		Long: `Compares the graded runs in the folders A and B: first what identifies them, then
the facts kept, the texts, the grades and which way they flipped, and a paired
test between the runs under each policy. Rows that one run lacks are named.

While rows are missing in one of the runs no grade is told, and --fail-on flips
fails.

Runs of different protocols are refused, with what differs; --across-protocols
joins them all the same, and every output says so.

With --fail-on the exit code is 1 where something of that kind differs: flips,
kept (other facts), predictions, rules (of the grader), order (the same facts in
another order), requests, retention (what a row says of its support), models (that
answered), labels (source, scenario, type, capacity), usage (attempts or tokens),
missing, or any of them. It is 1, too, where the runs have no row in common.`,
		Example:     "  deermem-tui diff runs/a runs/b --fail-on flips\n  deermem-tui diff runs/a runs/b --markdown > comparison.md",
		Annotations: map[string]string{takesArgs: "A B"},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("diff takes two run folders, found %s; see %s --help", widget.Plural(len(args), "argument"), c.CommandPath())}
			}
			return nil
		},
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			if err := refuseEmpty(cmd); err != nil {
				return err
			}
			for _, name := range failOn {
				if !slices.Contains(failures(), name) {
					return usageError{fmt.Errorf("--fail-on %q: expected some of %s", name, strings.Join(failures(), ", "))}
				}
			}
			if asJSON && markdown {
				return usageError{errors.New("--json and --markdown are two outputs; give one of them")}
			}
			a, err := gradedRun(ctx, cmd.Flags().Arg(0))
			if err != nil {
				return err
			}
			b, err := gradedRun(ctx, cmd.Flags().Arg(1))
			if err != nil {
				return err
			}
			result, err := compare.Compare(a, b, compare.Options{AcrossProtocols: across})
			if result == nil || err != nil && !errors.Is(err, compare.ErrProtocols) {
				return usageError{err}
			}
			if printErr := printDiff(std, result, asJSON, markdown); printErr != nil {
				return printErr
			}
			if err != nil {
				return usageError{fmt.Errorf("%w (--across-protocols)", err)}
			}
			return failed(result, failOn)
		}),
	}
	jsonFlag(c, &asJSON)
	c.Flags().BoolVar(&markdown, "markdown", false, "print the result as Markdown")
	c.Flags().BoolVar(&across, "across-protocols", false, "join the rows although the protocols differ")
	c.Flags().StringSliceVar(&failOn, "fail-on", nil, "exit with 1 where these differ: "+strings.Join(failures(), ", "))
	complete(c, "fail-on", failures()...)
	return c
}

func printDiff(std stdio, r *compare.Result, asJSON, markdown bool) error {
	switch {
	case asJSON:
		return printJSON(std.out, r.Doc())
	case markdown:
		return printLines(std.out, strings.Split(strings.TrimRight(widget.CleanBlock(r.Markdown()), "\n"), "\n")...)
	}
	var lines []string
	for _, c := range r.Changes {
		verb := "differs"
		if strings.HasSuffix(c.What, "hashes") {
			verb = "differ"
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s in A, %s in B", c.What, verb, widget.Clean(c.A), widget.Clean(c.B)))
	}
	if !r.Joined {
		return printLines(std.out, append(lines, "the rows were not joined")...)
	}
	if len(r.Changes) == 0 {
		lines = append(lines, "one protocol: "+widget.Clean(r.ProtocolA))
	}
	kept, predictions, worse, better := r.Count()
	grades := fmt.Sprintf(", right to wrong %d, wrong to right %d", worse, better)
	if r.Sealed != "" {
		grades = ""
	}
	lines = append(lines, fmt.Sprintf("%s in both; other facts kept %d, another text %d%s", widget.Plural(r.Common, "row"), kept, predictions, grades))
	if others := r.Others(); len(others) > 0 {
		lines = append(lines, "besides: "+strings.Join(others, ", "))
	}
	for _, row := range r.Flips() {
		lines = append(lines, fmt.Sprintf("%s: %s (%s, then %s)", widget.Clean(row.RowID), row.Direction(), widget.Clean(row.RuleA), widget.Clean(row.RuleB)))
	}
	for _, row := range r.Unflipped() {
		lines = append(lines, fmt.Sprintf("%s: %s", widget.Clean(row.RowID), strings.Join(row.Ways(), ", ")))
	}
	for _, id := range r.OnlyB {
		lines = append(lines, "missing in A: "+widget.Clean(id))
	}
	for _, id := range r.OnlyA {
		lines = append(lines, "missing in B: "+widget.Clean(id))
	}
	for _, t := range r.Tests {
		lines = append(lines, fmt.Sprintf("%s, %s: A %d/%d right, B %d/%d; difference %+.3f [%+.3f, %+.3f], exact p = %.4g (secondary)", t.Suite, widget.Clean(t.Policy),
			t.McNemar.FirstCorrect(), t.McNemar.Pairs(), t.McNemar.SecondCorrect(), t.McNemar.Pairs(), t.Newcombe.Difference, t.Newcombe.Lower, t.Newcombe.Upper, t.McNemar.PValue))
	}
	for _, warning := range r.Warnings {
		lines = append(lines, "warning: "+widget.Clean(warning))
	}
	return printLines(std.out, lines...)
}

// failed gives the error that --fail-on asks for.
func failed(r *compare.Result, failOn []string) error {
	if r.Common == 0 {
		return errNothingCompared
	}
	var found []string
	add := func(name string, n int) {
		if slices.Contains(failOn, name) && n > 0 {
			found = append(found, fmt.Sprintf("%s %d", name, n))
		}
	}
	if r.Sealed != "" && slices.ContainsFunc([]string{"flips", "rules", "any"}, func(name string) bool { return slices.Contains(failOn, name) }) {
		found = append(found, r.Sealed) // what nobody may know cannot pass
	}
	missing := len(r.OnlyA) + len(r.OnlyB)
	for _, kind := range compare.Kinds() {
		add(kind.Name, r.Number(kind))
	}
	add("missing", missing)
	add("any", r.Different()+missing)
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", errDiffers, strings.Join(found, ", "))
}
