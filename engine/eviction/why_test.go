package eviction

import (
	"encoding/json"
	"strings"
	"testing"
)

// supportCase is a case of the study: a support fact that was confirmed or
// accessed lately among nine distractors of 180 days, six of them more
// confident.
func supportCase(support Fact) []Fact {
	facts := []Fact{support}
	for i, c := range []float64{0.94, 0.92, 0.90, 0.88, 0.86, 0.84, 0.82, 0.68, 0.66} {
		facts = append(facts, Fact{ID: string(rune('a' + i)), Confidence: c, Created: daysAgo(180)})
	}
	return facts
}

func TestWhyAndProof(t *testing.T) {
	plain := Fact{ID: "gold", Confidence: 0.7, Created: daysAgo(180)}
	confirmed, accessed, correction := plain, plain, plain
	confirmed.Confirmed = daysAgo(7)
	accessed.Heat, accessed.Accessed = 8, testNow
	correction.Category = "correction"
	correction.Confidence = 0.65
	equal := plain
	equal.Confidence = 0.82
	wide := HybridV1()
	wide.ReservedFraction = 0.5
	shared := supportCase(plain)
	shared[9].ID = "gold"

	for _, test := range []struct {
		name     string
		facts    []Fact
		policy   Policy
		capacity int
		fact     int
		why      string
		proof    string
	}{
		{"an evicted fact learns what would have kept it", supportCase(plain), HybridV1(), 7, 0,
			"Evicted: rank 8 of 10 at capacity 7, 0.078 below the cut. Confirming it within 107.4 days, or confidence 0.820 instead of 0.700, would have kept it.",
			"0.65×0.70 + 0.25×0.125 + 0.10×0 = 0.486"},
		{"confidence knows only confidence", supportCase(confirmed), Confidence(), 7, 0,
			"Evicted: rank 8 of 10 at capacity 7, 0.120 below the cut. Confidence 0.820 instead of 0.700, or capacity 8, would have kept it.",
			"confidence = 0.700"},
		{"a confirmation keeps a fact", supportCase(confirmed), HybridV1(), 7, 0,
			"Kept: rank 1 of 10 at capacity 7, 0.128 above the cut. A last confirmation 107.5 days ago instead of 7.0, or confidence 0.503 instead of 0.700, would have evicted it.",
			"0.65×0.70 + 0.25×0.948 + 0.10×0 = 0.692"},
		{"heat keeps a fact", supportCase(accessed), HybridV1(), 7, 0,
			"Kept: rank 6 of 10 at capacity 7, 0.022 above the cut. Confidence 0.666 instead of 0.700, or an access heat of 4.5 instead of 8.0, would have evicted it.",
			"0.65×0.70 + 0.25×0.125 + 0.10×1 = 0.586"},
		{"a correction is kept by its slot", supportCase(correction), HybridV1(), 7, 0,
			"Kept: rank 10 of 10 at capacity 7, 0.110 below the cut, but it is a correction in a reserved slot. No confidence, confirmation or heat would have evicted it, only capacity 0.",
			"0.65×0.65 + 0.25×0.125 + 0.10×0 = 0.454"},
		{"a fact is displaced by a reserve", supportCase(correction), HybridV1(), 7, 7,
			"Evicted: rank 7 of 10 at capacity 7 would fit, but a slot is reserved for corrections. Confirming it within 224.8 days, or confidence 0.841 instead of 0.820, would have kept it.",
			"0.65×0.82 + 0.25×0.125 + 0.10×0 = 0.564"},
		{"a fact is displaced by several reserved slots", func() []Fact {
			facts := supportCase(correction)
			facts[9].Category, facts[8].Category = "correction", "correction"
			return facts
		}(), wide, 6, 4,
			"Evicted: rank 4 of 10 at capacity 6 would fit, but 3 slots are reserved for corrections. Confirming it within 224.8 days, or confidence 0.901 instead of 0.880, would have kept it.",
			"0.65×0.88 + 0.25×0.125 + 0.10×0 = 0.603"},
		{"nothing but room helps", append(supportCase(plain)[:1], Fact{ID: "best", Confidence: 1, Confirmed: testNow, Heat: 8, Accessed: testNow}), HybridV1(), 1, 0,
			"Evicted: rank 2 of 2 at capacity 1, 0.514 below the cut. No confidence, confirmation or heat would have kept it, only capacity 2.",
			"0.65×0.70 + 0.25×0.125 + 0.10×0 = 0.486"},
		{"a tie is lost to the earlier", append(supportCase(plain)[1:], equal), HybridV1(), 7, 9,
			"Evicted: rank 8 of 10 at capacity 7, level with the cut, where an equal stands before it in the list. Confirming it within 269.9 days, or confidence 0.821 instead of 0.820, would have kept it.",
			"0.65×0.82 + 0.25×0.125 + 0.10×0 = 0.564"},
		{"a tie is won by the earlier", supportCase(equal), HybridV1(), 7, 0,
			"Kept: rank 7 of 10 at capacity 7, level with the cut, where it stands before its equals in the list. Confidence 0.819 instead of 0.820, or capacity 6, would have evicted it.",
			"0.65×0.82 + 0.25×0.125 + 0.10×0 = 0.564"},
		{"everything fits", supportCase(plain), HybridV1(), 12, 0,
			"Kept: all 10 facts fit in capacity 12. Capacity 7 would have evicted it.",
			"0.65×0.70 + 0.25×0.125 + 0.10×0 = 0.486"},
		{"one fact fits", supportCase(plain)[:1], HybridV1(), 12, 0,
			"Kept: the only fact fits in capacity 12. Capacity 0 would have evicted it.",
			"0.65×0.70 + 0.25×0.125 + 0.10×0 = 0.486"},
		{"capacity 0", supportCase(plain), HybridV1(), 0, 0,
			"Evicted: capacity 0 keeps nothing. Capacity 8 would have kept it.",
			"0.65×0.70 + 0.25×0.125 + 0.10×0 = 0.486"},
		{"a shared ID", shared, HybridV1(), 7, 0,
			"Evicted: rank 9 of 10 at capacity 7, 0.104 below the cut; it shares its ID with another fact, and the last one's score counts for all of them. No confidence, confirmation or heat would have kept it, only capacity 9.",
			"0.65×0.66 + 0.25×0.125 + 0.10×0 = 0.460"},
		{"a fact that is not there", nil, HybridV1(), 7, 0,
			"",
			""},
	} {
		e := Explain(test.facts, test.policy, testNow, test.capacity)
		if got := Why(e, test.fact); got != test.why {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.why)
		}
		if got := Proof(e, test.fact); got != test.proof {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.proof)
		}
	}
}

func TestFiguresOfTheWhyAreRoundedToTheTurningSide(t *testing.T) {
	for _, test := range []struct {
		got, want string
	}{
		{rounded(0.7341, 3, true), "0.735"},
		{rounded(0.7, 3, true), "0.700"},
		{rounded(0.7349, 3, false), "0.734"},
		{rounded(12.49, 1, false), "12.4"},
		{within(12.49), "within 12.4 days"},
		{within(0.99), "within 23.7 hours"},
		{within(0.04), "within 57.6 minutes"},
		{within(1. / 86400), "within 1.0 seconds"},
		{within(0), "at that very moment"},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
	if from, to := apart(0.7, 0.69999, 3, false); from != "0.700" || to != "0.699" {
		t.Errorf("%s and %s", from, to)
	}
	if from, to := apart(0.70049, 0.70048, 3, false); from == to {
		t.Errorf("both are %s", from)
	}
}

func TestAnExplanationIsWrittenAsJSON(t *testing.T) {
	data, err := json.Marshal(Explain(supportCase(Fact{ID: "gold", Confidence: 0.7}), HybridV1(), testNow, 7))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"now":"2026-08-13T00:00:00.000000Z"`, `"first_evicted":`, `"via_reserve":false`, `"at":"2026-`, `"kind":"capacity"`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in %s", part, data)
		}
	}
	if data, err := json.Marshal(Moment{}); err != nil || string(data) != "null" {
		t.Errorf("never is written %s, %v", data, err)
	}
}
