// This file writes floats as Python's repr does.

package pytext

import (
	"math"
	"strconv"
)

// Float writes f as Python's repr does: the shortest digits that read back as
// f, an exponent of at least two digits below 1e-4 and from 1e16 on, and `.0`
// after a whole number.
func Float(f float64) string {
	return string(AppendFloat(nil, f))
}

// AppendFloat appends what Float gives.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}
