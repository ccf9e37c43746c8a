// This file draws the time line of an agent's recorded evictions.

package insight

import (
	"slices"

	"deermem-tui/engine/memstore"
)

// Timeline is an agent's recorded trims, oldest first, with their totals.
type Timeline struct {
	Entries    []TimelineEntry
	Evicted    int
	Categories []CategoryCount // of all evicted facts

	WithShadow int // trims with a shadow verdict
	Disagreed  int // of these, where the two policies disagreed, as recorded
	// Contradicted counts verdicts that the names recorded with them contradict.
	Contradicted int
	// Thinned counts verdicts whose lists are of different lengths: names of
	// facts that left the store later were removed from them.
	Thinned int
}

// TimelineEntry is one trim.
type TimelineEntry struct {
	Event      *memstore.Event
	Categories []CategoryCount
	LaterGone  []string // facts its shadow would have evicted, kept then and deleted later
	SpareRoom  int      // slots that are free now under every cap since
}

// NewTimeline reads an agent's audit.
func NewTimeline(a *memstore.Agent) Timeline {
	var t Timeline
	all := map[string]int{}
	after := aftermathOf(a)
	for i := range a.Audit {
		e := &a.Audit[i]
		counts := map[string]int{}
		for _, f := range e.Evicted {
			counts[f.Category]++
			all[f.Category]++
		}
		t.Evicted += len(e.Evicted)
		t.Entries = append(t.Entries, TimelineEntry{
			Event: e, Categories: sortedCounts(counts), LaterGone: after.deleted(i), SpareRoom: after.room(i),
		})
		if e.Shadow == nil {
			continue
		}
		t.WithShadow++
		if e.Shadow.Disagrees {
			t.Disagreed++
		}
		if e.Shadow.Disagrees == sameFacts(e) {
			t.Contradicted++
		}
		if len(e.Shadow.WouldEvict) != len(e.Evicted) {
			t.Thinned++
		}
	}
	t.Categories = sortedCounts(all)
	return t
}

// DisagreementRate is the share of trims with a shadow verdict on which the two
// policies disagreed, in [0,1]; ok is false without any.
func (t *Timeline) DisagreementRate() (rate float64, ok bool) {
	if t.WithShadow == 0 {
		return 0, false
	}
	return float64(t.Disagreed) / float64(t.WithShadow), true
}

// sameFacts tells whether an event and its shadow name the same facts.
func sameFacts(e *memstore.Event) bool {
	evicted := make([]string, 0, len(e.Evicted))
	for _, f := range e.Evicted {
		evicted = append(evicted, f.ID)
	}
	slices.Sort(evicted)
	shadow := slices.Sorted(slices.Values(e.Shadow.WouldEvict))
	return slices.Equal(slices.Compact(evicted), slices.Compact(shadow))
}
