package identity

import (
	"slices"
	"testing"

	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/vectortest"
)

func TestHashIsTheSHA256OfTheRawBytes(t *testing.T) {
	for text, want := range map[string]string{
		"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	} {
		if got := Hash([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestListNamesFiveHashesInKeyOrder(t *testing.T) {
	list := Identity{Config: "c", OfficialManifest: "o", SyntheticManifest: "s", AnswerPrompt: "p", Dataset: "d"}.List()
	want := []Named{{"answer_prompt_sha256", "p"}, {"config_sha256", "c"}, {"dataset_sha256", "d"}, {"official_manifest_sha256", "o"}, {"synthetic_manifest_sha256", "s"}}
	if !slices.Equal(list, want) {
		t.Errorf("%v", list)
	}
}

func TestThePublishedFilesHaveThePublishedIdentity(t *testing.T) {
	v, err := pytext.Decode(vectortest.Read(t, "upstream", "results", "pr4789-reproduction-v1", "qa_run.json"))
	if err != nil {
		t.Fatal(err)
	}
	published := v.(map[string]any)["artifacts"].(map[string]any)
	for key, path := range map[string][]string{
		"config_sha256":             {"configs", "pr4789-reproduction-v1.yaml"},
		"official_manifest_sha256":  {"manifests", "longmemeval-pr4789-v1.json"},
		"synthetic_manifest_sha256": {"manifests", "synthetic-corrections-pr4789-v1.json"},
		"answer_prompt_sha256":      {"prompts", "answer-v1.txt"},
	} {
		if got := Hash(vectortest.Read(t, append([]string{"upstream"}, path...)...)); got != published[key] {
			t.Errorf("%s is %s, published is %v", key, got, published[key])
		}
	}
}
