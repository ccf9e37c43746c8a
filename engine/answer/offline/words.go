// This file cuts text into sentences, words and comparable terms for any
// script: words with a light English stem, and character pairs where a script
// writes no blanks between words.

package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	word   kind = iota
	number      // starts with a digit
	glyph       // one character of a script without blanks, or Hangul
	symbol      // an emoji or other pictograph
)

// A token is one unit of a text, by its bytes.
type token struct {
	start, end int
	lower      string
	stem       string
	kind       kind
	upper      bool // starts with an upper-case letter
}

// unspaced are scripts compared by pairs of characters. Hangul has blanks but
// glues particles to its words, which pairs see through.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func isGlyph(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unspaced...) || r == 'ー'
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) && !isGlyph(r)
}

// tokenize gives the tokens of s in order. Blanks and punctuation give none.
func tokenize(s string) []token {
	var out []token
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isGlyph(r):
			out = append(out, token{start: i, end: i + n, lower: s[i : i+n], stem: s[i : i+n], kind: glyph})
			i += n
		case unicode.IsDigit(r) || unicode.IsLetter(r):
			end := wordEnd(s, i)
			t := token{start: i, end: end, lower: strings.ToLower(s[i:end]), kind: word, upper: unicode.IsUpper(r)}
			t.lower = strings.TrimSuffix(strings.ReplaceAll(t.lower, "’", "'"), "'s")
			t.stem = stem(t.lower)
			if unicode.IsDigit(r) {
				t.kind, t.stem = number, strings.ReplaceAll(t.lower, ",", "")
			}
			out = append(out, t)
			i = end
		case unicode.Is(unicode.So, r) && r != utf8.RuneError:
			out = append(out, token{start: i, end: i + n, lower: s[i : i+n], stem: s[i : i+n], kind: symbol})
			i += n
		default:
			i += n
		}
	}
	return out
}

// wordEnd extends over letters and digits, an apostrophe between letters, and
// `.`, `,` or `:` between digits, so that don't, 1,200.50 and 7:30 are whole.
func wordEnd(s string, i int) int {
	var before rune
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isWordRune(r) {
			after, _ := utf8.DecodeRuneInString(s[i+n:])
			letters := (r == '\'' || r == '’') && unicode.IsLetter(before) && unicode.IsLetter(after)
			digits := (r == '.' || r == ',' || r == ':') && unicode.IsDigit(before) && unicode.IsDigit(after)
			if !letters && !digits {
				break
			}
		}
		before = r
		i += n
	}
	return i
}

// terms gives what two texts are compared by: stems of words that carry
// meaning, symbols, and pairs of neighbouring glyphs without function
// characters.
func terms(tokens []token) []string {
	var out []string
	for i, t := range tokens {
		if t.kind != glyph {
			if !stopWords[t.lower] {
				out = append(out, t.stem)
			}
			continue
		}
		if functionGlyphs[t.lower] {
			continue
		}
		paired := false
		if i+1 < len(tokens) && pairs(t, tokens[i+1]) {
			out = append(out, t.lower+tokens[i+1].lower)
			paired = true
		}
		if !paired && (i == 0 || !pairs(tokens[i-1], t)) {
			out = append(out, t.lower)
		}
	}
	return out
}

func pairs(a, b token) bool {
	return a.kind == glyph && b.kind == glyph && a.end == b.start &&
		!functionGlyphs[a.lower] && !functionGlyphs[b.lower]
}

// stem folds the commonest English endings and irregular verbs together. It
// needs only to be the same for the question and the fact.
func stem(w string) string {
	if base, ok := irregular[w]; ok {
		w = base
	}
	if len(w) < 4 || !isASCIILetters(w) {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	switch {
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ed") && len(w) > 4:
		w = undouble(w[:len(w)-2])
	}
	if strings.HasSuffix(w, "e") && len(w) > 3 {
		w = w[:len(w)-1]
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeiousl", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

func isASCIILetters(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

// sentences cuts at line ends and after sentence punctuation. A full stop
// ends a sentence only before a blank, and not after an initial or a title.
func sentences(s string) []string {
	var out []string
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	from := 0
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		switch r {
		case '\n', '。', '！', '？', '．', '؟', '।':
		case '.', '!', '?', '…':
			next, _ := utf8.DecodeRuneInString(s[end:])
			if end < len(s) && !unicode.IsSpace(next) {
				continue
			}
			if r == '.' && isAbbreviation(s[from:i]) {
				continue
			}
		default:
			continue
		}
		add(s[from:end])
		from = end
	}
	add(s[from:])
	return out
}

func isAbbreviation(before string) bool {
	at := strings.LastIndexFunc(before, unicode.IsSpace)
	last := strings.ToLower(before[at+1:])
	switch last {
	case "mr", "mrs", "ms", "dr", "st", "prof", "e.g", "i.e", "no", "vs":
		return true
	case "a.m", "p.m": // may end a sentence; the rest of it rarely matters
		return false
	}
	return utf8.RuneCountInString(last) == 1 && last != "i" && unicode.IsLetter([]rune(last)[0])
}
