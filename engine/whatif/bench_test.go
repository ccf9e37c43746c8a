package whatif

import (
	"math/rand/v2"
	"testing"
)

// A slider over a store of 100,000 facts has to answer within 16 ms.
func BenchmarkSlider100000(b *testing.B) {
	facts := randomFacts(rand.New(rand.NewPCG(9, 10)), 100_000, false)
	m := New([]Pool{{ID: "store", Facts: facts}}, start(70_000))
	for _, p := range Params() {
		r := m.Range(p)
		b.Run(string(p), func(b *testing.B) {
			i := 0
			for b.Loop() {
				i++
				m.Evaluate(m.Move(m.Base(), p, r.Min+(r.Max-r.Min)*float64(i%97)/97))
			}
		})
	}
}

func BenchmarkStrip100000(b *testing.B) {
	facts := randomFacts(rand.New(rand.NewPCG(9, 10)), 100_000, false)
	m := New([]Pool{{ID: "store", Facts: facts}}, start(70_000))
	near := m.Nearest(m.Base(), 0, 1)[0].Index
	for _, p := range Params() {
		b.Run(string(p), func(b *testing.B) {
			for b.Loop() {
				m.Strip(m.Base(), 0, near, p)
			}
		})
	}
	b.Run("nearest", func(b *testing.B) {
		for b.Loop() {
			m.Nearest(m.Base(), 0, 10)
		}
	})
}
