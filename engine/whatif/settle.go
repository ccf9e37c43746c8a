// This file proves a strip's flips by deciding anew on both sides of each, and
// puts right those where scores differ by less than their rounding.

package whatif

// decides tells whether t's fact is kept at a place, from every score.
func (t *tracer) decides(place int64) bool {
	count := t.countAt(t.scale.value(place))
	return t.kept(&count, &t.set)
}

// settle gives segments whose ends are proven. Between two facts whose scores
// are equal but for rounding the order can change back and forth within a few
// neighbouring values; of such flips one stays, and a segment of nothing else
// goes.
func (t *tracer) settle(segments []Segment) []Segment {
	for i := 1; i < len(segments); i++ {
		before, after := &segments[i-1], &segments[i]
		flip := t.scale.place(after.From)
		if t.decides(flip) == after.Kept && t.decides(flip-1) == before.Kept {
			continue
		}
		from, to := t.middle(*before), t.middle(*after)
		if t.decides(from) != before.Kept || t.decides(to) != after.Kept {
			return t.settle(t.without(segments, i))
		}
		flip = turn(from, to, func(place int64) bool { return t.decides(place) == after.Kept })
		before.To, after.From = t.scale.value(flip-1), t.scale.value(flip)
	}
	return segments
}

// middle gives the place in the middle of a segment's values; of a segment at an
// end of the range that end, which has to be right.
func (t *tracer) middle(g Segment) int64 {
	low, high := t.scale.place(g.From), t.scale.place(g.To)
	switch {
	case g.From == t.low:
		return low
	case g.To == t.high:
		return high
	}
	middle := t.scale.place(g.From + (g.To-g.From)/2)
	return min(max(middle, low), high)
}

// without joins the shorter of segments i-1 and i with what lies around it.
func (t *tracer) without(segments []Segment, i int) []Segment {
	if a, b := segments[i-1], segments[i]; a.To-a.From < b.To-b.From {
		i--
	}
	var joined []Segment
	for at, g := range segments {
		if at == i {
			g.Kept = !g.Kept
		}
		if last := len(joined) - 1; last >= 0 && joined[last].Kept == g.Kept {
			joined[last].To = g.To
			continue
		}
		joined = append(joined, g)
	}
	return joined
}
