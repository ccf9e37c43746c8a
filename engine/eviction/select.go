// This file decides which facts a capacity keeps.

package eviction

import (
	"math"
	"strings"

	"deermem-tui/protocol/pytext"
)

// Result is one decision over a list of facts. All numbers in it are indices
// into that list.
type Result struct {
	Kept          []int   // in rank order; in input order when everything fits
	Evicted       []int   // lowest rank first
	Scores        []Score // by input index
	Ranking       []int   // all facts, best first; equal scores in input order
	ReservedSlots int     // slots given to corrections before the ranking was asked
}

// Select keeps the best facts of a list that fit a capacity (a negative one
// counts as 0). At or under the capacity everything is kept. Otherwise facts
// rank by score, equal scores by their place in the list; hybrid-v1 first
// gives its reserved slots to the best-ranked corrections.
//
// Facts that share an ID share the score of the last of them, because the
// reference keeps its scores by ID.
func Select(facts []Fact, p Policy, now Moment, capacity int) Result {
	n := len(facts)
	var few [smallList]ranked // stays on the stack
	w := scratch{order: few[:0]}
	return w.decide(facts, &p, now, capacity, make([]Score, n), make([]int, 2*n))
}

// Selector is Select with memory that is used again, for callers that decide
// often. The zero value is ready; one goroutine at a time.
type Selector struct {
	ints   []int
	scores []Score
	work   scratch
}

// Select is the function Select; the result is valid until the next call.
func (s *Selector) Select(facts []Fact, p Policy, now Moment, capacity int) Result {
	n := len(facts)
	if cap(s.scores) < n {
		s.scores = make([]Score, n)
		s.ints = make([]int, 2*n)
	}
	return s.work.decide(facts, &p, now, capacity, s.scores[:n], s.ints[:2*n])
}

// smallList is the length up to which comparing everything with everything
// beats tables and real sorts.
const smallList = 24

// scratch is the memory of one decision that no result refers to.
type scratch struct {
	order []ranked // the facts, best first once ranked
	spare []ranked
	ids   idTable
}

// ranked is one fact in the order of decisions.
type ranked struct {
	key   uint64 // rises as the score falls
	index int32
	taken bool
}

// decide fills scores and ints, one and two values a fact, and gives them back
// as the decision.
func (w *scratch) decide(facts []Fact, p *Policy, now Moment, capacity int, scores []Score, ints []int) Result {
	n := len(facts)
	if n < spreadFrom {
		scoreAll(facts, p, now, scores)
	} else {
		scoreSpread(facts, *p, now, scores)
	}
	w.ids.shareScores(facts, scores)
	w.rank(scores)

	ranking, decided := ints[:n:n], ints[n:]
	for i := range w.order {
		ranking[i] = int(w.order[i].index)
	}
	r := Result{Scores: scores, Ranking: ranking}
	if n <= capacity {
		for i := range decided {
			decided[i] = i
		}
		r.Kept, r.Evicted = decided[:n:n], decided[n:]
		return r
	}
	r.ReservedSlots = w.take(facts, p, max(0, capacity))
	kept, evicted := 0, n-1 // the kept fill from the front, the evicted from the back
	for i := range w.order {
		if w.order[i].taken {
			decided[kept] = ranking[i]
			kept++
		} else {
			decided[evicted] = ranking[i]
			evicted--
		}
	}
	r.Kept, r.Evicted = decided[:kept:kept], decided[kept:]
	return r
}

func scoreAll(facts []Fact, p *Policy, now Moment, scores []Score) {
	for i := range facts {
		scores[i] = ScoreOf(&facts[i], p, now)
	}
}

// scoreSpread is scoreAll on all cores.
func scoreSpread(facts []Fact, p Policy, now Moment, scores []Score) {
	spread(len(facts), func(from, to int) { scoreAll(facts[from:to], &p, now, scores[from:to]) })
}

// rank puts the facts in order, best first and equal scores in input order.
func (w *scratch) rank(scores []Score) {
	if cap(w.order) < len(scores) {
		w.order = make([]ranked, len(scores))
	}
	w.order = w.order[:len(scores)]
	for i := range w.order {
		w.order[i] = ranked{key: descending(scores[i].Value), index: int32(i)}
	}
	if len(w.order) > smallList {
		if cap(w.spare) < len(w.order) {
			w.spare = make([]ranked, len(w.order))
		}
		sortRanked(w.order, w.spare[:len(w.order)])
		return
	}
	for i := 1; i < len(w.order); i++ {
		one := w.order[i]
		j := i
		// Strict, so that equal scores stay in input order.
		for ; j > 0 && w.order[j-1].key > one.key; j-- {
			w.order[j] = w.order[j-1]
		}
		w.order[j] = one
	}
}

// descending maps a score to an integer whose order is the ranking's: the
// larger the score, the smaller the integer. Both zeros are equal; a NaN,
// which no checked policy gives, comes last.
func descending(score float64) uint64 {
	if score != score {
		return math.MaxUint64
	}
	bits := math.Float64bits(score + 0) // -0 + 0 is 0
	if bits>>63 != 0 {
		return bits // negative: the larger the magnitude, the later
	}
	return ^bits &^ (1 << 63)
}

// take marks the facts that are kept and gives the number of reserved slots.
func (w *scratch) take(facts []Fact, p *Policy, capacity int) (reserved int) {
	slots := reservedSlots(p, capacity)
	for i := 0; i < len(w.order) && reserved < slots; i++ {
		if one := &w.order[i]; IsCorrection(facts[one.index].Category) {
			one.taken = true
			reserved++
		}
	}
	free := capacity - reserved
	for i := 0; i < len(w.order) && free > 0; i++ {
		if one := &w.order[i]; !one.taken {
			one.taken = true
			free--
		}
	}
	return reserved
}

// reservedSlots is the most slots p holds for corrections at a capacity:
// min(reserved max, ceil(capacity · fraction), capacity), never below 0.
func reservedSlots(p *Policy, capacity int) int {
	if !p.Hybrid() || capacity <= 0 {
		return 0
	}
	share := math.Ceil(float64(capacity) * p.ReservedFraction)
	if !(share > 0) {
		return 0
	}
	return max(0, int(min(share, float64(p.ReservedMax), float64(capacity))))
}

// IsCorrection tells whether a category is `correction` once trimmed and
// lower-cased. (No letter outside ASCII lower-cases to one of that word, so
// folding says what Python's lower says.)
func IsCorrection(category string) bool {
	const word = "correction"
	if len(category) < len(word) {
		return false
	}
	if len(category) > len(word) {
		category = pytext.Strip(category)
	}
	return len(category) == len(word) && strings.EqualFold(category, word)
}
