// This file lower-cases as Python does, whose rule for a final sigma looks past
// any number of marks.

package pytext

import (
	"strings"
	"unicode"
)

// Lower gives str.lower() of s: the full mappings of Unicode, in which `İ`
// becomes two code points and a sigma at the end of a word its final form.
func Lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	runes := []rune(s)
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && isFinal(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// isFinal tells whether the letter at i ends a word (Final_Sigma in section
// 3.13 of the Unicode standard): a cased letter stands before it and none
// after it, ignorable characters left out. The ignorable ones are taken first,
// as Python does; U+0345 is of both kinds.
func isFinal(runes []rune, i int) bool {
	before := i - 1
	for before >= 0 && caseIgnorable(runes[before]) {
		before--
	}
	if before < 0 || !cased(runes[before]) {
		return false
	}
	after := i + 1
	for after < len(runes) && caseIgnorable(runes[after]) {
		after++
	}
	return after == len(runes) || !cased(runes[after])
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', '·', '\u0387', '\u055f', '\u05f4', '\u2018', '\u2019', '\u2024', '\u2027',
		'\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a': // what joins the letters of a word
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}
