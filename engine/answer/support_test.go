// Shared by the tests: a scripted loopback provider and a client whose clock
// and waits are values, so that no test sleeps.

package answer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"

	"deermem-tui/protocol/prompt"
)

const testKey = "sk-Zq81mPoLdWvXy7TtKe"

// secretText stands for a question and facts that nobody else may read.
const secretText = "Björk keeps the spare boathouse key under the third terracotta pot\n\n小林在杭州买了一把小提琴"

const okBody = `{"id":"x","model":"served-model","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":" Lisbon\n"}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}`

// testPayload is canonical JSON with what a re-encoding would change: a zero
// float, a false, characters that encoding/json escapes.
const testPayload = `{"max_tokens": 2048, "messages": [{"content": "Answer <only> & \"short\"", "role": "system"}, {"content": "STORED MEMORY:\n[d_1]\nBjörk keeps the spare boathouse key under the third terracotta pot\n\n小林在杭州买了一把小提琴 🎻\n\nQUESTION: where?", "role": "user"}], "model": "o1-preview-2026", "stream": false, "temperature": 0.0}`

func request(payload string) prompt.Request {
	sum := sha256.Sum256([]byte(payload))
	return prompt.Request{Payload: []byte(payload), Fingerprint: hex.EncodeToString(sum[:])}
}

// provider serves the handlers in order, the last one for all later calls.
func provider(t *testing.T, steps ...http.HandlerFunc) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	call := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		step := steps[min(call, len(steps)-1)]
		call++
		mu.Unlock()
		step(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func reply(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func header(name, value string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		next(w, r)
	}
}

// cutMidBody promises more bytes than it sends.
func cutMidBody(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "5000")
	w.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(w, `{"choices":[`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// cutBeforeReply closes the connection without a status line.
func cutBeforeReply(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

var epoch = time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC)

// client has fixed waits of 1 s, 2 s, 4 s … that take no time.
func client(t *testing.T, o Options) *Client {
	t.Helper()
	if o.APIKey == "" {
		o.APIKey = testKey
	}
	if o.NewBackOff == nil {
		o.NewBackOff = func() backoff.BackOff {
			b := backoff.NewExponentialBackOff()
			b.InitialInterval, b.Multiplier, b.RandomizationFactor = time.Second, 2, 0
			return b
		}
	}
	if o.Now == nil {
		o.Now = func() time.Time { return epoch }
	}
	if o.Wait == nil {
		o.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}
