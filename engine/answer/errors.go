// This file names the ways a call can fail, so that callers choose by type
// and every message says what happened and what to do.

package answer

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Class is why an attempt gave no answer.
type Class string

// The classes. Network, Timeout, RateLimit, Busy and Server are retried.
const (
	Network   Class = "network"    // no connection, or it broke
	Timeout   Class = "timeout"    // no complete reply within Options.Timeout, or HTTP 408
	RateLimit Class = "rate-limit" // HTTP 429
	Busy      Class = "busy"       // HTTP 409 or 425: not now
	Server    Class = "server"     // HTTP 5xx
	Refused   Class = "refused"    // any other status: the provider refused the request
	Malformed Class = "malformed"  // a reply that holds no answer text
	Canceled  Class = "canceled"   // the caller's context ended
	Denied    Class = "denied"     // the context's Gate kept the call from being made
)

// Error is a call that gave no answer. It wraps nothing but a context's or a
// Gate's error: net/http's own errors can quote URLs and what a server sent.
type Error struct {
	Class    Class
	Status   int    // HTTP status, 0 when no response came
	Attempts int    // calls made
	Requests int    // HTTP requests sent in them, redirects included
	Message  string // the provider's words or the cause: one line, cleaned, secrets removed

	// Of a reply that holds no answer but was paid for; nil and empty otherwise.
	Usage     map[string]*big.Int
	FullUsage any
	Model     string

	PerhapsPaid bool // the last call went out, and no reply told what became of it

	lasting    string         // the cause, where the next row is likely to meet it too; see Lasting
	retryAfter *time.Duration // as the provider asked, uncapped; nil if it did not
	cause      error          // context.Canceled, context.DeadlineExceeded or the Gate's
}

// Retryable says whether the protocol allows another attempt.
func (e *Error) Retryable() bool {
	switch e.Class {
	case Network, Timeout, RateLimit, Busy, Server:
		return true
	default:
		return false
	}
}

// Error says what failed, after how many calls, and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.problem())
	switch e.Attempts {
	case 0:
	case 1:
		b.WriteString(" (1 attempt)")
	default:
		fmt.Fprintf(&b, " (%d attempts)", e.Attempts)
	}
	if hint := e.hint(); hint != "" {
		b.WriteString("; " + hint)
	}
	return b.String()
}

// Unwrap gives the context's or the Gate's error when that ended the call.
func (e *Error) Unwrap() error { return e.cause }

// problem is the failure in one line, without advice.
func (e *Error) problem() string {
	s := map[Class]string{
		Network:   "the provider could not be reached, or the connection broke",
		Timeout:   "the provider took too long",
		RateLimit: "the provider's rate limit was reached",
		Busy:      "the provider could not take the request now",
		Server:    "the provider failed",
		Refused:   "the provider refused the request",
		Malformed: "the reply holds no answer",
		Canceled:  "the call was stopped",
		Denied:    "the call was not made",
	}[e.Class]
	if e.Status != 0 && e.Class != Malformed && e.Class != Canceled {
		s += ", HTTP " + strconv.Itoa(e.Status)
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	if e.PerhapsPaid {
		s += "; the call may have been paid for"
	}
	return s
}

func (e *Error) hint() string {
	switch {
	case e.Class == Malformed || e.Class == Canceled || e.Class == Denied:
		return ""
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return "check the API key variable"
	case e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity:
		return "check the model's name and the qa settings of the configuration"
	case e.Status == http.StatusPaymentRequired:
		return "check the balance of the account"
	case e.Status == http.StatusRequestEntityTooLarge:
		return "check how long a request the provider and the model take"
	case e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotAcceptable || e.Status == http.StatusGone || e.Status == http.StatusUnsupportedMediaType:
		return "check the base URL: this may be no chat completions endpoint"
	case e.Status == http.StatusNotFound:
		return "check the base URL and the model's name"
	case e.Class == Refused && e.Status >= 300 && e.Status <= 399:
		return "check the base URL"
	case e.Class == RateLimit:
		return "resume later or with fewer workers"
	case e.Retryable():
		return "check the base URL and the network, then resume"
	default:
		return ""
	}
}

func classOf(status int) Class {
	switch {
	case status == http.StatusTooManyRequests:
		return RateLimit
	case status == http.StatusRequestTimeout:
		return Timeout
	case status == http.StatusConflict, status == http.StatusTooEarly:
		return Busy
	case status >= 500:
		return Server
	default:
		return Refused
	}
}

func canceled(cause error, attempts int) *Error {
	// Only the two standard errors are kept: a context's cause is the
	// caller's and could say anything.
	if errors.Is(cause, context.DeadlineExceeded) {
		cause = context.DeadlineExceeded
	} else {
		cause = context.Canceled
	}
	return &Error{Class: Canceled, Attempts: attempts, cause: cause}
}

// transportCause is a connection error's text without the method and URL that
// net/http puts before it, nor what it says for nobody.
func transportCause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	// What a server sent is quoted in Go's way, which would hide a key from
	// those who look for it.
	text := withoutBackslashes(err.Error())
	if strings.HasPrefix(text, "readLoopPeekFailLocked: %!w") {
		return "the server sent something before it was asked"
	}
	return strings.TrimPrefix(text, "net/http: HTTP/1.x transport connection broken: ")
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// denied is an Answer whose next call a Gate refused.
func denied(cause error, attempts int) *Error {
	return &Error{Class: Denied, Attempts: attempts, Message: cause.Error(), cause: cause}
}

// askedWait reads how long a provider wants to be left alone: the common
// Retry-After, or the finer retry-after-ms that some send beside it.
func askedWait(h http.Header, now time.Time) *time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms >= 0 {
		d := time.Duration(min(ms, 1e9) * float64(time.Millisecond))
		return &d
	}
	return retryAfter(h.Get("Retry-After"), now)
}

// retryAfter reads a Retry-After header, in seconds or as an HTTP date. It
// gives nil for an absent or unreadable one; the wait may be negative or
// absurd, which the caller bounds.
func retryAfter(header string, now time.Time) *time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds >= 0 {
		d := time.Duration(min(seconds, 1e6) * float64(time.Second))
		return &d
	}
	if date, err := http.ParseTime(header); err == nil {
		d := date.Sub(now)
		return &d
	}
	return nil
}
