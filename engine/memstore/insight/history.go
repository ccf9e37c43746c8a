// This file explains an eviction of the past from the audit, keeping apart what
// was recorded, what is computed anew, and what nobody knows any more.

package insight

import (
	"fmt"
	"math"
	"slices"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

// Line is one named statement of an explanation.
type Line struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Past is one recorded eviction of one fact.
type Past struct {
	Event *memstore.Event
	Fact  memstore.EvictedFact
	Place int // in the event, 1 for the lowest rank

	Recorded    []Line   // from the audit, as it stands there
	Recomputed  []Line   // computed now, with assumptions that each line names
	NotRecorded []string // what cannot be known
	Since       []string // what happened after it, as far as the store shows
}

// PastOf gives the recorded evictions of a fact, the latest first.
func PastOf(a *memstore.Agent, id string, hybrid eviction.Policy) []Past {
	var found []Past
	for i := len(a.Audit) - 1; i >= 0; i-- {
		for at := range a.Audit[i].Evicted {
			if a.Audit[i].Evicted[at].ID == id {
				found = append(found, ExplainPast(a, i, at, hybrid))
			}
		}
	}
	return found
}

// ExplainPast explains the fact at a place (from 0) of an event of the audit.
// hybrid gives the constants that recomputed lines assume.
func ExplainPast(a *memstore.Agent, event, at int, hybrid eviction.Policy) Past {
	e := &a.Audit[event]
	p := Past{Event: e, Fact: e.Evicted[at], Place: at + 1}
	p.record()
	p.recompute(a, hybrid)
	p.NotRecorded = []string{
		"the text of the fact",
		"the weights and half-lives in force",
		"the cut, and which facts survived it",
		"whether it was the newcomer of that trim",
		"whether a slot reserved for corrections displaced it",
	}
	p.since(a, event)
	return p
}

func count(n int64) string {
	if n < 0 {
		return "not recorded"
	}
	return fmt.Sprint(n)
}

func (p *Past) record() {
	e := p.Event
	add := func(name, value string) { p.Recorded = append(p.Recorded, Line{name, value}) }
	add("when", e.OccurredAt)
	add("why", e.Reason)
	add("policy", e.Policy)
	add("cap", count(e.MaxFacts))
	add("reserved slots", count(e.ReservedSlots))
	add("place", fmt.Sprintf("%d of %d evicted, counted from the lowest rank", p.Place, len(e.Evicted)))
	add("category", p.Fact.Category)
	add("score", fmt.Sprintf("%.3f", p.Fact.Score))
	for _, part := range [...]struct {
		name  string
		value float64
	}{{"confidence", p.Fact.Components.Confidence}, {"freshness", p.Fact.Components.Freshness}, {"heat", p.Fact.Components.Heat}} {
		if !math.IsNaN(part.value) {
			add(part.name, fmt.Sprintf("%.3f", part.value))
		}
	}
	if s := e.Shadow; s != nil {
		verdict := "would have kept it"
		if slices.Contains(s.WouldEvict, p.Fact.ID) {
			verdict = "would have evicted it too"
		}
		agree := "the two policies agreed on this trim"
		if s.Disagrees {
			agree = "the two policies disagreed on this trim"
		}
		add("shadow", fmt.Sprintf("%s %s; %s", s.Policy, verdict, agree))
	} else {
		add("shadow", "none recorded")
	}
}

func (p *Past) recompute(a *memstore.Agent, hybrid eviction.Policy) {
	add := func(name, format string, args ...any) {
		p.Recomputed = append(p.Recomputed, Line{name, fmt.Sprintf(format, args...)})
	}
	p.checkScore(hybrid, add)
	best := p.Event.Evicted[len(p.Event.Evicted)-1].Score
	if p.Place == len(p.Event.Evicted) {
		add("the cut", "nothing ranked higher among the evicted: the cut lay at %.3f or above, unless a reserved slot decided", best)
	} else {
		add("the cut", "at %.3f or above, the best score evicted with it, so this fact missed it by %.3f or more, unless a reserved slot decided", best, best-p.Fact.Score)
	}
	p.survivors(a, hybrid, add)
}

// checkScore compares the recorded score with that of the recorded components.
func (p *Past) checkScore(hybrid eviction.Policy, add func(name, format string, args ...any)) {
	c, w := p.Fact.Components, hybrid.Weights
	switch {
	case math.IsNaN(c.Confidence):
		return
	case p.Event.Policy != eviction.NameHybridV1:
		if c.Confidence == p.Fact.Score {
			add("score", "the recorded confidence is the recorded score, as the policy has it")
		} else {
			add("score", "the recorded confidence is not the recorded score")
		}
		return
	case math.IsNaN(c.Freshness) || math.IsNaN(c.Heat):
		return
	}
	value := float64(float64(w.Confidence*c.Confidence)+float64(w.Confirmation*c.Freshness)) + float64(w.Access*c.Heat)
	sum := fmt.Sprintf("%.2f×%.3f + %.2f×%.3f + %.2f×%.3f = %.3f", w.Confidence, c.Confidence, w.Confirmation, c.Freshness, w.Access, c.Heat, value)
	if value == p.Fact.Score {
		add("score", "%s, the recorded score: the weights assumed here were most likely those in force", sum)
	} else {
		add("score", "%s, not the recorded score: other weights were in force", sum)
	}
	if f := c.Freshness; 0 < f && f <= 1 && hybrid.ConfirmationHalfLifeDays > 0 {
		confirmed := -math.Log2(f) * hybrid.ConfirmationHalfLifeDays
		line := fmt.Sprintf("a freshness of %.3f is that of a confirmation %.0f days before", f, confirmed)
		if f <= 0.5 {
			line += fmt.Sprintf(", or of a creation %.0f days before without a confirmation", -math.Log2(2*f)*hybrid.ConfirmationHalfLifeDays)
		}
		add("freshness", "%s, at a half-life of %g days", line, hybrid.ConfirmationHalfLifeDays)
	}
}

// survivors says how today's facts that existed then would have scored.
func (p *Past) survivors(a *memstore.Agent, hybrid eviction.Policy, add func(name, format string, args ...any)) {
	if !p.Event.Moment.IsSet() {
		return
	}
	policy := eviction.Confidence()
	if p.Event.Policy == eviction.NameHybridV1 {
		policy = hybrid
	}
	n, below, lowest := 0, 0, math.Inf(1)
	for i := range a.Signals {
		f := &a.Signals[i]
		if !f.Created.IsSet() || f.Created.Micros() > p.Event.Moment.Micros() {
			continue
		}
		n++
		score := eviction.ScoreOf(f, &policy, p.Event.Moment).Value
		lowest = min(lowest, score)
		if score < p.Fact.Score {
			below++
		}
	}
	if n == 0 {
		return
	}
	add("survivors", "of today's facts %d were created before it; with today's signals, at the time of the trim, the lowest of them would score %.3f and %d would score below this fact. Signals that changed since are not those of then", n, lowest, below)
}

// since says what the store shows of the time after the trim.
func (p *Past) since(a *memstore.Agent, event int) {
	add := func(format string, args ...any) { p.Since = append(p.Since, fmt.Sprintf(format, args...)) }
	if a.Find(p.Fact.ID) >= 0 {
		add("A fact with this ID is in the store now: it was stored again after the trim.")
	}
	if deleted := laterDeleted(a, event); len(deleted) > 0 {
		add("Facts that the shadow policy would have evicted, that this trim kept, and that are neither in the store nor among later evictions: %d. They were deleted later.", len(deleted))
	}
	if s := p.Event.Shadow; s != nil && len(s.WouldEvict) != len(p.Event.Evicted) {
		add("The shadow verdict names %d and the trim %d, though both had to drop as many: deer-flow removes the names of facts that left the store later (deleted, merged or evicted), and works out the disagreement anew without them.", len(s.WouldEvict), len(p.Event.Evicted))
	}
	if room := spareRoom(a, event); room > 0 {
		add("The store holds %d facts now, %d fewer than every cap recorded since that trim: facts that survived it were deleted or merged later, and there is room to spare.", len(a.Facts), room)
	}
}

// spareRoom gives how many more facts the store would hold now under the lowest
// cap recorded since an event, that of the event itself among them.
func spareRoom(a *memstore.Agent, event int) int {
	lowest := int64(math.MaxInt64)
	for i := event; i < len(a.Audit); i++ {
		if n := a.Audit[i].MaxFacts; n >= 0 {
			lowest = min(lowest, n)
		}
	}
	if a.Audit[event].MaxFacts < 0 || lowest > math.MaxInt32 {
		return 0
	}
	return max(0, int(lowest)-len(a.Facts))
}

// laterDeleted gives the facts that an event's shadow would have evicted, that
// the event kept, and that are gone without a recorded eviction.
func laterDeleted(a *memstore.Agent, event int) []string {
	e := &a.Audit[event]
	if e.Shadow == nil {
		return nil
	}
	var deleted []string
	for _, id := range e.Shadow.WouldEvict {
		if a.Find(id) < 0 && !evictedFrom(a.Audit[event:], id) {
			deleted = append(deleted, id)
		}
	}
	return deleted
}

func evictedFrom(events []memstore.Event, id string) bool {
	for i := range events {
		for j := range events[i].Evicted {
			if events[i].Evicted[j].ID == id {
				return true
			}
		}
	}
	return false
}
