package main

import (
	"fmt"
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
		lines = append(lines, fmt.Sprintf("changes   %s kept that were not, %s dropped that were not; %d slots held by corrections",
			widget.Plural(len(one.In), "fact"), widget.Plural(len(one.Out), "fact"), one.Reserved))
		lines = append(lines, w.factLines("kept now", 0, one.In)...)
		return append(lines, w.factLines("dropped now", 0, one.Out)...)
	}
	lines = append(lines, fmt.Sprintf("changes   %s in %s; support fact kept in %s that lost it, lost in %s that kept it",
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
	lines := []string{"settings compared (" + whatif.Exploratory + ")",
		fmt.Sprintf("  %-20s %-17s %-9s %-9s %5s %-20s %7s %9s  %s", "name", "weights", "lives", "reserve", "cap", "clock", "changed", "from this", "support kept")}
	this, base := w.model.Evaluate(w.setting), w.model.Base()
	var names, own []string
	var outcomes []*whatif.Outcome
	for _, s := range append(append([]whatif.Setting{w.model.Base()}, w.named...), w.setting) {
		name := s.Name
		if name == "" {
			name = "(this one)"
		}
		o := w.model.Evaluate(s)
		names, outcomes = append(names, widget.Clean(name)), append(outcomes, o)
		p := s.Policy
		kept, pools := 0, 0
		for _, g := range o.Groups {
			kept, pools = kept+g.Kept, pools+g.Pools
		}
		support := ""
		if pools > 0 {
			support = widget.Share(kept, pools)
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %s %-17s %-9s %-9s %5d %-20s %7d %9d  %s", widget.Fit(widget.Clean(name), 20, "…"),
			fmt.Sprintf("%.3f/%.3f/%.3f", p.Weights.Confidence, p.Weights.Confirmation, p.Weights.Access),
			fmt.Sprintf("%.4g/%.4g", p.ConfirmationHalfLifeDays, p.AccessHalfLifeDays),
			fmt.Sprintf("%.2f≤%d", p.ReservedFraction, p.ReservedMax), s.Capacity, s.Now.Time().Format("2006-01-02T15:04:05Z"), o.ChangedFacts, whatif.Apart(o, this), support), " "))
		if s.Name != "" && (s.Capacity != base.Capacity || s.Now != base.Now) && s.Name != w.setting.Name {
			own = append(own, widget.Clean(name))
		}
	}
	lines = append(lines, "  changed: facts decided otherwise than at the start; from this: than by this setting")
	if len(own) > 0 {
		lines = append(lines, fmt.Sprintf("  with a cap or a clock of their own, used as they stand: %s", strings.Join(own, ", ")))
	}
	return append(lines, w.differLines(names, outcomes)...)
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
		lines = append(lines, fmt.Sprintf("  %-7s  %s  %+.4f  %s", verdict(one.Kept), widget.Score(one.Score), one.Margin, widget.Clean(facts[one.Index].ID)))
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
