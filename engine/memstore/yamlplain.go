// This file reads YAML's plain scalars by version 1.1, the one of the reader
// deer-flow uses.

package memstore

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	plainInt   = regexp.MustCompile(`^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*)$`)
	plainFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?)$`)
	plainBase  = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
	plainDate  = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?$`)
)

// otherScalar is a scalar that YAML reads as a date or a number in base sixty,
// so as none of the types a fact is made of.
type otherScalar string

// plainScalar gives the value of a plain scalar: nil, bool, int64, *big.Int,
// float64, otherScalar or string.
func plainScalar(s string) any {
	if s == "" {
		return nil
	}
	switch c := s[0]; {
	case '0' <= c && c <= '9' || c == '.' || c == '-' || c == '+':
		return plainNumber(s)
	case c == '~' && len(s) == 1:
		return nil
	case len(s) <= 5:
		return plainWord(s)
	}
	return s
}

func plainWord(s string) any {
	switch s {
	case "null", "Null", "NULL":
		return nil
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false
	}
	return s
}

func plainNumber(s string) any {
	if plainDecimal(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	}
	switch strings.ToLower(s) {
	case ".inf", "+.inf":
		return math.Inf(1)
	case "-.inf":
		return math.Inf(-1)
	case ".nan":
		return math.NaN()
	}
	switch {
	case plainInt.MatchString(s):
		return plainInteger(s)
	case plainFloat.MatchString(s):
		// Out of range gives an infinity, as Python does.
		f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
		if err != nil && !math.IsInf(f, 0) {
			return s
		}
		return f
	case plainBase.MatchString(s), plainDate.MatchString(s):
		return otherScalar(s)
	}
	return s
}

// plainDecimal tells whether s is digits, a point and digits: the usual
// confidence, known without an expression.
func plainDecimal(s string) bool {
	points := 0
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
		case c == '.' && i > 0:
			points++
		default:
			return false
		}
	}
	return points == 1
}

func plainInteger(s string) any {
	digits := strings.ReplaceAll(s, "_", "")
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = digits[:1], digits[1:]
	}
	base := 10
	switch {
	case strings.HasPrefix(digits, "0b"):
		base, digits = 2, digits[2:]
	case strings.HasPrefix(digits, "0x"):
		base, digits = 16, digits[2:]
	case len(digits) > 1 && digits[0] == '0':
		base, digits = 8, digits[1:]
	}
	const longest = 400 // digits; more than any float64 has
	if len(digits) > longest {
		return otherScalar(s)
	}
	n, ok := new(big.Int).SetString(sign+digits, base)
	if !ok {
		return s
	}
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}
