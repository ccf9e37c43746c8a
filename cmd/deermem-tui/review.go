package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// reviewFlags are those of the command review.
type reviewFlags struct {
	reviewer string
	next     bool
	caseID   string
	verdict  string
	agree    bool
	dispute  string
	note     string
	shown    string
	seed     uint64
	sample   int
}

func newReview(std stdio) *cobra.Command {
	var protocol protocolFlags
	var flags reviewFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "review DIR",
		Short: "List what of a graded run is to be looked at, show a pair blind, record a verdict",
		Long: `Without further flags it lists the review queue of the graded run in DIR: every
discordant pair, then pairs with a flagged row, then a sample of the others.

--next shows the next pair to a reviewer. The policies are called A and B, in an
order that follows from a recorded seed, until the reviewer's verdict is in the
ledger. --verdict records one, with --agree or --dispute A, B or A,B; a dispute
takes --shown with the code printed under the pair, so that A and B are those
that the reviewer saw. A dispute changes no grade; what it would change is
reported beside the result. A later
verdict on the same pair is a change of mind and a line of its own.

The ledger is DIR/` + review.LedgerFile + `, one line a verdict, only added to.
Questions and reference answers are shown where the dataset is at hand; they are
never stored, and a note that quotes them is refused.`,
		Example: `  deermem-tui review runs/a
  deermem-tui review runs/a --next --reviewer ann
  deermem-tui review runs/a --case 1cea1afa --reviewer ann --verdict abstention --agree --note "had it and declined"`,
		Annotations: map[string]string{takesArgs: "DIR"},
		Args:        oneFolder,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			return flags.run(ctx, std, cmd, &protocol, asJSON)
		}),
	}
	protocol.register(c.Flags(), true)
	c.Flags().StringVar(&flags.reviewer, "reviewer", "", "who reviews")
	c.Flags().BoolVar(&flags.next, "next", false, "show the reviewer's next pair, blind")
	c.Flags().StringVar(&flags.caseID, "case", "", "show this pair, or record a verdict on it")
	c.Flags().StringVar(&flags.verdict, "verdict", "", "record: eviction, abstention, wording, grader, reference or other")
	c.Flags().BoolVar(&flags.agree, "agree", false, "with --verdict: both grades are right")
	c.Flags().StringVar(&flags.dispute, "dispute", "", "with --verdict: the grades of A, B or A,B are wrong")
	c.Flags().StringVar(&flags.shown, "shown", "", "with --verdict: the code that stood under the pair; refused if it would be shown otherwise now")
	c.Flags().StringVar(&flags.note, "note", "", "with --verdict: why, in your own words")
	c.Flags().Uint64Var(&flags.seed, "seed", 0, "of the order A/B and of the sample (default follows from the rows; fixed by the first verdict)")
	c.Flags().IntVar(&flags.sample, "sample", 0, "how many concordant pairs without a flag to add (default what the ledger says, else 0)")
	jsonFlag(c, &asJSON)
	var causes []string
	for _, cause := range review.Causes() {
		causes = append(causes, string(cause))
	}
	complete(c, "verdict", causes...)
	complete(c, "dispute", "A", "B", "A,B")
	return c
}

// oneFolder takes exactly one argument.
func oneFolder(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError{fmt.Errorf("%s takes one run folder, found %d arguments; see %s --help", c.Name(), len(args), c.CommandPath())}
	}
	return nil
}

// check refuses flags that do not go together.
func (f *reviewFlags) check() error {
	recording := f.verdict != ""
	switch {
	case f.next && f.caseID != "":
		return errors.New("--next and --case name two pairs; give one of them")
	case f.next && recording:
		return errors.New("--next shows a pair; record a verdict on it with --case ID --verdict")
	case recording && f.caseID == "":
		return errors.New("no pair for --verdict: give --case ID")
	case !recording && (f.agree || f.dispute != "" || f.note != "" || f.shown != ""):
		return errors.New("--agree, --dispute, --note and --shown go with --verdict")
	case recording && f.agree == (f.dispute != ""):
		return errors.New("with --verdict give either --agree or --dispute A, B or A,B")
	case f.dispute != "" && f.shown == "":
		return errors.New("--dispute names A or B, so it takes --shown CODE; the code stands under the pair where it is shown")
	case (f.next || f.caseID != "") && f.reviewer == "":
		return errors.New("no reviewer: give --reviewer NAME; the order A/B is theirs")
	case f.sample < 0:
		return fmt.Errorf("--sample %d: expected 0 or more", f.sample)
	}
	return nil
}

func (f *reviewFlags) run(ctx context.Context, std stdio, cmd *cobra.Command, protocol *protocolFlags, asJSON bool) error {
	if err := f.check(); err != nil {
		return usageError{err}
	}
	run, err := gradedRun(ctx, cmd.Flags().Arg(0))
	if err != nil {
		return err
	}
	s, err := studyOf(ctx, std, protocol, run)
	if err != nil {
		return err
	}
	ask := review.Ask{Cases: casesOf(s)}
	if cmd.Flags().Changed("seed") {
		ask.Seed = &f.seed
	}
	if cmd.Flags().Changed("sample") {
		ask.Sample = &f.sample
	}
	desk, err := review.Lay(run, ask)
	var seed *review.SeedError
	if errors.As(err, &seed) {
		return usageError{fmt.Errorf("--seed: %w", err)}
	}
	if err != nil {
		return err
	}
	private := &review.Private{Texts: review.Texts(casesOf(s)), Secrets: secretsOf(run)}
	if f.reviewer != "" {
		if err := private.CheckName(f.reviewer); err != nil {
			return usageError{err}
		}
	}
	if known, twin := desk.Standing.Ledger.Twin(f.reviewer); twin {
		return usageError{fmt.Errorf("--reviewer %q: the ledger knows %q, which differs from it in case or encoding only; write it as it stands there", f.reviewer, known)}
	}
	view := reviewView{run: run, study: s, alpha: desk.Alpha(), standing: desk.Standing, reviewer: f.reviewer}
	switch {
	case f.verdict != "":
		return f.record(std, view, private, asJSON)
	case f.next:
		item, ok := view.standing.Next(f.reviewer)
		if !ok {
			if asJSON {
				return printJSON(std.out, map[string]any{"next": nil, "reviewer": f.reviewer})
			}
			return printLines(std.out, fmt.Sprintf("nothing is left for %s: every pair of the queue has a verdict of theirs, and no two reviewers differ", cleanLines(f.reviewer)))
		}
		return view.show(std, item, asJSON)
	case f.caseID != "":
		item, err := view.item(f.caseID)
		if err != nil {
			return err
		}
		return view.show(std, item, asJSON)
	}
	if asJSON {
		doc, err := view.doc()
		if err != nil {
			return err
		}
		return printJSON(std.out, doc)
	}
	lines, err := view.lines()
	if err != nil {
		return err
	}
	return printLines(std.out, lines...)
}

func (f *reviewFlags) record(std stdio, view reviewView, private *review.Private, asJSON bool) error {
	v := review.Verdict{Reviewer: f.reviewer, CaseID: f.caseID, Cause: review.Cause(f.verdict), Note: f.note, Shown: f.shown}
	for side := range strings.SplitSeq(f.dispute, ",") {
		if side = strings.ToUpper(strings.TrimSpace(side)); side != "" {
			v.Disputed = append(v.Disputed, review.Side(side))
		}
	}
	if !f.agree && len(v.Disputed) == 0 {
		return usageError{fmt.Errorf("--dispute %q: expected A, B or A,B", f.dispute)}
	}
	before, err := view.item(f.caseID)
	if err != nil {
		return err
	}
	entry, err := review.Record(view.run.Dir, writer(), view.standing.Queue, v, private, time.Now())
	if errors.Is(err, review.ErrVerdict) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	ledger, err := review.ReadLedger(view.run.Dir)
	if err != nil {
		return err
	}
	view.standing = review.Stand(view.standing.Queue, ledger)
	item, err := view.item(f.caseID)
	if err != nil {
		return err
	}
	if asJSON {
		err = printJSON(std.out, map[string]any{"recorded": entry, "pair": view.pairDoc(item)})
	} else {
		err = printLines(std.out, append([]string{recorded(entry, before)}, view.told(item)...)...)
	}
	if err != nil {
		return fmt.Errorf("the verdict on %s is recorded; it could not be shown: %w", item.CaseID, err)
	}
	return nil
}

// recorded says what was added to the ledger, and what it means beside what the
// reviewer had said of the pair before.
func recorded(entry review.Entry, before *review.ItemStanding) string {
	line := fmt.Sprintf("recorded: %s, %s, %s", entry.CaseID, entry.Cause, agreement(entry))
	_, stands := before.By(entry.Reviewer)
	switch {
	case entry.Blind:
		return line
	case stands:
		return line + " (a change of mind: the earlier verdict stays in the ledger)"
	}
	return line + " (not blind: you gave a verdict on this pair before its rows changed)"
}

// gradedRun reads a folder; what is no graded run is a refused input.
func gradedRun(ctx context.Context, path string) (*gradedrun.Run, error) {
	run, err := gradedrun.Load(ctx, path)
	var damaged *rundir.FileError
	if err != nil && !errors.As(err, &damaged) && ctx.Err() == nil {
		return nil, usageError{err}
	}
	return run, err
}

// studyOf gives the study that a run was made of; nil where its protocol or
// dataset is not at hand. A protocol that the flags name must be the run's.
func studyOf(ctx context.Context, std stdio, protocol *protocolFlags, run *gradedrun.Run) (*study.Study, error) {
	quiet := &progressFlag{mode: "none"}
	if protocol.protocol != "" || !protocol.shipped() {
		s, err := openStudy(ctx, std, protocol, quiet)
		if err != nil {
			return nil, err
		}
		if run.Doc == nil {
			return nil, usageError{fmt.Errorf("%s has no usable %s, so nothing says which protocol its rows are of", run.Dir.Path(), rundir.IdentityFile)}
		}
		if changes := rundir.Changes(run.Doc.Artifacts, s.Identity); len(changes) > 0 {
			return nil, &rundir.IdentityError{Dir: run.Dir.Path(), Changes: changes}
		}
		return s, nil
	}
	for _, contracts := range shippedContracts() {
		if run.Doc == nil || contracts.Identity != run.Doc.Artifacts {
			continue
		}
		shipped := protocolFlags{protocol: contracts.Location.Name, dataset: protocol.dataset}
		dataset, err := shipped.source()
		if err != nil {
			return nil, nil // the protocol is ours, the dataset is not at hand
		}
		return pipeline.Validate(ctx, contracts.Location, dataset, nil, nil)
	}
	if protocol.dataset != "" {
		return nil, usageError{fmt.Errorf("--dataset %s would not be looked at: the five hashes of %s are those of no shipped protocol; give its protocol too, with --protocol-dir DIR", protocol.dataset, run.Dir.Path())}
	}
	return nil, nil
}

// casesOf gives the cases of a study, nil without one.
func casesOf(s *study.Study) []pools.Case {
	if s == nil {
		return nil
	}
	return s.Pools.Cases
}

// references gives the reference answers of a study, nil without one.
func references(s *study.Study) map[string]string { return review.References(casesOf(s)) }

func agreement(e review.Entry) string {
	if e.Agrees() {
		return "agrees with both grades"
	}
	return "disputes " + strings.Join(e.Disputed, " and ")
}

func (v *reviewView) item(id string) (*review.ItemStanding, error) {
	item, ok := v.standing.Find(id)
	if !ok {
		return nil, usageError{fmt.Errorf("--case %q is not in the queue; see deermem-tui review %s", id, v.run.Dir.Path())}
	}
	return item, nil
}
