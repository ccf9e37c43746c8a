// This file serves the baseline as an OpenAI-compatible provider on a
// loopback address, so that a study runs with no network and no key.

package offline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// maxRequest is the longest request body read, in bytes.
const maxRequest = 1 << 20

// DefaultAddr is a free port on the IPv4 loopback address.
const DefaultAddr = "127.0.0.1:0"

// ErrNotLoopback marks an address other machines could reach.
var ErrNotLoopback = errors.New("the offline answerer listens on loopback addresses only")

// Options say where a Server listens and how it behaves.
type Options struct {
	Addr string // host:port; empty means DefaultAddr
	// Latency gives the time to wait before answering a request body; nil
	// answers at once. See SteadyLatency.
	Latency func(body []byte) time.Duration
	// Wrap puts a handler around the server's own, such as one that injects
	// faults; nil adds none.
	Wrap func(http.Handler) http.Handler
}

// SteadyLatency spreads waits over [low, high) by a hash of the request, so
// that progress can be watched and a request always takes the same time.
func SteadyLatency(low, high time.Duration) func(body []byte) time.Duration {
	return func(body []byte) time.Duration {
		if high <= low {
			return low
		}
		sum := sha256.Sum256(body)
		return low + time.Duration(binary.BigEndian.Uint64(sum[:8])%uint64(high-low))
	}
}

// Handler serves the baseline without waiting:
// POST /v1/chat/completions, GET /v1/models, both also without /v1, and
// GET /healthz. Errors are OpenAI-shaped JSON objects.
func Handler() http.Handler { return newHandler(nil) }

func newHandler(latency func([]byte) time.Duration) http.Handler {
	mux := http.NewServeMux()
	for _, prefix := range []string{"", "/v1"} {
		mux.HandleFunc(prefix+"/chat/completions", only(http.MethodPost, completions(latency)))
		mux.HandleFunc(prefix+"/models", only(http.MethodGet, listModels))
	}
	mux.HandleFunc("/healthz", only(http.MethodGet, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	}))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, http.StatusNotFound, "no such path; try POST /v1/chat/completions")
	})
	return mux
}

func only(method string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			w.Header().Set("Allow", method)
			writeError(w, http.StatusMethodNotAllowed, "this path takes "+method+" only")
			return
		}
		h(w, r)
	}
}

func listModels(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"object": "list",
		"data":   []any{map[string]any{"id": Model, "object": "model", "created": 0, "owned_by": "deermem-tui"}},
	})
}

type chatRequest struct {
	Model    *string `json:"model"`
	Stream   bool    `json:"stream"`
	Messages []struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
	} `json:"messages"`
}

func completions(latency func([]byte) time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			var tooLong *http.MaxBytesError
			if errors.As(err, &tooLong) {
				writeError(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", maxRequest))
				return
			}
			writeError(w, http.StatusBadRequest, "the request body could not be read")
			return
		}
		system, user, problem := readRequest(body)
		if problem != "" {
			writeError(w, http.StatusBadRequest, problem)
			return
		}
		if latency != nil && !pause(r.Context(), latency(body)) {
			abort() // the caller is gone, or the server is closing
		}
		writeJSON(w, http.StatusOK, completion(body, system, user))
	}
}

// readRequest gives the system messages joined by line ends and the last user
// message, or what is wrong with the request.
func readRequest(body []byte) (system, user, problem string) {
	var req chatRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return "", "", "the body is not a chat request: it must be a JSON object whose messages have text content"
	}
	switch {
	case req.Model == nil || *req.Model == "":
		return "", "", "`model` is missing"
	case req.Stream:
		return "", "", "`stream` is not supported"
	case len(req.Messages) == 0:
		return "", "", "`messages` is missing or empty"
	}
	var systems []string
	asked := false
	for i, m := range req.Messages {
		if m.Content == nil {
			return "", "", fmt.Sprintf("message %d has no `content`", i)
		}
		switch m.Role {
		case "system", "developer":
			systems = append(systems, *m.Content)
		case "user":
			user, asked = *m.Content, true
		case "assistant", "tool":
		default:
			return "", "", fmt.Sprintf("message %d has an unknown `role`", i)
		}
	}
	if !asked {
		return "", "", "`messages` holds no user message"
	}
	return strings.Join(systems, "\n"), user, ""
}

// completion builds the reply. Nothing in it depends on the time: `id` comes
// from the request's hash and `created` is 0.
func completion(body []byte, system, user string) any {
	text := Answer(system, user)
	sum := sha256.Sum256(body)
	prompt, answer := CountTokens(system)+CountTokens(user), CountTokens(text)
	return map[string]any{
		"id":      "chatcmpl-" + hex.EncodeToString(sum[:12]),
		"object":  "chat.completion",
		"created": 0,
		"model":   Model,
		"choices": []any{map[string]any{
			"index":         0,
			"message":       map[string]any{"role": "assistant", "content": text},
			"finish_reason": "stop",
		}},
		"usage": map[string]int{
			"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer,
		},
	}
}

// CountTokens is the usage the server reports for a text: its words and
// numbers, each character of a script without blanks, and each pictograph.
// It is a count of its own, not that of any model's tokenizer.
func CountTokens(s string) int { return len(tokenize(s)) }

// abort cuts the connection. Returning instead would send an empty 200, which
// a client must take for a paid answer that says nothing.
func abort() { panic(http.ErrAbortHandler) }

func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a caller that hung up needs no answer
}

func writeError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]any{
		"error": map[string]any{"message": message, "type": "invalid_request_error", "param": nil, "code": nil},
	})
}

// Server is a running offline answerer. Its goroutines end with Close or with
// the context given to Start.
type Server struct {
	http   *http.Server
	url    string
	cancel context.CancelFunc // ends waiting requests
	closed sync.Once
	err    error          // from serving or closing
	work   sync.WaitGroup // the serving goroutine, the context's watcher, requests
}

// Start listens and serves in the background. It refuses addresses that are
// not loopback with ErrNotLoopback.
func Start(ctx context.Context, o Options) (*Server, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Addr == "" {
		o.Addr = DefaultAddr
	}
	if err := checkLoopback(o.Addr); err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("offline answerer: cannot listen on %s: %w", o.Addr, err)
	}
	// "localhost" is a name, and a name can be made to mean anything.
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		_ = listener.Close()
		return nil, fmt.Errorf("%w, not %s", ErrNotLoopback, o.Addr)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{url: "http://" + listener.Addr().String() + "/v1", cancel: cancel}
	handler := newHandler(o.Latency)
	if o.Wrap != nil {
		handler = o.Wrap(handler)
	}
	s.http = &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second,
	}
	s.serve(ctx, listener)
	return s, nil
}

func (s *Server) serve(ctx context.Context, listener net.Listener) {
	inner := s.http.Handler
	var gate sync.Mutex // orders Add before Wait: no request joins a closed server
	s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gate.Lock()
		ended := ctx.Err() != nil
		if !ended {
			s.work.Add(1)
		}
		gate.Unlock()
		if ended {
			abort()
		}
		defer s.work.Done()
		inner.ServeHTTP(w, r)
	})
	stop := s.cancel
	s.cancel = func() {
		gate.Lock()
		defer gate.Unlock()
		stop()
	}
	s.work.Go(func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.shut(err)
		}
	})
	s.work.Go(func() {
		<-ctx.Done()
		s.shut(nil)
	})
}

// shut stops serving once; it does not wait.
func (s *Server) shut(cause error) {
	s.closed.Do(func() {
		s.cancel()
		err := s.http.Close()
		s.err = cause
		if cause == nil {
			s.err = err
		}
	})
}

// URL is the base URL for a client, such as http://127.0.0.1:40123/v1.
func (s *Server) URL() string { return s.url }

// Close stops the server, cuts requests in flight, waits until every
// goroutine of it has ended, and gives the error that ended serving, if any.
// It may be called more than once.
func (s *Server) Close() error {
	s.shut(nil)
	s.work.Wait()
	return s.err
}

func checkLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("offline answerer: address %q is not host:port: %w", addr, err)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("%w, not %q", ErrNotLoopback, host)
}
