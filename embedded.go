// Package deermemtui carries the protocol files that the binary ships, so that
// a fresh machine can run a study without a download.
package deermemtui

import "embed"

// Files is the shipped protocol folder: configs/, manifests/ and prompts/, laid
// out as a protocol folder on disk is.
//
//go:embed configs manifests prompts
var Files embed.FS

// The names of the shipped protocols, as the --protocol flag takes them.
const (
	Sample = "sample" // the invented study, complete with its dataset
	PR4789 = "pr4789" // the published study; needs the user's own dataset
)

// Paths says where in Files a shipped protocol's files are.
type Paths struct {
	Config            string
	OfficialManifest  string
	SyntheticManifest string
	Prompt            string // what the config's qa.answer_prompt.path names
	Dataset           string // empty when the dataset is not shipped
}

// Protocols lists the shipped protocols, the default first.
func Protocols() []string { return []string{Sample, PR4789} }

// Protocol gives the paths of a shipped protocol; ok is false for another name.
func Protocol(name string) (p Paths, ok bool) {
	switch name {
	case Sample:
		return Paths{
			Config:            "configs/sample-v1.yaml",
			OfficialManifest:  "manifests/sample-official-v1.json",
			SyntheticManifest: "manifests/sample-corrections-v1.json",
			Prompt:            "prompts/answer-sample-v1.txt",
			Dataset:           "manifests/sample-dataset.json",
		}, true
	case PR4789:
		return Paths{
			Config:            "configs/pr4789-v1.yaml",
			OfficialManifest:  "manifests/pr4789-official-v1.json",
			SyntheticManifest: "manifests/pr4789-corrections-v1.json",
			Prompt:            "prompts/answer-pr4789-v1.txt",
		}, true
	default:
		return Paths{}, false
	}
}
