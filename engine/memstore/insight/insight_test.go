package insight

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

var clock = time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)

func daysBefore(days float64) eviction.Moment {
	return eviction.At(clock.Add(-time.Duration(days * 24 * float64(time.Hour))))
}

// agentOf gives an agent of facts with their texts made up.
func agentOf(signals ...eviction.Fact) *memstore.Agent {
	a := &memstore.Agent{Name: "coder", Signals: signals}
	for i := range signals {
		f := &signals[i]
		a.Facts = append(a.Facts, memstore.Fact{ID: f.ID, Category: f.CategoryName(), Title: "Title " + f.ID, Content: "Content of " + f.ID})
	}
	return a
}

func randomSignals(rng *rand.Rand, n int) []eviction.Fact {
	facts := make([]eviction.Fact, n)
	for i := range facts {
		facts[i] = eviction.Fact{
			ID: fmt.Sprintf("f%03d", i), Confidence: float64(rng.IntN(30)) / 30, Created: daysBefore(rng.Float64() * 300),
			Category: []string{"context", "correction", "goal"}[rng.IntN(3)],
		}
		if rng.IntN(2) == 0 {
			facts[i].Confirmed = daysBefore(rng.Float64() * 100)
		}
		if rng.IntN(2) == 0 {
			facts[i].Heat, facts[i].Accessed = rng.Float64()*9, daysBefore(rng.Float64()*40)
		}
	}
	return facts
}

func TestADecisionAgreesWithItsExplanation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		facts := randomSignals(rng, 1+rng.IntN(40))
		for _, p := range []eviction.Policy{eviction.Confidence(), eviction.HybridV1()} {
			p.ReservedFraction = rng.Float64()
			capacity := rng.IntN(len(facts) + 2)
			d := Decide(facts, p, eviction.At(clock), capacity)
			e := eviction.Explain(facts, p, eviction.At(clock), capacity)
			if d.Cut != e.Cut {
				t.Fatalf("the cut is %+v, want %+v", d.Cut, e.Cut)
			}
			for i, f := range e.Facts {
				margin, ok := d.Margin(i)
				if d.Kept(i) != f.Kept || d.Rank(i) != f.Rank || ok != f.HasMargin || margin != f.Margin ||
					slices.Contains(d.Saved, i) != f.ViaReserve || slices.Contains(d.Displaced, i) != f.Displaced {
					t.Fatalf("fact %d: kept %v, rank %d, margin %v, want %+v", i, d.Kept(i), d.Rank(i), margin, f)
				}
			}
			r := eviction.Select(facts, p, eviction.At(clock), capacity)
			if len(d.Held) != r.ReservedSlots || !slices.Equal(d.Evicted(len(facts)), r.Evicted) || !slices.Equal(d.Stay(), r.Kept) {
				t.Fatalf("%d corrections hold slots, %v go and %v stay, want %+v", len(d.Held), d.Evicted(len(facts)), d.Stay(), r)
			}
			if d.Survivors() != len(r.Kept) || d.Evictions() != len(r.Evicted) {
				t.Fatalf("%d stay and %d go, want %+v", d.Survivors(), d.Evictions(), r)
			}
		}
	}
}

func TestOneAtATimeEvictsWhatEveryLowerCapAdds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		facts := randomSignals(rng, 2+rng.IntN(40))
		p := eviction.HybridV1()
		p.ReservedFraction, p.ReservedMax = rng.Float64(), rng.IntN(30)
		capacity := rng.IntN(len(facts))
		steps := Decide(facts, p, eviction.At(clock), capacity).OneAtATime(len(facts))
		gone := map[int]bool{}
		for at, s := range steps {
			if s.Capacity != len(facts)-1-at {
				t.Fatalf("step %d falls to %d", at, s.Capacity)
			}
			gone[s.Index] = true
			evicted := eviction.Select(facts, p, eviction.At(clock), s.Capacity).Evicted
			if len(gone) != len(evicted) || slices.ContainsFunc(evicted, func(i int) bool { return !gone[i] }) {
				t.Fatalf("down to %d one at a time %v go, at once %v", s.Capacity, steps[:at+1], evicted)
			}
		}
		if len(steps) != len(facts)-capacity {
			t.Fatalf("%d steps from %d facts to %d", len(steps), len(facts), capacity)
		}
	}
}

func TestWhatGoesNextIsWhatABetterFactPushesOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		facts := randomSignals(rng, 3+rng.IntN(30))
		p := eviction.HybridV1()
		capacity := 1 + rng.IntN(len(facts)-1)
		now := eviction.At(clock)
		d := Decide(facts, p, now, capacity)
		next := d.Next(capacity)
		if len(next) != capacity {
			t.Fatalf("%d go next of %d kept", len(next), capacity)
		}
		// Facts that beat all others come in, none of them a correction.
		more := slices.Clone(facts)
		for at := range capacity - len(d.Held) {
			more = append(more, eviction.Fact{ID: fmt.Sprintf("new%d", at), Confidence: 1, Confirmed: now, Heat: 100, Accessed: now})
			if after := Decide(more, p, now, capacity); after.Kept(next[at]) {
				t.Fatalf("after %d better facts, fact %d is still kept", at+1, next[at])
			}
		}
	}
}

func TestTheTableFindsFiltersAndSorts(t *testing.T) {
	a := agentOf(
		eviction.Fact{ID: "a", Confidence: 0.5, Category: "goal", Created: daysBefore(5)},
		eviction.Fact{ID: "b", Confidence: 0.9, Category: "correction"},
		eviction.Fact{ID: "c", Confidence: 0.5, Created: daysBefore(50)},
	)
	a.Facts[0].Content, a.Facts[1].Topics, a.Facts[2].Title = "Über ALLES", []string{"Pasta"}, "likes pasta"
	table := NewTable(a, eviction.HybridV1(), eviction.At(clock))
	for _, c := range []struct {
		name string
		q    Query
		want []int
	}{
		{"everything in the order of IDs", Query{}, []int{0, 1, 2}},
		{"a text in a topic or a title, whatever the case", Query{Text: "PASTA"}, []int{1, 2}},
		{"a text outside ASCII", Query{Text: "über alles"}, []int{0}},
		{"no such text", Query{Text: "qq"}, nil},
		{"a category", Query{Category: "correction"}, []int{1}},
		{"by confidence, equal ones by ID", Query{Sort: ByConfidence}, []int{0, 2, 1}},
		{"by confidence downwards, equal ones by ID", Query{Sort: ByConfidence, Descending: true}, []int{1, 0, 2}},
		{"by creation, never first", Query{Sort: ByCreated}, []int{1, 2, 0}},
		{"by title", Query{Sort: ByTitle}, []int{0, 1, 2}},
		{"by ID downwards", Query{Descending: true}, []int{2, 1, 0}},
	} {
		if got := table.Find(c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for _, f := range fields {
		if got := table.Find(Query{Sort: f}); len(got) != 3 {
			t.Errorf("sorted by %s: %v", f, got)
		}
	}
	if _, err := ParseField("colour"); err == nil {
		t.Error("a field that is none is taken")
	}
}

func TestAComparisonNamesWhatDiffersAndWhy(t *testing.T) {
	a := agentOf(
		eviction.Fact{ID: "fix", Confidence: 0.1, Category: "correction", Created: daysBefore(400)},
		eviction.Fact{ID: "fresh", Confidence: 0.70, Confirmed: daysBefore(1)},
		eviction.Fact{ID: "stale", Confidence: 0.80, Created: daysBefore(700)},
		eviction.Fact{ID: "sure", Confidence: 0.99, Confirmed: daysBefore(1)},
		eviction.Fact{ID: "weak", Confidence: 0.75, Created: daysBefore(300)},
	)
	c := Compare(a, eviction.HybridV1(), eviction.At(clock), 3)
	var got []string
	for _, d := range c.Differ {
		got = append(got, fmt.Sprintf("%s %v", a.Facts[d.Index].ID, d.HybridOnly))
		if reason := c.Reason(d); strings.Contains(reason, a.Facts[d.Index].ID+" ") || !strings.HasSuffix(reason, ".") {
			t.Errorf("the reason is %q", reason)
		}
	}
	if want := []string{"fresh true", "fix true", "stale false", "weak false"}; !slices.Equal(got, want) {
		t.Fatalf("the policies differ on %v, want %v", got, want)
	}
	if reason := c.Reason(c.Differ[0]); !strings.Contains(reason, "confirmed 1 days ago") || !strings.Contains(reason, "not measured") {
		t.Errorf("the reason of the fresh one is %q", reason)
	}
	if reason := c.Reason(c.Differ[1]); !strings.Contains(reason, "reserved slots") {
		t.Errorf("the reason of the correction is %q", reason)
	}
	if !slices.Equal(c.SavedAll, []int{0}) || !slices.Equal(c.SavedSlots, []int{0}) || c.LostAll != nil || c.Agree != 1 {
		t.Errorf("the comparison is %+v", c)
	}
}

func TestAZeroThatWasNeverMeasuredIsSaid(t *testing.T) {
	a := agentOf(eviction.Fact{ID: "a", Confidence: 1}, eviction.Fact{ID: "b", Confidence: 1, Confirmed: daysBefore(1)})
	s := SignalsOf(a)
	all := strings.Join(s.Notes(), "\n")
	if s.HeatMeasured() || !strings.Contains(all, "not measured, not cold") || !strings.Contains(all, "1 of 2 facts were confirmed") || !strings.Contains(all, "1 of 2 facts have no time") {
		t.Errorf("notes %q", all)
	}
	a.UsageFound = true
	a.Signals[0].Heat, a.Signals[0].Accessed = 1, daysBefore(1)
	a.Audit = []memstore.Event{{OccurredAt: "2026-08-01", Policy: eviction.NameHybridV1}}
	s = SignalsOf(a)
	all = strings.Join(s.Notes(), "\n")
	if !s.HeatMeasured() || !strings.Contains(all, "1 of 2 facts have a recorded access") || !strings.Contains(all, "2026-08-01") {
		t.Errorf("notes %q", all)
	}
	if notes := SignalsOf(agentOf()).Notes(); notes != nil {
		t.Errorf("an empty agent has notes %q", notes)
	}
}

func TestTheCapIsThatOfTheLastTrimElseTheDefault(t *testing.T) {
	a := agentOf()
	if n, from := CapOf(a); n != 100 || from != CapDefault {
		t.Errorf("without an audit: %d from %s", n, from)
	}
	a.Audit = []memstore.Event{{MaxFacts: 50}, {MaxFacts: 30}, {MaxFacts: -1}}
	if n, from := CapOf(a); n != 30 || from != CapAudit {
		t.Errorf("with one: %d from %s", n, from)
	}
}

// audited is an agent with two trims.
func audited() *memstore.Agent {
	a := agentOf(eviction.Fact{ID: "here", Confidence: 0.9, Created: daysBefore(100)}, eviction.Fact{ID: "late", Confidence: 0.9, Created: daysBefore(1)})
	score := float64(float64(0.65*0.4)+float64(0.25*0.25)) + float64(0.10*0)
	a.Audit = []memstore.Event{
		{
			Index: 0, OccurredAt: "2026-08-01T00:00:00Z", Moment: eviction.ParseMoment("2026-08-01"), Reason: "capacity", Policy: eviction.NameHybridV1,
			MaxFacts: 5, ReservedSlots: 1,
			Evicted: []memstore.EvictedFact{
				{ID: "gone", Category: "goal", Score: score, Components: memstore.Components{Confidence: 0.4, Freshness: 0.25, Heat: 0}},
				{ID: "here", Category: "context", Score: 0.5, Components: memstore.Components{Confidence: 0.5, Freshness: math.NaN(), Heat: math.NaN()}},
			},
			Shadow: &memstore.Shadow{Policy: eviction.NameConfidence, WouldEvict: []string{"deleted"}, Disagrees: true},
		},
		{Index: 1, OccurredAt: "2026-08-05T00:00:00Z", Moment: eviction.ParseMoment("2026-08-05"), Policy: eviction.NameConfidence, MaxFacts: 4, ReservedSlots: 0,
			Evicted: []memstore.EvictedFact{{ID: "gone", Category: "goal", Score: 0.4, Components: memstore.Components{Confidence: 0.4}}},
			Shadow:  &memstore.Shadow{Policy: eviction.NameHybridV1, WouldEvict: []string{"gone"}, Disagrees: true}},
	}
	return a
}

func texts(lines []Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Name+": "+l.Value)
	}
	return strings.Join(out, "\n")
}

func TestAPastEvictionKeepsTheRecordedApartFromTheRest(t *testing.T) {
	a := audited()
	past := PastOf(a, "gone", eviction.HybridV1())
	if len(past) != 2 || past[0].Event.Index != 1 || past[1].Event.Index != 0 {
		t.Fatalf("the evictions are %+v", past)
	}
	first := past[1]
	for _, want := range []string{"policy: hybrid-v1", "cap: 5", "reserved slots: 1", "place: 1 of 2", "confidence: 0.400", "freshness: 0.250", "shadow: confidence would have kept it; the two policies disagreed"} {
		if !strings.Contains(texts(first.Recorded), want) {
			t.Errorf("recorded does not say %q:\n%s", want, texts(first.Recorded))
		}
	}
	for _, want := range []string{"the recorded score: the weights assumed here were most likely", "confirmation 180 days before, or of a creation 90 days before", "at 0.500 or above", "of today's facts 1 were created before it"} {
		if !strings.Contains(texts(first.Recomputed), want) {
			t.Errorf("recomputed does not say %q:\n%s", want, texts(first.Recomputed))
		}
	}
	if all := strings.Join(first.NotRecorded, "\n"); !strings.Contains(all, "weights") || !strings.Contains(all, "newcomer") || !strings.Contains(all, "text") {
		t.Errorf("not recorded: %s", all)
	}
	since := strings.Join(first.Since, "\n")
	for _, want := range []string{"deleted later", "removes the names", "2 fewer than every cap"} {
		if !strings.Contains(since, want) {
			t.Errorf("since then does not say %q:\n%s", want, since)
		}
	}
	if again := PastOf(a, "here", eviction.HybridV1())[0]; !strings.Contains(strings.Join(again.Since, "\n"), "stored again") {
		t.Errorf("since then: %v", again.Since)
	}
	if !strings.Contains(texts(past[0].Recomputed), "as the policy has it") {
		t.Errorf("recomputed under confidence:\n%s", texts(past[0].Recomputed))
	}
	a.Audit[0].Evicted[0].Score += 0.1
	if other := PastOf(a, "gone", eviction.HybridV1())[1]; !strings.Contains(texts(other.Recomputed), "other weights were in force") {
		t.Errorf("recomputed with another score:\n%s", texts(other.Recomputed))
	}
}

func TestTheTimeLineCountsCategoriesAndDisagreement(t *testing.T) {
	line := NewTimeline(audited())
	if line.Evicted != 3 || line.WithShadow != 2 || line.Disagreed != 2 || line.Thinned != 1 || line.Contradicted != 1 {
		t.Errorf("the time line is %+v", line)
	}
	if want := []CategoryCount{{"goal", 2}, {"context", 1}}; !slices.Equal(line.Categories, want) {
		t.Errorf("categories %v, want %v", line.Categories, want)
	}
	if rate, ok := line.DisagreementRate(); !ok || rate != 1 {
		t.Errorf("the rate is %v, %v", rate, ok)
	}
	if e := line.Entries[0]; !slices.Equal(e.LaterGone, []string{"deleted"}) || e.SpareRoom != 2 {
		t.Errorf("the first entry is %+v", e)
	}
	empty := NewTimeline(agentOf())
	if _, ok := empty.DisagreementRate(); ok {
		t.Error("no trims have a rate")
	}
}

func BenchmarkFind100000(b *testing.B) {
	a := agentOf(randomSignals(rand.New(rand.NewPCG(4, 4)), 100_000)...)
	table := NewTable(a, eviction.HybridV1(), eviction.At(clock))
	for b.Loop() {
		table.Find(Query{Text: "nowhere", Sort: ByHybrid})
	}
}

// A moved cap asks for the decisions of both policies, what goes next and the
// comparison; what a screen shows of them is short.
func BenchmarkAnotherCap100000(b *testing.B) {
	a := agentOf(randomSignals(rand.New(rand.NewPCG(4, 4)), 100_000)...)
	table := NewTable(a, eviction.HybridV1(), eviction.At(clock))
	for i := 0; b.Loop(); i++ {
		_, hybrid := table.Decide(50_000 + i%1000)
		hybrid.Next(100)
		hybrid.OneAtATime(100)
		hybrid.Evicted(100)
	}
}

func BenchmarkCompare100000(b *testing.B) {
	a := agentOf(randomSignals(rand.New(rand.NewPCG(4, 4)), 100_000)...)
	table := NewTable(a, eviction.HybridV1(), eviction.At(clock))
	for i := 0; b.Loop(); i++ {
		table.Compare(50_000 + i%1000)
	}
}

func BenchmarkNextOfAll100000(b *testing.B) {
	a := agentOf(randomSignals(rand.New(rand.NewPCG(4, 4)), 100_000)...)
	table := NewTable(a, eviction.HybridV1(), eviction.At(clock))
	for b.Loop() {
		_, hybrid := table.Decide(50_000)
		hybrid.Next(1_000_000)
		hybrid.OneAtATime(1_000_000)
	}
}
