package eviction

import (
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"deermem-tui/protocol/config"
	"deermem-tui/protocol/pools"
)

var (
	testClock = time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)
	testNow   = At(testClock)
)

func daysAgo(days float64) Moment {
	return AtMicros(testNow.Micros() - int64(days*86400e6))
}

// confidences gives facts that differ in confidence only.
func confidences(values ...float64) []Fact {
	facts := make([]Fact, len(values))
	for i, v := range values {
		facts[i] = Fact{ID: string(rune('a' + i)), Confidence: v}
	}
	return facts
}

func TestSelect(t *testing.T) {
	correction := func(f Fact) Fact { f.Category = " CORRECTION\t"; return f }
	mixed := confidences(0.9, 0.8, 0.7, 0.6)
	mixed[3] = correction(mixed[3])
	corrections := confidences(0.9, 0.8, 0.7, 0.6)
	for i := 1; i < 4; i++ {
		corrections[i] = correction(corrections[i])
	}
	wide := HybridV1()
	wide.ReservedFraction = 1
	none := HybridV1()
	none.ReservedMax = 0
	twins := confidences(0.9, 0.5, 0.1)
	twins[2].ID = twins[0].ID

	for _, test := range []struct {
		name     string
		facts    []Fact
		policy   Policy
		capacity int
		kept     []int
		evicted  []int
		reserved int
	}{
		{"no facts", nil, HybridV1(), 3, []int{}, []int{}, 0},
		{"everything at the capacity stays in input order", confidences(0.1, 0.9), Confidence(), 2, []int{0, 1}, []int{}, 0},
		{"the kept come in rank order, the evicted lowest first", confidences(0.2, 0.4, 0.1, 0.3), Confidence(), 2, []int{1, 3}, []int{2, 0}, 0},
		{"equal scores stay in input order", confidences(0.5, 0.5, 0.5), Confidence(), 2, []int{0, 1}, []int{2}, 0},
		{"capacity 0 keeps nothing", mixed, HybridV1(), 0, []int{}, []int{3, 2, 1, 0}, 0},
		{"a negative capacity keeps nothing", mixed, HybridV1(), -4, []int{}, []int{3, 2, 1, 0}, 0},
		{"hybrid-v1 keeps a correction that confidence evicts", mixed, HybridV1(), 2, []int{0, 3}, []int{2, 1}, 1},
		{"confidence reserves nothing", mixed, Confidence(), 2, []int{0, 1}, []int{3, 2}, 0},
		{"a reserve of at most 0 slots is none", mixed, none, 2, []int{0, 1}, []int{3, 2}, 0},
		{"a full reserve leaves no open slot", corrections, wide, 2, []int{1, 2}, []int{3, 0}, 2},
		{"slots without a correction are open", confidences(0.1, 0.9, 0.5), wide, 2, []int{1, 2}, []int{0}, 0},
		{"facts with one ID share the last one's score", twins, Confidence(), 1, []int{1}, []int{2, 0}, 0},
	} {
		r := Select(test.facts, test.policy, testNow, test.capacity)
		if !slices.Equal(r.Kept, test.kept) || !slices.Equal(r.Evicted, test.evicted) || r.ReservedSlots != test.reserved {
			t.Errorf("%s: kept %v, evicted %v, reserved %d, want %v, %v, %d",
				test.name, r.Kept, r.Evicted, r.ReservedSlots, test.kept, test.evicted, test.reserved)
		}
	}
}

func TestScoreOf(t *testing.T) {
	frozen := HybridV1()
	frozen.ConfirmationHalfLifeDays, frozen.AccessHalfLifeDays = 0, -1
	for _, test := range []struct {
		name   string
		fact   Fact
		policy Policy
		now    Moment
		want   Score
	}{
		{"confidence alone", Fact{Confidence: 0.7, Confirmed: testNow}, Confidence(), testNow, Score{Value: 0.7, Confidence: 0.7}},
		{"a confidence above 1 is 1", Fact{Confidence: 3}, Confidence(), testNow, Score{Value: 1, Confidence: 1}},
		{"a confidence that is no number is the default", Fact{Confidence: math.NaN()}, Confidence(), testNow, Score{Value: 0.5, Confidence: 0.5}},
		{"a confirmation a half-life ago is half as fresh", Fact{Confirmed: daysAgo(90)}, HybridV1(), testNow, Score{Value: 0.125, Freshness: 0.5}},
		{"a confirmation to come is fresh", Fact{Confirmed: daysAgo(-5)}, HybridV1(), testNow, Score{Value: 0.25, Freshness: 1}},
		{"a creation counts half", Fact{Created: daysAgo(90)}, HybridV1(), testNow, Score{Value: 0.0625, Freshness: 0.25}},
		{"a confirmation hides the creation", Fact{Created: testNow, Confirmed: daysAgo(180)}, HybridV1(), testNow, Score{Value: 0.0625, Freshness: 0.25}},
		{"eight accesses now are full heat", Fact{Heat: 8, Accessed: testNow}, HybridV1(), testNow, Score{Value: 0.1, Heat: 1}},
		{"more heat is no more than full", Fact{Heat: 1e300, Accessed: testNow}, HybridV1(), testNow, Score{Value: 0.1, Heat: 1}},
		{"heat without an access is none", Fact{Heat: 8}, HybridV1(), testNow, Score{}},
		{"a half-life of 0 days leaves nothing", Fact{Confirmed: testNow, Heat: 8, Accessed: testNow}, frozen, testNow, Score{}},
		{"without a clock no age is known", Fact{Confirmed: testNow, Heat: 8, Accessed: testNow}, HybridV1(), Moment{}, Score{}},
	} {
		if got := ScoreOf(&test.fact, &test.policy, test.now); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestDaysOverCenturiesAreRoundedOnce(t *testing.T) {
	// Python: (now - then).total_seconds() / 86400 with then = 0019-02-03 04:05:06.609436.
	then := ParseMoment("0019-02-03T04:05:06.609436Z")
	if got, want := daysBetween(then, testNow), 0x1.66061a8d9875fp+19; got != want {
		t.Errorf("%x days, want %x", got, want)
	}
}

func TestLongListsAreDecidedLikeShortOnes(t *testing.T) {
	raw, usage, now := benchMemory(3 * spreadFrom)
	facts := FromRawAll(raw, usage)
	facts[17].ID = facts[4711].ID
	p := HybridV1()
	r := Select(facts, p, now, spreadFrom)
	for i := range raw {
		if i != 17 && facts[i] != FromRaw(i, raw[i], usage) {
			t.Fatalf("fact %d is read as %+v", i, facts[i])
		}
		if want := ScoreOf(&facts[i], &p, now); i != 17 && r.Scores[i] != want {
			t.Fatalf("fact %d scores %+v, want %+v", i, r.Scores[i], want)
		}
	}
	if r.Scores[17] != r.Scores[4711] {
		t.Error("facts with one ID have two scores")
	}
	if !slices.IsSortedFunc(r.Ranking, func(a, b int) int {
		if d := r.Scores[b].Value - r.Scores[a].Value; d != 0 {
			return int(math.Copysign(1, d))
		}
		return a - b
	}) {
		t.Error("the ranking is not by score and place")
	}
	if len(r.Kept) != spreadFrom || len(r.Evicted) != 2*spreadFrom || r.ReservedSlots != p.ReservedMax {
		t.Errorf("kept %d, evicted %d, reserved %d", len(r.Kept), len(r.Evicted), r.ReservedSlots)
	}
}

func TestASelectorUsedAgainDecidesLikeSelect(t *testing.T) {
	var s Selector
	for _, n := range []int{30, 4, 300, 0, 24} {
		raw, usage, now := benchMemory(n)
		facts := FromRawAll(raw, usage)
		for capacity := range n + 2 {
			got, want := s.Select(facts, HybridV1(), now, capacity), Select(facts, HybridV1(), now, capacity)
			if !slices.Equal(got.Kept, want.Kept) || !slices.Equal(got.Evicted, want.Evicted) ||
				!slices.Equal(got.Ranking, want.Ranking) || !slices.Equal(got.Scores, want.Scores) ||
				got.ReservedSlots != want.ReservedSlots {
				t.Fatalf("%d facts at %d: %+v, want %+v", n, capacity, got, want)
			}
		}
	}
}

func TestFromRaw(t *testing.T) {
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil)
	at := ParseMoment("2026-08-01")
	for _, test := range []struct {
		name  string
		fact  map[string]any
		usage map[string]any
		want  Fact
	}{
		{"an empty fact has an ID of its place and the default confidence", nil, nil, Fact{ID: "__missing_3", Confidence: 0.5}},
		{"a false ID is missing", map[string]any{"id": int64(0)}, nil, Fact{ID: "__missing_3", Confidence: 0.5}},
		{"an ID that is no text is its str", map[string]any{"id": 2.0}, nil, Fact{ID: "2.0", Confidence: 0.5}},
		{"a list is an ID, too", map[string]any{"id": []any{int64(1), "a"}}, nil, Fact{ID: "[1, 'a']", Confidence: 0.5}},
		{"a boolean is no confidence", map[string]any{"id": "a", "confidence": true}, nil, Fact{ID: "a", Confidence: 0.5}},
		{"a text can be a confidence", map[string]any{"id": "a", "confidence": " 0_0.25 "}, nil, Fact{ID: "a", Confidence: 0.25}},
		{"an infinite confidence is none", map[string]any{"id": "a", "confidence": "inf"}, nil, Fact{ID: "a", Confidence: 0.5}},
		{"an integer too large for a float is none", map[string]any{"id": "a", "confidence": huge}, nil, Fact{ID: "a", Confidence: 0.5}},
		{"a negative confidence is 0", map[string]any{"id": "a", "confidence": int64(-3)}, nil, Fact{ID: "a"}},
		{"a category that is no text is its str", map[string]any{"id": "a", "category": int64(7)}, nil, Fact{ID: "a", Confidence: 0.5, Category: "7"}},
		{"times that do not parse are none", map[string]any{"id": "a", "createdAt": "2026-08-01", "lastConfirmedAt": "soon"}, nil, Fact{ID: "a", Confidence: 0.5, Created: at}},
		{"usage is found by the ID as text", map[string]any{"id": int64(7)}, map[string]any{"7": map[string]any{"accessHeat": "4", "lastAccessedAt": "2026-08-01"}}, Fact{ID: "7", Confidence: 0.5, Heat: 4, Accessed: at}},
		{"usage that is no object is none", map[string]any{"id": "a"}, map[string]any{"a": int64(7)}, Fact{ID: "a", Confidence: 0.5}},
		{"negative heat is none", map[string]any{"id": "a"}, map[string]any{"a": map[string]any{"accessHeat": int64(-3), "lastAccessedAt": "2026-08-01"}}, Fact{ID: "a", Confidence: 0.5, Accessed: at}},
	} {
		if got := FromRaw(3, test.fact, test.usage); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestFromPoolFact(t *testing.T) {
	confirmed := testClock.AddDate(0, 0, -7)
	got := FromPoolFact(pools.Fact{
		ID: "gold", Category: "context", Confidence: 0.7, Created: testClock.AddDate(0, 0, -180), Confirmed: &confirmed, Heat: 8, Accessed: &testClock,
	})
	want := Fact{
		ID: "gold", Category: "context", Confidence: 0.7, Created: daysAgo(180), Confirmed: daysAgo(7), Heat: 8, Accessed: testNow,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestFromConfig(t *testing.T) {
	c := &config.Config{Confidence: NameConfidence, Hybrid: config.Hybrid{
		Policy: NameHybridV1, ConfidenceWeight: 0.65, ConfirmationWeight: 0.25, AccessWeight: 0.10,
		ConfirmationHalfLifeDays: 90, AccessHalfLifeDays: 30, CorrectionReservedShare: 0.10, CorrectionReservedMax: 10,
	}}
	if confidence, hybrid := FromConfig(c); confidence != Confidence() || hybrid != HybridV1() {
		t.Errorf("%+v and %+v", confidence, hybrid)
	}
}

func TestIsCorrection(t *testing.T) {
	for category, want := range map[string]bool{
		"correction": true, "CORRECTION": true, " Correction ": true, "\u3000correction\x1c": true,
		"": false, "correctio": false, "corrections": false, "correct\u0131on": false, "CORRECT\u0130ON": false, "\ufeffcorrection": false,
	} {
		if IsCorrection(category) != want {
			t.Errorf("%q: %v", category, !want)
		}
	}
}

// FuzzSelect holds every decision to what a decision is.
func FuzzSelect(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 0.1, 10, 0.65)
	f.Add([]byte{0, 0, 0, 255, 255, 255}, -1, math.NaN(), -3, math.Inf(1))
	f.Fuzz(func(t *testing.T, data []byte, capacity int, fraction float64, most int, weight float64) {
		var facts []Fact
		for ; len(data) >= 6 && len(facts) < 60; data = data[6:] {
			facts = append(facts, Fact{
				ID:         string(data[0] % 32),
				Confidence: float64(data[1])/200 - 0.1,
				Category:   []string{"", "correction", " Correction", "goal"}[data[2]%4],
				Created:    daysAgo(float64(data[3]) - 20),
				Confirmed:  Moment{micros: daysAgo(float64(data[4])).micros, set: data[4]%2 == 0},
				Accessed:   daysAgo(float64(data[5])),
				Heat:       float64(data[5]) / 16,
			})
		}
		p := HybridV1()
		p.ReservedFraction, p.ReservedMax, p.Weights.Confidence = fraction, most, weight
		for _, p := range []Policy{p, HybridV1(), Confidence()} {
			r := Select(facts, p, testNow, capacity)
			if want := min(max(0, capacity), len(facts)); len(r.Kept) != want || len(r.Evicted) != len(facts)-want {
				t.Fatalf("kept %d, evicted %d of %d at capacity %d", len(r.Kept), len(r.Evicted), len(facts), capacity)
			}
			if r.ReservedSlots < 0 || r.ReservedSlots > len(r.Kept) {
				t.Fatalf("%d slots reserved of %d", r.ReservedSlots, len(r.Kept))
			}
			for _, list := range [][]int{append(slices.Clone(r.Kept), r.Evicted...), r.Ranking} {
				slices.Sort(list)
				for i, v := range list {
					if i != v {
						t.Fatalf("not every fact once: %v", list)
					}
				}
			}
			e := Explain(facts, p, testNow, capacity)
			for i := range facts {
				if Why(e, i) == "" || Proof(e, i) == "" {
					t.Fatalf("fact %d has no sentence or no proof", i)
				}
			}
		}
	})
}
