//go:build unix

// Tests of what a QA run tells of money it cannot know, and of money it must not
// spend without a word.

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

func TestRepliesWithoutUsageCostAnUnknownAmount(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	p.script(func(_ int, body string, w http.ResponseWriter, _ *http.Request) bool {
		writeReply(w, http.StatusOK, map[string]any{"model": "test-model", "choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": "24"}}}})
		return true
	})
	folder := t.TempDir()
	args := append([]string{"run-qa", "--output-dir", folder, "--max-calls", "1", "--price-in", "1", "--price-out", "1"}, study.flags()...)
	r := p.ask(append(args, "--progress", "plain")...).run(t)
	r.refused(t, exitFailed, "tokens unknown (1 reply without usage), cost unknown", "1 call was made, --max-calls allows no more")
	for _, lie := range []string{"0.0000", " 0 tokens", "1 calls"} {
		if strings.Contains(r.stderr, lie) {
			t.Errorf("standard error says %q:\n%s", lie, r.stderr)
		}
	}
	r = p.ask(append(args, "--json", "--progress", "json")...).run(t)
	var document map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &document); err != nil || document["replies_without_usage"] != 2.0 || document["cost"] != nil || document["cost_at_least"] != nil {
		t.Errorf("%v: %s", err, r.stdout)
	}
	if strings.Contains(r.stderr, `"cost":`) || !strings.Contains(r.stderr, `"replies_without_usage":2`) {
		t.Errorf("the progress says\n%s", r.stderr)
	}
}

func TestAGradedFolderIsNotCalledAgainWithoutAWord(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	with := func(command string, more ...string) result {
		return p.ask(append(append([]string{command, "--output-dir", folder}, study.flags()...), more...)...).run(t)
	}
	with("run-qa").must(t)
	with("grade-qa").must(t)
	row := filepath.Join(folder, rundir.RowFile(storedRows(t, folder)[0].RowID))
	if err := os.Remove(row); err != nil {
		t.Fatal(err)
	}
	p.script(nil)
	with("run-qa").refused(t, exitRefused, "is graded already", "qa.rows.jsonl", "1 row would be called and paid for", "--regrade")
	if n := len(p.calls()); n != 0 {
		t.Errorf("%d calls", n)
	}
	p.script(func(_ int, _ string, w http.ResponseWriter, _ *http.Request) bool {
		writeReply(w, http.StatusOK, map[string]any{"model": "test-model", "choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": "another answer"}}}})
		return true
	})
	if r := with("run-qa", "--regrade").must(t); !strings.Contains(r.stderr, "are stale once a row is stored") {
		t.Errorf("standard error says\n%s", r.stderr)
	}
	with("grade-qa").refused(t, exitRefused, "graded results of other answers than are stored now", "Move these away and grade again")
	for _, name := range report.GradeFiles() {
		if err := os.Rename(filepath.Join(folder, name), filepath.Join(t.TempDir(), name)); err != nil {
			t.Fatal(err)
		}
	}
	with("grade-qa").must(t)
}

func TestTheQuitSignalDrainsAsTheOthersDo(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	run, g := pausedRun(t, p, study, t.TempDir(), 5)
	run.signal(syscall.SIGQUIT)
	run.until("stopping", 1)
	close(g.open)
	r := run.end() // which finds no dump of goroutines in it
	r.refused(t, exitFailed, "run it again to resume")
}

func TestAbandonedCallsAreToldInWords(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	run, _ := pausedRun(t, p, study, t.TempDir(), 5)
	run.signal(os.Interrupt)
	run.until("stopping", 1)
	run.signal(os.Interrupt)
	r := run.end()
	r.refused(t, exitFailed, "(abandoned: 3 calls in flight were cut off, and may be paid for)")
	if strings.Contains(r.stderr, "context canceled") {
		t.Errorf("standard error says\n%s", r.stderr)
	}
}

func TestTheHostsOfARunAreRecordedWithoutSecrets(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	first, second := newScripted(t), newScripted(t)
	folder := t.TempDir()
	base := append([]string{"--output-dir", folder}, study.flags()...)
	first.ask(append([]string{"run-qa", "--max-calls", "10"}, base...)...).run(t)
	host := func(p *scripted) string { return strings.TrimPrefix(p.server.URL, "http://") }
	if r := second.ask(append([]string{"run-qa"}, base...)...).run(t).must(t); !strings.Contains(r.stderr, "this start asks "+host(second)+"; earlier ones asked "+host(first)) {
		t.Errorf("standard error says\n%s", r.stderr)
	}
	tui(t, append([]string{"grade-qa"}, base...)...).must(t)
	states := readFile(t, folder, rundir.StatesFile)
	if !strings.Contains(states, host(first)) || !strings.Contains(states, host(second)) || strings.Contains(states, "/v1") {
		t.Errorf("states.json says\n%s", states)
	}
}
