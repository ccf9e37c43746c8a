// Package safetext says which characters act instead of being read, and makes
// text harmless for a file that a spreadsheet may open. The screens' cleaning
// and every CSV that is written rest on the same rule.
package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Acts tells whether a character does something to a terminal or to the order of
// reading: controls, bidi marks, embeddings, overrides and isolates, interlinear
// annotation. Line breaks and tabs are among them.
func Acts(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0x061c || r == 0x200e || r == 0x200f: // bidi marks
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x206f: // bidi embedding, overrides, isolates
		return true
	}
	return r >= 0xfff9 && r <= 0xfffb // interlinear annotation
}

// Invisible tells whether a character takes no cell and nobody misses it. Joiners
// do not count: Indic and Arabic scripts need them.
func Invisible(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u2060', '\ufeff', '\u180e', '\u034f':
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff || r >= 0xfe00 && r <= 0xfe0d
}

// Plain takes out of a text what acts and what is invisible. Line breaks stay,
// of whatever kind, as line feeds; a tab or a return becomes a blank.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t' || r == '\r':
			return ' '
		case Acts(r), Invisible(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// signs begin a formula in one spreadsheet or another: those of ASCII, their
// full-width forms, their small forms.
const signs = "=+-@|%＝＋－＠｜％﹦﹢﹣﹫﹪"

// Cell makes a text of CSV plain, and begins one that a spreadsheet would compute
// with an apostrophe. What stands before the sign and is not seen, blanks, tabs
// and joiners, does not hide it.
func Cell(s string) string {
	s = Plain(s)
	seen := strings.TrimLeftFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me)
	})
	if first, size := utf8.DecodeRuneInString(seen); size > 0 && strings.ContainsRune(signs, first) {
		return "'" + s
	}
	return s
}
