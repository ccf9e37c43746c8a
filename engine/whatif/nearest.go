// This file finds the facts nearest to the cut: those that a small change moves.

package whatif

import (
	"math"
	"slices"
)

// Near is a fact by its distance to the cut.
type Near struct {
	Index  int
	Score  float64
	Kept   bool
	Margin float64 // to the first evicted score if kept, else to the last kept one (0 or below)
}

// Nearest gives at most n facts of a pool, those nearest to the cut of a setting
// first; none where everything or nothing is kept.
func (m *Model) Nearest(s Setting, pool, n int) []Near {
	p := m.pools[pool]
	p.decide(&s)
	kept, values := p.kept, p.scorer.values
	first := -1 // the best-ranked evicted fact
	for i := range kept {
		if !kept[i] && (first < 0 || p.rank(i).before(p.rank(first))) {
			first = i
		}
	}
	last := -1 // the lowest-ranked kept fact before it
	for i := range kept {
		if first >= 0 && kept[i] && p.rank(i).before(p.rank(first)) && (last < 0 || p.rank(last).before(p.rank(i))) {
			last = i
		}
	}
	if first < 0 || last < 0 {
		return nil
	}
	var near []Near
	for i := range kept {
		one := Near{Index: i, Score: values[i], Kept: kept[i], Margin: values[i] - values[last]}
		if kept[i] {
			one.Margin = values[i] - values[first]
		}
		if len(near) == n && math.Abs(one.Margin) >= math.Abs(near[n-1].Margin) {
			continue
		}
		size := math.Abs(one.Margin)
		at := len(near)
		for at > 0 && math.Abs(near[at-1].Margin) > size {
			at--
		}
		near = slices.Insert(near, at, one)
		near = near[:min(len(near), n)]
	}
	return near
}

// rank places a scored fact in the order of decisions.
func (p *state) rank(i int) ranked { return ranked{key(p.scorer.values[i]), int32(i)} }
