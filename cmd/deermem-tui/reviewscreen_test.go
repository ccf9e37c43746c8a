//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"deermem-tui/engine/review"
	"deermem-tui/engine/review/reviewtest"
)

// reviewAt opens the application on a graded folder in the review, as a reviewer.
func reviewAt(t *testing.T, dir, reviewer string) *explorer {
	t.Helper()
	cmd := invocation{args: []string{dir, "--screen", "pairs", "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}.command(t)
	e := explore(t, cmd)
	e.await("discordant of 45")
	e.press("w")
	e.await("Who reviews?")
	e.press(reviewer + "\r")
	e.await("/", "reviewed", "Blind:")
	return e
}

// either waits until the terminal received one of the texts since the last key,
// and tells which.
func (e *explorer) either(texts ...string) int {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		for i, text := range texts {
			if strings.Contains(e.seen.String()[e.from:], text) {
				return i
			}
		}
		if e.eof {
			e.t.Fatalf("the terminal closed without any of %q", texts)
		}
		e.cond.Wait()
	}
}

func entries(t *testing.T, dir string) []review.Entry {
	t.Helper()
	var out []review.Entry
	for line := range strings.Lines(readFile(t, dir, filepath.FromSlash(review.LedgerFile))) {
		out = append(out, decode[review.Entry](t, line))
	}
	return out
}

// A pair is reviewed in the application; ledger and command have the verdict.
func TestAPairIsReviewedInTheApplication(t *testing.T) {
	dir := gradedSample(t)
	next := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "ann", "--json").must(t).stdout)
	e := reviewAt(t, dir, "ann")
	e.press("v")
	e.await("Your verdict")
	e.press("a")
	e.await("▸ abstention")
	e.press("b")
	e.await("▸ dispute B")
	e.press("it had the fact and declined")
	e.press("\r")
	e.await("recorded: abstention. A was ")
	e.press("q")
	e.ended(exitDone)
	blind, _, _ := strings.Cut(e.said(), "recorded: ")
	_, blind, _ = strings.Cut(blind, "Who reviews?")
	for _, name := range []string{"hybrid-v1", "confidence_control", "+hyb"} {
		if strings.Contains(blind, name) {
			t.Errorf("the terminal was told %s before the verdict", name)
		}
	}
	all := entries(t, dir)
	if len(all) != 1 {
		t.Fatalf("%d entries", len(all))
	}
	got := all[0]
	if got.CaseID != next.CaseID || got.Reviewer != "ann" || got.Cause != review.CauseAbstention || !got.Blind || len(got.Disputed) != 1 || got.Note != "it had the fact and declined" {
		t.Errorf("%+v", got)
	}
	if list := tui(t, "review", dir, "--reviewer", "ann").must(t).stdout; !strings.Contains(list, "ann: abstention, disputes "+got.Disputed[0]) {
		t.Errorf("the command does not tell it:\n%s", list)
	}
	if shown := decode[shownDoc](t, tui(t, "review", dir, "--case", got.CaseID, "--reviewer", "ann", "--json").must(t).stdout); shown.Answers[0].Policy != got.Shown[0] {
		t.Errorf("A was %s in the screen and is %s in the command", got.Shown[0], shown.Answers[0].Policy)
	}
}

// Two people review one folder, and a third adds verdicts with the command.
func TestTwoApplicationsAndTheCommandReviewOneFolderAtOnce(t *testing.T) {
	dir := reviewtest.New().Write(t)
	queue := decode[queueDoc](t, tui(t, "review", dir, "--json").must(t).stdout)
	ann, bob := reviewAt(t, dir, "ann"), reviewAt(t, dir, "bob")
	var scripts sync.WaitGroup
	scripts.Go(func() {
		for _, item := range queue.Items {
			args := []string{"review", dir, "--case", item.CaseID, "--reviewer", "cal", "--verdict", "other", "--agree"}
			r := tui(t, args...)
			for strings.Contains(r.stderr, "is being written by") {
				r = tui(t, args...)
			}
			if r.code != exitDone {
				t.Error(r.stderr)
			}
		}
	})
	const pairs = 4
	for done := range pairs {
		for _, e := range []*explorer{ann, bob} {
			e.press("v")
			e.await("Your verdict")
			e.press("ey\r")
			for e.either(fmt.Sprintf(" %d/18 reviewed", done+1), "is being written by") > 0 {
				e.press("\r") // what was chosen is still there
			}
			e.press("n")
			e.await("· blind")
		}
	}
	scripts.Wait()
	for _, e := range []*explorer{ann, bob} {
		e.press("q")
		e.ended(exitDone)
	}
	count := map[string]int{}
	for _, e := range entries(t, dir) {
		count[e.Reviewer]++
	}
	if count["ann"] != pairs || count["bob"] != pairs || count["cal"] != len(queue.Items) {
		t.Errorf("%v", count)
	}
}

// A folder on a medium that cannot be written says so before anything is typed.
func TestAReviewOfAReadOnlyFolderSaysWhyNothingCanBeRecorded(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere: skipped")
	}
	dir := reviewtest.New().Write(t)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	e := reviewAt(t, dir, "ann")
	e.await("No verdict can be recorded now")
	e.press("v")
	e.await("cannot be written")
	e.press("\x1bq")
	e.ended(exitDone)
}

// A case that was on the screen before, however one came there, is known to the
// ledger as told.
func TestAVerdictOnACaseThatWasOpenIsNotBlind(t *testing.T) {
	dir := gradedSample(t)
	next := decode[shownDoc](t, tui(t, "review", dir, "--next", "--reviewer", "ann", "--json").must(t).stdout)
	if next.CaseID == "" {
		t.Fatal("no case is next")
	}
	e := explore(t, invocation{args: []string{dir, "--case", next.CaseID, "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}}.command(t))
	e.await("› " + next.CaseID)
	e.press("4")
	e.await("discordant of 45")
	e.press("w")
	e.await("Who reviews?")
	e.press("ann\r")
	e.await("recorded as not blind")
	e.press("v")
	e.await("Your verdict as ann")
	e.press("e")
	e.await("▸ eviction")
	e.press("y")
	e.press("\r")
	e.await("recorded: eviction. A was ")
	e.press("q")
	e.ended(exitDone)
	if got := entries(t, dir); len(got) != 1 || got[0].CaseID != next.CaseID || got[0].Blind {
		t.Errorf("%+v", got)
	}
}

// The key in use is no note and no name: the gate would find it for ever.
func TestTheKeyInUseIsNotRecordedInTheApplication(t *testing.T) {
	dir := gradedSample(t)
	cmd := invocation{args: []string{dir, "--screen", "pairs", "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1", "SOME_API_KEY=blueHorse7plumTable"}}.command(t)
	e := explore(t, cmd)
	e.await("discordant of 45")
	e.press("w")
	e.await("Who reviews?")
	e.press("ann\r")
	e.await("reviewed", "Blind:")
	e.press("v")
	e.await("Your verdict")
	e.press("ey")
	e.press("the key blueHorse7plumTable")
	e.press("\r")
	e.await("$SOME_API_KEY; leave it out")
	e.press("\x03")
	e.await("y quit")
	e.press("y")
	e.ended(exitDone)
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(review.LedgerFile))); err == nil {
		t.Errorf("%+v was recorded", entries(t, dir))
	}
}
