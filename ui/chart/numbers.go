// How figures are written for people.
package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Signed writes a difference: "+0.300", "-0.100", "+0.000".
func Signed(v float64) string {
	switch {
	case math.IsNaN(v):
		return "unknown"
	case math.Abs(v) < 0.0005:
		v = 0
	}
	return fmt.Sprintf("%+.3f", v)
}

// Interval writes an interval of a difference: "[+0.150, +0.450]".
func Interval(lower, upper float64) string {
	return "[" + Signed(lower) + ", " + Signed(upper) + "]"
}

// P writes a p-value's number: "0.0018", "0.125", "1", "0.00014", "3.1e-09".
// It is never rounded to nothing.
func P(p float64) string {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1:
		return "unknown"
	case p == 0:
		return "0"
	case p >= 0.001:
		rounded := math.Round(p*1e4) / 1e4 // halves up: an exact p is often a half
		return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(rounded, 'f', 4, 64), "0"), ".")
	case p >= 1e-6:
		s := strconv.FormatFloat(p, 'e', 1, 64)
		exponent, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
		return strconv.FormatFloat(p, 'f', 1-exponent, 64)
	}
	return strconv.FormatFloat(p, 'e', 1, 64)
}

// Percent writes a share: "57.5 %".
func Percent(v float64) string {
	if !finite(v) {
		return "unknown"
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}
