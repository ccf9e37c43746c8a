// This file reads numbers out of texts the way the reference does, which hands
// them to Python's float.

package pytext

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decimalZeros are the zeros of the sets of ten decimal digits (general
// category Nd) in Unicode 14.0, the version of Python 3.11, in rising order.
// Go's own tables are of a later version and know more of them.
var decimalZeros = [...]rune{
	0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66,
	0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810,
	0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
	0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30,
	0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
	0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
	0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140,
	0x1e2f0, 0x1e950, 0x1fbf0,
}

// ParseFloat gives Python's float(s): decimal digits of any script, single
// underscores between digits, `inf`, `infinity` and `nan` in any case, white
// space around it. What is too large is an infinity, as there. ok is false
// where Python raises ValueError.
func ParseFloat(s string) (f float64, ok bool) {
	s = trimFloat(asciiNumber(s))
	digits, ok := plainNumber(s)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil && !isRangeError(err) {
		return 0, false
	}
	return f, true
}

// isRangeError tells a number outside float64, for which strconv gives the
// infinity that Python gives.
func isRangeError(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// asciiNumber replaces the decimal digits of all scripts by ASCII ones and
// Unicode's spaces by blanks. Where another character stands the text is cut
// with a `?`, which no number holds.
func asciiNumber(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x7f:
			b.WriteByte(byte(r))
		case IsSpace(r):
			b.WriteByte(' ')
		default:
			d := decimalDigit(r)
			if d < 0 {
				b.WriteByte('?')
				return b.String()
			}
			b.WriteByte(byte('0' + d))
		}
	}
	return b.String()
}

// decimalDigit gives the value of a decimal digit, -1 for other characters.
func decimalDigit(r rune) int {
	if r == utf8.RuneError {
		return -1
	}
	i, found := slices.BinarySearch(decimalZeros[:], r)
	if found {
		return 0
	}
	if i == 0 || r-decimalZeros[i-1] > 9 {
		return -1
	}
	return int(r - decimalZeros[i-1])
}

// trimFloat drops ASCII's white space, which is less than Strip drops.
func trimFloat(s string) string { return strings.Trim(s, " \t\n\v\f\r") }

// plainNumber checks that s is a number in Python's grammar and gives it
// without underscores.
func plainNumber(s string) (string, bool) {
	if strings.IndexByte(s, '_') >= 0 {
		for i := range len(s) {
			if s[i] == '_' && (i == 0 || i == len(s)-1 || !isDigit(s[i-1]) || !isDigit(s[i+1])) {
				return "", false
			}
		}
		s = strings.ReplaceAll(s, "_", "")
	}
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if rest := s[i:]; strings.EqualFold(rest, "inf") || strings.EqualFold(rest, "infinity") || strings.EqualFold(rest, "nan") {
		if rest[0]|0x20 == 'n' {
			return rest, true // strconv knows no signed nan
		}
		return s, true
	}
	skip := func() int {
		start := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		return i - start
	}
	mantissa := skip()
	if i < len(s) && s[i] == '.' {
		i++
		mantissa += skip()
	}
	if mantissa == 0 {
		return "", false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if skip() == 0 {
			return "", false
		}
	}
	return s, i == len(s)
}
