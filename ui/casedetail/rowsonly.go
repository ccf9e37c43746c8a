// A case of which only the graded rows are known, as in a published folder
// without its dataset: which facts were kept, not what they say or score.
package casedetail

import (
	"fmt"
	"slices"
	"strconv"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// rowsOnly is a policy's panel by the rows: the kept facts in rank order, and
// below the cut those of which the other rows tell that they were evicted.
func (d *Detail) rowsOnly(policy eviction.Policy) panel {
	e := d.entry
	p := panel{policy: policy.Name, cut: -1, bare: true}
	cell, ok := e.Cells[casebook.CellKey{Policy: policy.Name, Capacity: d.book.QACapacity}]
	if !ok {
		p.err = "This case has no facts."
		return p
	}
	p.kept = len(cell.Kept)
	const unknown = "not known without the protocol and its dataset"
	add := func(id string, rank int, why string) {
		support := slices.Contains(e.Case.SupportIDs, id)
		p.lines = append(p.lines, line{
			id: id, label: widget.Clean(shortLabel(id, e.Case.ID, support)), text: widget.Clean(id), rank: rank,
			kept: rank > 0, support: support, why: why, proof: unknown,
		})
	}
	for i, id := range cell.Kept {
		add(id, i+1, fmt.Sprintf("Kept: the row names it as number %d of the %d kept at capacity %d.", i+1, p.kept, d.book.QACapacity))
	}
	for _, id := range d.elsewhere(cell.Kept) {
		p.cut = p.kept
		add(id, 0, fmt.Sprintf("Evicted: it is not among the %d that the row names as kept at capacity %d.", p.kept, d.book.QACapacity))
	}
	p.neighbours = unknown
	p.support = "evicted"
	if p.lost = !cell.SupportRetained; !p.lost {
		p.support = "kept"
		for i := range p.lines {
			if l := &p.lines[i]; l.support && l.kept {
				p.support = "kept, rank " + strconv.Itoa(l.rank)
			}
		}
	}
	return p
}

// elsewhere gives the facts that the case is known to have and that are not kept.
func (d *Detail) elsewhere(kept []string) []string {
	var out []string
	known := slices.Clone(d.entry.Case.SupportIDs)
	for _, policy := range d.book.Policies {
		known = append(known, d.entry.Cells[casebook.CellKey{Policy: policy.Name, Capacity: d.book.QACapacity}].Kept...)
	}
	for _, id := range known {
		if !slices.Contains(kept, id) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// bareLine writes a fact that has no score: mark, rank, name, ID, fate.
func bareLine(th *theme.Theme, l *line, w int, selected bool) string {
	sign := " "
	if selected {
		sign = th.Sign.Select
	}
	rank := strconv.Itoa(l.rank)
	if l.rank == 0 {
		rank = th.Sign.Empty
	}
	label, style := l.label, th.Text
	if l.support {
		label, style = th.Sign.Support+" "+label, th.Support
	}
	fate := fateOf(th, l, w >= 44)
	const name = 9
	room := w - 2 - 2 - 1 - name - 1 - 1 - widget.Width(fate)
	return sign + " " + widget.FitRight(rank, 2, "") + " " + style.Render(widget.Fit(label, name, th.Sign.More)) + " " +
		th.Dim.Render(widget.Fit(l.text, max(room, 0), th.Sign.More)) + " " + fate
}

// steps tells whether there is another capacity to look at.
func (d *Detail) steps() bool { return d.entry == nil || len(d.entry.Case.Facts) > 0 }

// pooled is the number of facts that the panes have to show.
func (d *Detail) pooled() int {
	n := len(d.entry.Case.Facts)
	for i := range d.panels {
		n = max(n, len(d.panels[i].lines))
	}
	return n
}
