// This file scores a pool again and again as one parameter moves: what does not
// depend on it is computed once.

package whatif

import (
	"math"
	"runtime"
	"sync"

	"deermem-tui/engine/eviction"
)

// scorer holds a pool's facts and the parts of their scores.
type scorer struct {
	facts  []eviction.Fact
	source []int32 // by fact: whose score counts for it; nil where every ID is its own

	confidence []float64
	fresh      []float64
	heat       []float64
	values     []float64

	known     bool // the parts below are those of fresh and heat
	now       eviction.Moment
	freshLife float64
	heatLife  float64
}

func newScorer(facts []eviction.Fact) *scorer {
	n := len(facts)
	s := &scorer{facts: facts, source: sharedSources(facts)}
	all := make([]float64, 4*n)
	s.confidence, s.fresh, s.heat, s.values = all[:n:n], all[n:2*n:2*n], all[2*n:3*n:3*n], all[3*n:]
	confidence := eviction.Confidence()
	for i := range facts {
		s.confidence[i] = eviction.ScoreOf(&facts[i], &confidence, eviction.Moment{}).Confidence
	}
	return s
}

// sharedSources gives, where facts share an ID, the last of them for each.
func sharedSources(facts []eviction.Fact) []int32 {
	last := make(map[string]int32, len(facts))
	for i := range facts {
		last[facts[i].ID] = int32(i)
	}
	if len(last) == len(facts) {
		return nil
	}
	source := make([]int32, len(facts))
	for i := range facts {
		source[i] = last[facts[i].ID]
	}
	return source
}

// score fills values with the scores of a setting, equal to eviction.Select's
// to the last bit.
func (s *scorer) score(set *Setting) {
	p := &set.Policy
	freshKnown := s.known && s.now == set.Now && s.freshLife == p.ConfirmationHalfLifeDays
	heatKnown := s.known && s.now == set.Now && s.heatLife == p.AccessHalfLifeDays
	w := p.Weights
	spread(len(s.facts), func(from, to int) {
		for i := from; i < to; i++ {
			switch {
			case !freshKnown && !heatKnown:
				score := eviction.ScoreOf(&s.facts[i], p, set.Now)
				s.fresh[i], s.heat[i] = score.Freshness, score.Heat
			case !freshKnown:
				cold := s.facts[i]
				cold.Heat = 0 // its heat is known
				s.fresh[i] = eviction.ScoreOf(&cold, p, set.Now).Freshness
			case !heatKnown && s.facts[i].Heat > 0:
				old := s.facts[i]
				old.Confirmed, old.Created = eviction.Moment{}, eviction.Moment{} // its freshness is known
				s.heat[i] = eviction.ScoreOf(&old, p, set.Now).Heat
			}
			s.values[i] = weigh(&w, s.confidence[i], s.fresh[i], s.heat[i])
		}
	})
	s.known, s.now, s.freshLife, s.heatLife = true, set.Now, p.ConfirmationHalfLifeDays, p.AccessHalfLifeDays
	if s.source != nil {
		for i, from := range s.source {
			s.values[i] = s.values[from] // the last of equal IDs is its own source
		}
	}
}

// weigh is the sum of a hybrid-v1 score, left to right, unfused.
func weigh(w *eviction.Weights, confidence, fresh, heat float64) float64 {
	v := float64(w.Confidence*confidence) + float64(w.Confirmation*fresh)
	return float64(v) + float64(w.Access*heat)
}

// of gives the index whose score counts for fact i.
func (s *scorer) of(i int) int {
	if s.source == nil {
		return i
	}
	return int(s.source[i])
}

// key maps a score to an integer that rises as the score falls.
func key(score float64) uint64 {
	if score != score {
		return math.MaxUint64
	}
	bits := math.Float64bits(score + 0) // -0 + 0 is 0
	if bits>>63 != 0 {
		return bits
	}
	return ^bits &^ (1 << 63)
}

// spreadFrom is the length from which using every core pays.
const spreadFrom = 4096

// spread calls do for parts of 0..n that together cover it, on all cores when n
// is large, and waits for them.
func spread(n int, do func(from, to int)) {
	workers := runtime.GOMAXPROCS(0)
	if n < spreadFrom || workers < 2 {
		do(0, n)
		return
	}
	part := (n + workers - 1) / workers
	var wait sync.WaitGroup
	for from := 0; from < n; from += part {
		wait.Go(func() { do(from, min(from+part, n)) })
	}
	wait.Wait()
}
