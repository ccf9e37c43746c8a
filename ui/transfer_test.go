package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
)

func TestARowAndAPaneAreCopied(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "n", "Y", "ctrl+y", "enter", "Y", "ctrl+y")
	if len(d.copied) != 4 {
		t.Fatalf("copied %q", d.copied)
	}
	for i, want := range []string{
		"f1bbcd88\tofficial\tconfirmation_help\tsingle-session-user\t8\tfalse\tfalse\ttrue\ttrue",
		"▸ f1bbcd88 ",
		"f1bbcd88\tconfidence\t7\t8\tgold_f1bbcd88\ttrue\t0.7",
		"-- cut --\n 8  0.700  gold_f1bbcd88  evicted",
	} {
		if !strings.Contains(d.copied[i], want) || strings.Contains(d.copied[i], "\x1b") {
			t.Errorf("copied %q, want %q in it", d.copied[i], want)
		}
	}
	d.shows(t, "copied the pane")
}

func TestATableIsExportedAsItIsShown(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "/", "a", "c", "c", "e", "s", "s", "enter", "e")
	d.shows(t, "Export", "9 rows of cases", "▸CSV", "sample-cases", "nothing is overwritten")
	d.keys("enter")
	d.shows(t, "wrote 9 rows to sample-cases.csv")
	if got := string(d.saved["sample-cases.csv"]); strings.Count(got, "\n") != 10 || !strings.HasPrefix(got, "case_id,source,scenario") {
		t.Errorf("wrote %q", got)
	}
	d.keys("e", "enter")
	d.shows(t, "sample-cases.csv exists already")
	d.keys("tab", "enter")
	d.shows(t, "wrote 9 rows to sample-cases.json")
	d.keys("e")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.paste("../../etc/passwd\n\x1b[2J")
	d.keys("enter")
	d.shows(t, "not a file name")
	if len(d.saved) != 2 {
		t.Errorf("wrote %d files", len(d.saved))
	}
	d.keys("esc", "enter", "e")
	d.shows(t, "20 rows of case-")
	d.keys("esc", "2")
	if d.app.dialogs.Top() != nil {
		t.Error("the dialog did not close")
	}
}

func TestThePaletteReachesTheActionsOfEveryScreen(t *testing.T) {
	for _, from := range []string{"2", "3"} {
		d := plainDesk(fixture.Graded, 120, 36)
		d.keys("3", "enter", "esc", from)
		table := d.app.everything()
		seen := map[keys.Action]bool{}
		for _, b := range table {
			if seen[b.Action] {
				t.Errorf("%s is listed twice", b.Action)
			}
			seen[b.Action] = true
		}
		for _, s := range d.app.screens {
			for _, b := range s.Bindings() {
				if !seen[b.Action] && !common(b.Action) {
					t.Errorf("from %s the palette lacks %s of %s", from, b.Action, s.ID())
				}
			}
		}
	}
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("2", ":")
	d.paste("sort by loss rank")
	d.keys("enter")
	if d.app.active != screen.Cases {
		t.Fatalf("the action led to %s", d.app.active)
	}
	d.shows(t, "by loss rank")
}

func TestNoLetterCarriesEndlessMarks(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3")
	d.send(screen.Read{Title: "e" + strings.Repeat("\u0301", 1_000_000), Text: strings.Repeat("a"+strings.Repeat("\u0301", 1000), 500)})
	exact(t, d.app.View(), 80, 24)
	d.keys("?")
	exact(t, d.app.View(), 80, 24)
	if n := len(d.app.View()); n > 100_000 {
		t.Errorf("the view has %d bytes", n)
	}
}

// Every screen, every action, every size from narrow portrait to a wall.
func TestEveryActionWorksAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{60, 24}, {62, 24}, {62, 60}, {80, 24}, {100, 30}, {132, 43}, {250, 80}} {
		d := plainDesk(fixture.Graded, size[0], size[1])
		for _, tab := range tabs {
			d.keys(tab.key)
			for _, b := range d.app.current().Bindings() {
				d.do(d.app.act(b.Action))
				exact(t, d.app.View(), size[0], size[1])
				for d.app.dialogs.Top() != nil {
					d.keys("esc")
				}
				for d.app.current().Typing() {
					d.keys("esc")
				}
				if d.app.active != tab.screen {
					exact(t, d.app.View(), size[0], size[1])
					d.app.active, d.app.inCase = tab.screen, false
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

func TestAClickOnATitleSorts(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3")
	click := func(x int) {
		d.send(tea.MouseMsg{X: x, Y: 3, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	click(5)
	d.shows(t, "Cases 45 by case", "case↑")
	click(5)
	d.shows(t, "by case reversed", "case↓")
	click(22)
	d.shows(t, "by scenario", "scenario↑")
	click(73)
	d.shows(t, "by pair", "pair↑")
	click(18) // between two columns
	d.shows(t, "by pair")
}

func TestTheFooterOfADialogIsNotDimmed(t *testing.T) {
	d := newDesk(&fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, themes()["dark"], 80, 24)
	d.keys("3", "e")
	lines := strings.Split(d.app.View(), "\n")
	if !strings.Contains(lines[23], d.app.th.Key.Render("enter")) {
		t.Errorf("the footer is %q", lines[23])
	}
	if strings.Contains(lines[4], d.app.th.Kept.Render("●")) {
		t.Errorf("what lies behind keeps its colours: %q", lines[4])
	}
}
