package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
)

// reopened is a new application at a place.
func reopened(p place, asked bool) *desk {
	engine := &fakeEngine{book: fixture.Book(45, fixture.Graded, false)}
	return newDeskAt(engine, themes()["plain"], 80, 24, func(a *App) { a.restore(p, asked) })
}

func TestTheApplicationComesBackWhereItWasLeft(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "/", "a", "c", "c", "e", "s", "s", "enter", "o", "O", "j", "j", "enter", "tab", "[", "j")
	view := d.app.View()
	again := reopened(d.app.place(fixture.Now), false)
	if got := again.app.View(); got != view {
		t.Errorf("it was left as\n%s\nand came back as\n%s", view, got)
	}
	again.keys("esc")
	again.shows(t, "filter: access", "9 of 45", "by case reversed")
	d.keys("2")
	if again = reopened(d.app.place(fixture.Now), false); again.app.active != screen.Run {
		t.Errorf("it came back on %s", again.app.active)
	}
	if again = reopened(place{Screen: screen.Cases}, true); again.app.active != screen.Run {
		t.Error("the screen asked for did not win")
	}
}

func TestAPlaceThatMakesNoSenseIsIgnored(t *testing.T) {
	for _, p := range []place{
		{Screen: "nowhere"},
		{Screen: screen.Case, Screens: map[screen.ID]map[string]string{screen.Case: {"case": "gone", "capacity": "99999999999999999999", "side": "7"}}},
		{Screen: screen.Case, Screens: map[screen.ID]map[string]string{screen.Case: {"case": "9e3779b1", "capacity": "500", "side": "-1", "fact": fixture.Hostile}}},
		{Screen: screen.Cases, Screens: map[screen.ID]map[string]string{screen.Cases: {"sort": "colour", "filter": fixture.Hostile, "case": fixture.Hostile}}},
	} {
		d := reopened(p, false)
		exact(t, d.app.View(), 80, 24)
		for _, s := range []string{"2", "3", "enter"} {
			d.keys(s)
			exact(t, d.app.View(), 80, 24)
		}
	}
}

func TestTheMemoryIsAtomicBoundedAndTolerant(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deeper", "place.json")
	if m := readMemory(path); len(m.Studies) != 0 {
		t.Error("a missing file is not empty")
	}
	for i := range memoryStudies + 10 {
		if err := remember(path, map[string]place{fmt.Sprint("study ", i): {Screen: screen.Cases, At: fixture.Now.Add(time.Duration(i) * time.Hour)}}); err != nil {
			t.Fatal(err)
		}
	}
	m := readMemory(path)
	if _, kept := m.Studies["study 59"]; len(m.Studies) != memoryStudies || !kept {
		t.Errorf("%d studies are kept, the newest: %v", len(m.Studies), kept)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
	for _, damage := range []string{"", "{", `{"version":2,"studies":{"a":{}}}`, `{"version":1,"studies":null}`, `{"version":1,"studies":[1]}`, "\x00\xff", strings.Repeat("x", memoryBytes+5)} {
		if err := os.WriteFile(path, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if m := readMemory(path); len(m.Studies) != 0 || m.Studies == nil {
			t.Errorf("a damaged file gave %v", m)
		}
		if err := remember(path, map[string]place{"a": {Screen: screen.Run}}); err != nil || readMemory(path).Studies["a"].Screen != screen.Run {
			t.Errorf("a damaged file cannot be replaced: %v", err)
		}
	}
	if m := readMemory(filepath.Dir(path)); len(m.Studies) != 0 {
		t.Error("a folder was read")
	}
	if err := remember("", map[string]place{"a": {}}); err != nil {
		t.Errorf("switched off, it fails: %v", err)
	}
}

func TestAStudyThatWasNotRunOpensOnRun(t *testing.T) {
	left := place{Screen: screen.Cases, Screens: map[screen.ID]map[string]string{screen.Cases: {"filter": "pair=discordant"}}}
	for _, from := range []screen.ID{screen.Cases, screen.Case, screen.Statistics} {
		left.Screen = from
		d := newDeskAt(&fakeEngine{book: fixture.Book(45, fixture.Fresh, false)}, themes()["plain"], 80, 24, func(a *App) { a.restore(left, false) })
		d.shows(t, "▸2 Run", "Press s")
		d.keys("3")
		d.shows(t, "Cases 45")
	}
}
