// This file draws the same random numbers as Python's random.Random, because
// the published intervals depend on every one of them.

package stats

import "math/big"

// The Mersenne Twister's dimensions (Matsumoto and Nishimura 1998).
const (
	mtWords  = 624
	mtMiddle = 397
	mtMatrix = 0x9908b0df
	mtUpper  = 0x80000000
	mtLower  = 0x7fffffff
)

// mersenne is an MT19937 generator that makes its words a block at a time.
// words holds a block of tempered output; callers read it and call refill.
type mersenne struct {
	state [mtWords]uint32
	words [mtWords]uint32
}

// newMersenne seeds as Python does from an integer: init_by_array over the
// 32-bit words of its absolute value, least significant first, at least one.
// The first block is not made yet.
func newMersenne(seed *big.Int) *mersenne {
	key := seedWords(seed)
	m := new(mersenne)
	mt := &m.state
	mt[0] = 19650218
	for i := 1; i < mtWords; i++ {
		mt[i] = 1812433253*(mt[i-1]^mt[i-1]>>30) + uint32(i)
	}
	i, j := 1, 0
	for range max(mtWords, len(key)) {
		mt[i] = (mt[i] ^ (mt[i-1]^mt[i-1]>>30)*1664525) + key[j] + uint32(j)
		if i++; i == mtWords {
			mt[0] = mt[mtWords-1]
			i = 1
		}
		if j++; j == len(key) {
			j = 0
		}
	}
	for range mtWords - 1 {
		mt[i] = (mt[i] ^ (mt[i-1]^mt[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == mtWords {
			mt[0] = mt[mtWords-1]
			i = 1
		}
	}
	mt[0] = mtUpper
	return m
}

// seedWords gives the 32-bit words of |seed|, least significant first.
func seedWords(seed *big.Int) []uint32 {
	bytes := seed.Bytes() // big-endian, of the absolute value
	words := make([]uint32, max(1, (len(bytes)+3)/4))
	for i, b := range bytes {
		fromEnd := len(bytes) - 1 - i
		words[fromEnd/4] |= uint32(b) << (8 * (fromEnd % 4))
	}
	return words
}

// refill makes the next block of words.
func (m *mersenne) refill() {
	mt := &m.state
	for i := 0; i < mtWords-mtMiddle; i++ {
		mt[i] = mt[i+mtMiddle] ^ twist(mt[i], mt[i+1])
	}
	for i := mtWords - mtMiddle; i < mtWords-1; i++ {
		mt[i] = mt[i+mtMiddle-mtWords] ^ twist(mt[i], mt[i+1])
	}
	mt[mtWords-1] = mt[mtMiddle-1] ^ twist(mt[mtWords-1], mt[0])
	for i, y := range mt {
		y ^= y >> 11
		y ^= y << 7 & 0x9d2c5680
		y ^= y << 15 & 0xefc60000
		m.words[i] = y ^ y>>18
	}
}

// twist mixes the top bit of one word with the rest of the next. The mask in
// place of a branch matters: the branch would be taken at random.
func twist(high, low uint32) uint32 {
	y := high&mtUpper | low&mtLower
	return y>>1 ^ -(y&1)&mtMatrix
}
