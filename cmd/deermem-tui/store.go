package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
)

// storeFlags say what of a store is shown, and how.
type storeFlags struct {
	agents agentFlags

	now      string
	maxFacts int
	sort     string
	reverse  bool
	category string
	search   string
	limit    int
	listed   bool // one of listing was given, so facts are wanted
	next     int

	fact    string
	audit   bool
	compare bool

	json, csv, markdown bool
}

// listing are the flags that say which facts are listed, and how.
var listing = [...]string{"sort", "reverse", "category", "search", "limit"}

func newStore(std stdio) *cobra.Command {
	var flags storeFlags
	c := &cobra.Command{
		Use:   "store [PATH]",
		Short: "Read a DeerMem store: what is remembered, what goes next, and why something went",
		Long: `Reads a DeerMem store without changing anything in it: users, agents, facts with
their signals and scores under both policies, which facts go next at a cap, and
the audit of past evictions. PATH is a store's folder, one user's folder, or an
exported document; without one $` + memstore.DataDirVariable + `, else ~/.deermem.

What cannot be read is named as a warning; the rest is shown. A store that is
being written is read again, and that is said.`,
		Example: `  deermem-tui store ~/.deermem
  deermem-tui store --user bo --agent coder-1 --max-facts 20 --sort hybrid
  deermem-tui store --agent researcher --compare
  deermem-tui store --agent researcher --fact fact_7b34f6d9`,
		Annotations: map[string]string{takesArgs: "yes"},
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usageError{fmt.Errorf("store takes one path, found %d; see %s --help", len(args), c.CommandPath())}
			case len(args) == 1 && args[0] == "":
				return usageError{errors.New("the path of the store is empty; name one, or leave it out for the default one")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) == 1 {
				path = args[0]
			}
			for _, name := range listing {
				flags.listed = flags.listed || cmd.Flags().Changed(name)
			}
			v, err := flags.view(cmd.Context(), std, path, cmd.Flags().Changed("max-facts"))
			if err != nil {
				return err
			}
			return v.print(std)
		},
	}
	f := c.Flags()
	flags.agents.register(f)
	f.StringVar(&flags.now, "now", "", "score at this time, or at a step such as +90d from now (default now)")
	f.IntVar(&flags.maxFacts, "max-facts", 0, "the cap (default that of the last recorded eviction, else 100)")
	f.StringVar(&flags.sort, "sort", "id", "order of the facts: id, title, category, confidence, hybrid, freshness, heat, created, confirmed, accessed, length")
	f.BoolVar(&flags.reverse, "reverse", false, "the other way round")
	f.StringVar(&flags.category, "category", "", "only facts of this category")
	f.StringVar(&flags.search, "search", "", "only facts that hold this text, whatever the case")
	f.IntVar(&flags.limit, "limit", 0, "print at most so many facts an agent (0: all)")
	f.IntVar(&flags.next, "next", 10, "how many of the facts that go next are listed")
	f.StringVar(&flags.fact, "fact", "", "explain this fact: its standing, or its recorded eviction")
	f.BoolVar(&flags.audit, "audit", false, "show the time line of recorded evictions")
	f.BoolVar(&flags.compare, "compare", false, "try hybrid-v1 against confidence at the cap")
	jsonFlag(c, &flags.json)
	f.BoolVar(&flags.csv, "csv", false, "print the facts, the audit or the comparison as CSV")
	f.BoolVar(&flags.markdown, "markdown", false, "the same as a Markdown table")
	return c
}

// storeView is a store with what was asked of it.
type storeView struct {
	storeFlags
	store  *memstore.Store
	chosen []agentView
	all    int // agents in the store
	at     eviction.Moment
}

// agentView is one chosen agent, scored and decided.
type agentView struct {
	owned
	table    *insight.Table
	capacity int
	source   insight.CapSource
	found    []int // the facts to show, in their order
	policies [2]*insight.Decision
}

// view opens the store and makes every decision that is shown.
func (f storeFlags) view(ctx context.Context, std stdio, path string, capGiven bool) (*storeView, error) {
	field, err := f.check(capGiven)
	if err != nil {
		return nil, err
	}
	now, err := parseNow(f.now, eviction.At(time.Now()))
	if err != nil {
		return nil, err
	}
	s, err := openMemory(ctx, std, path)
	if err != nil {
		return nil, err
	}
	chosen, err := f.agents.choose(s)
	if err != nil {
		return nil, err
	}
	v := &storeView{storeFlags: f, store: s, at: now}
	for i := range s.Users {
		v.all += len(s.Users[i].Agents)
	}
	query := insight.Query{Text: f.search, Category: f.category, Sort: field, Descending: f.reverse}
	for _, one := range chosen {
		a := agentView{owned: one, table: insight.NewTable(one.agent, eviction.HybridV1(), now), capacity: f.maxFacts, source: insight.CapGiven}
		if !capGiven {
			a.capacity, a.source = insight.CapOf(one.agent)
		}
		a.found = a.table.Find(query)
		if f.limit > 0 {
			a.found = a.found[:min(f.limit, len(a.found))]
		}
		a.policies[0], a.policies[1] = a.table.Decide(a.capacity)
		v.chosen = append(v.chosen, a)
	}
	return v, nil
}

// check refuses flags that cannot be meant.
func (f storeFlags) check(capGiven bool) (insight.Field, error) {
	field, err := insight.ParseField(f.sort)
	switch {
	case err != nil:
		return "", usageError{fmt.Errorf("--sort %w", err)}
	case capGiven && f.maxFacts < 0:
		return "", usageError{fmt.Errorf("--max-facts %d: expected 0 or more", f.maxFacts)}
	case f.limit < 0 || f.next < 0:
		return "", usageError{errors.New("--limit and --next: expected 0 or more")}
	case count(f.json, f.csv, f.markdown) > 1:
		return "", usageError{errors.New("--json, --csv and --markdown exclude each other")}
	case count(f.fact != "", f.audit, f.compare) > 1:
		return "", usageError{errors.New("--fact, --audit and --compare exclude each other")}
	case f.listed && (f.fact != "" || f.audit || f.compare):
		return "", usageError{errors.New("--sort, --reverse, --category, --search and --limit say which facts are listed: leave them out with --fact, --audit and --compare")}
	case (f.csv || f.markdown) && f.fact != "":
		return "", usageError{errors.New("--csv and --markdown print rows: the facts, or with --audit or --compare those; with --fact use --json or nothing")}
	}
	return field, nil
}

func count(wanted ...bool) int {
	n := 0
	for _, one := range wanted {
		if one {
			n++
		}
	}
	return n
}

// print writes what was asked for in the form that was asked for.
func (v *storeView) print(std stdio) error {
	if v.fact != "" {
		return v.printFact(std)
	}
	switch {
	case v.json:
		return printJSON(std.out, v.doc())
	case v.csv:
		return v.printCSV(std)
	case v.markdown:
		return v.printMarkdown(std)
	case v.audit:
		return printLines(std.out, v.auditLines()...)
	case v.compare:
		return printLines(std.out, v.compareLines()...)
	}
	return printLines(std.out, v.lines()...)
}
