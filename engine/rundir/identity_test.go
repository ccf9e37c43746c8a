// Tests of what binds a folder to its protocol.

package rundir

import (
	"deermem-tui/protocol/identity"
	"deermem-tui/protocol/vectortest"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func identityDoc(h identity.Identity) string {
	return `{"schema_version": 2, "protocol_id": "p", "created_at": "2026-08-18T04:12:21.258451Z", "artifacts": {` +
		`"config_sha256": "` + h.Config + `", "official_manifest_sha256": "` + h.OfficialManifest +
		`", "synthetic_manifest_sha256": "` + h.SyntheticManifest + `", "answer_prompt_sha256": "` + h.AnswerPrompt +
		`", "dataset_sha256": "` + h.Dataset + `"}}`
}

func TestAFolderOfAnotherProtocolIsRefusedAndEveryChangeNamed(t *testing.T) {
	stored := identity.Identity{Config: "c", OfficialManifest: "o", SyntheticManifest: "s", AnswerPrompt: "a", Dataset: "d"}
	d := newDir(t)
	if err := d.WriteNew(IdentityFile, []byte(identityDoc(stored))); err != nil {
		t.Fatal(err)
	}
	if err := d.CheckIdentity(stored); err != nil {
		t.Fatalf("the same protocol: %v", err)
	}
	for what, want := range map[string]identity.Identity{
		"config":             {Config: "x", OfficialManifest: "o", SyntheticManifest: "s", AnswerPrompt: "a", Dataset: "d"},
		"official manifest":  {Config: "c", OfficialManifest: "x", SyntheticManifest: "s", AnswerPrompt: "a", Dataset: "d"},
		"synthetic manifest": {Config: "c", OfficialManifest: "o", SyntheticManifest: "x", AnswerPrompt: "a", Dataset: "d"},
		"answer prompt":      {Config: "c", OfficialManifest: "o", SyntheticManifest: "s", AnswerPrompt: "x", Dataset: "d"},
		"dataset":            {Config: "c", OfficialManifest: "o", SyntheticManifest: "s", AnswerPrompt: "a", Dataset: "x"},
	} {
		err := d.CheckIdentity(want)
		var other *IdentityError
		if !errors.As(err, &other) || !errors.Is(err, ErrIdentity) || len(other.Changes) != 1 || other.Changes[0].What != what ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("another %s: %v", what, err)
		}
	}
	var other *IdentityError
	if err := d.CheckIdentity(identity.Identity{}); !errors.As(err, &other) || len(other.Changes) != 5 {
		t.Errorf("five changes: %v", err)
	}
}

func TestAnIdentityThatCannotBeReadSaysWhy(t *testing.T) {
	d := newDir(t)
	if _, err := d.ReadIdentity(); !errors.Is(err, ErrMissing) {
		t.Errorf("no document: %v", err)
	}
	for _, tc := range []struct{ name, data, says string }{
		{"torn", `{"schema_version": 2`, "not complete JSON"},
		{"a list", `[]`, "holds a list"},
		{"of another schema", `{"schema_version": 1}`, "schema_version is 1, expected 2"},
		{"without artifacts", `{"schema_version": 2, "protocol_id": "p", "created_at": ""}`, "artifacts is missing"},
		{"without a hash", `{"schema_version": 2, "protocol_id": "p", "created_at": "", "artifacts": {}}`, "config_sha256 is missing"},
	} {
		if err := d.Replace(IdentityFile, []byte(tc.data)); err != nil {
			t.Fatal(err)
		}
		_, err := d.ReadIdentity()
		if !errors.Is(err, ErrBadIdentity) || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), IdentityFile) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.says)
		}
	}
}

func TestTheIdentityOfTheReferenceRunsReads(t *testing.T) {
	for _, name := range []string{"shadow/qa-run", "upstream/results/pr4789-reproduction-v1"} {
		d, err := Open(vectortest.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		identity, err := d.ReadIdentity()
		if err != nil || identity.ProtocolID != "deermem-hybrid-v1-pr4789-reproduction-v1" || len(identity.Hashes.Dataset) != 64 {
			t.Errorf("%s: %+v, %v", name, identity, err)
		}
	}
}

func TestSafeNameTakesOnlyWhatStaysInTheFolder(t *testing.T) {
	for _, id := range []string{"a", "01493427", "correction_timezone", "A-b.c_9", "...", ".hidden"} {
		if err := SafeName(id); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{"", ".", "..", "a/b", `a\b`, "a b", "é", "a\x00", "a:b", "日", "\xff"} {
		var name *NameError
		if err := SafeName(id); !errors.As(err, &name) || !errors.Is(err, ErrName) {
			t.Errorf("%q: %v, want a *NameError", id, err)
		}
	}
}

func TestOpenAndCreateSayWhatIsInTheWay(t *testing.T) {
	base := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	if err := os.WriteFile(at("file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"loop": "loop", "dangling": "nowhere"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	for _, tc := range []struct {
		name string
		path string
		open func(string) (*Dir, error)
		kind error
	}{
		{"opening a folder that is missing", at("none"), Open, ErrMissing},
		{"opening a file", at("file"), Open, ErrNotFolder},
		{"opening below a file", at("file", "run"), Open, ErrNotFolder},
		{"opening a link to itself", at("loop"), Open, ErrNotFolder},
		{"creating over a file", at("file"), Create, ErrNotFolder},
		{"creating below a file", at("file", "run"), Create, ErrNotFolder},
		{"creating over a link to itself", at("loop"), Create, ErrNotFolder},
		{"creating below a link to itself", at("loop", "run"), Create, ErrNotFolder},
		{"creating over a dangling link", at("dangling"), Create, ErrNotFolder},
		{"creating a name too long", at(strings.Repeat("n", 300)), Create, ErrName},
	} {
		_, err := tc.open(tc.path)
		var file *FileError
		if !errors.As(err, &file) || !errors.Is(err, tc.kind) || !strings.Contains(err.Error(), tc.path) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.kind)
		}
	}
	for _, name := range []string{at("new", "deep", "run"), at("new", "deep", "run"), at("new", "..", "other")} {
		if _, err := Create(name); err != nil {
			t.Errorf("creating %s: %v", name, err)
		}
	}
}
