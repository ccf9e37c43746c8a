// Protocol folders for the tests: the embedded sample on disk, changed where a
// test wants it and pinned again, so that everything but the change is right.

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	deermemtui "deermem-tui"
)

// protocolFiles are the texts of a protocol and its dataset.
type protocolFiles struct {
	config, official, synthetic, prompt, dataset string
	pinned                                       bool // leave the pins as they are
}

// protocolFolder is a protocol on disk.
type protocolFolder struct{ dir, config, official, synthetic, prompt, dataset string }

// flags names the protocol and its dataset.
func (p protocolFolder) flags() []string {
	return []string{"--protocol-dir", p.dir, "--dataset", p.dataset}
}

// newProtocol writes the sample's files after the edits.
func newProtocol(t testing.TB, edits ...func(*protocolFiles)) protocolFolder {
	t.Helper()
	paths, _ := deermemtui.Protocol(deermemtui.Sample)
	text := func(path string) string {
		data, err := deermemtui.Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	f := protocolFiles{
		config: text(paths.Config), official: text(paths.OfficialManifest), synthetic: text(paths.SyntheticManifest),
		prompt: text(paths.Prompt), dataset: text(paths.Dataset),
	}
	before := f
	for _, edit := range edits {
		edit(&f)
	}
	if !f.pinned {
		f.config = strings.Replace(f.config, sha(before.dataset), sha(f.dataset), 1)
		f.config = strings.Replace(f.config, sha(before.prompt), sha(f.prompt), 1)
	}
	dir := t.TempDir()
	return protocolFolder{
		dir:       dir,
		config:    writeFile(t, f.config, dir, "configs", "study.yaml"),
		official:  writeFile(t, f.official, dir, "manifests", "official.json"),
		synthetic: writeFile(t, f.synthetic, dir, "manifests", "synthetic.json"),
		prompt:    writeFile(t, f.prompt, dir, paths.Prompt),
		dataset:   writeFile(t, f.dataset, dir, "dataset.json"),
	}
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// swap replaces a text that must be there.
func swap(t testing.TB, text *string, old, replacement string) {
	t.Helper()
	if !strings.Contains(*text, old) {
		t.Fatalf("the sample no longer holds %q", old)
	}
	*text = strings.Replace(*text, old, replacement, 1)
}

// model makes the study ask a provider instead of the offline answerer.
func model(t testing.TB, attempts string) func(*protocolFiles) {
	return func(f *protocolFiles) {
		t.Helper()
		swap(t, &f.config, "model: offline-extractive-v1", "model: test-model")
		swap(t, &f.config, "max_attempts: 3", "max_attempts: "+attempts)
		swap(t, &f.config, "workers: 3", "workers: 3 # as many calls are in flight at once")
	}
}

// rows edits the dataset row by row, in its own order.
func rows(t testing.TB, edit func(rows []map[string]any) []map[string]any) func(*protocolFiles) {
	return func(f *protocolFiles) {
		t.Helper()
		var list []map[string]any
		if err := json.Unmarshal([]byte(f.dataset), &list); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(edit(list))
		if err != nil {
			t.Fatal(err)
		}
		f.dataset = string(data)
	}
}

// row edits the row of one question, which the study uses.
func row(t testing.TB, id string, edit func(map[string]any)) func(*protocolFiles) {
	return rows(t, func(list []map[string]any) []map[string]any {
		for _, r := range list {
			if r["question_id"] == id {
				edit(r)
				return list
			}
		}
		t.Fatalf("the sample has no row %q", id)
		return nil
	})
}
