// This file is the one place where bytes meet the network: it swaps the
// library's body for the fingerprinted one and keeps the raw reply.

package answer

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

var errTooLarge = errors.New("reply too large")

// An exchange is one request and its raw reply. It stands between the library
// and net/http as the library's HTTP client, and lives for one attempt only,
// so no two calls can see each other's bytes.
type exchange struct {
	client  *http.Client
	payload []byte
	limit   int64

	libErr error // what the library made of the reply; only told if nothing was sent
	called bool
	err    error // from the connection, the body, or errTooLarge
	status int   // set once the reply's headers came
	header http.Header
	body   []byte // whole, decompressed, at most limit bytes
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
	res, err := x.client.Do(req)
	if err != nil {
		x.err = err
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	x.status, x.header = res.StatusCode, res.Header
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
