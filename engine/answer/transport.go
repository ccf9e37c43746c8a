// This file makes the transport of a client and says what lies between it and
// the provider: nothing, an unencrypted line, a proxy.

package answer

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// maxHeaders bounds the headers of a reply in bytes, those of replies that only
// announce it (1xx) included.
const maxHeaders = 1 << 20

// newTransport is net/http's default transport, private so that Close does
// not touch other users', with room for all workers of a run on one host.
// net/http writes replies that nobody asked for to the standard log, whatever
// is in them: a program that shows its log should discard that.
func newTransport() (*http.Transport, *lines) {
	t := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if d, ok := http.DefaultTransport.(*http.Transport); ok { // else the embedding program replaced it
		t = d.Clone()
	}
	t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
		if res.StatusCode < 200 || res.StatusCode > 299 {
			return proxyRefusal(res.StatusCode)
		}
		return nil
	}
	t.MaxIdleConnsPerHost = 32
	t.MaxResponseHeaderBytes = maxHeaders
	l := &lines{dial: t.DialContext, open: map[*line]struct{}{}}
	if l.dial == nil {
		l.dial = (&net.Dialer{}).DialContext
	}
	t.DialContext = l.dialContext
	return t, l
}

// A proxyRefusal is a proxy that made no connection to the provider: the status
// of its answer.
type proxyRefusal int

func (p proxyRefusal) Error() string {
	return fmt.Sprintf("the proxy makes no connection, HTTP %d", int(p))
}

// proxyOf gives the proxy through which a transport asks a base URL, or nil. It
// refuses proxy variables that cannot be read here, since net/http's own error
// would repeat them with their password.
func proxyOf(t *http.Transport, base string) (*url.URL, error) {
	if t.Proxy == nil {
		return nil, nil
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("%w cannot be read as a URL", ErrBaseURL)
	}
	proxy, err := t.Proxy(&http.Request{Method: http.MethodPost, URL: u})
	if err != nil {
		return nil, ErrProxy
	}
	return proxy, nil
}

// Warnings are what a careful user wants to know about where requests go. They
// hold no user name and no password.
func (c *Client) Warnings() []string {
	u, err := url.Parse(c.root())
	if err != nil {
		return nil
	}
	var list []string
	plain := u.Scheme == "http" && !isLoopback(u.Hostname())
	if plain {
		list = append(list, "requests to "+u.Host+" are not encrypted (http): the key and every question can be read on the way; use https")
	}
	if c.proxy != nil {
		line := "requests go through the proxy " + c.proxy.Host + ", which the environment names"
		if u.Scheme == "http" {
			line += " and which reads the key and every question, since they are not encrypted"
		}
		list = append(list, line)
	}
	switch letters, _ := folded(c.opts.APIKey); {
	case c.opts.APIKey == "" || c.secrets.watch != nil:
	case len(letters) < wholePlain:
		list = append(list, fmt.Sprintf("the key has fewer than %d letters and digits: replies are not searched for it", wholePlain))
	default:
		list = append(list, "the key has too few different letters and digits to be told from other text: replies are not searched for it")
	}
	return list
}
