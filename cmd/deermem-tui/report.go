package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"deermem-tui/engine/report/page"
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
` + page.JSONFile + ` with every figure. Files that exist are never overwritten; of a
report that is incomplete, what says the same is kept and the rest is added.

It states protocol and identity, the model served, every figure with its warnings,
the flags, the review and what its disputes would change, looks before the end,
what was accepted, the checklist of publish-check, and how to recompute it. It
holds no question, fact, reference answer, answer text, note or credential.`,
		Annotations: map[string]string{takesArgs: "DIR"},
		Args:        oneFolder,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			if err := refuseEmpty(cmd); err != nil {
				return err
			}
			run, err := gradedRun(ctx, cmd.Flags().Arg(0))
			if err != nil {
				return err
			}
			s, err := studyOf(ctx, std, &protocol, run)
			if err != nil {
				return err
			}
			p, err := publicationOf(ctx, run, s)
			if err != nil {
				return err
			}
			if out == "" {
				if out, err = filepath.Abs(run.Dir.Path()); err != nil {
					return err
				}
				out = "report-" + filepath.Base(out)
			}
			if err := p.write(out); err != nil {
				return err
			}
			if asJSON {
				return printJSON(std.out, map[string]any{"output_dir": out, "files": page.Names(), "publishable": p.checks.Open()})
			}
			lines := []string{}
			for _, name := range page.Names() {
				lines = append(lines, "wrote "+widget.Clean(filepath.Join(out, name)))
			}
			if !p.checks.Open() {
				lines = append(lines, "the run is not to be published yet: see publish-check")
			} else if skipped := p.checks.NotRun(); len(skipped) > 0 {
				lines = append(lines, p.checks.Conclusion())
			}
			return printLines(std.out, lines...)
		}),
	}
	protocol.register(c.Flags(), true)
	c.Flags().StringVar(&out, "output-dir", "", "folder of the report (default report-NAME in the current folder)")
	jsonFlag(c, &asJSON)
	return c
}
