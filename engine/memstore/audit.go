// This file reads what deer-flow recorded of past evictions.

package memstore

import (
	"fmt"
	"math"
	"math/big"
	"path"
	"strings"

	"deermem-tui/engine/eviction"
)

// Event is one recorded trim. Everything in it is as recorded.
type Event struct {
	Index         int // place in the file, from 0, the oldest
	OccurredAt    string
	Moment        eviction.Moment // OccurredAt, none if it cannot be read
	Reason        string
	Policy        string
	MaxFacts      int64 // -1 if not recorded
	ReservedSlots int64 // -1 if not recorded
	Evicted       []EvictedFact
	Shadow        *Shadow // what the other policy would have evicted; nil if not recorded
}

// EvictedFact is one fact of an event, the lowest rank first.
type EvictedFact struct {
	ID         string
	Category   string
	Score      float64
	Components Components
}

// Components are the parts of a recorded score. NaN stands for what was not
// recorded.
type Components struct {
	Confidence, Freshness, Heat float64
}

// Shadow is what the policy that did not decide would have done.
type Shadow struct {
	Policy     string
	WouldEvict []string
	Disagrees  bool
}

// readAudit gives the events of an agent, oldest first.
func readAudit(root folder, agentPath string, warn *warnings) (events []Event, found bool) {
	name := path.Join(agentPath, auditFile)
	value, found := readJSON(root, name, name, sidecarLimit, warn)
	if !found {
		return nil, false
	}
	list, ok := value.([]any)
	if !ok {
		warn.left(name, FaultJSON, "it holds %s, not a list", typeName(value))
		return nil, false
	}
	for i, item := range list {
		event, faults := readEvent(i, item)
		switch {
		case event == nil:
			warn.left(name, FaultAudit, "entry %d of %d says nothing that can be used: %s", i+1, len(list), faults)
			continue
		case len(faults) > 0:
			warn.kept(name, FaultAudit, "entry %d of %d: %s", i+1, len(list), faults)
		}
		events = append(events, *event)
	}
	return events, true
}

// entryFaults is what is wrong with one entry.
type entryFaults []string

func (f *entryFaults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (f entryFaults) String() string { return strings.Join(f, ", ") }

// readEvent gives an event, nil where it names no evicted fact, and what is
// wrong with it.
func readEvent(index int, item any) (event *Event, faults entryFaults) {
	object, ok := item.(map[string]any)
	if !ok {
		faults.add("it is %s, not an object", typeName(item))
		return nil, faults
	}
	list, ok := object["evicted"].([]any)
	if !ok {
		faults.add("evicted is %s, not a list", typeName(object["evicted"]))
		return nil, faults
	}
	e := Event{Index: index}
	bad, firstBad := 0, 0
	for i, item := range list {
		if one, ok := readEvicted(item); ok {
			e.Evicted = append(e.Evicted, one)
			continue
		}
		if bad++; bad == 1 {
			firstBad = i + 1
		}
	}
	switch {
	case bad > 1:
		faults.add("evicted fact %d and %d more have no ID or no score", firstBad, bad-1)
	case bad == 1:
		faults.add("evicted fact %d has no ID or no score", firstBad)
	case len(list) == 0:
		faults.add("nothing was evicted")
	}
	if len(e.Evicted) == 0 {
		return nil, faults
	}
	text := func(key string) string {
		s, ok := object[key].(string)
		if !ok {
			faults.add("%s is %s, not a text", key, typeName(object[key]))
		}
		return s
	}
	whole := func(key string) int64 {
		n, ok := object[key].(int64)
		if !ok || n < 0 {
			faults.add("%s is not a count", key)
			return -1
		}
		return n
	}
	e.OccurredAt, e.Policy = text("occurredAt"), text("policyVersion")
	e.Reason, _ = object["reason"].(string)
	e.MaxFacts, e.ReservedSlots = whole("maxFacts"), whole("reservedCorrectionSlots")
	if e.Moment = eviction.ParseMoment(e.OccurredAt); e.OccurredAt != "" && !e.Moment.IsSet() {
		faults.add("occurredAt is no time")
	}
	if value, ok := object["shadow"]; ok {
		if e.Shadow = readShadow(value); e.Shadow == nil {
			faults.add("its shadow verdict is not read")
		}
	}
	return &e, faults
}

func readEvicted(item any) (one EvictedFact, ok bool) {
	object, _ := item.(map[string]any)
	one.ID, _ = object["factId"].(string)
	one.Category, _ = object["category"].(string)
	one.Score = recorded(object["score"])
	components, _ := object["components"].(map[string]any)
	one.Components = Components{
		Confidence: recorded(components["confidence"]),
		Freshness:  recorded(components["confirmationFreshness"]),
		Heat:       recorded(components["accessHeat"]),
	}
	return one, one.ID != "" && !math.IsNaN(one.Score)
}

func readShadow(value any) *Shadow {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	var s Shadow
	policy, hasPolicy := object["policyVersion"].(string)
	disagrees, hasVerdict := object["disagrees"].(bool)
	list, hasList := object["wouldEvict"].([]any)
	if !hasPolicy || !hasVerdict || !hasList {
		return nil
	}
	s.Policy, s.Disagrees = policy, disagrees
	for _, item := range list {
		if id, ok := item.(string); ok {
			s.WouldEvict = append(s.WouldEvict, id)
		}
	}
	return &s
}

// recorded gives a finite number of a record, NaN where there is none.
func recorded(value any) float64 {
	switch value := value.(type) {
	case float64:
		if !math.IsInf(value, 0) {
			return value
		}
	case int64:
		return float64(value)
	case *big.Int:
		if f, _ := new(big.Float).SetInt(value).Float64(); !math.IsInf(f, 0) {
			return f
		}
	}
	return math.NaN()
}
