// Package answer asks an OpenAI-compatible provider the questions of a study:
// it sends exactly the fingerprinted bytes, keeps what a row stores of the
// reply, and retries what the protocol says may be retried. It never writes to
// a file or a log, and nothing it returns holds the key or the request.
package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	openai "github.com/sashabaranov/go-openai"

	"deermem-tui/protocol/prompt"
)

// Defaults that Options replace.
const (
	DefaultTimeout       = 120 * time.Second // one attempt, body included
	DefaultMaxRetryAfter = 60 * time.Second  // the longest wait a provider can ask for
	DefaultMaxBody       = 8 << 20           // bytes of one reply, after decompression
)

// Options say where a Client asks and how patiently. Only BaseURL is needed.
type Options struct {
	BaseURL     string        // http(s)://host[:port][/path], or the whole endpoint
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
	opts    Options
	http    *http.Client
	owned   *http.Transport // closed by Close; nil when the caller's own
	lines   *lines          // of owned
	proxy   *url.URL        // requests go through it; nil for none
	secrets *scrubber
	shared  atomic.Bool // the last reply came over HTTP/2

	mu    sync.Mutex
	base  string    // without /chat/completions
	guess bool      // the base names no path: /v1 is tried where it is unknown
	held  time.Time // no call is begun before: the provider's rate limit
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
	c := &Client{opts: withDefaults(o), base: base, guess: hasNoPath(base), secrets: newScrubber(key)}
	if holdsKey(base, key, c.secrets) {
		return nil, fmt.Errorf("%w holds the API key; leave it to the key variable", ErrBaseURL)
	}
	transport := o.Transport
	if transport == nil {
		c.owned, c.lines = newTransport()
		if c.proxy, err = proxyOf(c.owned, base); err != nil {
			return nil, err
		}
		transport = c.owned
	}
	c.http = &http.Client{Transport: meter{transport}, CheckRedirect: sameAddressOnly}
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
func (c *Client) Endpoint() string { return c.root() + endpointPath }

func (c *Client) root() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base
}

// String and GoString keep the key out of whatever prints the client.
func (c *Client) String() string   { return "provider client for " + c.Endpoint() }
func (c *Client) GoString() string { return c.String() }

// Close ends the client's connections, and with them the calls in flight: wait
// for those first. The client may be used again. A Transport of the caller's
// own is left alone.
func (c *Client) Close() {
	if c.owned != nil {
		c.owned.CloseIdleConnections()
		c.lines.close()
	}
}

// Attempt describes one call that did not give an answer or, where Held, a
// wait before one.
type Attempt struct {
	Number   int           // from 1
	Class    Class         // what went wrong
	Status   int           // HTTP status, 0 when no response came
	Requests int           // HTTP requests sent in this attempt; more than 1 after a redirect, 0 where Held
	Latency  time.Duration // from sending to the failure
	Wait     time.Duration // until the next attempt; may be 0 even if one follows
	Until    time.Time     // when the wait ends; zero when no attempt follows
	Final    bool          // no attempt follows
	Held     bool          // nothing was sent: another call met the rate limit
	Problem  string        // one cleaned line

	PerhapsPaid bool // a request went out, and no reply told what became of it
}

// Answer sends req until it gets an answer, a failure that must not be
// retried, or MaxAttempts failures. onAttempt, when not nil, is told of every
// failed attempt before the wait that follows it, and of every wait for a rate
// limit that another call met, from the same goroutine.
//
// The error is an *Error. When ctx ended, errors.Is(err, ctx.Err()) holds and
// its class is Canceled; where ctx's Gate refused the call, or its BeforeRequest
// a request, it is Denied.
func (c *Client) Answer(ctx context.Context, req prompt.Request, onAttempt func(Attempt)) (Reply, error) {
	if onAttempt == nil {
		onAttempt = func(Attempt) {}
	}
	a := &asking{client: c, req: req, tell: onAttempt, waits: c.opts.NewBackOff(), started: c.opts.Now(), sends: &sends{}}
	a.waits.Reset()
	return a.answer(ctx)
}

// attempt makes one call, or two where the base URL may want a /v1. The
// library builds the URL and the headers from a stand-in request; the exchange
// puts the fingerprinted bytes in its place.
func (c *Client) attempt(ctx context.Context, req prompt.Request, s *sends) (Reply, *Error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()

	x := c.send(ctx, req, s)
	clean := c.secrets.forRequest(req.Payload)
	switch {
	case s.refused != nil:
		return Reply{}, denied(s.refused, 0)
	case !x.called:
		return Reply{}, &Error{Class: Malformed, Message: clean.text(fmt.Sprint(x.libErr))}
	case x.err != nil && x.status == 0 && x.last >= 300 && x.last <= 399:
		// net/http gives no reply where it cannot read where a redirect leads.
		return Reply{}, &Error{Class: Refused, Status: x.last, Message: "a redirect was not followed: its address cannot be read" + s.several()}
	case x.err != nil:
		return Reply{}, c.transportError(ctx, x, clean)
	case x.status < 200 || x.status > 299:
		return Reply{}, c.statusError(x, clean)
	}
	reply, err := readReply(x.body, clean)
	switch {
	case err == nil:
		return reply, nil
	case x.open && isCutJSON(x.body):
		return Reply{}, &Error{Class: Network, Status: x.status, Message: "the reply ended in the middle", PerhapsPaid: true, lasting: brokeOff}
	case isPacked(x.header) && errors.As(err, new(notJSONError)):
		err = errors.New("it is compressed in a way that was not asked for")
	}
	e := &Error{Class: Malformed, Status: x.status, Message: err.Error(), Usage: reply.Usage, FullUsage: reply.FullUsage, Model: reply.Model}
	if isPage(x.body) {
		e.lasting = "a web page instead of a reply"
	}
	return Reply{}, e
}

// send makes the call and, where nothing is served at the base URL, once more
// where the API may be.
func (c *Client) send(ctx context.Context, req prompt.Request, s *sends) *exchange {
	base := c.root()
	x := c.exchange(ctx, base, req, s)
	if !unknownPath(x) {
		c.settle(base, x)
		return x
	}
	other, ok := c.otherBase(base)
	if !ok {
		return x
	}
	y := c.exchange(ctx, other, req, s)
	if unknownPath(y) {
		return x
	}
	c.settle(other, y)
	return y
}

// exchange makes the HTTP call and keeps what came back.
func (c *Client) exchange(ctx context.Context, base string, req prompt.Request, s *sends) *exchange {
	x := &exchange{client: c.http, payload: req.Payload, limit: c.opts.MaxBody, sends: s, shared: &c.shared}
	config := openai.DefaultConfig(c.opts.APIKey)
	config.BaseURL = base
	config.HTTPClient = x
	// The library's own reading of the reply is too narrow (it fails on usage
	// numbers given as text) and its errors quote bodies, so both its results
	// are ignored for what the exchange saw.
	_, x.libErr = openai.NewClientWithConfig(config).CreateChatCompletion(ctx, standIn())
	return x
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
	e := &Error{Class: Network, Status: x.status, Message: clean.text(transportCause(x.err)), lasting: lastingCause(x)}
	switch {
	case errors.Is(x.err, errTooLarge):
		e.Class, e.lasting = Malformed, ""
		e.Message = fmt.Sprintf("the reply is longer than %d bytes", c.opts.MaxBody)
	case isUnpacking(x.err):
		e.Class, e.lasting = Malformed, ""
		e.Message = "it cannot be decompressed"
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		e.Class, e.lasting = Timeout, lateCause(x)
		e.Message = fmt.Sprintf("no complete reply within %s", c.opts.Timeout)
	case isTimeout(x.err): // a limit of the transport's own, such as dialling's
		e.Class, e.lasting = Timeout, lateCause(x)
	}
	// What is no HTTP is no provider's, and takes no money.
	e.PerhapsPaid = e.Class != Malformed && (x.connected.Load() || x.status != 0) && e.lasting != notHTTP
	return e
}

func (c *Client) statusError(x *exchange, clean *cleaner) *Error {
	e := &Error{Class: classOf(x.status), Status: x.status}
	if x.status >= 300 && x.status <= 399 {
		why := cmp.Or(x.unfollowed, "it does not say where it leads")
		e.Message = "a redirect was not followed: " + why + x.sends.several()
		return e
	}
	e.Message = providerMessage(x.body, clean)
	e.retryAfter = askedWait(x.header, c.opts.Now())
	return e
}
