package store

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/memstore"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

func TestScoresAndVerdictsAreSeenInEveryWindowThatIsPromised(t *testing.T) {
	for w := 60; w <= 220; w++ {
		s := open(t, fixture.Store(false), w, 21)
		row := strings.Split(seen(s), "\n")[2]
		if !strings.Contains(row, "0.950 ●") || !strings.Contains(row, "0.867 ●") {
			t.Fatalf("%d columns: the first fact is %q", w, row)
		}
		if first := strings.TrimSpace(strings.SplitN(row, "│", 3)[1]); !strings.HasSuffix(first, " 3") {
			t.Fatalf("%d columns: the first agent is %q", w, row)
		}
		for i, line := range s.View() {
			if widget.Width(line) != w {
				t.Fatalf("line %d is %d cells wide in %d", i, widget.Width(line), w)
			}
		}
	}
	for _, w := range []int{120, 200} {
		if text := seen(open(t, fixture.Store(false), w, 57)); !strings.Contains(text, "+0.311") || !strings.Contains(text, "fresh") {
			t.Errorf("%d columns have room for margin and freshness:\n%s", w, text)
		}
	}
}

func TestAgentsOfOneNameAreToldApartByTheirUsers(t *testing.T) {
	m := fixture.Store(false)
	m.Users[1].Agents[0] = m.Users[0].Agents[1]
	m.Users[1].Agents[0].Folder = "users/bo/agents/tutor"
	s := open(t, m, 80, 21)
	do(t, s, NextAgent)
	if text := seen(s); !strings.Contains(text, "Agents of mara") {
		t.Errorf("whose agent it is is not said:\n%s", text)
	}
	do(t, s, NextAgent)
	if text := seen(s); !strings.Contains(text, "Agents of bo") {
		t.Errorf("whose agent it is is not said:\n%s", text)
	}
}

func TestAFilterThatWouldHideEveryFactDoesNotComeBack(t *testing.T) {
	for at, want := range map[[2]string]string{
		{"/elsewhere", "train"}: "", {"/home/mara/.deermem", "train"}: "train", {"/home/mara/.deermem", "nothing has this"}: "",
	} {
		th := theme.New(theme.Config{Mode: theme.NoColour})
		s := New(&th)
		s.Resize(120, 33)
		s.Restore(map[string]string{"store": at[0], "filter": at[1]})
		carry(t, s, s.Update(Loaded{Store: fixture.Store(false), At: fixture.Now}))
		if s.input.Value != want || len(s.found) != 24 {
			t.Errorf("of %s the filter %q comes back as %q, %d facts", at[0], at[1], s.input.Value, len(s.found))
		}
	}
	s := open(t, fixture.Store(false), 120, 33)
	if s.State()["store"] != "/home/mara/.deermem" {
		t.Errorf("the place does not say of which store it is: %v", s.State())
	}
}

func TestAnAgentThatIsGoneAfterReadingAgainIsNamed(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	m := fixture.Store(false)
	m.Users[0].Agents = m.Users[0].Agents[1:]
	if said := toasts(carry(t, s, s.Update(Loaded{Store: m, At: fixture.Now}))); !strings.Contains(said, "users/mara/agents/coder is no longer in it") {
		t.Errorf("said %q", said)
	}
}

func TestTheNameOfAViewIsAButton(t *testing.T) {
	for _, focus := range []focus{onFacts, onText} {
		s := open(t, fixture.Store(false), 120, 33)
		s.focus = focus
		for v := range views {
			rows := strings.Split(seen(s), "\n")
			y := s.at.text.y
			at := strings.Index(rows[y], strings.Trim(s.viewTitles()[v], "[]"))
			if at < 0 {
				t.Fatalf("no %s in %q", viewNames[v], rows[y])
			}
			s.Mouse(screen.Mouse{X: widget.Width(rows[y][:at]), Y: y})
			if s.view != v {
				t.Errorf("a click on %s leads to %s", viewNames[v], viewNames[s.view])
			}
		}
	}
}

func TestAStoreWithoutAgentsOffersNothingThatDoesNothing(t *testing.T) {
	s := open(t, &memstore.Store{Root: "/empty"}, 80, 21)
	for _, b := range s.Bindings() {
		if b.Action != Reload && !keys.Moves("").Has(b.Action) {
			t.Errorf("%s is offered", b.Action)
		}
	}
}

func TestAFilterThatFindsNothingSaysWhy(t *testing.T) {
	for filter, want := range map[string]string{"foo=bar": "only condition is category=", "category=zz": "of the category zz", "category=goal nowhere": "No fact fits."} {
		s := open(t, fixture.Store(false), 120, 33)
		do(t, s, Filter)
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(filter), Paste: true})
		if text := seen(s); !strings.Contains(text, want) || !strings.Contains(text, "Esc clears") {
			t.Errorf("%s: no %q in\n%s", filter, want, text)
		}
	}
}
