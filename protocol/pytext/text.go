// This file holds str.strip and str.upper, and what Python calls white space.

package pytext

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Strip gives s without leading and trailing white space, as str.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// IsSpace tells whether Python counts r as white space: Unicode's, and the
// four separators U+001C to U+001F.
func IsSpace(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || (r >= '\t' && r <= '\r') || (r >= 0x1c && r <= 0x1f)
	case r < 0x1680:
		return r == 0x85 || r == 0xa0
	}
	return r == 0x1680 || (r >= 0x2000 && r <= 0x200a) || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000
}

// Upper gives str.upper() of s, with its full mappings (`ß` becomes `SS`).
func Upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
