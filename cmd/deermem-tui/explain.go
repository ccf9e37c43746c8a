package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/study"
)

// explainFlags say which decision is explained.
type explainFlags struct {
	caseID   string
	policy   string
	capacity int
	fact     string
	list     bool
}

func newExplain(std stdio) *cobra.Command {
	var protocol protocolFlags
	var flags explainFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "explain --case ID",
		Short: "Say why a fact of a case was kept or evicted, and prove it",
		Long: `Explains the decision of a policy over a case's pool: every fact's score and what
it is made of, the cut, and for one fact (the case's support fact unless --fact
names another) the sentence why, its proof, and the smallest single change that
would have turned the decision. Without --policy both policies are explained.`,
		Example: `  deermem-tui explain --list
  deermem-tui explain --case cat-weight
  deermem-tui explain --case cat-weight --policy confidence --capacity 5 --json`,
		Args: cobra.NoArgs,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command) error {
			s, err := openStudy(ctx, std, &protocol, &progressFlag{mode: "none"})
			if err != nil {
				return err
			}
			if flags.list {
				return listCases(std.out, casebook.New(s), asJSON)
			}
			explained, err := flags.explain(s, cmd.Flags().Changed("capacity"))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(std.out, explained.doc())
			}
			return printLines(std.out, explained.lines()...)
		}),
	}
	protocol.register(c.Flags(), true)
	c.Flags().StringVar(&flags.caseID, "case", "", "case ID (see --list)")
	c.Flags().StringVar(&flags.policy, "policy", "", "confidence or hybrid-v1 (default both)")
	c.Flags().IntVar(&flags.capacity, "capacity", 0, "how many facts are kept (default the study's QA capacity)")
	c.Flags().StringVar(&flags.fact, "fact", "", "fact ID (default the case's support fact)")
	c.Flags().BoolVar(&flags.list, "list", false, "list the study's cases instead")
	jsonFlag(c, &asJSON)
	complete(c, "policy", eviction.NameConfidence, eviction.NameHybridV1)
	completeCases(c, &protocol)
	return c
}

// explained is a case with the decisions that were asked for.
type explained struct {
	entry     *casebook.Entry
	capacity  int
	pinned    bool // the protocol uses the capacity
	fact      int  // index of the fact in focus
	decisions []eviction.Explanation
}

func (f explainFlags) explain(s *study.Study, capacityGiven bool) (explained, error) {
	book := casebook.New(s)
	if f.caseID == "" {
		return explained{}, usageError{errors.New("no case: give --case ID (--list names all): " + someCases(book))}
	}
	entry, ok := book.Find(f.caseID)
	if !ok {
		return explained{}, usageError{fmt.Errorf("--case %q: the study %s has no such case; it has %s (see --list)", f.caseID, book.Protocol, someCases(book))}
	}
	x := explained{entry: entry, capacity: book.QACapacity}
	if capacityGiven {
		x.capacity = f.capacity
	}
	if x.capacity < 0 || x.capacity > len(entry.Case.Facts) {
		return explained{}, usageError{fmt.Errorf("--capacity %d: expected a number from 0 to %d, the size of the pool", x.capacity, len(entry.Case.Facts))}
	}
	x.pinned = slices.Contains(book.Capacities, x.capacity)
	wanted := f.fact
	if wanted == "" {
		wanted = entry.Case.SupportIDs[0]
	}
	var ids []string
	x.fact = -1
	for i, fact := range entry.Case.Facts {
		ids = append(ids, fact.ID)
		if fact.ID == wanted {
			x.fact = i
		}
	}
	if x.fact < 0 {
		return explained{}, usageError{fmt.Errorf("--fact %q: the pool of %s has no such fact; it has %s", f.fact, f.caseID, strings.Join(ids, ", "))}
	}
	policies := book.Policies
	if f.policy != "" {
		p, ok := book.Policy(f.policy)
		if !ok {
			return explained{}, usageError{fmt.Errorf("--policy %q: expected %s or %s", f.policy, eviction.NameConfidence, eviction.NameHybridV1)}
		}
		policies = []eviction.Policy{p}
	}
	facts := casebook.Facts(entry.Case)
	for _, p := range policies {
		x.decisions = append(x.decisions, eviction.Explain(facts, p, book.Now, x.capacity))
	}
	return x, nil
}

const namedCases = 8

func someCases(b *casebook.Book) string {
	var ids []string
	for i, e := range b.Entries {
		if i == namedCases {
			return fmt.Sprintf("%s and %d more", strings.Join(ids, ", "), len(b.Entries)-namedCases)
		}
		ids = append(ids, e.Case.ID)
	}
	return strings.Join(ids, ", ")
}
