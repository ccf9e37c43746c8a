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

// mostPast is how many evictions of one fact are explained. A fact goes once, or
// a few times if it was stored again; only a damaged audit has more.
const mostPast = 50

// PastOf gives the recorded evictions of a fact, the latest first; the last one
// says how many more there are.
func PastOf(a *memstore.Agent, id string, hybrid eviction.Policy) []Past {
	var found []Past
	more := 0
	after := aftermathOf(a)
	for i := len(a.Audit) - 1; i >= 0; i-- {
		for at := range a.Audit[i].Evicted {
			switch {
			case a.Audit[i].Evicted[at].ID != id:
			case len(found) == mostPast:
				more++
			default:
				found = append(found, newTrim(a, i, hybrid, &after).explain(at))
			}
		}
	}
	if more > 0 {
		last := &found[len(found)-1]
		last.Since = append(last.Since, fmt.Sprintf("%d earlier evictions of it are recorded and not explained here.", more))
	}
	return found
}

// ExplainTrim explains the first n facts of an event of the audit, from the
// lowest rank on. hybrid gives the constants that recomputed lines assume.
func ExplainTrim(a *memstore.Agent, event, n int, hybrid eviction.Policy) []Past {
	after := aftermathOf(a)
	t := newTrim(a, event, hybrid, &after)
	var all []Past
	for at := range min(n, len(t.event.Evicted)) {
		all = append(all, t.explain(at))
	}
	return all
}

// trim is an event with what is the same for every fact in it.
type trim struct {
	agent  *memstore.Agent
	index  int
	event  *memstore.Event
	hybrid eviction.Policy
	best   float64   // the highest score evicted
	mixed  bool      // the scores do not rise from the lowest rank on
	today  []float64 // scores at that time of today's facts that were there
	since  []string
}

func newTrim(a *memstore.Agent, event int, hybrid eviction.Policy, after *aftermath) *trim {
	t := &trim{agent: a, index: event, event: &a.Audit[event], hybrid: hybrid}
	t.best = t.event.Evicted[0].Score
	for _, f := range t.event.Evicted {
		t.mixed = t.mixed || f.Score < t.best
		t.best = max(t.best, f.Score)
	}
	t.score()
	t.tell(after)
	return t
}

func (t *trim) explain(at int) Past {
	p := Past{Event: t.event, Fact: t.event.Evicted[at], Place: at + 1}
	p.record()
	p.recompute(t)
	p.NotRecorded = []string{
		"the text of the fact",
		"the weights and half-lives in force",
		"the cut, and which facts survived it",
		"whether it was the newcomer of that trim",
	}
	if p.mayReserve() {
		p.NotRecorded = append(p.NotRecorded, "whether a slot reserved for corrections displaced it")
	}
	if t.agent.Find(p.Fact.ID) >= 0 {
		p.Since = append(p.Since, "A fact with this ID is in the store now: it was stored again after the trim.")
	}
	p.Since = append(p.Since, t.since...)
	return p
}

// mayReserve tells whether a reserved slot may have had a part in the trim: not
// where none is recorded, nor under a policy that has none.
func (p *Past) mayReserve() bool {
	return p.Event.ReservedSlots != 0 && p.Event.Policy != eviction.NameConfidence
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

func (p *Past) recompute(t *trim) {
	add := func(name, format string, args ...any) {
		p.Recomputed = append(p.Recomputed, Line{name, fmt.Sprintf(format, args...)})
	}
	p.checkScore(t.hybrid, add)
	best, unless, or := t.best, "", ""
	if p.mayReserve() {
		unless, or = ", unless a reserved slot decided", ", or a reserved slot decided"
	}
	switch {
	case t.mixed:
		add("the cut", "the recorded scores do not rise with their places, as ranks do: the record is wrong%s; nothing bounds the cut", or)
	case p.Fact.Score == best:
		add("the cut", "nothing evicted with it scored higher: the cut lay at %.3f or above%s", best, unless)
	default:
		add("the cut", "at %.3f or above, the best score evicted with it, so this fact missed it by %.3f or more%s", best, best-p.Fact.Score, unless)
	}
	if n := len(t.today); n > 0 {
		below, lowest := 0, math.Inf(1)
		for _, score := range t.today {
			lowest = min(lowest, score)
			if score < p.Fact.Score {
				below++
			}
		}
		add("survivors", "of today's facts %d were created before it; with today's signals, at the time of the trim, the lowest of them would score %.3f and %d would score below this fact. Signals that changed since are not those of then", n, lowest, below)
	}
}

// checkScore compares the recorded score with that of the recorded components.
func (p *Past) checkScore(hybrid eviction.Policy, add func(name, format string, args ...any)) {
	c, w := p.Fact.Components, hybrid.Weights
	for _, part := range [...]float64{c.Confidence, c.Freshness, c.Heat} {
		if part < 0 || part > 1 {
			add("score", "a recorded part is %g, outside 0 to 1: the record is wrong, and nothing follows from it", part)
			return
		}
	}
	switch {
	case math.IsNaN(c.Confidence):
		return
	case p.Event.Policy != eviction.NameHybridV1:
		if c.Confidence == p.Fact.Score {
			add("score", "the recorded confidence is the recorded score, as the policy has it")
		} else {
			add("score", "the recorded confidence is not the recorded score, which the policy would make it: the record is wrong")
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
		add("score", "%s, not the recorded score: other weights were in force, or the record is wrong", sum)
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

// score scores today's facts that existed then, at that time.
func (t *trim) score() {
	if !t.event.Moment.IsSet() {
		return
	}
	policy := eviction.Confidence()
	if t.event.Policy == eviction.NameHybridV1 {
		policy = t.hybrid
	}
	for i := range t.agent.Signals {
		f := &t.agent.Signals[i]
		if f.Created.IsSet() && f.Created.Micros() <= t.event.Moment.Micros() {
			t.today = append(t.today, eviction.ScoreOf(f, &policy, t.event.Moment).Value)
		}
	}
}

// tell says what the store shows of the time after the trim.
func (t *trim) tell(after *aftermath) {
	a, e := t.agent, t.event
	add := func(format string, args ...any) { t.since = append(t.since, fmt.Sprintf(format, args...)) }
	if deleted := after.deleted(t.index); len(deleted) > 0 {
		add("Facts that the shadow policy would have evicted, that this trim kept, and that are neither in the store nor among later evictions: %d. They were deleted later.", len(deleted))
	}
	if s := e.Shadow; s != nil && len(s.WouldEvict) != len(e.Evicted) {
		add("The shadow verdict names %d and the trim %d, though both had to drop as many: deer-flow removes the names of facts that left the store later (deleted, merged or evicted), and works out the disagreement anew without them.", len(s.WouldEvict), len(e.Evicted))
	}
	if room := after.room(t.index); room > 0 {
		add("The store holds %d facts now, %d fewer than every cap recorded since that trim: facts that survived it were deleted or merged later, and there is room to spare.", len(a.Facts), room)
	}
}
