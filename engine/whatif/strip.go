// This file finds where along a parameter's range the decision of one fact
// flips. Nothing is sampled: for every other fact the values at which the two
// change places are found exactly, and the decision follows from the count.

package whatif

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Strip is the decision of one fact along a parameter's whole range, everything
// else as in one setting.
//
// A flip is exact: at the first value of a segment the decision is the
// segment's, at the value before it (the next lower float64, or the whole number
// below) it is the other. Where two scores differ by less than their rounding
// over a stretch of the range, one of the flips in that stretch stands for all.
type Strip struct {
	Param    Param
	At       float64 // the setting's own value
	Range    Range
	Segments []Segment // from Range.Min to Range.Max, their decisions alternating
}

// Segment is a part of a range in which the decision is the same.
type Segment struct {
	From, To float64 // both in the segment
	Kept     bool
}

// Flips gives the values at which the decision changes, rising.
func (s Strip) Flips() []float64 {
	var flips []float64
	for _, segment := range s.Segments[min(1, len(s.Segments)):] {
		flips = append(flips, segment.From)
	}
	return flips
}

// Nearest gives the flip nearest to the setting's own value; ok is false where
// there is none.
func (s Strip) Nearest() (flip float64, ok bool) {
	best := math.Inf(1)
	for i := 1; i < len(s.Segments); i++ {
		// Going down, the decision turns at the last value before the flip.
		value := s.Segments[i].From
		if value <= s.At {
			value = s.Segments[i-1].To
		}
		if distance := math.Abs(value - s.At); distance < best {
			flip, best, ok = value, distance, true
		}
	}
	return flip, ok
}

// Strips gives the strip of every parameter for a fact of a pool.
func (m *Model) Strips(s Setting, pool, fact int) []Strip {
	var strips []Strip
	for _, p := range params {
		strips = append(strips, m.Strip(s, pool, fact, p))
	}
	return strips
}

// Strip gives the strip of one parameter for a fact of a pool.
func (m *Model) Strip(s Setting, pool, fact int, p Param) Strip {
	r := m.Range(p)
	strip := Strip{Param: p, At: p.Get(s), Range: r}
	t := newTracer(m.pools[pool], s, p, fact, r)
	switch p {
	case ReserveFraction, ReserveMax, Capacity:
		strip.Segments = t.steps()
	default:
		strip.Segments = t.sweep()
	}
	return strip
}

// scale puts a parameter's values in the order of whole numbers, neighbours next
// to each other. Values are not negative unless they are whole.
type scale struct{ whole bool }

func (s scale) place(x float64) int64 {
	if s.whole {
		return int64(x)
	}
	return int64(math.Float64bits(x + 0)) // -0 + 0 is 0
}

func (s scale) value(place int64) float64 {
	if s.whole {
		return float64(place)
	}
	return math.Float64frombits(uint64(place))
}

// turn finds the first place in (from, to] at which is gives true, where it is
// false at from and true at to.
func turn(from, to int64, is func(place int64) bool) int64 {
	for to-from > 1 {
		if mid := from + (to-from)/2; is(mid) {
			to = mid
		} else {
			from = mid
		}
	}
	return to
}

// tally counts the facts that rank before the one in question.
type tally struct{ corrections, others int }

func (t *tally) add(correction bool, n int) {
	if correction {
		t.corrections += n
	} else {
		t.others += n
	}
}

// kept is the decision of a fact with that many before it, of n facts in all.
func (t *tally) kept(s *Setting, correction bool, n, corrections int) bool {
	if n <= s.Capacity {
		return true
	}
	if s.Capacity <= 0 {
		return false
	}
	reserved := reservedSlots(&s.Policy, s.Capacity, corrections)
	if correction && t.corrections < reserved {
		return true
	}
	return t.others+max(0, t.corrections-reserved) < s.Capacity-reserved
}

// tracer follows one fact of a pool along one parameter.
type tracer struct {
	pool       *state
	set        Setting
	param      Param
	fact       int
	low, high  float64
	scale      scale
	correction []bool // by fact
}

func newTracer(p *state, s Setting, param Param, fact int, r Range) *tracer {
	t := &tracer{
		pool: p, set: s, param: param, fact: fact, low: r.Min, high: r.Max,
		scale: scale{whole: r.Whole}, correction: make([]bool, len(p.Facts)),
	}
	for _, i := range p.chooser.corrections {
		t.correction[i] = true
	}
	p.decide(&s) // the parts and the values that strips use
	return t
}

func (t *tracer) kept(count *tally, s *Setting) bool {
	return count.kept(s, t.correction[t.fact], len(t.pool.Facts), len(t.pool.chooser.corrections))
}

// countAt counts the facts before t's at a value of the parameter.
func (t *tracer) countAt(x float64) tally {
	var count tally
	at := t.at(x)
	for j := range t.pool.Facts {
		if j != t.fact && at.before(j) {
			count.add(t.correction[j], 1)
		}
	}
	return count
}

// steps is the strip of a parameter that moves no score: the decision turns at
// most once along it.
func (t *tracer) steps() []Segment {
	count := t.countAt(t.param.Get(t.set))
	kept := func(place int64) bool {
		s := t.param.Set(t.set, t.scale.value(place))
		return t.kept(&count, &s)
	}
	low, high := t.scale.place(t.low), t.scale.place(t.high)
	first, last := kept(low), kept(high)
	if first == last {
		return []Segment{{t.low, t.high, first}}
	}
	flip := turn(low, high, func(place int64) bool { return kept(place) == last })
	return []Segment{{t.low, t.scale.value(flip - 1), first}, {t.scale.value(flip), t.high, last}}
}

// swap is another fact that changes places with t's.
type swap struct {
	place  int64
	fact   int32
	before bool // it ranks before t's from there on
}

// sweep is the strip of a parameter that moves scores.
func (t *tracer) sweep() []Segment {
	count := t.countAt(t.low)
	swaps := t.swaps()
	slices.SortFunc(swaps, func(a, b swap) int {
		if d := cmp.Compare(a.place, b.place); d != 0 {
			return d
		}
		return cmp.Compare(a.fact, b.fact)
	})
	segments := []Segment{{From: t.low, To: t.high, Kept: t.kept(&count, &t.set)}}
	for len(swaps) > 0 {
		place := swaps[0].place
		for len(swaps) > 0 && swaps[0].place == place {
			step := -1
			if swaps[0].before {
				step = 1
			}
			count.add(t.correction[swaps[0].fact], step)
			swaps = swaps[1:]
		}
		if kept := t.kept(&count, &t.set); kept != segments[len(segments)-1].Kept {
			segments[len(segments)-1].To = t.scale.value(place - 1)
			segments = append(segments, Segment{From: t.scale.value(place), To: t.high, Kept: kept})
		}
	}
	return t.settle(segments)
}

// swaps finds where every other fact changes places with t's.
func (t *tracer) swaps() []swap {
	var mu sync.Mutex
	var all []swap
	spread(len(t.pool.Facts), func(from, to int) {
		var found []swap
		var points []float64
		for j := from; j < to; j++ {
			if j == t.fact || t.pool.scorer.of(j) == t.pool.scorer.of(t.fact) {
				continue // one score: the place in the list decides, always
			}
			points = append(t.turningPoints(j, points[:0]), t.high)
			found = t.pairSwaps(j, points, found)
		}
		mu.Lock()
		all = append(all, found...)
		mu.Unlock()
	})
	return all
}

// pairSwaps adds the swaps with fact j. Between two neighbours of points the
// difference of the scores only rises or only falls.
func (t *tracer) pairSwaps(j int, points []float64, found []swap) []swap {
	is := func(place int64) bool {
		at := t.at(t.scale.value(place))
		return at.before(j)
	}
	from := t.scale.place(t.low)
	was := is(from)
	slices.Sort(points)
	for _, point := range points {
		to := t.scale.place(min(max(point, t.low), t.high))
		if to <= from {
			continue
		}
		if now := is(to); now != was {
			place := turn(from, to, func(place int64) bool { return is(place) == now })
			found = append(found, swap{place, int32(j), now})
			was = now
		}
		from = to
	}
	return found
}
