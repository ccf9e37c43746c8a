package eviction

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// someFacts gives facts whose scores often coincide, corrections among them.
func someFacts(rng *rand.Rand, n int, now Moment) []Fact {
	facts := make([]Fact, n)
	for i := range facts {
		f := Fact{ID: string(rune('a'+i%26)) + string(rune('a'+i/26)), Confidence: float64(rng.IntN(8)) / 8}
		f.Category = []string{"context", "correction", "goal"}[rng.IntN(3)]
		f.Created = AtMicros(now.Micros() - rng.Int64N(int64(300*24*time.Hour/time.Microsecond)))
		if rng.IntN(3) == 0 {
			f.Heat, f.Accessed = float64(rng.IntN(10)), now
		}
		if rng.IntN(12) == 0 && i > 0 {
			f.ID = facts[rng.IntN(i)].ID
		}
		facts[i] = f
	}
	return facts
}

func TestOneRankingAnswersForEveryCapacityWhatADecisionOfItsOwnSays(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	now := At(time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC))
	for round := range 120 {
		facts := someFacts(rng, 1+rng.IntN(30), now)
		p := HybridV1()
		p.ReservedFraction = rng.Float64()
		if round%3 == 0 {
			p = Confidence()
		}
		r := Rank(facts, p, now)
		for range 6 {
			capacity := rng.IntN(len(facts)+3) - 1
			want := Explain(facts, p, now, capacity)
			if got := r.Cut(capacity); got != want.Cut {
				t.Fatalf("the cut at %d is %+v, want %+v", capacity, got, want.Cut)
			}
			if got := r.Reserved(capacity); got != want.ReservedSlots {
				t.Fatalf("%d slots are held at %d, want %d", got, capacity, want.ReservedSlots)
			}
			for i := range facts {
				one := r.Explain(capacity, i)
				if r.Kept(capacity, i) != want.Facts[i].Kept || r.Place(i) != want.Facts[i].Rank-1 || !reflect.DeepEqual(one.FactExplanation, want.Facts[i]) {
					t.Fatalf("fact %d at %d is %+v, want %+v", i, capacity, one.FactExplanation, want.Facts[i])
				}
				if one.Why() != Why(want, i) || one.Proof() != Proof(want, i) {
					t.Fatalf("fact %d at %d: %q, want %q", i, capacity, one.Why(), Why(want, i))
				}
			}
		}
	}
}
