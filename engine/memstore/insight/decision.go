// Package insight answers an owner's questions about a store that was read:
// what a policy keeps at a cap, what goes next, what another policy would do,
// and what the audit tells of the past. It is pure; every index is into an
// agent's facts.
package insight

import (
	"slices"

	"deermem-tui/engine/eviction"
)

// Decision is what a policy does with an agent's facts at a cap. It cuts an
// order that is there already, so another cap costs next to nothing however long
// the list is. Like the order, it is used by one goroutine at a time.
type Decision struct {
	Ranked   *eviction.Ranked
	Capacity int
	Cut      eviction.Cut

	Held      []int // corrections in reserved slots, best first
	Saved     []int // those of Held that their rank alone would not have kept
	Displaced []int // evicted although their rank would have kept them, best first

	all, open int // places: from all on everything has to hold a slot; before open nothing has to
}

// Decide makes the decision of eviction.Select and says what follows from it.
func Decide(facts []eviction.Fact, p eviction.Policy, now eviction.Moment, capacity int) *Decision {
	return At(eviction.Rank(facts, p, now), capacity)
}

// At cuts an order at a cap.
func At(r *eviction.Ranked, capacity int) *Decision {
	d := &Decision{Ranked: r, Capacity: capacity, Cut: r.Cut(capacity), all: len(r.Facts()), open: len(r.Facts())}
	if d.Evictions() > 0 {
		d.all = max(capacity, 0)
		d.open = d.all - r.Reserved(capacity)
	}
	for _, place := range r.Corrections()[:r.Reserved(capacity)] {
		i := r.Ranking()[place]
		d.Held = append(d.Held, i)
		if place >= capacity {
			d.Saved = append(d.Saved, i)
		}
	}
	// As many facts are displaced as slots are held below the cap.
	for place := capacity - 1; place >= 0 && len(d.Displaced) < len(d.Saved); place-- {
		if i := r.Ranking()[place]; !d.Kept(i) {
			d.Displaced = append(d.Displaced, i)
		}
	}
	slices.Reverse(d.Displaced)
	return d
}

// Policy gives the policy that decides.
func (d *Decision) Policy() eviction.Policy { return d.Ranked.Policy() }

// Kept tells whether fact i is kept.
func (d *Decision) Kept(i int) bool {
	switch place := d.Ranked.Place(i); {
	case place < d.open:
		return true // were all before it corrections, a slot would still be left
	case place >= d.all:
		return slices.Contains(d.Held, i)
	}
	return d.Ranked.Kept(d.Capacity, i)
}

// Rank gives the rank of fact i, from 1.
func (d *Decision) Rank(i int) int { return d.Ranked.Place(i) + 1 }

// Score gives the score of fact i.
func (d *Decision) Score(i int) eviction.Score { return d.Ranked.Scores()[i] }

// Evictions counts the facts that go.
func (d *Decision) Evictions() int { return max(0, len(d.Ranked.Facts())-max(0, d.Capacity)) }

// Survivors counts the facts that stay.
func (d *Decision) Survivors() int { return len(d.Ranked.Facts()) - d.Evictions() }

// Evicted gives at most n of the facts that go, the lowest rank first.
func (d *Decision) Evicted(n int) []int {
	ranking := d.Ranked.Ranking()
	n = min(n, d.Evictions())
	gone := make([]int, 0, n)
	for at := len(ranking) - 1; len(gone) < n; at-- {
		if i := ranking[at]; !d.Kept(i) {
			gone = append(gone, i)
		}
	}
	return gone
}

// Stay gives the facts that stay, the best first; in the order of the list where
// all of them do.
func (d *Decision) Stay() []int {
	kept := make([]int, 0, d.Survivors())
	if d.Evictions() == 0 {
		for i := range d.Ranked.Facts() {
			kept = append(kept, i)
		}
		return kept
	}
	for _, i := range d.Ranked.Ranking() {
		if d.Kept(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// Margin is a fact's distance to the other side of the cut: above the first
// evicted score for a kept fact (negative for one that a reserved slot holds),
// to the last kept score for an evicted one. ok is false where there is no
// other side.
func (d *Decision) Margin(i int) (margin float64, ok bool) {
	score := d.Score(i).Value
	switch kept := d.Kept(i); {
	case kept && d.Cut.FirstEvicted >= 0:
		return score - d.Cut.FirstEvictedScore, true
	case !kept && d.Cut.LastKept >= 0:
		return score - d.Cut.LastKeptScore, true
	}
	return 0, false
}

// Next gives at most n of the kept facts in the order in which they would go as
// better facts come in one at a time, each costing one fact its slot. Those in
// reserved slots go last: only better corrections take their place.
func (d *Decision) Next(n int) []int {
	ranking := d.Ranked.Ranking()
	from := len(ranking) // behind the last fact that its rank keeps
	if d.Cut.FirstEvicted >= 0 {
		from = d.Ranked.Place(d.Cut.FirstEvicted)
	}
	var next []int
	for at := from - 1; at >= 0 && len(next) < n; at-- {
		if i := ranking[at]; !slices.Contains(d.Held, i) {
			next = append(next, i)
		}
	}
	for at := len(d.Held) - 1; at >= 0 && len(next) < n; at-- {
		next = append(next, d.Held[at])
	}
	return next
}

// Step is one fact that goes when a cap falls to Capacity.
type Step struct {
	Capacity int
	Index    int
}

// OneAtATime gives what goes as the cap falls a slot at a time, from as many as
// there are facts down to the decision's; at most n steps. Together they are what
// goes at once, perhaps in another order: the number of reserved slots falls with
// the cap.
func (d *Decision) OneAtATime(n int) []Step {
	ranking, corrections := d.Ranked.Ranking(), d.Ranked.Corrections()
	var steps []Step
	var loose []int // places of corrections that lost their slot below all that is left
	low := len(ranking) - 1
	held := len(corrections)
	for c := len(ranking) - 1; c >= max(0, d.Capacity) && len(steps) < n; c-- {
		for reserved := d.Ranked.Reserved(c); held > reserved; held-- {
			if place := corrections[held-1]; place > low {
				loose = append(loose, place) // each is better than the one before it
			}
		}
		if len(loose) > 0 {
			steps = append(steps, Step{Capacity: c, Index: ranking[loose[0]]})
			loose = loose[1:]
			continue
		}
		for held > 0 && holds(corrections[:held], low) {
			low--
		}
		steps = append(steps, Step{Capacity: c, Index: ranking[low]})
		low--
	}
	return steps
}

// holds tells whether one of the rising places is place.
func holds(places []int, place int) bool {
	_, ok := slices.BinarySearch(places, place)
	return ok
}

// daysAgo gives the days from a moment to now, negative for one after it, and
// whether they are known.
func daysAgo(then, now eviction.Moment) (float64, bool) {
	if !then.IsSet() || !now.IsSet() {
		return 0, false
	}
	return float64(now.Micros()-then.Micros()) / 86_400e6, true
}
