// This file tries hybrid-v1 on an agent's facts before its owner switches it on.

package insight

import (
	"fmt"
	"slices"

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
	HybridOnly bool // kept by hybrid-v1 and dropped by confidence; else the other way round
	reserve    bool // the reserved slots decided under hybrid-v1
}

// Compare decides under both policies at a cap.
func Compare(a *memstore.Agent, hybrid eviction.Policy, now eviction.Moment, capacity int) *Comparison {
	return NewTable(a, hybrid, now).Compare(capacity)
}

// Compare compares the two policies at a cap.
func (t *Table) Compare(capacity int) *Comparison {
	a := t.Agent
	c := &Comparison{Agent: a, Now: t.Now, Capacity: capacity, Signals: t.signals}
	c.Confidence, c.Hybrid = t.Decide(capacity)
	for _, i := range c.Hybrid.Ranked.Ranking() {
		if !c.Hybrid.Kept(i) || c.Confidence.Kept(i) {
			continue
		}
		saved := slices.Contains(c.Hybrid.Saved, i)
		c.Differ = append(c.Differ, Difference{Index: i, HybridOnly: true, reserve: saved})
		if eviction.IsCorrection(a.Signals[i].Category) {
			c.SavedAll = append(c.SavedAll, i)
			if saved {
				c.SavedSlots = append(c.SavedSlots, i)
			}
		}
	}
	for _, i := range c.Confidence.Ranked.Ranking() {
		if c.Hybrid.Kept(i) || !c.Confidence.Kept(i) {
			continue
		}
		c.Differ = append(c.Differ, Difference{Index: i, reserve: slices.Contains(c.Hybrid.Displaced, i)})
		if eviction.IsCorrection(a.Signals[i].Category) {
			c.LostAll = append(c.LostAll, i)
		}
	}
	c.Agree = len(a.Facts) - len(c.Differ)
	return c
}

// Reason says in a sentence, without IDs or text of the fact, why the policies
// differ on it.
func (c *Comparison) Reason(d Difference) string {
	i, n := d.Index, len(c.Agent.Facts)
	score := c.Hybrid.Score(i)
	ranks := fmt.Sprintf("rank %d of %d by confidence, %d by hybrid-v1", c.Confidence.Rank(i), n, c.Hybrid.Rank(i))
	if d.reserve {
		if d.HybridOnly {
			return fmt.Sprintf("A correction in one of %d reserved slots, which its score of %.3f would not have kept: %s.", len(c.Hybrid.Held), score.Value, ranks)
		}
		return fmt.Sprintf("Its score of %.3f would keep it, but %d slots are reserved for corrections: %s.", score.Value, len(c.Hybrid.Held), ranks)
	}
	within, verb, level := "inside", "below", "level with, but in the list behind,"
	if d.HybridOnly {
		within, verb, level = "beyond", "above", "level with, but in the list before,"
	}
	alone := ""
	if margin, ok := c.Confidence.Margin(i); ok && margin == 0 {
		alone = ", by its place in the list alone"
	}
	w := c.Hybrid.Policy().Weights
	words := fmt.Sprintf("By confidence %.3f it ranks %d of %d, %s the cap of %d%s. Hybrid-v1 scores it %.3f (%.3f from confidence, %.3f from freshness %.3f, %s, and %.3f from heat %.3f, %s), rank %d",
		score.Confidence, c.Confidence.Rank(i), n, within, c.Capacity, alone, score.Value, w.Confidence*score.Confidence,
		w.Confirmation*score.Freshness, score.Freshness, c.since(i), w.Access*score.Heat, score.Heat, c.accessed(i), c.Hybrid.Rank(i))
	other, side := c.Hybrid.Cut.FirstEvicted, "the best fact that it drops"
	if !d.HybridOnly {
		other, side = c.Hybrid.Cut.LastKept, "the last fact that it keeps by rank"
	}
	if other < 0 {
		return words + "."
	}
	cut := c.Hybrid.Score(other)
	if cut.Value == score.Value {
		verb = level
	}
	return fmt.Sprintf("%s: %s %s, %.3f (%.3f, %.3f and %.3f).", words, verb, side, cut.Value, w.Confidence*cut.Confidence, w.Confirmation*cut.Freshness, w.Access*cut.Heat)
}

func (c *Comparison) since(i int) string {
	f := &c.Agent.Signals[i]
	if days, ok := daysAgo(f.Confirmed, c.Now); ok {
		return "confirmed " + ago(days)
	}
	if days, ok := daysAgo(f.Created, c.Now); ok {
		return "never confirmed, created " + ago(days)
	}
	return "no time known"
}

// ago words days before the clock; a negative number is after it.
func ago(days float64) string {
	if days < 0 {
		return "after the clock"
	}
	return fmt.Sprintf("%.0f days ago", days)
}

func (c *Comparison) accessed(i int) string {
	f := &c.Agent.Signals[i]
	if days, ok := daysAgo(f.Accessed, c.Now); ok && f.Heat > 0 {
		return "accessed " + ago(days)
	}
	if !c.Signals.HeatMeasured() {
		return "not measured"
	}
	return "no access recorded"
}
