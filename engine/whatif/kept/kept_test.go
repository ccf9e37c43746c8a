package kept

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/whatif"
)

func named(name string) whatif.Setting {
	return whatif.Setting{Name: name, Policy: eviction.HybridV1(), Now: eviction.ParseMoment("2026-08-13"), Capacity: 7}
}

func names(all []whatif.Setting) string {
	var out []string
	for _, s := range all {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

func TestSettingsAreKeptListedTakenAndForgotten(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), "state", FileName)}
	if all, err := f.List(); err != nil || all != nil {
		t.Fatalf("before anything: %v, %v", all, err)
	}
	for _, name := range []string{"low", "日本", "long lived"} {
		if _, err := f.Keep(named(name)); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := f.Keep(named("low")); !errors.Is(err, ErrThere) || len(all) != 3 {
		t.Errorf("a name used twice: %v, %v", all, err)
	}
	if s, err := f.Find("日本"); err != nil || !s.Same(named("")) {
		t.Errorf("found %+v, %v", s, err)
	}
	if all, err := f.Forget("low"); err != nil || names(all) != "日本 long lived" {
		t.Errorf("left are %v, %v", names(all), err)
	}
	if _, err := f.Forget("low"); !errors.Is(err, ErrUnknown) {
		t.Errorf("forgotten twice: %v", err)
	}
	if all, err := f.List(); err != nil || names(all) != "日本 long lived" {
		t.Errorf("on disk are %v, %v", names(all), err)
	}
	if rest, err := os.ReadDir(filepath.Dir(f.Path)); err != nil || len(rest) != 1 {
		t.Errorf("besides the file there are %v, %v", rest, err)
	}
}

func TestWhatIsNoFileOfSettingsIsLeftAsItIs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"run.json": `{"schema": 1}`, "settings": "not JSON", "big": strings.Repeat(" ", maxBytes+1)} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := File{file}
		if _, err := f.Keep(named("x")); err == nil {
			t.Errorf("%s was taken for settings", name)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != text {
			t.Errorf("%s was written over", name)
		}
	}
	if _, err := (File{dir}).List(); err == nil {
		t.Error("a folder was taken for settings")
	}
	if _, err := (File{}).List(); !errors.Is(err, ErrNoPlace) {
		t.Errorf("without a place: %v", err)
	}
}

func TestNothingIsKeptInsideAStore(t *testing.T) {
	store := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(store, link); err != nil {
		t.Skip("links are not possible here: skipped")
	}
	for _, path := range []string{filepath.Join(store, FileName), filepath.Join(store, "new", "deep", FileName), filepath.Join(link, "new", FileName)} {
		if _, err := (File{path}).Keep(named("x"), store); !errors.Is(err, ErrInside) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, err := os.ReadDir(store); err != nil || len(left) > 0 {
		t.Errorf("the store has %v, %v", left, err)
	}
	if Within(filepath.Join(store+"2", FileName), store) {
		t.Error("a folder of a longer name counts as inside")
	}
}

func TestANameThatCouldActOnATerminalIsRefused(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), FileName)}
	for _, name := range []string{"", " x", "a\x1b[31m", "a\nb", strings.Repeat("x", maxName+1)} {
		if _, err := f.Keep(named(name)); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	bad := named("x")
	bad.Capacity = -1
	if _, err := f.Keep(bad); err == nil {
		t.Error("a setting that cannot be is kept")
	}
}
