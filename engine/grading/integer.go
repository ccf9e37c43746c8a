// This file compares integers of any length by their digits, so that neither a
// 64-bit limit nor a quadratic conversion can change or delay a verdict.

package grading

import (
	"cmp"
	"slices"
	"strings"
)

// integer gives a token's value in canonical decimal form ("007" is "7", "000"
// is "0"), and false for a token that is not digits only.
func integer(token string) (string, bool) {
	for i := 0; i < len(token); i++ {
		if token[i] < '0' || token[i] > '9' {
			return "", false
		}
	}
	value := strings.TrimLeft(token, "0")
	if value == "" && token != "" {
		value = "0"
	}
	return value, value != ""
}

// compareIntegers orders two canonical non-negative decimal numbers by value.
func compareIntegers(a, b string) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// integers gives the set of integer values among tokens, ascending, in
// canonical form.
func integers(tokens []string) []string {
	var values []string
	for _, token := range tokens {
		if value, ok := integer(token); ok {
			values = append(values, value)
		}
	}
	slices.SortFunc(values, compareIntegers)
	return slices.Compact(values)
}
