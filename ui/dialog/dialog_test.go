package dialog

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

var plain = theme.New(theme.Config{Mode: theme.NoColour})

func key(s string) tea.KeyMsg {
	switch s {
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "esc":
		return tea.KeyMsg{Type: tea.KeyEsc}
	case "down":
		return tea.KeyMsg{Type: tea.KeyDown}
	case "ctrl+c":
		return tea.KeyMsg{Type: tea.KeyCtrlC}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

func TestConfirmAgreesOnlyWhenAskedTo(t *testing.T) {
	for k, want := range map[string]Result{
		"y": {Closed: true, Action: "do"}, "enter": {Closed: true, Action: "do"}, "ctrl+c": {Closed: true, Action: "do"}, "n": {Closed: true}, "esc": {Closed: true}, "q": {Closed: true}, "x": {},
	} {
		if got := (&Confirm{Action: "do"}).Key(key(k)); got != want {
			t.Errorf("%s gives %+v", k, got)
		}
	}
	if got := (&Confirm{Action: "do"}).Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y"), Paste: true}); got != (Result{}) {
		t.Error("a paste agreed")
	}
}

func TestConfirmOffersOtherWaysOn(t *testing.T) {
	c := &Confirm{Title: "Quit?", Text: "Calls are in flight.", Yes: "quit now", Action: "quit", Also: keys.Table{{Action: "drain", Keys: []string{"d"}, Words: "let them finish first"}}}
	if got := c.Key(key("d")); got != (Result{Closed: true, Action: "drain"}) {
		t.Errorf("d gives %+v", got)
	}
	if got := c.Key(key("y")); got.Action != "quit" {
		t.Errorf("y gives %+v", got)
	}
	if text := strings.Join(c.View(&plain, 80, 24), "\n"); !strings.Contains(text, "y quit now    d let them finish first    n go back") {
		t.Errorf("it does not offer the ways on:\n%s", text)
	}
}

var table = keys.Table{
	{Action: "one", Keys: []string{"1"}, Words: "first thing", Category: "Things"},
	{Action: "two", Keys: []string{"2"}, Words: "second thing", Category: "Things"},
	{Action: "hidden", Words: "has no key", Category: "Others"},
}

func TestThePaletteFindsAndChooses(t *testing.T) {
	p := NewPalette(table)
	for _, k := range []string{"t", "h", "down"} {
		p.Key(key(k))
	}
	if got := p.Key(key("enter")); got != (Result{Closed: true, Action: "two"}) {
		t.Errorf("chose %+v", got)
	}
	p = NewPalette(table)
	p.Key(key("zzz"))
	if got := p.Key(key("enter")); got != (Result{}) {
		t.Errorf("nothing found, chose %+v", got)
	}
}

func TestTheHelpListsEveryKey(t *testing.T) {
	text := strings.Join((&Help{Table: table}).View(&plain, 80, 40), "\n")
	for _, w := range []string{"Things", "first thing", "second thing"} {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing:\n%s", w, text)
		}
	}
}

func TestTheStackClosesTheTopOnlyAndStaysSmall(t *testing.T) {
	var s Stack
	if s.Key(key("y")).Action != keys.None || s.Top() != nil {
		t.Error("an empty stack does something")
	}
	for range 100 {
		s.Push(&Confirm{Action: "do"})
	}
	if len(s.open) != most {
		t.Errorf("%d dialogs are open", len(s.open))
	}
	if s.Key(key("y")).Action != "do" || len(s.open) != most-1 {
		t.Error("closing the top closed something else")
	}
}

func TestDialogsFillTheirBoxAtEverySize(t *testing.T) {
	dialogs := []Dialog{&Confirm{Title: "界界界界", Text: strings.Repeat("word 界 ", 40), Yes: "yes", Also: table}, &Help{Table: table}, NewPalette(table),
		&Reader{Title: "t", Text: strings.Repeat("long text 界\n", 200)}}
	for w := 0; w < 90; w += 3 {
		for h := 0; h < 40; h += 3 {
			base := widget.Block(nil, w, h, "")
			for _, d := range dialogs {
				d.Wheel(3)
				d.Key(key("down"))
				s := Stack{open: []Dialog{d}}
				for _, line := range s.Over(&plain, base, w, h) {
					if widget.Width(line) != w {
						t.Fatalf("%T in %d×%d: %q is %d cells", d, w, h, line, widget.Width(line))
					}
				}
			}
		}
	}
}
