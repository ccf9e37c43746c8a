//go:build unix

// What a run says it sent is what the provider saw, however the run ended.

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"deermem-tui/engine/rundir"
)

// told is what a run tells of its calls, as its result and as its last line of
// progress.
type told struct {
	Now    int `json:"calls_of_this_start"`
	All    int `json:"calls_of_all_starts"`
	Cut    int `json:"calls_cut_off"`
	Lost   int `json:"answers_lost"`
	Tokens int `json:"tokens"`
}

// tellings reads a result of run-qa --json --progress json and makes sure that
// both say the same.
func tellings(t *testing.T, r result) told {
	t.Helper()
	var document told
	if err := json.Unmarshal([]byte(r.stdout), &document); err != nil {
		t.Fatalf("%v: %q\n%s", err, r.stdout, r.stderr)
	}
	var last map[string]any
	for line := range strings.Lines(r.stderr) {
		var event map[string]any
		if json.Unmarshal([]byte(line), &event) == nil && event["event"] == "run" {
			last = event
		}
	}
	if last["calls"] != float64(document.All) || last["calls_this_start"] != float64(document.Now) {
		t.Errorf("the progress ends with %v and %v calls, the result with %d and %d", last["calls"], last["calls_this_start"], document.All, document.Now)
	}
	return document
}

// count checks what a start tells against the calls that the provider saw in it
// and in those before.
func (p *scripted) count(t *testing.T, r result, before int) (document told, all int) {
	t.Helper()
	document = tellings(t, r)
	saw := len(p.calls())
	if document.Now != saw || document.All != before+saw {
		t.Errorf("told: %d calls of this start and %d of all; the provider saw %d and %d", document.Now, document.All, saw, before+saw)
	}
	return document, before + saw
}

func TestTheCountOfCallsIsWhatTheProviderSaw(t *testing.T) {
	fails := func(status int, every int) func(int, string, http.ResponseWriter, *http.Request) bool {
		return func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
			if n%every != 0 {
				return false
			}
			w.Header().Set("Retry-After", "0")
			writeReply(w, status, map[string]any{"error": map[string]any{"message": "not now"}})
			return true
		}
	}
	for _, tt := range []struct {
		name     string
		attempts string
		flags    []string
		script   func(n int, body string, w http.ResponseWriter, r *http.Request) bool
		most     int // calls; 0: any number
	}{
		{name: "retries after failures of the provider", attempts: "3", script: fails(500, 4)},
		{name: "retries after its rate limit", attempts: "3", script: fails(429, 5)},
		{name: "rows that fail", attempts: "1", script: fails(400, 7)},
		{name: "a limit of calls, retries included", attempts: "3", script: fails(503, 3), flags: []string{"--max-calls", "40"}, most: 40},
		{name: "a limit of failures", attempts: "2", script: fails(500, 1), flags: []string{"--stop-after-failures", "2"}},
		{name: "a limit of tokens", attempts: "1", flags: []string{"--max-tokens-total", "20000"}},
		{name: "redirects", attempts: "1", script: func(_ int, _ string, w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/v2/") {
				return false
			}
			w.Header().Set("Location", "/v2/chat/completions")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}},
		{name: "redirects under a limit of calls", attempts: "1", flags: []string{"--max-calls", "31"}, most: 31, script: func(_ int, _ string, w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/v2/") {
				return false
			}
			w.Header().Set("Location", "/v2/chat/completions")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return true
		}},
		{name: "connections that are reset", attempts: "3", script: func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
			if n%10 != 0 {
				return false
			}
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				conn.Close()
			}
			return true
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			study := newProtocol(t, model(t, tt.attempts), func(f *protocolFiles) {
				f.config = strings.Replace(f.config, "timeout_seconds: 120", "timeout_seconds: 30", 1)
			})
			p := newScripted(t)
			folder := t.TempDir()
			base := append([]string{"run-qa", "--json", "--progress", "json", "--output-dir", folder}, study.flags()...)
			p.script(tt.script)
			_, all := p.count(t, p.ask(append(base, tt.flags...)...).run(t), 0)
			if tt.most > 0 && all > tt.most {
				t.Errorf("%d calls were made, %d allowed", all, tt.most)
			}
			p.script(nil)
			r := p.ask(base...).run(t).must(t)
			document, all := p.count(t, r, all)
			if document.Cut != 0 {
				t.Errorf("%d calls are told as cut off", document.Cut)
			}
			// A start that calls nothing tells the same, and so does the sidecar.
			p.script(nil)
			p.count(t, p.ask(base...).run(t).must(t), all)
			p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
			if text := readFile(t, folder, filepath.FromSlash(rundir.StatesFile)); !strings.Contains(text, fmt.Sprintf(`"calls": %d,`, all)) {
				t.Errorf("the sidecar does not tell %d calls: %s", all, text)
			}
		})
	}
}

func TestACallThatReachedNobodyIsNotCounted(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	base := append([]string{"run-qa", "--json", "--progress", "json", "--output-dir", folder}, study.flags()...)
	_, all := p.count(t, p.ask(append(base, "--max-calls", "10")...).run(t), 0)
	p.script(nil)
	nobody := p.ask(base...)
	nobody.env = []string{keyVariable + "=" + secretKey, baseVariable + "=http://127.0.0.1:1/v1"}
	r := nobody.run(t)
	r.refused(t, exitFailed, "failed the same way")
	p.count(t, r, all)
}

func TestLookingForTheBasePathIsCounted(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	p.script(func(_ int, _ string, w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			return false
		}
		http.NotFound(w, r)
		return true
	})
	ask := p.ask(append([]string{"run-qa", "--json", "--progress", "json", "--max-calls", "20", "--output-dir", t.TempDir()}, study.flags()...)...)
	ask.env = []string{keyVariable + "=" + secretKey, baseVariable + "=" + p.server.URL}
	if _, all := p.count(t, ask.run(t), 0); all > 20 || all < 15 {
		t.Errorf("%d calls were made under a limit of 20", all)
	}
}

func TestCallsThatWereCutOffAreCountedAndNamed(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	base := append([]string{"run-qa", "--json", "--progress", "json", "--output-dir", folder}, study.flags()...)
	g := p.shut(7)
	run := p.ask(base...).start(t)
	run.until(`"state":"answered"`, 7)
	g.held(workers)
	run.signal(os.Interrupt)
	run.until("stopping", 1)
	run.signal(os.Interrupt)
	r := run.end()
	r.refused(t, exitFailed, "3 calls were cut off before an answer came, and may have been paid for")
	document, all := p.count(t, r, 0)
	if document.Cut != 3 || document.Lost != 0 {
		t.Errorf("%+v", document)
	}
	// After a kill nobody told what became of them, and they count all the same.
	g = p.shut(4)
	run = p.ask(base...).start(t)
	run.until(`"state":"answered"`, 4)
	g.held(workers)
	run.signal(os.Kill)
	_ = run.cmd.Wait()
	all += len(p.calls())
	p.script(nil)
	document, _ = p.count(t, p.ask(base...).run(t).must(t), all)
	if document.Cut != 6 {
		t.Errorf("%+v", document)
	}
	if r := p.ask(append([]string{"run-qa", "--progress", "plain", "--output-dir", folder}, study.flags()...)...).run(t).must(t); !strings.Contains(r.stderr,
		"this start sent 0 calls; all starts: 96 calls (6 cut off before an answer came)") {
		t.Errorf("standard error is\n%s", r.stderr)
	}
}

// Under a folder that is taken away every answer that comes is tried, and what
// is lost is counted.
func TestAnswersThatAreLostAreCounted(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	for _, tt := range []struct {
		name string
		take func(folder string) error
		lost int
	}{
		{"the folder moved", func(f string) error { return os.Rename(f, f+"-moved") }, 3},
		{"the folder deleted", os.RemoveAll, 3},
		{"the lock removed", func(f string) error { return os.Remove(filepath.Join(f, rundir.LockFile)) }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newScripted(t)
			folder := filepath.Join(t.TempDir(), "run")
			g := p.shut(5)
			base := append([]string{"run-qa", "--json", "--progress", "json", "--output-dir", folder}, study.flags()...)
			run := p.ask(base...).start(t)
			run.until(`"state":"answered"`, 5)
			g.held(workers)
			if err := tt.take(folder); err != nil {
				t.Fatal(err)
			}
			close(g.open)
			r := run.end()
			document, all := p.count(t, r, 0)
			if document.Lost != tt.lost || all != 8 {
				t.Errorf("%+v of %d calls:\n%s", document, all, r.stderr)
			}
			if lost := strings.Contains(r.stderr, "3 answers that were paid for could not be stored"); lost != (tt.lost > 0) {
				t.Errorf("standard error is\n%s", r.stderr)
			}
			if _, err := os.Stat(folder + "-moved"); err == nil {
				if err := os.Rename(folder+"-moved", folder); err != nil {
					t.Fatal(err)
				}
			}
			if tt.name != "the folder deleted" {
				p.script(nil)
				p.count(t, p.ask(base...).run(t).must(t), all)
			}
		})
	}
}

// What stands in a run folder's place, before a run or while it is made, never
// leads a row elsewhere and never lets calls be paid for that cannot be told of.
func TestNoCallIsMadeIntoAFolderThatIsNotTheRuns(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	own := func(folder string) string { return filepath.Join(folder, rundir.OwnDir) }
	for _, tt := range []struct {
		name string
		do   func(folder, elsewhere string) error
		says string
	}{
		{"the rows' folder is a link", func(f, e string) error { return os.Symlink(e, filepath.Join(f, "responses")) }, "a link stands in its place"},
		{"the own folder is a link", func(f, e string) error { return os.Symlink(e, own(f)) }, "a link stands in its place"},
		{"the journal is a link to a full device", func(f, _ string) error {
			if err := os.Mkdir(own(f), 0o755); err != nil {
				return err
			}
			return os.Symlink("/dev/full", filepath.Join(own(f), "journal.jsonl"))
		}, "journal.jsonl"},
		{"the journal is a folder", func(f, _ string) error { return os.MkdirAll(filepath.Join(own(f), "journal.jsonl"), 0o755) }, "journal.jsonl"},
	} {
		t.Run("before: "+tt.name, func(t *testing.T) {
			p := newScripted(t)
			folder, elsewhere := t.TempDir(), t.TempDir()
			if err := tt.do(folder, elsewhere); err != nil {
				t.Fatal(err)
			}
			p.ask(append([]string{"run-qa", "--output-dir", folder}, study.flags()...)...).run(t).refused(t, exitRefused, tt.says)
			if n := len(p.calls()); n > 0 || len(fileNames(t, elsewhere)) > 0 {
				t.Errorf("%d calls were made; elsewhere there is %v", n, fileNames(t, elsewhere))
			}
		})
	}
	replaced := func(name string, again func(path, elsewhere string) error) func(f, e string) error {
		return func(f, e string) error {
			path := filepath.Join(f, filepath.FromSlash(name))
			if err := os.Rename(path, filepath.Join(f, "taken-away")); err != nil {
				return err
			}
			return again(path, e)
		}
	}
	for _, tt := range []struct {
		name   string
		do     func(folder, elsewhere string) error
		says   string
		stored int // among the rows, at the end
	}{
		{"another folder for the rows", replaced("responses", func(p, _ string) error { return os.Mkdir(p, 0o755) }), "responses in it was moved, deleted or replaced", 3},
		{"a link for the rows", replaced("responses", func(p, e string) error { return os.Symlink(e, p) }), "could not be stored", 0},
		{"no folder for the rows", replaced("responses", func(string, string) error { return nil }), "responses in it was moved, deleted or replaced", 3},
		{"another journal", replaced(rundir.JournalFile, func(p, _ string) error { return os.WriteFile(p, nil, 0o644) }), "journal.jsonl in it was moved, deleted or replaced", 8},
		{"a link for the journal", replaced(rundir.JournalFile, func(p, _ string) error { return os.Symlink("/dev/full", p) }), "journal.jsonl in it was moved, deleted or replaced", 8},
	} {
		t.Run("meanwhile: "+tt.name, func(t *testing.T) {
			t.Parallel()
			p := newScripted(t)
			folder, elsewhere := filepath.Join(t.TempDir(), "run"), t.TempDir()
			run, g := pausedRun(t, p, study, folder, 5)
			if err := tt.do(folder, elsewhere); err != nil {
				t.Fatal(err)
			}
			close(g.open)
			r := run.end()
			r.refused(t, exitFailed, tt.says)
			if n := len(p.calls()); n != 8 || len(fileNames(t, elsewhere)) > 0 {
				t.Errorf("%d calls were made; elsewhere there is %v", n, fileNames(t, elsewhere))
			}
			if info, err := os.Lstat(filepath.Join(folder, "responses")); err == nil && info.IsDir() && len(storedRows(t, folder)) != tt.stored {
				t.Errorf("%d rows are stored, want %d", len(storedRows(t, folder)), tt.stored)
			}
		})
	}
}

func TestLongCaseIDsAreStoredOrRefusedBeforeAnyCall(t *testing.T) {
	for _, tt := range []struct {
		length int // of the case ID
		fits   bool
	}{{230, true}, {238, true}, {239, false}, {260, false}} {
		t.Run(fmt.Sprint(tt.length), func(t *testing.T) {
			long := strings.Repeat("x", tt.length)
			study := newProtocol(t, model(t, "1"), func(f *protocolFiles) { firstGuard(t, f, long) })
			p := newScripted(t)
			var seen atomic.Int32
			p.script(func(int, string, http.ResponseWriter, *http.Request) bool { seen.Add(1); return false })
			folder := t.TempDir()
			r := p.ask(append([]string{"run-qa", "--output-dir", folder}, study.flags()...)...).run(t)
			if tt.fits {
				r.must(t)
				p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
				return
			}
			r.refused(t, exitRefused, "characters long, a row's name at most 250; shorten the case ID")
			if seen.Load() > 0 || len(fileNames(t, folder)) > 0 {
				t.Errorf("%d calls were made; the folder holds %v", seen.Load(), fileNames(t, folder))
			}
		})
	}
}

func TestGradingTellsThatModelsAreMixed(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	p.script(func(n int, body string, w http.ResponseWriter, _ *http.Request) bool {
		if n > 2 {
			return false
		}
		writeReply(w, 200, map[string]any{"model": "another-model", "choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": "x"}}}})
		return true
	})
	folder := t.TempDir()
	base := append([]string{"--output-dir", folder}, study.flags()...)
	p.ask(append([]string{"run-qa"}, base...)...).run(t).must(t)
	r := p.ask(append([]string{"grade-qa"}, base...)...).run(t).must(t)
	r.refused(t, exitDone, "more than one model answered: another-model (2 rows), test-model-2026-01-01 (88 rows)")
	if strings.Contains(r.stdout, "another-model") {
		t.Errorf("standard output is\n%s", r.stdout)
	}
	var sidecar struct {
		Models map[string]int `json:"models"`
		Mixed  bool           `json:"more_than_one_model"`
	}
	if err := json.Unmarshal([]byte(readFile(t, folder, filepath.FromSlash(rundir.StatesFile))), &sidecar); err != nil || !sidecar.Mixed || sidecar.Models["another-model"] != 2 {
		t.Errorf("%+v, %v", sidecar, err)
	}
}
