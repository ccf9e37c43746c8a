// Tests of the loopback server, alone and asked by the provider client.

package offline_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/answer"
	"deermem-tui/engine/answer/offline"
	"deermem-tui/protocol/prompt"
)

func start(t *testing.T, o offline.Options) *offline.Server {
	t.Helper()
	s, err := offline.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

const payload = `{"max_tokens": 2048, "messages": [{"content": "Use only the memory.", "role": "system"}, {"content": "STORED MEMORY:\n[a]\nSESSION s AT 2023/03/10 (Fri) 10:00\nUSER: I keep my kayak in the boathouse.\n\nQUESTION: Where do I keep my kayak?", "role": "user"}], "model": "any", "stream": false, "temperature": 0.0}`

func TestAClientGetsItsAnswerFromTheServer(t *testing.T) {
	s := start(t, offline.Options{})
	c, err := answer.New(answer.Options{BaseURL: s.URL(), APIKey: "offline-key"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	sum := sha256.Sum256([]byte(payload))
	got, err := c.Answer(t.Context(), prompt.Request{Payload: []byte(payload), Fingerprint: hex.EncodeToString(sum[:])}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "in the boathouse" || got.Model != offline.Model || got.FinishReason != "stop" {
		t.Errorf("got %+v", got)
	}
	p, a, all := got.Usage["prompt_tokens"], got.Usage["completion_tokens"], got.Usage["total_tokens"]
	if len(got.Usage) != 3 || p.Int64() <= 0 || a.Int64() != 3 || all.Int64() != p.Int64()+a.Int64() {
		t.Errorf("usage %v", got.Usage)
	}
}

func TestHandlerAnswersOtherRequestsWithOpenAIErrors(t *testing.T) {
	h := offline.Handler()
	msg := func(m string) string { return `{"model":"m","messages":` + m + `}` }
	tests := []struct {
		name, method, path, body string
		status                   int
		says                     string
	}{
		{"the path without /v1 works too", "POST", "/chat/completions", payload, 200, "boathouse"},
		{"unknown fields are passed over", "POST", "/v1/chat/completions", `{"model":"m","seed":1,"messages":[{"role":"user","content":"x"}]}`, 200, "INSUFFICIENT"},
		{"models are listed", "GET", "/v1/models", "", 200, offline.Model},
		{"health", "GET", "/healthz", "", 200, "ok"},
		{"an unknown path", "GET", "/v2", "", 404, "no such path"},
		{"the root", "GET", "/", "", 404, "no such path"},
		{"a wrong method", "GET", "/v1/chat/completions", "", 405, "POST"},
		{"a wrong method for models", "POST", "/v1/models", "", 405, "GET"},
		{"no JSON", "POST", "/v1/chat/completions", "hello", 400, "JSON object"},
		{"no body", "POST", "/v1/chat/completions", "", 400, "JSON object"},
		{"an array", "POST", "/v1/chat/completions", "[]", 400, "JSON object"},
		{"no model", "POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"x"}]}`, 400, "model"},
		{"a stream", "POST", "/v1/chat/completions", `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`, 400, "stream"},
		{"no messages", "POST", "/v1/chat/completions", `{"model":"m"}`, 400, "messages"},
		{"no user message", "POST", "/v1/chat/completions", msg(`[{"role":"system","content":"x"}]`), 400, "no user message"},
		{"null content", "POST", "/v1/chat/completions", msg(`[{"role":"user","content":null}]`), 400, "message 0"},
		{"content parts", "POST", "/v1/chat/completions", msg(`[{"role":"user","content":[{"type":"text","text":"x"}]}]`), 400, "text content"},
		{"an unknown role", "POST", "/v1/chat/completions", msg(`[{"role":"god","content":"x"}]`), 400, "role"},
		{"too long", "POST", "/v1/chat/completions", msg(`[{"role":"user","content":"` + strings.Repeat("x", 5<<20) + `"}]`), 413, "longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body)))
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
				t.Fatalf("%d %s, want %d and %q", w.Code, w.Body, tt.status, tt.says)
			}
			if w.Header().Get("Content-Type") != "application/json" {
				t.Error("not declared as JSON")
			}
			var e struct {
				Error *struct{ Message, Type string }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			if (e.Error != nil) != (tt.status >= 400) {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

func TestTheSameRequestGetsTheSameBytes(t *testing.T) {
	s := start(t, offline.Options{})
	ask := func() []byte {
		res, err := http.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(payload))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	if a, b := ask(), ask(); !bytes.Equal(a, b) {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestStartRefusesAddressesOthersCouldReach(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0"} {
		if s, err := offline.Start(t.Context(), offline.Options{Addr: addr}); !errors.Is(err, offline.ErrNotLoopback) {
			t.Errorf("%s: %v", addr, err)
			if s != nil {
				_ = s.Close()
			}
		}
	}
	if _, err := offline.Start(t.Context(), offline.Options{Addr: "nonsense"}); err == nil {
		t.Error("no error for an address without a port")
	}
	used := start(t, offline.Options{})
	addr := strings.TrimSuffix(strings.TrimPrefix(used.URL(), "http://"), "/v1")
	if _, err := offline.Start(t.Context(), offline.Options{Addr: addr}); err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("a port in use: %v", err)
	}
}

func TestCloseEndsWaitingRequestsWithoutAnAnswer(t *testing.T) {
	for _, how := range []string{"Close", "the context"} {
		t.Run("by "+how, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			reached := make(chan struct{})
			s, err := offline.Start(ctx, offline.Options{Latency: func([]byte) time.Duration {
				close(reached)
				return time.Hour
			}})
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error)
			go func() {
				res, err := http.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(payload))
				if err == nil {
					_ = res.Body.Close()
				}
				done <- err
			}()
			<-reached
			if how == "the context" {
				cancel()
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if err := <-done; err == nil {
				t.Error("the request got an answer")
			}
			if err := s.Close(); err != nil {
				t.Errorf("closing again: %v", err)
			}
		})
	}
}

func TestWrapSeesEveryRequest(t *testing.T) {
	calls := 0
	s := start(t, offline.Options{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if calls++; calls == 1 {
				http.Error(w, "busy", http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	}})
	c, err := answer.New(answer.Options{BaseURL: s.URL(), MaxAttempts: 2, Wait: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := c.Answer(t.Context(), prompt.Request{Payload: []byte(payload)}, nil)
	if err != nil || got.Attempts != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSteadyLatencyIsBoundedAndSteady(t *testing.T) {
	f := offline.SteadyLatency(20*time.Millisecond, 120*time.Millisecond)
	different := false
	for i := range 200 {
		body := []byte{byte(i)}
		d := f(body)
		if d < 20*time.Millisecond || d >= 120*time.Millisecond || d != f(body) {
			t.Errorf("request %d waits %s", i, d)
		}
		different = different || d != f([]byte{0})
	}
	if !different {
		t.Error("every request waits the same")
	}
	if d := offline.SteadyLatency(5, 5)(nil); d != 5 {
		t.Errorf("an empty range gives %d", d)
	}
}
