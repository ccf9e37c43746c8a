// The list of cases: which change with the setting, and what changes in them.
package whatif

import (
	"fmt"
	"strings"

	"deermem-tui/engine/casebook"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

func poolsOf(b *casebook.Book) []pool {
	out := make([]pool, len(b.Entries))
	for i := range b.Entries {
		c := &b.Entries[i].Case
		out[i] = pool{id: c.ID, name: widget.Clean(c.ID), scenario: widget.Clean(c.Scenario), synthetic: c.Source == pools.Synthetic}
	}
	return out
}

// order gives the pools whose support comes or goes, those that change
// otherwise, and, unless only these are wanted, the others; each in the order of
// the study.
func order(o *engine.Outcome, only bool) []int {
	var out, other, rest []int
	for i := range o.Pools {
		switch one := &o.Pools[i]; {
		case one.Support != one.BaseSupport:
			out = append(out, i)
		case changes(one):
			other = append(other, i)
		default:
			rest = append(rest, i)
		}
	}
	out = append(out, other...)
	if only {
		return out
	}
	return append(out, rest...)
}

func changes(p *engine.PoolOutcome) bool { return len(p.In)+len(p.Out) > 0 }

func columns() []widget.Column {
	return []widget.Column{
		{Title: "case", Width: 8, Flex: true},
		{Title: "scenario", Width: 20, Rank: 1},
		{Title: "facts", Width: 5},
		{Title: "support", Width: 10},
	}
}

func (s *Screen) cells(i int, out []string) {
	th, p := s.th, s.shown[i]
	one := &s.outcome.Pools[p]
	out[0], out[1] = s.pools[p].name, s.pools[p].scenario
	if changes(one) {
		out[2] = th.Words(fmt.Sprintf("+%d −%d", len(one.In), len(one.Out)))
	}
	out[3] = s.fate(one, p)
}

// fate says what becomes of a case's support, by sign and word.
func (s *Screen) fate(one *engine.PoolOutcome, p int) string {
	th := s.th
	switch {
	case len(s.model.Pool(p).Support) == 0:
		return ""
	case one.Support && !one.BaseSupport:
		return th.Good.Render(th.Sign.Kept + " now kept")
	case !one.Support && one.BaseSupport:
		return th.Bad.Render(th.Sign.Evicted + " now lost")
	case one.Support:
		return th.Dim.Render(th.Sign.Kept + " kept")
	}
	return th.Dim.Render(th.Sign.Evicted + " evicted")
}

// changedLines names the facts that come and go in the case at hand.
func (s *Screen) changedLines(w int) []string {
	th, p := s.th, s.pool()
	if p < 0 {
		return nil
	}
	one := &s.outcome.Pools[p]
	if !changes(one) {
		return []string{th.Dim.Render("nothing changes in this case")}
	}
	var out []string
	for _, part := range []struct {
		word  string
		facts []int
	}{{"kept now: ", one.In}, {"gone now: ", one.Out}} {
		if len(part.facts) == 0 {
			continue
		}
		var names []string
		for _, i := range part.facts {
			names = append(names, s.factName(p, i))
		}
		lines := widget.Wrap(part.word+strings.Join(names, ", "), w)
		if most := 2; len(lines) > most {
			lines = append(lines[:most-1], widget.Fit(lines[most-1], max(w-2, 0), "")+" "+th.Sign.More)
		}
		out = append(out, lines...)
	}
	return out
}

// factName is a fact's ID without the case's, which is told already.
func (s *Screen) factName(p, i int) string {
	f := &s.model.Pool(p).Facts[i]
	name := f.ID
	if id := s.pools[p].id; id != "" {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "_"+id, ""), id+"_", "")
	}
	name = widget.Clean(name)
	if s.supports(p, i) {
		return s.th.Sign.Support + " " + name
	}
	return name
}

func (s *Screen) supports(p, i int) bool {
	for _, at := range s.model.Pool(p).Support {
		if at == i {
			return true
		}
	}
	return false
}
