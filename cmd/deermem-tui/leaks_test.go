// Tests that no secret of a run gets out of the program by ways that are easily
// forgotten: an answer, the standard log, the base URL, the proxy variables.

package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// leaks fails the test if a secret is in a text or in a file of a folder.
func leaks(t *testing.T, folder, text string, secrets ...string) {
	t.Helper()
	all := text
	_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			all += "\n" + path + "\n" + readFile(t, path)
		}
		return err
	})
	for _, secret := range secrets {
		if at := strings.Index(all, secret); at >= 0 {
			t.Errorf("%q was written: …%q…", secret, all[max(0, at-120):min(len(all), at+80)])
		}
	}
}

func TestAnAnswerThatQuotesTheKeyIsNotStored(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	half := secretKey[:18]
	basic := base64.StdEncoding.EncodeToString([]byte("user:" + secretKey))
	spelled := strings.Join(strings.Split(secretKey, ""), " ")
	quotes := []string{half, basic, spelled, strings.ToUpper(secretKey), fmt.Sprintf("%x", secretKey)}
	p.script(func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
		// Not in a row, since that would end the run.
		if n%3 != 1 || n > 6*len(quotes) {
			return false
		}
		n /= 3
		content, name := "Your key is "+quotes[n/2%len(quotes)], "prompt_tokens"
		if n%2 == 0 {
			content, name = "two weeks", quotes[n/2%len(quotes)]
		}
		writeReply(w, http.StatusOK, map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"content": content}}}, "usage": map[string]any{name: 7},
		})
		return true
	})
	r := p.ask(append([]string{"run-qa", "--output-dir", folder, "--progress", "json"}, study.flags()...)...).run(t)
	r.refused(t, exitFailed, "10 of 90 rows without an answer", "the reply quotes the API key, so it is not stored")
	leaks(t, folder, r.stdout+r.stderr, quotes...)
	if n := len(storedRows(t, folder)); n != 80 {
		t.Errorf("%d rows are stored, want 80", n)
	}
}

// net/http writes what comes unasked to the standard log, with its beginning:
// here the greeting of a server that is none of HTTP.
func TestWhatAServerSendsUnaskedIsNotShown(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "SSH-2.0-greeting\r\n")
			_ = conn.Close()
		}
	}()
	folder := t.TempDir()
	r := invocation{
		args: append([]string{"run-qa", "--output-dir", folder}, study.flags()...),
		env:  []string{keyVariable + "=" + secretKey, baseVariable + "=http://" + l.Addr().String() + "/v1"},
	}.run(t)
	r.refused(t, exitFailed, "the server does not speak HTTP", "0 of 90 rows stored")
	leaks(t, folder, r.stdout+r.stderr, secretKey, "Unsolicited", "idle HTTP channel")
}

func TestCredentialsInTheBaseURLAreNeitherShownNorStored(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	const password = "pa55w0rd-of-the-gateway"
	for _, base := range []string{
		"https://user:" + password + "@127.0.0.1/v1", "http://" + password + "@127.0.0.1/v1", "https://user:%zz" + password + "@host",
		"https://127.0.0.1/v1?key=" + password, "https://127.0.0.1/" + secretKey + "/v1",
	} {
		folder := t.TempDir()
		for _, command := range []string{"run-qa", "validate"} {
			i := invocation{args: append([]string{command}, study.flags()...), env: []string{keyVariable + "=" + secretKey, baseVariable + "=" + base}}
			if command == "run-qa" {
				i.args = append(i.args, "--output-dir", folder)
			}
			r := i.run(t)
			if command == "run-qa" {
				r.refused(t, exitRefused, baseVariable)
			}
			leaks(t, folder, r.stdout+r.stderr, password, secretKey[:12], "user:")
		}
	}
}

func TestAProxyIsToldAndItsPasswordIsNot(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	const password = "pr0xy-pa55w0rd"
	host := strings.TrimPrefix(p.server.URL, "http://")
	r := invocation{
		args: append([]string{"run-qa", "--output-dir", folder}, study.flags()...),
		env:  []string{keyVariable + "=" + secretKey, baseVariable + "=http://provider.invalid/v1", "HTTP_PROXY=http://user:" + password + "@" + host},
	}.run(t).must(t)
	if want := "through the proxy " + host; !strings.Contains(r.stderr, want) || !strings.Contains(r.stderr, "not encrypted") {
		t.Errorf("standard error does not say %q:\n%s", want, r.stderr)
	}
	leaks(t, folder, r.stdout+r.stderr, password, secretKey)
}
