// This file turns an answer into the tokens every rule compares.

package grading

// Tokens lower-cases text as Python's str.lower does, splits it at every run of
// characters other than 0-9 and a-z, and writes the number words one to ten and
// fifteen as digits. Invalid UTF-8 separates like any other foreign character.
func Tokens(text string) []string {
	// Of all non-ASCII characters only two have a-z in their lower case:
	// U+0130 (i, then a combining dot, which separates) and U+212A (k). Both
	// begin with a lead byte that never occurs inside another sequence, so
	// bytes can be matched without decoding runes.
	folded := make([]byte, 0, len(text))
	count := 0
	inside := false // whether the last byte of folded belongs to an open token
	put := func(c byte) {
		if !inside {
			if count > 0 {
				folded = append(folded, ' ')
			}
			count++
			inside = true
		}
		folded = append(folded, c)
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			put(c)
		case 'A' <= c && c <= 'Z':
			put(c + ('a' - 'A'))
		case c == 0xC4 && i+1 < len(text) && text[i+1] == 0xB0:
			put('i')
			inside = false
			i++
		case c == 0xE2 && i+2 < len(text) && text[i+1] == 0x84 && text[i+2] == 0xAA:
			put('k')
			i += 2
		default:
			inside = false
		}
	}
	if count == 0 {
		return nil
	}

	tokens := make([]string, 0, count)
	joined := string(folded)
	start := 0
	for i := 0; i <= len(joined); i++ {
		if i == len(joined) || joined[i] == ' ' {
			tokens = append(tokens, digits(joined[start:i]))
			start = i + 1
		}
	}
	return tokens
}

// digits gives the digits of a number word this version knows, and any other
// token unchanged.
func digits(token string) string {
	switch token {
	case "one":
		return "1"
	case "two":
		return "2"
	case "three":
		return "3"
	case "four":
		return "4"
	case "five":
		return "5"
	case "six":
		return "6"
	case "seven":
		return "7"
	case "eight":
		return "8"
	case "nine":
		return "9"
	case "ten":
		return "10"
	case "fifteen":
		return "15"
	}
	return token
}
