// Tests that failures which the next row will meet too are told from those it
// may escape.

package answer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lastingBody is the longest reply here, in bytes.
const lastingBody = 1 << 12

type neverEnding struct{}

func (neverEnding) Read(b []byte) (int, error) { return copy(b, strings.Repeat(" ", len(b))), nil }

// lasting asks to the end and gives the cause that lasts.
func lasting(t *testing.T, o Options) string {
	t.Helper()
	o.MaxAttempts, o.MaxBody = 2, lastingBody
	_, err := client(t, o).Answer(t.Context(), request(testPayload), nil)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v", err)
	}
	return e.Lasting()
}

func TestConnectionsThatWillFailAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cause error
		want  string
	}{
		{"a name that does not exist", &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true}, "no such host"},
		{"a resolver that fails now", &net.DNSError{Err: "server misbehaving", IsTemporary: true}, ""},
		{"a resolver that fails now and finds nothing", &net.DNSError{Err: "no such host", IsNotFound: true, IsTemporary: true}, ""},
		{"a resolver that does not answer", &net.DNSError{Err: "i/o timeout", IsTimeout: true}, ""},
		{"a refused connection", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "the connection is refused"},
		{"a reset before the reply", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, ""},
		{"an address that is none", &net.OpError{Op: "dial", Err: &net.AddrError{Err: "invalid port", Addr: "99999"}}, "no connection can be made to this address"},
		{"an address that cannot be reached from here", &net.OpError{Op: "dial", Err: syscall.EINVAL}, "no connection can be made to this address"},
		{"a time limit of dialling", &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, "no connection in time"},
		{"a proxy that wants a password", proxyRefusal(407), "the proxy makes no connection, HTTP 407"},
		{"a proxy that finds no provider now", proxyRefusal(502), ""},
		{"a network that is down", &net.OpError{Op: "dial", Err: syscall.ENETUNREACH}, ""},
		{"a server without TLS", tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, "the server does not speak TLS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lasting(t, Options{BaseURL: "https://api.example.com/v1", Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, tt.cause })})
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// The resolver is asked for a name that the standard reserves for not existing.
func TestANameThatDoesNotExistLasts(t *testing.T) {
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "server misbehaving", IsTemporary: true}
	}}
	dial := func(r *net.Resolver) *http.Transport {
		return &http.Transport{DialContext: (&net.Dialer{Resolver: r}).DialContext}
	}
	if got := lasting(t, Options{BaseURL: "http://provider.invalid/v1", Transport: dial(resolver)}); got != "" {
		t.Errorf("a resolver that is away: %q", got)
	}
}

func TestRepliesThatWillFailAgain(t *testing.T) {
	message := func(status int, text string) http.HandlerFunc {
		return reply(status, fmt.Sprintf(`{"error":{"message":%q}}`, text))
	}
	for _, tt := range []struct {
		name string
		step http.HandlerFunc
		want string
	}{
		{"a wrong key", message(401, "no"), "HTTP 401"},
		{"no money", message(402, "pay"), "HTTP 402"},
		{"a wrong model", message(404, "unknown"), "HTTP 404"},
		{"a redirect elsewhere", redirect("http://192.0.2.1/", 307), "HTTP 307"},
		{"a bad request", message(400, "max_tokens is too large"), "HTTP 400: max_tokens is too large"},
		{"another bad request", message(400, "9000 tokens are too many"), "HTTP 400: … tokens are too many"},
		{"a request that cannot be processed", message(422, "unknown field"), "HTTP 422: unknown field"},
		{"a rate limit", message(429, "slow down"), ""},
		{"a failing server", message(500, "oops"), ""},
		{"not now", message(409, "busy"), ""},
		{"a reply that breaks off", cutMidBody, brokeOff},
		{"a connection that breaks before the reply", cutBeforeReply, ""},
		{"a greeting of another protocol", wire(t, text("SSH-2.0-OpenSSH_9.6\r\n")), "the server does not speak HTTP"},
		{"a web page", reply(200, "<html>sign in"), "a web page instead of a reply"},
		{"a reply without an answer", reply(200, `{"choices":[]}`), "no answer: it has no `choices`"},
		{"a reply with reasoning only", reply(200, `{"choices":[{"message":{"content":null,"reasoning":"hm"}}]}`), "no answer: `content` is missing or null; there is only reasoning"},
		{"a reply that quotes the key", reply(200, `{"choices":[{"message":{"content":"`+testKey+`"}}]}`), "no answer: the reply quotes the API key, so it is not stored"},
		{"an error with 200", message(200, "quota of request req_81bA2 is used up"), "no answer: an error object instead: quota of request … is used up"},
		{"an endless reply", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.Copy(w, io.LimitReader(neverEnding{}, 2*lastingBody))
		}, "no answer: the reply is longer than … bytes"},
		{"a request that names another id each time", message(400, "bad: req id 87, trace 0af7651916cd43dd, abcdefabcdef, at 20:31:55"), "HTTP 400: bad: req id …, trace …, …, at …:…:…"},
		{"a reply whose length is no number", wire(t, text("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n")), "the reply's headers cannot be read"},
		{"chunks that are none", wire(t, text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")), brokeOff},
		{"a time limit of the provider's own", message(408, "too slow"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := lasting(t, Options{BaseURL: provider(t, tt.step).URL + "/v1"}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	t.Run("a certificate nobody knows", func(t *testing.T) {
		s := httptest.NewUnstartedServer(reply(200, okBody))
		s.Config.ErrorLog = quiet()
		s.StartTLS()
		defer s.Close()
		if got := lasting(t, Options{BaseURL: s.URL + "/v1"}); got != "the certificate is not accepted" {
			t.Errorf("%q", got)
		}
	})
	t.Run("TLS where none is spoken", func(t *testing.T) {
		s := provider(t, reply(200, okBody))
		s.Config.ErrorLog = quiet()
		if got := lasting(t, Options{BaseURL: strings.Replace(s.URL, "http:", "https:", 1)}); got != "the server does not speak TLS" {
			t.Errorf("%q", got)
		}
	})
	t.Run("a time limit", func(t *testing.T) {
		got := lasting(t, Options{BaseURL: "http://127.0.0.1:1", Timeout: time.Nanosecond, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, fmt.Errorf("%w: %w", r.Context().Err(), io.ErrUnexpectedEOF)
		})})
		if got != "no connection in time" {
			t.Errorf("%q", got)
		}
	})
	t.Run("a provider that is always too slow", func(t *testing.T) {
		release := make(chan struct{})
		s := provider(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			select {
			case <-release:
			case <-r.Context().Done():
			}
		})
		t.Cleanup(func() { close(release) })
		var told []Attempt
		c := client(t, Options{BaseURL: s.URL + "/v1", Timeout: 50 * time.Millisecond, MaxAttempts: 2})
		_, err := c.Answer(t.Context(), request(testPayload), func(a Attempt) { told = append(told, a) })
		var e *Error
		if !errors.As(err, &e) || e.Lasting() != "no complete reply in time" {
			t.Fatalf("%v", err)
		}
		if !e.PerhapsPaid || !strings.Contains(e.Error(), "may have been paid for") {
			t.Errorf("that it may have been paid for is not told: %v", e)
		}
		for _, a := range told {
			if !a.PerhapsPaid || !strings.Contains(a.Problem, "may have been paid for") {
				t.Errorf("nor of an attempt: %+v", a)
			}
		}
	})
}

// What costs nothing is not told as perhaps paid.
func TestWhatMayHaveBeenPaidFor(t *testing.T) {
	for _, tt := range []struct {
		name string
		step http.HandlerFunc
		want bool
	}{
		{"a connection that breaks before the reply", cutBeforeReply, true},
		{"a reply that breaks off", cutMidBody, true},
		{"a failing server", reply(500, ``), false},
		{"another protocol", wire(t, text("SSH-2.0-OpenSSH_9.6\r\n")), false},
	} {
		s := provider(t, tt.step)
		_, err := client(t, Options{BaseURL: s.URL + "/v1"}).Answer(t.Context(), request(testPayload), nil)
		var e *Error
		if !errors.As(err, &e) || e.PerhapsPaid != tt.want {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	_, err := client(t, Options{BaseURL: "http://127.0.0.1:1/v1", Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	})}).Answer(t.Context(), request(testPayload), nil)
	var e *Error
	if !errors.As(err, &e) || e.PerhapsPaid {
		t.Errorf("a refused connection: %v", err)
	}
}
