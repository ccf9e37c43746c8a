// Reading documents of a run back: qa_run.json and qa.stats.json, for whoever
// opens a run whose protocol is not at hand.

package report

import (
	"fmt"
	"math"
	"time"

	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/strict"
)

// ParseQARunDoc reads qa_run.json. Every key must be there and no other; the
// error is that of pytext.Decode or a *strict.Error.
func ParseQARunDoc(data []byte) (QARunDoc, error) {
	v, err := pytext.Decode(data)
	if err != nil {
		return QARunDoc{}, err
	}
	r := &strict.Reader{}
	o := r.Object(v, "", "artifacts", "created_at", "dataset", "git", "protocol_id", "qa", "schema_version")
	o.Int("schema_version", qaRunSchemaVersion, qaRunSchemaVersion)
	a := o.Object("artifacts", "answer_prompt_sha256", "config_sha256", "dataset_sha256", "official_manifest_sha256", "synthetic_manifest_sha256")
	d := o.Object("dataset", "filename", "repository", "revision", "sha256")
	q := o.Object("qa", "api_key_env", "base_url_env", "capacity", "grader_version", "max_attempts", "max_tokens", "model", "stream",
		"temperature", "timeout_seconds", "workers")
	doc := QARunDoc{
		ProtocolID: o.Text("protocol_id"),
		Artifacts: identity.Identity{
			Config: a.Hex("config_sha256", 64), OfficialManifest: a.Hex("official_manifest_sha256", 64),
			SyntheticManifest: a.Hex("synthetic_manifest_sha256", 64), AnswerPrompt: a.Hex("answer_prompt_sha256", 64),
			Dataset: a.Hex("dataset_sha256", 64),
		},
		Dataset: Dataset{Repository: d.Text("repository"), Revision: d.Text("revision"), Filename: d.Text("filename"), SHA256: d.Hex("sha256", 64)},
		QA: QASettings{
			APIKeyEnv: q.EnvName("api_key_env"), BaseURLEnv: q.EnvName("base_url_env"), Capacity: q.Int("capacity", 1, math.MaxInt),
			GraderVersion: q.Text("grader_version"), MaxAttempts: q.Int("max_attempts", 1, math.MaxInt), MaxTokens: q.Int("max_tokens", 1, math.MaxInt),
			Model: q.Text("model"), Stream: q.Bool("stream"), Temperature: q.Number("temperature", "a number", func(float64) bool { return true }),
			TimeoutSeconds: q.Int("timeout_seconds", 1, math.MaxInt), Workers: q.Int("workers", 1, math.MaxInt),
		},
	}
	created := o.Text("created_at")
	if doc.CreatedAt, err = time.Parse(time.RFC3339Nano, created); err != nil {
		o.Fail("created_at", "a time such as 2026-08-18T04:12:21.258451Z")
	}
	git := o.Object("git", "dirty", "head")
	if git.Value("head") != nil {
		doc.Git = &Git{Head: git.Hex("head", 40), Dirty: git.Bool("dirty")}
	}
	if r.Err != nil {
		return QARunDoc{}, r.Err
	}
	return doc, nil
}

// ParseStatsDoc reads qa.stats.json; errors as those of ParseQARunDoc.
func ParseStatsDoc(data []byte) (StatsDoc, error) {
	v, err := pytext.Decode(data)
	if err != nil {
		return StatsDoc{}, err
	}
	r := &strict.Reader{}
	o := r.Object(v, "", "grader_version", "policies", "protocol_id", "schema_version", "suites")
	o.Int("schema_version", schemaVersion, schemaVersion)
	doc := StatsDoc{ProtocolID: o.Text("protocol_id"), GraderVersion: o.Text("grader_version")}
	if policies := o.Texts("policies"); len(policies) == 2 {
		doc.Policies = [2]string(policies)
	} else {
		o.Fail("policies", "two names")
	}
	suites := o.Object("suites", "official", "overall", "synthetic")
	doc.Official, doc.Synthetic, doc.Overall = readSuite(suites, "official"), readSuite(suites, "synthetic"), readSuite(suites, "overall")
	if r.Err != nil {
		return StatsDoc{}, r.Err
	}
	return doc, nil
}

func readSuite(suites strict.Object, name string) Suite {
	o := suites.Object(name, "bootstrap", "cases", "mcnemar")
	b := o.Object("bootstrap", "alpha", "iterations", "lower", "mean_difference", "seed", "upper")
	m := o.Object("mcnemar", "both_correct", "both_wrong", "only_first_correct", "only_second_correct", "p_value")
	difference := func(key string) float64 {
		return b.Number(key, "a number from -1 to 1", func(f float64) bool { return f >= -1 && f <= 1 })
	}
	return Suite{
		Cases:             o.Int("cases", 1, math.MaxInt),
		BothCorrect:       m.Int("both_correct", 0, math.MaxInt),
		BothWrong:         m.Int("both_wrong", 0, math.MaxInt),
		OnlyFirstCorrect:  m.Int("only_first_correct", 0, math.MaxInt),
		OnlySecondCorrect: m.Int("only_second_correct", 0, math.MaxInt),
		PValue:            m.Number("p_value", "a number from 0 to 1", func(f float64) bool { return f >= 0 && f <= 1 }),
		MeanDifference:    difference("mean_difference"),
		Bootstrap: Bootstrap{
			Alpha: b.Number("alpha", "a number above 0 and below 1", func(f float64) bool { return f > 0 && f < 1 }),
			// The bound keeps a foreign file from making us draw for hours.
			Iterations: b.Int("iterations", 1, maxIterations),
			Seed:       b.BigInt("seed"),
			Lower:      difference("lower"),
			Upper:      difference("upper"),
		},
	}
}

// maxIterations is the most draws that a document read back may ask for.
const maxIterations = 1_000_000

// Differences names what differs between two comparisons of the same suite,
// bit for bit; empty when nothing does.
func (s Suite) Differences(other Suite) []string {
	var out []string
	add := func(name string, a, b any) {
		if a != b {
			out = append(out, fmt.Sprintf("%s %v, not %v", name, a, b))
		}
	}
	add("cases", s.Cases, other.Cases)
	add("both right", s.BothCorrect, other.BothCorrect)
	add("both wrong", s.BothWrong, other.BothWrong)
	add("only first right", s.OnlyFirstCorrect, other.OnlyFirstCorrect)
	add("only second right", s.OnlySecondCorrect, other.OnlySecondCorrect)
	add("p", s.PValue, other.PValue)
	add("difference", s.MeanDifference, other.MeanDifference)
	add("lower", s.Bootstrap.Lower, other.Bootstrap.Lower)
	add("upper", s.Bootstrap.Upper, other.Bootstrap.Upper)
	return out
}
