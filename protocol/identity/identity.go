// Package identity names the protocol that a run is bound to: the SHA-256 of
// the raw bytes of its five inputs.
package identity

import (
	"crypto/sha256"
	"encoding/hex"
)

// Identity holds five hashes in lower-case hex.
type Identity struct {
	Config            string
	OfficialManifest  string
	SyntheticManifest string
	AnswerPrompt      string
	Dataset           string
}

// Hash gives the SHA-256 of data in lower-case hex.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Named is one hash under the key that the reference's documents use.
type Named struct{ Key, SHA256 string }

// List gives the five hashes by key, in key order.
func (id Identity) List() []Named {
	return []Named{
		{"answer_prompt_sha256", id.AnswerPrompt},
		{"config_sha256", id.Config},
		{"dataset_sha256", id.Dataset},
		{"official_manifest_sha256", id.OfficialManifest},
		{"synthetic_manifest_sha256", id.SyntheticManifest},
	}
}
