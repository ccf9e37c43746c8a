// Package widget holds the parts screens are built of: text that is safe to
// show, lines of an exact width, tables, bars, panes, dialogs. Everything is
// drawn as a slice of lines, each exactly as wide as asked, so that layout is
// arithmetic.
package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"deermem-tui/engine/safetext"
)

// Replacement stands for what may not reach a terminal.
const Replacement = '\uFFFD'

// Clean makes one line of any text: escape sequences, control, bidi and
// invisible characters cannot act on the terminal or on the order of what is
// read. Line breaks and tabs become spaces, the rest a visible replacement.
func Clean(s string) string {
	if printable(s) {
		return s
	}
	return strings.Join(strings.Fields(clean(s)), " ")
}

// CleanBlock is Clean for text of several lines: breaks stay, tabs become four
// spaces.
func CleanBlock(s string) string {
	if printable(s) {
		return s
	}
	return clean(s)
}

// printable tells whether s is ASCII without control characters.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// maxMarks is how many marks a letter keeps; no script writes more.
const maxMarks = 8

func clean(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	emoji := false // the last rune written was a pictograph
	marks := 0     // marks on the last letter
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			out.WriteRune(Replacement)
		case r == '\r':
			if !strings.HasPrefix(s[i:], "\n") {
				out.WriteByte('\n')
			}
		case r == '\n' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			out.WriteByte('\n')
		case r == '\t':
			out.WriteString("    ")
		case r == '\u200d' && emoji: // a joined emoji is drawn as its first part:
			i += joined(s[i:]) // terminals disagree about the width of the whole
			continue
		case skinTone(r) && emoji, r == '\ufe0f', r == '\ufe0e', r == '\u20e3':
			// Variation selectors, skin tones and keycaps change a width in some
			// terminals and not in others; without them all agree.
			continue
		case safetext.Invisible(r):
			continue
		case hostile(r):
			out.WriteRune(Replacement)
		case r >= 0x300 && (unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200c' || r == '\u200d'):
			// Marks take no cell, so a letter could carry a megabyte of them.
			if marks++; marks <= maxMarks {
				out.WriteRune(r)
			}
			continue
		default:
			out.WriteRune(r)
			marks = 0
			emoji = r >= 0x1f000 || r >= 0x2600 && r <= 0x27bf
			continue
		}
		emoji = false
	}
	return out.String()
}

// joined gives the length of the pictograph after a joiner, 0 when none follows.
func joined(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if r >= 0x1f000 || r >= 0x2190 && r <= 0x2bff {
		return size
	}
	return 0
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// hostile are characters that act instead of being shown, and those that mean
// something else in every font.
func hostile(r rune) bool {
	return safetext.Acts(r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cs, r) || r&0xfffe == 0xfffe
}
