package ui

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/eviction"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/engine/whatif/kept"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/store"
	"deermem-tui/ui/whatif"
)

// keepsInMemory stands for the file of settings.
func keepsInMemory() func(whatif.Wish) whatif.Kept {
	var all []engine.Setting
	return func(w whatif.Wish) whatif.Kept {
		done := whatif.Kept{Do: w.Do, Name: w.Name}
		switch w.Do {
		case whatif.KeepSetting:
			if slices.ContainsFunc(all, func(s engine.Setting) bool { return s.Name == w.Name }) {
				done.Err = errors.New("a setting of this name is kept already")
				break
			}
			all = append(slices.Clone(all), w.Setting)
		case whatif.ForgetSetting:
			all = slices.DeleteFunc(slices.Clone(all), func(s engine.Setting) bool { return s.Name == w.Name })
		}
		done.Settings = all
		return done
	}
}

func TestTheStoreAndWhatIfLeadToEachOther(t *testing.T) {
	d := withStore(themes()["plain"], 120, 36, false, nil, "j", "j")
	fact := d.app.store.Selection()
	d.keys("w")
	if d.app.active != screen.WhatIf || d.app.whatif.Selection() != fact {
		t.Fatalf("w leads to %s at %q, want %q", d.app.active, d.app.whatif.Selection(), fact)
	}
	d.keys("J", "enter")
	if d.app.active != screen.Store || d.app.store.Selection() == fact || d.app.store.Selection() != d.app.whatif.Selection() {
		t.Errorf("enter leads to %s at %q", d.app.active, d.app.store.Selection())
	}
	at := d.app.whatif.Selection()
	d.keys("esc")
	if d.app.active != screen.WhatIf || d.app.whatif.Selection() != at {
		t.Errorf("esc leads to %s at %q, not back", d.app.active, d.app.whatif.Selection())
	}
	d.keys("enter", "j")
	if d.app.store.Bindings().Has(store.Return) {
		t.Error("the way back is still offered at another fact")
	}
}

func TestAFileOfAStoreIsNamedAfterItsAgent(t *testing.T) {
	d := withStore(themes()["plain"], 120, 36, false, nil, "e")
	d.shows(t, "Export", "mara-coder-store")
	d.keys("enter")
	d.shows(t, "to mara-coder-store.csv")
	if text := string(d.saved["mara-coder-store.csv"]); !strings.Contains(text, ",clock,") || !strings.Contains(text, fixture.Now.Format("2006-01-02T15:04:05")) {
		t.Errorf("the file does not say its clock:\n%.400s", text)
	}
	d.keys("w", "e")
	d.shows(t, "mara-coder-what-if")
	d.keys("esc", "s", "e")
	d.shows(t, "mara-coder-what-if-settings")
	d.keys("enter")
	if text := string(d.saved["mara-coder-what-if-settings.csv"]); !strings.Contains(text, "agent coder of mara in .deermem") {
		t.Errorf("the file does not say its subject:\n%.400s", text)
	}
	d.keys("esc", "c", "home", "enter", "e")
	d.shows(t, "sample-what-if")
}

func TestTheHelpOfTheStoreTellsEveryKeyOnce(t *testing.T) {
	d := withStore(themes()["plain"], 120, 80, false, nil, "?")
	view := d.app.View()
	if n := strings.Count(view, "ctrl+r "); n != 1 || !strings.Contains(view, "read the store again") || strings.Contains(view, "read the run folder again") {
		t.Errorf("ctrl+r stands there %d times:\n%s", n, view)
	}
	d.keys("esc", ":")
	d.keys("r", "u", "n", " ", "f", "o", "l", "d", "e", "r")
	if view := d.app.View(); !strings.Contains(view, "read the run folder again") || strings.Contains(view, "ctrl+r") {
		t.Errorf("the palette has not what the key does not reach here:\n%s", view)
	}
}

func TestNothingIsExportedIntoTheStore(t *testing.T) {
	d := withStore(themes()["plain"], 120, 36, false, nil)
	dir := t.TempDir()
	m := fixture.Store(false)
	m.Root = dir
	d.send(screen.For{Screen: screen.Store, Msg: store.Loaded{Store: m, At: fixture.Now}})
	written := 0
	d.app.do.save = func(string, []byte) (string, error) { written++; return "x.csv", nil }
	t.Chdir(dir)
	d.keys("e", "enter")
	if view := d.app.View(); written != 0 || !strings.Contains(view, "only read") {
		t.Errorf("written %d times:\n%s", written, view)
	}
	d.keys("esc")
	t.Chdir(t.TempDir())
	if d.keys("e", "enter"); written != 1 {
		t.Errorf("beside the store it is written %d times", written)
	}
}

func TestWithoutARunWhatIfIsOfferedAndPlaysWithTheStore(t *testing.T) {
	reads := 0
	d, _ := newShelf(themes()["plain"], 120, 36, false, false)
	d.app.do.store = func() tea.Msg {
		reads++
		return screen.For{Screen: screen.Store, Msg: store.Loaded{Store: fixture.Store(false), At: fixture.Now}}
	}
	d.keys("6")
	if d.app.active != screen.WhatIf {
		t.Fatalf("6 leads to %s", d.app.active)
	}
	d.keys("c", "enter")
	if d.app.whatif.Selection() == "" {
		t.Errorf("nothing is played with:\n%s", d.app.View())
	}
	d.keys("7")
	if d.app.store.Selection() == "" || reads != 1 {
		t.Errorf("the store was read %d times", reads)
	}
}

func TestAnotherStudyIsNotPlayedWithOnceItIsClosed(t *testing.T) {
	d := at(fixture.Book(45, fixture.Fresh, false), themes()["plain"], 120, 36, "6")
	if d.app.whatif.Selection() == "" {
		t.Fatal("nothing is played with")
	}
	d.app.build()
	if d.app.whatif.Selection() != "" {
		t.Error("the cases of the run before are still played with")
	}
}

func TestSettingsAreKeptInAFileOutsideTheStore(t *testing.T) {
	file := kept.File{Path: filepath.Join(t.TempDir(), kept.FileName)}
	setting := engine.Setting{Name: "x", Now: eviction.At(fixture.Now), Policy: fixture.Book(1, fixture.Fresh, false).Policies[1], Capacity: 3}
	if done := wishOver(file, whatif.Wish{Do: whatif.KeepSetting, Setting: setting, Name: "x", Store: filepath.Dir(file.Path)}); !errors.Is(done.Err, kept.ErrInside) {
		t.Errorf("into the store: %v", done.Err)
	}
	if done := wishOver(file, whatif.Wish{Do: whatif.KeepSetting, Setting: setting, Name: "x"}); done.Err != nil || len(done.Settings) != 1 {
		t.Errorf("kept: %+v", done)
	}
	if done := wishOver(file, whatif.Wish{Do: whatif.ListSettings}); done.Err != nil || len(done.Settings) != 1 {
		t.Errorf("listed: %+v", done)
	}
	if done := wishOver(file, whatif.Wish{Do: whatif.ForgetSetting, Name: "x"}); done.Err != nil || len(done.Settings) != 0 {
		t.Errorf("forgotten: %+v", done)
	}
	if done := wishOver(kept.File{}, whatif.Wish{Do: whatif.ListSettings}); !errors.Is(done.Err, kept.ErrNoPlace) {
		t.Errorf("without a place: %v", done.Err)
	}
}
