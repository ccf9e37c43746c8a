// From the engine's explanation to what the panes draw.
package casedetail

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/ui/widget"
)

// panelFor explains the case at hand under a policy at the capacity shown. It
// is pure and takes well under a millisecond, so it may run inside Update.
func (d *Detail) panelFor(policy eviction.Policy) panel {
	c := &d.entry.Case
	p := panel{policy: policy.Name, hybrid: policy.Hybrid(), cut: -1}
	if len(c.Facts) == 0 {
		return d.rowsOnly(policy)
	}
	e := eviction.Explain(casebook.Facts(*c), policy, d.book.Now, d.capacity)
	p.reserved = e.ReservedSlots
	for at, i := range e.Ranking {
		f, x := &c.Facts[i], &e.Facts[i]
		if i == e.Cut.FirstEvicted {
			p.cut = at
		}
		if x.Kept {
			p.kept++
		}
		p.lines = append(p.lines, line{
			id: f.ID, label: widget.Clean(shortLabel(f.ID, c.ID, f.Support)), text: widget.Clean(excerpt(head(f.Content))),
			rank: x.Rank, score: x.Score.Value, parts: [3]float64{x.Terms.Confidence, x.Terms.Confirmation, x.Terms.Access},
			kept: x.Kept, reserved: x.ViaReserve, displaced: x.Displaced, support: f.Support,
			why: d.th.Words(widget.Clean(eviction.Why(e, i))), proof: d.th.Words(widget.Clean(eviction.Proof(e, i))),
		})
	}
	if e.Cut.LastKept >= 0 && e.Cut.FirstEvicted >= 0 {
		p.margin = widget.Score(e.Cut.LastKeptScore - e.Cut.FirstEvictedScore)
	}
	p.neighbours = p.besideCut()
	p.supportFate()
	return p
}

// besideCut names who is on either side of the cut.
func (p *panel) besideCut() string {
	if p.cut < 0 {
		return "nothing is evicted at this capacity"
	}
	after := &p.lines[p.cut]
	text := fmt.Sprintf("%s (%s) first evicted", after.label, widget.Score(after.score))
	if p.cut > 0 {
		before := &p.lines[p.cut-1]
		text = fmt.Sprintf("%s (%s) last kept, %s, %s apart", before.label, widget.Score(before.score), text, p.margin)
	}
	held := slices.IndexFunc(p.lines, func(l line) bool { return l.reserved })
	if held >= 0 {
		text += "; " + p.lines[held].label + " holds a slot reserved for corrections"
	}
	return text
}

// compare links every fact to itself under the other policy and marks those
// on whose fate the two differ.
func compare(a, b *panel) {
	for i := range a.lines {
		j := b.find(a.lines[i].id)
		if j < 0 {
			continue
		}
		a.lines[i].there, b.lines[j].there = b.says(j), a.says(i)
		if a.lines[i].kept == b.lines[j].kept {
			continue
		}
		a.lines[i].differs, b.lines[j].differs = true, true
		a.differs, b.differs = true, true
	}
}

// says sums up what a policy does with a fact.
func (p *panel) says(i int) string {
	l := &p.lines[i]
	fate := "evicted"
	switch {
	case l.reserved:
		fate = "kept by reserve"
	case l.kept:
		fate = "kept"
	}
	switch {
	case p.bare && l.kept:
		return fmt.Sprintf("%s under %s, rank %d", fate, widget.Clean(p.policy), l.rank)
	case p.bare:
		return fate + " under " + widget.Clean(p.policy)
	}
	return fmt.Sprintf("%s under %s, rank %d, score %s", fate, widget.Clean(p.policy), l.rank, widget.Score(l.score))
}

// head is as much of a content as an excerpt can need.
func head(content string) string {
	const most = 600
	if len(content) > most {
		return content[:most]
	}
	return content
}

// supportFate sums up what became of the support facts.
func (p *panel) supportFate() {
	var fates []string
	for i := range p.lines {
		l := &p.lines[i]
		if !l.support {
			continue
		}
		word := "kept"
		switch {
		case l.reserved:
			word = "kept by reserve"
		case !l.kept:
			word = "evicted"
			p.lost = true
		}
		fates = append(fates, word+", rank "+strconv.Itoa(l.rank))
	}
	p.support = strings.Join(fates, "; ")
}
