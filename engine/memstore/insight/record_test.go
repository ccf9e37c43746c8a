package insight

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

func pastText(p Past) string { return texts(p.Recomputed) + "\n" + strings.Join(p.NotRecorded, "\n") }

func TestATrimWithoutReservedSlotsLeavesNoneInDoubt(t *testing.T) {
	past := PastOf(audited(), "gone", eviction.HybridV1())
	if text := pastText(past[0]); strings.Contains(text, "slot") {
		t.Errorf("0 slots are recorded, yet:\n%s", text)
	}
	if text := pastText(past[1]); !strings.Contains(text, "unless a reserved slot decided") || !strings.Contains(text, "whether a slot reserved") {
		t.Errorf("a slot is recorded, yet:\n%s", text)
	}
}

func TestARecordThatCannotBeRightIsSaidToBeWrong(t *testing.T) {
	a := audited()
	a.Audit[0].Evicted[0].Score = 0.6 // above the fact that ranked higher
	for _, id := range []string{"gone", "here"} {
		past := PastOf(a, id, eviction.HybridV1())
		text := texts(past[len(past)-1].Recomputed)
		if !strings.Contains(text, "do not rise with their places") || strings.Contains(text, "missed it by") {
			t.Errorf("%s, out of order:\n%s", id, text)
		}
	}
	a.Audit[0].Evicted[0].Components.Confidence = -4
	past := PastOf(a, "gone", eviction.HybridV1())
	if text := texts(past[1].Recomputed); !strings.Contains(text, "a recorded part is -4, outside 0 to 1: the record is wrong") || strings.Contains(text, "weights were in force") {
		t.Errorf("with a part out of range:\n%s", text)
	}
	a = audited()
	a.Audit[0].Evicted[0].Score += 0.1
	if text := texts(PastOf(a, "gone", eviction.HybridV1())[1].Recomputed); !strings.Contains(text, "or the record is wrong") {
		t.Errorf("with another score:\n%s", text)
	}
}

func TestAnAuditOfOneFactAgainAndAgainIsCountedToo(t *testing.T) {
	a := agentOf()
	for range mostPast + 9 {
		a.Audit = append(a.Audit, memstore.Event{MaxFacts: 5, Evicted: []memstore.EvictedFact{{ID: "x", Score: 0.1}}, Shadow: &memstore.Shadow{WouldEvict: []string{"y"}}})
	}
	past := PastOf(a, "x", eviction.HybridV1())
	if len(past) != mostPast || !strings.Contains(strings.Join(past[mostPast-1].Since, "\n"), "9 earlier evictions") {
		t.Errorf("%d evictions, the last %+v", len(past), past[len(past)-1])
	}
}

func TestTheAftermathOfEveryTrimIsThatOfALookAtAllLaterOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	name := func() string { return string(rune('a' + rng.IntN(8))) }
	for range 200 {
		a := agentOf(eviction.Fact{ID: "a"}, eviction.Fact{ID: "c"})
		for range rng.IntN(12) {
			e := memstore.Event{MaxFacts: int64(rng.IntN(8) - 1), Evicted: []memstore.EvictedFact{{ID: name()}}}
			if rng.IntN(2) == 0 {
				e.Shadow = &memstore.Shadow{WouldEvict: []string{name(), name()}}
			}
			a.Audit = append(a.Audit, e)
		}
		after := aftermathOf(a)
		for i := range a.Audit {
			lowest, evicted := int64(math.MaxInt64), map[string]bool{}
			for _, e := range a.Audit[i:] {
				if evicted[e.Evicted[0].ID] = true; e.MaxFacts >= 0 {
					lowest = min(lowest, e.MaxFacts)
				}
			}
			room := 0
			if a.Audit[i].MaxFacts >= 0 {
				room = max(0, int(lowest)-2)
			}
			var gone []string
			if s := a.Audit[i].Shadow; s != nil {
				for _, id := range s.WouldEvict {
					if !evicted[id] && a.Find(id) < 0 {
						gone = append(gone, id)
					}
				}
			}
			if after.room(i) != room || strings.Join(after.deleted(i), " ") != strings.Join(gone, " ") {
				t.Fatalf("trim %d of %+v leaves %d slots and lost %v, want %d and %v", i, a.Audit, after.room(i), after.deleted(i), room, gone)
			}
		}
	}
}

var scores = regexp.MustCompile(`Hybrid-v1 scores it (\d\.\d+).*: (above|below|level with).*, (\d\.\d+) \(`)

// The reason has to follow from its own figures: what only hybrid-v1 keeps scores
// no less than what it is compared with, what it drops no more.
func TestTheReasonOfADifferenceFollowsFromItsFigures(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	seen := 0
	for range 300 {
		a := agentOf(randomSignals(rng, 8+rng.IntN(30))...)
		c := Compare(a, eviction.HybridV1(), eviction.At(clock), 1+rng.IntN(len(a.Facts)-1))
		for _, d := range c.Differ {
			reason := c.Reason(d)
			found := scores.FindStringSubmatch(reason)
			if d.reserve || found == nil {
				if !d.reserve && c.Hybrid.Cut.LastKept >= 0 {
					t.Fatalf("the reason is %q", reason)
				}
				continue
			}
			seen++
			own, _ := strconv.ParseFloat(found[1], 64)
			other, _ := strconv.ParseFloat(found[3], 64)
			if d.HybridOnly && (own < other || found[2] == "below") || !d.HybridOnly && (own > other || found[2] == "above") {
				t.Fatalf("kept by hybrid-v1 alone: %v; the reason is %q", d.HybridOnly, reason)
			}
			if !strings.Contains(reason, "By confidence") || d.HybridOnly != strings.Contains(reason, "beyond the cap") {
				t.Fatalf("the reason is %q", reason)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d reasons were looked at", seen)
	}
}

func TestTimesAfterTheClockAreSaid(t *testing.T) {
	a := agentOf(
		eviction.Fact{ID: "a", Confidence: 0.1, Created: daysBefore(10), Confirmed: daysBefore(-5)},
		eviction.Fact{ID: "b", Confidence: 0.9, Created: daysBefore(-5)},
		eviction.Fact{ID: "c", Confidence: 0.5, Created: daysBefore(5)},
	)
	s := NewTable(a, eviction.HybridV1(), eviction.At(clock)).Signals()
	if notes := strings.Join(s.Notes(), "\n"); s.Ahead != 2 || s.NotYet != 1 || !strings.Contains(notes, "2 of 3 facts have times after the clock") {
		t.Errorf("signals %+v, notes %q", s, notes)
	}
	c := Compare(a, eviction.HybridV1(), eviction.At(clock), 1)
	if c.since(0) != "confirmed after the clock" {
		t.Errorf("it says %q", c.since(0))
	}
}
