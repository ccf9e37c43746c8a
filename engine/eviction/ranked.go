// This file keeps the order of a policy at hand, so that one capacity after
// another, and one fact at a time, cost next to nothing over a long list.

package eviction

// Ranked is a list of facts in the order of a policy at one time. A capacity
// only cuts that order: what it keeps is answered a fact at a time, with the
// answers of Select and Explain. One goroutine at a time; the facts have to stay
// as they are.
type Ranked struct {
	standing *standing
	result   Result
}

// Rank scores facts and puts them in order.
func Rank(facts []Fact, p Policy, now Moment) *Ranked {
	r := Select(facts, p, now, len(facts))
	return &Ranked{standing: newStanding(facts, p, now, len(facts), r), result: r}
}

// Facts gives the list that was ranked.
func (r *Ranked) Facts() []Fact { return r.standing.facts }

// Policy gives the policy.
func (r *Ranked) Policy() Policy { return r.standing.policy }

// Now gives the time at which the facts were scored.
func (r *Ranked) Now() Moment { return r.standing.now }

// Scores are the scores by input index.
func (r *Ranked) Scores() []Score { return r.result.Scores }

// Ranking is all facts, best first.
func (r *Ranked) Ranking() []int { return r.result.Ranking }

// Place gives a fact's place in the ranking, from 0.
func (r *Ranked) Place(i int) int { return r.standing.places[i] }

// Corrections are the places of the corrections, best first.
func (r *Ranked) Corrections() []int { return r.standing.corrections }

// Reserved gives how many corrections hold a reserved slot at a capacity.
func (r *Ranked) Reserved(capacity int) int {
	if len(r.standing.facts) <= capacity {
		return 0
	}
	return min(reservedSlots(&r.standing.policy, capacity), len(r.standing.corrections))
}

// Kept tells whether a capacity keeps fact i.
func (r *Ranked) Kept(capacity, i int) bool {
	return r.standing.keptAt(capacity, i, r.standing.places[i])
}

// Explain takes the decision of fact i at a capacity apart, as the function
// Explain does for all facts.
func (r *Ranked) Explain(capacity, i int) Explained {
	s := r.standing
	if s.capacity != capacity {
		s.prepare(capacity)
	}
	var seek seeker
	cut := r.Cut(capacity)
	return Explained{Policy: s.policy, Capacity: capacity, ReservedSlots: s.reserved, Of: len(s.facts), FactExplanation: s.explain(i, &cut, &seek)}
}

// Cut gives the place in the ranking where a capacity begins to evict: the first
// that gets none of the slots left by the corrections in reserved ones.
func (r *Ranked) Cut(capacity int) Cut {
	c := Cut{LastKept: -1, FirstEvicted: -1}
	s := r.standing
	if len(s.ranking) <= capacity {
		return c
	}
	held := r.Reserved(capacity)
	at := max(capacity, 0) - held
	for _, place := range s.corrections[:held] {
		if place <= at {
			at++
		}
	}
	c.FirstEvicted = s.ranking[at]
	c.FirstEvictedScore = s.scores[c.FirstEvicted].Value
	if at > 0 {
		c.LastKept = s.ranking[at-1]
		c.LastKeptScore = s.scores[c.LastKept].Value
	}
	return c
}
