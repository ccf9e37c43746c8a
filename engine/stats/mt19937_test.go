// This file compares the generator with the numbers of CPython 3.11's
// random.Random(seed).getrandbits(32).

package stats

import (
	"math/big"
	"testing"
)

func TestTheGeneratorDrawsWhatPythonDraws(t *testing.T) {
	tests := []struct {
		name string
		seed *big.Int
		want map[int]uint32 // word number to word
	}{
		{"a zero seed is one zero word", big.NewInt(0), map[int]uint32{0: 3626764237, 1: 1654615998, 623: 2390040247, 624: 2229104038, 1999: 3908016617}},
		{"a small seed", big.NewInt(4789), map[int]uint32{0: 2890061580, 1: 2271771826, 623: 3905271497, 624: 195308922, 1999: 1802726705}},
		{"a negative seed counts by its absolute value", big.NewInt(-7), map[int]uint32{0: 1390851128, 1: 4071050724, 623: 960836459, 624: 693491440, 1999: 2803521222}},
		{"the largest one-word seed", big.NewInt(1<<32 - 1), map[int]uint32{0: 2728839433, 1: 2661025012, 623: 2365591444, 1999: 2640887251}},
		{"the smallest two-word seed", big.NewInt(1 << 32), map[int]uint32{0: 485306839, 1: 1508871100, 623: 1921684606, 1999: 4134838374}},
		{"a three-word seed", bigSeed(70, 1), map[int]uint32{0: 564844362, 1: 1916889153, 623: 2593210966, 1999: 4219915328}},
		{"a seed of more words than the state", bigSeed(32*700, 12345), map[int]uint32{0: 3687411726, 1: 559672658, 623: 1512436941, 1999: 1042325101}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			generator := newMersenne(test.seed)
			for i := range 2000 {
				if i%mtWords == 0 {
					generator.refill()
				}
				if want, ok := test.want[i]; ok && generator.words[i%mtWords] != want {
					t.Errorf("word %d is %d, want %d", i, generator.words[i%mtWords], want)
				}
			}
		})
	}
}

// bigSeed gives 2^power + plus.
func bigSeed(power uint, plus int64) *big.Int {
	seed := new(big.Int).Lsh(big.NewInt(1), power)
	return seed.Add(seed, big.NewInt(plus))
}
