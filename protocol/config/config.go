// Package config reads the file that pins a study: its dataset, its pools,
// the two policies, the question answering and the statistics.
package config

import (
	"math/big"
	"time"
)

// Config is a whole configuration file, checked: every rule of Parse holds.
type Config struct {
	ProtocolID            string
	RequiredPolicyVersion string
	EvaluationTime        time.Time // UTC; every age is measured back from it
	Dataset               Dataset
	Pool                  Pool
	Confidence            string // the policy name under policies.confidence
	Hybrid                Hybrid
	QA                    QA
	Statistics            Statistics
}

// Dataset names the one file a study may read.
type Dataset struct {
	Repository string
	Revision   string // 40 lower-case hex digits
	Filename   string
	SHA256     string // 64 lower-case hex digits
}

// Pool says how a case's pool of facts is made and at which capacities it is cut.
type Pool struct {
	Size                  int
	Capacities            []int // in the file's order
	QACapacity            int
	Distractors           int // Size - 1
	DistractorBankSize    int
	DistractorTypes       []string
	DistractorMinEvidence int // code points
	DistractorMaxEvidence int // code points
	OffsetNamespace       string
	FactOrder             string
}

// Hybrid holds the constants of the hybrid-v1 policy.
type Hybrid struct {
	Policy                   string
	ConfidenceWeight         float64
	ConfirmationWeight       float64
	AccessWeight             float64
	ConfirmationHalfLifeDays float64
	AccessHalfLifeDays       float64
	CorrectionReservedShare  float64 // correction_reserved_fraction, in [0,1]
	CorrectionReservedMax    int
}

// QA pins how a question is asked. Names of environment variables, never values.
type QA struct {
	PromptPath     string // relative to the protocol folder
	PromptSHA256   string
	GraderVersion  string
	Provider       string
	APIKeyEnv      string
	BaseURLEnv     string
	Model          string
	Temperature    float64
	MaxTokens      int
	Stream         bool
	TimeoutSeconds int
	MaxAttempts    int
	Workers        int
}

// Statistics pins the bootstrap and the level of its interval.
type Statistics struct {
	BootstrapSeed       *big.Int
	BootstrapIterations int
	Alpha               float64 // in (0,1)
}
