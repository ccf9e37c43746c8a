// Tests of the client against scripted loopback providers: the bytes sent,
// retries, stopping, redirects, sizes and refused options.

package answer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBytesOnTheWireAreTheFingerprintedPayload(t *testing.T) {
	for _, suffix := range []string{"/v1", "/v1/", "/v1//", "", "/", "/deep/er/v1"} {
		t.Run("base URL ending in "+suffix, func(t *testing.T) {
			var body []byte
			var seen *http.Request
			s := provider(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ = io.ReadAll(r.Body)
				seen = r
				reply(200, okBody)(w, r)
			})
			c := client(t, Options{BaseURL: s.URL + suffix})
			req := request(testPayload)
			if _, err := c.Answer(t.Context(), req, nil); err != nil {
				t.Fatal(err)
			}
			if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != req.Fingerprint {
				t.Errorf("sent %s", body)
			}
			if want := strings.TrimRight(suffix, "/") + "/chat/completions"; seen.URL.Path != want || seen.URL.RawQuery != "" {
				t.Errorf("path %s, want %s", seen.URL, want)
			}
			if seen.Method != http.MethodPost || seen.ContentLength != int64(len(testPayload)) || len(seen.TransferEncoding) != 0 {
				t.Errorf("%s, Content-Length %d, Transfer-Encoding %v", seen.Method, seen.ContentLength, seen.TransferEncoding)
			}
			if got := seen.Header.Get("Authorization"); got != "Bearer "+testKey {
				t.Errorf("Authorization is %q", got)
			}
			if got := seen.Header.Get("Content-Type"); got != "application/json" {
				t.Errorf("Content-Type is %q", got)
			}
		})
	}
}

func TestNoKeySendsNoAuthorization(t *testing.T) {
	s := provider(t, func(w http.ResponseWriter, r *http.Request) {
		if v, ok := r.Header["Authorization"]; ok {
			t.Errorf("sent %q", v)
		}
		reply(200, okBody)(w, r)
	})
	c, err := New(Options{BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Answer(t.Context(), request(testPayload), nil); err != nil {
		t.Fatal(err)
	}
}

func TestRetries(t *testing.T) {
	const second = time.Second
	ok := reply(200, okBody)
	tests := []struct {
		name     string
		steps    []http.HandlerFunc
		class    Class // "" for an answer
		status   int
		attempts int
		waits    []time.Duration
	}{
		{"an answer at once needs one attempt", []http.HandlerFunc{ok}, "", 0, 1, nil},
		{"429 then an answer", []http.HandlerFunc{reply(429, `{}`), ok}, "", 0, 2, []time.Duration{second}},
		{"500 and 503 then an answer", []http.HandlerFunc{reply(500, ``), reply(503, `<html>`), ok}, "", 0, 3, []time.Duration{second, 2 * second}},
		{"a connection cut before the reply is retried", []http.HandlerFunc{cutBeforeReply, ok}, "", 0, 2, []time.Duration{second}},
		{"a connection cut in the body is retried", []http.HandlerFunc{cutMidBody, ok}, "", 0, 2, []time.Duration{second}},
		{"429 to the end fails after max attempts", []http.HandlerFunc{reply(429, `{}`)}, RateLimit, 429, 3, []time.Duration{second, 2 * second, 0}},
		{"529 to the end fails after max attempts", []http.HandlerFunc{reply(529, `{}`)}, Server, 529, 3, []time.Duration{second, 2 * second, 0}},
		{"cut to the end fails after max attempts", []http.HandlerFunc{cutBeforeReply}, Network, 0, 3, []time.Duration{second, 2 * second, 0}},
		{"408, 409 and 425 are tried again", []http.HandlerFunc{reply(408, ``), reply(425, ``), ok}, "", 0, 3, []time.Duration{second, 2 * second}},
		{"409 to the end fails after max attempts", []http.HandlerFunc{reply(409, `{}`)}, Busy, 409, 3, []time.Duration{second, 2 * second, 0}},
		{"retry-after-ms is finer", []http.HandlerFunc{header("Retry-After-Ms", "250", header("Retry-After", "9", reply(429, ``))), ok}, "", 0, 2, []time.Duration{second / 4}},
		{"400 fails at once", []http.HandlerFunc{reply(400, `{}`), ok}, Refused, 400, 1, []time.Duration{0}},
		{"401 fails at once", []http.HandlerFunc{reply(401, `{}`), ok}, Refused, 401, 1, []time.Duration{0}},
		{"404 fails at once", []http.HandlerFunc{reply(404, ``), ok}, Refused, 404, 1, []time.Duration{0}},
		{"a malformed 200 fails at once", []http.HandlerFunc{reply(200, `{}`), ok}, Malformed, 200, 1, []time.Duration{0}},
		{"a 400 after a 500 fails then", []http.HandlerFunc{reply(500, ``), reply(400, ``), ok}, Refused, 400, 2, []time.Duration{second, 0}},
		{"Retry-After in seconds replaces the wait", []http.HandlerFunc{header("Retry-After", "7", reply(429, ``)), ok}, "", 0, 2, []time.Duration{7 * second}},
		{"Retry-After on a 503 counts too", []http.HandlerFunc{header("Retry-After", " 0.5 ", reply(503, ``)), ok}, "", 0, 2, []time.Duration{second / 2}},
		{"an absurd Retry-After is capped", []http.HandlerFunc{header("Retry-After", "99999999999999999999", reply(429, ``)), ok}, "", 0, 2, []time.Duration{60 * second}},
		{"a negative Retry-After is ignored", []http.HandlerFunc{header("Retry-After", "-5", reply(429, ``)), ok}, "", 0, 2, []time.Duration{second}},
		{"an unreadable Retry-After is ignored", []http.HandlerFunc{header("Retry-After", "soon", reply(429, ``)), ok}, "", 0, 2, []time.Duration{second}},
		{"NaN in Retry-After is ignored", []http.HandlerFunc{header("Retry-After", "NaN", reply(429, ``)), ok}, "", 0, 2, []time.Duration{second}},
		{"Retry-After as a date", []http.HandlerFunc{header("Retry-After", epoch.Add(9*second).Format(http.TimeFormat), reply(429, ``)), ok}, "", 0, 2, []time.Duration{9 * second}},
		{"an absurd Retry-After date is capped", []http.HandlerFunc{header("Retry-After", epoch.AddDate(400, 0, 0).Format(http.TimeFormat), reply(429, ``)), ok}, "", 0, 2, []time.Duration{60 * second}},
		{"Retry-After as a date of the older kinds", []http.HandlerFunc{header("Retry-After", epoch.Add(9*second).Format(time.ANSIC), reply(429, ``)), ok}, "", 0, 2, []time.Duration{9 * second}},
		{"an infinite Retry-After is capped", []http.HandlerFunc{header("Retry-After", "Inf", reply(429, ``)), ok}, "", 0, 2, []time.Duration{60 * second}},
		{"Retry-After of nothing waits nothing", []http.HandlerFunc{header("Retry-After", "0", reply(429, ``)), ok}, "", 0, 2, []time.Duration{0}},
		{"an absurd retry-after-ms is capped", []http.HandlerFunc{header("Retry-After-Ms", "1e300", reply(429, ``)), ok}, "", 0, 2, []time.Duration{60 * second}},
		{"a past Retry-After date waits nothing", []http.HandlerFunc{header("Retry-After", epoch.Add(-time.Hour).Format(http.TimeFormat), reply(429, ``)), ok}, "", 0, 2, []time.Duration{0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := provider(t, tt.steps...)
			var waited []time.Duration
			c := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 3, Wait: func(ctx context.Context, d time.Duration) error {
				waited = append(waited, d)
				return ctx.Err()
			}})
			var told []Attempt
			got, err := c.Answer(t.Context(), request(testPayload), func(a Attempt) { told = append(told, a) })
			var waits []time.Duration
			for i, a := range told {
				if last := i == len(told)-1 && tt.class != ""; a.Final != last || a.Until.IsZero() != last {
					t.Errorf("attempt %d is told as the last: %v, until %v", i+1, a.Final, a.Until)
				}
				waits = append(waits, a.Wait)
				if a.Number != i+1 || a.Problem == "" || a.Class == "" {
					t.Errorf("attempt %d reported as %+v", i+1, a)
				}
			}
			if !slices.Equal(waits, tt.waits) {
				t.Errorf("reported waits %v, want %v", waits, tt.waits)
			}
			if slept := len(tt.waits); tt.class == "" && slept != len(waited) {
				t.Errorf("waited %v", waited)
			}
			if tt.class == "" {
				if err != nil || got.Attempts != tt.attempts || got.Text != " Lisbon\n" {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %v", err)
			}
			if e.Class != tt.class || e.Status != tt.status || e.Attempts != tt.attempts {
				t.Errorf("class %s status %d attempts %d, want %s %d %d", e.Class, e.Status, e.Attempts, tt.class, tt.status, tt.attempts)
			}
		})
	}
}

func TestOfAll4xxOnlyFourAreTriedAgain(t *testing.T) {
	for status := 400; status <= 499; status++ {
		again := (&Error{Class: classOf(status)}).Retryable()
		if want := slices.Contains([]int{408, 409, 425, 429}, status); again != want {
			t.Errorf("HTTP %d is tried again: %v", status, again)
		}
	}
}

func TestDefaultBackOffDoublesWithinItsSpread(t *testing.T) {
	b := defaultBackOff()
	b.Reset()
	for i, base := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		base *= time.Second
		if d := b.NextBackOff(); d < base/2 || d > base*3/2+1 {
			t.Errorf("wait %d is %s, want %s spread by half", i+1, d, base)
		}
	}
}

func TestTimeoutIsItsOwnClassAndIsRetried(t *testing.T) {
	calls := 0
	c := client(t, Options{
		BaseURL: "http://127.0.0.1:1", Timeout: time.Nanosecond, MaxAttempts: 2,
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			calls++
			<-r.Context().Done()
			return nil, r.Context().Err()
		}),
	})
	_, err := c.Answer(t.Context(), request(testPayload), nil)
	var e *Error
	if !errors.As(err, &e) || e.Class != Timeout || e.Attempts != 2 || calls != 2 {
		t.Fatalf("got %v after %d calls", err, calls)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Error("an attempt's time limit must not look like the run being stopped")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestStoppingEndsAtOnceAndIsDistinguishable(t *testing.T) {
	stop := func(t *testing.T, err error, attempts int) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || e.Class != Canceled || e.Attempts != attempts || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v (%+v), want canceled after %d attempts", err, e, attempts)
		}
	}
	none := func(a Attempt) { t.Errorf("reported %+v for a stopped call", a) }

	t.Run("before the first call nothing is sent", func(t *testing.T) {
		s := provider(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := client(t, Options{BaseURL: s.URL, MaxAttempts: 3}).Answer(ctx, request(testPayload), none)
		stop(t, err, 0)
	})
	t.Run("during a call", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := provider(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server watches for a hang-up once the body is read
			cancel()
			<-r.Context().Done()
		})
		_, err := client(t, Options{BaseURL: s.URL, MaxAttempts: 3}).Answer(ctx, request(testPayload), none)
		stop(t, err, 1)
	})
	t.Run("during a wait", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := provider(t, reply(503, ``))
		c := client(t, Options{BaseURL: s.URL, MaxAttempts: 3, Wait: func(ctx context.Context, _ time.Duration) error {
			cancel()
			return wait(ctx, time.Hour)
		}})
		_, err := c.Answer(ctx, request(testPayload), nil)
		stop(t, err, 1)
	})
	t.Run("a deadline of the caller is reported as one", func(t *testing.T) {
		ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer cancel()
		_, err := client(t, Options{BaseURL: "http://127.0.0.1:1"}).Answer(ctx, request(testPayload), none)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRedirects(t *testing.T) {
	other := provider(t, func(http.ResponseWriter, *http.Request) { t.Error("the other host was contacted") })
	tests := []struct {
		name   string
		status int
		to     string // "" for the same host
		ok     bool
	}{
		{"307 on the same address repeats the request", 307, "", true},
		{"308 on the same address repeats the request", 308, "", true},
		{"302 on the same address would drop the body and is refused", 302, "", false},
		{"307 to another host is refused", 307, other.URL, false},
		{"301 to another host is refused", 301, other.URL, false},
		{"307 to another scheme is refused", 307, "https://127.0.0.1:1", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := provider(t,
				func(w http.ResponseWriter, r *http.Request) {
					http.Redirect(w, r, tt.to+"/v2/chat/completions", tt.status)
				},
				func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					if string(body) != testPayload || r.Header.Get("Authorization") != "Bearer "+testKey {
						t.Errorf("redirected request has body %q", body)
					}
					reply(200, okBody)(w, r)
				})
			_, err := client(t, Options{BaseURL: s.URL, MaxAttempts: 3}).Answer(t.Context(), request(testPayload), nil)
			var e *Error
			switch {
			case tt.ok && err != nil:
				t.Error(err)
			case !tt.ok && (!errors.As(err, &e) || e.Class != Refused || e.Attempts != 1 || !strings.Contains(err.Error(), "redirect")):
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("a loop of redirects ends", func(t *testing.T) {
		s := provider(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/chat/completions", http.StatusTemporaryRedirect)
		})
		if _, err := client(t, Options{BaseURL: s.URL}).Answer(t.Context(), request(testPayload), nil); err == nil {
			t.Error("no error")
		}
	})
}

func TestReplySize(t *testing.T) {
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(bytes.Repeat([]byte(" "), 4096)); err != nil {
				return
			}
		}
	}
	packed := func(body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(body)
			_ = z.Close()
		}
	}
	tests := []struct {
		name string
		h    http.HandlerFunc
		ok   bool
	}{
		{"a reply of exactly the limit is read", reply(200, okBody+strings.Repeat(" ", 1024-len(okBody))), true},
		{"one byte more is refused", reply(200, okBody+strings.Repeat(" ", 1025-len(okBody))), false},
		{"an endless reply is refused", endless, false},
		{"gzip is read", packed([]byte(okBody)), true},
		{"the limit counts bytes after decompression", packed(bytes.Repeat([]byte(" "), 1<<20)), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := provider(t, tt.h)
			_, err := client(t, Options{BaseURL: s.URL, MaxBody: 1024, MaxAttempts: 3}).Answer(t.Context(), request(testPayload), nil)
			var e *Error
			switch {
			case tt.ok && err != nil:
				t.Error(err)
			case !tt.ok && (!errors.As(err, &e) || e.Class != Malformed || e.Attempts != 1):
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestConcurrentCallsKeepTheirOwnBytes(t *testing.T) {
	s := provider(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"content":"%x"}}]}`, sha256.Sum256(body))
	})
	c := client(t, Options{BaseURL: s.URL})
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			req := request(fmt.Sprintf(`{"n": %d, "pad": "%s"}`, i, strings.Repeat("x", i*37)))
			got, err := c.Answer(t.Context(), req, nil)
			if err != nil || got.Text != req.Fingerprint {
				t.Errorf("call %d: %q, %v", i, got.Text, err)
			}
		})
	}
	wg.Wait()
}

func TestReplyTells(t *testing.T) {
	now := epoch
	s := provider(t, reply(500, ``), reply(200, okBody))
	c := client(t, Options{BaseURL: s.URL, MaxAttempts: 2, Now: func() time.Time {
		defer func() { now = now.Add(time.Second) }()
		return now
	}})
	got, err := c.Answer(t.Context(), request(testPayload), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Model != "served-model" || got.FinishReason != "stop" || got.Attempts != 2 || !got.Started.Equal(epoch) || got.Latency != time.Second {
		t.Errorf("got %+v", got)
	}
}

// A second reply on a connection can never be taken for the answer to the next
// question, and no request meets a connection that is about to be closed.
func TestAConnectionOfHTTP1CarriesOneRequest(t *testing.T) {
	connections := map[string]int{}
	s := provider(t, func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr]++
		reply(200, okBody)(w, r)
	})
	c := client(t, Options{BaseURL: s.URL + "/v1"})
	for range 5 {
		if _, err := c.Answer(t.Context(), request(testPayload), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(connections) != 5 {
		t.Errorf("%d connections for 5 questions", len(connections))
	}
}

// HTTP/2 tells replies apart, so its connection is kept.
func TestHTTP2IsSpokenOverAConnectionThatIsKeptUntilClose(t *testing.T) {
	var mu sync.Mutex
	opened := 0
	closed := make(chan struct{}, 8)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.ProtoMajor != 2 || string(body) != testPayload {
			t.Errorf("HTTP/%d, body %q", r.ProtoMajor, body)
		}
		reply(200, okBody)(w, r)
	}))
	s.EnableHTTP2 = true
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch state {
		case http.StateNew:
			opened++
		case http.StateClosed:
			closed <- struct{}{}
		}
	}
	s.StartTLS()
	defer s.Close()
	c := client(t, Options{BaseURL: s.URL + "/v1"})
	c.owned.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
	for range 5 {
		if got, err := c.Answer(t.Context(), request(testPayload), nil); err != nil || got.Text != " Lisbon\n" {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	mu.Lock()
	if opened != 2 { // the first was not known to be HTTP/2
		t.Errorf("%d connections were opened", opened)
	}
	mu.Unlock()
	c.Close()
	for range 2 {
		<-closed
	}
	if _, err := c.Answer(t.Context(), request(testPayload), nil); err != nil {
		t.Errorf("after it was closed: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct{ name, url, key, want string }{
		{"an empty base URL", " ", testKey, "is empty"},
		{"a key in place of the URL", testKey, testKey, "http://"},
		{"another scheme", "ftp://host/v1", testKey, "http://"},
		{"no host", "http:///v1", testKey, "no host"},
		{"a port without a host", "http://:80/v1", testKey, "no host"},
		{"credentials in the URL", "https://user:" + testKey + "@host/v1", testKey, "user name or password"},
		{"a query", "https://host/v1?key=" + testKey, testKey, "query"},
		{"a fragment", "https://host/v1#" + testKey, testKey, "fragment"},
		{"a URL that does not parse", "http://ho st/%zz" + testKey, testKey, "cannot be read"},
		{"a key with a line end inside", "https://host/v1", testKey + "\n" + testKey, "API key"},
		{"a key that is not ASCII", "https://host/v1", testKey + "é", "API key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(Options{BaseURL: tt.url, APIKey: tt.key})
			if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), testKey) {
				t.Errorf("%v holds the key", err)
			}
		})
	}
	if _, err := New(Options{BaseURL: "http://host", MaxAttempts: -1}); !errors.Is(err, ErrOptions) {
		t.Errorf("negative attempts: %v", err)
	}
	c, err := New(Options{BaseURL: " https://host/v1/ ", APIKey: testKey + "\n"})
	if err != nil || c.Endpoint() != "https://host/v1/chat/completions" || c.opts.APIKey != testKey {
		t.Errorf("blanks around URL and key: %v, %v", c, err)
	}
}
