// This file counts what is really sent. One call may be several requests: a
// redirect repeats it, and so does a base URL that wants a /v1. Whoever pays
// counts requests, not calls.

package answer

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Sending is one HTTP request that is about to be sent.
type Sending struct {
	Attempt int  // of its Answer, from 1
	Request int  // of its Answer, from 1; the same as Attempt where each attempt is one request
	Again   bool // the same attempt sent one before: a redirect, or another base URL
}

// BeforeRequest is asked right before each request goes out, however it came
// about, before there is a connection for it. It is called from the goroutine
// of the Answer while the attempt's time limit runs: it should write its line
// and return. An error keeps the request from being sent and ends the Answer
// with the class Denied, wrapping it.
type BeforeRequest func(ctx context.Context, s Sending) error

type beforeKey struct{}

// WithBeforeRequest gives a context whose Answers ask f before each request.
// A Gate, which may wait, is asked before each attempt; both may be set.
func WithBeforeRequest(ctx context.Context, f BeforeRequest) context.Context {
	return context.WithValue(ctx, beforeKey{}, f)
}

// AskBeforeRequest asks ctx's BeforeRequest, if it has one, as a Client does.
// It is for other Answerers.
func AskBeforeRequest(ctx context.Context, s Sending) error {
	if f, ok := ctx.Value(beforeKey{}).(BeforeRequest); ok && f != nil {
		return f(ctx, s)
	}
	return nil
}

// sends counts the requests of one Answer.
type sends struct {
	attempt int   // the one under way
	sent    int   // requests of this attempt
	all     int   // requests of the whole Answer
	refused error // why the last request must not be sent
}

// begin starts another attempt.
func (s *sends) begin(attempt int) { s.attempt, s.sent, s.refused = attempt, 0, nil }

// attempts gives how many were made, the one under way included if it sent
// anything.
func (s *sends) attempts() int {
	if s.sent == 0 {
		return s.attempt - 1
	}
	return s.attempt
}

// permit counts a request, or says why it must not be sent.
func (s *sends) permit(ctx context.Context) error {
	if s.refused = AskBeforeRequest(ctx, Sending{Attempt: s.attempt, Request: s.all + 1, Again: s.sent > 0}); s.refused != nil {
		return s.refused
	}
	s.sent++
	s.all++
	return nil
}

// several tells of requests where an attempt made more than one.
func (s *sends) several() string {
	if s.sent < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d requests were sent)", s.sent)
}

type exchangeKey struct{}

// exchangeOf gives the exchange that a request belongs to; the requests of
// redirects belong to that of the first.
func exchangeOf(req *http.Request) *exchange {
	x, _ := req.Context().Value(exchangeKey{}).(*exchange)
	return x
}

// A meter stands before the transport: net/http passes each request of a call
// through it.
type meter struct{ next http.RoundTripper }

func (m meter) RoundTrip(req *http.Request) (*http.Response, error) {
	x := exchangeOf(req)
	if x == nil {
		return m.next.RoundTrip(req)
	}
	if err := x.sends.permit(req.Context()); err != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	x.last = 0
	x.connected.Store(false)
	res, err := m.next.RoundTrip(req)
	if err == nil {
		x.last = res.StatusCode
	}
	return res, err
}

// maxRedirects is how many are followed in one attempt.
const maxRedirects = 3

// sameAddressOnly lets a redirect be followed only if it keeps scheme, host,
// port, method and body, so that neither key nor question reaches another
// server. It notes why it does not.
func sameAddressOnly(req *http.Request, via []*http.Request) error {
	first, why := via[0], ""
	switch {
	case req.URL.Scheme != first.URL.Scheme || !strings.EqualFold(req.URL.Host, first.URL.Host):
		why = "it leads to another address"
	case req.Method != first.Method:
		why = "it would drop the request"
	case len(via) > maxRedirects:
		why = "it leads in circles"
	default:
		return nil
	}
	if x := exchangeOf(req); x != nil {
		x.unfollowed = why
	}
	return http.ErrUseLastResponse
}
