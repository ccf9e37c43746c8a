// This file makes the offline answerer misbehave on purpose, so that anybody
// can rehearse a run against a bad provider before paying a real one.

package offline

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrFaults marks a description of faults that cannot be read.
var ErrFaults = errors.New("faults")

// Fault is one way to misbehave.
type Fault struct {
	Kind  string
	Share float64       // of the calls, from 0 to 1
	Delay time.Duration // of slow; the Retry-After of a status
}

// FaultKinds names the kinds besides the HTTP statuses 400 to 599, and says
// what each does.
func FaultKinds() [][2]string { return slices.Clone(faultKinds) }

var faultKinds = [][2]string{
	{"reset", "the connection breaks before a reply"},
	{"cut", "the connection breaks in the middle of the reply"},
	{"hang", "no reply comes until the caller gives up"},
	{"slow", "the reply comes after the delay (default 2s)"},
	{"empty", "the answer's text is empty"},
	{"null", "the answer's text is null"},
	{"truncated", "the answer is cut off, finish_reason length"},
	{"refused", "a content filter withholds the answer"},
	{"leaked", "reasoning stands before the answer"},
	{"key", "the answer quotes the key that was sent"},
	{"model", "another model answers"},
	{"nousage", "no usage is told"},
	{"error", "status 200 with an error object"},
	{"html", "status 200 with a web page"},
	{"redirect", "status 307 that leads to the same address again"},
}

// Faults are what a server does wrong. Which call meets which fault depends on
// the seed, the request's bytes, and how often they were sent, and on nothing
// else: a rehearsal can be repeated whatever the order of its calls.
type Faults struct {
	list []Fault
	seed int64

	mu   sync.Mutex
	seen map[[sha256.Size]byte]uint64
}

// ParseFaults reads `kind:share[:delay]` separated by commas, such as
// `429:0.1,reset:0.05,slow:0.2:300ms`. The shares must not add up to more than
// 1. The error wraps ErrFaults.
func ParseFaults(description string, seed int64) (*Faults, error) {
	f := &Faults{seed: seed, seen: map[[sha256.Size]byte]uint64{}}
	sum := 0.0
	for part := range strings.SplitSeq(description, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		fault, err := parseFault(part)
		if err != nil {
			return nil, err
		}
		sum += fault.Share
		f.list = append(f.list, fault)
	}
	if sum > 1+1e-9 {
		return nil, fmt.Errorf("%w: the shares add up to %.3g, which is more than 1", ErrFaults, sum)
	}
	return f, nil
}

func parseFault(text string) (Fault, error) {
	parts := strings.Split(text, ":")
	f := Fault{Kind: strings.ToLower(parts[0])}
	status, err := strconv.Atoi(f.Kind)
	known := err == nil && status >= 400 && status <= 599 ||
		slices.ContainsFunc(faultKinds, func(k [2]string) bool { return k[0] == f.Kind })
	if !known {
		return f, fmt.Errorf("%w: %q is none; take an HTTP status from 400 to 599 or one of %s", ErrFaults, parts[0], kindNames())
	}
	if len(parts) < 2 || len(parts) > 3 {
		return f, fmt.Errorf("%w: %q is not kind:share or kind:share:delay", ErrFaults, text)
	}
	if f.Share, err = strconv.ParseFloat(parts[1], 64); err != nil || !(f.Share >= 0 && f.Share <= 1) {
		return f, fmt.Errorf("%w: the share of %q is not a number from 0 to 1", ErrFaults, text)
	}
	f.Delay = time.Second
	if f.Kind == "slow" {
		f.Delay = 2 * time.Second
	}
	if len(parts) == 3 {
		if f.Delay, err = time.ParseDuration(parts[2]); err != nil || f.Delay < 0 {
			return f, fmt.Errorf("%w: the delay of %q is not a time such as 300ms", ErrFaults, text)
		}
	}
	return f, nil
}

func kindNames() string {
	names := make([]string, len(faultKinds))
	for i, k := range faultKinds {
		names[i] = k[0]
	}
	return strings.Join(names, ", ")
}

// pick gives the fault of a call, if it meets one.
func (f *Faults) pick(body []byte) (Fault, bool) {
	sum := sha256.Sum256(body)
	f.mu.Lock()
	n := f.seen[sum]
	f.seen[sum]++
	f.mu.Unlock()
	var drawn [2 * 8]byte
	binary.BigEndian.PutUint64(drawn[:8], uint64(f.seed))
	binary.BigEndian.PutUint64(drawn[8:], n)
	lot := sha256.Sum256(append(drawn[:], sum[:]...))
	u := float64(binary.BigEndian.Uint64(lot[:8])>>11) / (1 << 53)
	for _, fault := range f.list {
		if u < fault.Share {
			return fault, true
		}
		u -= fault.Share
	}
	return Fault{}, false
}

// Wrap puts the faults before a handler that answers chat completions; other
// paths are left alone. It fits Options.Wrap.
func (f *Faults) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			abort()
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		fault, ok := f.pick(body)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		fault.serve(w, r, next)
	})
}

func (f Fault) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	switch f.Kind {
	case "reset":
		reset(w)
	case "hang":
		<-r.Context().Done()
		abort()
	case "slow":
		if !pause(r.Context(), f.Delay) {
			abort()
		}
		next.ServeHTTP(w, r)
	case "error":
		writeError(w, http.StatusOK, "a rehearsed fault: an error with status 200")
	case "redirect":
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	case "html":
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!DOCTYPE html><title>Bad gateway</title>")
	default:
		if status, err := strconv.Atoi(f.Kind); err == nil {
			w.Header().Set("Retry-After", strconv.FormatFloat(f.Delay.Seconds(), 'g', -1, 64))
			writeError(w, status, "a rehearsed fault: status "+f.Kind)
			return
		}
		f.change(w, r, next)
	}
}

// reset breaks the connection the hard way, so that the caller sees a reset
// and not an orderly end.
func reset(w http.ResponseWriter) {
	if hijacker, ok := w.(http.Hijacker); ok {
		if conn, _, err := hijacker.Hijack(); err == nil {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
			return
		}
	}
	abort()
}

// kept is a reply that is held back to be changed.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header         { return k.header }
func (k *kept) WriteHeader(status int)      { k.status = status }
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }

// change lets the answerer answer and spoils its reply.
func (f Fault) change(w http.ResponseWriter, r *http.Request, next http.Handler) {
	k := &kept{header: http.Header{}, status: http.StatusOK}
	next.ServeHTTP(k, r)
	body := k.body.Bytes()
	if f.Kind == "cut" {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(k.status)
		_, _ = w.Write(body[:len(body)/2])
		if flusher, ok := w.(http.Flusher); ok {
			flusher.Flush()
		}
		abort()
	}
	var reply struct {
		ID      string           `json:"id"`
		Object  string           `json:"object"`
		Created int              `json:"created"`
		Model   string           `json:"model"`
		Choices []map[string]any `json:"choices"`
		Usage   map[string]int   `json:"usage,omitempty"`
	}
	if k.status != http.StatusOK || json.Unmarshal(body, &reply) != nil || len(reply.Choices) == 0 {
		writeJSON(w, k.status, json.RawMessage(body))
		return
	}
	choice := reply.Choices[0]
	message, _ := choice["message"].(map[string]any)
	text, _ := message["content"].(string)
	switch f.Kind {
	case "empty":
		message["content"] = ""
	case "null":
		message["content"] = nil
	case "truncated":
		runes := []rune(text)
		message["content"], choice["finish_reason"] = string(runes[:len(runes)/2]), "length"
	case "refused":
		message["content"], choice["finish_reason"] = nil, "content_filter"
	case "leaked":
		message["content"] = "<think>It may be this or that.</think>\n" + text
	case "key":
		message["content"] = text + " (" + r.Header.Get("Authorization") + ")"
	case "model":
		reply.Model = "another-model"
	case "nousage":
		reply.Usage = nil
	}
	writeJSON(w, k.status, reply)
}
