// Tests of the client against providers that misbehave in ways seen in the
// wild, each a scripted loopback server.

package answer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"deermem-tui/engine/answer/outcome"
)

// only serves one path and answers 404 elsewhere, as JSON or as a page.
func only(path string, page bool, hits *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		switch {
		case r.URL.Path == path:
			reply(200, okBody)(w, r)
		case page:
			reply(200, "<!DOCTYPE html>welcome")(w, r)
		default:
			reply(404, `{"error":{"message":"no route"}}`)(w, r)
		}
	}
}

func TestTheBaseURLMayBeWrittenInManyWays(t *testing.T) {
	for _, tt := range []struct {
		name, base, served string
		page               bool
		calls              int32 // HTTP requests of two answers
		ok                 bool
	}{
		{"with /v1", "/v1", "/v1/chat/completions", false, 2, true},
		{"with /v1/", "/v1/", "/v1/chat/completions", false, 2, true},
		{"the whole endpoint pasted", "/v1/chat/completions", "/v1/chat/completions", false, 2, true},
		{"the whole endpoint with a slash", "/v1/chat/completions/", "/v1/chat/completions", false, 2, true},
		{"an endpoint without /v1", "/chat/completions", "/chat/completions", false, 2, true},
		{"without /v1 where one is needed", "", "/v1/chat/completions", false, 3, true},
		{"without /v1, a page at the root", "/", "/v1/chat/completions", true, 3, true},
		{"without /v1 where none is needed", "", "/chat/completions", false, 2, true},
		{"a deeper path is taken as it is", "/openai/v1", "/openai/v1/chat/completions", false, 2, true},
		{"a wrong path is not guessed about", "/v2", "/v1/chat/completions", false, 2, false},
		{"nothing anywhere", "", "/nowhere", false, 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var hits atomic.Int32
			s := provider(t, only(tt.served, tt.page, &hits))
			c := client(t, Options{BaseURL: s.URL + tt.base})
			for range 2 {
				got, err := c.Answer(t.Context(), request(testPayload), nil)
				if (err == nil) != tt.ok || tt.ok && (got.Attempts != 1 || got.Text != " Lisbon\n") {
					t.Errorf("%+v, %v", got, err)
				}
			}
			if n := hits.Load(); n != tt.calls {
				t.Errorf("%d requests, want %d", n, tt.calls)
			}
			if tt.ok && c.Endpoint() != s.URL+tt.served {
				t.Errorf("the endpoint is told as %s", c.Endpoint())
			}
		})
	}
	t.Run("many workers find it at once", func(t *testing.T) {
		var hits atomic.Int32
		s := provider(t, only("/v1/chat/completions", false, &hits))
		c := client(t, Options{BaseURL: s.URL})
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				if _, err := c.Answer(t.Context(), request(testPayload), nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
	t.Run("a model that is unknown is no wrong path", func(t *testing.T) {
		s := provider(t, reply(404, `{"error":{"message":"model X does not exist"}}`))
		_, err := client(t, Options{BaseURL: s.URL}).Answer(t.Context(), request(testPayload), nil)
		if err == nil || !strings.Contains(err.Error(), "model X does not exist") {
			t.Error(err)
		}
	})
}

func TestWhatAReplyIsWorth(t *testing.T) {
	body := func(message, finish string) string {
		return fmt.Sprintf(`{"model":"m","choices":[{"message":%s,"finish_reason":%s}],"usage":{"prompt_tokens":7,"completion_tokens":1}}`, message, finish)
	}
	for _, tt := range []struct {
		name, body string
		state      outcome.State // "" for a failure of class Malformed
		text       string
	}{
		{"a plain answer", body(`{"content":"x"}`, `"stop"`), outcome.Answered, "x"},
		{"no finish reason", body(`{"content":"x"}`, `null`), outcome.Answered, "x"},
		{"another word for the end", body(`{"content":"x"}`, `"end_turn"`), outcome.Answered, "x"},
		{"interrupted by the provider", body(`{"content":"x"}`, `"insufficient_system_resource"`), outcome.Malformed, "x"},
		{"ended for a tool call", body(`{"content":"x"}`, `"tool_calls"`), outcome.Malformed, "x"},
		{"another word for the token limit", body(`{"content":"x"}`, `"MAX_TOKENS"`), outcome.Truncated, "x"},
		{"another word for a filter", body(`{"content":"x"}`, `"SAFETY"`), outcome.Refused, "x"},
		{"a text that nobody can see", body(`{"content":"\u200b\ufeff\u0000"}`, `"stop"`), outcome.Empty, "\u200b\ufeff\x00"},
		{"an empty text", body(`{"content":""}`, `"stop"`), outcome.Empty, ""},
		{"a blank text", body(`{"content":" \n"}`, `"stop"`), outcome.Empty, " \n"},
		{"cut off", body(`{"content":"x"}`, `"length"`), outcome.Truncated, "x"},
		{"cut off before the first word", body(`{"content":null,"reasoning_content":"hm"}`, `"length"`), outcome.Truncated, ""},
		{"filtered", body(`{"content":null}`, `"content_filter"`), outcome.Refused, ""},
		{"filtered in the middle", body(`{"content":"x"}`, `"content_filter"`), outcome.Refused, "x"},
		{"declined", body(`{"content":null,"refusal":"I cannot"}`, `"stop"`), outcome.Refused, ""},
		{"content parts", body(`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, `"stop"`), outcome.Answered, "ab"},
		{"reasoning beside an empty text", body(`{"content":"","reasoning":"hm"}`, `"stop"`), outcome.Empty, ""},
		{"reasoning beside an answer", body(`{"content":"x","reasoning_content":"hm"}`, `"stop"`), outcome.Answered, "x"},
		{"reasoning before the answer", body(`{"content":"<think>5 or 7?</think>\n7"}`, `"stop"`), outcome.Malformed, "<think>5 or 7?</think>\n7"},
		{"reasoning whose beginning is lost", body(`{"content":"5 or 7?\n</think>\n7"}`, `"stop"`), outcome.Malformed, "5 or 7?\n</think>\n7"},
		{"reasoning behind what cannot be seen", body(`{"content":"\ufeff \u200b<think>5"}`, `"stop"`), outcome.Malformed, "\ufeff \u200b<think>5"},
		{"reasoning in a channel", body(`{"content":"<|channel|>analysis<|message|>5 or 7?<|channel|>final<|message|>7"}`, `"stop"`), outcome.Malformed, "<|channel|>analysis<|message|>5 or 7?<|channel|>final<|message|>7"},
		{"reasoning that a model calls a thought", body(`{"content":"<thought>5 or 7?</thought>7"}`, `"stop"`), outcome.Malformed, "<thought>5 or 7?</thought>7"},
		{"reasoning in Kimi's marks", body(`{"content":"5 or 7?◁/think▷7"}`, `"stop"`), outcome.Malformed, "5 or 7?◁/think▷7"},
		{"an answer about thinking", body(`{"content":"He said: think! <b>7</b>"}`, `"stop"`), outcome.Answered, "He said: think! <b>7</b>"},
		{"reasoning only", body(`{"content":null,"reasoning_content":"hm"}`, `"stop"`), "", ""},
		{"null content", body(`{"content":null}`, `"stop"`), "", ""},
		{"missing content", body(`{"role":"assistant"}`, `"tool_calls"`), "", ""},
		{"an error object with status 200", `{"error":{"message":"overloaded","code":529}}`, "", ""},
		{"a web page with status 200", `<html><body>Sign in</body></html>`, "", ""},
		{"null", `null`, "", ""},
		{"a text beside a refusal", body(`{"content":"NO","refusal":"I cannot help with that"}`, `"stop"`), outcome.Refused, "NO"},
		{"a refusal that says nothing", body(`{"content":"NO","refusal":""}`, `"stop"`), outcome.Answered, "NO"},
		{"a refusal among the parts", body(`{"content":[{"type":"text","text":"NO"},{"type":"refusal","refusal":"I cannot"}]}`, `"stop"`), outcome.Refused, "NO"},
		{"a refusal as the only part", body(`{"content":[{"type":"refusal","refusal":"I cannot"}]}`, `"stop"`), outcome.Refused, ""},
		{"a text beside an error of the choice", `{"choices":[{"error":{"code":502,"message":"upstream"},"finish_reason":"stop","message":{"content":"NO"}}]}`, outcome.Malformed, "NO"},
		{"an error of the choice that says nothing", `{"choices":[{"error":{},"message":{"content":"NO"}}]}`, outcome.Answered, "NO"},
		{"an error of the choice without a text", `{"choices":[{"error":{"code":502},"message":{"content":null}}]}`, "", ""},
		{"an error of the reply that says nothing", `{"error":{},"choices":[{"message":{"content":"NO"}}]}`, outcome.Answered, "NO"},
		{"a text beside a call of a tool", body(`{"content":"NO","tool_calls":[{"id":"1","function":{"name":"look"}}]}`, `"stop"`), outcome.Malformed, "NO"},
		{"a text beside a call of a function", body(`{"content":"NO","function_call":{"name":"look"}}`, `"stop"`), outcome.Malformed, "NO"},
		{"no tool is called", body(`{"content":"NO","tool_calls":[ ],"function_call":null}`, `"stop"`), outcome.Answered, "NO"},
		{"a refusal and a call of a tool", body(`{"content":"NO","refusal":"no","tool_calls":[{"id":"1"}]}`, `"stop"`), outcome.Refused, "NO"},
		{"an empty finish reason", body(`{"content":"x"}`, `""`), outcome.Answered, "x"},
		{"a finish reason that is missing", `{"choices":[{"message":{"content":"x"}}]}`, outcome.Answered, "x"},
		{"a number as finish reason", body(`{"content":"x"}`, `3`), outcome.Malformed, "x"},
		{"an object as finish reason", body(`{"content":"x"}`, `{"type":"stop"}`), outcome.Malformed, "x"},
		{"two answers", `{"choices":[{"index":1,"message":{"content":"b"}},{"index":0,"message":{"content":"a"}}]}`, outcome.Malformed, "b"},
		{"reasoning behind what cannot be seen", body(`{"content":"\ufeff\u200b<think >x</think >NO"}`, `"stop"`), outcome.Malformed, "\ufeff\u200b<think >x</think >NO"},
		{"reasoning with an attribute", body(`{"content":"<thinking level=\"3\">x"}`, `"stop"`), outcome.Malformed, `<thinking level="3">x`},
		{"reasoning in a fence", body("{\"content\":\"```thinking\\nx\\n```\\nNO\"}", `"stop"`), outcome.Malformed, "```thinking\nx\n```\nNO"},
		{"a mark with what cannot be seen in it", body(`{"content":"<th\u200bink>x"}`, `"stop"`), outcome.Malformed, "<th\u200bink>x"},
		{"a word that begins alike", body(`{"content":"<thinker> is the band"}`, `"stop"`), outcome.Answered, "<thinker> is the band"},
		{"a fence of code", body("{\"content\":\"```text\\nNO\\n```\"}", `"stop"`), outcome.Answered, "```text\nNO\n```"},
		{"usage told as null", `{"choices":[{"message":{"content":"x"}}],"usage":null}`, outcome.Answered, "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := provider(t, reply(200, tt.body))
			got, err := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 3}).Answer(t.Context(), request(testPayload), nil)
			if tt.state == "" {
				var e *Error
				if !errors.As(err, &e) || e.Class != Malformed || e.Attempts != 1 {
					t.Fatalf("%+v, %v", got, err)
				}
				if strings.Contains(tt.body, `"usage":{`) && e.Usage["prompt_tokens"].Int64() != 7 {
					t.Errorf("what it cost is lost: %+v", e)
				}
				return
			}
			if err != nil || got.State != tt.state || got.Text != tt.text || (got.Note == "") != (tt.state == outcome.Answered) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestUsageIsKeptWholeWithinBounds(t *testing.T) {
	usage := func(u string) any {
		got, err := readReply([]byte(`{"choices":[{"message":{"content":"x"}}],"usage":`+u+`}`), newScrubber(testKey).forRequest([]byte(testPayload)))
		if err != nil {
			t.Fatal(err)
		}
		return got.FullUsage
	}
	for _, tt := range []struct {
		name, usage string
		want        any
	}{
		{"none", `null`, nil},
		{"fractions and text", `{"prompt_tokens":12.0,"completion_tokens":"3"}`, map[string]any{"prompt_tokens": 12.0, "completion_tokens": "3"}},
		{"nested", `{"details":{"cached":4,"list":[1,true,null]}}`, map[string]any{"details": map[string]any{"cached": int64(4), "list": []any{int64(1), true, nil}}}},
		{"a number", `7`, int64(7)},
		{"too deep", `{"a":{"b":{"c":{"d":{"e":1}}}}}`, map[string]any{"a": map[string]any{"b": map[string]any{"c": map[string]any{"d": map[string]any{}}}}}},
		{"the key in it", `{"account":"` + testKey + `"}`, map[string]any{"account": removed}},
	} {
		if got := usage(tt.usage); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %#v, want %#v", tt.name, got, tt.want)
		}
	}
	many := usage(`{` + strings.TrimSuffix(func() string {
		var b strings.Builder
		for i := range 500 {
			fmt.Fprintf(&b, `"k%d":%d,`, i, i)
		}
		return b.String()
	}(), ",") + `}`)
	if n := len(many.(map[string]any)); n != maxUsageMembers {
		t.Errorf("%d members kept", n)
	}
}

func TestBodiesOfEveryShapeAreRead(t *testing.T) {
	packed := func(body string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
		return b.Bytes()
	}
	for name, h := range map[string]http.HandlerFunc{
		"chunked, byte by byte": func(w http.ResponseWriter, _ *http.Request) {
			for i := range len(okBody) {
				_, _ = io.WriteString(w, okBody[i:i+1])
				w.(http.Flusher).Flush()
			}
		},
		"gzip": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed(okBody))
		},
		"without a content type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = io.WriteString(w, okBody)
		},
		"with blanks around":     reply(200, "\r\n  "+okBody+"\n\n"),
		"status 201":             reply(201, okBody),
		"without a model, usage": reply(200, `{"choices":[{"message":{"content":" Lisbon\n"}}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := provider(t, h)
			got, err := client(t, Options{BaseURL: s.URL + "/v1"}).Answer(t.Context(), request(testPayload), nil)
			if err != nil || got.Text != " Lisbon\n" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// A body that stops coming is a timeout, and is tried again.
func TestATimeoutInTheMiddleOfABodyIsTriedAgain(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	s := provider(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(200)
		_, _ = io.WriteString(w, okBody[:20])
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}, reply(200, okBody))
	var told []Attempt
	got, err := client(t, Options{BaseURL: s.URL + "/v1", Timeout: 300 * time.Millisecond, MaxAttempts: 2}).
		Answer(t.Context(), request(testPayload), func(a Attempt) { told = append(told, a) })
	if err != nil || got.Attempts != 2 || len(told) != 1 || told[0].Class != Timeout || len(got.Failures) != 1 || got.Failures[0].Class != Timeout {
		t.Errorf("%+v, %v, told %+v", got, err, told)
	}
}

func TestConnectionsThatFailAreTriedAgain(t *testing.T) {
	for name, cause := range map[string]error{
		"the name is not known": &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true},
		"reset":                 &net.OpError{Op: "read", Err: syscall.ECONNRESET},
		"refused":               &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			c := client(t, Options{BaseURL: "http://127.0.0.1:1/v1", MaxAttempts: 2, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				if calls++; calls == 1 {
					return nil, cause
				}
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(okBody)), Request: r}, nil
			})})
			got, err := c.Answer(t.Context(), request(testPayload), nil)
			if err != nil || got.Attempts != 2 || got.Failures[0].Class != Network {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// clock is moved by waiting, so that pauses of several rows can be told apart.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

func TestARateLimitHoldsEveryRow(t *testing.T) {
	at := &clock{now: epoch}
	s := provider(t, header("Retry-After", "20", reply(429, `{}`)), reply(200, okBody))
	c := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 2, Now: at.Now, Wait: func(ctx context.Context, d time.Duration) error { return context.Canceled }})
	if _, err := c.Answer(t.Context(), request(testPayload), nil); err == nil { // meets the limit, and is stopped while it waits
		t.Fatal("no error")
	}
	c.opts.Wait = at.Wait
	var told []Attempt
	got, err := c.Answer(t.Context(), request(testPayload), func(a Attempt) { told = append(told, a) })
	if err != nil || got.Attempts != 1 || len(told) != 1 || !told[0].Held || told[0].Wait != 20*time.Second || !told[0].Until.Equal(epoch.Add(20*time.Second)) || told[0].Problem == "" {
		t.Errorf("%+v, %v, told %+v", got, err, told)
	}
	if _, err := c.Answer(t.Context(), request(testPayload), func(a Attempt) { t.Errorf("once it is over it still holds: %+v", a) }); err != nil {
		t.Error(err)
	}
}

func TestAnAbsurdWaitIsBoundedAndSaid(t *testing.T) {
	s := provider(t, header("Retry-After", "86400", reply(429, `{}`)), reply(200, okBody))
	var told []Attempt
	if _, err := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 2}).Answer(t.Context(), request(testPayload), func(a Attempt) { told = append(told, a) }); err != nil {
		t.Fatal(err)
	}
	if told[0].Wait != DefaultMaxRetryAfter || !strings.Contains(told[0].Problem, "24h0m0s") {
		t.Errorf("%+v", told[0])
	}
}

func TestTheGateIsAskedBeforeEveryCall(t *testing.T) {
	full := errors.New("no more")
	var sent atomic.Int32
	s := provider(t, func(w http.ResponseWriter, r *http.Request) { sent.Add(1); reply(500, ``)(w, r) })
	var asked []int
	ctx := WithGate(t.Context(), func(_ context.Context, number int) error {
		if asked = append(asked, number); number == 3 {
			return full
		}
		return nil
	})
	_, err := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 5}).Answer(ctx, request(testPayload), nil)
	var e *Error
	if !errors.As(err, &e) || e.Class != Denied || e.Attempts != 2 || !errors.Is(err, full) || sent.Load() != 2 || len(asked) != 3 {
		t.Errorf("%v after %d calls, asked %v", err, sent.Load(), asked)
	}
}

func TestPlainHTTPToAnotherHostIsWarnedOf(t *testing.T) {
	for base, warned := range map[string]bool{
		"http://api.example.com/v1": true, "http://192.0.2.7:8080": true, "https://api.example.com": false,
		"http://127.0.0.1:8080/v1": false, "http://localhost": false, "http://[::1]:9/v1": false,
	} {
		c, err := New(Options{BaseURL: base, APIKey: testKey})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Warnings(); len(got) > 0 != warned || warned && !strings.Contains(got[0], "not encrypted") {
			t.Errorf("%s: %q", base, got)
		}
		c.Close()
	}
}

func TestAKeyAmongTheNamesOfCountsIsNotStored(t *testing.T) {
	for _, usage := range []string{`{"` + testKey + `":7}`, `{"details":{"` + testKey + `":7}}`} {
		got, err := readReply([]byte(`{"choices":[{"message":{"content":"x"}}],"usage":`+usage+`}`), newScrubber(testKey).forRequest([]byte(testPayload)))
		if !errors.Is(err, errQuotesKey) || len(got.Usage)+len(got.Text) > 0 || got.FullUsage != nil {
			t.Errorf("%s: %+v, %v", usage, got, err)
		}
	}
}

func TestANameOfACountThatRepeatsTheRequestIsLeftOut(t *testing.T) {
	body := `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt tokens":7,"Größe":8,"Björk keeps the spare boathouse key":9,"a\u001b[2Jb":1}}`
	got, err := readReply([]byte(body), newScrubber(testKey).forRequest([]byte(testPayload)))
	if err != nil || len(got.Usage) != 2 || got.Usage["prompt tokens"].Int64() != 7 || got.Usage["Größe"].Int64() != 8 || leaks(fmt.Sprint(got)) != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAKeyThatCannotBeRecognisedIsTold(t *testing.T) {
	for key, want := range map[string]string{
		"": "", testKey: "", "hunter2x": "", "correct-horse-battery-staple": "", `sk_live_!@#$%^&*()_+{}|:"<>?`: "",
		"test":                    "the key has fewer than 12 letters and digits: replies are not searched for it",
		"sk-local":                "the key has fewer than 12 letters and digits: replies are not searched for it",
		strings.Repeat("A", 5000): "the key has too few different letters and digits to be told from other text: replies are not searched for it",
	} {
		c, err := New(Options{BaseURL: "https://api.example.com/v1", APIKey: key})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.Warnings(), "; "); got != want {
			t.Errorf("%.30q: %q, want %q", key, got, want)
		}
		c.Close()
	}
}
