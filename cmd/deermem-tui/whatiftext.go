package main

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/whatif"
	"deermem-tui/ui/widget"
)

// nearCut is how many of the facts nearest to the cut are shown.
const nearCut = 10

// listedChanges is how many changed cases or facts are printed for people.
const listedChanges = 30

// lines prints the outcome for people; the first says what it is.
func (w *whatifView) lines() []string {
	base := w.model.Base()
	lines := []string{
		whatif.Exploratory + ": what hybrid-v1 would do with other constants; no run, and never written as one",
		"over      " + w.title,
		fmt.Sprintf("start     cap %d, clock %s", base.Capacity, base.Now),
	}
	if w.keep != "" {
		lines = append(lines, "kept      as "+widget.Clean(w.keep)+" in "+widget.Clean(keptSettings().Path))
	}
	if w.forget != "" {
		lines = append(lines, "forgot    "+widget.Clean(w.forget))
	}
	lines = append(lines, w.takenLines()...)
	changed := 0
	for _, p := range whatif.Params() {
		from, to := p.Get(base), p.Get(w.setting)
		if from == to {
			continue
		}
		changed++
		lines = append(lines, fmt.Sprintf("setting   %s %s instead of %s", p, p.Text(to), p.Text(from)))
	}
	if changed == 0 {
		lines = append(lines, "setting   as at the start: nothing is moved")
	}
	lines = append(lines, "")
	o := w.model.Evaluate(w.setting)
	lines = append(lines, w.outcomeLines(o)...)
	lines = append(lines, w.capLines(o, changed)...)
	if len(w.named) > 0 {
		lines = append(lines, "")
		lines = append(lines, w.namedLines()...)
	}
	if w.pool >= 0 {
		lines = append(lines, "")
		lines = append(lines, w.nearestLines()...)
	}
	if w.selected >= 0 {
		lines = append(lines, "")
		lines = append(lines, w.stripLines()...)
	}
	return lines
}

// takenLines says over what the setting of --take was kept, and what of it does
// not count here.
func (w *whatifView) takenLines() []string {
	if w.take == "" {
		return nil
	}
	line := "taken     " + widget.Clean(w.take) + ", kept over " + widget.Clean(w.taken.Over.Beside(w.over))
	if w.left != "" {
		line += ", so without " + w.left + "; --capacity and --now give others"
	}
	return []string{line}
}

// capLines tells what the cap does apart from what the rest of the setting does.
func (w *whatifView) capLines(o *whatif.Outcome, changed int) []string {
	if w.inStore {
		if n := len(w.model.Pool(0).Facts); n <= w.setting.Capacity {
			return []string{fmt.Sprintf("          everything fits: a cap of %d holds %s, so no constant decides anything; --start-capacity gives a lower cap", w.setting.Capacity, widget.Plural(n, "fact"))}
		}
	}
	at := w.model.Base()
	if changed < 2 || at.Capacity == w.setting.Capacity {
		return nil
	}
	at.Capacity = w.setting.Capacity
	alone := w.model.Evaluate(at)
	return []string{fmt.Sprintf("          the cap of %d alone changes %s; at that cap the rest of the setting changes %s (--start-capacity %d shows which)",
		at.Capacity, widget.Plural(alone.ChangedFacts, "fact"), widget.Plural(whatif.Apart(alone, o), "fact"), at.Capacity)}
}

func (w *whatifView) outcomeLines(o *whatif.Outcome) []string {
	var lines []string
	if w.inStore {
		one := o.Pools[0]
		lines = append(lines, fmt.Sprintf("changes   %s kept that were not, %s dropped that were not; %s held by corrections",
			widget.Plural(len(one.In), "fact"), widget.Plural(len(one.Out), "fact"), widget.Plural(one.Reserved, "slot")))
		lines = append(lines, w.factLines("kept now", 0, one.In)...)
		return append(lines, w.factLines("dropped now", 0, one.Out)...)
	}
	lines = append(lines, fmt.Sprintf("changes   %s in %s; %s that lost the support fact at the start now keep it, %s that kept it now lose it",
		widget.Plural(o.ChangedFacts, "fact"), widget.Plural(o.ChangedPools, "case"), widget.Plural(o.Gained, "case"), widget.Plural(o.Lost, "case")),
		"", "support fact kept, by scenario      at the start            now")
	for _, g := range o.Groups {
		lines = append(lines, fmt.Sprintf("  %-26s %18s %18s", widget.Clean(g.Group), widget.Share(g.Base, g.Pools), widget.Share(g.Kept, g.Pools)))
	}
	shown := 0
	for i := range o.Pools {
		one := &o.Pools[i]
		if len(one.In)+len(one.Out) == 0 {
			continue
		}
		if shown == 0 {
			lines = append(lines, "", "changed cases")
		}
		if shown++; shown > listedChanges {
			lines = append(lines, fmt.Sprintf("  and %d more; --json has them all", o.ChangedPools-listedChanges))
			break
		}
		word := ""
		switch {
		case one.Support && !one.BaseSupport:
			word = "  support kept now"
		case !one.Support && one.BaseSupport:
			word = "  support lost now"
		}
		lines = append(lines, fmt.Sprintf("  %s: %s in, %s out%s", widget.Clean(one.ID), orNone(w.names(i, one.In)), orNone(w.names(i, one.Out)), word))
	}
	return lines
}

func (w *whatifView) names(pool int, indices []int) string {
	var list []string
	for _, i := range indices {
		list = append(list, widget.Clean(w.model.Pool(pool).Facts[i].ID))
	}
	return strings.Join(list, ", ")
}

func (w *whatifView) factLines(word string, pool int, indices []int) []string {
	if len(indices) == 0 {
		return nil
	}
	more := ""
	if len(indices) > listedChanges {
		more = fmt.Sprintf(" and %d more; --json has them all", len(indices)-listedChanges)
		indices = indices[:listedChanges]
	}
	return []string{fmt.Sprintf("  %s: %s%s", word, w.names(pool, indices), more)}
}

// namedLines compares the named settings and this one.
func (w *whatifView) namedLines() []string {
	what := "support kept"
	if w.inStore {
		what = "facts kept"
	}
	lines := []string{"settings compared (" + whatif.Exploratory + ")",
		fmt.Sprintf("  %-20s %-17s %-9s %-9s %5s %-20s %7s %9s  %s", "name", "weights", "lives", "reserve", "cap", "clock", "changed", "from this", what)}
	this, base := w.model.Evaluate(w.setting), w.model.Base()
	var names, own, apart []string
	var outcomes []*whatif.Outcome
	for _, s := range w.compared() {
		name := s.Name
		if name == "" {
			name = whatif.NameThis
		}
		o := w.model.Evaluate(s.Setting)
		names, outcomes = append(names, widget.Clean(name)), append(outcomes, o)
		p := s.Policy
		kept, pools := 0, 0
		for _, g := range o.Groups {
			kept, pools = kept+g.Kept, pools+g.Pools
		}
		support := ""
		switch {
		case w.inStore:
			for _, k := range o.Pools[0].Kept {
				if k {
					kept++
				}
			}
			support = widget.Share(kept, len(o.Pools[0].Kept))
		case pools > 0:
			support = widget.Share(kept, pools)
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %s %-17s %-9s %-9s %5d %-20s %7d %9d  %s", widget.Fit(widget.Clean(name), 20, "…"),
			fmt.Sprintf("%.3f/%.3f/%.3f", p.Weights.Confidence, p.Weights.Confirmation, p.Weights.Access),
			fmt.Sprintf("%.4g/%.4g", p.ConfirmationHalfLifeDays, p.AccessHalfLifeDays),
			fmt.Sprintf("%.2f≤%d", p.ReservedFraction, p.ReservedMax), s.Capacity, s.Now.Time().Format("2006-01-02T15:04:05Z"), o.ChangedFacts, whatif.Apart(o, this), support), " "))
		switch {
		case s.left != "":
			apart = append(apart, widget.Clean(fmt.Sprintf("%s (kept over %s) without %s", name, s.over.Beside(w.over), s.left)))
		case s.over.Known() && (s.Capacity != base.Capacity || s.Now != base.Now):
			own = append(own, widget.Clean(name))
		}
	}
	lines = append(lines, "  changed: facts decided otherwise than at the start; from this: than by this setting")
	if len(own) > 0 {
		lines = append(lines, fmt.Sprintf("  with a cap or a clock of their own: %s", strings.Join(own, ", ")))
	}
	if len(apart) > 0 {
		lines = append(lines, fmt.Sprintf("  kept over something else, so only their constants count: %s", strings.Join(apart, "; ")))
	}
	lines = append(lines, w.groupLines(names, outcomes)...)
	return append(lines, w.differLines(names, outcomes)...)
}

// compared is a setting of a comparison.
type compared struct {
	whatif.Setting
	over whatif.Over // what it was kept over
	left string      // what of it does not count here
}

// compared gives the start, the named settings as they are used here, and this one.
func (w *whatifView) compared() []compared {
	list := []compared{{Setting: w.model.Base()}}
	for _, one := range w.named {
		used, left := one.For(w.over, w.model.Base())
		list = append(list, compared{used, one.Over, left})
	}
	return append(list, compared{Setting: w.setting})
}

// groupLines says what settings keep of each scenario or, of a store, category.
func (w *whatifView) groupLines(names []string, outcomes []*whatif.Outcome) []string {
	lines := []string{"  support kept by scenario"}
	if w.inStore {
		lines[0] = "  facts kept by category"
	}
	for i, o := range outcomes {
		var parts []string
		for _, g := range w.groups(o) {
			parts = append(parts, fmt.Sprintf("%s %d/%d", widget.Clean(g.Group), g.Kept, g.Pools))
		}
		lines = append(lines, fmt.Sprintf("    %s: %s", names[i], orNone(strings.Join(parts, ", "))))
	}
	return lines
}

// groups counts what an outcome keeps: support by scenario or, of a store, facts
// by category.
func (w *whatifView) groups(o *whatif.Outcome) []whatif.GroupOutcome {
	if !w.inStore {
		return o.Groups
	}
	var list []whatif.GroupOutcome
	at := map[string]int{}
	for i := range w.model.Pool(0).Facts {
		category := w.model.Pool(0).Facts[i].Category
		row, known := at[category]
		if !known {
			row = len(list)
			at[category], list = row, append(list, whatif.GroupOutcome{Group: category})
		}
		list[row].Pools++
		if o.Pools[0].Kept[i] {
			list[row].Kept++
		}
	}
	slices.SortStableFunc(list, func(a, b whatif.GroupOutcome) int { return b.Pools - a.Pools })
	return list
}

// differLines lists the facts on which the compared settings do not all decide
// alike, with those that keep each.
func (w *whatifView) differLines(names []string, outcomes []*whatif.Outcome) []string {
	places, total := whatif.Differ(outcomes, listedChanges)
	if total == 0 {
		return []string{"they decide every fact alike"}
	}
	lines := []string{fmt.Sprintf("they differ on %s", widget.Plural(total, "fact"))}
	for _, at := range places {
		var keepers []string
		for i, o := range outcomes {
			if o.Pools[at.Pool].Kept[at.Fact] {
				keepers = append(keepers, names[i])
			}
		}
		p := w.model.Pool(at.Pool)
		name := widget.Clean(p.Facts[at.Fact].ID)
		if !w.inStore {
			name = widget.Clean(p.ID) + "  " + name
		}
		lines = append(lines, fmt.Sprintf("  %s: kept by %s", name, strings.Join(keepers, ", ")))
	}
	if more := total - len(places); more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return lines
}

func (w *whatifView) nearestLines() []string {
	near := w.model.Nearest(w.setting, w.pool, nearCut)
	if len(near) == 0 {
		return []string{"near the cut: there is no cut, as everything or nothing is kept"}
	}
	lines := []string{fmt.Sprintf("nearest to the cut (cap %d)", w.setting.Capacity)}
	facts := w.model.Pool(w.pool).Facts
	for _, one := range near {
		held := ""
		if one.Kept && one.Margin < 0 {
			held = "  (in a reserved slot)"
		}
		lines = append(lines, fmt.Sprintf("  %-7s  %s  %+.4f  %s%s", verdict(one.Kept), widget.Score(one.Score), one.Margin, widget.Clean(facts[one.Index].ID), held))
	}
	return lines
}

func (w *whatifView) stripLines() []string {
	lines := []string{"where the decision of " + widget.Clean(w.model.Pool(w.pool).Facts[w.selected].ID) + " flips, everything else as set"}
	for _, s := range w.model.Strips(w.setting, w.pool, w.selected) {
		var parts []string
		for i, g := range s.Segments {
			part := verdict(g.Kept)
			if i > 0 {
				part = fmt.Sprintf("from %s %s", s.FlipText(g.From), part)
			}
			parts = append(parts, part)
		}
		word := strings.Join(parts, ", ")
		if len(parts) == 1 {
			word = "always " + word
		}
		lines = append(lines, fmt.Sprintf("  %-23s at %s of %s to %s: %s", s.Param, s.Param.Text(s.At), s.Param.Text(s.Range.Min), s.Param.Text(s.Range.Max), word))
	}
	return lines
}
