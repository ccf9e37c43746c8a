package main

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/widget"
)

// shownWarnings is how many warnings are printed for people.
const shownWarnings = 20

// lines prints the store for people: an overview, and the facts where one agent
// is chosen or there is only one.
func (v *storeView) lines() []string {
	lines := v.head()
	if len(v.chosen) != 1 {
		return append(append(lines, v.overview()...), v.warningLines()...)
	}
	a := v.chosen[0]
	lines = append(lines, a.summary()...)
	lines = append(lines, "")
	lines = append(lines, a.factLines()...)
	for _, d := range a.policies {
		lines = append(lines, "")
		lines = append(lines, a.nextLines(d, v.next)...)
	}
	lines = append(lines, notes(a.table.Signals())...)
	return append(lines, v.warningLines()...)
}

// overview prints a line an agent, with the facts that were asked for.
func (v *storeView) overview() []string {
	var lines []string
	for i := range v.chosen {
		a := &v.chosen[i]
		lines = append(lines, fmt.Sprintf("  %-44s %12s  cap %d (%s)", a.name(), widget.Plural(len(a.agent.Facts), "fact"), a.capacity, a.source))
	}
	if len(v.chosen) == 0 {
		return []string{"No agent has facts here."}
	}
	if v.listed {
		for i := range v.chosen {
			a := &v.chosen[i]
			lines = append(lines, "", "agent     "+a.name())
			lines = append(lines, a.factLines()...)
		}
	}
	return append(lines, "", "Choose one with --user and --agent to see its facts and what goes next.")
}

func (v *storeView) head() []string {
	return []string{
		fmt.Sprintf("store     %s: %s, %s, %s", widget.Clean(v.store.Root), widget.Plural(len(v.store.Users), "user"),
			widget.Plural(v.all, "agent"), widget.Plural(v.store.Facts(), "fact")),
		fmt.Sprintf("clock     %s", v.at),
	}
}

func (a *agentView) summary() []string {
	lines := []string{
		"agent     " + a.name(),
		fmt.Sprintf("facts     %d, cap %d (%s)", len(a.agent.Facts), a.capacity, a.source),
	}
	if c := categoryList(insight.Categories(a.agent)); c != "" {
		lines = append(lines, "of        "+c)
	}
	if d := a.user.Document; d.Found {
		lines = append(lines, fmt.Sprintf("document  version %s, revision %d, updated %s", widget.Clean(d.Version), d.Revision, orNone(widget.Clean(d.LastUpdated))))
	}
	if a.user.Writing != nil {
		lines = append(lines, "writing   a write was under way while this was read; see the warning")
	}
	return lines
}

func categoryList(counts []insight.CategoryCount) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%s %d", widget.Clean(c.Category), c.Count))
	}
	return strings.Join(parts, ", ")
}

// factLines prints a line a fact.
func (a *agentView) factLines() []string {
	if len(a.found) == 0 {
		return []string{"No fact fits."}
	}
	width := 4
	for _, i := range a.found {
		width = max(width, widget.Width(widget.Clean(a.agent.Facts[i].ID)))
	}
	width = min(width, 40)
	lines := []string{fmt.Sprintf("%s  %-11s %10s %7s  %9s %5s %7s %7s  %s", widget.Fit("fact", width, ""), "category", "confidence", "", "hybrid-v1", "fresh", "heat", "", "title")}
	for _, i := range a.found {
		f := &a.agent.Facts[i]
		hybrid := a.table.Hybrid[i]
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s  %-11s %10s %-7s  %9s %5s %7s %-7s  %s",
			widget.Fit(widget.Clean(f.ID), width, "…"), widget.Clean(f.Category),
			widget.Score(a.table.Confidence[i].Value), verdict(a.policies[0].Kept(i)),
			widget.Score(hybrid.Value), widget.Score(hybrid.Freshness), a.heat(i), verdict(a.policies[1].Kept(i)),
			widget.Clean(f.Title)), " "))
	}
	return lines
}

// heat prints a heat, and a dash where none was ever measured.
func (a *agentView) heat(i int) string {
	if !a.agent.UsageFound {
		return "–"
	}
	return widget.Score(a.table.Hybrid[i].Heat)
}

// nextLines says what a policy drops at the cap and what it would drop next.
func (a *agentView) nextLines(d *insight.Decision, n int) []string {
	facts := a.agent.Facts
	lines := []string{"policy " + d.Policy().Name}
	over := d.Evictions()
	if over == 0 {
		room := a.capacity - len(facts)
		lines = append(lines, fmt.Sprintf("  nothing goes now: the cap of %d holds %s and has room for %d more", a.capacity, widget.Plural(len(facts), "fact"), room))
	} else {
		lines = append(lines, fmt.Sprintf("  all together: %d of %d go at the cap of %d, the lowest rank first", over, len(facts), a.capacity))
		for _, i := range d.Evicted(n) {
			lines = append(lines, "    "+a.standing(d, i))
		}
		if over > n {
			lines = append(lines, fmt.Sprintf("    and %d more", over-n))
		}
		var ids []string
		for _, s := range d.OneAtATime(n) {
			ids = append(ids, widget.Clean(facts[s.Index].ID))
		}
		if len(ids) > 0 {
			lines = append(lines, "  one at a time, as the cap falls from "+fmt.Sprint(len(facts))+": "+strings.Join(ids, ", "))
		}
	}
	if next := d.Next(n); len(next) > 0 {
		lines = append(lines, "  after that, one for each better fact that comes in:")
		for _, i := range next {
			lines = append(lines, "    "+a.standing(d, i))
		}
	}
	if p := d.Policy(); p.Hybrid() {
		lines = append(lines, a.reserveLines(d)...)
	}
	return lines
}

// standing prints a fact's rank, score and margin.
func (a *agentView) standing(d *insight.Decision, i int) string {
	margin := ""
	switch m, ok := d.Margin(i); {
	case ok && m == 0:
		margin = "  level with the cut"
	case ok:
		margin = fmt.Sprintf("  %+.3f to the cut", m)
	}
	return fmt.Sprintf("%s  rank %d  %s%s  %s", widget.Clean(a.agent.Facts[i].ID), d.Rank(i), widget.Score(d.Score(i).Value), margin, widget.Clean(a.agent.Facts[i].Title))
}

func (a *agentView) reserveLines(d *insight.Decision) []string {
	if len(d.Held) == 0 {
		return []string{"  no slot is reserved: " + d.WhyNoneReserved()}
	}
	lines := []string{fmt.Sprintf("  reserved slots: %d, held by %s", len(d.Held), a.ids(d.Held))}
	if len(d.Saved) > 0 {
		lines = append(lines, "  kept by a reserved slot alone: "+a.ids(d.Saved))
	}
	if len(d.Displaced) > 0 {
		lines = append(lines, "  displaced by reserved slots: "+a.ids(d.Displaced))
	}
	return lines
}

func (a *agentView) ids(indices []int) string {
	var list []string
	for _, i := range indices[:min(len(indices), listedChanges)] {
		list = append(list, widget.Clean(a.agent.Facts[i].ID))
	}
	text := orNone(strings.Join(list, ", "))
	if more := len(indices) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more; --json has them all", more)
	}
	return text
}

func notes(s insight.Signals) []string {
	var lines []string
	for _, note := range s.Notes() {
		lines = append(lines, "", "note      "+widget.Clean(note))
	}
	return lines
}

func (v *storeView) warningLines() []string {
	var chosen []owned
	if len(v.chosen) < v.all {
		for i := range v.chosen {
			chosen = append(chosen, v.chosen[i].owned)
		}
	}
	return warningLines(v.store, chosen)
}

// warningLines prints the first warnings of a store for people: those of the
// chosen agents and of their users' own files, or all without a choice. The
// others are counted.
func warningLines(s *memstore.Store, chosen []owned) []string {
	const where = "store --json has them all"
	shown, others := s.Warnings, 0
	if chosen != nil {
		shown = nil
		for _, w := range s.Warnings {
			if slices.ContainsFunc(chosen, func(o owned) bool { return o.concerns(w.Path) }) {
				shown = append(shown, w)
			}
		}
		others = len(s.Warnings) - len(shown)
	}
	if len(shown)+others == 0 {
		return nil
	}
	lines := []string{""}
	if len(shown) > 0 {
		lines = append(lines, widget.Plural(len(shown), "warning"))
	}
	for i, w := range shown {
		if i == shownWarnings {
			lines = append(lines, fmt.Sprintf("  and %d more; %s", len(shown)-i, where))
			break
		}
		lines = append(lines, "  "+widget.Clean(w.String()))
	}
	if others > 0 {
		lines = append(lines, fmt.Sprintf("%s elsewhere in the store; %s", widget.Plural(others, "warning"), where))
	}
	if s.MoreWarnings > 0 {
		lines = append(lines, fmt.Sprintf("%d more files have faults that are only counted", s.MoreWarnings))
	}
	return lines
}

// printFact explains one fact: as it stands, and as it was evicted.
func (v *storeView) printFact(std stdio) error {
	var lines []string
	var docs []factDoc
	for _, a := range v.chosen {
		doc := factDoc{User: a.user.ID, Agent: a.agent.Name, FactID: v.fact, Now: v.at.String(), MaxFacts: a.capacity}
		at := a.agent.Find(v.fact)
		past := insight.PastOf(a.agent, v.fact, eviction.HybridV1())
		if at < 0 && len(past) == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("fact      %s (%s)", widget.Clean(v.fact), a.name()))
		if at >= 0 {
			f := &a.agent.Facts[at]
			lines = append(lines, "title     "+widget.Clean(f.Title), "content   "+widget.Clean(f.Content))
			for _, d := range a.policies {
				f := d.Ranked.Explain(d.Capacity, at)
				doc.Standing = append(doc.Standing, standingDoc{d.Policy().Name, insight.StandsNow(f), f.Proof(), f.FactExplanation})
				lines = append(lines, "", "policy "+d.Policy().Name+fmt.Sprintf(", cap %d (%s)", a.capacity, a.source), "  "+insight.StandsNow(f), "  proof: "+f.Proof())
			}
			lines = append(lines, notes(a.table.Signals())...)
		}
		for _, p := range past {
			lines = append(lines, pastLines(p)...)
			doc.Past = append(doc.Past, pastDocOf(p))
		}
		docs = append(docs, doc)
	}
	if len(docs) == 0 {
		return usageError{fmt.Errorf("--fact %q: neither the store nor its audit knows it; deer-flow removes the names of deleted facts from the audit, and the audit keeps the last 200 trims by default", v.fact)}
	}
	if v.json {
		return printJSON(std.out, docs)
	}
	return printLines(std.out, append(lines, v.warningLines()...)...)
}

// pastLines prints a past eviction, what is recorded apart from what is not.
func pastLines(p insight.Past) []string {
	lines := []string{"", fmt.Sprintf("evicted on %s", widget.Clean(p.Event.OccurredAt)), "  recorded in the audit:"}
	for _, l := range p.Recorded {
		lines = append(lines, fmt.Sprintf("    %-15s %s", l.Name, widget.Clean(l.Value)))
	}
	lines = append(lines, "  recomputed now, not recorded:")
	for _, l := range p.Recomputed {
		lines = append(lines, fmt.Sprintf("    %-15s %s", l.Name, widget.Clean(l.Value)))
	}
	lines = append(lines, "  not recorded, so unknown:")
	for _, text := range p.NotRecorded {
		lines = append(lines, "    "+text)
	}
	if len(p.Since) > 0 {
		lines = append(lines, "  since then:")
		for _, text := range p.Since {
			lines = append(lines, "    "+widget.Clean(text))
		}
	}
	return lines
}

// auditLines prints the time line of every chosen agent.
func (v *storeView) auditLines() []string {
	lines := v.head()
	for _, a := range v.chosen {
		lines = append(lines, "", a.name())
		if len(a.agent.Audit) == 0 {
			lines = append(lines, "  no eviction is recorded")
			continue
		}
		t := insight.NewTimeline(a.agent)
		for _, e := range t.Entries {
			lines = append(lines, "  "+timelineLine(e))
		}
		unit, spans := t.Spans()
		lines = append(lines, "  by "+unit+":")
		for _, s := range spans {
			lines = append(lines, "    "+spanLine(&s))
		}
		lines = append(lines, fmt.Sprintf("  in all %d evicted: %s", t.Evicted, categoryList(t.Categories)))
		if _, ok := t.DisagreementRate(); ok {
			lines = append(lines, fmt.Sprintf("  confidence and hybrid-v1 disagreed on %s of the trims with a shadow verdict, as recorded", widget.Share(t.Disagreed, t.WithShadow)))
		} else {
			lines = append(lines, "  no trim has a shadow verdict: how often the policies disagree is not known")
		}
		if t.Thinned > 0 {
			lines = append(lines, fmt.Sprintf("  %s lost names of facts that left the store later; deer-flow works out the disagreement anew without them, so the rate is not that of the time", widget.Plural(t.Thinned, "verdict")))
		}
		if t.Contradicted > 0 {
			lines = append(lines, fmt.Sprintf("  %s contradict the names recorded with them", widget.Plural(t.Contradicted, "verdict")))
		}
	}
	return append(lines, v.warningLines()...)
}

// spanLine prints what was evicted in a stretch of the time line.
func spanLine(s *insight.Span) string {
	if s.Trims == 0 {
		return fmt.Sprintf("%-10s  nothing", s.Name)
	}
	line := fmt.Sprintf("%-10s  %d evicted (%s)", s.Name, s.Evicted, categoryList(s.Categories))
	if s.WithShadow > 0 {
		line += fmt.Sprintf("; the policies disagreed on %d of %s", s.Disagreed, widget.Plural(s.WithShadow, "trim"))
	}
	return line
}

func timelineLine(e insight.TimelineEntry) string {
	limit := "not recorded"
	if e.Event.MaxFacts >= 0 {
		limit = fmt.Sprint(e.Event.MaxFacts)
	}
	parts := []string{
		fmt.Sprintf("%s  %-10s cap %s: %d evicted (%s)", widget.Clean(e.Event.OccurredAt), widget.Clean(e.Event.Policy), limit, len(e.Event.Evicted), categoryList(e.Categories)),
	}
	if s := e.Event.Shadow; s != nil {
		word := "agrees"
		if s.Disagrees {
			word = "disagrees"
		}
		parts = append(parts, fmt.Sprintf("shadow %s %s", widget.Clean(s.Policy), word))
	}
	if n := len(e.LaterGone); n > 0 {
		parts = append(parts, fmt.Sprintf("kept against the shadow and deleted later: %d", n))
	}
	if e.SpareRoom > 0 {
		parts = append(parts, fmt.Sprintf("slots free now: %d", e.SpareRoom))
	}
	return strings.Join(parts, "; ")
}

// compareLines prints hybrid-v1 against confidence for every chosen agent.
func (v *storeView) compareLines() []string {
	lines := v.head()
	for _, a := range v.chosen {
		c := a.table.Compare(a.capacity)
		lines = append(lines, "", fmt.Sprintf("%s: %s at the cap of %d (%s)", a.name(), widget.Plural(len(a.agent.Facts), "fact"), a.capacity, a.source))
		for _, d := range [...]*insight.Decision{c.Confidence, c.Hybrid} {
			lines = append(lines, fmt.Sprintf("  %-10s keeps %d, drops %d", d.Policy().Name, d.Survivors(), d.Evictions()))
		}
		if len(c.Differ) == 0 {
			lines = append(lines, "  the policies keep the same facts")
		}
		for _, d := range c.Differ {
			who := "only confidence keeps"
			if d.HybridOnly {
				who = "only hybrid-v1 keeps "
			}
			f := &a.agent.Facts[d.Index]
			lines = append(lines, fmt.Sprintf("  %s %s  %s", who, widget.Clean(f.ID), widget.Clean(f.Title)), "    "+c.Reason(d))
		}
		lines = append(lines, fmt.Sprintf("  corrections that only hybrid-v1 keeps: %s", a.ids(c.SavedAll)))
		if len(c.SavedSlots) > 0 {
			lines = append(lines, "    of these by a reserved slot alone: "+a.ids(c.SavedSlots))
		}
		if len(c.LostAll) > 0 {
			lines = append(lines, "  corrections that only confidence keeps: "+a.ids(c.LostAll))
		}
		for _, note := range c.Signals.Notes() {
			lines = append(lines, "  note: "+widget.Clean(note))
		}
	}
	return append(lines, v.warningLines()...)
}
