package store

import (
	"context"
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/memstore"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

func open(t *testing.T, m *memstore.Store, w, h int) *Screen {
	t.Helper()
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	carry(t, s, s.Update(Loaded{Store: m, At: fixture.Now}))
	return s
}

// carry carries out a command and gives what is not for the screen itself.
func carry(t *testing.T, s *Screen, cmd tea.Cmd) []tea.Msg {
	t.Helper()
	return carryOut(s, cmd)
}

// carryOut gives what is not for the screen itself.
func carryOut(s *Screen, cmd tea.Cmd) (others []tea.Msg) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			others = append(others, carryOut(s, one)...)
		}
	case screen.For:
		others = carryOut(s, s.Update(msg.Msg))
	default:
		others = append(others, msg)
	}
	return others
}

func do(t *testing.T, s *Screen, actions ...keys.Action) (others []tea.Msg) {
	t.Helper()
	for _, a := range actions {
		others = append(others, carry(t, s, s.Do(a))...)
	}
	return others
}

func seen(s *Screen) string { return ansi.Strip(strings.Join(s.View(), "\n")) }

func whole(s *Screen) string { return ansi.Strip(strings.Join(s.lines(), "\n")) }

func TestTheCapIsTheAuditsUntilAnotherIsTried(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	if s.cap != 20 || !strings.Contains(s.capWords(), "last eviction") {
		t.Fatalf("%d, %s", s.cap, s.capWords())
	}
	do(t, s, CapLess)
	if s.cap != 19 || !strings.Contains(s.capWords(), "tried") {
		t.Errorf("%d, %s", s.cap, s.capWords())
	}
	if s.cut == nil || s.cut.hybrid.Survivors() != 19 {
		t.Errorf("decided %+v", s.cut)
	}
	do(t, s, CapOwn)
	if s.cap != 20 || !strings.Contains(s.capWords(), "last eviction") {
		t.Errorf("%d, %s", s.cap, s.capWords())
	}
	for range 40 {
		do(t, s, CapMore)
	}
	if s.cap != 24 {
		t.Errorf("the cap goes to %d, and there are 24 facts", s.cap)
	}
}

func TestEveryViewKeepsRecordedAndComputedApart(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	do(t, s, NextTrim)
	text := whole(s)
	parts := []string{"recorded in the audit", "recomputed now, not recorded", "not recorded, so unknown"}
	at := -1
	for _, part := range parts {
		next := strings.Index(text, part)
		if next <= at {
			t.Fatalf("%q is not there, or not in its place:\n%s", part, text)
		}
		at = next
	}
	if !strings.Contains(text, "Eviction 1 of 3") {
		t.Errorf("the latest eviction is not first:\n%s", text)
	}
	do(t, s, NextTrim)
	if text := whole(s); !strings.Contains(text, "Eviction 2 of 3") || !strings.Contains(text, "fact_gone_1") {
		t.Errorf("no second eviction:\n%s", text)
	}
}

func TestTheSelectedFactIsExplainedUnderBothPolicies(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	text := whole(s)
	for _, want := range []string{"confidence", "hybrid-v1", "= 0.950", s.Selection(), "What is stored", "accessed"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	do(t, s, keys.Down)
	if whole(s) == text {
		t.Error("the text does not follow the cursor")
	}
}

func TestUnmeasuredHeatIsNotShownAsCold(t *testing.T) {
	s := open(t, fixture.Store(false), 160, 33)
	do(t, s, NextAgent)
	if text := whole(s); !strings.Contains(text, "not measured") {
		t.Errorf("the fact says\n%s", text)
	}
	table, ok := s.Table()
	if !ok || len(table.Rows) != 3 {
		t.Fatalf("table %+v", table)
	}
	for _, row := range table.Rows {
		if row[9] != nil || table.Columns[9] != "heat" || len(row) != len(table.Columns) {
			t.Errorf("%s is %v", table.Columns[9], row[9])
		}
	}
}

func TestFilterAndOrderAreThoseOfTheEngine(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	do(t, s, Filter)
	for _, r := range "category=goal 3" {
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	s.Type(tea.KeyMsg{Type: tea.KeyEnter})
	if len(s.found) == 0 || len(s.found) == 24 {
		t.Fatalf("%d found", len(s.found))
	}
	for _, i := range s.found {
		if s.agent().Facts[i].Category != "goal" {
			t.Errorf("found a %s", s.agent().Facts[i].Category)
		}
	}
	do(t, s, Unfilter, Sort)
	last := -1.0
	for _, i := range s.found {
		if v := s.got.table.Hybrid[i].Value; v < last {
			t.Fatalf("%v after %v", v, last)
		} else {
			last = v
		}
	}
	at := s.Selection()
	do(t, s, Reverse)
	if s.Selection() != at {
		t.Error("turning the order round lost the fact")
	}
}

func TestAStoreThatIsReadAgainStaysWhereItWas(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	do(t, s, keys.Down, keys.Down)
	at := s.Selection()
	carry(t, s, s.Update(Loaded{Store: fixture.Store(false), At: fixture.Now.AddDate(0, 0, 1)}))
	if s.Selection() != at {
		t.Errorf("at %q, was at %q", s.Selection(), at)
	}
	carry(t, s, s.Update(Loaded{Err: fixture.ErrNoStore}))
	if s.Selection() != at {
		t.Error("a failed reading took the store away")
	}
}

func TestWithoutAStoreTheScreenSaysHowToOpenOne(t *testing.T) {
	s := open(t, nil, 80, 21)
	carry(t, s, s.Update(Loaded{Err: &memstore.OpenError{Path: fixture.Hostile, Err: memstore.ErrNoStore}}))
	do(t, s, keys.Down, NextView, CapMore, Filter, keys.Open)
	text := seen(s)
	for _, want := range []string{"--store", memstore.DataDirVariable, "only"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.ContainsAny(text, "\x1b\x07\u202e") {
		t.Error("the path acts on the terminal")
	}
	if s.Wanted() != true || s.Wanted() != false {
		t.Error("the store is wanted more than once")
	}
}

func TestNoTextOfAStoreActsOnTheTerminal(t *testing.T) {
	s := open(t, fixture.Store(true), 120, 33)
	for v := range views {
		s.view = v
		for _, line := range s.lines() {
			if line != "" && strings.ContainsFunc(ansi.Strip(line), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' }) {
				t.Errorf("%s: %q", viewNames[v], line)
			}
		}
		for i, line := range s.View() {
			if widget.Width(line) != 120 {
				t.Errorf("%s: line %d is %d cells wide", viewNames[v], i, widget.Width(line))
			}
		}
	}
}

func TestAStoreOfTheRealProgramIsShown(t *testing.T) {
	const path = "../../../shared/store/data"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no store at %s: skipped", path)
	}
	m, err := memstore.Open(context.Background(), path, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, m, 120, 33)
	for range s.owners {
		if s.cut == nil || len(s.found) != len(s.agent().Facts) {
			t.Errorf("%s: %d facts shown of %d", s.agent().Name, len(s.found), len(s.agent().Facts))
		}
		for range views {
			do(t, s, NextView)
			if len(s.lines()) == 0 {
				t.Errorf("%s: %s says nothing", s.agent().Name, viewNames[s.view])
			}
		}
		do(t, s, NextAgent)
	}
}
