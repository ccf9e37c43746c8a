// This file undoes the escapes of a text, since a key that is written as
// escapes is still the key, and Go's own errors quote what a server sent.

package answer

import (
	"html"
	"strings"
	"unicode/utf8"
)

// maxLayers is how often escapes are undone of what undoing brought to light.
const maxLayers = 4

// layers tells a text, and what it is with its escapes undone once, twice and
// so on, until told to stop.
func layers(text string, tell func(text string) (more bool)) {
	for range maxLayers {
		if !tell(text) {
			return
		}
		bare := withoutBackslashes(text)
		if strings.Contains(bare, "&") {
			bare = html.UnescapeString(bare)
		}
		bare = withoutPercents(bare)
		if bare == text {
			return
		}
		text = bare
	}
	tell(text)
}

// withoutBackslashes undoes the escapes of strings in C, Go, JSON and their
// kin: \n, \", \163, \x73, \u0073, \u{73}, \U00000073. An escape of a blank or
// a control becomes a blank. What is no escape stays.
func withoutBackslashes(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			i++
			continue
		}
		rest, kind := text[i+2:], text[i+1]
		n, size, isByte := uint32(0), 0, false
		switch {
		case kind >= '0' && kind <= '7':
			n, size = number(text[i+1:], 1, 3, 8)
			size, isByte = size-1, true
		case (kind == 'x' || kind == 'u') && strings.HasPrefix(rest, "{"):
			if n, size = number(rest[1:], 1, 6, 16); size > 0 && strings.HasPrefix(rest[1+size:], "}") {
				size += 2
			} else {
				size = 0
			}
		case kind == 'x':
			n, size = number(rest, 2, 2, 16)
			isByte = true
		case kind == 'u':
			n, size = number(rest, 4, 4, 16)
		case kind == 'U':
			n, size = number(rest, 8, 8, 16)
		case strings.IndexByte("abfnrtv", kind) >= 0:
			out = append(out, ' ')
			i += 2
			continue
		case kind < utf8.RuneSelf && !isAlnum(kind):
			out = append(out, kind)
			i += 2
			continue
		}
		if size == 0 && (kind < '0' || kind > '7') {
			out = append(out, '\\')
			i++
			continue
		}
		switch {
		case n < ' ':
			out = append(out, ' ')
		case isByte && n <= 0xff:
			out = append(out, byte(n))
		default:
			out = utf8.AppendRune(out, rune(min(n, utf8.MaxRune+1)))
		}
		i += 2 + size
	}
	return string(out)
}

// withoutPercents undoes the escapes of addresses and of mail: %73, %u0073, =73.
func withoutPercents(text string) string {
	if !strings.ContainsAny(text, "%=") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if c := text[i]; c == '%' || c == '=' {
			if n, size := number(text[i+1:], 2, 2, 16); size > 0 {
				out = append(out, byte(n))
				i += 1 + size
				continue
			}
			if strings.HasPrefix(text[i:], "%u") {
				if n, size := number(text[i+2:], 4, 4, 16); size > 0 {
					out = utf8.AppendRune(out, rune(n))
					i += 2 + size
					continue
				}
			}
		}
		out = append(out, text[i])
		i++
	}
	return string(out)
}

// number reads the digits that a text begins with, as few and as many as told,
// and gives how many there are; none where there are too few.
func number(text string, least, most int, base uint32) (n uint32, size int) {
	for size < most && size < len(text) {
		c := text[size]
		digit := uint32(value[c&0x7f])
		if c >= utf8.RuneSelf || digit >= base {
			break
		}
		n = n*base + digit
		size++
	}
	if size < least {
		return 0, 0
	}
	return n, size
}
