// This file is the one place where bytes meet the network: it swaps the
// library's body for the fingerprinted one and keeps the raw reply.

package answer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

var errTooLarge = errors.New("reply too large")

// An exchange is one request and its raw reply. It stands between the library
// and net/http as the library's HTTP client, and lives for one attempt only,
// so no two calls can see each other's bytes.
type exchange struct {
	client  *http.Client
	payload []byte
	limit   int64
	sends   *sends
	shared  *atomic.Bool // connections carry requests side by side (HTTP/2)

	libErr error // what the library made of the reply; only told if nothing was sent
	called bool
	err    error // from the connection, the body, or errTooLarge
	last   int   // the status of the last request's reply, 0 for none
	status int   // set once the reply's headers came
	header http.Header
	body   []byte // whole, decompressed, at most limit bytes
	open   bool   // nothing but the end of the connection ends the body

	unfollowed string      // why a redirect was not followed
	connected  atomic.Bool // the last request had a connection to go out on
}

// Do sends the payload in place of the library's body.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	x.called = true
	if req.Body != nil {
		_ = req.Body.Close() // the library's stand-in, a buffer in memory
	}
	req.Body = io.NopCloser(bytes.NewReader(x.payload))
	req.ContentLength = int64(len(x.payload))
	// Needed when a redirect on the same address repeats the request. net/http
	// itself repeats a POST only when none of it was written.
	req.GetBody = func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(x.payload)), nil
	}
	// Over HTTP/1, a connection is used for one request only. A server or a proxy
	// that sends more than one reply to it would have the next question answered
	// by a reply to this one; and where a connection that rested breaks, nobody
	// knows whether the request was taken. HTTP/2 tells replies apart.
	req.Close = !x.shared.Load()
	ctx := httptrace.WithClientTrace(context.WithValue(req.Context(), exchangeKey{}, x),
		&httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { x.connected.Store(true) }})
	res, err := x.client.Do(req.WithContext(ctx))
	if err != nil {
		x.err = err
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	x.status, x.header = res.StatusCode, res.Header
	x.shared.Store(res.ProtoMajor >= 2)
	x.open = res.ProtoMajor == 1 && res.ContentLength < 0 && len(res.TransferEncoding) == 0 && !res.Uncompressed
	if x.status == http.StatusSwitchingProtocols {
		// Not asked for. What follows is no body, and may never end: neither
		// the time limit nor the context reaches it.
		return res, nil
	}
	x.body, x.err = io.ReadAll(io.LimitReader(res.Body, x.limit+1))
	if x.err == nil && int64(len(x.body)) > x.limit {
		x.body, x.err = nil, errTooLarge
	}
	if x.err != nil {
		return nil, x.err
	}
	res.Body = io.NopCloser(bytes.NewReader(x.body))
	return res, nil
}
