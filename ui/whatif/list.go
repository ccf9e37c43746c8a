// The list: of a study the cases, of a store the facts; those that change with
// the setting first, and below it what changes.
package whatif

import (
	"fmt"
	"strings"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/widget"
)

// caseOrder gives the pools whose support comes or goes, those that change
// otherwise, and, unless only these are wanted, the others; each in the order of
// the study.
func caseOrder(o *engine.Outcome, only bool) []int {
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

// factOrder gives the facts that are kept now and were not, those that go now,
// and, unless only these are wanted, the others; each in the order of IDs. It
// writes over the list of before.
func factOrder(o *engine.PoolOutcome, only bool, memory []int) []int {
	out := append(append(memory[:0], o.In...), o.Out...)
	if only {
		return out
	}
	in, gone := o.In, o.Out
	for i := range o.Kept {
		switch {
		case len(in) > 0 && in[0] == i:
			in = in[1:]
		case len(gone) > 0 && gone[0] == i:
			gone = gone[1:]
		default:
			out = append(out, i)
		}
	}
	return out
}

func caseColumns() []widget.Column {
	return []widget.Column{
		{Title: "case", Width: 8, Flex: true},
		{Title: "scenario", Width: 20, Rank: 1},
		{Title: "facts", Width: 5},
		{Title: "support", Width: 10},
	}
}

// factColumns are those of a list of so many cells: what becomes of a fact is
// worth more than the end of its ID.
func factColumns(w int) []widget.Column {
	id := 13
	if w < 27 {
		id = 6
	}
	return []widget.Column{
		{Title: "fact", Width: id, Flex: true},
		{Title: "title", Width: 14, Flex: true, Rank: 1},
		{Title: "category", Width: 11, Rank: 2},
		{Title: "score", Width: 5, Rank: 1},
		{Title: "", Width: 10},
	}
}

func (s *Screen) cells(i int, out []string) {
	th, p := s.th, s.shown[i]
	if s.on.agent != nil {
		f := &s.on.agent.Facts[p]
		out[0], out[1], out[2] = widget.Clean(f.ID), widget.Clean(f.Title), widget.Clean(f.Category)
		out[3] = widget.Score(s.on.model.Score(s.on.setting, 0, p))
		now, was := s.outcome.Pools[0].Kept[p], s.on.model.BaseKept(0, p)
		out[4] = s.fate(now, was, "now gone")
		if alone := s.capAlone(); alone != nil {
			out[4] = s.fateBeside(now, was, alone.Pools[0].Kept[p], out[4])
		}
		return
	}
	one := &s.outcome.Pools[p]
	out[0], out[1] = s.on.pools[p].name, s.on.pools[p].scenario
	if changes(one) {
		out[2] = th.Words(fmt.Sprintf("+%d −%d", len(one.In), len(one.Out)))
	}
	if len(s.on.model.Pool(p).Support) > 0 {
		out[3] = s.fate(one.Support, one.BaseSupport, "now lost")
		if alone := s.capAlone(); alone != nil {
			out[3] = s.fateBeside(one.Support, one.BaseSupport, alone.Pools[p].Support, out[3])
		}
	}
}

// fate says what becomes of a fact, by sign and word.
func (s *Screen) fate(now, was bool, lost string) string {
	th := s.th
	switch {
	case now && !was:
		return th.Good.Render(th.Sign.Kept + " now kept")
	case !now && was:
		return th.Bad.Render(th.Sign.Evicted + " " + lost)
	case now:
		return th.Dim.Render(th.Sign.Kept + " kept")
	}
	return th.Dim.Render(th.Sign.Evicted + " evicted")
}

// changedLines names the facts that come and go in the case at hand, or tells of
// the fact at hand.
func (s *Screen) changedLines(w int) []string {
	th, p := s.th, s.pool()
	if p < 0 {
		return nil
	}
	if s.on.agent != nil {
		return s.factLines(w)
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
			name := s.factName(p, i)
			if alone := s.capAlone(); alone != nil && alone.Pools[p].Kept[i] == one.Kept[i] {
				name += " (by cap)"
			}
			names = append(names, name)
		}
		lines := widget.Wrap(part.word+strings.Join(names, ", "), w)
		if most := 2; len(lines) > most {
			lines = append(lines[:most-1], widget.Fit(lines[most-1], max(w-2, 0), "")+" "+th.Sign.More)
		}
		out = append(out, lines...)
	}
	return out
}

// mostContent is how much of a fact's content is shown below the list, in bytes.
const mostContent = 400

func (s *Screen) factLines(w int) []string {
	i := s.row()
	if i < 0 {
		return nil
	}
	f := &s.on.agent.Facts[i]
	content := f.Content
	if len(content) > mostContent {
		content = strings.ToValidUTF8(content[:mostContent], "")
	}
	title, lines := widget.Clean(f.Title), widget.Wrap(widget.Clean(content), w)
	if len(lines) > 0 && lines[0] == title { // many facts begin with it
		lines = lines[1:]
	}
	return append([]string{s.th.Strong.Render(title)}, lines...)
}

// factName is a fact's ID without the case's, which is told already.
func (s *Screen) factName(p, i int) string {
	name := s.on.model.Pool(p).Facts[i].ID
	if s.on.agent != nil {
		return widget.Clean(name)
	}
	if id := s.on.pools[p].id; id != "" {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "_"+id, ""), id+"_", "")
	}
	name = widget.Clean(name)
	if s.supports(p, i) {
		return s.th.Sign.Support + " " + name
	}
	return name
}

func (s *Screen) supports(p, i int) bool {
	for _, at := range s.on.model.Pool(p).Support {
		if at == i {
			return true
		}
	}
	return false
}
