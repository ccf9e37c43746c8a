package ui

import (
	"errors"
	"path/filepath"
	"slices"
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
