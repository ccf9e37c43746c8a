// run.json and qa_run.json: which protocol a run folder belongs to.

package report

import (
	"time"

	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/pytext"
)

// Dataset is the pinned dataset, as the configuration names it.
type Dataset struct {
	Repository string
	Revision   string
	Filename   string
	SHA256     string
}

// Git is the state of the repository a command ran in.
type Git struct {
	Head  string // 40 hex digits
	Dirty bool
}

// RunDoc is run.json, the document of a policy run.
type RunDoc struct {
	ProtocolID     string
	Artifacts      identity.Identity // the dataset's hash stands under dataset only
	Dataset        Dataset
	Capacities     []int
	Policies       []string
	EvaluationTime time.Time
	CreatedAt      time.Time
	Git            *Git // nil outside a repository
}

// JSON gives the document.
func (d RunDoc) JSON() []byte {
	return pytext.MarshalIndent(map[string]any{
		"artifacts":       files(d.Artifacts),
		"capacities":      d.Capacities,
		"created_at":      Timestamp(d.CreatedAt),
		"dataset":         d.Dataset.value(),
		"evaluation_time": ISOTime(d.EvaluationTime),
		"git":             d.Git.value(),
		"policies":        d.Policies,
		"protocol_id":     d.ProtocolID,
		"schema_version":  schemaVersion,
	})
}

// QARunDoc is qa_run.json, which binds a folder of answers to its protocol.
type QARunDoc struct {
	ProtocolID string
	Artifacts  identity.Identity
	Dataset    Dataset
	QA         QASettings
	CreatedAt  time.Time
	Git        *Git // nil outside a repository
}

// QASettings is how the questions are asked. Environment variables appear by
// name, never by value.
type QASettings struct {
	APIKeyEnv      string
	BaseURLEnv     string
	Capacity       int
	GraderVersion  string
	MaxAttempts    int
	MaxTokens      int
	Model          string
	Stream         bool
	Temperature    float64
	TimeoutSeconds int
	Workers        int
}

// JSON gives the document.
func (d QARunDoc) JSON() []byte {
	artifacts := files(d.Artifacts)
	artifacts["dataset_sha256"] = d.Artifacts.Dataset
	return pytext.MarshalIndent(map[string]any{
		"artifacts":      artifacts,
		"created_at":     Timestamp(d.CreatedAt),
		"dataset":        d.Dataset.value(),
		"git":            d.Git.value(),
		"protocol_id":    d.ProtocolID,
		"qa":             d.QA.value(),
		"schema_version": qaRunSchemaVersion,
	})
}

// files gives the hashes of a protocol's own four files.
func files(a identity.Identity) map[string]any {
	return map[string]any{
		"answer_prompt_sha256":      a.AnswerPrompt,
		"config_sha256":             a.Config,
		"official_manifest_sha256":  a.OfficialManifest,
		"synthetic_manifest_sha256": a.SyntheticManifest,
	}
}

func (d Dataset) value() map[string]any {
	return map[string]any{
		"filename":   d.Filename,
		"repository": d.Repository,
		"revision":   d.Revision,
		"sha256":     d.SHA256,
	}
}

func (g *Git) value() map[string]any {
	if g == nil {
		return map[string]any{"dirty": nil, "head": nil}
	}
	return map[string]any{"dirty": g.Dirty, "head": g.Head}
}

func (q QASettings) value() map[string]any {
	return map[string]any{
		"api_key_env":     q.APIKeyEnv,
		"base_url_env":    q.BaseURLEnv,
		"capacity":        q.Capacity,
		"grader_version":  q.GraderVersion,
		"max_attempts":    q.MaxAttempts,
		"max_tokens":      q.MaxTokens,
		"model":           q.Model,
		"stream":          q.Stream,
		"temperature":     q.Temperature,
		"timeout_seconds": q.TimeoutSeconds,
		"workers":         q.Workers,
	}
}
