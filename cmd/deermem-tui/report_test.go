package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/review/reviewtest"
)

func TestReportWritesFourFilesOnce(t *testing.T) {
	dir := gradedSample(t)
	before := fileNames(t, dir)
	here := t.TempDir()
	r := invocation{args: []string{"report", dir}, dir: here}.run(t).must(t)
	out := filepath.Join(here, "report-run")
	if got := fileNames(t, out); !slices.Equal(got, []string{"report.html", "report.json", "report.md", "rows.csv"}) || !strings.Contains(r.stdout, "not to be published yet") {
		t.Errorf("%v\n%s", got, r.stdout)
	}
	if !slices.Equal(fileNames(t, dir), before) {
		t.Error("the run folder changed")
	}
	invocation{args: []string{"report", dir}, dir: here}.run(t).refused(t, exitRefused, "report.html", "never overwritten")
	page := readFile(t, out, "report.html")
	if strings.Contains(page, here) || !strings.Contains(page, "capacity 5") || !strings.Contains(page, "capacity 9") {
		t.Error("the page holds a path, or lacks a capacity")
	}
	doc := decode[map[string]any](t, tui(t, "report", dir, "--output-dir", filepath.Join(here, "again"), "--json").must(t).stdout)
	if doc["publishable"] != false || len(doc["files"].([]any)) != 4 {
		t.Errorf("%v", doc)
	}
	for _, name := range fileNames(t, out) {
		if readFile(t, out, name) != readFile(t, here, "again", name) {
			t.Errorf("%s differs the second time", name)
		}
	}
}

func TestReportRefusesWhatIsNoWholeRun(t *testing.T) {
	broken := reviewtest.New()
	broken.Rows = broken.Rows[1:]
	tui(t, "report", broken.Write(t)).refused(t, exitRefused, "case00")
	tui(t, "report", t.TempDir()).refused(t, exitRefused, "grade-qa")
	tui(t, "report").refused(t, exitRefused, "takes one run folder")
}

func TestTheCommandsOfAReportComputeItAgain(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil {
		t.Skip("there is no sha256sum: skipped")
	}
	dir := gradedSample(t)
	here := filepath.Dir(dir)
	invocation{args: []string{"report", dir, "--output-dir", "first"}, dir: here}.run(t).must(t)
	commands := 0
	code := false
	for _, line := range strings.Split(readFile(t, here, "first", "report.md"), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code:
			commands++
			line = strings.Replace(line, "deermem-tui ", binary+" ", 1)
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = here
			// The run is not reviewed, which is all that publish-check says.
			if out, err := cmd.CombinedOutput(); err != nil && !strings.Contains(line, "publish-check") {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
	if commands != 7 {
		t.Errorf("%d commands", commands)
	}
	for _, name := range fileNames(t, filepath.Join(here, "first")) {
		if readFile(t, here, "first", name) != readFile(t, here, "report-again", name) {
			t.Errorf("%s made again differs", name)
		}
	}
}

func TestAReportThatLacksAFileIsCompletedAndNoneLiesInARun(t *testing.T) {
	dir := reviewtest.New().Write(t)
	out := filepath.Join(t.TempDir(), "out")
	tui(t, "report", dir, "--output-dir", out).must(t)
	if err := os.Remove(filepath.Join(out, "rows.csv")); err != nil {
		t.Fatal(err)
	}
	tui(t, "report", dir, "--output-dir", out).must(t)
	if got := fileNames(t, out); len(got) != 4 {
		t.Errorf("%v", got)
	}
	for _, inside := range []string{dir, filepath.Join(dir, "responses"), filepath.Join(dir, "new")} {
		tui(t, "report", dir, "--output-dir", inside).refused(t, exitRefused, "choose a folder outside")
	}
}
