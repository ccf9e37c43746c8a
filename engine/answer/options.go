// This file refuses options that cannot work, or would leak, before any call
// is made, and holds the defaults that need code.

package answer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// ErrOptions marks options that New refuses.
var ErrOptions = errors.New("provider settings")

// checkBaseURL gives the base URL without trailing slashes, or says what is
// wrong with it without quoting it.
func checkBaseURL(raw string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fmt.Errorf("%w: the base URL %s; it should look like https://api.example.com/v1", ErrOptions, why)
	}
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return refuse("is empty")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return refuse("cannot be read as a URL")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refuse("does not start with http:// or https://")
	case u.Hostname() == "":
		return refuse("names no host")
	case u.User != nil:
		return refuse("holds a user name or password, which belong in the key variable")
	case u.RawQuery != "" || u.ForceQuery:
		return refuse("holds a query (?…)")
	case u.Fragment != "" || strings.HasSuffix(raw, "#"):
		return refuse("holds a fragment (#…)")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// checkKey trims the key and refuses what a header cannot carry.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	for _, b := range []byte(key) {
		if b <= ' ' || b >= 0x7f {
			return "", fmt.Errorf("%w: the API key holds a blank, a control or a non-ASCII character; copy it again", ErrOptions)
		}
	}
	return key, nil
}

// newTransport is net/http's default transport, private so that Close does
// not touch other users', with room for all workers of a run on one host.
func newTransport() *http.Transport {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // replaced by the embedding program
		return &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 32}
	}
	t = t.Clone()
	t.MaxIdleConnsPerHost = 32
	return t
}

// sameAddressOnly lets a redirect be followed only if it keeps scheme, host,
// port, method and body, so that neither key nor question reaches another
// server.
func sameAddressOnly(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > 3 || req.Method != first.Method ||
		req.URL.Scheme != first.URL.Scheme || !strings.EqualFold(req.URL.Host, first.URL.Host) {
		return http.ErrUseLastResponse
	}
	return nil
}

func defaultBackOff() backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval = time.Second
	b.Multiplier = 2
	b.MaxInterval = 30 * time.Second
	return b
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
