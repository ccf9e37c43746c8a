// These tests hold the shipped protocol files to what their configs pin.

package deermemtui

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"deermem-tui/engine/grading"
	"deermem-tui/protocol/config"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/manifest"
	"deermem-tui/protocol/prompt"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A shipped protocol, parsed.
type shipped struct {
	config    *config.Config
	official  *manifest.Official
	synthetic *manifest.Synthetic
	paths     Paths
}

func load(t *testing.T, name string) shipped {
	t.Helper()
	p, ok := Protocol(name)
	if !ok {
		t.Fatalf("no protocol %q", name)
	}
	s := shipped{paths: p}
	var err error
	if s.config, err = config.Parse(read(t, p.Config)); err != nil {
		t.Fatalf("%s: %v", p.Config, err)
	}
	if s.official, err = manifest.ParseOfficial(read(t, p.OfficialManifest)); err != nil {
		t.Fatalf("%s: %v", p.OfficialManifest, err)
	}
	if s.synthetic, err = manifest.ParseSynthetic(read(t, p.SyntheticManifest)); err != nil {
		t.Fatalf("%s: %v", p.SyntheticManifest, err)
	}
	return s
}

func TestShippedProtocolsPinTheShippedFiles(t *testing.T) {
	for _, name := range Protocols() {
		t.Run(name, func(t *testing.T) {
			s := load(t, name)
			if s.config.QA.PromptPath != s.paths.Prompt {
				t.Errorf("the config names the prompt %s, Protocol says %s", s.config.QA.PromptPath, s.paths.Prompt)
			}
			text := read(t, s.paths.Prompt)
			if got := identity.Hash(text); got != s.config.QA.PromptSHA256 {
				t.Errorf("%s: SHA-256 is %s, the config pins %s", s.paths.Prompt, got, s.config.QA.PromptSHA256)
			}
			if _, err := prompt.ParseTemplate(text); err != nil {
				t.Errorf("%s: %v", s.paths.Prompt, err)
			}
			if s.config.QA.GraderVersion != grading.Version {
				t.Errorf("grader_version is %s, the grader is %s", s.config.QA.GraderVersion, grading.Version)
			}
			want := "deermem-tui-" + name + "-v1"
			for file, id := range map[string]string{
				s.paths.Config:            s.config.ProtocolID,
				s.paths.OfficialManifest:  s.official.ProtocolID,
				s.paths.SyntheticManifest: s.synthetic.ProtocolID,
			} {
				if id != want {
					t.Errorf("%s: protocol_id is %s, want %s", file, id, want)
				}
			}
			for _, guard := range s.synthetic.Cases {
				if _, err := grading.Grade(guard.Answer, guard.Answer); err != nil {
					t.Errorf("guard %s: %v", guard.CaseID, err)
				}
			}
		})
	}
}

func TestNoOtherProtocolIsShipped(t *testing.T) {
	if _, ok := Protocol("longmemeval"); ok {
		t.Error("a protocol that is not shipped has paths")
	}
	if p, _ := Protocol(PR4789); p.Dataset != "" {
		t.Error("pr4789 names a dataset; the user brings it")
	}
}

func TestPR4789KeepsThePublishedFacts(t *testing.T) {
	root := sharedFolder(t)
	s := load(t, PR4789)
	published, err := os.ReadFile(filepath.Join(root, "upstream/configs/pr4789-reproduction-v1.yaml"))
	if err != nil {
		t.Skipf("the published config was not found: %v: skipped", err)
	}
	want, err := config.Parse(published)
	if err != nil {
		t.Fatal(err)
	}
	got := *s.config
	got.ProtocolID, got.QA.PromptPath, got.QA.PromptSHA256 = want.ProtocolID, want.QA.PromptPath, want.QA.PromptSHA256
	if !reflect.DeepEqual(got, *want) {
		t.Errorf("the config is\n%+v\nand was published as\n%+v", got, *want)
	}
	published, err = os.ReadFile(filepath.Join(root, "upstream/manifests/longmemeval-pr4789-v1.json"))
	if err != nil {
		t.Skipf("the published manifest was not found: %v: skipped", err)
	}
	cases, err := manifest.ParseOfficial(published)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(cases.LossRanks, s.official.LossRanks) || !slices.Equal(cases.ScenarioOrder, s.official.ScenarioOrder) ||
		!maps.EqualFunc(cases.Scenarios, s.official.Scenarios, slices.Equal[[]string]) {
		t.Error("the cases, ranks or scenarios differ from the published manifest")
	}
	var ranks []int
	for _, guard := range s.synthetic.Cases {
		ranks = append(ranks, guard.LossRank)
	}
	if !slices.Equal(ranks, []int{6, 8, 8, 10, 10}) {
		t.Errorf("the guards' loss ranks are %v", ranks)
	}
}

func sharedFolder(t *testing.T) string {
	t.Helper()
	root := filepath.Join("..", "shared")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the reference's files were not found at %s: skipped", root)
	}
	return root
}
