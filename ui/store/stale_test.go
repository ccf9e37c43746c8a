package store

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// toasts gives the words among messages that pass by.
func toasts(msgs []tea.Msg) string {
	var out []string
	for _, msg := range msgs {
		if one, ok := msg.(screen.Toast); ok {
			out = append(out, one.Text)
		}
	}
	return strings.Join(out, "\n")
}

func gone() *memstore.OpenError { return &memstore.OpenError{Path: "/gone", Err: fs.ErrNotExist} }

func TestAStoreThatCannotBeReadAgainIsMarkedAsOldUntilAReadingWorks(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {120, 33}, {200, 57}} {
		s := open(t, fixture.Store(false), size[0], size[1])
		before := seen(s)
		said := toasts(carry(t, s, s.Update(Loaded{Err: gone(), At: fixture.Now.Add(time.Hour)})))
		for _, want := range []string{"/gone", "not exist", "name the folder"} {
			if !strings.Contains(said, want) {
				t.Errorf("the word that passes by, %q, does not say %q", said, want)
			}
		}
		mark := "read at 2026-06-01 12:00 UTC; could not be read again: file does not exist"
		if text := seen(s); !strings.Contains(text, mark) || !strings.Contains(text, s.Selection()) {
			t.Errorf("at %v nothing says that this is old:\n%s", size, text)
		}
		for i, line := range s.View() {
			if widget.Width(line) != size[0] {
				t.Errorf("line %d is %d cells wide, not %d", i, widget.Width(line), size[0])
			}
		}
		if n := len(s.View()); n != size[1] {
			t.Errorf("%d lines in %d", n, size[1])
		}
		s.view = onWarnings
		if got, want := s.viewTitles()[onWarnings], fmt.Sprintf("[warnings %d]", len(s.store.Warnings)+s.store.MoreWarnings+1); got != want {
			t.Errorf("the view that has the reason is called %q, want %q", got, want)
		}
		if text := strings.Join(strings.Fields(whole(s)), " "); !strings.Contains(text, "name the folder of a store") {
			t.Errorf("the whole reason stands nowhere:\n%s", text)
		}
		s.view = onFact
		said = toasts(carry(t, s, s.Update(Loaded{Store: fixture.Store(false), At: fixture.Now})))
		if said != "the store was read again" {
			t.Errorf("after a reading that works the word is %q, so the old one stays", said)
		}
		if text := seen(s); text != before {
			t.Errorf("at %v the mark stays:\n%s", size, text)
		}
	}
}

func TestAClickHitsWhatIsSeenBelowTheMarkOfOldData(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	carry(t, s, s.Update(Loaded{Err: gone(), At: fixture.Now}))
	for row, line := range strings.Split(seen(s), "\n") {
		if at := strings.Index(line, s.agent().Facts[3].ID); at >= 0 {
			s.Mouse(screen.Mouse{X: s.at.facts.x + 4, Y: row})
			break
		}
	}
	if s.Selection() != s.agent().Facts[3].ID {
		t.Errorf("a click on %s selects %s", s.agent().Facts[3].ID, s.Selection())
	}
}

func TestThePresentTimeThatDoesNotComeLeavesTheClockThatIsShown(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	s.Do(Clock)
	carry(t, s, s.turnClock("+30d"))
	at := s.now
	carry(t, s, s.turnClock("now"))
	carry(t, s, s.Update(Loaded{Err: gone(), At: fixture.Now}))
	if s.now != at || !s.clock.IsSet() || !strings.Contains(seen(s), "(set)") {
		t.Errorf("scores of %s are shown, and the clock is said to be %s", s.now, s.clockWords())
	}
}

func TestAReadingUnderWayIsToldBesideWhatIsShown(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	before := seen(s)
	if said := toasts(do(t, s, Reload)); said != "Reading the store…" {
		t.Errorf("said %q", said)
	}
	if said := toasts(carry(t, s, s.Update(Told{Text: "users/a: being written"}))); said != "users/a: being written" {
		t.Errorf("a retry says %q", said)
	}
	if seen(s) != before {
		t.Error("what is shown moves while it is read again")
	}
}

func TestReadingAgainLeavesTheCapThatIsTriedAndTheEvictionThatIsLookedAt(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	do(t, s, CapLess, CapLess, NextTrim, NextTrim, keys.Focus, keys.Down, keys.Down)
	before := seen(s)
	carry(t, s, s.Update(Loaded{Store: fixture.Store(false), At: fixture.Now}))
	if text := seen(s); text != before || s.cap != 18 || s.trim != 1 || s.top != 2 || !strings.Contains(text, "cap 18 (tried)") {
		t.Errorf("cap %d, eviction %d, line %d:\n%s", s.cap, s.trim, s.top, text)
	}
	other := fixture.Store(false)
	other.Users[0].Agents[0].Folder, other.Users[0].Agents[0].Audit = "users/mara/agents/new", nil
	carry(t, s, s.Update(Loaded{Store: other, At: fixture.Now}))
	if s.capFrom != insight.CapDefault || s.trim != 0 {
		t.Errorf("another agent has cap %d (%s), eviction %d", s.cap, s.capFrom, s.trim)
	}
}

func TestATieIsSaidToBeLevelWithTheCut(t *testing.T) {
	m := fixture.Store(false)
	signals := m.Users[0].Agents[0].Signals
	for i := range signals {
		signals[i].Confidence = 0.5
	}
	s := open(t, m, 120, 33)
	do(t, s, NextView)
	if text := whole(s); !strings.Contains(text, "0.500 (level)") || strings.Contains(text, "+0.000") {
		t.Errorf("the tie is written as\n%s", text)
	}
}

func TestTimesAfterTheClockAreNoted(t *testing.T) {
	s := open(t, fixture.Store(false), 120, 33)
	carry(t, s, s.turnClock("2020-01-01"))
	for _, v := range []view{onNext, onCompare} {
		s.view = v
		if text := strings.Join(strings.Fields(whole(s)), " "); !strings.Contains(text, fmt.Sprintf("%d of 24 facts have times after the clock", 24)) {
			t.Errorf("%s does not say that the clock is before the data:\n%s", viewNames[v], text)
		}
	}
}
