package report_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/protocol/strict"
)

const published = "../../../shared/upstream/results/pr4789-reproduction-v1"

func readPublished(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(published, name))
	if err != nil {
		t.Skipf("published results not found at %s: skipped", published)
	}
	return data
}

func TestDocumentsReadBackAreThoseThatWereWritten(t *testing.T) {
	data := readPublished(t, report.QARunFile)
	doc, err := report.ParseQARunDoc(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := doc.JSON(); string(got) != string(data) {
		t.Errorf("qa_run.json differs:\n%s", got)
	}
	data = readPublished(t, report.QAStatsFile)
	stats, err := report.ParseStatsDoc(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := stats.JSON(); string(got) != string(data) {
		t.Errorf("qa.stats.json differs:\n%s", got)
	}
}

func TestDocumentsThatAreWrongAreRefusedByKey(t *testing.T) {
	run, stats := string(readPublished(t, report.QARunFile)), string(readPublished(t, report.QAStatsFile))
	for _, c := range []struct{ name, from, to, key string }{
		{"another schema", `"schema_version": 2`, `"schema_version": 1`, "schema_version"},
		{"a key too many", `"protocol_id":`, `"note": 1, "protocol_id":`, "note"},
		{"a hash that is none", `"config_sha256": "e0`, `"config_sha256": "E0`, "artifacts.config_sha256"},
		{"a time that is none", `2026-08-18T`, `yesterday`, "created_at"},
		{"git without a state", `"dirty": false`, `"dirty": null`, "git.dirty"},
		{"a model that is a number", `"deepseek-v4-flash"`, `7`, "qa.model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := report.ParseQARunDoc([]byte(strings.Replace(run, c.from, c.to, 1)))
			var refused *strict.Error
			if !errors.As(err, &refused) || refused.Key != c.key {
				t.Errorf("error %v, want one at %s", err, c.key)
			}
		})
	}
	for _, c := range []struct{ name, from, to, key string }{
		{"iterations without end", `"iterations": 10000`, `"iterations": 10000000000`, "suites.official.bootstrap.iterations"},
		{"three policies", `"confidence",`, `"confidence", "lru",`, "policies"},
		{"a p above one", `"p_value": 0.0018310546875`, `"p_value": 1.5`, "suites.official.mcnemar.p_value"},
		{"no suite", `"overall"`, `"all"`, "suites.all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := report.ParseStatsDoc([]byte(strings.Replace(stats, c.from, c.to, 1)))
			var refused *strict.Error
			if !errors.As(err, &refused) || refused.Key != c.key {
				t.Errorf("error %v, want one at %s", err, c.key)
			}
		})
	}
	for _, data := range []string{"", "{", "[]", "null", strings.Repeat("[", 100000)} {
		if _, err := report.ParseQARunDoc([]byte(data)); err == nil {
			t.Errorf("%.10q was taken for qa_run.json", data)
		}
		if _, err := report.ParseStatsDoc([]byte(data)); err == nil {
			t.Errorf("%.10q was taken for qa.stats.json", data)
		}
	}
}

func TestDifferencesNameWhatDiffers(t *testing.T) {
	a := report.Suite{Cases: 40, BothCorrect: 22, PValue: 0.5}
	b := a
	if d := a.Differences(b); len(d) != 0 {
		t.Errorf("equal suites differ: %v", d)
	}
	b.PValue, b.Bootstrap.Lower = 0.25, 0.1
	if d := a.Differences(b); len(d) != 2 || d[0] != "p 0.5, not 0.25" {
		t.Errorf("differences %v", d)
	}
}
