package casedetail

import (
	"fmt"
	"strings"
	"testing"

	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// opened is a screen at the case f1bbcd88, whose support fact confidence
// evicts and hybrid-v1 keeps.
func opened(t *testing.T, w, h int) *Screen {
	t.Helper()
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	s.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)})
	if !s.Show("f1bbcd88") {
		t.Fatal("there is no such case")
	}
	return s
}

func TestEveryCapacityIsReachedAndThoseOutsideTheProtocolAreMarked(t *testing.T) {
	s := opened(t, 200, 57)
	for range 10 {
		s.Do(Less)
	}
	for capacity := 1; capacity <= 9; capacity++ {
		view := strings.Join(s.View(), "\n")
		if !strings.Contains(view, fmt.Sprintf("capacity [%d] of 10", capacity)) {
			t.Errorf("capacity %d is not shown", capacity)
		}
		pinned := capacity == 5 || capacity == 7 || capacity == 9
		if marked := strings.Contains(view, "not one of the protocol's"); marked == pinned {
			t.Errorf("capacity %d: marked as outside the protocol: %v", capacity, marked)
		}
		s.Do(More)
	}
	view := strings.Join(s.View(), "\n")
	for _, want := range []string{
		"confidence    ○   ○   ○   ○   ○   ○   ○   ●   ●", "hybrid-v1     ●   ●   ●   ●   ●   ●   ●   ●   ●",
		"protocol      ·   ·   ·   ·   ↑   ·   ↑   ·   ↑", "▸ ★ support ○○○○○○○●●     ●●●●●●●●●",
	} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
}

func TestAMovedFactLeadsToItselfUnderTheOtherPolicy(t *testing.T) {
	s := opened(t, 120, 33)
	view := strings.Join(s.View(), "\n")
	if !strings.Contains(view, "there  ≠ kept under hybrid-v1, rank 1, score 0.692") {
		t.Errorf("the other policy's decision is not told:\n%s", view)
	}
	first := s.Selection()
	s.Do(Moved)
	if other := s.Selection(); other == first || !strings.HasPrefix(other, "d_f1bbcd88_6") {
		t.Errorf("the next moved fact is %s", other)
	}
	s.Do(keys.Focus)
	if s.detail.current().policy != "hybrid-v1" || !strings.HasPrefix(s.Selection(), "d_f1bbcd88_6") {
		t.Error("the fact was lost on the way to the other policy")
	}
	s.Do(Moved)
	if s.Selection() != first {
		t.Errorf("it does not go round: %s", s.Selection())
	}
	for range 9 {
		s.Do(More)
	}
	if s.Bindings().Has(Moved) {
		t.Error("it is offered where no fact moved")
	}
}

func TestTheAnswersNameTheirRule(t *testing.T) {
	view := strings.Join(opened(t, 200, 57).View(), "\n")
	for _, want := range []string{"✗ wrong (rule insufficient) answer: INSUFFICIENT", "✓ right (rule substring) answer: She takes"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown", want)
		}
	}
}

func TestWithoutTheDatasetItIsSaid(t *testing.T) {
	book := fixture.Book(3, fixture.Graded, false)
	for i := range book.Entries {
		c := &book.Entries[i].Case
		c.Question, c.Answer = "", ""
		for f := range c.Facts {
			c.Facts[f].Content = ""
		}
	}
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(120, 33)
	s.Update(screen.Book{Book: book})
	s.Show(book.Entries[0].Case.ID)
	if n := strings.Count(strings.Join(s.View(), "\n"), "The text is in the dataset"); n < 2 {
		t.Errorf("it is said %d times", n)
	}
}

func TestTheTableHoldsEveryFactUnderBothPolicies(t *testing.T) {
	table, ok := opened(t, 80, 21).Table()
	if !ok || len(table.Rows) != 20 || table.Rows[table.Selected][4] != "gold_f1bbcd88" {
		t.Fatalf("%v, %d rows, selected %d", ok, len(table.Rows), table.Selected)
	}
	for i, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Errorf("row %d has %d values for %d columns", i, len(row), len(table.Columns))
		}
	}
	if _, ok := New(&theme.Theme{}).Table(); ok {
		t.Error("without a case there is a table")
	}
}
