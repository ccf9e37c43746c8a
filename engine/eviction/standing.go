// This file answers, without deciding anew, whether a fact would be kept at
// another place of the ranking or at another capacity.

package eviction

// standing is a decision prepared for such questions.
type standing struct {
	facts    []Fact
	policy   Policy
	now      Moment
	capacity int
	scores   []Score
	ranking  []int
	places   []int // by fact: its place in the ranking, from 0

	correction []bool // by fact
	above      []int  // by place: corrections ranked before it; one more entry for all
	reserved   int    // slots that corrections hold at this capacity

	corrections []int // places of the corrections
	open        []int // places of all but the corrections that hold reserved slots
	openNext    []int // the same if one more correction held one
	shared      []sharing
}

func newStanding(facts []Fact, p Policy, now Moment, capacity int, r Result) *standing {
	n := len(facts)
	s := &standing{
		facts: facts, policy: p, now: now, capacity: capacity, scores: r.Scores, ranking: r.Ranking,
		places: make([]int, n), correction: make([]bool, n), above: make([]int, n+1),
		shared: sharedIDs(facts),
	}
	for at, i := range s.ranking {
		s.places[i] = at
		s.correction[i] = IsCorrection(facts[i].Category)
		s.above[at+1] = s.above[at]
		if s.correction[i] {
			s.above[at+1]++
			s.corrections = append(s.corrections, at)
		}
	}
	s.prepare(capacity)
	return s
}

// prepare turns to a capacity, with the memory of the one before.
func (s *standing) prepare(capacity int) {
	s.capacity, s.reserved = capacity, 0
	if capacity < len(s.facts) {
		s.reserved = min(reservedSlots(&s.policy, capacity), len(s.corrections))
	}
	s.open = s.without(s.open[:0], s.reserved)
	s.openNext = s.without(s.openNext[:0], s.reserved+1)
}

// without appends all places but those of the first corrections.
func (s *standing) without(places []int, corrections int) []int {
	held := s.corrections[:min(corrections, len(s.corrections))]
	for at := range s.ranking {
		if len(held) > 0 && held[0] == at {
			held = held[1:]
			continue
		}
		places = append(places, at)
	}
	return places
}

// keptAt tells whether fact i would be kept at a capacity if it moved to
// another place of the ranking, everything else in its order.
func (s *standing) keptAt(capacity, i, place int) bool {
	n := len(s.facts)
	if n <= capacity {
		return true
	}
	if capacity <= 0 {
		return false
	}
	above := s.above[place]
	if place > s.places[i] {
		above = s.above[place+1] // all others up to that place stand before it
		if s.correction[i] {
			above--
		}
	}
	reserved := min(reservedSlots(&s.policy, capacity), len(s.corrections))
	if s.correction[i] && above < reserved {
		return true
	}
	return place-min(above, reserved) < capacity-reserved
}

// tied gives the first and last place of the facts with the score of the one
// at a place.
func (s *standing) tied(place int) (first, last int) {
	key := descending(s.scores[s.ranking[place]].Value)
	first, last = place, place
	for first > 0 && descending(s.scores[s.ranking[first-1]].Value) == key {
		first--
	}
	for last+1 < len(s.ranking) && descending(s.scores[s.ranking[last+1]].Value) == key {
		last++
	}
	return first, last
}

// rival gives the one fact that fact i has to rank before to be kept, all else
// equal; -1 where it is kept or evicted whatever its score.
//
// With r reserved slots a fact that holds none of them needs one of the
// capacity-r open ones, so it has to pass the last of the others that gets
// one. A correction can pass the last other holder of a reserved slot instead,
// whichever of the two ranks lower.
func (s *standing) rival(i int) int {
	if len(s.facts) <= s.capacity || s.capacity <= 0 {
		return -1
	}
	at, slots := s.places[i], s.capacity-s.reserved
	open := s.open
	lowest := -1
	if s.correction[i] {
		others := len(s.corrections) - 1
		if others < s.reserved {
			return -1 // there is a reserved slot for every correction
		}
		mine := s.above[at]
		if mine < s.reserved {
			open = s.openNext // without it the next correction holds its slot
		}
		if last := s.reserved - 1; last >= 0 {
			if last >= mine {
				last++
			}
			lowest = s.corrections[last]
		}
	}
	if slots > 0 {
		// The slots-th open place, not counting the fact's own.
		last := slots - 1
		if open[last] >= at && contains(open, at, last) {
			last++
		}
		lowest = max(lowest, open[last])
	}
	if lowest < 0 {
		return -1
	}
	return s.ranking[lowest]
}

// contains tells whether the rising places up to index last hold a place.
func contains(places []int, place, last int) bool {
	low, high := 0, last+1
	for low < high {
		if mid := (low + high) / 2; places[mid] < place {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low <= last && places[low] == place
}

// sharing tells whether a fact's ID is its own.
type sharing uint8

const (
	ownID      sharing = iota
	sharedID           // shared, and a later fact's score counts
	sharedLast         // shared, and its own score counts for all
)

// sharedIDs tells it for every fact; nil where every ID is the fact's own.
func sharedIDs(facts []Fact) []sharing {
	last := make(map[string]int, len(facts))
	var shared []sharing
	for i := range facts {
		if other, seen := last[facts[i].ID]; seen {
			if shared == nil {
				shared = make([]sharing, len(facts))
			}
			shared[other], shared[i] = sharedID, sharedLast
		}
		last[facts[i].ID] = i
	}
	return shared
}

// sharing tells whether fact i's ID is its own.
func (s *standing) sharing(i int) sharing {
	if s.shared == nil {
		return ownID
	}
	return s.shared[i]
}
