package eviction

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// randomCase gives a decision to explain. Values come from small sets half of
// the time, so that ties, full reserves and shared IDs are common.
func randomCase(rng *rand.Rand) (facts []Fact, p Policy, now Moment, capacity int) {
	clock := time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)
	now = At(clock)
	coarse := rng.IntN(2) == 0
	ago := func() Moment {
		if coarse {
			return At(clock.AddDate(0, 0, -[]int{0, 7, 30, 180}[rng.IntN(4)]))
		}
		return AtMicros(now.Micros() - rng.Int64N(400*86400*1e6) + 10*86400*1e6)
	}
	unit := func() float64 {
		if coarse {
			return []float64{0, 0.5, 0.7, 0.7, 0.9, 1}[rng.IntN(6)]
		}
		return rng.Float64()
	}
	n := rng.IntN(14)
	sharing := rng.IntN(6) == 0
	for i := range n {
		f := Fact{ID: fmt.Sprintf("fact_%02d", i), Confidence: unit()}
		if sharing {
			f.ID = fmt.Sprintf("fact_%02d", rng.IntN(n))
		}
		f.Category = []string{"context", "correction", "", " Correction"}[rng.IntN(4)]
		if rng.IntN(4) > 0 {
			f.Created = ago()
		}
		if rng.IntN(2) == 0 {
			f.Confirmed = ago()
		}
		if rng.IntN(2) == 0 {
			f.Accessed, f.Heat = ago(), 10*unit()
		}
		facts = append(facts, f)
	}
	p = HybridV1()
	switch rng.IntN(4) {
	case 0:
		p = Confidence()
	case 1:
		p.ReservedFraction, p.ReservedMax = unit(), rng.IntN(8)
	}
	return facts, p, now, rng.IntN(n+3) - 1
}

func keeps(facts []Fact, p Policy, now Moment, capacity, i int) bool {
	return slices.Contains(Select(facts, p, now, capacity).Kept, i)
}

// keepsChanged decides again with the change made to fact i.
func keepsChanged(facts []Fact, p Policy, now Moment, capacity, i int, c Change) bool {
	if c.Kind == ChangeCapacity {
		return keeps(facts, p, now, int(c.To), i)
	}
	changed := slices.Clone(facts)
	changed[i] = c.Apply(changed[i], now)
	return keeps(changed, p, now, capacity, i)
}

// aStepLess gives the next smaller change of the kind: one ulp, one
// microsecond, one fact.
func aStepLess(c Change, kept bool, now Moment) Change {
	switch c.Kind {
	case ChangeConfidence, ChangeHeat:
		back := 0.0
		if kept {
			back = math.Inf(1)
		}
		c.To = math.Nextafter(c.To, back)
	case ChangeConfirmation:
		if kept {
			c.At = AtMicros(c.At.Micros() + 1)
		} else {
			c.At = AtMicros(c.At.Micros() - 1)
		}
	case ChangeCapacity:
		if kept {
			c.To++
		} else {
			c.To--
		}
	}
	return c
}

func TestEveryChangeTurnsTheDecisionAndASmallerOneDoesNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 3000 {
		facts, p, now, capacity := randomCase(rng)
		e := Explain(facts, p, now, capacity)
		for i, f := range e.Facts {
			for _, c := range f.Changes {
				if keepsChanged(facts, p, now, capacity, i, c) == f.Kept {
					t.Fatalf("%+v of fact %d does not turn the decision\n%+v\n%+v", c, i, f, facts)
				}
				if less := aStepLess(c, f.Kept, now); keepsChanged(facts, p, now, capacity, i, less) != f.Kept {
					t.Fatalf("less than %+v of fact %d turns the decision\n%+v\n%+v", c, i, f, facts)
				}
				if !(c.Size >= 0 && c.Size <= 1) {
					t.Fatalf("%+v has a size outside [0,1]", c)
				}
				if least, _ := f.SmallestChange(); c.Kind != ChangeCapacity && c.Size < least.Size {
					t.Fatalf("%+v is smaller than the smallest, %+v", c, least)
				}
				seen[fmt.Sprint(c.Kind, f.Kept)]++
			}
		}
	}
	for _, kind := range kinds {
		for _, kept := range []bool{true, false} {
			if n := seen[fmt.Sprint(kind, kept)]; n < 150 {
				t.Errorf("%s of facts with kept=%v was tried %d times only", kind, kept, n)
			}
		}
	}
}

func TestWhereNoChangeIsGivenNoValueTurnsTheDecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		facts, p, now, capacity := randomCase(rng)
		e := Explain(facts, p, now, capacity)
		for i, f := range e.Facts {
			tries := []Change{
				{Kind: ChangeConfidence, To: 0}, {Kind: ChangeConfidence, To: 1}, {Kind: ChangeConfidence, To: rng.Float64()},
				{Kind: ChangeHeat, To: 0}, {Kind: ChangeHeat, To: 1e9}, {Kind: ChangeHeat, To: 9 * rng.Float64()},
				{Kind: ChangeConfirmation, At: now}, {Kind: ChangeConfirmation, At: AtMicros(earliest)},
			}
			for _, c := range tries {
				if _, given := f.Change(c.Kind); given {
					continue
				}
				if c.Kind == ChangeConfirmation && f.Kept && !facts[i].Confirmed.IsSet() {
					continue // an older confirmation needs one to be older than
				}
				if f.SharedID && i > 0 {
					continue // the last of the twins may pass its twin by a detour
				}
				if keepsChanged(facts, p, now, capacity, i, c) != f.Kept {
					t.Fatalf("%+v turns fact %d although no %s is given\n%+v\n%+v", c, i, c.Kind, f, facts)
				}
			}
			if _, given := f.Change(ChangeCapacity); !given {
				t.Fatalf("fact %d has no capacity that turns it", i)
			}
		}
	}
}

func TestAnExplanationAgreesWithItsDecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		facts, p, now, capacity := randomCase(rng)
		e := Explain(facts, p, now, capacity)
		r := Select(facts, p, now, capacity)
		unreserved := p
		unreserved.ReservedMax = 0
		plain := Select(facts, unreserved, now, capacity)
		for i, f := range e.Facts {
			kept, without := slices.Contains(r.Kept, i), slices.Contains(plain.Kept, i)
			if f.Kept != kept || r.Ranking[f.Rank-1] != i || f.Score != r.Scores[i] {
				t.Fatalf("fact %d is explained as another one: %+v", i, f)
			}
			if f.ViaReserve != (kept && !without) || f.Displaced != (!kept && without) {
				t.Fatalf("fact %d: kept %v, without a reserve %v, explained %+v", i, kept, without, f)
			}
			sum := float64(f.Terms.Confidence+f.Terms.Confirmation) + f.Terms.Access
			if sum != f.Score.Value {
				t.Fatalf("fact %d: terms %v add up to %v, not to %v", i, f.Terms, sum, f.Score.Value)
			}
		}
		for i, f := range e.Facts {
			if !f.SharedID && f.TieDecided != tieDecides(facts, p, now, capacity, i) {
				t.Fatalf("fact %d of %+v: tie explained as %v", i, facts, f.TieDecided)
			}
		}
		if c := e.Cut; c.FirstEvicted >= 0 && c.LastKept >= 0 {
			if !e.Facts[c.LastKept].Kept || e.Facts[c.FirstEvicted].Kept || c.LastKeptScore < c.FirstEvictedScore {
				t.Fatalf("cut %+v of %+v", c, e.Facts)
			}
		}
	}
}

// tieDecides moves fact i to the front and to the back of the list and looks
// whether that turns its decision.
func tieDecides(facts []Fact, p Policy, now Moment, capacity, i int) bool {
	rest := slices.Delete(slices.Clone(facts), i, i+1)
	front := append([]Fact{facts[i]}, rest...)
	back := append(rest, facts[i])
	kept := keeps(facts, p, now, capacity, i)
	return keeps(front, p, now, capacity, 0) != kept || keeps(back, p, now, capacity, len(rest)) != kept
}
