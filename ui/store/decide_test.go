package store

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
)

func typed(s *Screen, text string) {
	for _, r := range text {
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func TestACapIsDecidedAtOnceAndExplainedAsIfAlone(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	a := s.agent()
	for s.cap > 0 {
		if cmd := s.Do(CapLess); cmd != nil {
			t.Fatal("another cap has to be computed beside the screen")
		}
		for i, p := range [...]eviction.Policy{eviction.Confidence(), eviction.HybridV1()} {
			e := eviction.Explain(a.Signals, p, s.now, s.cap)
			d := [...]*insight.Decision{s.cut.confidence, s.cut.hybrid}[i]
			for f := range a.Facts {
				if d.Kept(f) != e.Facts[f].Kept {
					t.Fatalf("%s at %d: fact %d kept %v", p.Name, s.cap, f, d.Kept(f))
				}
			}
			want := insight.StandsNow(eviction.Explained{Policy: p, Capacity: s.cap, ReservedSlots: e.ReservedSlots, Of: len(a.Facts), FactExplanation: e.Facts[s.fact()]})
			if text := strings.Join(strings.Fields(whole(s)), " "); !strings.Contains(text, want) || strings.Contains(text, "Evicted: ") {
				t.Fatalf("%s at %d: %q is not told:\n%s", p.Name, s.cap, want, text)
			}
		}
	}
}

func TestAFilterThatGrowsOrShrinksFindsWhatTheEngineFinds(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	do(t, s, Sort, Sort, Reverse, Filter)
	backspace := tea.KeyMsg{Type: tea.KeyBackspace}
	for _, part := range []string{"t", "ra", "in", "\b", " c", "ategory=", "goa", "l", "\b", "\b", "\b\b\b\b\b\b", "1", "2 o'"} {
		for _, r := range part {
			if r == '\b' {
				s.Type(backspace)
			} else {
				typed(s, string(r))
			}
			q := query(s.input.Value)
			q.Sort, q.Descending = fields[s.sort], s.desc
			if want := s.got.table.Find(q); !slices.Equal(s.found, want) {
				t.Fatalf("%q finds %v, want %v", s.input.Value, s.found, want)
			}
		}
	}
}

func TestAnOrderThatIsNotKnownYetLeavesTheListAsItIs(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	before := slices.Clone(s.found)
	pending := s.Do(Sort)
	if pending == nil || !slices.Equal(s.found, before) {
		t.Fatal("the list is ordered without an order")
	}
	if again := s.Do(Reverse); again != nil {
		t.Error("a second computation was begun beside the first")
	}
	do(t, s, Filter)
	typed(s, "9 o")
	carry(t, s, pending) // and with it the other one
	q := query("9 o")
	q.Sort, q.Descending = fields[1], true
	if want := s.got.table.Find(q); !slices.Equal(s.found, want) || len(want) == 0 {
		t.Errorf("found %v, want %v", s.found, want)
	}
}

func TestTheClockIsSetByAStepATimeOrNow(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	for _, c := range []struct{ text, want string }{
		{"+30d", "2026-07-01T12:00:00.000000Z"}, {"-12h", "2026-07-01T00:00:00.000000Z"}, {" 2026-08-13 ", "2026-08-13T00:00:00.000000Z"},
	} {
		do(t, s, Clock)
		typed(s, c.text)
		carry(t, s, s.Type(tea.KeyMsg{Type: tea.KeyEnter}))
		if s.Typing() || s.now.String() != c.want || !strings.Contains(seen(s), "(set)") || s.got.of.now != s.now {
			t.Errorf("%q sets %s, want %s", c.text, s.now, c.want)
		}
	}
	carry(t, s, s.Update(Loaded{Store: fixture.Store(false), At: fixture.Now}))
	if s.now.String() != "2026-08-13T00:00:00.000000Z" {
		t.Errorf("reading again sets the clock to %s", s.now)
	}
	for _, bad := range []string{"soon", "+d", "+99999999999d", "9999999", "", "-"} {
		do(t, s, Clock)
		typed(s, bad)
		carry(t, s, s.Type(tea.KeyMsg{Type: tea.KeyEnter}))
		if !s.Typing() || s.setting.problem == "" {
			t.Errorf("%q is taken for a time: %s", bad, s.now)
		}
		s.Type(tea.KeyMsg{Type: tea.KeyEsc})
	}
	do(t, s, Clock)
	typed(s, "now")
	if others := carry(t, s, s.Type(tea.KeyMsg{Type: tea.KeyEnter})); !slices.Contains(others, tea.Msg(screen.ReadStore{})) || s.clock.IsSet() {
		t.Errorf("now asks for %v", others)
	}
}

func TestTheClockOfAFlagIsThatOfTheFirstReading(t *testing.T) {
	s := open(t, nil, 120, 33)
	at := eviction.At(fixture.Now.AddDate(1, 0, 0))
	s.SetClock(at)
	carry(t, s, s.Update(Loaded{Store: fixture.Store(false), At: fixture.Now}))
	if s.now != at || s.got.of.now != at {
		t.Errorf("scored at %s", s.now)
	}
}

func TestWhatHasTheKeysIsExported(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	names := map[view]string{onFact: "store", onNext: "store-next", onCompare: "store-compare", onLine: "store-timeline", onAudit: "store-audit", onWarnings: "store-warnings"}
	for v := range views {
		s.view, s.focus = v, onText
		table, ok := s.Table()
		if !ok || table.Name != names[v] || len(table.Rows) == 0 {
			t.Errorf("%s exports %s with %d rows", viewNames[v], table.Name, len(table.Rows))
		}
		s.focus = onFacts
		if table, ok := s.Table(); !ok || table.Name != "store" || table.Selected != s.facts.Cursor {
			t.Errorf("beside %s the facts export as %s", viewNames[v], table.Name)
		}
	}
}

func TestPlayingAsksForTheAgentAtTheCapAndClockShown(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	do(t, s, keys.Down, CapLess)
	want := screen.PlayWith{Agent: s.agent(), Now: s.now, Cap: 19, CapFrom: insight.CapGiven, Fact: s.Selection()}
	if others := do(t, s, WhatIf); len(others) != 1 || others[0] != want {
		t.Errorf("asked for %v, want %v", others, want)
	}
	do(t, s, PrevAgent) // the one without facts
	if others := do(t, s, WhatIf); len(others) != 1 || others[0] != (screen.Toast{Text: "this agent has no facts to play with"}) {
		t.Errorf("asked for %v", others)
	}
}

func TestAFactThatIsAskedForIsShownWhateverHidesIt(t *testing.T) {
	m := fixture.Store(false)
	s := open(t, m, 120, 33)
	do(t, s, Filter)
	typed(s, "nothing like it")
	s.Type(tea.KeyMsg{Type: tea.KeyEnter})
	a := &m.Users[0].Agents[0]
	carry(t, s, s.ShowFact(a, a.Facts[7].ID))
	if s.Selection() != a.Facts[7].ID || s.view != onFact {
		t.Errorf("at %q", s.Selection())
	}
	other := &m.Users[0].Agents[1]
	carry(t, s, s.ShowFact(other, other.Facts[2].ID))
	if s.agent() != other || s.Selection() != other.Facts[2].ID {
		t.Errorf("at %q of %s", s.Selection(), s.agent().Name)
	}
}

func TestTheTimeLineCountsEveryTrim(t *testing.T) {
	s := open(t, fixture.Store(false), 200, 57)
	s.view = onLine
	text := whole(s)
	for _, want := range []string{"In all 3 evicted: context 3.", "disagreed on 1/3", "Evicted by day", "2026-05-09", "1 of 1", "Every eviction"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	do(t, s, NextAgent)
	if text := whole(s); !strings.Contains(text, "No eviction is recorded") {
		t.Errorf("without an audit:\n%s", text)
	}
}
