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
	lines = append(lines, w.outcomeLines(w.model.Evaluate(w.setting))...)
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
		fmt.Sprintf("  %-20s %-17s %-9s %-9s %5s %7s  %s", "name", "weights", "lives", "reserve", "cap", "changed", "support kept")}
	for _, s := range append(append([]whatif.Setting{w.model.Base()}, w.named...), w.setting) {
		name := s.Name
		if name == "" {
			name = "(this one)"
		}
		o := w.model.Evaluate(s)
		p := s.Policy
		kept, pools := 0, 0
		for _, g := range o.Groups {
			kept, pools = kept+g.Kept, pools+g.Pools
		}
		support := ""
		if pools > 0 {
			support = widget.Share(kept, pools)
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %s %-17s %-9s %-9s %5d %7d  %s", widget.Fit(widget.Clean(name), 20, "…"),
			fmt.Sprintf("%.3f/%.3f/%.3f", p.Weights.Confidence, p.Weights.Confirmation, p.Weights.Access),
			fmt.Sprintf("%.4g/%.4g", p.ConfirmationHalfLifeDays, p.AccessHalfLifeDays),
			fmt.Sprintf("%.2f≤%d", p.ReservedFraction, p.ReservedMax), s.Capacity, o.ChangedFacts, support), " "))
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
