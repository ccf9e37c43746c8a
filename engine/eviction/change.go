// This file finds the smallest single change that would have turned a fact's
// decision, by bisection over the representable values: the value found turns
// it, its neighbour on the way back does not.

package eviction

import "math"

// Kind says what a change changes.
type Kind string

// The kinds of change.
const (
	ChangeConfirmation Kind = "confirmation" // when the fact was last confirmed
	ChangeConfidence   Kind = "confidence"   // its confidence
	ChangeHeat         Kind = "heat"         // its access heat, last accessed now
	ChangeCapacity     Kind = "capacity"     // the number of facts kept
)

// kinds are the kinds in the order in which changes are listed: first what a
// user of the memory can do.
var kinds = [...]Kind{ChangeConfirmation, ChangeConfidence, ChangeHeat, ChangeCapacity}

// Change is one change of one value, all else equal, that turns a decision.
// From and To are in the kind's own unit:
//
//   - confirmation: days from the last confirmation to now, to the
//     microsecond; At is the new confirmation's moment
//   - confidence: the clamped confidence; To is the exact float64 threshold
//   - heat: raw heat with the last access at now; From is the raw heat after its decay
//   - capacity: facts
//
// Size makes kinds comparable: the share of its whole range that the change
// crosses, so in [0,1]. For confidence, confirmation and heat that is the
// distance between the old and the new component of the score; for capacity
// the number of slots over the number of facts (the smallest capacity keeps
// none, the largest all). The smallest change of a fact is that of least Size
// among its own values, the first in the order of kinds where two are equal; a
// change of capacity, which moves the cut for every fact, is the smallest only
// where no value of the fact can turn the decision.
type Change struct {
	Kind  Kind    `json:"kind"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Never bool    `json:"never,omitempty"` // confirmation: there was none, so From is 0 and says nothing
	At    Moment  `json:"at,omitzero"`     // confirmation: the moment meant by To
	Size  float64 `json:"size"`
}

// Apply gives f with the change made; a change of capacity leaves it alone.
func (c Change) Apply(f Fact, now Moment) Fact {
	switch c.Kind {
	case ChangeConfidence:
		f.Confidence = c.To
	case ChangeConfirmation:
		f.Confirmed = c.At
	case ChangeHeat:
		f.Heat, f.Accessed = c.To, now
	}
	return f
}

// earliest is 0001-01-01, the first day a confirmation can have.
const earliest = -62_135_596_800_000_000

// fullHeat is a raw heat above which the heat component rises no more.
const fullHeat = 8.0

// seeker answers whether one changed fact would be kept.
type seeker struct {
	standing *standing
	index    int
	rival    int
	fact     Fact // the fact being changed

	// For facts that share an ID a change moves several scores at once, so
	// the whole decision is made again.
	whole    bool
	facts    []Fact
	selector Selector
}

func (k *seeker) kept() bool {
	s := k.standing
	if k.whole {
		k.facts = append(k.facts[:0], s.facts...)
		k.facts[k.index] = k.fact
		for _, i := range k.selector.Select(k.facts, s.policy, s.now, s.capacity).Kept {
			if i == k.index {
				return true
			}
		}
		return false
	}
	own := descending(ScoreOf(&k.fact, &s.policy, s.now).Value)
	other := descending(s.scores[k.rival].Value)
	return own < other || own == other && k.index < k.rival
}

// addChanges fills in the changes that turn f's decision.
func (s *standing) addChanges(f *FactExplanation, k *seeker) {
	k.standing, k.index, k.rival, k.fact = s, f.Index, f.Rival, s.facts[f.Index]
	k.whole = f.SharedID
	var found [len(kinds)]Change
	changes := found[:0]
	add := func(c Change, ok bool) {
		if !ok {
			return
		}
		// Capacity comes last, and only counts where nothing of the fact does.
		if f.Smallest < 0 || c.Kind != ChangeCapacity && c.Size < changes[f.Smallest].Size {
			f.Smallest = len(changes)
		}
		changes = append(changes, c)
	}
	// Where everything or nothing is kept only the capacity can turn it, and
	// nothing of a fact whose score another one gives.
	competing := 0 < s.capacity && s.capacity < len(s.facts)
	if competing && (f.Rival >= 0 || s.sharing(f.Index) == sharedLast) {
		if s.policy.Hybrid() && s.now.set {
			add(k.confirmation(f))
		}
		add(k.confidence(f))
		if s.policy.Hybrid() && s.now.set {
			add(k.heat(f))
		}
	}
	add(s.capacityChange(f))
	if len(changes) > 0 {
		f.Changes = append([]Change(nil), changes...)
	}
}

// confidence finds the nearest confidence that turns the decision.
func (k *seeker) confidence(f *FactExplanation) (Change, bool) {
	defer func(saved Fact) { k.fact = saved }(k.fact)
	from := f.Score.Confidence
	end := 1.0
	if f.Kept {
		end = 0
	}
	to, ok := turnFloat(from, end, func(x float64) bool {
		k.fact.Confidence = x
		return k.kept() != f.Kept
	})
	return Change{Kind: ChangeConfidence, From: from, To: to, Size: math.Abs(to - from)}, ok
}

// heat finds the nearest raw heat, accessed now, that turns the decision.
func (k *seeker) heat(f *FactExplanation) (Change, bool) {
	defer func(saved Fact) { k.fact = saved }(k.fact)
	s := k.standing
	from := 0.0
	if k.fact.Heat > 0 && k.fact.Accessed.set {
		from = k.fact.Heat * decay(k.fact.Accessed, s.now, s.policy.AccessHalfLifeDays)
	}
	k.fact.Accessed = s.now
	begin, end := 0.0, math.Nextafter(fullHeat, 9)
	if f.Kept {
		begin, end = max(end, from), 0
	}
	to, ok := turnFloat(begin, end, func(x float64) bool {
		k.fact.Heat = x
		return k.kept() != f.Kept
	})
	if !ok {
		return Change{}, false
	}
	component := min(1, log1p(to)/logOf9)
	return Change{Kind: ChangeHeat, From: from, To: to, Size: math.Abs(component - f.Score.Heat)}, true
}

// confirmation finds the moment of a last confirmation that turns the
// decision: the oldest that would have kept an evicted fact, the newest that
// would have evicted a kept one. A fact that was never confirmed cannot be
// evicted by an older confirmation.
func (k *seeker) confirmation(f *FactExplanation) (Change, bool) {
	defer func(saved Fact) { k.fact = saved }(k.fact)
	s := k.standing
	was := k.fact.Confirmed
	c := Change{Kind: ChangeConfirmation, Never: !was.set}
	if was.set {
		c.From = max(0, daysBetween(was, s.now))
	}
	keptWhen := func(ago int64) bool {
		k.fact.Confirmed = AtMicros(s.now.micros - ago)
		return k.kept()
	}
	oldest := s.now.micros - earliest
	newest := int64(0)
	if f.Kept {
		if !was.set {
			return Change{}, false
		}
		newest = max(0, s.now.micros-was.micros)
	}
	if newest >= oldest || !keptWhen(newest) || keptWhen(oldest) {
		return Change{}, false
	}
	kept, evicted := newest, oldest // both microseconds ago
	for evicted-kept > 1 {
		if mid := kept + (evicted-kept)/2; keptWhen(mid) {
			kept = mid
		} else {
			evicted = mid
		}
	}
	ago := kept
	if f.Kept {
		ago = evicted
	}
	c.At = AtMicros(s.now.micros - ago)
	c.To = daysBetween(c.At, s.now)
	freshness := decay(c.At, s.now, s.policy.ConfirmationHalfLifeDays)
	c.Size = math.Abs(freshness - f.Score.Freshness)
	return c, true
}

// capacityChange finds the nearest capacity that turns the decision. The kept
// set only grows with the capacity, as a reserve of at most one slot a slot
// never takes an open one away.
func (s *standing) capacityChange(f *FactExplanation) (Change, bool) {
	at := s.places[f.Index]
	evicted, kept := max(0, s.capacity), len(s.facts)
	if f.Kept {
		evicted, kept = 0, min(s.capacity, len(s.facts))
	}
	for kept-evicted > 1 {
		if mid := evicted + (kept-evicted)/2; s.keptAt(mid, f.Index, at) {
			kept = mid
		} else {
			evicted = mid
		}
	}
	to := kept
	if f.Kept {
		to = evicted
	}
	steps := math.Abs(float64(to - min(max(0, s.capacity), len(s.facts))))
	return Change{
		Kind: ChangeCapacity, From: float64(s.capacity), To: float64(to),
		Size: steps / float64(len(s.facts)),
	}, true
}

// turnFloat finds the float64 nearest to from, on the way to end, at which
// turned becomes true; both are >= 0. ok is false if it is not true at end.
func turnFloat(from, end float64, turned func(float64) bool) (to float64, ok bool) {
	if from == end || !turned(end) {
		return 0, false
	}
	// Floats that are not negative are in the order of their bits.
	no, yes := math.Float64bits(from), math.Float64bits(end)
	for no+1 != yes && yes+1 != no {
		mid := min(no, yes) + (max(no, yes)-min(no, yes))/2
		if turned(math.Float64frombits(mid)) {
			yes = mid
		} else {
			no = mid
		}
	}
	return math.Float64frombits(yes), true
}
