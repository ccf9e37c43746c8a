// This file says which signals a store has, so that a zero that was never
// measured is not read as a cold fact.

package insight

import (
	"fmt"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

// Signals counts what is known of an agent's facts.
type Signals struct {
	Facts     int `json:"facts"`
	Confirmed int `json:"confirmed"` // with a last confirmation that can be read
	Undated   int `json:"undated"`   // with neither a confirmation nor a creation time
	Accessed  int `json:"accessed"`  // with a recorded access

	Ahead  int `json:"with_times_after_the_clock"` // SignalsAt only
	NotYet int `json:"created_after_the_clock"`    // of Ahead; ranked all the same

	UsageFound bool `json:"usage_found"` // there is a sidecar of accesses
	// HybridSeen: the audit has an event of hybrid-v1, or one with a shadow
	// verdict, so accesses were being recorded at that time.
	HybridSeen bool   `json:"hybrid_or_shadow_seen"`
	HybridFrom string `json:"hybrid_or_shadow_first_seen,omitempty"` // when, as recorded
}

// SignalsOf counts an agent's signals.
func SignalsOf(a *memstore.Agent) Signals {
	s := Signals{Facts: len(a.Facts), UsageFound: a.UsageFound}
	for i := range a.Signals {
		f := &a.Signals[i]
		if f.Confirmed.IsSet() {
			s.Confirmed++
		} else if !f.Created.IsSet() {
			s.Undated++
		}
		if f.Heat > 0 && f.Accessed.IsSet() {
			s.Accessed++
		}
	}
	for _, e := range a.Audit {
		if e.Policy == eviction.NameHybridV1 || e.Shadow != nil {
			s.HybridSeen, s.HybridFrom = true, e.OccurredAt
			break
		}
	}
	return s
}

// SignalsAt is SignalsOf with what a clock makes of them.
func SignalsAt(a *memstore.Agent, now eviction.Moment) Signals {
	s := SignalsOf(a)
	later := func(m eviction.Moment) bool { return m.IsSet() && now.IsSet() && m.Micros() > now.Micros() }
	for i := range a.Signals {
		f := &a.Signals[i]
		if later(f.Created) {
			s.NotYet++
		}
		if later(f.Created) || later(f.Confirmed) || later(f.Accessed) {
			s.Ahead++
		}
	}
	return s
}

// HeatMeasured tells whether a heat of 0 can be read as "not accessed".
func (s Signals) HeatMeasured() bool { return s.UsageFound }

// Notes says in sentences what is missing and what that means.
func (s Signals) Notes() []string {
	var notes []string
	switch {
	case s.Facts == 0:
		return nil
	case !s.UsageFound:
		notes = append(notes, "No accesses are recorded: deer-flow counts them only while hybrid-v1 or its shadow mode is on. A heat of 0 here means not measured, not cold; turn shadow mode on for some weeks before you judge hybrid-v1 by heat.")
	case s.Accessed < s.Facts:
		notes = append(notes, fmt.Sprintf("%d of %d facts have a recorded access. Accesses are counted only while hybrid-v1 or its shadow mode is on, so those before that time are missing, and the other facts' 0 may be one of them.", s.Accessed, s.Facts))
	}
	if s.HybridSeen {
		when := "at some time"
		if s.HybridFrom != "" {
			when = "on " + s.HybridFrom
		}
		notes = append(notes, fmt.Sprintf("The audit first shows hybrid-v1 or its shadow mode %s; older entries may have been dropped.", when))
	}
	switch s.Confirmed {
	case s.Facts:
	case 0:
		notes = append(notes, "No fact was ever confirmed: freshness is half that of the creation time, for every fact.")
	default:
		notes = append(notes, fmt.Sprintf("%d of %d facts were confirmed; the freshness of the others is half that of their creation time.", s.Confirmed, s.Facts))
	}
	if s.Undated > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d facts have no time that can be read: their freshness is 0.", s.Undated, s.Facts))
	}
	if s.Ahead > 0 {
		note := fmt.Sprintf("%d of %d facts have times after the clock, which count as no time gone by", s.Ahead, s.Facts)
		if s.NotYet > 0 {
			note += fmt.Sprintf("; %d of them were not created yet at that time and are ranked all the same", s.NotYet)
		}
		notes = append(notes, note+".")
	}
	return notes
}

// defaultMaxFacts is deer-flow's cap where the owner sets none.
const defaultMaxFacts = 100

// CapSource tells where a cap comes from.
type CapSource string

// The sources of a cap.
const (
	CapGiven   CapSource = "given"
	CapAudit   CapSource = "the last eviction in the audit"
	CapDefault CapSource = "deer-flow's default"
)

// CapOf gives the cap an agent most likely has: that of the last recorded
// eviction, else deer-flow's default.
func CapOf(a *memstore.Agent) (int, CapSource) {
	for i := len(a.Audit) - 1; i >= 0; i-- {
		if n := a.Audit[i].MaxFacts; 0 < n && n < 1<<31 {
			return int(n), CapAudit
		}
	}
	return defaultMaxFacts, CapDefault
}
