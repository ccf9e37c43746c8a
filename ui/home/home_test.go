package home

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/runs"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

func newScreen(hostile bool, w, h int) *Screen {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	list := fixture.Runs(hostile)
	s.Update(screen.Runs{Runs: list, Folders: []string{"/home/mara/.local/state/deermem-tui/runs"}, Open: list[1].Path})
	return s
}

func drawn(s *Screen) string { return strings.Join(s.View(), "\n") }

func TestEveryRunIsListedWithItsKindAndWhatIsNoneWithItsReason(t *testing.T) {
	view := drawn(newScreen(false, 120, 33))
	for _, want := range []string{"answers 37/90", "graded", "policy", "published", "empty", "not a run", "2026-06-01 12:00", "holds no file of a run", "open now",
		"90 answers and their grades", "/home/mara/.local/state/deermem-tui/runs/sample-20260531-090000", fixture.Hashes(1).Config} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
}

func TestTheCursorBeginsAtWhatIsOpenAndStaysOnItsRun(t *testing.T) {
	s := newScreen(false, 120, 33)
	if !strings.HasSuffix(s.Selection(), "sample-20260531-090000") {
		t.Fatalf("the cursor is at %s", s.Selection())
	}
	s.Do(keys.Down)
	at := s.Selection()
	list := fixture.Runs(false)
	s.Update(screen.Runs{Runs: append(list[3:4:4], append(list[:3:3], list[4:]...)...)})
	if s.Selection() != at {
		t.Errorf("a new list moved the cursor to %s", s.Selection())
	}
}

func TestEnterOpensARunAndTellsWhyAnotherIsNone(t *testing.T) {
	s := newScreen(false, 120, 33)
	if msg := s.Do(keys.Open)(); msg != (screen.OpenRun{Path: s.Selection()}) {
		t.Errorf("enter gives %v", msg)
	}
	s.Do(keys.End)
	read, ok := s.Do(keys.Open)().(screen.Read)
	if !ok || !strings.Contains(read.Text, "column 1") || !strings.Contains(read.Text, "/runs/torn") {
		t.Errorf("enter on a damaged folder gives %+v", read)
	}
}

func TestTheFilterFindsByEveryWord(t *testing.T) {
	for filter, want := range map[string]int{"sample": 4, "graded": 1, "published pr4789": 1, "not a run": 2, "2026-05-31": 1, fixture.Hashes(2).Dataset[:12]: 1, "nothing like it": 0} {
		s := newScreen(false, 80, 21)
		s.Do(Filter)
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(filter), Paste: true})
		if len(s.shown) != want {
			t.Errorf("%q shows %d runs, want %d", filter, len(s.shown), want)
		}
		s.Type(tea.KeyMsg{Type: tea.KeyEnter})
		if s.Typing() || !s.Bindings().Has(Unfilter) {
			t.Error("enter did not keep the filter")
		}
		if s.Do(Unfilter); len(s.shown) != 7 {
			t.Error("the filter was not cleared")
		}
	}
}

func TestTheMouseSelectsAndOpens(t *testing.T) {
	s := newScreen(false, 80, 21)
	if cmd := s.Mouse(screen.Mouse{X: 5, Y: 2}); cmd != nil || !strings.HasSuffix(s.Selection(), "115500") {
		t.Errorf("a click selects %s", s.Selection())
	}
	if cmd := s.Mouse(screen.Mouse{X: 5, Y: 2}); cmd == nil {
		t.Error("a click on the selected run does not open it")
	}
	s.Mouse(screen.Mouse{Wheel: 1})
	if !strings.HasSuffix(s.Selection(), "090000") {
		t.Errorf("the wheel leads to %s", s.Selection())
	}
}

func TestAnEmptyListSaysWhereItLooked(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(80, 21)
	if view := drawn(s); !strings.Contains(view, "Looking for runs") {
		t.Errorf("before the list:\n%s", view)
	}
	s.Update(screen.Runs{Folders: []string{"/some/where"}})
	if view := drawn(s); !strings.Contains(view, "No run here yet") || !strings.Contains(view, "/some/where") {
		t.Errorf("an empty list:\n%s", view)
	}
	if s.Do(keys.Open) != nil || s.Selection() != "" {
		t.Error("an empty list opens something")
	}
}

func TestTheTableIsTheListAsItIsShown(t *testing.T) {
	table, ok := newScreen(false, 80, 21).Table()
	if !ok || len(table.Rows) != 7 || table.Selected != 1 || len(table.Columns) != len(table.Rows[0]) {
		t.Fatalf("table %+v", table)
	}
	if row := table.Rows[1]; row[2] != "graded" || row[3] != 90 || row[4] != "2026-05-31T12:00:00.000000Z" || row[6] != fixture.Hashes(1).Config || row[10] != nil {
		t.Errorf("row %v", row)
	}
}

func TestHostileNamesChangeNoWidth(t *testing.T) {
	for w := 0; w < 220; w += 7 {
		for _, h := range []int{0, 1, 5, 12, 21, 57} {
			s := newScreen(true, w, h)
			for _, action := range []keys.Action{keys.End, keys.Home, Filter} {
				s.Do(action)
				view := s.View()
				if len(view) != h {
					t.Fatalf("%d×%d: %d lines", w, h, len(view))
				}
				for _, line := range view {
					if widget.Width(line) != w || strings.ContainsAny(line, "\x1b\x00\u202e") {
						t.Fatalf("%d×%d: %q", w, h, line)
					}
				}
			}
		}
	}
}

func TestTheRunUnderTheCursorIsComparedWithTheOneThatIsOpen(t *testing.T) {
	s := newScreen(false, 120, 33)
	open := s.Selection()
	if toast, ok := s.Do(Compare)().(screen.Toast); !ok || !strings.Contains(toast.Text, "another run") {
		t.Errorf("the open run with itself: %+v", toast)
	}
	s.Do(keys.Down)
	if toast, ok := s.Do(Compare)().(screen.Toast); !ok || !strings.Contains(toast.Text, "only graded runs") {
		t.Errorf("a run without grades: %+v", toast)
	}
	s.Do(keys.Down)
	if msg := s.Do(Compare)(); msg != (screen.CompareRuns{A: open, B: s.Selection()}) {
		t.Errorf("%+v", msg)
	}
}

func TestTwoRunsAreMarkedAndNoThird(t *testing.T) {
	s := newScreen(false, 120, 33)
	s.Update(screen.Runs{Runs: append(fixture.Runs(false), runs.Run{Path: "third", Name: "third", Kind: runs.Graded})})
	if s.Do(Mark) != nil || len(s.marked) != 1 || !strings.Contains(drawn(s), "A ") || !strings.Contains(drawn(s), "1 marked") {
		t.Errorf("marked %v:\n%s", s.marked, drawn(s))
	}
	first := s.Selection()
	s.Do(keys.Down)
	if toast, ok := s.Do(Mark)().(screen.Toast); !ok || !strings.Contains(toast.Text, "only graded runs") {
		t.Errorf("marking a run without grades: %+v", toast)
	}
	s.Do(keys.Down)
	second := s.Selection()
	if msg := s.Do(Compare)(); msg != (screen.CompareRuns{A: first, B: second}) {
		t.Errorf("the marked run with the one under the cursor: %+v", msg)
	}
	s.Do(Mark)
	s.Do(keys.End)
	if toast, ok := s.Do(Mark)().(screen.Toast); !ok || len(s.marked) != 2 || !strings.Contains(toast.Text, "two runs are marked") {
		t.Errorf("a third mark: %+v, %v", toast, s.marked)
	}
	if msg := s.Do(Compare)(); msg != (screen.CompareRuns{A: first, B: second}) {
		t.Errorf("two marked runs: %+v", msg)
	}
	s.Update(screen.Runs{Runs: fixture.Runs(false)[:2]})
	if len(s.marked) != 1 || s.marked[0] != first {
		t.Errorf("a run that is gone keeps its mark: %v", s.marked)
	}
	s.table.Select(1)
	if s.Do(Mark); len(s.marked) != 0 {
		t.Errorf("the mark is not taken away: %v", s.marked)
	}
}
