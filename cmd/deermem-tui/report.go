package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	publication "deermem-tui/engine/gate"
	"deermem-tui/engine/report/page"
	"deermem-tui/engine/review"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/widget"
)

func newReport(std stdio) *cobra.Command {
	var protocol protocolFlags
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Write a report of a graded run: HTML, Markdown, CSV and JSON",
		Long: `Writes the report of the graded run in DIR into a folder of its own: ` + page.HTMLFile + `, which
needs nothing beside it and no script, ` + page.MarkdownFile + `, ` + page.CSVFile + ` with one line a row, and
` + page.JSONFile + ` with every figure. Files that exist are never overwritten.

It states protocol and identity, the model served, every figure with its warnings,
the flags, the review and what its disputes would change, looks before the end,
what was accepted, the checklist of publish-check, and how to recompute it. It
holds no question, fact, reference answer, answer text, note or credential.`,
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
			queue, ledger, err := reviewOf(run, s)
			if err != nil {
				return err
			}
			if queue == nil {
				return usageError{fmt.Errorf("%s: %w", run.Dir.Path(), run.BookErr)}
			}
			checks, err := publication.Run(ctx, publication.Input{Run: run, Study: s, Queue: queue, Ledger: ledger})
			if err != nil {
				return err
			}
			r, err := page.New(page.Input{Run: run, Study: s, Standing: review.Stand(queue, ledger), Gate: checks, Program: versionText(), Clean: widget.Clean})
			if err != nil {
				return usageError{err}
			}
			files, err := r.Files()
			if err != nil {
				return err
			}
			if out == "" {
				if out, err = filepath.Abs(run.Dir.Path()); err != nil {
					return err
				}
				out = "report-" + filepath.Base(out)
			}
			if err := writeReport(out, files); err != nil {
				return err
			}
			if asJSON {
				return printJSON(std.out, map[string]any{"output_dir": out, "files": page.Names(), "publishable": checks.Open()})
			}
			lines := []string{}
			for _, name := range page.Names() {
				lines = append(lines, "wrote "+widget.Clean(filepath.Join(out, name)))
			}
			if !checks.Open() {
				lines = append(lines, "the run is not to be published yet: see publish-check")
			}
			return printLines(std.out, lines...)
		}),
	}
	protocol.register(c.Flags(), true)
	c.Flags().StringVar(&out, "output-dir", "", "folder of the report (default report-NAME in the current folder)")
	jsonFlag(c, &asJSON)
	return c
}

// writeReport writes the files, all new or none.
func writeReport(folder string, files map[string][]byte) error {
	dir, err := rundir.Create(folder)
	if err != nil {
		return err
	}
	if err := dir.CheckNew(page.Names()...); err != nil {
		return err
	}
	for _, name := range page.Names() {
		if err := dir.WriteNew(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}
