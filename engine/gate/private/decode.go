// Undoing the escapes of JSON and of addresses in a text, so that what it says is
// found however it was written.

package private

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// spaces are the escapes that stand for white space. They become a space and
// not the character, so that a line stays a line.
var spaces = map[byte]bool{'n': true, 't': true, 'r': true, 'b': true, 'f': true}

// Unescaped gives text with its escapes of JSON undone; what is none stays as it
// is.
func Unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			i++
			continue
		}
		switch next := text[i+1]; {
		case spaces[next]:
			out.WriteByte(' ')
			i += 2
		case next == '"' || next == '\\' || next == '/':
			out.WriteByte(next)
			i += 2
		case next == 'u':
			r, size := escapedRune(text[i:])
			if r == '\n' || r == '\r' {
				r = ' '
			}
			out.WriteRune(r)
			i += size
		default:
			out.WriteByte('\\')
			i++
		}
	}
	return out.String()
}

// escapedRune reads \uXXXX, or two of them that make one character, and gives
// its length; a backslash alone where it is none.
func escapedRune(text string) (rune, int) {
	const one = len(`\u0000`)
	unit := func(at int) (rune, bool) {
		if len(text) < at+one || text[at] != '\\' || text[at+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(text[at+2:at+one], 16, 16)
		return rune(n), err == nil
	}
	first, ok := unit(0)
	if !ok {
		return '\\', 1
	}
	if !utf16.IsSurrogate(first) {
		return first, one
	}
	if second, ok := unit(one); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, 2 * one
		}
	}
	return utf8.RuneError, one
}

// decoded gives text with the escapes of an address undone, %2F for a slash.
func decoded(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				if n < ' ' {
					n = ' ' // a line stays a line
				}
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return strings.ToValidUTF8(string(out), string(utf8.RuneError))
}
