// Tests that no error, report or printed value holds the key or the request.

package answer

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// leaks names what of the key or the request s still holds.
func leaks(s string) string {
	for i := 0; i+8 <= len(testKey); i++ {
		if strings.Contains(s, testKey[i:i+8]) {
			return "key bytes " + testKey[i:i+8]
		}
	}
	low := strings.ToLower(s)
	for _, secret := range []string{"boathouse", "terracotta", "杭州买", "小提琴", "stored memory", "max_tokens", "bearer sk"} {
		if strings.Contains(low, secret) {
			return secret
		}
	}
	return ""
}

func TestNothingPrintedHoldsTheKeyOrTheRequest(t *testing.T) {
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	echo := func(status int, form string) http.HandlerFunc { // %s: what was received, quoted
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, form, quote("cannot read "+string(body)+" from "+r.Header.Get("Authorization")))
		}
	}
	raw := func(line string) http.HandlerFunc { // not HTTP at all, with secrets in it
		return func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			out := bufio.NewWriter(conn)
			_, _ = fmt.Fprintf(out, line, r.Header.Get("Authorization"), body, "")
			_ = out.Flush()
			_ = conn.Close()
		}
	}
	message := func(s string) string { return `{"error":{"message":` + quote(s) + `}}` }
	handlers := map[string]http.HandlerFunc{
		"a 400 that repeats everything in error.message":  echo(400, `{"error":{"message":%s}}`),
		"a 500 that repeats everything as text error":     echo(500, `{"error":%s}`),
		"a 422 with detail":                               echo(422, `{"detail":%s}`),
		"a 429 with a top-level message":                  echo(429, `{"message":%s}`),
		"a 200 with an error object":                      echo(200, `{"error":{"message":%s}}`),
		"a 502 page":                                      echo(502, `<html>%s</html>`),
		"a 500 in plain text":                             echo(500, `%s`),
		"a 200 without choices":                           echo(200, `{"echo":%s}`),
		"a reply that is not HTTP":                        raw("%s %s\n\n"),
		"a bad status line":                               raw("HTTP/1.1 abc %s %s\r\n\r\n"),
		"a bad header line":                               raw("HTTP/1.1 200 OK\r\n%s %s\r\n\r\n"),
		"a bad content length":                            raw("HTTP/1.1 200 OK\r\nContent-Length: %s %.40s\r\n\r\n"),
		"the key between invisible letters, quoted by Go": raw("HTTP/1.1 " + strings.Join(strings.Split(testKey, ""), "\u200b") + " %[3]s\r\n\r\n"),
		"the same as a content length":                    raw("HTTP/1.1 200 OK\r\nContent-Length: " + strings.Join(strings.Split(testKey, ""), "\u200b\u2060") + "%[3]s\r\n\r\n"),
		"the same as a coding":                            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + strings.Join(strings.Split(testKey, ""), "\u00ad") + "%[3]s\r\n\r\n"),
		"half of it in a reply that is not HTTP":          raw(strings.Join(strings.Split(testKey[:10], ""), "\u200b") + "%[3]s\n\n"),
		"a redirect that carries the key":                 header("Location", "http://127.0.0.1:1/"+testKey, reply(307, "")),
		"a redirect to a broken URL":                      header("Location", "http://%zz/"+testKey, reply(307, "")),
		"the key's middle starred out":                    reply(401, message("Incorrect API key provided: "+testKey[:7]+"*******"+testKey[len(testKey)-4:])),
		"half of the key":                                 reply(401, message("no such key "+testKey[3:14])),
		"the key in capitals":                             reply(401, message("no such key "+strings.ToUpper(testKey))),
		"the key between control characters":              reply(401, message("\x1b[1m"+testKey[:9]+"\u200b"+testKey[9:])),
		"an endless message":                              reply(400, message(strings.Repeat(testKey+" ", 5000))),
		"the facts without punctuation":                   reply(400, message(strings.NewReplacer(" ", "", "\n", "").Replace(secretText))),
		"the facts in capitals":                           reply(400, message(strings.ToUpper(secretText))),
		"the facts as escapes":                            reply(400, message(fmt.Sprintf("%+q", secretText)+fmt.Sprintf("%q", secretText))),
	}
	for name, h := range handlers {
		t.Run(name, func(t *testing.T) {
			s := provider(t, h)
			c := client(t, Options{BaseURL: s.URL, MaxAttempts: 2})
			var printed []string
			_, err := c.Answer(context.Background(), request(testPayload), func(a Attempt) {
				printed = append(printed, fmt.Sprintf("%v %+v %#v", a, a, a))
			})
			if err == nil {
				t.Fatal("no error")
			}
			for e := err; e != nil; {
				printed = append(printed, fmt.Sprintf("%v %+v %#v", e, e, e))
				u, ok := e.(interface{ Unwrap() error })
				if !ok {
					break
				}
				e = u.Unwrap()
			}
			printed = append(printed, fmt.Sprintf("%v %+v %#v %v %#v", c, c, c, c.opts, c.opts))
			for _, p := range printed {
				p = strings.NewReplacer(`\u200b`, "", `\u2060`, "", `\u00ad`, "").Replace(p)
				if l := leaks(p); l != "" {
					t.Errorf("%q holds %s", p, l)
				}
			}
			if strings.ContainsAny(err.Error(), "\n\r\x1b") || utf8.RuneCountInString(err.Error()) > maxMessage+200 {
				t.Errorf("not one short line: %q", err)
			}
		})
	}
}

func TestCleanKeepsWhatHelps(t *testing.T) {
	clean := newScrubber(testKey).forRequest([]byte(testPayload))
	tests := []struct{ name, in, want string }{
		{"plain words stay", "Rate limit reached, try again in 20s", "Rate limit reached, try again in 20s"},
		{"the model's name stays", "The model `o1-preview-2026` does not exist", "The model `o1-preview-2026` does not exist"},
		{"a quota message stays", "You exceeded your current quota, please check your plan", "You exceeded your current quota, please check your plan"},
		{"a parameter's name stays", "Unsupported parameter: 'stream'", "Unsupported parameter: 'stream'"},
		{"lines are joined", "a\n\n  b\tc", "a b c"},
		{"escapes and bidi marks go", "a\x1b[31mb\u202ec", "a[31mbc"},
		{"the key goes", "key " + testKey + " is bad", "key [removed] is bad"},
		{"another key goes", "key sk-other123456 is bad", "key [removed] is bad"},
		{"a bearer token goes", "got Bearer abc.def", "got Bearer [removed]"},
		{"an api key by name goes", `{"api_key": "hunter"}`, `{"api_key": "[removed]"}`},
		{"the words around a key stay", "Incorrect API key provided: sk-abc123def456.", "Incorrect API key provided: [removed]"},
		{"the words around this key stay", "Incorrect API key provided: " + testKey + ". You can find your API key at https://example.com/keys.", "Incorrect API key provided: [removed]. You can find your API key at https://example.com/keys."},
		{"the words around a cut key stay", "Incorrect API key provided: sk-…", "Incorrect API key provided: [removed]"},
		{"the words around a starred key stay", "Incorrect API key provided: ab12****9z, try again", "Incorrect API key provided: [removed], try again"},
		{"words about credentials stay", "Invalid bearer token. Basic authentication is required; api key: missing, x-api-key: INVALID", "Invalid bearer token. Basic authentication is required; api key: missing, x-api-key: INVALID"},
		{"words that begin like a key stay", "key-management of hf-transformers failed", "key-management of hf-transformers failed"},
		{"an authorization goes, its scheme stays", "Authorization: Basic dXNlcjpwYXNz rejected", "Authorization: Basic [removed] rejected"},
		{"a key in a query goes", "GET /v1?api_key=hunter&x=1", "GET /v1?api_key=[removed]"},
		{"a password in a URL goes", `invalid proxy address "http://user:pa55@proxy:80"`, `invalid proxy address "http://[removed]@proxy:80"`},
		{"a user's name in a URL goes", "dial https://tok3n@host/v1", "dial https://[removed]@host/v1"},
		{"an address of mail stays", "contact support: help@example.com", "contact support: help@example.com"},
		{"invalid UTF-8 is replaced", "a\xffb", "a\uFFFDb"},
		{"long text is cut", strings.Repeat("é ", 400), strings.Repeat("é ", 149) + "é…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clean.text(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAShortKeyGoesAndTheWordsStay(t *testing.T) {
	for key, want := range map[string]string{
		"x":        "the tax token [removed] is unknown",
		"abc":      "the tax token [removed] is unknown",
		"test":     "the tax token [removed] is unknown",
		"sk-local": "the tax token [removed] is unknown",
		"remove":   "its message is not shown because it repeats the key", // part of the mark
	} {
		if got := newScrubber(key).forRequest(nil).text("the tax token " + key + " is unknown"); got != want {
			t.Errorf("key %q: %q", key, got)
		}
	}
}

// A key that is made of the words that providers use about keys.
func TestAKeyOfWordsDoesNotTakeTheWordsAway(t *testing.T) {
	const key = "sk-incorrect-api-key-provided-1"
	clean := newScrubber(key).forRequest(nil)
	for in, want := range map[string]string{
		"Incorrect API key: sk-incorrect…":                               "Incorrect API key: [removed]",
		"Incorrect value provided for `key`":                             "Incorrect value provided for `key`",
		"The server said incorrect key, sk-incorrect-api-key-provided-1": "The server said incorrect key, [removed]",
	} {
		if got := clean.text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzCleanedTextNeverHoldsTheKey(f *testing.F) {
	f.Add(testKey, "the key "+testKey+" is bad")
	f.Add("abc", "abcabc")
	f.Add("sk-é", "x")
	f.Add("removed", "removed")
	f.Fuzz(func(t *testing.T, key, s string) {
		key, err := checkKey(key)
		if err != nil || key == "" {
			t.Skip("not a key")
		}
		got := newScrubber(key).forRequest([]byte(testPayload)).text(s)
		if len(key) > 8 && strings.Contains(got, key) && !strings.Contains("its message is not shown because it repeats the key", key) {
			t.Errorf("%q holds the key %q", got, key)
		}
		if utf8.RuneCountInString(got) > maxMessage || strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("not one short line: %q", got)
		}
	})
}

func TestOrdinaryWordsStayAndSecretsGoInEveryWriting(t *testing.T) {
	clean := newScrubber(testKey).forRequest([]byte(testPayload))
	for _, words := range []string{"insufficient balance", "messages: content required", "max_tokens is too large", "the stored memory"} {
		if got := clean.text(words); got != words {
			t.Errorf("%q became %q", words, got)
		}
	}
	for name, text := range map[string]string{
		"the key in base64":                 base64.StdEncoding.EncodeToString([]byte(testKey)),
		"the key in base64 behind a prefix": base64.URLEncoding.EncodeToString([]byte("Bearer " + testKey)),
		"the key in hexadecimal":            fmt.Sprintf("%X", testKey),
	} {
		if got := clean.text("bad token " + text + " given"); strings.Contains(got, text) || strings.Contains(got, text[len(text)/2:len(text)/2+12]) {
			t.Errorf("%s is shown: %q", name, got)
		}
	}
	if got := clean.text("you asked: keeps the spare boathouse key, did you?"); strings.Contains(got, "boathouse") {
		t.Errorf("a passage of the request is shown: %q", got)
	}
}
