package eviction

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// benchMemory gives n facts as a memory file holds them, with their usage and
// the clock.
func benchMemory(n int) (facts []map[string]any, usage map[string]any, now Moment) {
	rng := rand.New(rand.NewPCG(7, 11))
	clock := time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)
	ago := func() string {
		return clock.Add(-time.Duration(rng.Int64N(int64(400 * 24 * time.Hour)))).Format("2006-01-02T15:04:05.000000Z")
	}
	usage = map[string]any{}
	for i := range n {
		id := fmt.Sprintf("fact_%08x", rng.Uint32())
		fact := map[string]any{
			"id": id, "content": "…", "confidence": float64(rng.IntN(100)) / 100,
			"category":  []string{"context", "preference", "goal", "correction"}[rng.IntN(4)],
			"createdAt": ago(),
		}
		if i%2 == 0 {
			fact["lastConfirmedAt"] = ago()
		}
		if i%3 == 0 {
			usage[id] = map[string]any{"accessHeat": rng.Float64() * 10, "lastAccessedAt": ago()}
		}
		facts = append(facts, fact)
	}
	return facts, usage, At(clock)
}

// benchmarkSelect selects seven tenths of n facts.
func benchmarkSelect(b *testing.B, n int) {
	raw, usage, now := benchMemory(n)
	facts := FromRawAll(raw, usage)
	capacity := n * 7 / 10
	for _, p := range []Policy{Confidence(), HybridV1()} {
		b.Run(p.Name+"/typed", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Select(facts, p, now, capacity)
			}
		})
		b.Run(p.Name+"/typed-again", func(b *testing.B) {
			b.ReportAllocs()
			var s Selector
			for b.Loop() {
				s.Select(facts, p, now, capacity)
			}
		})
		b.Run(p.Name+"/raw", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Select(FromRawAll(raw, usage), p, now, capacity)
			}
		})
	}
}

func BenchmarkSelect10(b *testing.B)     { benchmarkSelect(b, 10) }
func BenchmarkSelect100000(b *testing.B) { benchmarkSelect(b, 100_000) }

func BenchmarkExplain(b *testing.B) {
	for _, n := range []int{10, 1000} {
		raw, usage, now := benchMemory(n)
		facts := FromRawAll(raw, usage)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Explain(facts, HybridV1(), now, n*7/10)
			}
		})
	}
}

func BenchmarkPow2(b *testing.B) {
	x := -0.5
	for b.Loop() {
		x = -pow2(x)
	}
}

func BenchmarkLog1p(b *testing.B) {
	x := 4.0
	for b.Loop() {
		x = log1p(x) + 1
	}
}
