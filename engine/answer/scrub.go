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

// credentials are shapes that are cut whatever the configured key is: a
// provider may name another one, or this one with its middle starred out.
var credentials = regexp.MustCompile(strings.Join([]string{
	`(?i)\b(?:bearer|basic)[\s:=]+[^\s"',;]+`,
	`(?i)\b(?:sk|pk|rk|key|gsk|xai|hf|ghp)[-_][A-Za-z0-9_.*-]{6,}`,
	`(?i)\b(?:authorization|x-api-key|api[-_ ]?key|access[-_ ]?token)["']?(?:\s+provided)?\s*[:=]\s*["']?[^\s"',;]+`,
	`[^\s"']*\*{3,}[^\s"']*`,
	`eyJ[A-Za-z0-9_-]{8,}[A-Za-z0-9_.-]*`,
}, "|"))

// A scrubber knows the key of a client.
type scrubber struct{ key string }

func newScrubber(key string) *scrubber { return &scrubber{key: key} }

// forRequest gives a cleaner that also knows what was asked. Nothing is
// computed before a text has to be cleaned, since most calls succeed.
func (s *scrubber) forRequest(payload []byte) *cleaner {
	return &cleaner{key: s.key, payload: payload}
}

type cleaner struct {
	key     string
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
	s = credentials.ReplaceAllString(s, removed)
	s = shorten(s, maxMessage)
	// Shortening and replacing only take away, so this holds unless the key is
	// too short to be cut out sensibly, or is part of the mark itself.
	if c.key != "" && strings.Contains(s, c.key) {
		return "its message is not shown because it repeats the key"
	}
	return s
}

// plainWord is a text too simple to hold a passage of the request.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:-]{0,40}$`)

// word is text for what is nearly always a plain word, at a fraction of its
// price: a plain word is only looked through for the key and for credentials.
func (c *cleaner) word(s string) string {
	if !plainWord.MatchString(s) {
		return c.text(s)
	}
	s = credentials.ReplaceAllString(c.withoutKey(s), removed)
	if c.key != "" && strings.Contains(s, c.key) {
		return removed
	}
	return s
}

// quotesKey tells whether a text holds the key, as it is or in base64.
func (c *cleaner) quotesKey(s string) bool {
	if len(c.key) < keyWindow {
		return false
	}
	for _, text := range []string{c.key, base64.StdEncoding.EncodeToString([]byte(c.key))} {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}

// withoutKey cuts every run that shares keyWindow bytes with the key, or
// encodedWindow bytes with the key in base64 (wherever in a longer text it
// begins) or in hexadecimal.
func (c *cleaner) withoutKey(s string) string {
	if len(c.key) < keyWindow {
		return s
	}
	s = withoutWindows(s, keyWindow, c.key)
	writings := []string{hex.EncodeToString([]byte(c.key))}
	for shift := range 3 {
		padded := append(make([]byte, shift), c.key...)
		text := base64.RawStdEncoding.EncodeToString(padded)
		// The first and the last digit hold bits of what stands around the key.
		if len(text) > 4+encodedWindow {
			writings = append(writings, text[4*min(shift, 1):len(text)-2])
		}
	}
	return withoutWindows(s, encodedWindow, writings...)
}

// withoutWindows cuts every run that shares so many bytes with one of the
// secrets, whatever the case.
func withoutWindows(s string, window int, secrets ...string) string {
	known := map[string]bool{}
	for _, secret := range secrets {
		for i := 0; i+window <= len(secret); i++ {
			known[strings.ToLower(secret[i:i+window])] = true
		}
	}
	hit := make([]bool, len(s))
	found := false
	for i := 0; i+window <= len(s); i++ {
		if known[strings.ToLower(s[i:i+window])] {
			found = true
			for j := i; j < i+window; j++ {
				hit[j] = true
			}
		}
	}
	if !found {
		return s
	}
	return cut(s, hit)
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
