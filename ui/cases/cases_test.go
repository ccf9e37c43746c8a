package cases

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

func newScreen(book *casebook.Book, w, h int) *Screen {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	s.Update(screen.Book{Book: book})
	return s
}

func typed(s *Screen, text string) {
	s.Do(Filter)
	for _, r := range text {
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

func TestTheFilterWantsEveryWord(t *testing.T) {
	for filter, want := range map[string]int{
		"": 45, "access": 9, "ACCESS +hyb": 1, "synthetic": 9, "official": 36, "rank10": 4, "pottery": 45, "access correction": 0, "9e37": 1,
	} {
		s := newScreen(fixture.Book(45, fixture.Graded, false), 80, 21)
		typed(s, filter)
		if len(s.shown) != want {
			t.Errorf("%q shows %d cases, want %d", filter, len(s.shown), want)
		}
		if filter != "" && want < 45 && !strings.Contains(strings.Join(s.View(), "\n"), fmt.Sprintf("Cases %d of 45", want)) {
			t.Errorf("%q: the count is not shown", filter)
		}
	}
}

func TestEnterKeepsTheFilterAndEscClearsIt(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 80, 21)
	typed(s, "access")
	s.Type(tea.KeyMsg{Type: tea.KeyEnter})
	if s.Typing() || len(s.shown) != 9 || !s.Bindings().Has(Unfilter) {
		t.Fatal("enter did not keep the filter")
	}
	s.Do(Unfilter)
	if len(s.shown) != 45 || s.Bindings().Has(Unfilter) {
		t.Error("the filter was not cleared")
	}
}

func TestTheCursorStaysOnItsCase(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Fresh, false), 80, 21)
	s.Select("cc623a9b")
	for name, change := range map[string]func(){
		"sorting":  func() { s.Do(Sort) },
		"a filter": func() { typed(s, "access") },
		"clearing": func() { s.Do(Unfilter) },
		"new rows": func() { s.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)}) },
		"a resize": func() { s.Resize(200, 60) },
		"reverse":  func() { s.Do(Reverse) },
	} {
		if change(); s.Selection() != "cc623a9b" {
			t.Errorf("%s moved the cursor to %s", name, s.Selection())
		}
	}
}

func TestEverySortKeyOrdersAndReverses(t *testing.T) {
	rows := rowsOf(fixture.Book(45, fixture.Graded, false))
	for by := byStudy; by < sortKeys; by++ {
		for _, reverse := range []bool{false, true} {
			order := view(rows, &matcher{}, false, by, reverse)
			if len(order) != len(rows) {
				t.Fatalf("by %s: %d rows", sortNames[by], len(order))
			}
			for i := 1; i < len(order); i++ {
				c := compare(&rows[order[i-1]], &rows[order[i]], by)
				if reverse {
					c = -c
				}
				if c > 0 {
					t.Errorf("by %s, reverse %v: row %d is out of order", sortNames[by], reverse, i)
				}
			}
		}
	}
}

func TestNextAndPreviousDiscordantGoRound(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 80, 21)
	var seen []string
	for range 7 {
		s.Do(NextPair)
		seen = append(seen, s.Selection())
	}
	if seen[0] != seen[6] || seen[0] == seen[1] {
		t.Errorf("six discordant pairs are visited as %v", seen)
	}
	s.Do(PrevPair)
	if s.Selection() != seen[5] {
		t.Errorf("previous went to %s, not %s", s.Selection(), seen[5])
	}
	s.Do(Discordant)
	if len(s.shown) != 6 {
		t.Errorf("%d discordant ones are shown", len(s.shown))
	}
}

func TestWithoutGradesNoPairIsDiscordant(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Partly, false), 80, 21)
	if s.Bindings().Has(NextPair) {
		t.Error("the key for the next discordant pair is offered")
	}
	msg := s.Do(NextPair)()
	if msg != (screen.Toast{Text: "pairs are known once every answer is graded"}) {
		t.Errorf("got %v", msg)
	}
}

func TestOpeningAsksForTheCaseUnderTheCursor(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Fresh, false), 80, 21)
	s.Do(keys.Down)
	if msg := s.Do(keys.Open)(); msg != (screen.OpenCase{CaseID: "3c6ef362"}) {
		t.Errorf("got %v", msg)
	}
	if cmd := newScreen(fixture.Book(0, fixture.Fresh, false), 80, 21).Do(keys.Open); cmd != nil {
		t.Error("an empty list opens something")
	}
}

func TestTheTotalsAreThoseOfTheCasesShown(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Fresh, false), 80, 21)
	view := strings.Join(s.View(), "\n")
	for _, want := range []string{"at 5 33/45", "at 7 45/45", "at 9 45/45"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
}

func TestSortingGoesThroughTheColumnsThatAreSeen(t *testing.T) {
	for _, w := range []int{80, 120, 200} {
		s := newScreen(fixture.Book(45, fixture.Graded, false), w, 21)
		steps := 0
		for s.Do(Sort); s.sort != byStudy; s.Do(Sort) {
			if head := s.View()[1]; !strings.Contains(head, s.th.Sign.Up) {
				t.Errorf("%d wide, by %s: no column says so:\n%s", w, sortNames[s.sort], head)
			}
			if steps++; steps > int(sortKeys) {
				t.Fatal("it never comes round")
			}
		}
		if steps < 4 {
			t.Errorf("%d wide: %d orders only", w, steps)
		}
	}
}

func TestALongIDIsShownWhereThereIsRoom(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	const id = "case-with-long-identifiers" // all that half of the window leaves
	book.Entries[0].Case.ID = id
	book.Entries[1].Case.Scenario = "control"
	s := newScreen(book, 200, 21)
	if list := strings.Join(s.View()[:4], "\n"); !strings.Contains(list, id+"  confirmation_help") {
		t.Errorf("the ID is cut:\n%s", list)
	}
}

func TestAFilterOfAnotherRunDoesNotHideAStudyThatWasNotRun(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	for _, c := range []struct {
		kind   fixture.Kind
		filter string
		want   int
	}{{fixture.Fresh, "pair=discordant", 45}, {fixture.Fresh, "access", 9}, {fixture.Graded, "nothing-is-so", 0}} {
		s := New(&th)
		s.Resize(80, 21)
		s.Restore(map[string]string{"filter": c.filter})
		s.Update(screen.Book{Book: fixture.Book(45, c.kind, false)})
		if len(s.shown) != c.want {
			t.Errorf("%q shows %d cases, want %d", c.filter, len(s.shown), c.want)
		}
	}
}
