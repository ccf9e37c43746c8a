package kept

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	if rest, err := os.ReadDir(filepath.Dir(f.Path)); err != nil || len(rest) != 2 || rest[0].Name() != lockName {
		t.Errorf("besides the file and its lock there are %v, %v", rest, err)
	}
}

func TestSettingsKeptAtTheSameTimeAreAllKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", FileName)
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			if _, err := (File{path}).Keep(named(fmt.Sprint("setting ", i))); err != nil {
				t.Errorf("setting %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if found, err := (File{path}).List(); err != nil || len(found) != 24 {
		t.Errorf("%d of 24 are kept: %v", len(found), err)
	}
}

func TestALinkToTheFileStaysALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "elsewhere.json"), filepath.Join(dir, FileName)
	if _, err := (File{target}).Keep(named("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("links are not possible here: skipped")
	}
	if _, err := (File{link}).Keep(named("b")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if all, err := (File{target}).List(); err != nil || names(all) != "a b" {
		t.Errorf("its target has %v, %v", names(all), err)
	}
	nowhere := filepath.Join(dir, "nowhere.json")
	if err := os.Symlink(filepath.Join(dir, "gone", "x.json"), nowhere); err != nil {
		t.Fatal(err)
	}
	if _, err := (File{nowhere}).Keep(named("b")); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
		t.Errorf("a link that leads nowhere: %v", err)
	}
	if info, err := os.Lstat(nowhere); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("it is %v, %v", info, err)
	}
	store := filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o755); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(store, "x.json")
	if err := os.WriteFile(inside, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.json")
	if err := os.Symlink(inside, out); err != nil {
		t.Fatal(err)
	}
	if _, err := (File{out}).Keep(named("c"), store); !errors.Is(err, ErrInside) {
		t.Errorf("a link into the store: %v", err)
	}
}

func TestNamesOfWhatIsAlwaysListedAreRefused(t *testing.T) {
	f := File{filepath.Join(t.TempDir(), FileName)}
	for _, name := range []string{"deer-flow", "Protocol", "as set now", "(this one)"} {
		if _, err := f.Keep(named(name)); !errors.Is(err, ErrReserved) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestARefusalBeginsWithItsReason(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(file, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := File{file}.List()
	if err == nil || strings.Index(err.Error(), "not JSON") > strings.Index(err.Error(), file) {
		t.Errorf("it says %v", err)
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
