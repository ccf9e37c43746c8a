package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// resultFiles are what a whole run leaves in its folder, besides the rows.
var resultFiles = []string{
	"deermem-tui", "policy.raw.jsonl", "qa.rows.jsonl", "qa.stats.json", "qa.summary.json", "qa_run.json", "responses", "run.json", "summary.json",
}

func lastLines(text string, n int) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[max(0, len(lines)-n):]
}

func TestTheSampleStudyRunsToGradedResultsByCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "run")
	for _, step := range []struct {
		args  []string
		lines []string // patterns of the last lines on standard output
	}{
		{[]string{"validate-contracts"}, []string{
			`answer_prompt_sha256 +[0-9a-f]{64}`, `config_sha256 +[0-9a-f]{64}`, `dataset_sha256 +[0-9a-f]{64}`,
			`official_manifest_sha256 +[0-9a-f]{64}`, `synthetic_manifest_sha256 +[0-9a-f]{64}`,
			`contracts of deermem-tui-sample-v1 are valid`}},
		{[]string{"validate"}, []string{`deermem-tui-sample-v1 is valid: 45 cases of 10 facts, 40 distractors in the bank, \d+ dataset rows`}},
		{[]string{"run-policy", "--output-dir", dir}, []string{`wrote 270 policy rows for 45 cases to ` + dir}},
		{[]string{"run-qa", "--output-dir", dir}, []string{`answer rows: 0 reused, 90 called, 0 failed`}},
		{[]string{"run-qa", "--output-dir", dir}, []string{`answer rows: 90 reused, 0 called, 0 failed`}},
		{[]string{"grade-qa", "--output-dir", dir}, []string{
			`official: confidence \d+/40, hybrid-v1 \d+/40, exact McNemar p=\d\.\d{6}`,
			`synthetic: confidence \d/5, hybrid-v1 \d/5, exact McNemar p=\d\.\d{6}`,
			`overall: confidence \d+/45, hybrid-v1 \d+/45, exact McNemar p=\d\.\d{6}`,
			`graded 90 rows to ` + dir}},
	} {
		r := tui(t, step.args...).must(t)
		lines := lastLines(r.stdout, len(step.lines))
		for i, pattern := range step.lines {
			if i >= len(lines) || !regexp.MustCompile(`^`+pattern+`$`).MatchString(lines[i]) {
				t.Errorf("%v: line %d of the last is not `%s`:\n%s", step.args, i+1, pattern, r.stdout)
			}
		}
	}
	if names := fileNames(t, dir); !slices.Equal(names, resultFiles) {
		t.Errorf("the run folder holds %v, want %v", names, resultFiles)
	}
	if n := len(fileNames(t, filepath.Join(dir, "responses"))); n != 90 {
		t.Errorf("%d rows are stored, want 90", n)
	}
	if !strings.Contains(readFile(t, dir, "run.json"), "\"git\": {\n    \"dirty\": null,\n    \"head\": null\n  }") {
		t.Errorf("outside a repository git is not null:\n%s", readFile(t, dir, "run.json"))
	}
}

func TestEveryCommandGivesItsResultAsOneJSONDocument(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []struct {
		args []string
		has  map[string]any // members the document must have; nil: any value
	}{
		{[]string{"validate-contracts"}, map[string]any{"protocol_id": "deermem-tui-sample-v1", "artifacts": nil}},
		{[]string{"validate"}, map[string]any{"cases": 45.0, "bank": 40.0, "dataset_rows": nil, "artifacts": nil}},
		{[]string{"run-policy", "--output-dir", dir}, map[string]any{"rows": 270.0, "cases": 45.0, "output_dir": dir, "groups": nil}},
		{[]string{"run-qa", "--output-dir", dir}, map[string]any{"reused": 0.0, "called": 90.0, "missing": 0.0, "failed": nil}},
		{[]string{"grade-qa", "--output-dir", dir}, map[string]any{"rows": 90.0, "suites": nil, "policies": nil}},
		{[]string{"version"}, map[string]any{"version": version, "policy": "hybrid-v1", "grader": "deterministic-overlap-v1"}},
	} {
		r := tui(t, append(step.args, "--json")...).must(t)
		var document map[string]any
		if err := json.Unmarshal([]byte(r.stdout), &document); err != nil {
			t.Errorf("%v: %v:\n%s", step.args, err, r.stdout)
			continue
		}
		for key, want := range step.has {
			if got, ok := document[key]; !ok || want != nil && got != want {
				t.Errorf("%v: %s is %v, want %v", step.args, key, got, want)
			}
		}
	}
}

func TestProgressGoesToStandardErrorOnly(t *testing.T) {
	want := tui(t, "validate", "--progress", "none").must(t)
	if want.stderr != "" {
		t.Errorf("none: standard error holds\n%s", want.stderr)
	}
	for _, mode := range []string{"auto", "plain", "json"} {
		r := tui(t, "validate", "--progress", mode).must(t)
		if r.stdout != want.stdout {
			t.Errorf("%s: standard output is\n%s\nwant\n%s", mode, r.stdout, want.stdout)
		}
		if r.stderr == "" {
			t.Errorf("%s: nothing on standard error", mode)
		}
	}
}

func TestAShortStageIsToldInTwoLines(t *testing.T) {
	r := tui(t, "run-policy", "--output-dir", filepath.Join(t.TempDir(), "run")).must(t)
	pattern := regexp.MustCompile(`^validate: started\nvalidate: done in [^\n]*\nrun-policy: started\nrun-policy: done in [^\n]*\n$`)
	if !raceEnabled && !pattern.MatchString(r.stderr) {
		t.Errorf("standard error is\n%s", r.stderr)
	}
}

// progressEvents parses the lines of --progress json.
func progressEvents(t testing.TB, stderr string) []map[string]any {
	t.Helper()
	var events []map[string]any
	for line := range strings.Lines(stderr) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("a line of --progress json is no JSON: %v: %q", err, line)
		}
		events = append(events, event)
	}
	return events
}

func TestJSONProgressTellsEveryStageCheckAndRow(t *testing.T) {
	r := tui(t, "run-qa", "--progress", "json", "--output-dir", t.TempDir()).must(t)
	if r.stdout != "answer rows: 0 reused, 90 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
	counts := map[string]int{}
	for _, event := range progressEvents(t, r.stderr) {
		kind, _ := event["event"].(string)
		if state, ok := event["state"].(string); ok {
			kind += " " + state
		}
		counts[kind]++
	}
	for kind, want := range map[string]int{
		"stage_started": 2, "stage_finished": 2, "check passed": 11,
		"row waiting": 90, "row calling": 90, "row answered": 90, "stage_progress": 102,
	} {
		if counts[kind] != want {
			t.Errorf("%d %q events, want %d (all: %v)", counts[kind], kind, want, counts)
		}
	}
}

func TestJSONProgressEndsWithTheErrorAsJSON(t *testing.T) {
	r := tui(t, "validate", "--progress", "json", "--dataset", "/no/such/dataset.json")
	r.refused(t, exitRefused)
	events := progressEvents(t, r.stderr)
	last := events[len(events)-1]
	if text, _ := last["error"].(string); last["event"] != "error" || last["exit_code"] != 2.0 || !strings.Contains(text, "/no/such/dataset.json") {
		t.Errorf("the last line is %v", last)
	}
	if r.stdout != "" {
		t.Errorf("standard output is %q", r.stdout)
	}
}
