// This file tells failures that the next row will meet too from those it may
// escape, so that a run does not go through all its rows for nothing.

package answer

import (
	"compress/flate"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"syscall"
)

// brokeOff is a reply that began and did not end. Its cause may be anything,
// but the provider has done its work, and may be paid for it.
const brokeOff = "replies break off"

// notHTTP is a reply that does not even begin like one.
const notHTTP = "the server does not speak HTTP"

// Lasting names the cause of a failure that does not lie with the row: equal
// names, some rows in a row, mean that the next row will fail too. It is empty
// where it may not: a rate limit, a busy or failing server, a resolver that
// cannot answer now. A single reply without an answer says nothing of the next;
// it has a name all the same, since several that say the same do.
//
// A row only tells this after its last attempt, so for what is tried again the
// cause has lasted through several calls and waits already.
func (e *Error) Lasting() string {
	switch {
	case e.lasting != "":
		return e.lasting
	case e.Class == Malformed:
		return "no answer: " + alike(e.Message)
	case e.Class != Refused:
		return ""
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound,
		http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusProxyAuthRequired, http.StatusGone, http.StatusUnsupportedMediaType,
		http.StatusUpgradeRequired, http.StatusUnavailableForLegalReasons:
		return fmt.Sprintf("HTTP %d", e.Status)
	}
	if e.Status >= 300 && e.Status <= 399 {
		return fmt.Sprintf("HTTP %d", e.Status)
	}
	// A request that is refused for what it says: what that is, the message
	// tells.
	return fmt.Sprintf("HTTP %d: %s", e.Status, alike(e.Message))
}

// lastingCause names what keeps a connection from being made, or breaks every
// reply, and is empty for what may pass.
func lastingCause(x *exchange) string {
	var name *net.DNSError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var verify *tls.CertificateVerificationError
	var proxy proxyRefusal
	var address *net.AddrError
	var number *net.ParseError
	switch {
	case errors.As(x.err, &name):
		if name.IsNotFound && !name.IsTemporary && !name.IsTimeout {
			return "no such host"
		}
	case errors.As(x.err, &proxy):
		if classOf(int(proxy)) == Refused {
			return proxy.Error()
		}
	case errors.As(x.err, &address), errors.As(x.err, &number),
		errors.Is(x.err, syscall.EINVAL), errors.Is(x.err, syscall.EADDRNOTAVAIL), errors.Is(x.err, syscall.EAFNOSUPPORT):
		return "no connection can be made to this address"
	case errors.Is(x.err, syscall.ECONNREFUSED):
		return "the connection is refused"
	case errors.As(x.err, &unknown), errors.As(x.err, &host), errors.As(x.err, &invalid), errors.As(x.err, &verify):
		return "the certificate is not accepted"
	case errors.As(x.err, &record), strings.Contains(x.err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS"
	case strings.Contains(x.err.Error(), "malformed HTTP "), strings.Contains(x.err.Error(), "readLoopPeekFailLocked: %!w"):
		return notHTTP
	case x.status == 0 && unreadableHeaders(x.err):
		return "the reply's headers cannot be read"
	case x.status != 0:
		return brokeOff
	}
	return ""
}

// unreadableHeaders tells whether a reply began like one of HTTP and did not go
// on like one. net/http names most of these faults in words only.
func unreadableHeaders(err error) bool {
	if errors.As(err, new(textproto.ProtocolError)) {
		return true
	}
	for _, words := range []string{"bad Content-Length", "invalid Content-Length", "unsupported transfer encoding", "too many transfer encodings",
		"too many 1xx", "server response headers exceeded", "invalid header"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

// lateCause names a time limit that was reached; it is empty where it was a
// resolver's.
func lateCause(x *exchange) string {
	switch {
	case errors.As(x.err, new(*net.DNSError)):
		return ""
	case x.connected.Load() || x.status != 0:
		return "no complete reply in time"
	}
	return "no connection in time"
}

// isCutJSON tells whether a body is the beginning of a JSON text.
func isCutJSON(body []byte) bool {
	var syntax *json.SyntaxError
	err := json.Unmarshal(body, new(json.RawMessage))
	return errors.As(err, &syntax) && syntax.Offset >= int64(len(body)) && strings.Contains(err.Error(), "unexpected end")
}

// isUnpacking tells whether a body came whole and cannot be decompressed.
func isUnpacking(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

// isPacked tells whether a body is still compressed: net/http takes the only
// compression that it asks for away.
func isPacked(h http.Header) bool {
	packing := strings.TrimSpace(h.Get("Content-Encoding"))
	return packing != "" && !strings.EqualFold(packing, "identity")
}
