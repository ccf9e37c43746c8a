package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	deermemtui "deermem-tui"
)

const (
	keyVariable  = "DEERMEM_EVAL_ANSWER_API_KEY"
	baseVariable = "DEERMEM_EVAL_ANSWER_BASE_URL"
	secretKey    = "sk-proj-Zq81xVt0nEverShown7731"
)

// scripted is a provider on loopback that keeps what it is sent and answers
// each body with a text that depends on nothing else.
type scripted struct {
	t      testing.TB
	server *httptest.Server
	slash  string // after the base URL

	mu     sync.Mutex
	bodies []string
	paths  map[string]int
	// reply, when set, may answer a call in place of the usual answer, or hold
	// it back. n counts the calls from 1.
	reply func(n int, body string, w http.ResponseWriter, r *http.Request) (answered bool)
}

func newScripted(t testing.TB) *scripted {
	t.Helper()
	p := &scripted{t: t, paths: map[string]int{}}
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.server.Close)
	return p
}

func (p *scripted) serve(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller gave up
	}
	body := string(data)
	p.mu.Lock()
	p.bodies = append(p.bodies, body)
	n := len(p.bodies)
	p.paths[r.Method+" "+r.URL.Path]++
	reply := p.reply
	p.mu.Unlock()
	if got := r.Header.Get("Authorization"); got != "Bearer "+secretKey {
		p.t.Errorf("Authorization is %q", got)
	}
	w.Header().Set("X-Request-Id", "req-never-stored-5150")
	if reply != nil && reply(n, body, w, r) {
		return
	}
	answerUsually(w, body)
}

// answerUsually answers with words made from the body's hash.
func answerUsually(w http.ResponseWriter, body string) {
	sum := sha256.Sum256([]byte(body))
	writeReply(w, http.StatusOK, map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "model": "test-model-2026-01-01",
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{
			"role": "assistant", "content": fmt.Sprintf("%d weeks and %x", sum[0]%9, sum[1:4])}}},
		"usage": map[string]any{"prompt_tokens": len(body) / 4, "completion_tokens": 5, "total_tokens": len(body)/4 + 5},
	})
}

func writeReply(w http.ResponseWriter, status int, document any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document)
}

// script sets reply for the calls to come and forgets those so far.
func (p *scripted) script(reply func(n int, body string, w http.ResponseWriter, r *http.Request) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bodies, p.reply = nil, reply
}

func (p *scripted) calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.bodies)
}

// ask is a command whose variables name the provider.
func (p *scripted) ask(args ...string) invocation {
	return invocation{args: args, env: []string{keyVariable + "=" + secretKey, baseVariable + "=" + p.server.URL + "/v1" + p.slash}}
}

// storedRow is what the tests read of a row's file.
type storedRow struct {
	RowID       string         `json:"row_id"`
	Fingerprint string         `json:"request_fingerprint"`
	Model       string         `json:"response_model"`
	Attempts    int            `json:"attempts"`
	Usage       map[string]int `json:"usage"`
}

func storedRows(t testing.TB, folder string) []storedRow {
	t.Helper()
	var list []storedRow
	for _, name := range fileNames(t, filepath.Join(folder, "responses")) {
		if strings.HasPrefix(name, ".") {
			continue // a temporary file of a writer that was killed
		}
		var r storedRow
		if err := json.Unmarshal([]byte(readFile(t, folder, "responses", name)), &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, r)
	}
	return list
}

func hashes(bodies []string) []string {
	var list []string
	for _, body := range bodies {
		sum := sha256.Sum256([]byte(body))
		list = append(list, hex.EncodeToString(sum[:]))
	}
	slices.Sort(list)
	return list
}

func fingerprints(list []storedRow) []string {
	var found []string
	for _, r := range list {
		found = append(found, r.Fingerprint)
	}
	slices.Sort(found)
	return found
}

func TestTheBytesOnTheWireAreTheFingerprintedOnes(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	for name, slash := range map[string]string{"base URL without a trailing slash": "", "with one": "/", "with two": "//"} {
		t.Run(name, func(t *testing.T) {
			p := newScripted(t)
			p.slash = slash
			folder := t.TempDir()
			p.ask(append([]string{"run-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
			stored := storedRows(t, folder)
			if got, want := hashes(p.calls()), fingerprints(stored); len(want) != 90 || !slices.Equal(got, want) {
				t.Errorf("%d bodies whose hashes are not the %d fingerprints stored", len(got), len(want))
			}
			if want := map[string]int{"POST /v1/chat/completions": 90}; !maps.Equal(p.paths, want) {
				t.Errorf("paths %v, want %v", p.paths, want)
			}
			for _, r := range stored {
				if r.Model != "test-model-2026-01-01" || r.Attempts != 1 || r.Usage["completion_tokens"] != 5 || r.Usage["total_tokens"] == 0 {
					t.Fatalf("stored row %+v", r)
				}
			}
			// The object itself: these keys, in order, and a temperature that is a float.
			body := p.calls()[0]
			if !regexp.MustCompile(`^\{"max_tokens": 256, "messages": \[.*\], "model": "test-model", "stream": false, "temperature": 0\.0\}$`).MatchString(body) {
				t.Errorf("a body is %s", body)
			}
		})
	}
}

func TestNothingSecretReachesAFileOrTheOutput(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	// A provider that repeats the key, the header and the request in its errors.
	repeats := func(n int, body string, w http.ResponseWriter, r *http.Request) bool {
		if n%3 != 0 {
			return false
		}
		writeReply(w, http.StatusBadRequest, map[string]any{"error": map[string]any{
			"message": "\x1b[2Jcannot use " + r.Header.Get("Authorization") + " for " + body}})
		return true
	}
	var all strings.Builder
	for _, mode := range []string{"json", "plain"} {
		p.script(repeats)
		r := p.ask(append([]string{"run-qa", "--output-dir", folder, "--progress", mode}, study.flags()...)...).run(t)
		r.refused(t, exitFailed)
		all.WriteString(r.stdout + r.stderr)
	}
	p.script(nil)
	for _, command := range []string{"run-qa", "run-policy", "grade-qa"} {
		r := p.ask(append([]string{command, "--output-dir", folder, "--json"}, study.flags()...)...).run(t).must(t)
		all.WriteString(r.stdout + r.stderr)
	}
	_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			all.WriteString(readFile(t, path))
		}
		return err
	})
	written := all.String()
	secrets := []string{secretKey, secretKey[:12], "Authorization", "req-never-stored-5150", "X-Request-Id", "chatcmpl-1", "SESSION ", "CURRENT DATE"}
	secrets = append(secrets, sampleQuestions(t)...)
	for _, secret := range secrets {
		if at := strings.Index(written, secret); at >= 0 {
			t.Errorf("%q was written: …%q…", secret, written[max(0, at-80):min(len(written), at+80)])
		}
	}
}

// sampleQuestions gives every question of the sample's dataset.
func sampleQuestions(t testing.TB) []string {
	t.Helper()
	paths, _ := deermemtui.Protocol(deermemtui.Sample)
	data, err := deermemtui.Files.ReadFile(paths.Dataset)
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Question string `json:"question"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var questions []string
	for _, r := range list {
		questions = append(questions, r.Question)
	}
	return questions
}

func TestAFailingProviderCostsOnlyTheFailedRows(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	// Three requests that differ from all others, so that each is one row.
	for name, fail := range map[string]struct {
		status int
		reply  any
		says   []string
	}{
		"status 500": {500, map[string]any{"error": map[string]any{"message": "overloaded \x1b[31m\u009b2J\u202e now"}},
			[]string{"the provider failed, HTTP 500: overloaded", "resume"}},
		"status 401": {401, map[string]any{"error": map[string]any{"message": "Incorrect API key provided: " + secretKey}},
			[]string{"HTTP 401", "check the API key variable"}},
		"status 404":                 {404, "no such model", []string{"HTTP 404", "check the base URL and the model's name"}},
		"a reply that is no JSON":    {200, json.RawMessage(`null`), []string{"the reply holds no answer"}},
		"a reply without an answer":  {200, map[string]any{"choices": []any{}}, []string{"the reply holds no answer"}},
		"a reply of other JSON type": {200, []any{1, 2}, []string{"the reply holds no answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newScripted(t)
			folder := t.TempDir()
			args := append([]string{"run-qa", "--output-dir", folder}, study.flags()...)
			p.script(func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
				if n != 5 && n != 40 && n != 90 {
					return false
				}
				writeReply(w, fail.status, fail.reply)
				return true
			})
			r := p.ask(args...).run(t)
			r.refused(t, exitFailed, append(fail.says, "3 of 90 rows without an answer", "run it again")...)
			if r.stdout != "answer rows: 0 reused, 87 called, 3 failed\n" {
				t.Errorf("standard output is %q", r.stdout)
			}
			if strings.Contains(r.stderr, secretKey[:12]) {
				t.Errorf("the key was shown:\n%s", r.stderr)
			}
			stored := storedRows(t, folder)
			if len(stored) != 87 {
				t.Errorf("%d rows are kept, want 87", len(stored))
			}
			// The error's own lines name the rows, and none that is stored.
			named := regexp.MustCompile(`(?m)^  (\S+__\S+): `).FindAllStringSubmatch(r.stderr, -1)
			if len(named) != 3 {
				t.Errorf("%d rows are named:\n%s", len(named), r.stderr)
			}
			for _, match := range named {
				if slices.ContainsFunc(stored, func(s storedRow) bool { return s.RowID == match[1] }) {
					t.Errorf("%s is named as failed and stored", match[1])
				}
			}
			// Grading what is there is refused: it names the missing rows.
			p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).
				refused(t, exitFailed, "3 rows missing", named[0][1], "run run-qa")

			p.script(nil)
			if r := p.ask(args...).run(t).must(t); r.stdout != "answer rows: 87 reused, 3 called, 0 failed\n" {
				t.Errorf("standard output of the second run is %q", r.stdout)
			}
			if n := len(p.calls()); n != 3 {
				t.Errorf("the second run made %d calls, want 3", n)
			}
		})
	}
}

// The offline answerer can stand in for a provider, with no variable set.
func TestOfflineAnswersAStudyOfAnyModel(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	r := tui(t, append([]string{"run-qa", "--offline", "--output-dir", t.TempDir()}, study.flags()...)...).must(t)
	if r.stdout != "answer rows: 0 reused, 90 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
}

func TestAFailureThatMayPassIsTriedAgain(t *testing.T) {
	study := newProtocol(t, model(t, "2"))
	p := newScripted(t)
	folder := t.TempDir()
	p.script(func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
		if n != 1 {
			return false
		}
		w.Header().Set("Retry-After", "0")
		writeReply(w, http.StatusTooManyRequests, map[string]any{"error": map[string]any{"message": "slow down"}})
		return true
	})
	p.ask(append([]string{"run-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
	attempts := map[int]int{}
	for _, r := range storedRows(t, folder) {
		attempts[r.Attempts]++
	}
	if want := map[int]int{1: 89, 2: 1}; !maps.Equal(attempts, want) || len(p.calls()) != 91 {
		t.Errorf("attempts %v in %d calls, want %v in 91", attempts, len(p.calls()), want)
	}
}

func TestARowThatWasChangedIsCalledAgain(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	args := append([]string{"run-qa", "--output-dir", folder}, study.flags()...)
	p.ask(args...).run(t).must(t)
	names := fileNames(t, filepath.Join(folder, "responses"))
	damaged := func(i int, damage func(string) string) {
		path := filepath.Join(folder, "responses", names[i])
		writeFile(t, damage(readFile(t, path)), path)
	}
	damaged(0, func(s string) string { return s[:len(s)/2] })
	damaged(1, func(string) string { return "" })
	damaged(2, func(s string) string { return strings.Replace(s, `"capacity": 7`, `"capacity": 5`, 1) })
	damaged(3, func(s string) string { return strings.Replace(s, `"schema_version": 1`, `"schema_version": 2`, 1) })
	damaged(4, func(s string) string {
		return regexp.MustCompile(`"request_fingerprint": "..`).ReplaceAllString(s, `"request_fingerprint": "zz`)
	})
	p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).
		refused(t, exitFailed, "5 unusable", names[0], "capacity is 5, the protocol gives 7", "schema_version", "request_fingerprint")
	p.script(nil)
	r := p.ask(args...).run(t).must(t)
	if r.stdout != "answer rows: 85 reused, 5 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
	if len(p.calls()) != 5 {
		t.Errorf("%d calls, want 5", len(p.calls()))
	}
	for _, name := range names[:5] {
		if !strings.Contains(r.stderr, strings.TrimSuffix(name, ".json")+" is called again") {
			t.Errorf("standard error does not tell that %s is called again:\n%s", name, r.stderr)
		}
	}
}
