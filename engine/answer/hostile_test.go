// Tests of the client against replies that are wrong in ways seldom seen, and
// surroundings that would give the key away.

package answer

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"deermem-tui/engine/answer/outcome"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// wire sends bytes as they are in place of a reply, and closes.
func wire(t *testing.T, send func(w *bufio.Writer)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		out := bufio.NewWriter(conn)
		send(out)
		_ = out.Flush()
		_ = conn.Close()
	}
}

func text(s string) func(*bufio.Writer) {
	return func(w *bufio.Writer) { _, _ = w.WriteString(s) }
}

func packed(encoding string, body []byte) http.HandlerFunc {
	return header("Content-Encoding", encoding, reply(200, string(body)))
}

func gzipped(s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.Bytes()
}

func deflated(s string) []byte {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestSpeed)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.Bytes()
}

func TestHostileReplies(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	length := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(okBody))
	bad := gzipped(okBody)
	bad[len(bad)-6] ^= 1 // the checksum
	content := func(raw string) http.HandlerFunc {
		return reply(200, `{"choices":[{"finish_reason":"stop","message":{"content":`+raw+`}}]}`)
	}
	for _, tt := range []struct {
		name  string
		step  http.HandlerFunc
		state outcome.State // "" for a failure
		class Class
		calls int32
		says  string
	}{
		{"deflate, which was not asked for", packed("deflate", deflated(okBody)), "", Malformed, 1, "compressed in a way that was not asked for"},
		{"br, which was not asked for", packed("br", []byte("\x0b\x05\x80{}\x03")), "", Malformed, 1, "compressed in a way"},
		{"zstd, which was not asked for", packed("zstd", []byte("\x28\xb5\x2f\xfd\x00")), "", Malformed, 1, "compressed in a way"},
		{"gzip twice", packed("gzip", gzipped(string(gzipped(okBody)))), "", Malformed, 1, "not a JSON object"},
		{"br announced and not done", packed("br", []byte(okBody)), outcome.Answered, "", 1, ""},
		{"identity announced", packed("identity", []byte(okBody)), outcome.Answered, "", 1, ""},
		{"gzip announced and not done", packed("gzip", []byte(okBody)), "", Malformed, 1, "cannot be decompressed"},
		{"gzip with a wrong checksum", packed("gzip", bad), "", Malformed, 1, "cannot be decompressed"},
		{"gzip that breaks off", packed("gzip", gzipped(okBody)[:40]), "", Network, 2, "unexpected EOF"},

		{"a byte order mark", reply(200, "\xef\xbb\xbf"+okBody), outcome.Answered, "", 1, ""},
		{"UTF-16", reply(200, "\xff\xfe{\x00}\x00"), "", Malformed, 1, "not a JSON object"},
		{"bytes that are no UTF-8 in the answer", content("\"Lis\xffbon\""), outcome.Malformed, "", 1, ""},
		{"half a pair of escapes in the answer", content(`"Lis\ud83dbon"`), outcome.Malformed, "", 1, ""},
		{"half a pair of escapes in a part", content(`[{"type":"text","text":"Lis\ud83dbon"}]`), outcome.Malformed, "", 1, ""},
		{"a replacement character of the model's own", content(`"Lis\uFFFDbon` + "\ufffd" + `"`), outcome.Answered, "", 1, ""},
		{"a pair of escapes", content(`"\ud83c\udfbb"`), outcome.Answered, "", 1, ""},
		{"a key twice", reply(200, `{"choices":[],"choices":[{"message":{"content":"x"}}]}`), outcome.Answered, "", 1, ""},
		{"two choices", reply(200, `{"choices":[{"index":0,"message":{"content":"x"}},{"index":1,"message":{"content":"y"}}]}`), outcome.Malformed, "", 1, ""},
		{"something behind the JSON", reply(200, okBody+"garbage"), "", Malformed, 1, "not a JSON object"},
		{"two objects", reply(200, okBody+"\n"+okBody), "", Malformed, 1, "not a JSON object"},
		{"JSON of great depth", reply(200, strings.Repeat(`{"usage":`, 1<<16)), "", Malformed, 1, "not a JSON object"},
		{"a usage of great depth", reply(200, `{"choices":[{"message":{"content":"x"}}],"usage":`+strings.Repeat(`{"a":[`, 4000)+strings.Repeat(`]}`, 4000)+`}`), outcome.Answered, "", 1, ""},
		{"a number of great length", reply(200, `{"choices":[{"message":{"content":"x"}}],"usage":{"n":`+strings.Repeat("9", 1<<20)+`}}`), outcome.Answered, "", 1, ""},
		{"status 204", reply(204, ""), "", Malformed, 1, "an empty body"},
		{"status 206, half an object", reply(206, okBody[:60]), "", Malformed, 1, "not a JSON object"},

		{"HTTP/1.0 without a length", wire(t, text("HTTP/1.0 200 OK\r\n\r\n"+okBody)), outcome.Answered, "", 1, ""},
		{"HTTP/1.0 without a length, broken off", wire(t, text("HTTP/1.0 200 OK\r\n\r\n"+okBody[:60])), "", Network, 2, "ended in the middle"},
		{"HTTP/1.1 until the connection closes", wire(t, text(head+"Connection: close\r\n\r\n"+okBody)), outcome.Answered, "", 1, ""},
		{"chunks that break off", wire(t, text(head+"Transfer-Encoding: chunked\r\n\r\n40\r\n"+okBody[:64]+"\r\n")), "", Network, 2, "unexpected EOF"},
		{"chunks that are none", wire(t, text(head+"Transfer-Encoding: chunked\r\n\r\nzz\r\n"+okBody)), "", Network, 2, "invalid"},
		{"less than the length", wire(t, text(head+"Content-Length: 9999\r\n\r\n"+okBody)), "", Network, 2, "unexpected EOF"},
		{"more than the length", wire(t, text(head+length+okBody+"HTTP/1.1 200 OK\r\n\r\n")), outcome.Answered, "", 1, ""},
		{"two lengths", wire(t, text(head+"Content-Length: 3\r\n"+length+okBody)), "", Network, 2, ""},
		{"a few 1xx before the reply", wire(t, text(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 4)+head+length+okBody)), outcome.Answered, "", 1, ""},
		{"a flood of 1xx", wire(t, func(w *bufio.Writer) {
			for range 1 << 20 {
				if _, err := w.WriteString("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"); err != nil {
					return
				}
			}
		}), "", Network, 2, ""},
		{"headers of half a megabyte", wire(t, text(head+"X-Long: "+strings.Repeat("a", 1<<19)+"\r\n"+length+okBody)), outcome.Answered, "", 1, ""},
		{"headers of two megabytes", wire(t, text(head+strings.Repeat("X-Long: "+strings.Repeat("a", 1<<16)+"\r\n", 32)+length+okBody)), "", Network, 2, "headers exceeded"},
		{"a status of three digits that is none", wire(t, text("HTTP/1.1 999 What\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")), "", Server, 2, "HTTP 999"},
		{"an unasked switch of protocols", wire(t, text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")), "", Refused, 1, ""},
		{"no HTTP at all", wire(t, text("SSH-2.0-OpenSSH_9.6\r\n")), "", Network, 2, "malformed HTTP"},
		{"nothing at all", wire(t, text("")), "", Network, 2, "EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var calls atomic.Int32
			s := provider(t, func(w http.ResponseWriter, r *http.Request) { calls.Add(1); tt.step(w, r) })
			s.Config.ErrorLog = quiet()
			got, err := client(t, Options{BaseURL: s.URL + "/v1", MaxAttempts: 2}).Answer(t.Context(), request(testPayload), nil)
			var e *Error
			switch {
			case tt.state != "" && (err != nil || got.State != tt.state || (got.Note == "") != (tt.state == outcome.Answered)):
				t.Errorf("%.200v, %v", got, err)
			case tt.state == "" && (!errors.As(err, &e) || e.Class != tt.class || !strings.Contains(e.Error(), tt.says)):
				t.Errorf("%.200v, %v (%+v)", got, err, e)
			case calls.Load() != tt.calls:
				t.Errorf("%d calls, want %d: %v", calls.Load(), tt.calls, err)
			}
		})
	}
}

// Neither a time limit nor a stop would end the reading of what follows.
func TestASwitchOfProtocolsThatStaysOpenDoesNotHang(t *testing.T) {
	done := make(chan struct{})
	s := provider(t, func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		<-done
		_ = conn.Close()
	})
	_, err := client(t, Options{BaseURL: s.URL + "/v1"}).Answer(t.Context(), request(testPayload), nil)
	close(done)
	var e *Error
	if !errors.As(err, &e) || e.Class != Refused || e.Status != 101 {
		t.Errorf("%v", err)
	}
}

func TestAnIPv6AddressIsABaseURL(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	s := httptest.NewUnstartedServer(reply(200, okBody))
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	defer s.Close()
	c := client(t, Options{BaseURL: "http://" + l.Addr().String() + "/v1"})
	if _, err := c.Answer(t.Context(), request(testPayload), nil); err != nil || len(c.Warnings()) != 0 || !strings.HasPrefix(c.Endpoint(), "http://[::1]:") {
		t.Errorf("%v, %q, %s", err, c.Warnings(), c.Endpoint())
	}
}

// Neither a user's name nor a password of a base URL is ever told.
func TestCredentialsInABaseURLAreRefusedAndNotTold(t *testing.T) {
	const password = "pa55w0rd-of-the-gateway"
	for _, base := range []string{
		"https://user:" + password + "@host/v1", "https://" + password + "@host/v1", "https://:" + password + "@host",
		"https://user:%zz" + password + "@host/v1", "user:" + password + "@host/v1", "https:/user:" + password + "@host/v1",
		"https://host/v1?token=" + password, "https://host/v1#" + password, "https://us er:" + password + "@host", "//user:" + password + "@host/v1",
		"https://host/" + testKey + "/v1", "https://" + testKey[:16] + ".host/v1",
	} {
		c, err := New(Options{BaseURL: base, APIKey: testKey})
		if !errors.Is(err, ErrBaseURL) {
			t.Errorf("%s is taken: %v", base, c)
			continue
		}
		if told := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(told, password) || strings.Contains(told, testKey[:12]) || strings.Contains(told, "user:") {
			t.Errorf("%s", told)
		}
	}
}

func TestABaseURLThatCannotBeDialledIsRefused(t *testing.T) {
	for base, ok := range map[string]bool{
		"http://127.0.0.1:99999/v1": false, "http://127.0.0.1:65536/v1": false, "http://127.0.0.1:0/v1": false, "https://[::1]:70000": false,
		"http://127.0.0.1:65535/v1": true, "http://host:/v1": true, "https://host:00443/v1": true,
		"http://a..b/v1": false, "http://.host/v1": false, "http://ho*st/v1": false, "http://h<st/v1": false, "http://host,other/v1": false,
		"http://" + strings.Repeat("a", 64) + ".example/v1": false, "http://" + strings.Repeat("abc.", 70) + "example/v1": false, "http://[::zz]/v1": false,
		"http://host./v1": true, "http://my_host-1.example/v1": true, "http://münchen.example/v1": true, "http://[fe80::1%25eth0]:8080/v1": true, "http://[::1]/v1": true,
	} {
		_, err := New(Options{BaseURL: base, APIKey: testKey})
		if (err == nil) != ok || err != nil && !errors.Is(err, ErrBaseURL) {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestAProxyIsTold(t *testing.T) {
	with := func(proxy, base string) ([]string, error) {
		t.Helper()
		transport, _ := newTransport()
		transport.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }
		u, err := proxyOf(transport, base)
		if err != nil {
			return nil, err
		}
		c := client(t, Options{BaseURL: base})
		c.proxy = u
		return c.Warnings(), nil
	}
	const password = "pr0xy-pa55w0rd"
	for _, tt := range []struct {
		base string
		want []string
	}{
		{"https://api.example.com/v1", []string{"through the proxy proxy.example.com:8080"}},
		{"http://api.example.com/v1", []string{"not encrypted", "proxy.example.com:8080, which the environment names and which reads the key"}},
	} {
		got, err := with("http://user:"+password+"@proxy.example.com:8080", tt.base)
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("%s: %q, %v", tt.base, got, err)
			continue
		}
		for i, want := range tt.want {
			if !strings.Contains(got[i], want) || strings.Contains(got[i], password) || strings.Contains(got[i], "user") {
				t.Errorf("%s: %q", tt.base, got[i])
			}
		}
	}
	if _, err := with("http://user:"+password+"%zz@proxy", "https://api.example.com"); !errors.Is(err, ErrProxy) || strings.Contains(err.Error(), password) {
		t.Errorf("a proxy that cannot be read: %v", err)
	}
}

// A proxy that fails, or repeats what it was sent, does not give the key or its
// own password away.
func TestAProxyThatRepeatsIsNotQuoted(t *testing.T) {
	const password = "pr0xy-pa55w0rd"
	echo := provider(t, func(w http.ResponseWriter, r *http.Request) {
		what := r.Header.Get("Authorization") + " and " + r.Header.Get("Proxy-Authorization")
		reply(407, fmt.Sprintf(`{"message":%q}`, "Proxy refuses "+what))(w, r)
	})
	at, _ := url.Parse(echo.URL)
	at.User = url.UserPassword("user", password)
	gone, _ := url.Parse("http://user:" + password + "@127.0.0.1:1")
	for name, proxy := range map[string]*url.URL{"that repeats": at, "that is away": gone} {
		for _, base := range []string{"http://api.example.com/v1", "https://api.example.com/v1"} {
			transport, _ := newTransport()
			transport.Proxy = http.ProxyURL(proxy)
			_, err := client(t, Options{BaseURL: base, Transport: transport}).Answer(t.Context(), request(testPayload), nil)
			told := fmt.Sprintf("%v %+v", err, err)
			for _, secret := range []string{password, basicAuth("user:", password), testKey, base64.StdEncoding.EncodeToString([]byte(testKey))} {
				if err == nil || strings.Contains(told, secret) {
					t.Errorf("a proxy %s, %s: %s", name, base, told)
				}
			}
		}
	}
}
