package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/protocol/vectortest"
)

// shadowFlags spells the reference's flags out, as its own commands take them.
func shadowFlags(t testing.TB, folder string) []string {
	t.Helper()
	return []string{
		"--config", vectortest.Path(t, "shadow", "protocol", "configs", "shadow.yaml"),
		"--official-manifest", vectortest.Path(t, "shadow", "protocol", "manifests", "longmemeval-pr4789-v1.json"),
		"--synthetic-manifest", vectortest.Path(t, "shadow", "protocol", "manifests", "synthetic-corrections-pr4789-v1.json"),
		"--dataset", vectortest.Path(t, "shadow", "longmemeval_shadow.json"),
		"--output-dir", folder,
	}
}

// endsAs compares the end of standard output with the reference's.
func (r result) endsAs(t testing.TB, base, name string) {
	t.Helper()
	want := strings.ReplaceAll(string(vectortest.Read(t, "shadow", name)), "OUTPUT_DIR", base)
	if !strings.HasSuffix(r.stdout, want) {
		t.Errorf("standard output is\n%s\nwant it to end with\n%s", r.stdout, want)
	}
}

func sameFile(t testing.TB, folder, name string, reference ...string) {
	t.Helper()
	if got, want := readFile(t, folder, name), string(vectortest.Read(t, append(reference, name)...)); got != want {
		t.Errorf("%s differs from the reference's", name)
	}
}

func TestRunPolicyWritesTheReferenceRun(t *testing.T) {
	base := t.TempDir()
	folder := filepath.Join(base, "policy-run")
	r := tui(t, append([]string{"run-policy"}, shadowFlags(t, folder)...)...).must(t)
	r.endsAs(t, base, "run-policy.stdout")
	sameFile(t, folder, report.PolicyRowsFile, "shadow", "policy-run")
	sameFile(t, folder, report.PolicySummaryFile, "shadow", "policy-run")

	var got, want map[string]any
	if err := json.Unmarshal([]byte(readFile(t, folder, report.RunFile)), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(vectortest.Read(t, "shadow", "policy-run", report.RunFile), &want); err != nil {
		t.Fatal(err)
	}
	for _, document := range []map[string]any{got, want} {
		if _, ok := document["git"].(map[string]any); !ok {
			t.Errorf("run.json has no git member")
		}
		if created, _ := document["created_at"].(string); !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`).MatchString(created) {
			t.Errorf("created_at is %q", created)
		}
		delete(document, "git")
		delete(document, "created_at")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("run.json is\n%v\nwant\n%v", got, want)
	}
}

func TestGradeQARebuildsTheReferenceResults(t *testing.T) {
	base := t.TempDir()
	folder := filepath.Join(base, "qa-run")
	if err := os.CopyFS(folder, os.DirFS(vectortest.Path(t, "shadow", "qa-run"))); err != nil {
		t.Fatal(err)
	}
	r := tui(t, append([]string{"grade-qa"}, shadowFlags(t, folder)...)...)
	r.refused(t, exitRefused, report.QARowsFile, report.QASummaryFile, report.QAStatsFile, "already exist")
	for _, name := range report.GradeFiles() {
		os.Remove(filepath.Join(folder, name))
	}
	r = tui(t, append([]string{"grade-qa"}, shadowFlags(t, folder)...)...).must(t)
	r.endsAs(t, base, "grade-qa.stdout")
	for _, name := range report.GradeFiles() {
		sameFile(t, folder, name, "shadow", "qa-run")
	}
}

func TestRunQASendsTheReferencesFingerprints(t *testing.T) {
	p := newScripted(t)
	base := t.TempDir()
	folder := filepath.Join(base, "qa-run")
	r := p.ask(append([]string{"run-qa"}, shadowFlags(t, folder)...)...).run(t).must(t)
	r.endsAs(t, base, "run-qa.stdout")
	for _, name := range fileNames(t, vectortest.Path(t, "shadow", "qa-run", "responses")) {
		var got, want struct {
			Fingerprint string   `json:"request_fingerprint"`
			Kept        []string `json:"kept_fact_ids"`
		}
		if err := json.Unmarshal([]byte(readFile(t, folder, "responses", name)), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(vectortest.Read(t, "shadow", "qa-run", "responses", name), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// A copy of the reference's own run is complete already.
	copied := filepath.Join(base, "copied")
	if err := os.CopyFS(copied, os.DirFS(vectortest.Path(t, "shadow", "qa-run"))); err != nil {
		t.Fatal(err)
	}
	r = p.ask(append([]string{"run-qa"}, shadowFlags(t, copied)...)...).run(t).must(t)
	if r.stdout != "answer rows: 90 reused, 0 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
}

// The published study's files, as its own qa_run.json pins them.
func TestValidateContractsPassesOnThePublishedStudy(t *testing.T) {
	var run struct {
		Artifacts map[string]string `json:"artifacts"`
	}
	if err := json.Unmarshal(vectortest.Read(t, "upstream", "results", "pr4789-reproduction-v1", "qa_run.json"), &run); err != nil {
		t.Fatal(err)
	}
	r := tui(t, "validate-contracts", "--protocol-dir", vectortest.Path(t, "upstream")).must(t)
	for _, key := range []string{"config_sha256", "official_manifest_sha256", "synthetic_manifest_sha256", "answer_prompt_sha256", "dataset_sha256"} {
		hash := run.Artifacts[key]
		if len(hash) != 64 || !regexp.MustCompile(key+` +`+hash+`\n`).MatchString(r.stdout) {
			t.Errorf("%s %s is not printed:\n%s", key, hash, r.stdout)
		}
	}
}
