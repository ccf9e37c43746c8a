// The fate of the selected fact at every capacity, the protocol's marked.
package casedetail

import (
	"fmt"
	"slices"
	"strconv"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/ui/widget"
)

// mostCapacities bounds the table: a pool of the protocol has ten facts.
const mostCapacities = 30

// fates tells which facts each policy keeps at each capacity from 1 up.
type fates struct {
	entry *casebook.Entry
	kept  [][]map[string]bool
}

// fatesOf decides at every capacity once a case.
func (d *Detail) fatesOf() [][]map[string]bool {
	if d.fates.entry == d.entry {
		return d.fates.kept
	}
	facts := casebook.Facts(d.entry.Case)
	kept := make([][]map[string]bool, len(d.book.Policies))
	if n := len(facts) - 1; n <= mostCapacities {
		for p, policy := range d.book.Policies {
			for capacity := 1; capacity <= n; capacity++ {
				set := make(map[string]bool, capacity)
				for _, i := range eviction.Select(facts, policy, d.book.Now, capacity).Kept {
					set[facts[i].ID] = true
				}
				kept[p] = append(kept[p], set)
			}
		}
	}
	d.fates = fates{d.entry, kept}
	return kept
}

// everyFactLines is a line a fact: the capacities that keep it, a sign for each,
// under both policies. The facts stand in the order of the current policy.
func (d *Detail) everyFactLines(w int) []string {
	th, p := d.th, d.current()
	kept := d.fatesOf()
	if p == nil || len(kept) == 0 || len(kept[0]) == 0 {
		return nil
	}
	column := max(len(kept[0]), 11) + 3
	if 12+column*len(kept) > w {
		return nil
	}
	head := widget.Fit(fmt.Sprintf("at 1 to %d", len(kept[0])), 12, "")
	for side := range kept {
		head += widget.Fit(upTo(widget.Clean(d.book.Policies[side].Name), 11, th.Sign.More), column, "")
	}
	out := []string{th.Dim.Render(head)}
	for i := range p.lines {
		l := &p.lines[i]
		label, style := l.label, th.Text
		if l.support {
			label, style = th.Sign.Support+" "+label, th.Support
		}
		sign := "  "
		if l.id == d.fact {
			sign = th.Sign.Select + " "
		}
		line := sign + style.Render(widget.Fit(label, 10, th.Sign.More))
		for side := range kept {
			signs := ""
			for _, set := range kept[side] {
				if set[l.id] {
					signs += th.Kept.Render(th.Sign.Kept)
				} else {
					signs += th.Evicted.Render(th.Sign.Evicted)
				}
			}
			line += widget.Fit(signs, column, "")
		}
		out = append(out, line)
	}
	return out
}

// capacityLines is the table: a column a capacity, a line a policy.
func (d *Detail) capacityLines(w int) []string {
	th, l := d.th, d.selected()
	if l == nil || d.book == nil {
		return nil
	}
	kept := d.fatesOf()
	if len(kept) == 0 || len(kept[0]) == 0 || 12+4*len(kept[0]) > w {
		return nil
	}
	head, mark := widget.Fit(th.Dim.Render("capacity"), 12, ""), widget.Fit(th.Dim.Render("protocol"), 12, "")
	for i := range kept[0] {
		number := " " + strconv.Itoa(i+1) + " "
		if i+1 == d.capacity {
			number = th.Key.Render("[" + strconv.Itoa(i+1) + "]")
		}
		head += widget.FitRight(number, 4, "")
		word := th.Dim.Render(th.Sign.Track)
		if slices.Contains(d.book.Capacities, i+1) {
			word = th.Info.Render(th.Sign.Up)
		}
		mark += widget.FitRight(word+" ", 4, "")
	}
	out := []string{head}
	for p := range kept {
		line := widget.Fit(upTo(widget.Clean(d.book.Policies[p].Name), 11, th.Sign.More), 12, "")
		for _, set := range kept[p] {
			sign := th.Evicted.Render(th.Sign.Evicted)
			if set[l.id] {
				sign = th.Kept.Render(th.Sign.Kept)
			}
			line += widget.FitRight(sign+" ", 4, "")
		}
		out = append(out, line)
	}
	return append(out, mark, th.Dim.Render(th.Sign.Kept+" "+widget.Clean(l.label)+" is kept  "+th.Sign.Evicted+" is evicted  "+th.Sign.Up+" the protocol cuts here"))
}
