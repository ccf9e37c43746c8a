package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const esc = "\x1b[2J\x1b]0;owned\x07"

// TestEveryRefusedInputIsNamedWithWhatToDo changes one thing of a good study.
// Each message names the file, the key or row, and what was expected and found.
func TestEveryRefusedInputIsNamedWithWhatToDo(t *testing.T) {
	const used = "cat-weight" // a question the study uses
	type edit = func(t *testing.T, f *protocolFiles)
	config := func(old, replacement string) edit {
		return func(t *testing.T, f *protocolFiles) { swap(t, &f.config, old, replacement) }
	}
	official := func(old, replacement string) edit {
		return func(t *testing.T, f *protocolFiles) { swap(t, &f.official, old, replacement) }
	}
	synthetic := func(old, replacement string) edit {
		return func(t *testing.T, f *protocolFiles) { swap(t, &f.synthetic, old, replacement) }
	}
	column := func(key string, value any) edit {
		return func(t *testing.T, f *protocolFiles) {
			row(t, used, func(r map[string]any) {
				if value == nil {
					delete(r, key)
				} else {
					r[key] = value
				}
			})(f)
		}
	}
	list := func(change func([]map[string]any) []map[string]any) edit {
		return func(t *testing.T, f *protocolFiles) { rows(t, change)(f) }
	}
	whole := func(text string) edit { return func(_ *testing.T, f *protocolFiles) { f.dataset = text } }
	for _, c := range []struct {
		name  string
		edit  edit
		file  string // whose path the message holds
		wants []string
	}{
		// The configuration.
		{"an unknown key of the configuration", config("alpha: 0.05", "alpha: 0.05\n  beta: 1"), "config", []string{"statistics.beta"}},
		{"a missing key of the configuration", config("  fact_order: fact-id\n", ""), "config", []string{"pool.fact_order", "missing"}},
		{"a text where a number belongs", config("workers: 3", `workers: "3"`), "config", []string{"qa.workers", `"3"`, "integer"}},
		{"a number out of bounds", config("qa_capacity: 7", "qa_capacity: 8"), "config", []string{"pool.qa_capacity", "8"}},
		{"a revision that YAML reads as an integer", config(`revision: "`, `revision: 0000000000000000000000000000000000000001 # "`), "config", []string{"dataset.revision", "40"}},
		{"a configuration that is no YAML", config("pool:", "pool: [unclosed"), "config", []string{"YAML"}},
		{"a key given twice", config("alpha: 0.05", "alpha: 0.05\n  alpha: 0.01"), "config", []string{"alpha"}},
		{"another grader", config("deterministic-overlap-v1", "deterministic-overlap-v2"), "config",
			[]string{"qa.grader_version", "deterministic-overlap-v2", "deterministic-overlap-v1"}},
		{"another policy version", config("required_policy_version: hybrid-v1", "required_policy_version: hybrid-v2"), "config",
			[]string{"required_policy_version", "hybrid-v2", "hybrid-v1"}},
		{"a hostile key of the configuration", config("alpha: 0.05", "alpha: 0.05\n  \"\\e[2J\\u202e\": 1"), "config", []string{"statistics."}},
		// The manifests.
		{"an unknown key of a manifest", official(`"scenario_order"`, `"note": 1, "scenario_order"`), "official", []string{"note"}},
		{"a cut manifest", func(_ *testing.T, f *protocolFiles) { f.official = f.official[:len(f.official)/2] + `"` }, "folder",
			[]string{"expected one official manifest", "official.json is none", "JSON", "--official-manifest"}},
		{"a case listed twice", official(`"bib-corral"`, `"allotment-plot"`), "official", []string{"scenarios", "allotment-plot"}},
		{"a case that is not selected", official(`"bib-corral"`, `"zzz"`), "official",
			[]string{"scenarios.confirmation_help[1]", `"zzz"`, `"bib-corral"`, "not of one study"}},
		{"a case ID that would leave the folder", official(`"bib-corral"`, `"../../up"`), "official", []string{"scenarios.confirmation_help", `"../../up"`, "can name a file"}},
		{"a case ID that acts on a terminal", official(`"bib-corral"`, `"\u001b[2J\u009b1m\u202e"`), "official", []string{"scenarios.confirmation_help", "can name a file"}},
		{"a guard whose ID is a folder", func(t *testing.T, f *protocolFiles) { firstGuard(t, f, "..") }, "synthetic", []string{"cases[0].case_id", `".."`}},
		{"a case of both manifests", func(t *testing.T, f *protocolFiles) { firstGuard(t, f, "bib-corral") }, "synthetic",
			[]string{"cases[0].case_id", `"bib-corral"`, "rename"}},
		{"a manifest of another protocol", synthetic("deermem-tui-sample-v1", "another-v1"), "synthetic",
			[]string{"protocol_id", "another-v1", "deermem-tui-sample-v1", "use the files of one protocol"}},
		// The prompt.
		{"a changed prompt", func(_ *testing.T, f *protocolFiles) { f.prompt += "\n"; f.pinned = true }, "prompt",
			[]string{"SHA-256 is", "qa.answer_prompt.sha256 pins", "restore the prompt"}},
		{"a prompt without a placeholder", func(t *testing.T, f *protocolFiles) { swap(t, &f.prompt, "{{QUESTION}}", "?") }, "prompt", []string{"{{QUESTION}}"}},
		// The dataset.
		{"a wrong hash", func(_ *testing.T, f *protocolFiles) { f.dataset += " "; f.pinned = true }, "dataset",
			[]string{"SHA-256 is", "the protocol pins", "sample-dataset.json", "again"}},
		{"a cut download", func(_ *testing.T, f *protocolFiles) { f.dataset = f.dataset[:len(f.dataset)/2]; f.pinned = true }, "dataset",
			[]string{"SHA-256 is", "the protocol pins", "the file is also broken", "again"}},
		{"a cut dataset whose hash is pinned", func(_ *testing.T, f *protocolFiles) { f.dataset = f.dataset[:len(f.dataset)/2] }, "dataset",
			[]string{"not complete JSON", "line ", "column "}},
		{"an empty dataset", whole(""), "dataset", []string{"expected a JSON array of rows"}},
		{"a dataset that is no JSON", whole("hello"), "dataset", []string{"expected a JSON array of rows"}},
		{"a dataset that is no array", whole(`{"a": 1}`), "dataset", []string{"expected a JSON array of rows"}},
		{"a dataset with text after its end", func(_ *testing.T, f *protocolFiles) { f.dataset += "x" }, "dataset", []string{"not JSON", "line "}},
		{"a dataset that is not UTF-8", func(_ *testing.T, f *protocolFiles) {
			f.dataset = strings.Replace(f.dataset, `"question": "`, "\"question\": \"\xff", 1)
		},
			"dataset", []string{"UTF-8", "byte"}},
		{"a row that is no object", func(_ *testing.T, f *protocolFiles) { f.dataset = "[1]" }, "dataset", []string{"row 1", "expected an object"}},
		{"a dataset without rows", whole("[]"), "dataset", []string{"selection.take_per_question_type", "20", "0 pass"}},
		{"an ID that stands twice", list(func(l []map[string]any) []map[string]any { l[7]["question_id"] = l[2]["question_id"]; return l }), "dataset",
			[]string{"row 8", "question_id", "row 3"}},
		{"a hostile ID that stands twice", list(func(l []map[string]any) []map[string]any {
			l[7]["question_id"], l[2]["question_id"] = esc+"\u009b\u202e", esc+"\u009b\u202e"
			return l
		}), "dataset", []string{"row 8", "question_id", "row 3"}},
		{"a row without an ID", list(func(l []map[string]any) []map[string]any { delete(l[4], "question_id"); return l }), "dataset", []string{"row 5", "question_id"}},
		{"an ID that is a number", list(func(l []map[string]any) []map[string]any { l[4]["question_id"] = 7; return l }), "dataset", []string{"row 5", "question_id", "string"}},
		{"an ID that is empty", list(func(l []map[string]any) []map[string]any { l[4]["question_id"] = ""; return l }), "dataset", []string{"row 5", "question_id", "non-empty"}},
		{"too few rows of a type", list(func(l []map[string]any) []map[string]any {
			return slices.DeleteFunc(l, func(r map[string]any) bool {
				return r["question_type"] == "knowledge-update" && r["question_id"] != used
			})
		}), "dataset", []string{"selection.take_per_question_type", "20", "knowledge-update"}},
		{"too few distractors", list(func(l []map[string]any) []map[string]any {
			return slices.DeleteFunc(l, func(r map[string]any) bool { return r["question_type"] == "single-session-user" })
		}), "dataset", []string{"pool.distractor_bank_size", "40"}},
		{"a missing question", column("question", nil), "dataset", []string{used, "question", "missing"}},
		{"a question that is no text", column("question", 5), "dataset", []string{used, "question", "string"}},
		{"a missing answer", column("answer", nil), "dataset", []string{used, "answer", "missing"}},
		{"missing sessions", column("haystack_sessions", nil), "dataset", []string{used, "haystack_sessions"}},
		{"sessions that are no list", column("haystack_sessions", "x"), "dataset", []string{used, "haystack_sessions", "list"}},
		{"lists of unequal length", column("haystack_dates", []string{}), "dataset", []string{used, "haystack_dates"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			study := newProtocol(t, func(f *protocolFiles) { c.edit(t, f) })
			path := map[string]string{
				"config": study.config, "official": study.official, "synthetic": study.synthetic, "prompt": study.prompt, "dataset": study.dataset,
				"folder": "protocol folder " + study.dir,
			}[c.file]
			// The last line of run-policy is no other, and it leaves no folder.
			folder := filepath.Join(t.TempDir(), "run")
			r := tui(t, append([]string{"run-policy", "--output-dir", folder}, study.flags()...)...)
			r.refused(t, exitRefused, append(c.wants, "deermem-tui: "+path)...)
			if r.stdout != "" {
				t.Errorf("standard output is %q", r.stdout)
			}
			if names := fileNames(t, folder); names != nil {
				t.Errorf("the folder was made and holds %v", names)
			}
			if testing.Verbose() {
				t.Log(lastLines(r.stderr, 1)[0])
			}
		})
	}
}

// firstGuard renames the first synthetic case.
func firstGuard(t *testing.T, f *protocolFiles, id string) {
	t.Helper()
	const key = `"case_id": "`
	at := strings.Index(f.synthetic, key)
	if at < 0 {
		t.Fatal("the synthetic manifest no longer holds a case_id")
	}
	rest := f.synthetic[at+len(key):]
	f.synthetic = f.synthetic[:at+len(key)] + id + rest[strings.IndexByte(rest, '"'):]
}

func TestAnEvilDatasetNobodySelectsDoesNoHarm(t *testing.T) {
	study := newProtocol(t, rows(t, func(l []map[string]any) []map[string]any {
		for i, id := range []string{"../../etc/passwd", esc, "a/b", "\u202eabc", "CON"} {
			l = append(l, map[string]any{"question_id": id, "question_type": esc, "question": i})
		}
		return l
	}))
	tui(t, append([]string{"run-policy", "--output-dir", t.TempDir()}, study.flags()...)...).must(t)
}

func TestWrongUseIsRefused(t *testing.T) {
	study := newProtocol(t)
	sampleRun := t.TempDir()
	tui(t, "run-policy", "--output-dir", sampleRun).must(t)
	tui(t, "run-qa", "--output-dir", sampleRun).must(t)
	tui(t, "grade-qa", "--output-dir", sampleRun).must(t)
	file := writeFile(t, "x", t.TempDir(), "file")
	empty := t.TempDir()
	two := newProtocol(t)
	writeFile(t, "", two.dir, "configs", "b.yaml")
	noManifest := newProtocol(t)
	os.Remove(noManifest.synthetic)
	pinnedOther := newProtocol(t, func(f *protocolFiles) { swap(t, &f.config, "alpha: 0.05", "alpha: 0.06") })
	torn := t.TempDir()
	writeFile(t, "{", torn, "qa_run.json")

	for _, c := range []struct {
		name  string
		args  []string
		code  int
		wants []string
	}{
		{"an unknown command", []string{"valdate"}, exitRefused, []string{`"valdate"`, "validate"}},
		{"a command like none", []string{"zzzzzz"}, exitRefused, []string{`"zzzzzz"`, "--help"}},
		{"a stray argument", []string{"validate", "x"}, exitRefused, []string{`"x"`, "validate takes no argument"}},
		{"a stray argument of version", []string{"version", "x"}, exitRefused, []string{`"x"`}},
		{"a stray argument of completion", []string{"completion", "bash", "x"}, exitRefused, []string{`"x"`}},
		{"completion for no shell", []string{"completion"}, exitRefused, []string{"bash", "zsh", "fish"}},
		{"completion for an unknown shell", []string{"completion", "tcsh"}, exitRefused, []string{"tcsh"}},
		{"help for an unknown command", []string{"help", "zzzzzz"}, exitRefused, []string{"zzzzzz"}},
		{"an unknown flag", []string{"validate", "--zzz"}, exitRefused, []string{"--zzz", "validate --help"}},
		{"a flag without its value", []string{"validate", "--dataset"}, exitRefused, []string{"--dataset"}},
		{"a flag of the wrong kind", []string{"validate", "--json=maybe"}, exitRefused, []string{"--json", "maybe"}},
		{"a hostile argument", []string{"validate", esc}, exitRefused, []string{"takes no argument"}},
		{"an unknown way of progress", []string{"validate", "--progress", "loud"}, exitRefused, []string{`"loud"`, "auto, plain, json or none"}},
		{"an unknown protocol", []string{"validate", "--protocol", "pr4788"}, exitRefused, []string{`"pr4788"`, "sample", "pr4789"}},
		{"a protocol named twice", []string{"validate", "--protocol", "sample", "--protocol-dir", study.dir}, exitRefused, []string{"--protocol", "--protocol-dir"}},
		{"a configuration alone", []string{"validate", "--config", study.config}, exitRefused, []string{"--official-manifest", "--synthetic-manifest"}},
		{"no dataset", []string{"validate", "--protocol", "pr4789"}, exitRefused, []string{"--dataset", "LONGMEMEVAL_ORACLE_PATH"}},
		{"no dataset beside a folder", []string{"validate", "--protocol-dir", study.dir}, exitRefused, []string{"--dataset", "LONGMEMEVAL_ORACLE_PATH"}},
		{"no run folder", []string{"run-policy"}, exitRefused, []string{"--output-dir"}},
		{"no run folder for questions", []string{"run-qa"}, exitRefused, []string{"--output-dir"}},
		{"no run folder to grade", []string{"grade-qa"}, exitRefused, []string{"--output-dir"}},
		{"an address others could reach", []string{"serve-offline", "--addr", "0.0.0.0:0"}, exitRefused, []string{"loopback"}},

		{"a protocol folder that is not there", []string{"validate", "--protocol-dir", "/no/such"}, exitRefused, []string{"/no/such", "configs/"}},
		{"a protocol folder without files", []string{"validate", "--protocol-dir", empty}, exitRefused, []string{empty, "configs/", "found 0", "--config"}},
		{"a protocol folder with two configurations", []string{"validate", "--protocol-dir", two.dir}, exitRefused, []string{two.dir, "found 2", "b.yaml", "study.yaml", "--config"}},
		{"a protocol folder with one manifest", []string{"validate", "--protocol-dir", noManifest.dir}, exitRefused, []string{noManifest.dir, "synthetic manifest", "--synthetic-manifest"}},
		{"a configuration that is a folder", []string{"validate-contracts", "--protocol-dir", study.dir, "--config", study.dir}, exitRefused, []string{study.dir, "not a regular file"}},

		{"a dataset that is not there", []string{"validate", "--dataset", "/no/such.json"}, exitRefused, []string{"/no/such.json", "no such file"}},
		{"a dataset that is a folder", []string{"validate", "--dataset", empty}, exitRefused, []string{empty, "not a regular file"}},
		{"another study's dataset", []string{"validate", "--dataset", study.config}, exitRefused, []string{study.config, "SHA-256 is", "pins"}},

		{"policy results that exist", []string{"run-policy", "--output-dir", sampleRun}, exitRefused,
			[]string{sampleRun, "run.json", "policy.raw.jsonl", "summary.json", "never overwritten", "choose another folder"}},
		{"grades that exist", []string{"grade-qa", "--output-dir", sampleRun}, exitRefused,
			[]string{sampleRun, "qa.rows.jsonl", "qa.summary.json", "qa.stats.json", "never overwritten"}},
		{"a run folder of another protocol", append([]string{"run-qa", "--output-dir", sampleRun}, pinnedOther.flags()...), exitRefused,
			[]string{sampleRun, "changed: config (SHA-256 "}},
		{"grading a run folder of another protocol", append([]string{"grade-qa", "--output-dir", torn}, pinnedOther.flags()...), exitRefused, []string{torn, "qa_run.json"}},
		{"a torn identity document", []string{"run-qa", "--output-dir", torn}, exitRefused, []string{filepath.Join(torn, "qa_run.json"), "restore it, or choose another folder"}},
		{"grading a folder that is not there", []string{"grade-qa", "--output-dir", "/no/such"}, exitRefused, []string{"/no/such", "does not exist"}},
		{"grading a folder without a run", []string{"grade-qa", "--output-dir", empty}, exitRefused, []string{"qa_run.json", "does not exist"}},
		{"a run folder that is a file", []string{"run-policy", "--output-dir", file}, exitRefused, []string{file, "not a folder"}},
		{"a run folder below a file", []string{"run-qa", "--output-dir", filepath.Join(file, "run")}, exitRefused, []string{file, "not a folder"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := tui(t, c.args...)
			r.refused(t, c.code, c.wants...)
			if r.stdout != "" {
				t.Errorf("standard output is %q", r.stdout)
			}
			if testing.Verbose() {
				t.Log(lastLines(r.stderr, 1)[0])
			}
		})
	}
}

func TestAMissingVariableIsToldBeforeTheDatasetIsTouched(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	folder := filepath.Join(t.TempDir(), "run")
	args := []string{"run-qa", "--protocol-dir", study.dir, "--dataset", "/no/such/dataset.json", "--output-dir", folder}
	for name, c := range map[string]struct{ env, wants []string }{
		"both":               {nil, []string{keyVariable, baseVariable}},
		"the key":            {[]string{baseVariable + "=http://127.0.0.1:9/v1"}, []string{"set " + keyVariable + " "}},
		"the URL":            {[]string{keyVariable + "=" + secretKey}, []string{"set " + baseVariable + " "}},
		"blank ones":         {[]string{keyVariable + "= ", baseVariable + "="}, []string{keyVariable, baseVariable}},
		"a URL that is none": {[]string{keyVariable + "=" + secretKey, baseVariable + "=" + secretKey}, []string{baseVariable, "https://"}},
		"a broken key":       {[]string{keyVariable + "=" + secretKey + "\x1b[2J", baseVariable + "=http://127.0.0.1:9/v1"}, []string{keyVariable, "control"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := invocation{args: args, env: c.env}.run(t)
			r.refused(t, exitRefused, c.wants...)
			if strings.Contains(r.stderr, "no/such") || strings.Contains(r.stderr, "started") {
				t.Errorf("the dataset was touched first:\n%s", r.stderr)
			}
			if strings.Contains(r.stderr, secretKey[:12]) {
				t.Errorf("a secret was shown:\n%s", r.stderr)
			}
			if fileNames(t, folder) != nil {
				t.Error("the run folder was made")
			}
		})
	}
}

func TestTheDatasetIsFoundByFlagThenVariable(t *testing.T) {
	study := newProtocol(t)
	variable := func(path string) []string { return []string{datasetVariable + "=" + path} }
	invocation{args: []string{"validate", "--protocol-dir", study.dir}, env: variable(study.dataset)}.run(t).must(t)
	invocation{args: append([]string{"validate"}, study.flags()...), env: variable("/no/such")}.run(t).must(t)
	invocation{args: []string{"validate"}, env: variable("/no/such")}.run(t).must(t) // the sample brings its own
	invocation{args: []string{"validate", "--protocol", "pr4789"}, env: variable("/no/such")}.run(t).refused(t, exitRefused, "/no/such")
}

func TestProtocolFoldersWithPatternCharactersInTheirNamesAreRead(t *testing.T) {
	study := newProtocol(t)
	odd := filepath.Join(t.TempDir(), "[a] *?")
	if err := os.CopyFS(odd, os.DirFS(study.dir)); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("not a name here: skipped")
		}
		t.Fatal(err)
	}
	tui(t, "validate", "--protocol-dir", odd, "--dataset", filepath.Join(odd, "dataset.json")).must(t)
}
