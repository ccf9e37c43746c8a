//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"deermem-tui/engine/report/page"
)

// The checklist and the report of a finished run, made in the application: the
// report is the command's, byte for byte, and is never written over.
func TestTheReportIsWrittenInTheApplication(t *testing.T) {
	dir := gradedSample(t)
	before := fileNames(t, dir)
	start := invocation{args: []string{dir, "--screen", "pairs", "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}, dir: t.TempDir()}
	e := explore(t, start.command(t))
	e.await("17 discordant of 45")
	e.press("P")
	e.await("› Publication", "not ready: 2 checks keep it shut", "0 of 17 reviewed")
	e.press("w")
	e.await("Write the report", "report-run")
	e.press("\r")
	e.await("The report is written", filepath.Join("report-run"), "rows.csv")
	e.press("\x1b")
	e.await("enter go to the review")
	e.press("w\r")
	e.await("never overwritten", "report-run-2")
	e.press("\r")
	e.await("The report is written")
	e.press("\x1b")
	e.await("enter go to the review")
	e.press("\r") // where it can be mended: the review asks who reviews
	e.await("Who reviews?")
	e.press("\x1b")
	e.await("17 discordant of 45")
	e.press("q")
	e.ended(exitDone)

	tui(t, "report", dir, "--output-dir", filepath.Join(start.dir, "by-command")).must(t)
	for _, folder := range []string{"report-run", "report-run-2"} {
		if got := fileNames(t, filepath.Join(start.dir, folder)); !slices.Equal(got, page.Names()) {
			t.Errorf("%s holds %v", folder, got)
		}
		for _, name := range page.Names() {
			if readFile(t, start.dir, folder, name) != readFile(t, start.dir, "by-command", name) {
				t.Errorf("%s/%s is not what the command writes", folder, name)
			}
		}
	}
	if after := fileNames(t, dir); !slices.Equal(after, before) {
		t.Errorf("the run folder holds %v, held %v", after, before)
	}
}

// Another process takes the ledger away and puts a file into the folder: the
// checklist that is seen hears of it.
func TestTheChecklistThatIsSeenHearsOfOtherProcesses(t *testing.T) {
	dir := reviewedSample(t)
	start := invocation{args: []string{dir, "--screen", "pairs", "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}, dir: t.TempDir()}
	e := explore(t, start.command(t))
	e.await("17 discordant of 45")
	e.press("P")
	e.await("› Publication", "ready: nothing is wrong or missing")
	e.press("j")
	key := writeFile(t, "sk-proj-abcdefghijklmnop1234\n", dir, "notes.txt")
	e.await("not ready: 1 check keeps it shut")
	e.press("j")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	e.await("ready: nothing is wrong or missing")
	e.press("j")
	if err := os.Remove(filepath.Join(dir, "deermem-tui", "review.jsonl")); err != nil {
		t.Fatal(err)
	}
	e.await("not ready: 2 checks keep it shut")
	e.press("q")
	e.ended(exitDone)
}

// Two runs are compared from the list of runs, and the comparison is exported.
func TestTwoRunsAreComparedInTheApplication(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"one", "two"} {
		from := gradedSample(t)
		if err := os.Rename(from, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	rows := filepath.Join(folder, "two", "qa.rows.jsonl")
	text := readFile(t, rows)
	flipped := strings.Replace(text, `"grade_correct": true, "grade_rule": "exact"`, `"grade_correct": false, "grade_rule": "overlap-reject"`, 1)
	if flipped == text {
		t.Fatal("no row to change")
	}
	writeFile(t, flipped, rows)
	start := invocation{args: []string{folder, "--remember", "off"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}, dir: t.TempDir()}
	e := explore(t, start.command(t))
	e.await("Runs 2", "no run is open")
	e.press("m")
	e.await("1 marked")
	e.press("j")
	e.press("c")
	e.await("› Compare", "one protocol", "90 in both, 0 missing; facts 0, texts 0; right to wrong", "Rows 1")
	e.press("e")
	e.await("JSON and Markdown hold the whole comparison")
	e.press("\t\r")
	e.await("wrote the whole comparison to comparison.json")
	e.press("\x1b")
	e.await("Runs 2")
	e.press("q")
	e.ended(exitDone)
	doc := decode[map[string]any](t, readFile(t, start.dir, "comparison.json"))
	if doc["version"] != 1.0 || len(doc["flips"].([]any)) != 1 {
		t.Errorf("%v", doc)
	}
}

// Processes that write the same report into one folder at once: it is there once,
// whole, and whoever came late is refused or had a hand in it.
func TestReportsWrittenIntoOneFolderAtOnceAreOneReport(t *testing.T) {
	dir := gradedSample(t)
	out := filepath.Join(t.TempDir(), "report")
	results := make([]result, 3)
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() { results[i] = tui(t, "report", dir, "--output-dir", out) })
	}
	wait.Wait()
	written := 0
	for _, r := range results {
		switch r.code {
		case exitDone:
			written++
		case exitRefused:
			r.refused(t, exitRefused, "never overwritten")
		default:
			t.Errorf("exit code %d: %s", r.code, r.stderr)
		}
	}
	if names := fileNames(t, out); written == 0 || !slices.Equal(names, page.Names()) {
		t.Errorf("%d were written; the folder holds %v", written, names)
	}
}

func TestAReportIntoAFolderThatCannotBeWrittenIsRefused(t *testing.T) {
	dir := gradedSample(t)
	file := writeFile(t, "mine", t.TempDir(), "report")
	tui(t, "report", dir, "--output-dir", file).refused(t, exitRefused, "not a folder")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(t.TempDir(), "nowhere"), link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	tui(t, "report", dir, "--output-dir", link).refused(t, exitRefused, link)
	if readFile(t, file) != "mine" {
		t.Error("a file was written over")
	}
}
