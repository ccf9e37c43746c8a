// This file makes text from providers and connections fit to be shown: one
// short line without the key, anything shaped like a credential, control
// characters, or passages of the request that a provider repeats.

package answer

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxMessage    = 300     // code points shown of a provider's message
	maxScan       = 1 << 14 // bytes of it looked at
	requestWindow = 12      // UTF-8 bytes of letters and digits in common that count as an echo
	requestWords  = 4       // words in common that do, where the letters are ASCII
	requestLong   = 30      // letters of fewer words that do
	encodedWindow = 10      // bytes of the key in another writing in common that count as a leak
	keyWindow     = 6       // bytes of the key in common that count as a leak
	removed       = "[removed]"
)

// A scrubber knows the key of a client, and is read-only once made.
type scrubber struct {
	key     string
	watch   *keyWatch
	parts   windows // of the key
	encoded windows // of the key in other writings
}

func newScrubber(key string) *scrubber {
	s := &scrubber{key: key, watch: newKeyWatch(key)}
	if len(key) < keyWindow {
		return s
	}
	s.parts = windows{size: keyWindow}
	for i := 0; i+keyWindow <= len(key); i++ {
		// A part that may be an ordinary word says nothing: it is only cut
		// where more of the key stands beside it.
		if part := key[i : i+keyWindow]; s.watch != nil && !isWord(part) {
			s.parts.add(part)
		}
	}
	s.encoded = windows{size: encodedWindow}
	s.encoded.addAll(hex.EncodeToString([]byte(key)))
	for shift := range 3 {
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), key...))
		// The first and the last digit hold bits of what stands around the key.
		if len(text) > 4+encodedWindow {
			s.encoded.addAll(text[4*min(shift, 1) : len(text)-2])
		}
	}
	return s
}

// forRequest gives a cleaner that also knows what was asked. Nothing is
// computed before a text has to be cleaned, since most calls succeed.
func (s *scrubber) forRequest(payload []byte) *cleaner {
	return &cleaner{scrubber: s, payload: payload}
}

type cleaner struct {
	*scrubber
	payload []byte
}

// text is s in at most maxMessage code points on one line with secrets
// replaced by "[removed]". A message that cannot be cleaned is dropped.
func (c *cleaner) text(s string) string {
	if len(s) > maxScan {
		s = s[:maxScan]
	}
	s = oneLine(s)
	s = c.withoutRequest(s)
	s = c.withoutKey(s)
	s = withoutCredentials(s)
	s = shorten(s, maxMessage)
	// Shortening and replacing only take away, so this holds unless the key is
	// part of the mark itself, or its parts were drawn together.
	if c.holdsKey(s) {
		return "its message is not shown because it repeats the key"
	}
	return s
}

// holdsKey tells whether a cleaned text still holds the key.
func (c *cleaner) holdsKey(s string) bool {
	return len(c.key) >= keyWindow && strings.Contains(s, c.key) || c.watch.quotes(s)
}

// plainWord is a text too simple to hold a passage of the request.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:-]{0,40}$`)

// word is text for what is nearly always a plain word, at a fraction of its
// price: a plain word is only looked through for the key and for credentials.
func (c *cleaner) word(s string) string {
	if !plainWord.MatchString(s) {
		return c.text(s)
	}
	s = withoutCredentials(c.withoutKey(s))
	if c.holdsKey(s) {
		return removed
	}
	return s
}

// quotesKey tells whether a text that would be stored as it is holds the key or
// a part of it; see keyWatch for what is found.
func (c *cleaner) quotesKey(s string) bool { return c.watch.quotes(s) }

// withoutKey cuts every run that shares keyWindow bytes with the key, or
// encodedWindow bytes with the key in base64 (wherever in a longer text it
// begins) or in hexadecimal, and every part that the watch finds. A short key
// is cut where it stands alone.
func (c *cleaner) withoutKey(s string) string {
	hit := make([]bool, len(s))
	found := c.parts.mark(s, hit)
	found = c.encoded.mark(s, hit) || found
	mark := func(from, to int) bool {
		found = true
		for i := from; i < to; i++ {
			hit[i] = true
		}
		return true
	}
	c.watch.find(s, mark)
	for from := 0; c.key != ""; {
		i := strings.Index(s[from:], c.key)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(c.key)
		from = end
		if len(c.key) >= keyWindow || !(start > 0 && isAlnum(s[start-1]) || end < len(s) && isAlnum(s[end])) {
			mark(start, end)
		}
	}
	if !found {
		return s
	}
	return cut(s, hit)
}

// windows are rows of so many bytes, in lower case.
type windows struct {
	size  int
	known map[string]bool
}

func (w *windows) add(row string) {
	if w.known == nil {
		w.known = map[string]bool{}
	}
	w.known[strings.ToLower(row)] = true
}

func (w *windows) addAll(text string) {
	for i := 0; i+w.size <= len(text); i++ {
		w.add(text[i : i+w.size])
	}
}

// mark marks every row of a text that is known, whatever the case.
func (w windows) mark(s string, hit []bool) (found bool) {
	if len(w.known) == 0 {
		return false
	}
	for i := 0; i+w.size <= len(s); i++ {
		if w.known[strings.ToLower(s[i:i+w.size])] {
			found = true
			for j := i; j < i+w.size; j++ {
				hit[j] = true
			}
		}
	}
	return found
}

// withoutRequest cuts every passage whose letters and digits also occur, in the
// same order, in the request; a word or three are no passage; punctuation, case and escapes are ignored. The
// model's name is let through: "model X does not exist" has to be read.
func (c *cleaner) withoutRequest(s string) string {
	var top struct {
		Model string `json:"model"`
	}
	_ = json.Unmarshal(c.payload, &top)
	known := map[string]bool{}
	for _, source := range requestTexts(c.payload, top.Model) {
		letters, _ := lettersOf(source)
		for i := 0; i+requestWindow <= len(letters); i++ {
			known[letters[i:i+requestWindow]] = true
		}
	}
	model, _ := lettersOf(top.Model)
	for i := 0; i+requestWindow <= len(model); i++ {
		delete(known, model[i:i+requestWindow])
	}
	letters, at := lettersOf(s)
	hit := make([]bool, len(s))
	found := false
	for i := 0; i+requestWindow <= len(letters); i++ {
		if known[letters[i:i+requestWindow]] {
			found = true
			for j := at[i]; j <= at[i+requestWindow-1]; j++ {
				hit[j] = true
			}
		}
	}
	if !found {
		return s
	}
	spareWords(s, hit)
	return cut(s, hit)
}

// spareWords lets through what request and message share by the nature of
// language: a word or three. A run in letters beyond ASCII is not spared, since
// words cannot be counted there.
func spareWords(s string, hit []bool) {
	for i := 0; i < len(s); {
		if !hit[i] {
			i++
			continue
		}
		end := i
		for end < len(s) && hit[end] {
			end++
		}
		letters, _ := lettersOf(s[i:end])
		words := len(strings.FieldsFunc(s[i:end], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		if len(letters) < requestLong && words < requestWords && isASCII(letters) {
			clear(hit[i:end])
		}
		i = end
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// requestTexts are the request as sent, without its model, and its messages
// as read.
func requestTexts(payload []byte, model string) []string {
	texts := []string{string(payload)}
	if model != "" {
		texts[0] = strings.ReplaceAll(texts[0], `"`+model+`"`, `""`)
	}
	var top struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	if json.Unmarshal(payload, &top) == nil {
		for _, m := range top.Messages {
			texts = append(texts, m.Content)
		}
	}
	return texts
}

// lettersOf gives s's letters and digits, lower-cased, and for each byte of
// them the byte of s where its character starts.
func lettersOf(s string) (letters string, at []int) {
	var b strings.Builder
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			continue
		}
		n := b.Len()
		b.WriteRune(unicode.ToLower(r))
		for range b.Len() - n {
			at = append(at, i)
		}
	}
	return b.String(), at
}

// cut replaces the marked runs of s, widened to whole characters.
func cut(s string, hit []bool) string {
	var b strings.Builder
	in := false
	for i, r := range s {
		n := utf8.RuneLen(r)
		marked := false
		for j := i; j < min(i+max(n, 1), len(s)); j++ {
			marked = marked || hit[j]
		}
		switch {
		case !marked:
			b.WriteRune(r)
		case !in:
			b.WriteString(removed)
		}
		in = marked
	}
	return b.String()
}

// oneLine turns runs of blanks and line ends into one blank and drops what a
// terminal could take for a command or for a change of direction.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.C, r): // control, format (bidi), surrogate, private use
			return -1
		default:
			return r
		}
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

func shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
