// Tests of what is found of a key in a text, what is not taken for it, and that
// an answer which holds it is never kept.

package answer

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// keys are shaped like those of several providers.
var keys = map[string]string{
	"OpenAI":       "sk-proj-Zq81xVt0nEverShown7731aBcDeFgH",
	"Anthropic":    "sk-ant-api03-x7Kp_2-QvLm9RtY4wZbN8cJdF3sHgA5",
	"Google":       "AIzaSyD4x9Qw7LmN2pRt5Vb8Kc1JfHg3Zs6Ye0U",
	"Hugging Face": "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",
	"hexadecimal":  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
	"a UUID":       "8f14e45f-ceea-467f-a34b-2c9d7e61b0f5",
	"base64":       "q1W+zX/8kLmN3pRt5Vb9Kc2JfHg4Zs7Ye0==",
	"a web token":  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
}

func spell(key, between string) string { return strings.Join(strings.Split(key, ""), between) }

func bytesAs(key, form string) string {
	var b strings.Builder
	for _, c := range []byte(key) {
		fmt.Fprintf(&b, form, c)
	}
	return b.String()
}

// writings are what a text may make of a key and is still found.
var writings = map[string]func(key string) string{
	"as it is":                       func(k string) string { return k },
	"its first 20 characters":        func(k string) string { return k[:20] },
	"its last 20 characters":         func(k string) string { return k[len(k)-20:] },
	"without its middle":             func(k string) string { return k[:len(k)/2-2] + "..." + k[len(k)/2+2:] },
	"in capitals":                    strings.ToUpper,
	"in small letters":               strings.ToLower,
	"backwards":                      reversed,
	"with blanks":                    func(k string) string { return spell(k, " ") },
	"with line ends":                 func(k string) string { return spell(k, "\r\n") },
	"with hyphens":                   func(k string) string { return spell(k, "-") },
	"with zero-width characters":     func(k string) string { return spell(k, "\u200b\u2060\ufeff") },
	"with soft hyphens":              func(k string) string { return spell(k, "\u00ad") },
	"as a list":                      func(k string) string { return `"` + spell(k, `", "`) + `"` },
	"with marks on its letters":      func(k string) string { return spell(k, "\u0301") },
	"in full-width characters":       fullWidth,
	"within a word":                  func(k string) string { return "xyz" + k + "xyz" },
	"in base64":                      func(k string) string { return base64.StdEncoding.EncodeToString([]byte(k)) },
	"in base64 for URLs":             func(k string) string { return base64.RawURLEncoding.EncodeToString([]byte(k)) },
	"in base64 behind a user's name": func(k string) string { return basicAuth("user:", k) },
	"in base64 behind another":       func(k string) string { return basicAuth("users:", k) },
	"in base64 behind a third":       func(k string) string { return basicAuth("a:", k) },
	"in base64 before more":          func(k string) string { return basicAuth("", k+":x") },
	"in base64, broken into lines":   func(k string) string { return spell(basicAuth("", k), "\n") },
	"half of it in base64":           func(k string) string { return basicAuth("", k[:len(k)/2]) },
	"in hexadecimal":                 func(k string) string { return hex.EncodeToString([]byte(k)) },
	"in hexadecimal, capitals":       func(k string) string { return strings.ToUpper(hex.EncodeToString([]byte(k))) },
	"in hexadecimal with colons":     func(k string) string { return bytesAs(k, "%02x:") },
	"as bytes of a C string":         func(k string) string { return bytesAs(k, `\x%02x`) },
	"as a C array":                   func(k string) string { return bytesAs(k, "0x%02X, ") },
	"in octal escapes":               func(k string) string { return bytesAs(k, `\%03o`) },
	"in octal numbers":               func(k string) string { return bytesAs(k, "0o%o, ") },
	"in long escapes":                func(k string) string { return bytesAs(k, `\U%08x`) },
	"in escapes with braces":         func(k string) string { return bytesAs(k, `\u{%x}`) },
	"in escapes of escapes":          func(k string) string { return bytesAs(k, `\\u%04x`) },
	"between escapes":                func(k string) string { return spell(k, `\u200b`) },
	"quoted by Go":                   func(k string) string { return fmt.Sprintf("%+q", spell(k, "\u200b\u2060")) },
	"quoted by Go twice":             func(k string) string { return fmt.Sprintf("%+q", fmt.Sprintf("%+q", spell(k, "\u200b"))) },
	"in hexadecimal entities":        func(k string) string { return bytesAs(k, "&#x%x;") },
	"in a URL, twice":                func(k string) string { return url.QueryEscape(bytesAs(k, "%%%02X")) },
	"in a URL of old scripts":        func(k string) string { return bytesAs(k, "%%u%04X") },
	"in quoted-printable":            func(k string) string { return bytesAs(k, "=%02X") },
	"backwards in base64":            func(k string) string { return basicAuth("", reversed(k)) },
	"in capitals in base64":          func(k string) string { return basicAuth("", strings.ToUpper(k)) },
	"in small letters in base64":     func(k string) string { return basicAuth("u:", strings.ToLower(k)) },
	"in base64 read backwards":       func(k string) string { return reversed(basicAuth("", k)) },
	"backwards in hexadecimal":       func(k string) string { return hex.EncodeToString([]byte(reversed(k))) },
	"in hexadecimal read backwards":  func(k string) string { return reversed(hex.EncodeToString([]byte(k))) },
	"in base32":                      func(k string) string { return base32.StdEncoding.EncodeToString([]byte(k)) },
	"in base32 behind a user's name": func(k string) string { return base32.StdEncoding.EncodeToString([]byte("me:" + k)) },
	"in UTF-16":                      func(k string) string { return string(zeroed(k)) },
	"in hexadecimal of UTF-16":       func(k string) string { return hex.EncodeToString(zeroed(k)) },
	"in base64 of UTF-16":            func(k string) string { return base64.StdEncoding.EncodeToString(zeroed(k)) },
	"in base64 of UTF-16, swapped":   func(k string) string { return base64.StdEncoding.EncodeToString(append([]byte{0}, zeroed(k)...)) },
	"in bold letters of mathematics": func(k string) string { return strings.Map(bold, k) },
	"in letters in circles":          func(k string) string { return strings.Map(circled, k) },
	"as escapes of JSON":             func(k string) string { return bytesAs(k, `\u%04x`) },
	"as HTML entities":               func(k string) string { return bytesAs(k, "&#%d;") },
	"as numbers":                     func(k string) string { return bytesAs(k, "%d, ") },
	"in a URL":                       url.QueryEscape,
	"in a URL, every byte":           func(k string) string { return bytesAs(k, "%%%02X") },
}

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

func bold(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 0x1d400
	case r >= 'a' && r <= 'z':
		return r - 'a' + 0x1d41a
	case r >= '0' && r <= '9':
		return r - '0' + 0x1d7ce
	}
	return r
}

func circled(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'Ⓐ'
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'ⓐ'
	case r >= '1' && r <= '9':
		return r - '1' + '①'
	case r == '0':
		return '⓪'
	}
	return r
}

func basicAuth(user, key string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + key))
}

func fullWidth(s string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, s)
}

func TestAKeyIsFoundInManyWritings(t *testing.T) {
	for provider, key := range keys {
		watch := newKeyWatch(key)
		for writing, of := range writings {
			text := "The answer is Lisbon (" + of(key) + "), 小林 said."
			if !watch.quotes(text) {
				t.Errorf("the key of %s is not found %s: %q", provider, writing, text)
			}
		}
		// The limits that the documentation names.
		for writing, text := range map[string]string{
			"eight characters of it": key[:8],
			"in base64 twice":        base64.StdEncoding.EncodeToString([]byte(basicAuth("", key))),
			"with letters between":   spell(key, "q"),
			"in binary numbers":      bytesAs(key, "%08b "),
			"in another alphabet":    strings.Map(rot13, key),
		} {
			if watch.quotes(text) {
				t.Errorf("the key of %s is found %s; say so in docs/running-qa.md", provider, writing)
			}
		}
	}
}

// Every place of a random key where sixteen characters begin is found.
func TestSixteenCharactersOfARandomKeyAreEnough(t *testing.T) {
	for _, key := range []string{keys["OpenAI"][8:], keys["Google"], keys["hexadecimal"]} {
		watch := newKeyWatch(key)
		for at := 0; at+16 <= len(key); at++ {
			if part := key[at : at+16]; !watch.quotes("x " + part + " y") {
				t.Errorf("%s is not found", part)
			}
		}
	}
}

func TestWhatIsNoKeyIsLetThrough(t *testing.T) {
	for _, tt := range []struct{ key, text string }{
		{"", "anything"},
		{"x", "x"},
		{"test", "This is a test."},
		{"none", "There is none."},
		{"ollama", "She runs ollama."},
		{"sk-local", "The sk-local server"},
		{"lm-studio", "He uses lm-studio"},
		{"not-needed", "It is not needed; not-needed."},
		{"secret", "It is a secret."},
		{"no-key-required", "There was no key required at the door."},
		{"my-secret-api-key", "My secret: API keys open doors"},
		{"sk-test-2024", "In the test of 2024"},
		{"gpt4all", "They installed gpt4all."},
		{"xxxxxxxxxxxxxxxxxxxxxxxx", "The card is xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx."},
		{"000000000000000000000000", "000000000000000000000000000000"},
		{"1234567890123456", "Count: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"},
		{"sk-1234567890", "sk, 1234567890"},
		{keys["Anthropic"], "Keys begin with sk-ant-api03- there."},
		{keys["OpenAI"], "Keys begin with sk-proj- there, ever shown."},
		{keys["OpenAI"], strings.Repeat("0123456789abcdefghijklmnopqrstuvwxyz ", 2000)},
	} {
		if newKeyWatch(tt.key).quotes(tt.text) {
			t.Errorf("%q is taken for the key %q", tt.text, tt.key)
		}
	}
}

func TestAShortOrPlainKeyIsFoundWhole(t *testing.T) {
	for _, tt := range []struct{ key, text string }{
		{"hunter2x", "the password is hunter2x."},
		{"hunter2x", "Basic " + basicAuth("", "hunter2x")},
		{"hunter2x", hex.EncodeToString([]byte("hunter2x"))},
		{"no-key-required", "it is no-key-required, of course"},
		{"correct-horse-battery-staple", "correct HORSE battery staple"},
		{`sk_live_!@#$%^&*()_+{}|:"<>?`, `it is sk_live_!@#$%^&*()_+{}|:"<>?.`},
	} {
		if !newKeyWatch(tt.key).quotes(tt.text) {
			t.Errorf("the key %q is not found in %q", tt.key, tt.text)
		}
	}
}

// Wherever a reply holds the key, in whatever writing, nothing that is kept or
// told of it does.
func TestNoPartOfAReplyKeepsTheKey(t *testing.T) {
	key := keys["OpenAI"]
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	places := map[string]struct {
		status int
		body   string // %s: a JSON string that holds the key
		whole  bool   // the reply must be refused
	}{
		"the answer":            {200, `{"model":"m","choices":[{"message":{"content":%s}}]}`, true},
		"a part of the answer":  {200, `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":%s}]}}]}`, true},
		"a cut answer":          {200, `{"choices":[{"finish_reason":"length","message":{"content":%s}}]}`, true},
		"the model":             {200, `{"model":%s,"choices":[{"message":{"content":"x"}}]}`, true},
		"the name of a count":   {200, `{"choices":[{"message":{"content":"x"}}],"usage":{%s:7}}`, true},
		"a name deeper":         {200, `{"choices":[{"message":{"content":"x"}}],"usage":{"details":[{%s:7}]}}`, true},
		"a text in the usage":   {200, `{"choices":[{"message":{"content":"x"}}],"usage":{"account":%s}}`, false},
		"the finish reason":     {200, `{"choices":[{"finish_reason":%s,"message":{"content":"x"}}]}`, false},
		"the refusal":           {200, `{"choices":[{"message":{"content":"","refusal":%s}}]}`, false},
		"the reasoning":         {200, `{"choices":[{"message":{"content":"x","reasoning":%s}}]}`, false},
		"a field nobody reads":  {200, `{"system_fingerprint":%s,"choices":[{"message":{"content":"x"}}]}`, false},
		"an error with 200":     {200, `{"error":{"message":%s}}`, true},
		"a message of a status": {401, `{"error":{"message":%s}}`, true},
		"a message that passes": {503, `{"error":%s}`, true},
	}
	for place, p := range places {
		for writing, of := range writings {
			secret := of(key)
			h := reply(p.status, fmt.Sprintf(p.body, quote("it is "+secret+" there")))
			for _, name := range []string{"X-Request-Id", "Retry-After", "X-Model"} {
				h = header(name, url.QueryEscape(secret), h)
			}
			s := provider(t, func(w http.ResponseWriter, r *http.Request) { h(w, r) })
			var printed strings.Builder
			got, err := client(t, Options{BaseURL: s.URL + "/v1", APIKey: key, MaxAttempts: 2}).
				Answer(t.Context(), request(testPayload), func(a Attempt) { fmt.Fprintf(&printed, "%+v\n", a) })
			s.Close()
			fmt.Fprintf(&printed, "%+v\n%#v\n%+v\n%#v\n", got, got, err, err)
			kept, _ := json.Marshal(got)
			printed.Write(kept)
			if p.whole && err == nil {
				t.Errorf("%s, the key %s: kept as %.300v", place, writing, got)
			}
			if newKeyWatch(key).quotes(printed.String()) || strings.Contains(printed.String(), secret) {
				t.Errorf("%s, the key %s: told as %.300s", place, writing, printed.String())
			}
		}
	}
}

func BenchmarkLookingForTheKey(b *testing.B) {
	watch := newKeyWatch(keys["OpenAI"])
	for name, text := range map[string]string{
		"an answer":        "The spare key is under the third terracotta pot, next to the boathouse.",
		"the longest text": strings.Repeat("The spare key is under the third terracotta pot. ", DefaultMaxBody/49),
		"Chinese":          strings.Repeat("小林在杭州买了一把小提琴。", DefaultMaxBody/39),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if watch.quotes(text) {
					b.Fatal("found")
				}
			}
		})
	}
}

func BenchmarkMakingAWatch(b *testing.B) {
	for b.Loop() {
		newScrubber(keys["OpenAI"])
	}
}

// However a key is spread over a text, it is found; and looking never fails.
func FuzzASpreadKeyIsFound(f *testing.F) {
	f.Add("a", " ", uint8(3), "b")
	f.Add("\xff", "\u200b-", uint8(1), "小")
	f.Add(keys["OpenAI"], "é", uint8(0), "")
	watches := map[string]*keyWatch{}
	for _, key := range keys {
		watches[key] = newKeyWatch(key)
	}
	f.Fuzz(func(t *testing.T, before, between string, every uint8, after string) {
		for _, r := range between {
			if v, _ := valueAt(string(r), 0); v != passed {
				t.Skip("not passed over")
			}
		}
		for key, watch := range watches {
			var b strings.Builder
			for i := range len(key) {
				if i%(int(every%7)+1) == 0 {
					b.WriteString(between)
				}
				b.WriteByte(key[i])
			}
			if !watch.quotes(before + " " + b.String() + " " + after) {
				t.Errorf("%q is not found", b.String())
			}
			watch.find(before+after, func(from, to int) bool {
				if from < 0 || from >= to || to > len(before+after) {
					t.Errorf("from %d to %d of %d", from, to, len(before+after))
				}
				return true
			})
		}
	})
}
