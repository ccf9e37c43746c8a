// Tests that every HTTP request is counted and can be refused, whatever made it.

package answer

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func redirect(to string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) }
}

func TestEveryRequestIsCounted(t *testing.T) {
	ok := reply(200, okBody)
	circle := redirect("/v1/chat/completions", 307)
	for _, tt := range []struct {
		name     string
		base     string
		steps    []http.HandlerFunc
		class    Class // "" for an answer
		attempts int
		each     []int // requests of the attempts that failed
		all      int
		says     string
	}{
		{"an answer at once", "/v1", []http.HandlerFunc{ok}, "", 1, nil, 1, ""},
		{"an answer behind two redirects", "/v1", []http.HandlerFunc{circle, circle, ok}, "", 1, nil, 3, ""},
		{"redirects in circles", "/v1", []http.HandlerFunc{circle}, Refused, 1, []int{4}, 4, "it leads in circles (4 requests were sent)"},
		{"a redirect to another address", "/v1", []http.HandlerFunc{redirect("http://192.0.2.1/", 307)}, Refused, 1, []int{1}, 1, "it leads to another address"},
		{"a second one to another address", "/v1", []http.HandlerFunc{circle, redirect("http://192.0.2.1/", 307)}, Refused, 1, []int{2}, 2, "it leads to another address (2 requests were sent)"},
		{"a redirect that drops the request", "/v1", []http.HandlerFunc{redirect("/", 303)}, Refused, 1, []int{1}, 1, "it would drop the request"},
		{"a redirect to nowhere", "/v1", []http.HandlerFunc{reply(307, "")}, Refused, 1, []int{1}, 1, "it does not say where it leads"},
		{"a redirect that cannot be read", "/v1", []http.HandlerFunc{header("Location", "http://%zz/", reply(307, ""))}, Refused, 1, []int{1}, 1, "its address cannot be read"},
		{"a failure behind a redirect, then an answer", "/v1", []http.HandlerFunc{circle, reply(500, ``), ok}, "", 2, []int{2}, 3, ""},
		{"a break behind a redirect, then an answer", "/v1", []http.HandlerFunc{circle, cutBeforeReply, ok}, "", 2, []int{2}, 3, ""},
		{"a base URL that wants a /v1", "", []http.HandlerFunc{reply(404, ``), ok}, "", 1, nil, 2, ""},
		{"a base URL where nothing is", "", []http.HandlerFunc{reply(404, ``)}, Refused, 1, []int{2}, 2, "HTTP 404"},
		{"failures to the end", "/v1", []http.HandlerFunc{cutBeforeReply}, Network, 3, []int{1, 1, 1}, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var served atomic.Int32
			s := provider(t, tt.steps...)
			inner := s.Config.Handler
			s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served.Add(1); inner.ServeHTTP(w, r) })
			var asked []Sending
			ctx := WithBeforeRequest(t.Context(), func(_ context.Context, s Sending) error { asked = append(asked, s); return nil })
			var each []int
			got, err := client(t, Options{BaseURL: s.URL + tt.base, MaxAttempts: 3}).Answer(ctx, request(testPayload), func(a Attempt) { each = append(each, a.Requests) })
			if !slices.Equal(each, tt.each) || len(asked) != tt.all || int(served.Load()) != tt.all {
				t.Errorf("requests %v, asked about %d, served %d; want %v, %d", each, len(asked), served.Load(), tt.each, tt.all)
			}
			for i, s := range asked {
				if s.Request != i+1 || s.Again != (i > 0 && asked[i-1].Attempt == s.Attempt) {
					t.Errorf("request %d is told as %+v", i+1, s)
				}
			}
			var e *Error
			switch {
			case tt.class == "" && (err != nil || got.Attempts != tt.attempts || got.Requests != tt.all):
				t.Errorf("%+v, %v", got, err)
			case tt.class != "" && (!errors.As(err, &e) || e.Class != tt.class || e.Attempts != tt.attempts || e.Requests != tt.all || !strings.Contains(e.Error(), tt.says)):
				t.Errorf("%v: %+v", err, e)
			}
		})
	}
}

func TestARequestThatIsRefusedIsNotSent(t *testing.T) {
	full := errors.New("the limit is reached")
	for _, tt := range []struct {
		name     string
		base     string
		last     int // requests that are let through
		attempts int
		step     http.HandlerFunc
	}{
		{"the first", "/v1", 0, 0, reply(200, okBody)},
		{"that of another attempt", "/v1", 1, 1, reply(503, ``)},
		{"that of a redirect", "/v1", 2, 1, redirect("/v1/chat/completions", 307)},
		{"that to another base URL", "", 1, 1, reply(404, ``)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var served atomic.Int32
			s := provider(t, func(w http.ResponseWriter, r *http.Request) { served.Add(1); tt.step(w, r) })
			ctx := WithBeforeRequest(t.Context(), func(_ context.Context, s Sending) error {
				if s.Request > tt.last {
					return full
				}
				return nil
			})
			_, err := client(t, Options{BaseURL: s.URL + tt.base, MaxAttempts: 5}).Answer(ctx, request(testPayload), nil)
			var e *Error
			if !errors.As(err, &e) || e.Class != Denied || !errors.Is(err, full) || e.Attempts != tt.attempts || e.Requests != tt.last || int(served.Load()) != tt.last {
				t.Errorf("%v (%+v), %d served", err, e, served.Load())
			}
		})
	}
}

// What was sent before a stop is told with it.
func TestAStopTellsWhatWasSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := provider(t, redirect("/v1/chat/completions", 307), reply(503, ``))
	c := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 3, Wait: func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }})
	_, err := c.Answer(ctx, request(testPayload), nil)
	var e *Error
	if !errors.As(err, &e) || e.Class != Canceled || e.Attempts != 1 || e.Requests != 2 {
		t.Errorf("%+v", e)
	}
}
