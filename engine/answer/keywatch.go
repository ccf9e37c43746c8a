// This file finds the API key in a text, whole or in part and in other writings,
// since a provider may send it back in an answer, and an answer is stored.

package answer

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What counts as a part of the key. Texts and writings are compared by their
// ASCII letters and digits alone, in lower case; everything else that is no
// letter or digit is passed over.
const (
	partMixed   = 12 // characters in a row that cannot be chance or common words
	partPlain   = 20 // characters in a row that may be common words, or count up
	partKinds   = 6  // different characters that either must have
	partTurns   = 2  // changes between kinds of characters that make a row mixed
	partBase64  = 14 // digits of base64 in a row: about ten bytes
	partHex     = 20 // digits of hexadecimal: ten bytes
	partDecimal = 22 // digits of byte values in decimal or octal: eight bytes and more
	partBase32  = 16 // digits of base32: ten bytes
	partWide    = 32 // digits of base64 of UTF-16: twelve characters
	partWideHex = 44 // digits of hexadecimal of UTF-16: eleven characters
	wholeMixed  = 8  // characters of a key too short for parts that is looked for whole
	wholePlain  = 12 // the same, where it is made of common words or counts up
	wholeOdd    = 6  // different characters that are no letter or digit, with which any key is looked for whole
)

// A keyWatch finds one key. It is read-only once made.
type keyWatch struct {
	writings []string            // of letters, digits and nothing else
	starts   map[uint64][]part   // by the first partMixed characters of a part
	sieve    [1 << 10]uint64     // a bit for each of starts; most other rows miss it
	whole    []string            // writings of a short key, looked for as they are
	alone    map[string]struct{} // of these, those that must stand alone
}

// A part is where in a writing a telling row of characters is.
type part struct{ writing, at, need int }

// newKeyWatch gives nil for a key that nothing could be told by: none at all, a
// short one, or a few plain words such as `sk-local`.
func newKeyWatch(key string) *keyWatch {
	w := &keyWatch{starts: map[uint64][]part{}, alone: map[string]struct{}{}}
	plain, turns := folded(key)
	if kinds(plain) < partKinds {
		return w.watchWhole(key, 0, false)
	}
	if !w.add(plain, func(at int) int { return telling(plain, turns, at) }) {
		return w.watchWhole(key, len(plain), slices.Contains(turns, true))
	}
	back := reversed(plain)
	turnsBack := make([]bool, len(turns))
	for i := 1; i < len(turns); i++ {
		turnsBack[len(turns)-i] = turns[i]
	}
	w.add(back, func(at int) int { return telling(back, turnsBack, at) })
	fixed := func(n int) func(int) int { return func(int) int { return n } }
	for _, form := range forms(key) {
		w.addBase64(form, fixed(partBase64))
		w.add(hex.EncodeToString([]byte(form)), fixed(partHex))
	}
	w.add(reversed(hex.EncodeToString([]byte(key))), fixed(partHex))
	for shift := range 3 {
		w.add(reversed(base64At(key, shift)), fixed(partBase64))
	}
	for shift := range 5 {
		w.add(base32At(key, shift), fixed(partBase32))
	}
	// Both orders of bytes are in it, one byte apart.
	wide := string(zeroed(key))
	w.addBase64(wide, fixed(partWide))
	w.add(hex.EncodeToString([]byte(wide)), fixed(partWideHex))
	escaped, turns := folded(url.QueryEscape(key))
	if escaped != plain {
		w.add(escaped, func(at int) int { return telling(escaped, turns, at) })
	}
	var decimal, octal, octal3, zeroO, slashX, zeroX, slashU strings.Builder
	for _, b := range []byte(key) {
		fmt.Fprintf(&decimal, "%d", b)
		fmt.Fprintf(&octal, "%o", b)
		fmt.Fprintf(&octal3, "%03o", b)
		fmt.Fprintf(&zeroO, "0o%o", b)
		fmt.Fprintf(&slashX, "x%02x", b)
		fmt.Fprintf(&zeroX, "0x%02x", b)
		fmt.Fprintf(&slashU, "u%04x", b)
	}
	w.add(decimal.String(), fixed(partDecimal))
	w.add(octal.String(), fixed(partDecimal))
	w.add(octal3.String(), fixed(partDecimal))
	w.add(zeroO.String(), fixed(partDecimal/2*3))
	w.add(slashX.String(), fixed(partHex/2*3))
	w.add(zeroX.String(), fixed(partHex/2*4))
	w.add(slashU.String(), fixed(partHex/2*5))
	return w
}

// forms are the key as it is and as a text may turn it before writing it in
// digits.
func forms(key string) []string {
	list := []string{key, reversed(key), strings.ToUpper(key), strings.ToLower(key)}
	slices.Sort(list)
	return slices.Compact(list)
}

// addBase64 watches for a text in base64, wherever in a longer one it begins.
func (w *keyWatch) addBase64(text string, need func(at int) int) {
	for shift := range 3 {
		w.add(base64At(text, shift), need)
	}
}

// base64At gives the digits of a text in base64 that do not depend on what
// stands around it, where so many bytes stand before it: the first and the last
// hold bits of those.
func base64At(text string, shift int) string {
	digits := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), text...))
	digits, _ = folded(digits[min(len(digits), []int{0, 2, 3}[shift]) : len(digits)-1])
	return digits
}

// base32At is base64At for base32.
func base32At(text string, shift int) string {
	digits := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append(make([]byte, shift), text...))
	digits, _ = folded(digits[min(len(digits), []int{0, 2, 4, 5, 7}[shift]) : len(digits)-1])
	return digits
}

// zeroed gives an ASCII text in UTF-16.
func zeroed(text string) []byte {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i], 0)
	}
	return b
}

// watchWhole looks for a key that has no telling part: as it is, and encoded.
func (w *keyWatch) watchWhole(key string, length int, mixed bool) *keyWatch {
	odd := kinds(strings.Map(func(r rune) rune {
		if isAlnum(byte(r)) {
			return -1
		}
		return r
	}, key))
	if odd < wholeOdd && (length < wholeMixed || !mixed && length < wholePlain) {
		return nil
	}
	w.alone[key] = struct{}{}
	w.whole = append(w.whole, key, base64.RawStdEncoding.EncodeToString([]byte(key)),
		base64.RawURLEncoding.EncodeToString([]byte(key)), hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))))
	return w
}

// add watches for a writing of the key. need gives how many characters from a
// place on tell the key, 0 for none. It tells whether there is any such place.
func (w *keyWatch) add(writing string, need func(at int) int) bool {
	found := false
	w.writings = append(w.writings, writing)
	for at := range len(writing) {
		n := need(at)
		if n < partMixed || at+n > len(writing) {
			continue
		}
		found = true
		first := uint64(0)
		for _, c := range []byte(writing[at : at+partMixed]) {
			first = first*digits + uint64(value[c])
		}
		w.starts[first] = append(w.starts[first], part{len(w.writings) - 1, at, n})
		word, bit := sieved(first)
		w.sieve[word] |= bit
	}
	return found
}

// telling gives how many characters of the key from a place on tell it.
func telling(plain string, turns []bool, at int) int {
	if at+partMixed > len(plain) {
		return 0
	}
	changes := 0
	for i := at + 1; i < len(plain); i++ {
		if turns[i] {
			changes++
		}
		n := i - at + 1
		if n >= partMixed && changes >= partTurns && kinds(plain[at:i+1]) >= partKinds {
			return n
		}
		if n == partPlain {
			break
		}
	}
	if at+partPlain > len(plain) || kinds(plain[at:at+partPlain]) < partKinds {
		return 0
	}
	return partPlain
}

// quotes tells whether a text holds the key or a telling part of it, or would
// once its escapes are undone.
func (w *keyWatch) quotes(text string) bool {
	if w == nil {
		return false
	}
	found := false
	layers(text, func(text string) bool {
		w.find(text, func(int, int) bool { found = true; return false })
		return !found
	})
	return found
}

// find tells from where to where in a text parts of the key are, until told to
// stop. What it tells may overlap.
func (w *keyWatch) find(text string, tell func(from, to int) bool) {
	if w == nil {
		return
	}
	for _, whole := range w.whole {
		_, alone := w.alone[whole]
		for from := 0; ; {
			i := strings.Index(text[from:], whole)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(whole)
			from = end
			if alone && (start > 0 && isAlnum(text[start-1]) || end < len(text) && isAlnum(text[end])) {
				continue
			}
			if !tell(start, end) {
				return
			}
		}
	}
	if len(w.starts) == 0 {
		return
	}
	var (
		last  uint64  // the last partMixed characters, as a number
		count int     // characters since something that is none
		begun [16]int // where the last characters begin
	)
	for i := 0; i < len(text); {
		v, size := valueAt(text, i)
		switch v {
		case passed:
			i += size
			continue
		case breaks:
			count, last = 0, 0
			i += size
			continue
		}
		begun[count&15] = i
		i += size
		count++
		last = last%highest*digits + uint64(v)
		if count < partMixed {
			continue
		}
		if word, bit := sieved(last); w.sieve[word]&bit == 0 {
			continue
		}
		for _, p := range w.starts[last] {
			end, ok := follows(text, i, w.writings[p.writing][p.at+partMixed:p.at+p.need])
			if ok && !tell(begun[(count-partMixed)&15], end) {
				return
			}
		}
	}
}

// follows tells whether a text goes on with these characters, and where they end.
func follows(text string, i int, want string) (end int, ok bool) {
	for n := 0; n < len(want); {
		if i >= len(text) {
			return i, false
		}
		v, size := valueAt(text, i)
		i += size
		switch v {
		case passed:
		case value[want[n]]:
			n++
		default:
			return i, false
		}
	}
	return i, true
}

// Characters as numbers: 0 to 35 for digits and letters whatever the case.
const (
	digits = 36
	passed = 0xfe // passed over: blanks, punctuation, marks, what cannot be seen
	breaks = 0xff // a letter or digit that no key has
)

// highest is what a row of partMixed characters is reduced by to drop its first.
const highest = 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36

// value gives the number of an ASCII character.
var value = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case c >= '0' && c <= '9':
			t[c] = uint8(c - '0')
		case c >= 'a' && c <= 'z':
			t[c] = uint8(c-'a') + 10
		case c >= 'A' && c <= 'Z':
			t[c] = uint8(c-'A') + 10
		default:
			t[c] = passed
		}
	}
	return t
}()

// valueAt gives the number of the character at a place and its bytes.
func valueAt(text string, i int) (v uint8, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return value[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case r >= '！' && r <= '～': // the full-width forms of ASCII
		return value[r-'！'+'!'], size
	case r >= 0x1d400 && r <= 0x1d6a3: // the bold, cursive and other letters of mathematics
		return uint8((r-0x1d400)%26) + 10, size
	case r >= 0x1d7ce && r <= 0x1d7ff: // its digits
		return uint8((r - 0x1d7ce) % 10), size
	case r >= 'Ⓐ' && r <= 'ⓩ': // in circles
		return uint8((r-'Ⓐ')%26) + 10, size
	case r >= '①' && r <= '⑨':
		return uint8(r-'①') + 1, size
	case r == '⓪':
		return 0, size
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return breaks, size
	default:
		return passed, size
	}
}

// sieved gives the bit of the sieve for a row of characters.
func sieved(row uint64) (word int, bit uint64) {
	h := row * 0x9e3779b97f4a7c15 >> 48
	return int(h >> 6), 1 << (h & 63)
}

// folded gives the letters and digits of an ASCII text in lower case, and for
// each whether the kind of character turns there: between letters and digits,
// or from a small letter to a capital. Words that are joined by a hyphen or
// begin with a capital do not turn.
func folded(s string) (text string, turns []bool) {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if !isAlnum(c) {
			continue
		}
		turn := false
		if i > 0 && isAlnum(s[i-1]) {
			from, to := s[i-1], c
			turn = isDigit(from) != isDigit(to) || isLower(from) && isUpper(to)
		}
		turns = append(turns, turn)
		if isUpper(c) {
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String(), turns
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// kinds counts the different bytes of a text.
func kinds(s string) int {
	seen := [math.MaxUint8 + 1]bool{}
	n := 0
	for _, c := range []byte(s) {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlnum(c byte) bool { return isDigit(c) || isLower(c) || isUpper(c) }
