package main

import (
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
