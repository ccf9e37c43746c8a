package study_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	deermemtui "deermem-tui"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/vectortest"
)

func embedded(t testing.TB, name string) (study.Location, study.Dataset) {
	t.Helper()
	p, ok := deermemtui.Protocol(name)
	if !ok {
		t.Fatalf("%s is not shipped", name)
	}
	return study.Embedded(name, deermemtui.Files, p.Config, p.OfficialManifest, p.SyntheticManifest),
		study.EmbeddedDataset(deermemtui.Files, p.Dataset)
}

// folder writes the sample's protocol as a folder, with the edits made.
func folder(t testing.TB, edits map[string]func(string) string) (dir string) {
	t.Helper()
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	dir = t.TempDir()
	for name, path := range map[string]string{
		"configs/study.yaml": p.Config, "manifests/official.json": p.OfficialManifest, "manifests/synthetic.json": p.SyntheticManifest,
		p.Prompt: p.Prompt, "dataset.json": p.Dataset,
	} {
		data, err := deermemtui.Files.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if edit := edits[name]; edit != nil {
			data = []byte(edit(string(data)))
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func swap(old, replacement string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, replacement, 1) }
}

func load(t testing.TB, l study.Location) *study.Contracts {
	t.Helper()
	c, err := study.LoadContracts(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// told gathers checks as `name state`.
func told(list *[]string) func(study.Check) {
	return func(c study.Check) { *list = append(*list, c.Name+" "+string(c.State)) }
}

// expected is a list of checks of which so many pass and, unless all do, the
// next fails and the rest are not run.
func expected(names []string, passed int) []string {
	var list []string
	for i, name := range names {
		state := study.NotRun
		switch {
		case i < passed:
			state = study.Passed
		case i == passed:
			state = study.Failed
		}
		list = append(list, name+" "+string(state))
	}
	return list
}

func TestShippedProtocolsHold(t *testing.T) {
	for _, name := range deermemtui.Protocols() {
		var list []string
		l, _ := embedded(t, name)
		c, err := study.LoadContracts(l, told(&list))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := expected(study.ContractChecks(), 6); !slices.Equal(list, want) {
			t.Errorf("%s: checks %q, want %q", name, list, want)
		}
		for _, hash := range c.Identity.List() {
			if len(hash.SHA256) != 64 {
				t.Errorf("%s: %s is %q", name, hash.Key, hash.SHA256)
			}
		}
	}
}

func TestTheSameFilesHaveTheSameIdentityWhereverTheyAre(t *testing.T) {
	inside, _ := embedded(t, deermemtui.Sample)
	dir := folder(t, nil)
	found, err := study.Folder(dir, "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	named := study.Files(filepath.Join(dir, "configs", "study.yaml"), filepath.Join(dir, "manifests", "official.json"), filepath.Join(dir, "manifests", "synthetic.json"))
	want := load(t, inside).Identity
	for what, l := range map[string]study.Location{"a folder": found, "files": named} {
		if got := load(t, l).Identity; got != want {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	// Named from within the folder of the configuration, the prompt's folder is above.
	t.Chdir(filepath.Join(dir, "configs"))
	l := study.Files("study.yaml", "../manifests/official.json", "../manifests/synthetic.json")
	if c := load(t, l); c.Identity != want || filepath.IsAbs(c.PromptPath) {
		t.Errorf("from within: %+v, prompt %s", c.Identity, c.PromptPath)
	}
}

func TestContractChecksStopAtTheFirstThatFails(t *testing.T) {
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	for _, c := range []struct {
		name   string
		file   string
		edit   func(string) string
		passed int
		path   string // of the file that is blamed; file when empty
	}{
		{"a broken configuration", "configs/study.yaml", swap("pool:", "pool: ["), 0, ""},
		{"a broken official manifest", "manifests/official.json", swap(`"loss_ranks"`, `"loss_rank"`), 1, ""},
		{"a broken synthetic manifest", "manifests/synthetic.json", swap(`"correction_reserve"`, `"another"`), 2, ""},
		{"a guard that is an official case", "manifests/synthetic.json", firstGuardIs("bib-corral"), 2, ""},
		{"another protocol's official manifest", "manifests/official.json", swap("deermem-tui-sample-v1", "x"), 3, ""},
		{"another protocol's configuration", "configs/study.yaml", swap("protocol_id: deermem-tui-sample-v1", "protocol_id: x"), 3, "manifests/official.json"},
		{"another grader", "configs/study.yaml", swap("deterministic-overlap-v1", "deterministic-overlap-v0"), 4, ""},
		{"a changed prompt", p.Prompt, swap("SYSTEM:", "SYSTEM: "), 5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, map[string]func(string) string{c.file: c.edit})
			l, err := study.Folder(dir, "", "", "")
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			_, err = study.LoadContracts(l, told(&list))
			if want := expected(study.ContractChecks(), c.passed); !slices.Equal(list, want) {
				t.Errorf("checks\n%q\nwant\n%q", list, want)
			}
			blamed := c.path
			if blamed == "" {
				blamed = c.file
			}
			var file *study.FileError
			if !errors.As(err, &file) || file.Path != filepath.Join(dir, filepath.FromSlash(blamed)) {
				t.Errorf("error %v, want one that blames %s", err, blamed)
			}
		})
	}
}

func firstGuardIs(id string) func(string) string {
	return func(text string) string {
		const key = `"case_id": "`
		head, rest, _ := strings.Cut(text, key)
		return head + key + id + rest[strings.IndexByte(rest, '"'):]
	}
}

func TestDatasetChecksStopAtTheFirstThatFails(t *testing.T) {
	repin := func(dataset func(string) string) map[string]func(string) string {
		p, _ := deermemtui.Protocol(deermemtui.Sample)
		data, err := deermemtui.Files.ReadFile(p.Dataset)
		if err != nil {
			t.Fatal(err)
		}
		return map[string]func(string) string{
			"dataset.json":       dataset,
			"configs/study.yaml": swap(identity.Hash(data), identity.Hash([]byte(dataset(string(data))))),
		}
	}
	for _, c := range []struct {
		name   string
		edits  map[string]func(string) string
		passed int
		blamed string
	}{
		{"another hash", map[string]func(string) string{"dataset.json": swap("[", " [")}, 0, "dataset.json"},
		{"broken rows", repin(swap("[", "(")), 1, "dataset.json"},
		{"no row", repin(func(string) string { return "[]" }), 2, "dataset.json"},
		{"a case that is not selected", map[string]func(string) string{"manifests/official.json": swap(`"bib-corral"`, `"zzz"`)}, 2, "manifests/official.json"},
		{"too small a bank", map[string]func(string) string{"configs/study.yaml": swap("distractor_min_evidence_chars: 40", "distractor_min_evidence_chars: 699")}, 3, "dataset.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, c.edits)
			l, err := study.Folder(dir, "", "", "")
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			_, err = load(t, l).Open(context.Background(), study.DatasetFile(filepath.Join(dir, "dataset.json")), told(&list))
			if want := expected(study.DatasetChecks(), c.passed); !slices.Equal(list, want) {
				t.Errorf("checks\n%q\nwant\n%q", list, want)
			}
			var file *study.FileError
			if !errors.As(err, &file) || file.Path != filepath.Join(dir, filepath.FromSlash(c.blamed)) {
				t.Errorf("error %v, want one that blames %s", err, c.blamed)
			}
		})
	}
}

func TestAWrongHashIsAPinErrorWithBothHashes(t *testing.T) {
	l, _ := embedded(t, deermemtui.Sample)
	c := load(t, l)
	_, err := c.Open(context.Background(), study.EmbeddedDataset(deermemtui.Files, l.Config), nil)
	var pin *study.PinError
	if !errors.As(err, &pin) || pin.Found != c.Identity.Config || pin.Expected != c.Config.Dataset.SHA256 {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(err.Error(), c.Config.Dataset.Revision) {
		t.Errorf("the revision to get is not named: %v", err)
	}
}

func TestAStudyIsWholeOnceItIsOpen(t *testing.T) {
	l, d := embedded(t, deermemtui.Sample)
	s, err := load(t, l).Open(context.Background(), d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Pools.Cases) != 45 || len(s.Pools.Bank) != 40 || s.Rows < 100 || s.Policies[0].Name != "confidence" || s.Policies[1].Name != "hybrid-v1" {
		t.Errorf("%d cases, bank of %d, %d rows, policies %s, %s", len(s.Pools.Cases), len(s.Pools.Bank), s.Rows, s.Policies[0].Name, s.Policies[1].Name)
	}
	if !d.Given() || (study.Dataset{}).Given() {
		t.Error("Given is wrong")
	}
}

func TestAContextThatEndedOpensNothing(t *testing.T) {
	l, d := embedded(t, deermemtui.Sample)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var list []string
	if s, err := load(t, l).Open(ctx, d, told(&list)); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("study %v, error %v", s, err)
	}
	for _, line := range list {
		if !strings.HasSuffix(line, string(study.NotRun)) {
			t.Errorf("check %q", line)
		}
	}
	if len(list) != 5 {
		t.Errorf("%d checks told", len(list))
	}
}

func TestFoldersAreRefusedUntilEveryFileIsKnown(t *testing.T) {
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		change func(dir string)
		wants  []string
	}{
		{"two configurations", func(dir string) { write(dir, "configs/b.yml", "") }, []string{"found 2 [b.yml study.yaml]", "--config"}},
		{"no configuration", func(dir string) { os.Remove(filepath.Join(dir, "configs", "study.yaml")) }, []string{"found 0", "--config"}},
		{"two official manifests", func(dir string) { write(dir, "manifests/b.json", `{"scenarios": {}}`) }, []string{"found 2 [b.json official.json]", "--official-manifest"}},
		{"a manifest of neither kind alone", func(dir string) { write(dir, "manifests/synthetic.json", `[]`) }, []string{"synthetic", "found 0", "--synthetic-manifest"}},
		{"a torn manifest", func(dir string) { write(dir, "manifests/synthetic.json", `{"cases": [`) }, []string{"synthetic.json is none", "not complete JSON"}},
		{"a manifest that is a folder", func(dir string) {
			os.Remove(filepath.Join(dir, "manifests", "official.json"))
			os.Mkdir(filepath.Join(dir, "manifests", "official.json"), 0o755)
		}, []string{"official.json is none", "not a regular file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, nil)
			c.change(dir)
			_, err := study.Folder(dir, "", "", "")
			var location *study.LocationError
			if !errors.As(err, &location) || location.Folder != dir {
				t.Fatalf("error %v", err)
			}
			for _, want := range c.wants {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
		})
	}
}

func TestFilesNamedBesideAFolderAreTakenInsteadOfLookedFor(t *testing.T) {
	dir, other := folder(t, nil), folder(t, nil)
	os.Remove(filepath.Join(dir, "configs", "study.yaml"))
	config := filepath.Join(other, "configs", "study.yaml")
	l, err := study.Folder(dir, config, "", "")
	if err != nil || l.Config != config || filepath.Dir(l.Official) != filepath.Join(dir, "manifests") {
		t.Errorf("%+v, %v", l, err)
	}
	official, synthetic := filepath.Join(other, "manifests", "official.json"), filepath.Join(other, "manifests", "synthetic.json")
	os.RemoveAll(filepath.Join(dir, "manifests"))
	if l, err = study.Folder(dir, config, official, synthetic); err != nil || l.Official != official || l.Synthetic != synthetic {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestUpstreamsFolderHolds(t *testing.T) {
	l, err := study.Folder(vectortest.Path(t, "upstream"), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if c := load(t, l); len(c.Identity.List()) != 5 || c.Config.ProtocolID == "" {
		t.Errorf("%s", fmt.Sprint(c.Identity))
	}
}
