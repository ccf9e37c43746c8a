// This file tries hybrid-v1 on an agent's facts before its owner switches it on.

package insight

import (
	"fmt"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

// Comparison is what two policies would do with the same facts.
type Comparison struct {
	Agent      *memstore.Agent
	Now        eviction.Moment
	Capacity   int
	Confidence *Decision
	Hybrid     *Decision

	Differ     []Difference // first what only hybrid-v1 keeps, each in its ranking
	Agree      int          // facts that both keep or both drop
	SavedAll   []int        // corrections that only hybrid-v1 keeps
	SavedSlots []int        // those of SavedAll that hold a reserved slot against their rank
	LostAll    []int        // corrections that only confidence keeps
	Signals    Signals
}

// Difference is a fact that only one of the policies keeps.
type Difference struct {
	Index      int
	HybridOnly bool   // kept by hybrid-v1 and dropped by confidence; else the other way round
	Reason     string // a sentence without IDs or text of the fact
}

// Compare decides under both policies at a cap.
func Compare(a *memstore.Agent, hybrid eviction.Policy, now eviction.Moment, capacity int) *Comparison {
	c := &Comparison{
		Agent: a, Now: now, Capacity: capacity, Signals: SignalsOf(a),
		Confidence: Decide(a.Signals, eviction.Confidence(), now, capacity),
		Hybrid:     Decide(a.Signals, hybrid, now, capacity),
	}
	saved := make(map[int]bool, len(c.Hybrid.Saved))
	for _, i := range c.Hybrid.Saved {
		saved[i] = true
	}
	for _, i := range c.Hybrid.Result.Ranking {
		if !c.Hybrid.Kept[i] || c.Confidence.Kept[i] {
			continue
		}
		c.Differ = append(c.Differ, Difference{Index: i, HybridOnly: true, Reason: c.reason(i, saved[i])})
		if eviction.IsCorrection(a.Signals[i].Category) {
			c.SavedAll = append(c.SavedAll, i)
			if saved[i] {
				c.SavedSlots = append(c.SavedSlots, i)
			}
		}
	}
	displaced := make(map[int]bool, len(c.Hybrid.Displaced))
	for _, i := range c.Hybrid.Displaced {
		displaced[i] = true
	}
	for _, i := range c.Confidence.Result.Ranking {
		if c.Hybrid.Kept[i] || !c.Confidence.Kept[i] {
			continue
		}
		c.Differ = append(c.Differ, Difference{Index: i, Reason: c.reason(i, displaced[i])})
		if eviction.IsCorrection(a.Signals[i].Category) {
			c.LostAll = append(c.LostAll, i)
		}
	}
	c.Agree = len(a.Facts) - len(c.Differ)
	return c
}

// reason says why the policies differ on a fact; reserve tells that the reserved
// slots decided under hybrid-v1.
func (c *Comparison) reason(i int, reserve bool) string {
	n := len(c.Agent.Facts)
	score := c.Hybrid.Result.Scores[i]
	ranks := fmt.Sprintf("rank %d of %d by confidence, %d by hybrid-v1", c.Confidence.Rank[i], n, c.Hybrid.Rank[i])
	if reserve {
		if c.Hybrid.Kept[i] {
			return fmt.Sprintf("A correction in one of %d reserved slots, which its score of %.3f would not have kept: %s.", c.Hybrid.Result.ReservedSlots, score.Value, ranks)
		}
		return fmt.Sprintf("Its score of %.3f would keep it, but %d slots are reserved for corrections: %s.", score.Value, c.Hybrid.Result.ReservedSlots, ranks)
	}
	w := c.Hybrid.Policy.Weights
	fresh, heat := w.Confirmation*score.Freshness, w.Access*score.Heat
	other, otherFresh, otherHeat := c.atCut(i, w)
	words := fmt.Sprintf("Freshness %.3f (%s) adds %.3f and heat %.3f (%s) adds %.3f", score.Freshness, c.since(i), fresh, score.Heat, c.accessed(i), heat)
	if !other {
		return fmt.Sprintf("%s: %s.", words, ranks)
	}
	side := "the best fact that hybrid-v1 drops"
	if !c.Hybrid.Kept[i] {
		side = "the last one that hybrid-v1 keeps"
	}
	return fmt.Sprintf("%s, against %.3f and %.3f for %s: %s.", words, otherFresh, otherHeat, side, ranks)
}

// atCut gives the terms of the fact across hybrid-v1's cut.
func (c *Comparison) atCut(i int, w eviction.Weights) (ok bool, fresh, heat float64) {
	other := c.Hybrid.Cut.FirstEvicted
	if !c.Hybrid.Kept[i] {
		other = c.Hybrid.Cut.LastKept
	}
	if other < 0 {
		return false, 0, 0
	}
	score := c.Hybrid.Result.Scores[other]
	return true, w.Confirmation * score.Freshness, w.Access * score.Heat
}

func (c *Comparison) since(i int) string {
	f := &c.Agent.Signals[i]
	if days, ok := daysAgo(f.Confirmed, c.Now); ok {
		return fmt.Sprintf("confirmed %.0f days ago", days)
	}
	if days, ok := daysAgo(f.Created, c.Now); ok {
		return fmt.Sprintf("never confirmed, created %.0f days ago", days)
	}
	return "no time known"
}

func (c *Comparison) accessed(i int) string {
	f := &c.Agent.Signals[i]
	if days, ok := daysAgo(f.Accessed, c.Now); ok && f.Heat > 0 {
		return fmt.Sprintf("accessed %.0f days ago", days)
	}
	if !c.Signals.HeatMeasured() {
		return "not measured"
	}
	return "no access recorded"
}
