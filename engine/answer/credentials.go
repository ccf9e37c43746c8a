// This file cuts what looks like a credential out of a text, whatever key is
// configured: a provider may name another one, or this one with its middle
// starred out. The words around it stay, since they say what is wrong.

package answer

import (
	"regexp"
	"strings"
)

// A shape is a credential with what stands before it, and tells which of its
// values are too plain to be one.
type shape struct {
	pattern *regexp.Regexp // groups: what stays, what goes
	spared  func(value string) bool
}

var shapes = []shape{
	// https://user:password@host, and the same without its beginning.
	{regexp.MustCompile(`()([^\s"'/@]*:[^\s"'/@]*)@`), never},
	{regexp.MustCompile(`(//)([^\s"'/@]+)@`), never},
	{regexp.MustCompile(`(?i)(\b(?:authorization|x-api-key|api[-_ ]?key|access[-_ ]?token)["']?\s*(?:=\s*|:\s*["']))([^\s"',;]+)`), isScheme},
	{regexp.MustCompile(`(?i)(\b(?:authorization|x-api-key|api[-_ ]?key|access[-_ ]?token)["']?(?:\s+\w+)?\s*:\s*)([^\s"',;]+)`), isWord},
	{regexp.MustCompile(`(?i)(\b(?:bearer|basic)[\s:=]+["']?)([^\s"',;]+)`), isWord},
	{regexp.MustCompile(`(?i)()\b((?:sk|pk|rk|gsk|xai|ghp)[-_][A-Za-z0-9_.*…-]{6,})`), never},
	{regexp.MustCompile(`(?i)()\b((?:key|hf)[-_][A-Za-z0-9_.*…-]{6,})`), isWord},
	{regexp.MustCompile(`()([^\s"':=,;]*\*{3,}[^\s"',;]*)`), never},
	{regexp.MustCompile(`()(eyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9_.-]*)`), never},
}

// longWord is how long a word of letters may be that is taken for one.
const longWord = 20

// withoutCredentials puts removed in the place of what looks like a credential.
func withoutCredentials(s string) string {
	for _, shape := range shapes {
		if !shape.pattern.MatchString(s) {
			continue
		}
		var b strings.Builder
		from := 0
		for _, m := range shape.pattern.FindAllStringSubmatchIndex(s, -1) {
			if value := s[m[4]:m[5]]; strings.HasPrefix(value, removed) || shape.spared(value) {
				continue
			}
			b.WriteString(s[from:m[4]])
			b.WriteString(removed)
			from = m[5]
		}
		b.WriteString(s[from:])
		s = b.String()
	}
	return s
}

func never(string) bool { return false }

// isWord tells whether a value is an ordinary word, or several with hyphens
// between them: letters in one case behind the first one, of a common length.
func isWord(value string) bool {
	value = strings.TrimRight(value, ".:!?)`")
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '-' || r == '_' }) {
		for i := range len(part) {
			if !isLower(part[i]) && !isUpper(part[i]) || i > 1 && isUpper(part[i]) != isUpper(part[1]) {
				return false
			}
		}
		if len(part) > longWord || len(part) > 1 && isUpper(part[1]) && !isUpper(part[0]) {
			return false
		}
	}
	return true
}

// isScheme tells whether a value only says what kind of credential follows.
func isScheme(value string) bool {
	return strings.EqualFold(value, "bearer") || strings.EqualFold(value, "basic")
}
