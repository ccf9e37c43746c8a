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
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// brokeOff is a reply that began and did not end. Its cause may be anything,
// but the provider has done its work, and may be paid for it.
const brokeOff = "replies break off"

// Lasting names the cause of a failure that does not lie with the row: equal
// names, some rows in a row, mean that the next row will fail too. It is empty
// where it may not: a rate limit, a busy or failing server, a time limit, a
// resolver that cannot answer now, a reply that holds no answer.
//
// A row only tells this after its last attempt, so for what is tried again the
// cause has lasted through several calls and waits already.
func (e *Error) Lasting() string {
	switch {
	case e.lasting != "" && e.Class != Timeout:
		return e.lasting
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
	// A request that is refused for what it says: what it says is told in the
	// message, and differs where the rows do.
	return fmt.Sprintf("HTTP %d: %s", e.Status, e.Message)
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
	switch {
	case errors.As(x.err, &name):
		if name.IsNotFound && !name.IsTemporary && !name.IsTimeout {
			return "no such host"
		}
	case errors.Is(x.err, syscall.ECONNREFUSED):
		return "the connection is refused"
	case errors.As(x.err, &unknown), errors.As(x.err, &host), errors.As(x.err, &invalid), errors.As(x.err, &verify):
		return "the certificate is not accepted"
	case errors.As(x.err, &record), strings.Contains(x.err.Error(), "server gave HTTP response to HTTPS client"):
		return "the server does not speak TLS"
	case strings.Contains(x.err.Error(), "malformed HTTP response"), strings.Contains(x.err.Error(), "readLoopPeekFailLocked: %!w"):
		return "the server does not speak HTTP"
	case x.status != 0 && (errors.Is(x.err, io.ErrUnexpectedEOF) || errors.Is(x.err, syscall.ECONNRESET)):
		return brokeOff
	}
	return ""
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
