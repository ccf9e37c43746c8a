package config

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/strict"
	"deermem-tui/protocol/vectortest"
)

// sample is a configuration whose values differ from those of any study.
var sample = `schema_version: 1
protocol_id: test-protocol
required_policy_version: hybrid-v1
evaluation_time: "2030-01-02T05:00:00+02:00"
dataset:
  repository: someone/something
  revision: ` + strings.Repeat("0a", 20) + `
  filename: data.json
  sha256: ` + strings.Repeat("b1", 32) + `
pool:
  size: 4
  capacities: [3, 1]
  qa_capacity: 3
  distractors: 3
  distractor_bank_size: 8
  distractor_types: [one, two]
  distractor_min_evidence_chars: 0
  distractor_max_evidence_chars: 90
  offset_namespace: ns
  fact_order: fact-id
policies:
  confidence: {policy: confidence}
  hybrid_v1:
    policy: hybrid-v1
    weights: {confidence: 0.5, confirmation: 0.3, access: 0.2}
    confirmation_half_life_days: 60
    access_half_life_days: 20
    correction_reserved_fraction: 0.25
    correction_reserved_max: 2
qa:
  answer_prompt:
    path: prompts/a.txt
    sha256: ` + strings.Repeat("c2", 32) + `
  grader_version: grader-1
  provider: openai-compatible
  api_key_env: A_KEY
  base_url_env: A_URL
  model: some-model
  temperature: 1
  max_tokens: 64
  stream: false
  timeout_seconds: 5
  max_attempts: 2
  workers: 1
statistics:
  bootstrap_seed: 123456789012345678901234567890
  bootstrap_iterations: 100
  alpha: 0.1
`

func TestParseReadsEveryKey(t *testing.T) {
	c, err := Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	got := fmt.Sprintf("%+v", *c)
	want := fmt.Sprintf("%+v", Config{
		ProtocolID: "test-protocol", RequiredPolicyVersion: "hybrid-v1",
		EvaluationTime: time.Date(2030, 1, 2, 3, 0, 0, 0, time.UTC),
		Dataset:        Dataset{"someone/something", strings.Repeat("0a", 20), "data.json", strings.Repeat("b1", 32)},
		Pool:           Pool{4, []int{3, 1}, 3, 3, 8, []string{"one", "two"}, 0, 90, "ns", "fact-id"},
		Confidence:     "confidence",
		Hybrid:         Hybrid{"hybrid-v1", 0.5, 0.3, 0.2, 60, 20, 0.25, 2},
		QA: QA{"prompts/a.txt", strings.Repeat("c2", 32), "grader-1", "openai-compatible", "A_KEY", "A_URL", "some-model",
			1, 64, false, 5, 2, 1},
		Statistics: Statistics{seed, 100, 0.1},
	})
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParseRefusesWhatBreaksARule(t *testing.T) {
	digits := strings.Repeat("0", 39) + "1"
	for name, tt := range map[string]struct{ old, new, says string }{
		"an unquoted revision of digits only":  {"revision: " + strings.Repeat("0a", 20), "revision: " + digits, "dataset.revision: expected a string of 40 lower-case hexadecimal digits (quote it if it is all digits), found 1 (an integer)"},
		"a revision in capitals":               {"revision: 0a", "revision: 0A", "dataset.revision: expected"},
		"a hash that is cut":                   {"sha256: b1b1", "sha256: b1", "dataset.sha256: expected a string of 64"},
		"an unknown key":                       {"  filename:", "  file: x\n  filename:", "dataset.file: expected one of repository, revision, filename, sha256, found an unknown key"},
		"a missing key":                        {"  workers: 1\n", "", "qa.workers: expected this key to be present"},
		"a key twice":                          {"  size: 4\n", "  size: 4\n  size: 4\n", "pool.size: expected a key once, found it again on line 12"},
		"another schema":                       {"schema_version: 1", "schema_version: 2", "schema_version: expected the integer 1, found 2"},
		"a schema of true":                     {"schema_version: 1", "schema_version: true", "schema_version: expected the integer 1, found true (a boolean)"},
		"another policy version":               {"required_policy_version: hybrid-v1", "required_policy_version: hybrid-v2", `required_policy_version: expected "hybrid-v1"`},
		"a time without a zone":                {"+02:00", "", "evaluation_time: expected a time with a zone"},
		"a date":                               {`"2030-01-02T05:00:00+02:00"`, "2030-01-02", "evaluation_time: expected a time with a zone"},
		"a quoted date with spaces before it":  {`"2030-01-02T05:00:00+02:00"`, `"  2030-01-02"`, "evaluation_time: expected a time with a zone"},
		"a time whose separator is a minus":    {`"2030-01-02T05:00:00+02:00"`, `"2030-01-02-05:00"`, "evaluation_time: expected a time with a zone"},
		"an unquoted time without a zone":      {`"2030-01-02T05:00:00+02:00"`, "2030-01-02 05:00:00", "evaluation_time: expected a time with a zone"},
		"a time that is a number":              {`"2030-01-02T05:00:00+02:00"`, "1893553200", "evaluation_time: expected a time with a zone"},
		"too few distractors":                  {"distractors: 3", "distractors: 2", "pool.distractors: expected pool.size - 1, which is 3, found 2"},
		"a bank smaller than a pool":           {"bank_size: 8", "bank_size: 2", "pool.distractor_bank_size: expected an integer from 3"},
		"no capacity":                          {"[3, 1]", "[]", "pool.capacities: expected a list with at least one item"},
		"one capacity twice":                   {"[3, 1]", "[3, 1, 3]", "pool.capacities[2]: expected unique items"},
		"a capacity that evicts nothing":       {"[3, 1]", "[3, 4]", "pool.capacities[1]: expected an integer from 1 to 3, found 4"},
		"a capacity of true":                   {"[3, 1]", "[3, yes]", "pool.capacities[1]: expected an integer from 1 to 3, found true (a boolean)"},
		"a QA capacity that is none":           {"qa_capacity: 3", "qa_capacity: 2", "pool.qa_capacity: expected one of pool.capacities [3 1], found 2"},
		"one type twice":                       {"[one, two]", "[one, one]", "pool.distractor_types[1]: expected unique items"},
		"no type":                              {"[one, two]", "[]", "pool.distractor_types: expected a list with at least one item"},
		"a type that YAML takes for false":     {"[one, two]", "[one, no]", "pool.distractor_types[1]: expected a non-empty string, found false (a boolean)"},
		"evidence bounds reversed":             {"max_evidence_chars: 90", "max_evidence_chars: -1", "pool.distractor_max_evidence_chars: expected an integer of at least 0"},
		"another order of facts":               {"fact_order: fact-id", "fact_order: age", `pool.fact_order: expected "fact-id"`},
		"a size of ten million":                {"size: 4", "size: 10_000_000", "pool.size: expected an integer from 2 to 1000000"},
		"a size in base sixty":                 {"size: 4", "size: 1:30", "pool.size: expected an integer from 2 to 1000000, found \"1:30\""},
		"weights beside 1":                     {"access: 0.2", "access: 0.2001", "policies.hybrid_v1.weights: expected three weights that sum to 1, not to 1.0001"},
		"a weight above 1":                     {"confidence: 0.5", "confidence: 1.5", "policies.hybrid_v1.weights.confidence: expected a number from 0 to 1, found 1.5"},
		"a weight in quotes":                   {"confidence: 0.5", `confidence: "0.5"`, `found "0.5" (a string)`},
		"a weight without its point":           {"confidence: 0.5", "confidence: 5e-1", `weights.confidence: expected a number from 0 to 1, found "5e-1" (a string)`},
		"a weight that is no number":           {"confidence: 0.5", "confidence: .nan", "weights.confidence: expected a number from 0 to 1, found nan"},
		"another weight":                       {"access: 0.2}", "use: 0.2}", "policies.hybrid_v1.weights.use: expected one of"},
		"a half-life below a day":              {"confirmation_half_life_days: 60", "confirmation_half_life_days: 0", "confirmation_half_life_days: expected a whole number of days of at least 1"},
		"a half-life of part of a day":         {"access_half_life_days: 20", "access_half_life_days: 20.5", "access_half_life_days: expected a whole number"},
		"an endless half-life":                 {"access_half_life_days: 20", "access_half_life_days: .inf", "access_half_life_days: expected a whole number"},
		"a reserve above the whole":            {"fraction: 0.25", "fraction: 1.01", "correction_reserved_fraction: expected a number from 0 to 1"},
		"a reserve below zero":                 {"reserved_max: 2", "reserved_max: -1", "correction_reserved_max: expected an integer of at least 0"},
		"a prompt outside the folder":          {"prompts/a.txt", "../a.txt", "qa.answer_prompt.path: expected a path inside the protocol folder"},
		"a prompt that leaves on its way":      {"prompts/a.txt", "prompts/../../a.txt", "qa.answer_prompt.path"},
		"a prompt at the root":                 {"prompts/a.txt", "/etc/passwd", "qa.answer_prompt.path"},
		"a prompt on a drive":                  {"prompts/a.txt", "c:a.txt", "qa.answer_prompt.path"},
		"a prompt with backslashes":            {"prompts/a.txt", `..\a.txt`, "qa.answer_prompt.path"},
		"a prompt that is the folder":          {"prompts/a.txt", "prompts/..", "qa.answer_prompt.path"},
		"another provider":                     {"openai-compatible", "other", `qa.provider: expected "openai-compatible"`},
		"a key in place of its variable":       {"A_KEY", "sk-secret", "qa.api_key_env: expected the name of an environment variable (letters, digits and `_`), found a string that cannot be one"},
		"a temperature below zero":             {"temperature: 1", "temperature: -1", "qa.temperature: expected a number of at least 0"},
		"a temperature of true":                {"temperature: 1", "temperature: true", "qa.temperature: expected a number of at least 0, found true"},
		"a streamed answer":                    {"stream: false", "stream: on", "qa.stream: expected false"},
		"no attempt":                           {"max_attempts: 2", "max_attempts: 0", "qa.max_attempts: expected"},
		"no worker":                            {"workers: 1", "workers: 0", "qa.workers: expected"},
		"a timeout in quotes":                  {"timeout_seconds: 5", `timeout_seconds: "5"`, "qa.timeout_seconds: expected"},
		"a seed that is a float":               {"123456789012345678901234567890", "1.0", "statistics.bootstrap_seed: expected an integer, found 1.0 (a float)"},
		"a seed of 4,301 digits":               {"123456789012345678901234567890", strings.Repeat("9", 4301), "statistics.bootstrap_seed: expected an integer"},
		"no iteration":                         {"iterations: 100", "iterations: 0", "statistics.bootstrap_iterations: expected"},
		"an alpha of 1":                        {"alpha: 0.1", "alpha: 1", "statistics.alpha: expected a number between 0 and 1"},
		"an alpha of 0":                        {"alpha: 0.1", "alpha: 0.0", "statistics.alpha: expected"},
		"an alias":                             {"filename: data.json", "filename: &a data.json\n  repository: *a", "dataset.repository: expected"},
		"an alias as a value":                  {"repository: someone/something", "repository: &a x\n  more: *a", "dataset.more: expected a plain value, found an alias on line 7"},
		"a merge":                              {"dataset:\n", "dataset:\n  <<: {a: 1}\n", `dataset."<<": expected a key that is a string`},
		"a tag":                                {"filename: data.json", "filename: !!binary aGk=", "dataset.filename: expected a value without a tag, found the tag !!binary"},
		"a tag that makes an object":           {"confidence: {policy: confidence}", "confidence: !!python/object:x {policy: confidence}", "policies.confidence: expected a value without a tag"},
		"a key that is a number":               {"  filename:", "  1: x\n  filename:", "dataset.1: expected a key that is a string, found something else on line 8"},
		"a key that is a list":                 {"  filename:", "  ? [a]\n  : x\n  filename:", "expected a key that is a string"},
		"a second document":                    {"schema_version: 1", "schema_version: 1\n---\na: b", "not YAML: "},
		"text that is no YAML":                 {"schema_version: 1", "schema_version: [1", "not YAML: line"},
		"a NUL byte":                           {"test-protocol", "test\x00protocol", "not YAML: control characters"},
		"bytes that are not UTF-8":             {"test-protocol", "test\xffprotocol", "not UTF-8 text: byte"},
		"a list in place of the configuration": {sample, "[1, 2]", "the document: expected a mapping with schema_version"},
		"nothing":                              {sample, "", "not YAML: the file holds no document"},
		"a comment only":                       {sample, "# nothing\n", "not YAML: the file holds no document"},
		"nesting without end":                  {"[one, two]", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "expected values nested at most 32 deep"},
		"aliases that multiply":                {sample, bomb(), "expected a plain value, found an alias"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(sample, tt.old, tt.new, 1)
			if text == sample {
				t.Fatalf("%q is not in the sample", tt.old)
			}
			_, err := Parse([]byte(text))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v\nwant %s", err, tt.says)
			}
		})
	}
}

// bomb is a YAML text of aliases that stand for ever more aliases.
func bomb() string {
	text := "a0: &a0 [x, x]\n"
	for i := 1; i < 40; i++ {
		text += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return text
}

func TestParseAcceptsWhatYAMLWritesOtherwise(t *testing.T) {
	for name, tt := range map[string]struct{ old, new string }{
		"a byte order mark":               {"schema_version: 1", "\ufeffschema_version: 1"},
		"Windows line ends":               {"\n", "\r\n"},
		"a quoted revision of digits":     {"revision: " + strings.Repeat("0a", 20), "revision: '" + strings.Repeat("0", 40) + "'"},
		"a revision that is a number":     {"revision: " + strings.Repeat("0a", 20), "revision: 1e" + strings.Repeat("5", 38)},
		"an unquoted time with a zone":    {`"2030-01-02T05:00:00+02:00"`, "2030-01-02T03:00:00Z"},
		"a time of YAML's own form":       {`"2030-01-02T05:00:00+02:00"`, "2030-1-2 5:00:00.0 +2"},
		"a string that says it is one":    {"filename: data.json", "filename: !!str data.json"},
		"a half-life written as a float":  {"access_half_life_days: 20", "access_half_life_days: 20.0"},
		"a prompt path with a dot in it":  {"prompts/a.txt", "./prompts/./a.txt"},
		"a document with its marks":       {"schema_version: 1", "---\nschema_version: 1"},
		"numbers in other bases":          {"size: 4", "size: 0x4"},
		"an anchor that nothing uses":     {"filename: data.json", "filename: &name data.json"},
		"a word that is a boolean in 1.1": {"stream: false", "stream: No"},
	} {
		t.Run(name, func(t *testing.T) {
			n := 1
			if tt.old == "\n" {
				n = -1
			}
			if _, err := Parse([]byte(strings.Replace(sample, tt.old, tt.new, n))); err != nil {
				t.Error(err)
			}
		})
	}
}

// The right column is what PyYAML 6 reads.
func TestPlainScalarsAreThoseOfYAML11(t *testing.T) {
	for text, want := range map[string]any{
		"1e5": "1e5", "1.5e3": "1.5e3", "1.5e+3": 1500.0, "1_000": int64(1000), "0x1F": int64(31), "0b101": int64(5), "017": int64(15),
		"08": "08", "0o7": "0o7", "-0": int64(0), "+1": int64(1), ".5": 0.5, "-.5": "-.5", "5.": 5.0, "1_0.5_0": 10.5, "yes": true, "OFF": false,
		"y": "y", "n": "n", "~": nil, "Null": nil, "nULL": "nULL", "0:30": "0:30", "1:30": otherScalar("1:30"), "1:30.5": otherScalar("1:30.5"),
		"1:99": "1:99", "2030-01-02": otherScalar("2030-01-02"), "2030-1-2": "2030-1-2", "=": otherScalar("="), "0_": int64(0), "0x_": otherScalar("0x_"),
		"2030-01-02T03:04:05.678-01:30": time.Date(2030, 1, 2, 4, 34, 5, 678_000_000, time.UTC), "2030-02-30T00:00:00Z": otherScalar("2030-02-30T00:00:00Z"),
		"2030-01-02T03:04:05": otherScalar("2030-01-02T03:04:05"), "1e999": "1e999", "a b": "a b", "'1'": "1", `"yes"`: "yes",
	} {
		v, err := decodeYAML([]byte("k: " + text + "\n"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := v.(map[string]any)["k"]; got != want {
			t.Errorf("%s is %#v, want %#v", text, got, want)
		}
	}
}

func TestThePublishedConfigurationIsRead(t *testing.T) {
	c, err := Parse(vectortest.Read(t, "upstream", "configs", "pr4789-reproduction-v1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Pool.QACapacity != 7 || c.Pool.DistractorBankSize != 40 || c.Hybrid.ConfidenceWeight != 0.65 || c.Statistics.BootstrapIterations != 10_000 {
		t.Errorf("%+v", c)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	for _, seed := range []string{"", "a: *b", "- &a [*a]", "? !!map {a: b}\n: c", "k: |\n  x", "\ufeff---\n...\n---", "k: 0x_", "k: 2030-01-02 3:04:05 -99:99", "<<: {a: b}", "{a: 1, a: 2}", "%YAML 9.9\n---", "!<x> y", "\t- a"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data)
		if err != nil {
			var refusal *strict.Error
			if !errors.As(err, &refusal) && !errors.Is(err, pytext.ErrNotUTF8) && !strings.HasPrefix(err.Error(), "not YAML: ") {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		sum := c.Hybrid.ConfidenceWeight + c.Hybrid.ConfirmationWeight + c.Hybrid.AccessWeight
		if c.Pool.Distractors != c.Pool.Size-1 || len(c.Pool.Capacities) == 0 || len(c.Dataset.Revision) != 40 || sum < 0.999 || sum > 1.001 ||
			c.EvaluationTime.Location() != time.UTC || c.Statistics.BootstrapSeed == nil {
			t.Errorf("a rule is broken: %+v", c)
		}
	})
}
