// This file makes messages comparable that differ only in what changes with
// every request, such as its number.

package answer

import "strings"

// varied stands in the place of what varies.
const varied = "…"

// alike gives a message without its numbers, identifiers and times.
func alike(message string) string {
	var b strings.Builder
	for i := 0; i < len(message); {
		end := i
		for end < len(message) && (isAlnum(message[end]) || message[end] == '-' || message[end] == '_') {
			end++
		}
		switch {
		case end == i:
			b.WriteByte(message[i])
			end++
		case varies(message[i:end]):
			b.WriteString(varied)
		default:
			b.WriteString(message[i:end])
		}
		i = end
	}
	return b.String()
}

// varies tells whether a word looks like a number, an identifier or a digest.
func varies(word string) bool {
	const digest, identifier, turnsOfOne = 8, 12, 3
	if strings.ContainsAny(word, "0123456789") {
		return true
	}
	if len(word) >= digest && strings.Trim(word, "abcdefABCDEF-") == "" {
		return true
	}
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '_' }) {
		turns := 0
		for i := 1; i < len(part); i++ {
			if isUpper(part[i]) != isUpper(part[i-1]) {
				turns++
			}
		}
		if len(part) >= identifier && turns > turnsOfOne {
			return true
		}
	}
	return false
}
