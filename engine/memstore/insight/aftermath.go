// This file knows what became of an agent's facts after each recorded trim, from
// one pass over the audit: a damaged one may hold hundreds of thousands of trims.

package insight

import (
	"math"

	"deermem-tui/engine/memstore"
)

// aftermath is what an audit and the store of today tell of the time after a trim.
type aftermath struct {
	agent  *memstore.Agent
	last   map[string]int // the last trim that evicted a fact
	lowest []int64        // by trim: the lowest cap recorded from it on
}

func aftermathOf(a *memstore.Agent) aftermath {
	after := aftermath{agent: a, last: map[string]int{}, lowest: make([]int64, len(a.Audit))}
	lowest := int64(math.MaxInt64)
	for i := len(a.Audit) - 1; i >= 0; i-- {
		e := &a.Audit[i]
		if e.MaxFacts >= 0 {
			lowest = min(lowest, e.MaxFacts)
		}
		after.lowest[i] = lowest
		for at := range e.Evicted {
			if _, known := after.last[e.Evicted[at].ID]; !known {
				after.last[e.Evicted[at].ID] = i
			}
		}
	}
	return after
}

// room gives how many more facts the store would hold now under the lowest cap
// recorded since a trim, that of the trim itself among them.
func (a *aftermath) room(event int) int {
	if a.agent.Audit[event].MaxFacts < 0 || a.lowest[event] > math.MaxInt32 {
		return 0
	}
	return max(0, int(a.lowest[event])-len(a.agent.Facts))
}

// deleted gives the facts that a trim's shadow would have evicted, that the trim
// kept, and that are gone without a recorded eviction.
func (a *aftermath) deleted(event int) []string {
	e := &a.agent.Audit[event]
	if e.Shadow == nil {
		return nil
	}
	var gone []string
	for _, id := range e.Shadow.WouldEvict {
		if last, evicted := a.last[id]; (!evicted || last < event) && a.agent.Find(id) < 0 {
			gone = append(gone, id)
		}
	}
	return gone
}
