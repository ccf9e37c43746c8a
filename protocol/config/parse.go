// This file holds the rules of a configuration, key by key.

package config

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/strict"
)

// PolicyVersion is the only version of the hybrid policy there is.
const PolicyVersion = "hybrid-v1"

// Parse reads a configuration file. A key that is unknown, missing, there
// twice, of the wrong type or against a rule is refused with a *strict.Error;
// text that is not UTF-8 with pytext.ErrNotUTF8.
func Parse(data []byte) (*Config, error) {
	if err := pytext.CheckUTF8(data); err != nil {
		return nil, err
	}
	v, err := decodeYAML(data)
	if err != nil {
		return nil, err
	}
	r := &strict.Reader{}
	root := r.Object(v, "", "schema_version", "protocol_id", "required_policy_version", "evaluation_time",
		"dataset", "pool", "policies", "qa", "statistics")
	root.Int("schema_version", 1, 1)
	c := &Config{
		ProtocolID:            root.Text("protocol_id"),
		RequiredPolicyVersion: root.Equal("required_policy_version", PolicyVersion),
		EvaluationTime:        evaluationTime(root),
		Dataset:               parseDataset(root),
		Pool:                  parsePool(root),
		QA:                    parseQA(root),
		Statistics:            parseStatistics(root),
	}
	c.Confidence, c.Hybrid = parsePolicies(root)
	if r.Err != nil {
		return nil, r.Err
	}
	return c, nil
}

// evaluationTime reads the clock of the study: a string that names a time with
// a zone, or a YAML timestamp with one.
func evaluationTime(root strict.Object) time.Time {
	if at, ok := root.Value("evaluation_time").(time.Time); ok {
		return at
	}
	text, _ := root.Value("evaluation_time").(string)
	micros, ok := pytext.ParseTime(text)
	if !ok || !pytext.HasZone(text) {
		root.Fail("evaluation_time", "a time with a zone, such as `\"2026-08-13T00:00:00Z\"`")
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

func parseDataset(root strict.Object) Dataset {
	o := root.Object("dataset", "repository", "revision", "filename", "sha256")
	return Dataset{
		Repository: o.Text("repository"),
		Revision:   o.Hex("revision", 40),
		Filename:   o.Text("filename"),
		SHA256:     o.Hex("sha256", 64),
	}
}

// maxPool keeps a mistyped size from asking for more facts than memory holds.
const maxPool = 1_000_000

func parsePool(root strict.Object) Pool {
	o := root.Object("pool", "size", "capacities", "qa_capacity", "distractors", "distractor_bank_size",
		"distractor_types", "distractor_min_evidence_chars", "distractor_max_evidence_chars",
		"offset_namespace", "fact_order")
	p := Pool{Size: o.Int("size", 2, maxPool)}
	p.Capacities = o.Ints("capacities", 1, p.Size-1, true)
	if len(p.Capacities) == 0 {
		o.Fail("capacities", "a list with at least one item")
	}
	p.QACapacity = o.Int("qa_capacity", 1, p.Size-1)
	if !slices.Contains(p.Capacities, p.QACapacity) {
		o.Fail("qa_capacity", "one of pool.capacities %v", p.Capacities)
	}
	if p.Distractors = o.Int("distractors", 1, maxPool); p.Distractors != p.Size-1 {
		o.Fail("distractors", "pool.size - 1, which is %d", p.Size-1)
	}
	p.DistractorBankSize = o.Int("distractor_bank_size", p.Distractors, maxPool)
	p.DistractorTypes = o.Texts("distractor_types")
	p.DistractorMinEvidence = o.Int("distractor_min_evidence_chars", 0, math.MaxInt)
	p.DistractorMaxEvidence = o.Int("distractor_max_evidence_chars", p.DistractorMinEvidence, math.MaxInt)
	p.OffsetNamespace = o.Text("offset_namespace")
	p.FactOrder = o.Equal("fact_order", "fact-id")
	return p
}

func parsePolicies(root strict.Object) (confidence string, h Hybrid) {
	o := root.Object("policies", "confidence", "hybrid_v1")
	confidence = o.Object("confidence", "policy").Equal("policy", "confidence")
	p := o.Object("hybrid_v1", "policy", "weights", "confirmation_half_life_days", "access_half_life_days",
		"correction_reserved_fraction", "correction_reserved_max")
	w := p.Object("weights", "confidence", "confirmation", "access")
	share := func(f float64) bool { return f >= 0 && f <= 1 }
	halfLife := func(f float64) bool { return f >= 1 && f == math.Trunc(f) }
	h = Hybrid{
		Policy:                   p.Equal("policy", PolicyVersion),
		ConfidenceWeight:         w.Number("confidence", "a number from 0 to 1", share),
		ConfirmationWeight:       w.Number("confirmation", "a number from 0 to 1", share),
		AccessWeight:             w.Number("access", "a number from 0 to 1", share),
		ConfirmationHalfLifeDays: p.Number("confirmation_half_life_days", "a whole number of days of at least 1", halfLife),
		AccessHalfLifeDays:       p.Number("access_half_life_days", "a whole number of days of at least 1", halfLife),
		CorrectionReservedShare:  p.Number("correction_reserved_fraction", "a number from 0 to 1", share),
		CorrectionReservedMax:    p.Int("correction_reserved_max", 0, math.MaxInt),
	}
	if sum := h.ConfidenceWeight + h.ConfirmationWeight + h.AccessWeight; math.Abs(sum-1) > 1e-9 {
		p.Fail("weights", "three weights that sum to 1, not to %s", pytext.Float(sum))
	}
	return confidence, h
}

func parseQA(root strict.Object) QA {
	o := root.Object("qa", "answer_prompt", "grader_version", "provider", "api_key_env", "base_url_env", "model",
		"temperature", "max_tokens", "stream", "timeout_seconds", "max_attempts", "workers")
	prompt := o.Object("answer_prompt", "path", "sha256")
	q := QA{
		PromptPath:     prompt.Text("path"),
		PromptSHA256:   prompt.Hex("sha256", 64),
		GraderVersion:  o.Text("grader_version"),
		Provider:       o.Equal("provider", "openai-compatible"),
		APIKeyEnv:      o.EnvName("api_key_env"),
		BaseURLEnv:     o.EnvName("base_url_env"),
		Model:          o.Text("model"),
		Temperature:    o.Number("temperature", "a number of at least 0", func(f float64) bool { return f >= 0 }),
		MaxTokens:      o.Int("max_tokens", 1, math.MaxInt),
		Stream:         o.Bool("stream"),
		TimeoutSeconds: o.Int("timeout_seconds", 1, math.MaxInt32),
		MaxAttempts:    o.Int("max_attempts", 1, 1000),
		Workers:        o.Int("workers", 1, 1000),
	}
	if q.Stream {
		o.Fail("stream", "false: an answer is read whole")
	}
	if !localPath(q.PromptPath) {
		prompt.Fail("path", "a path inside the protocol folder")
	}
	return q
}

// localPath tells whether a slash-separated path stays below the folder it is
// joined to, on every system: no root, no way up, no backslash and no drive.
func localPath(p string) bool {
	clean := path.Clean(p)
	return clean != "." && fs.ValidPath(clean) && !strings.ContainsAny(p, "\\:\x00")
}

func parseStatistics(root strict.Object) Statistics {
	o := root.Object("statistics", "bootstrap_seed", "bootstrap_iterations", "alpha")
	return Statistics{
		BootstrapSeed:       o.BigInt("bootstrap_seed"),
		BootstrapIterations: o.Int("bootstrap_iterations", 1, 100_000_000),
		Alpha:               o.Number("alpha", "a number between 0 and 1, neither included", func(f float64) bool { return f > 0 && f < 1 }),
	}
}
