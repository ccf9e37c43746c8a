//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"deermem-tui/protocol/vectortest"
)

// runsOf makes a folder of runs: the published one, a graded one of the
// sample, and what is none.
func runsOf(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	for from, to := range map[string]string{vectortest.Path(t, "upstream", "results", "pr4789-reproduction-v1"): "published"} {
		if err := os.CopyFS(filepath.Join(top, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"run-qa"}, {"grade-qa"}} {
		if r := tui(t, append(args, "--output-dir", filepath.Join(top, "mine"))...); r.code != exitDone {
			t.Fatalf("%v: %s", args, r.stderr)
		}
	}
	for _, dir := range []string{"foreign", "torn", "pipe"} {
		if err := os.Mkdir(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string]string{"foreign/notes.txt": "x", "torn/qa_run.json": "{"} {
		if err := os.WriteFile(filepath.Join(top, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_ = syscall.Mkfifo(filepath.Join(top, "pipe", "qa_run.json"), 0o600)
	_ = os.Symlink("loop", filepath.Join(top, "loop"))
	return top
}

func TestTheRunsInAFolderAreListedAndOpenedOneAfterTheOther(t *testing.T) {
	top := runsOf(t)
	e := explore(t, invocation{args: []string{top, "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}.command(t))
	e.await("▸0 Home", "Runs 6", "published", "graded", "not a run", "is not a regular file", "qa_run.json is damaged", "no file of a run")
	e.press("/")
	e.await("filter: ")
	e.press("published")
	e.await("Runs 1 of 6")
	e.press("\r")
	e.await("enter open")
	e.press("\r")
	e.await("published · run published · graded 90/90", "▸3 Cases")
	e.press("1")
	e.await("▸1 Study", "Checks 6/6 passed", "computed again from the rows: equal")
	e.press("\x1b")
	e.await("▸0 Home", "open now")
	e.press("\x1b") // clears the filter
	e.await("Runs 6")
	e.press("g")
	e.press("\r")
	e.await("sample · run mine · graded 90/90")
	e.press("q")
	e.ended(exitDone)
}

func TestOneRunThatIsNamedIsOpenedAtOnce(t *testing.T) {
	top := runsOf(t)
	e := explore(t, invocation{args: []string{filepath.Join(top, "mine"), "--remember", "off", "--case", "cat-weight", "--capacity", "4"},
		env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}.command(t))
	e.await("run mine", "cat-weight", "[4] of 10")
	e.press("q")
	e.ended(exitDone)
}

func TestNewRunsBegunInOneSecondHaveFoldersOfTheirOwn(t *testing.T) {
	state := t.TempDir()
	var all []*explorer
	for range 3 {
		all = append(all, explore(t, invocation{args: []string{"--new", "--remember", "off", "--runs-dir", state}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}.command(t)))
	}
	for _, e := range all {
		e.await("Press s")
		e.press("q")
		e.ended(exitDone)
	}
	entries, err := os.ReadDir(state)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d folders, %v", len(entries), err)
	}
	for _, entry := range entries {
		if !regexp.MustCompile(`^sample-\d{8}-\d{6}(-\d)?$`).MatchString(entry.Name()) {
			t.Errorf("a folder is called %q", entry.Name())
		}
	}
}

func TestARunOfAProtocolThatIsNotAtHandSaysWhatToGive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	study := newProtocol(t, model(t, "1"))
	if r := tui(t, append([]string{"run-policy", "--output-dir", dir}, study.flags()...)...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	e := explore(t, invocation{args: []string{dir}, env: []string{"TERM=xterm-256color"}}.command(t))
	e.ended(exitRefused)
	if said := e.said(); !strings.Contains(said, "--protocol-dir") || !strings.Contains(said, "--dataset") {
		t.Errorf("it says %q", said)
	}
	e = explore(t, invocation{args: append([]string{dir, "--remember", "off"}, study.flags()...), env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}.command(t))
	e.await("run run")
	e.press("q")
	e.ended(exitDone)
}
