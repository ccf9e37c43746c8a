package whatif

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"deermem-tui/engine/eviction"
)

var clock = time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)

// randomFacts gives n facts whose values often coincide, as those of real
// stores do; some share an ID.
func randomFacts(rng *rand.Rand, n int, shareIDs bool) []eviction.Fact {
	ago := func() eviction.Moment {
		switch rng.IntN(7) {
		case 2: // of one batch, microseconds apart
			return eviction.At(clock.AddDate(0, 0, -40).Add(time.Duration(rng.IntN(80)) * time.Microsecond))
		case 0:
			return eviction.At(clock.AddDate(0, 0, -7))
		case 1:
			return eviction.At(clock.Add(time.Duration(rng.Int64N(int64(60 * 24 * time.Hour)))))
		}
		return eviction.At(clock.Add(-time.Duration(rng.Int64N(int64(500 * 24 * time.Hour)))))
	}
	facts := make([]eviction.Fact, n)
	for i := range facts {
		f := eviction.Fact{ID: fmt.Sprintf("f%06d", i), Confidence: float64(rng.IntN(12)+88) / 100}
		if rng.IntN(2) == 0 {
			f.Confidence = rng.Float64()
		}
		f.Category = []string{"context", "goal", "correction"}[rng.IntN(3)]
		if rng.IntN(10) > 0 {
			f.Created = ago()
		}
		if rng.IntN(2) == 0 {
			f.Confirmed = ago()
		}
		if rng.IntN(2) == 0 {
			f.Accessed = ago()
			f.Heat = []float64{1, 2, 8, 9.5, 40, rng.Float64() * 12}[rng.IntN(6)]
		}
		if shareIDs && i > 0 && rng.IntN(5) == 0 {
			f.ID = facts[rng.IntN(i)].ID
		}
		facts[i] = f
	}
	return facts
}

func start(capacity int) Setting {
	return Setting{Policy: eviction.HybridV1(), Now: eviction.At(clock), Capacity: capacity}
}

// randomSetting moves every parameter.
func randomSetting(rng *rand.Rand, m *Model) Setting {
	s := m.Base()
	for _, p := range Params() {
		if rng.IntN(2) == 0 {
			r := m.Range(p)
			s = m.Move(s, p, r.Min+rng.Float64()*(r.Max-r.Min))
		}
	}
	return s
}

func keptBySelect(facts []eviction.Fact, s Setting) []bool {
	kept := make([]bool, len(facts))
	for _, i := range eviction.Select(facts, s.Policy, s.Now, s.Capacity).Kept {
		kept[i] = true
	}
	return kept
}

func TestEverySettingKeepsWhatTheSelectorKeeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		facts := randomFacts(rng, 1+rng.IntN(60), round%3 == 0)
		if round%50 == 0 {
			facts = randomFacts(rng, 6000, round%100 == 0)
		}
		m := New([]Pool{{ID: "pool", Facts: facts}}, start(rng.IntN(len(facts)+2)))
		for range 6 {
			s := randomSetting(rng, m)
			o := m.Evaluate(s)
			if want := keptBySelect(facts, s); !slices.Equal(o.Pools[0].Kept, want) {
				t.Fatalf("round %d, %+v: kept %v, want %v", round, s, o.Pools[0].Kept, want)
			}
			if err := s.Check(); err != nil {
				t.Fatalf("a setting that was only moved is refused: %v", err)
			}
		}
	}
}

func TestTheWeightsStayAtSumOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := New([]Pool{{Facts: randomFacts(rng, 5, false)}}, start(3))
	s := m.Base()
	for range 2000 {
		p := Params()[rng.IntN(3)]
		x := []float64{0, 1, rng.Float64(), -3, 7}[rng.IntN(5)]
		s = m.Move(s, p, x)
		if err := s.Check(); err != nil {
			t.Fatalf("%s at %v: %v", p, x, err)
		}
	}
	s = m.Move(m.Move(m.Base(), WeightConfidence, 1), WeightConfidence, 0.5)
	if w := s.Policy.Weights; math.Abs(w.Confirmation/w.Access-2.5) > 1e-12 {
		t.Errorf("from 1 back to 0.5 the others are %v and %v, not in the proportion they have at first", w.Confirmation, w.Access)
	}
}

// kept decides anew for one fact at one value.
func keptAt(facts []eviction.Fact, s Setting, p Param, x float64, fact int) bool {
	return keptBySelect(facts, p.Set(s, x))[fact]
}

func TestAStripSaysWhatTheSelectorSaysAtEveryValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	flips := map[Param]int{}
	several := map[Param]int{}
	for round := range 150 {
		facts := randomFacts(rng, 2+rng.IntN(25), round%4 == 0)
		m := New([]Pool{{ID: "pool", Facts: facts}}, start(1+rng.IntN(len(facts))))
		s := m.Base()
		if round%2 == 0 {
			s = randomSetting(rng, m)
			s.Capacity = 1 + rng.IntN(len(facts))
		}
		for _, p := range Params() {
			fact := rng.IntN(len(facts))
			strip := m.Strip(s, 0, fact, p)
			checkStrip(t, facts, s, strip, fact)
			flips[p] += len(strip.Flips())
			if len(strip.Flips()) > 1 {
				several[p]++
			}
			r := strip.Range
			for k := range 60 {
				x := r.Min + (r.Max-r.Min)*float64(k)/59
				if k%3 == 0 {
					x = r.Min + (r.Max-r.Min)*math.Pow(rng.Float64(), 3)
				}
				if r.Whole {
					x = math.Floor(x)
				}
				at := slices.IndexFunc(strip.Segments, func(g Segment) bool { return g.From <= x && x <= g.To })
				if at < 0 {
					t.Fatalf("%s: %v is in no segment of %v", p, x, strip.Segments)
				}
				if got, want := strip.Segments[at].Kept, keptAt(facts, s, p, x, fact); got != want {
					t.Fatalf("round %d, %s at %v: the strip says kept %v, the selector %v; %v", round, p, x, got, want, strip.Segments)
				}
			}
		}
	}
	for _, p := range Params() {
		if flips[p] == 0 {
			t.Errorf("no strip of %s had a flip: the test shows nothing", p)
		}
	}
	for _, p := range []Param{WeightConfidence, HalfLifeConfirmation, HalfLifeAccess, Clock} {
		if several[p] == 0 {
			t.Errorf("no strip of %s had two flips: the test shows little", p)
		}
	}
}

// checkStrip proves a strip whole and every flip exact.
func checkStrip(t *testing.T, facts []eviction.Fact, s Setting, strip Strip, fact int) {
	t.Helper()
	segments := strip.Segments
	if segments[0].From != strip.Range.Min {
		t.Fatalf("%s: the strip begins at %v", strip.Param, segments[0].From)
	}
	for i, g := range segments {
		for _, x := range []float64{g.From, g.To} {
			if got := keptAt(facts, s, strip.Param, x, fact); got != g.Kept {
				t.Fatalf("%s at %v, an end of segment %d: kept %v; %v", strip.Param, x, i, got, segments)
			}
		}
		if i == 0 {
			continue
		}
		before := math.Nextafter(g.From, math.Inf(-1))
		if strip.Range.Whole {
			before = g.From - 1
		}
		if segments[i-1].To != before || segments[i-1].Kept == g.Kept {
			t.Fatalf("%s: segments %v do not follow each other", strip.Param, segments)
		}
	}
}

func TestTheTenNearestAreThoseOfTheSmallestMargins(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		facts := randomFacts(rng, 2+rng.IntN(40), false)
		s := start(1 + rng.IntN(len(facts)))
		m := New([]Pool{{Facts: facts}}, s)
		near := m.Nearest(s, 0, 10)
		e := eviction.Explain(facts, s.Policy, s.Now, s.Capacity)
		var margins []float64
		for _, f := range e.Facts {
			if f.HasMargin && e.Cut.LastKept >= 0 {
				margins = append(margins, math.Abs(f.Margin))
			}
		}
		slices.Sort(margins)
		margins = margins[:min(len(margins), 10)]
		if len(near) != len(margins) {
			t.Fatalf("%d facts near the cut, want %d", len(near), len(margins))
		}
		for i, one := range near {
			if f := e.Facts[one.Index]; math.Abs(one.Margin) != margins[i] || one.Margin != f.Margin || one.Kept != f.Kept || one.Score != f.Score.Value {
				t.Fatalf("near fact %d is %+v, want %+v", i, one, f)
			}
		}
	}
}

func TestAnOutcomeCountsWhatChanges(t *testing.T) {
	old, fresh := eviction.At(clock.AddDate(0, 0, -180)), eviction.At(clock.AddDate(0, 0, -7))
	pool := func(id, group string) Pool {
		return Pool{ID: id, Group: group, Support: []int{1}, Facts: []eviction.Fact{
			{ID: "a", Confidence: 0.9, Created: old}, {ID: "b", Confidence: 0.7, Created: old, Confirmed: fresh},
		}}
	}
	m := New([]Pool{pool("one", "help"), pool("two", "help")}, start(1))
	o := m.Evaluate(m.Move(m.Base(), WeightConfidence, 1))
	if o.ChangedPools != 2 || o.ChangedFacts != 4 || o.Lost != 2 || o.Gained != 0 {
		t.Errorf("the outcome is %+v", o)
	}
	if want := []GroupOutcome{{Group: "help", Pools: 2, Kept: 0, Base: 2}}; !slices.Equal(o.Groups, want) {
		t.Errorf("groups %v, want %v", o.Groups, want)
	}
	if one := o.Pools[0]; !slices.Equal(one.In, []int{0}) || !slices.Equal(one.Out, []int{1}) || one.Support || !one.BaseSupport {
		t.Errorf("the first pool is %+v", one)
	}
	if back := m.Evaluate(m.Base()); back.ChangedFacts != 0 {
		t.Errorf("back at the start %d facts are changed", back.ChangedFacts)
	}
}
