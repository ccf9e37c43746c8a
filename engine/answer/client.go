// Package answer asks an OpenAI-compatible provider the questions of a study:
// it sends exactly the fingerprinted bytes, keeps what a row stores of the
// reply, and retries what the protocol says may be retried. It never writes to
// a file or a log, and nothing it returns holds the key or the request.
package answer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"
	openai "github.com/sashabaranov/go-openai"

	"deermem-tui/protocol/prompt"
)

// Defaults that Options replace.
const (
	DefaultTimeout       = 120 * time.Second // one attempt, body included
	DefaultMaxRetryAfter = 60 * time.Second  // the longest wait a provider can ask for
	DefaultMaxBody       = 32 << 20          // bytes of one reply, after decompression
)

// Options say where a Client asks and how patiently. Only BaseURL is needed.
type Options struct {
	BaseURL     string        // http(s)://host[:port][/path], trailing slash or not
	APIKey      string        // sent as a bearer token; empty sends no Authorization header
	Timeout     time.Duration // of one attempt; 0 means DefaultTimeout
	MaxAttempts int           // calls per Answer, the first included; 0 means 1

	MaxRetryAfter time.Duration // caps a Retry-After header; 0 means DefaultMaxRetryAfter
	MaxBody       int64         // bytes; 0 means DefaultMaxBody

	// Transport carries the requests; nil means a private copy of net/http's
	// default one, with its proxy variables and certificate checks. Redirects
	// and the proxy's own answers are judged here, not in the transport.
	Transport http.RoundTripper
	// NewBackOff makes the waits of one Answer; nil means exponential with
	// jitter: 1 s, doubled each time, at most 30 s, each spread by half.
	NewBackOff func() backoff.BackOff
	// Now is the clock of Reply.Started, latencies and Retry-After dates.
	Now func() time.Time
	// Wait sleeps between two attempts and returns ctx.Err() when ctx ends
	// first.
	Wait func(ctx context.Context, d time.Duration) error
}

// String and GoString keep the key out of whatever prints the options.
func (o Options) String() string   { return "provider options" }
func (o Options) GoString() string { return o.String() }

// Client asks one provider. It may be used by several goroutines at once.
type Client struct {
	opts     Options
	endpoint string
	http     *http.Client
	owned    *http.Transport // closed by Close; nil when the caller's own
	secrets  *scrubber
}

// New checks the options and makes a client without contacting anyone. Its
// errors wrap ErrOptions and never repeat the base URL or the key, since
// either variable may hold a secret pasted into the wrong place.
func New(o Options) (*Client, error) {
	base, err := checkBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	key, err := checkKey(o.APIKey)
	if err != nil {
		return nil, err
	}
	if o.MaxAttempts < 0 || o.Timeout < 0 || o.MaxRetryAfter < 0 || o.MaxBody < 0 {
		return nil, fmt.Errorf("%w: attempts, time limits and sizes must not be negative", ErrOptions)
	}
	o.BaseURL, o.APIKey = base, key
	c := &Client{opts: withDefaults(o), endpoint: base + "/chat/completions", secrets: newScrubber(key)}
	transport := o.Transport
	if transport == nil {
		c.owned = newTransport()
		transport = c.owned
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: sameAddressOnly}
	return c, nil
}

func withDefaults(o Options) Options {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = 1
	}
	if o.MaxRetryAfter == 0 {
		o.MaxRetryAfter = DefaultMaxRetryAfter
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.NewBackOff == nil {
		o.NewBackOff = defaultBackOff
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	return o
}

// Endpoint is the URL requests go to. It holds no credentials: New refuses
// base URLs that do.
func (c *Client) Endpoint() string { return c.endpoint }

// String and GoString keep the key out of whatever prints the client.
func (c *Client) String() string   { return "provider client for " + c.endpoint }
func (c *Client) GoString() string { return c.String() }

// Close drops idle connections. Calls in flight are ended by their contexts,
// not here.
func (c *Client) Close() {
	if c.owned != nil {
		c.owned.CloseIdleConnections()
	}
}

// Attempt describes one call that did not give an answer.
type Attempt struct {
	Number  int           // from 1
	Class   Class         // what went wrong
	Status  int           // HTTP status, 0 when no response came
	Latency time.Duration // from sending to the failure
	Wait    time.Duration // until the next attempt; 0 when none follows
	Problem string        // one cleaned line
}

// Answer sends req until it gets an answer, a failure that must not be
// retried, or MaxAttempts failures. onAttempt, when not nil, is told of every
// failed attempt before the wait that follows it, from the same goroutine.
//
// The error is an *Error. When ctx ended, errors.Is(err, ctx.Err()) holds and
// its class is Canceled.
func (c *Client) Answer(ctx context.Context, req prompt.Request, onAttempt func(Attempt)) (Reply, error) {
	waits := c.opts.NewBackOff()
	waits.Reset()
	started := c.opts.Now()
	for number := 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return Reply{}, canceled(err, number-1)
		}
		begun := c.opts.Now()
		reply, fail := c.attempt(ctx, req)
		latency := c.opts.Now().Sub(begun)
		if fail == nil {
			reply.Attempts, reply.Started, reply.Latency = number, started, latency
			return reply, nil
		}
		// A failure seen after ctx ended is the ending's doing.
		if err := ctx.Err(); err != nil {
			return Reply{}, canceled(err, number)
		}
		fail.Attempts = number
		pause, again := c.pause(fail, waits, number)
		if onAttempt != nil {
			onAttempt(Attempt{
				Number: number, Class: fail.Class, Status: fail.Status,
				Latency: latency, Wait: pause, Problem: fail.problem(),
			})
		}
		if !again {
			return Reply{}, fail
		}
		if err := c.opts.Wait(ctx, pause); err != nil {
			if cause := ctx.Err(); cause != nil {
				err = cause
			}
			return Reply{}, canceled(err, number)
		}
	}
}

// pause says how long to wait after a failure and whether another attempt is
// allowed at all. A provider's Retry-After replaces the computed wait.
func (c *Client) pause(fail *Error, waits backoff.BackOff, number int) (time.Duration, bool) {
	if !fail.Retryable() || number >= c.opts.MaxAttempts {
		return 0, false
	}
	next := waits.NextBackOff()
	if next == backoff.Stop {
		return 0, false
	}
	if fail.retryAfter != nil {
		next = min(max(*fail.retryAfter, 0), c.opts.MaxRetryAfter)
	}
	return next, true
}

// attempt makes one call. The library builds the URL and the headers from a
// stand-in request; the exchange puts the fingerprinted bytes in its place.
func (c *Client) attempt(ctx context.Context, req prompt.Request) (Reply, *Error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()

	x := &exchange{client: c.http, payload: req.Payload, limit: c.opts.MaxBody}
	config := openai.DefaultConfig(c.opts.APIKey)
	config.BaseURL = c.opts.BaseURL
	config.HTTPClient = x
	// The library's own reading of the reply is too narrow (it fails on usage
	// numbers given as text) and its errors quote bodies, so both its results
	// are ignored for what the exchange saw.
	_, libErr := openai.NewClientWithConfig(config).CreateChatCompletion(ctx, standIn())

	clean := c.secrets.forRequest(req.Payload)
	switch {
	case !x.called:
		return Reply{}, &Error{Class: Malformed, Message: clean.text(fmt.Sprint(libErr))}
	case x.err != nil:
		return Reply{}, c.transportError(ctx, x, clean)
	case x.status < 200 || x.status > 299:
		return Reply{}, c.statusError(x, clean)
	}
	reply, err := readReply(x.body, clean)
	if err != nil {
		return Reply{}, &Error{Class: Malformed, Status: x.status, Message: err.Error()}
	}
	return reply, nil
}

// standIn is never sent. Its model name is none the library has opinions on,
// since it refuses some real ones by name.
func standIn() openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model:    "stand-in",
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser}},
	}
}

func (c *Client) transportError(ctx context.Context, x *exchange, clean *cleaner) *Error {
	e := &Error{Class: Network, Status: x.status, Message: clean.text(transportCause(x.err))}
	switch {
	case errors.Is(x.err, errTooLarge):
		e.Class = Malformed
		e.Message = fmt.Sprintf("the reply is longer than %d bytes", c.opts.MaxBody)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Class = Timeout
		e.Message = fmt.Sprintf("no complete reply within %s", c.opts.Timeout)
	case isTimeout(x.err): // a limit of the transport's own, such as dialling's
		e.Class = Timeout
	}
	return e
}

func (c *Client) statusError(x *exchange, clean *cleaner) *Error {
	e := &Error{Class: classOf(x.status), Status: x.status}
	if x.status >= 300 && x.status <= 399 {
		e.Message = "a redirect that was not followed: it leads to another address or drops the request"
		return e
	}
	e.Message = providerMessage(x.body, clean)
	e.retryAfter = retryAfter(x.header.Get("Retry-After"), c.opts.Now())
	return e
}
