package whatif

import (
	"math/rand/v2"
	"slices"
	"testing"

	"deermem-tui/engine/eviction"
)

func TestSettingsDifferWhereTheyDoNotAllDecideAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 50 {
		var pools []Pool
		for range 3 {
			pools = append(pools, Pool{Facts: randomFacts(rng, 1+rng.IntN(20), false)})
		}
		m := New(pools, start(4))
		outcomes := []*Outcome{m.Evaluate(m.Base()), m.Evaluate(randomSetting(rng, m)), m.Evaluate(randomSetting(rng, m))}
		var want []Place
		for p := range pools {
			for i := range pools[p].Facts {
				kept := 0
				for _, o := range outcomes {
					if o.Pools[p].Kept[i] {
						kept++
					}
				}
				if 0 < kept && kept < len(outcomes) {
					want = append(want, Place{p, i})
				}
			}
		}
		got, total := Differ(outcomes, len(want)+1)
		if !slices.Equal(got, want) || total != len(want) {
			t.Fatalf("they differ on %v, %d in all; want %v", got, total, want)
		}
		if few, all := Differ(outcomes, 1); len(few) > 1 || all != total {
			t.Fatalf("%v of %d", few, all)
		}
	}
	if got, n := Differ([]*Outcome{New(nil, start(1)).Evaluate(start(1))}, 9); got != nil || n != 0 {
		t.Errorf("one setting differs from itself on %v", got)
	}
}

func TestAMovedSettingIsCarriedToAnotherStart(t *testing.T) {
	old, base := start(5), start(20)
	base.Now = eviction.AtMicros(base.Now.Micros() + 3_600_000_000)
	m := New([]Pool{{Facts: randomFacts(rand.New(rand.NewPCG(1, 2)), 30, false)}}, old)
	moved := m.Move(m.Move(old, HalfLifeAccess, 7), WeightConfidence, 0.5)
	got := Carried(moved, old, base)
	if got.Capacity != 20 || got.Now != base.Now || got.Policy.AccessHalfLifeDays != 7 || got.Policy.Weights != moved.Policy.Weights {
		t.Errorf("carried as %+v", got)
	}
	if !Carried(old, old, base).Same(base) {
		t.Errorf("what was not moved is %+v", Carried(old, old, base))
	}
}

func TestADecisionThatWasMadeIsNotMadeAgainFromOtherNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	m := New([]Pool{{Facts: randomFacts(rng, 40, true)}}, start(9))
	for range 200 {
		a, b := randomSetting(rng, m), randomSetting(rng, m)
		m.Evaluate(a)
		m.Strip(b, 0, rng.IntN(40), Params()[rng.IntN(9)]) // moves the scores meanwhile
		if got, want := m.Nearest(a, 0, 5), New([]Pool{m.Pool(0)}, a).Nearest(a, 0, 5); !slices.Equal(got, want) {
			t.Fatalf("nearest are %v, want %v", got, want)
		}
		if got := m.Evaluate(a).Pools[0].Kept; !slices.Equal(got, keptBySelect(m.Pool(0).Facts, a)) {
			t.Fatalf("kept %v", got)
		}
	}
}
