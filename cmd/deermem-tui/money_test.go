//go:build unix

// Tests of what a QA run may never do with somebody's money: pay twice, lose a
// row, go on where nothing can be stored, or let a bad answer pass.

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

// without takes the elements of some from all, each once.
func without(t testing.TB, all, some []string) []string {
	t.Helper()
	left := slices.Clone(all)
	for _, s := range some {
		at := slices.Index(left, s)
		if at < 0 {
			t.Errorf("%s was called although its row was stored", s)
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	return left
}

func sameGrades(t testing.TB, a, b string) {
	t.Helper()
	for _, name := range report.GradeFiles() {
		if readFile(t, a, name) != readFile(t, b, name) {
			t.Errorf("%s differs from that of an undisturbed run", name)
		}
	}
}

func TestTenKillsPayForNothingTwiceAndLoseNothing(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	whole, killed := t.TempDir(), t.TempDir()
	p.ask(append([]string{"run-qa", "--output-dir", whole}, study.flags()...)...).run(t).must(t)
	all := fingerprints(storedRows(t, whole))

	const kills = 10
	random := rand.New(rand.NewPCG(4, uint64(os.Getpid())))
	total, cut := 0, 0
	for range kills {
		before := fingerprints(storedRows(t, killed))
		at, late := 1+random.IntN(9), random.IntN(2) == 0
		run := p.ask(append([]string{"run-qa", "--progress", "none", "--output-dir", killed}, study.flags()...)...).command(t)
		started := make(chan struct{})
		p.script(func(n int, body string, w http.ResponseWriter, _ *http.Request) bool {
			<-started
			if n != at {
				return false
			}
			if late { // the answer is on its way: it may be stored, cut off, or lost
				answerUsually(w, body)
				_ = http.NewResponseController(w).Flush()
			}
			_ = run.Process.Kill()
			return true
		})
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		close(started)
		_ = run.Wait()
		calls := hashes(p.calls())
		total += len(calls)
		if left := without(t, without(t, all, before), calls); len(left)+len(calls)+len(before) != len(all) {
			t.Errorf("%d rows were stored, %d called, %d left", len(before), len(calls), len(left))
		}
		after := storedRows(t, killed) // fails where one is torn
		if len(after) < len(before) {
			t.Errorf("%d rows before the kill, %d after it", len(before), len(after))
		}
		cut += len(before) + len(calls) - len(after)
	}
	if cut > kills*workers {
		t.Errorf("%d calls were cut by %d kills of %d workers", cut, kills, workers)
	}
	before := fingerprints(storedRows(t, killed))
	p.script(nil)
	r := p.ask(append([]string{"run-qa", "--json", "--output-dir", killed}, study.flags()...)...).run(t).must(t)
	calls := hashes(p.calls())
	total += len(calls)
	if left := without(t, without(t, all, before), calls); len(left) > 0 || total != 90+cut {
		t.Errorf("%d calls for 90 rows and %d cut in flight; left %v", total, cut, left)
	}
	var document struct {
		Calls  int `json:"calls_of_all_starts"`
		Tokens int `json:"tokens"`
	}
	tokens := 0
	for _, row := range storedRows(t, whole) {
		tokens += row.Usage["total_tokens"]
	}
	if err := json.Unmarshal([]byte(r.stdout), &document); err != nil || document.Tokens < tokens {
		t.Errorf("the totals tell %+v, the rows alone took %d tokens (%v)", document, tokens, err)
	}
	// A call is written down before it is sent: a kill right between the two may
	// leave one that nobody saw, for each worker, never one that is not told.
	if document.Calls < total || document.Calls > total+kills*workers {
		t.Errorf("the totals tell %d calls, the provider saw %d", document.Calls, total)
	}
	t.Logf("%d calls told, %d seen, %d cut in flight", document.Calls, total, cut)
	if names := fileNames(t, filepath.Join(killed, "responses")); len(names) != 90 {
		t.Errorf("%d files among the rows", len(names))
	}
	for _, folder := range []string{whole, killed} {
		p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
	}
	sameGrades(t, whole, killed)
}

func TestStrayFilesAreNamedAndLeftAlone(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	args := append([]string{"run-qa", "--output-dir", folder}, study.flags()...)
	p.ask(args...).run(t).must(t)
	rows := filepath.Join(folder, "responses")
	names := fileNames(t, rows)
	copied := readFile(t, rows, names[0])
	writeFile(t, copied, rows, "copy-of-a-row.json")                       // duplicate
	writeFile(t, copied, rows, names[0]+".bak")                            // foreign name
	writeFile(t, "notes", rows, "README.txt")                              // foreign
	writeFile(t, copied, rows, names[1])                                   // renamed over another
	if err := os.Chmod(filepath.Join(rows, names[2]), 0o444); err != nil { // read-only, and right
		t.Fatal(err)
	}
	writeFile(t, "{", rows, names[3]) // torn, and read-only
	if err := os.Chmod(filepath.Join(rows, names[3]), 0o444); err != nil {
		t.Fatal(err)
	}
	p.script(nil)
	r := p.ask(args...).run(t).must(t)
	if r.stdout != "answer rows: 88 reused, 2 called, 0 failed\n" || len(p.calls()) != 2 {
		t.Errorf("standard output is %q after %d calls", r.stdout, len(p.calls()))
	}
	r.refused(t, exitDone, "copy-of-a-row.json", names[0]+".bak", "README.txt", "left alone", strings.TrimSuffix(names[1], ".json")+" is called again", "the row of another name",
		strings.TrimSuffix(names[3], ".json")+" is called again", "not a whole file")
	if readFile(t, rows, "README.txt") != "notes" || readFile(t, rows, "copy-of-a-row.json") != copied {
		t.Error("a stray file was changed")
	}
	p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
}

func TestARunFolderCopiedElsewhereGoesOn(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "copied")
	p.ask(append([]string{"run-qa", "--max-calls", "30", "--output-dir", folder}, study.flags()...)...).run(t).
		refused(t, exitFailed, "stopped with 30 of 90 rows stored", "--max-calls", "run it again to resume")
	// As it is copied while another machine's process seems to write it.
	writeFile(t, `{"pid":1,"host":"another-machine","command":"run-qa","started_at":"2026-08-18T04:12:21Z"}`, folder, rundir.LockFile)
	if err := os.CopyFS(elsewhere, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	p.script(nil)
	r := p.ask(append([]string{"run-qa", "--json", "--output-dir", elsewhere}, study.flags()...)...).run(t).must(t)
	if len(p.calls()) != 60 || !strings.Contains(r.stdout, `"calls_of_all_starts": 90`) {
		t.Errorf("%d calls; %s", len(p.calls()), r.stdout)
	}
	// Of a changed protocol it is refused, by name.
	for _, change := range []struct {
		edit func(*protocolFiles)
		says string
	}{
		{func(f *protocolFiles) { swap(t, &f.config, "max_tokens: 256", "max_tokens: 128") }, "config (SHA-256"},
		{func(f *protocolFiles) { f.prompt = strings.Replace(f.prompt, "SYSTEM:\n", "SYSTEM:\nBe brief. ", 1) }, "answer prompt (SHA-256"},
		{func(f *protocolFiles) { f.dataset += "\n" }, "dataset (SHA-256"},
	} {
		p.script(nil)
		other := newProtocol(t, model(t, "1"), change.edit)
		p.ask(append([]string{"run-qa", "--output-dir", elsewhere}, other.flags()...)...).run(t).refused(t, exitRefused, "made with another protocol", change.says)
		if len(p.calls()) > 0 {
			t.Errorf("%s: %d calls", change.says, len(p.calls()))
		}
	}
}

// A folder that is taken away under a run must end it: another process may be
// writing the same rows by now.
func TestAFolderTakenAwayUnderARunEndsIt(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	for _, tt := range []struct {
		name   string
		take   func(folder string) error
		says   string
		stored int // rows that are kept; -1 where they went away
	}{
		{"the lock file removed", func(f string) error { return os.Remove(filepath.Join(f, rundir.LockFile)) }, "its lock file " + rundir.LockFile + " was removed", 8},
		{"the folder moved", func(f string) error { return os.Rename(f, f+"-moved") }, "could not be stored", -1},
		{"the folder deleted", os.RemoveAll, "could not be stored", -1},
		{"the folder replaced", func(f string) error {
			if err := os.Rename(f, f+"-moved"); err != nil {
				return err
			}
			return os.Mkdir(f, 0o755)
		}, "was moved, deleted or replaced", -1},
		{"its identity removed", func(f string) error { return os.Remove(filepath.Join(f, rundir.IdentityFile)) }, "qa_run.json was removed", 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newScripted(t)
			folder := filepath.Join(t.TempDir(), "run")
			run, g := pausedRun(t, p, study, folder, 5)
			if err := tt.take(folder); err != nil {
				t.Fatal(err)
			}
			close(g.open)
			r := run.end()
			r.refused(t, exitFailed, tt.says)
			if n := len(p.calls()); n > 5+2*workers {
				t.Errorf("%d calls were made", n)
			}
			if n := len(storedRows(t, folder)); tt.stored >= 0 && n != tt.stored {
				t.Errorf("%d rows are stored, want %d", n, tt.stored)
			}
			if _, err := os.Stat(filepath.Join(folder, "responses")); tt.stored < 0 && err == nil {
				t.Error("rows were written into a folder that is not the run's")
			}
		})
	}
}

func TestDrainingSendsNothingMore(t *testing.T) {
	study := newProtocol(t, model(t, "5"))
	p := newScripted(t)
	folder := t.TempDir()
	p.script(func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
		if n <= 6 {
			return false
		}
		w.Header().Set("Retry-After", "60")
		writeReply(w, http.StatusTooManyRequests, map[string]any{"error": map[string]any{"message": "slow down"}})
		return true
	})
	run := p.ask(append([]string{"run-qa", "--json", "--progress", "json", "--output-dir", folder}, study.flags()...)...).start(t)
	run.until(`"held":"the provider's rate limit"`, 1)
	before := len(p.calls())
	run.signal(os.Interrupt)
	r := run.end() // at once, and not after a minute
	r.refused(t, exitFailed, "stopped with 6 of 90 rows stored", "run it again to resume")
	if document, _ := p.count(t, r, 0); document.Cut > 0 {
		t.Errorf("%d calls are told as cut off", document.Cut)
	}
	if n := len(p.calls()) - before; n > workers-1 {
		t.Errorf("%d calls were made after the signal", n)
	}
	for _, event := range progressEvents(t, r.stderr) {
		if event["event"] == "row" && event["state"] == "retrying" && (event["until"] == nil || event["wait_seconds"] == nil || event["problem"] == "") {
			t.Errorf("a wait is not explained: %v", event)
		}
	}
}

func TestNothingIsPaidForThatCannotBeStored(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	for name, spoil := range map[string]func(t *testing.T, folder string){
		"a file in place of the rows' folder": func(t *testing.T, folder string) { writeFile(t, "", folder, "responses") },
		"a folder in place of a row": func(t *testing.T, folder string) {
			if err := os.MkdirAll(filepath.Join(folder, "responses", "allotment-plot__confidence.json"), 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"a link in place of the lock": func(t *testing.T, folder string) {
			if err := os.Symlink(filepath.Join(folder, "..", "made-elsewhere"), filepath.Join(folder, rundir.LockFile)); err != nil {
				t.Fatal(err)
			}
		},
		"a pipe in place of the identity": func(t *testing.T, folder string) {
			if err := syscall.Mkfifo(filepath.Join(folder, rundir.IdentityFile), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newScripted(t)
			folder := filepath.Join(t.TempDir(), "run")
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			spoil(t, folder)
			p.ask(append([]string{"run-qa", "--output-dir", folder}, study.flags()...)...).run(t).refused(t, exitRefused, folder)
			if n := len(p.calls()); n > 0 {
				t.Errorf("%d calls were made", n)
			}
			if _, err := os.Stat(filepath.Join(folder, "..", "made-elsewhere")); err == nil {
				t.Error("a file was made outside the folder")
			}
		})
	}
}

func TestARunThatCanOnlyFailEndsEarly(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	p.script(func(_ int, _ string, w http.ResponseWriter, _ *http.Request) bool {
		writeReply(w, http.StatusUnauthorized, map[string]any{"error": map[string]any{"message": "insufficient permissions, messages: content required"}})
		return true
	})
	r := p.ask(append([]string{"run-qa", "--output-dir", t.TempDir()}, study.flags()...)...).run(t)
	r.refused(t, exitFailed, "rows in a row failed the same way", "check the API key variable", "insufficient permissions, messages: content required", "more rows: the provider refused")
	if n := len(p.calls()); n < 5 || n > 5+workers {
		t.Errorf("%d calls were made with a key that is refused", n)
	}
}

func TestAReplyThatQuotesTheKeyIsNotStored(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	p.script(func(n int, body string, w http.ResponseWriter, _ *http.Request) bool {
		content, name := "your key is "+secretKey, "m"
		switch n {
		case 1:
		case 2:
			content, name = "fine", secretKey
		default:
			return false
		}
		writeReply(w, 200, map[string]any{"model": name, "choices": []any{map[string]any{"message": map[string]any{"content": content}}}})
		return true
	})
	r := p.ask(append([]string{"run-qa", "--progress", "json", "--output-dir", folder}, study.flags()...)...).run(t)
	r.refused(t, exitFailed, "2 of 90 rows without an answer", "quotes the API key")
	for _, name := range append(fileNames(t, filepath.Join(folder, "responses")), "../deermem-tui/journal.jsonl") {
		if strings.Contains(readFile(t, folder, "responses", name), secretKey) {
			t.Errorf("%s holds the key", name)
		}
	}
	if strings.Contains(r.stderr, secretKey) {
		t.Error("the key was shown")
	}
}

func TestAnswerersAreNotMixedWithoutAWord(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	args := append([]string{"run-qa", "--output-dir", folder}, study.flags()...)
	p.ask(append(args, "--max-calls", "10")...).run(t).refused(t, exitFailed, "10 of 90 rows stored")
	p.ask(append(args, "--offline")...).run(t).refused(t, exitRefused, "10 stored rows are answered by another kind of answerer than the offline one", "--mix-answerers")
	r := p.ask(append(args, "--offline", "--mix-answerers")...).run(t).must(t)
	r.refused(t, exitDone, "more than one model answered", "test-model-2026-01-01 (10 rows)", "another model than test-model")
}

func TestPlainAnswersAloneAreDoneWithoutAWord(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	base := append([]string{"--output-dir", folder}, study.flags()...)
	command := func(name string, more ...string) result {
		t.Helper()
		return p.ask(append(append([]string{name}, base...), more...)...).run(t)
	}
	p.script(func(n int, _ string, w http.ResponseWriter, _ *http.Request) bool {
		content, finish := any("half an ans"), "length"
		switch n {
		case 1, 2:
		case 3:
			content, finish = nil, "content_filter"
		default:
			return false
		}
		writeReply(w, 200, map[string]any{"model": "test-model", "choices": []any{map[string]any{"finish_reason": finish, "message": map[string]any{"content": content}}}})
		return true
	})
	r := command("run-qa")
	r.refused(t, exitFailed, "3 of 90 rows are no plain answers (2 truncated, 1 refused)", "--retry refused,truncated", "--accept refused,truncated", "it was cut off at the token limit")
	if r.stdout != "answer rows: 0 reused, 90 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
	command("grade-qa").refused(t, exitFailed, "3 of 90 rows are no plain answers")
	command("run-qa", "--retry", "nonsense").refused(t, exitRefused, "--retry", "empty, truncated, refused, malformed, or all")
	p.script(nil)
	command("run-qa", "--retry", "truncated").refused(t, exitFailed, "1 of 90 rows are no plain answers (1 refused)")
	if n := len(p.calls()); n != 2 {
		t.Errorf("%d calls for two truncated rows", n)
	}
	if r := command("run-qa", "--accept", "refused", "--price-in", "2", "--price-out", "10").must(t); !strings.Contains(r.stderr, "accepted") || !strings.Contains(r.stderr, "cost ") {
		t.Errorf("standard error is\n%s", r.stderr)
	}
	if r := command("grade-qa").must(t); !strings.HasPrefix(r.stdout, "1 of 90 rows are no plain answers and were accepted: 1 refused\nofficial: ") {
		t.Errorf("standard output is\n%s", r.stdout)
	}
}

func TestALookBeforeTheEndNeedsAConfirmationAndIsReported(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	base := append([]string{"--output-dir", folder}, study.flags()...)
	command := func(name string, more ...string) result {
		t.Helper()
		return p.ask(append(append([]string{name}, base...), more...)...).run(t)
	}
	command("run-qa", "--max-calls", "40").refused(t, exitFailed, "stopped with 40 of 90")
	if r := command("grade-qa"); r.code != exitFailed || strings.Contains(r.stdout+r.stderr, "right") {
		t.Errorf("%+v", r)
	}
	command("grade-qa", "--peek").refused(t, exitRefused, "--yes")
	if r := command("grade-qa", "--peek", "--yes").must(t); !strings.Contains(r.stdout, "at 40 of 90 rows") || !strings.Contains(r.stdout, "recorded") {
		t.Errorf("standard output is\n%s", r.stdout)
	}
	command("run-qa").must(t)
	command("grade-qa", "--peek", "--yes").refused(t, exitRefused, "every row is there")
	if r := command("grade-qa").must(t); !strings.Contains(r.stdout, "grades were looked at before the end: ") || !strings.Contains(r.stdout, "at 40 of 90 rows\nofficial: ") {
		t.Errorf("standard output is\n%s", r.stdout)
	}
}

func TestAttachWatchesAnotherProcessAndChangesNothing(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	tui(t, "attach", folder).refused(t, exitRefused, "tells of no QA run")
	tui(t, "attach", filepath.Join(folder, "nowhere")).refused(t, exitRefused, "does not exist")
	tui(t, "attach").refused(t, exitRefused, "takes one run folder")
	run, g := pausedRun(t, p, study, folder, 5)
	watch := invocation{args: []string{"attach", "--progress", "json", folder}}.start(t)
	watch.until(`"state":"answered"`, 5)
	left := invocation{args: []string{"attach", "--progress", "plain", folder}}.start(t)
	left.until(fmt.Sprintf("watching pid %d (run-qa", run.cmd.Process.Pid), 1)
	left.signal(os.Interrupt)
	if r := left.end(); r.code != exitDone || !strings.Contains(r.stdout, "5 of 90 rows stored") || !strings.Contains(r.stdout, "goes on without being watched") {
		t.Errorf("%+v", r)
	}
	close(g.open)
	if r := run.end(); r.code != exitDone {
		t.Errorf("the run ended with %d:\n%s", r.code, r.stderr)
	}
	if r := watch.end(); r.code != exitDone || !strings.Contains(r.stdout, "90 of 90 rows stored (90 answered); no process writes it now") || strings.Contains(r.stderr, "grade") {
		t.Errorf("%d: %s", r.code, r.stdout)
	}
	// Of a folder that cannot be written, too.
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	tui(t, "attach", "--progress", "none", folder).must(t)
}
