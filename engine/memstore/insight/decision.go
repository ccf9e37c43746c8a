// Package insight answers an owner's questions about a store that was read:
// what a policy keeps at a cap, what goes next, what another policy would do,
// and what the audit tells of the past. It is pure; every index is into an
// agent's facts.
package insight

import (
	"math"

	"deermem-tui/engine/eviction"
)

// Decision is what a policy would do with an agent's facts at a cap.
type Decision struct {
	Policy   eviction.Policy
	Now      eviction.Moment
	Capacity int
	Result   eviction.Result

	Kept []bool // by fact
	Rank []int  // by fact, from 1
	Cut  eviction.Cut

	Held      []int // corrections in reserved slots, best first
	Saved     []int // those of Held that their rank alone would not have kept
	Displaced []int // evicted although their rank would have kept them, best first
}

// Decide makes the decision of eviction.Select and says what follows from it.
func Decide(facts []eviction.Fact, p eviction.Policy, now eviction.Moment, capacity int) *Decision {
	d := &Decision{
		Policy: p, Now: now, Capacity: capacity, Result: eviction.Select(facts, p, now, capacity),
		Kept: make([]bool, len(facts)), Rank: make([]int, len(facts)),
		Cut: eviction.Cut{LastKept: -1, FirstEvicted: -1},
	}
	for _, i := range d.Result.Kept {
		d.Kept[i] = true
	}
	for at, i := range d.Result.Ranking {
		d.Rank[i] = at + 1
		if eviction.IsCorrection(facts[i].Category) && len(d.Held) < d.Result.ReservedSlots {
			d.Held = append(d.Held, i)
		}
		switch {
		case d.Kept[i] && at >= capacity:
			d.Saved = append(d.Saved, i)
		case !d.Kept[i] && at < capacity:
			d.Displaced = append(d.Displaced, i)
		}
	}
	d.cut()
	return d
}

// cut finds the place where evicted facts begin.
func (d *Decision) cut() {
	n := len(d.Result.Evicted)
	if n == 0 {
		return
	}
	d.Cut.FirstEvicted = d.Result.Evicted[n-1]
	d.Cut.FirstEvictedScore = d.Result.Scores[d.Cut.FirstEvicted].Value
	if at := d.Rank[d.Cut.FirstEvicted] - 1; at > 0 {
		d.Cut.LastKept = d.Result.Ranking[at-1]
		d.Cut.LastKeptScore = d.Result.Scores[d.Cut.LastKept].Value
	}
}

// Margin is a fact's distance to the other side of the cut: above the first
// evicted score for a kept fact (negative for one that a reserved slot holds),
// to the last kept score for an evicted one. ok is false where there is no
// other side.
func (d *Decision) Margin(i int) (margin float64, ok bool) {
	score := d.Result.Scores[i].Value
	switch {
	case d.Kept[i] && d.Cut.FirstEvicted >= 0:
		return score - d.Cut.FirstEvictedScore, true
	case !d.Kept[i] && d.Cut.LastKept >= 0:
		return score - d.Cut.LastKeptScore, true
	}
	return 0, false
}

// Next gives at most n of the kept facts in the order in which they would go as
// better facts come in one at a time, each costing one fact its slot. Those in
// reserved slots go last: only better corrections take their place.
func (d *Decision) Next(n int) []int {
	held := make(map[int]bool, len(d.Held))
	for _, i := range d.Held {
		held[i] = true
	}
	var next []int
	add := func(wanted bool) {
		for at := len(d.Result.Ranking) - 1; at >= 0 && len(next) < n; at-- {
			if i := d.Result.Ranking[at]; d.Kept[i] && held[i] == wanted {
				next = append(next, i)
			}
		}
	}
	add(false)
	add(true)
	return next
}

// Step is one fact that goes when a cap falls to Capacity.
type Step struct {
	Capacity int
	Index    int
}

// OneAtATime gives what goes as the cap falls a slot at a time, from as many as
// there are facts down to capacity; at most n steps. Together they are what
// Decide evicts at once, perhaps in another order: the number of reserved slots
// falls with the cap.
func OneAtATime(facts []eviction.Fact, p eviction.Policy, now eviction.Moment, capacity, n int) []Step {
	var steps []Step
	var selector eviction.Selector
	gone := make([]bool, len(facts))
	for c := len(facts) - 1; c >= max(0, capacity) && len(steps) < n; c-- {
		for _, i := range selector.Select(facts, p, now, c).Evicted {
			if !gone[i] {
				gone[i] = true
				steps = append(steps, Step{Capacity: c, Index: i})
				break
			}
		}
	}
	return steps
}

// daysAgo gives the days from a moment to now, and whether it is known.
func daysAgo(then, now eviction.Moment) (float64, bool) {
	if !then.IsSet() || !now.IsSet() {
		return 0, false
	}
	return math.Max(0, float64(now.Micros()-then.Micros())/86_400e6), true
}
