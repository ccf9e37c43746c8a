// This file takes ln(1+x) with the very bits the reference gets.

package eviction

import "math"

// The coefficients of fdlibm's approximation of ln((1+s)/(1-s)), and ln(2) in
// two doubles.
const (
	log1pC1 = 6.666666666666735130e-01
	log1pC2 = 3.999999999940941908e-01
	log1pC3 = 2.857142874366239149e-01
	log1pC4 = 2.222219843214978396e-01
	log1pC5 = 1.818357216161805012e-01
	log1pC6 = 1.531383769920937332e-01
	log1pC7 = 1.479819860511658591e-01

	log1pLn2High = 6.93147180369123816490e-01
	log1pLn2Low  = 1.90821492927058770002e-10
)

// log1p gives ln(1+x) for x >= 0 as glibc does on x86-64 with fused
// multiply-add. The algorithm is fdlibm's (Sun Microsystems, 1993) like that of
// math.Log1p, but glibc sums the polynomial in pairs where Go and fdlibm use
// Horner's rule, and fuses, so the last bits differ. What is fused is written
// as math.FMA, every other product is rounded on its own.
func log1p(x float64) float64 {
	switch {
	case !(x > 0) || math.IsInf(x, 1):
		return x
	case x < 0x1p-54:
		return x
	case x < 0x1p-29:
		return x - float64(float64(x*x)*0.5)
	}

	// 1+x = 2^k·(1+f) with 1+f near 1, and c what 1+x lost in rounding.
	k, f, c := 0, x, 0.0
	tiny := false
	if highWord(x) >= 0x3FDA827A { // from sqrt(2)-1 on
		u := x
		if highWord(x) < 0x43400000 { // below 2^53 the 1 counts
			u = 1 + x
			if k = int(highWord(u)>>20) - 1023; k > 0 {
				c = 1 - (u - x)
			} else {
				c = x - (u - 1)
			}
			c /= u
		} else {
			k = int(highWord(u)>>20) - 1023
		}
		bits := math.Float64bits(u) & (1<<52 - 1)
		top := uint32(bits >> 32)
		if top < 0x6a09e { // below sqrt(2)
			tiny = top == 0
			f = math.Float64frombits(bits|0x3ff<<52) - 1
		} else {
			k++
			tiny = (0x00100000-top)>>2 == 0
			f = math.Float64frombits(bits|0x3fe<<52) - 1
		}
	}
	scale := float64(k)
	half := float64(float64(0.5*f) * f)
	if tiny { // |f| < 2^-20
		if f == 0 {
			return math.FMA(scale, log1pLn2High, math.FMA(scale, log1pLn2Low, c))
		}
		r := float64(half * math.FMA(-0.66666666666666666, f, 1))
		if k == 0 {
			return f - r
		}
		return math.FMA(scale, log1pLn2High, -((r - math.FMA(scale, log1pLn2Low, c)) - f))
	}
	s := f / (2 + f)
	z := float64(s * s)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z6 := float64(z4 * z2)
	r := math.FMA(z, log1pC1, float64(z2*math.FMA(z, log1pC3, log1pC2)))
	r = math.FMA(z4, math.FMA(z, log1pC5, log1pC4), r)
	r = math.FMA(z6, math.FMA(z, log1pC7, log1pC6), r)
	r = float64(s * (half + r))
	if k == 0 {
		return f - (half - r)
	}
	return math.FMA(scale, log1pLn2High, -((half - (r + math.FMA(scale, log1pLn2Low, c))) - f))
}

func highWord(x float64) uint32 { return uint32(math.Float64bits(x) >> 32) }
