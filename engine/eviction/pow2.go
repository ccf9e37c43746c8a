// This file raises 2 to a power with the very bits the reference gets.
//
// The reference computes a decay as Python's `2 ** x`, which is the C library's
// pow(2, x). Its vectors were made with the pow of glibc on x86-64 with fused
// multiply-add, and math.Pow and math.Exp2 differ from it in the last bit for
// some arguments. The algorithm is that of Szabolcs Nagy's pow in Arm's
// optimized-routines, which glibc uses since 2.28: ln(2)·x is taken in two
// doubles, split into k/128·ln(2) and a small rest, and the result is
// 2^(k/128) from a table times a polynomial of degree 5 in the rest.

package eviction

import "math"

const (
	// ln(2) in two doubles: what the logarithm half of pow gives for 2.
	ln2Head = 0x1.62e42fefa39efp-1
	ln2Tail = 0x1.abc9e3b398000p-56

	exp2Steps = 128 // table steps from one power of two to the next

	stepsPerLn2   = 0x1.71547652b82fep0 * exp2Steps // 128/ln(2)
	minusStepHead = -0x1.62e42fefa0000p-8           // -ln(2)/128, leading bits
	minusStepTail = -0x1.cf79abc9e3b3ap-47          // and the rest of it
	roundingShift = 0x1.8p52                        // adding it rounds to an integer

	// exp(r) - 1 - r on |r| <= ln(2)/256, from r² on.
	expC2 = 0x1.ffffffffffdbdp-2
	expC3 = 0x1.555555555543cp-3
	expC4 = 0x1.55555cf172b91p-5
	expC5 = 0x1.1111167a4d017p-7
)

// pow2 gives 2^x as glibc's pow(2, x) does. math.FMA is exact where the
// hardware has no such instruction, too.
func pow2(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1075: // at -1075 itself the result rounds to 0 below
		return 0
	case math.Abs(x) < 0x1p-65:
		return 1
	}
	head := float64(x * ln2Head)
	tail := math.FMA(x, ln2Tail, math.FMA(x, ln2Head, -head))
	if math.Abs(head) < 0x1p-54 {
		return 1 + head
	}

	shifted := math.FMA(stepsPerLn2, head, roundingShift)
	steps := math.Float64bits(shifted) // its low bits are the number of steps
	count := shifted - roundingShift
	r := math.FMA(count, minusStepHead, head)
	r = math.FMA(count, minusStepTail, r) + tail

	entry := &exp2Table[steps%exp2Steps]
	r2 := float64(r * r)
	p := math.FMA(r2, math.FMA(r, expC3, expC2), entry.tail+r)
	p = math.FMA(float64(r2*r2), math.FMA(r, expC5, expC4), p)

	bits := entry.bits + steps<<(52-7)
	if math.Abs(head) >= 512 {
		return scaleFar(p, bits, steps)
	}
	scale := math.Float64frombits(bits)
	return math.FMA(scale, p, scale)
}

// scaleFar gives scale·(1+p) where the scale's exponent, or that of the
// result, may leave the range of doubles.
func scaleFar(p float64, bits, steps uint64) float64 {
	if steps&0x80000000 == 0 { // a large result
		scale := math.Float64frombits(bits - 1009<<52)
		return 0x1p1009 * math.FMA(scale, p, scale)
	}
	scale := math.Float64frombits(bits + 1022<<52)
	change := float64(scale * p) // used twice, hence not fused
	y := scale + change
	if y < 1 {
		// The result is subnormal: round once, at the place where its last
		// bit will be, so that the scaling below rounds nothing.
		low := scale - y + change
		high := 1 + y
		low = 1 - high + y + low
		y = (high + low) - 1
	}
	return 0x1p-1022 * y
}
