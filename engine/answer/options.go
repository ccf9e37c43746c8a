// This file refuses options that cannot work, or would leak, before any call
// is made, and holds the defaults that need code.

package answer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cenkalti/backoff/v5"
)

// ErrOptions marks options that New refuses; the others say which one.
var (
	ErrOptions = errors.New("provider settings")
	ErrBaseURL = fmt.Errorf("%w: the base URL", ErrOptions)
	ErrKey     = fmt.Errorf("%w: the API key", ErrOptions)
	ErrProxy   = fmt.Errorf("%w: HTTP_PROXY or HTTPS_PROXY names no proxy that can be read; it should look like http://proxy.example.com:8080", ErrOptions)
)

// endpointPath is what a request's URL ends with.
const endpointPath = "/chat/completions"

// guessedPath is where a provider's API is most often found below its host.
const guessedPath = "/v1"

// checkBaseURL gives the base URL without trailing slashes, and without the
// endpoint's own path where that was pasted too, or says what is wrong with it
// without quoting it.
func checkBaseURL(raw string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fmt.Errorf("%w %s; it should look like https://api.example.com/v1", ErrBaseURL, why)
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
	case !isPort(u.Port()):
		return refuse("has a port that is not between 1 and 65535")
	case !isHost(u.Hostname()):
		return refuse("names a host that cannot exist")
	case u.User != nil:
		return refuse("holds a user name or password, which belong in the key variable")
	case u.RawQuery != "" || u.ForceQuery:
		return refuse("holds a query (?…)")
	case u.Fragment != "" || strings.HasSuffix(raw, "#"):
		return refuse("holds a fragment (#…)")
	}
	base := strings.TrimRight(u.String(), "/")
	return strings.TrimRight(strings.TrimSuffix(base, endpointPath), "/"), nil
}

// isPort tells whether a port, if there is one, can be dialled.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// isHost tells whether a host is an address, or may be a name: labels of at
// most 63 letters, digits, hyphens and underscores.
func isHost(host string) bool {
	if strings.Contains(host, ":") {
		_, err := netip.ParseAddr(host)
		return err == nil
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		odd := strings.IndexFunc(label, func(r rune) bool {
			return r < utf8.RuneSelf && !isAlnum(byte(r)) && r != '-' && r != '_' || !unicode.IsPrint(r)
		})
		if label == "" || len(label) > 63 && isASCII(label) || odd >= 0 {
			return false
		}
	}
	return len(host) <= 254 || !isASCII(host)
}

// hasNoPath tells whether a base URL names a host only.
func hasNoPath(base string) bool {
	u, err := url.Parse(base)
	return err == nil && strings.Trim(u.Path, "/") == ""
}

// otherBase gives where a request may be understood that was not at base:
// where another one was, or below the guessed path.
func (c *Client) otherBase(base string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if base != c.base {
		return c.base, true
	}
	return base + guessedPath, c.guess
}

// settle ends the guessing: a request was understood at this base.
func (c *Client) settle(base string, x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.guess && x.err == nil && x.called && x.status < 500 {
		c.base, c.guess = base, false
	}
}

// unknownPath tells whether a reply says that nothing is served at a URL.
// Such a reply answers no question and costs nothing.
func unknownPath(x *exchange) bool {
	return x.err == nil && (x.status == http.StatusNotFound || x.status == http.StatusMethodNotAllowed ||
		x.status == http.StatusOK && isPage(x.body))
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// holdsKey tells whether a base URL repeats the key, which would be shown and
// sent in the clear with it.
func holdsKey(base, key string, s *scrubber) bool {
	return len(key) >= wholeMixed && strings.Contains(base, key) || s.watch.quotes(base)
}

// checkKey trims the key and refuses what a header cannot carry.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	for _, b := range []byte(key) {
		if b <= ' ' || b >= 0x7f {
			return "", fmt.Errorf("%w holds a blank, a control or a non-ASCII character; copy it again", ErrKey)
		}
	}
	return key, nil
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
