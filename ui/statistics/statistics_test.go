package statistics

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

var plain = theme.New(theme.Config{Mode: theme.NoColour})

func newScreen(book *casebook.Book, w, h int) *Screen {
	s := New(&plain)
	s.Resize(w, h)
	s.Update(screen.Book{Book: book})
	return s
}

// text is everything the page holds, also what is not seen.
func (s *Screen) text() string { return strings.Join(s.lines(), "\n") }

func TestNoFigureIsShownOfAPart(t *testing.T) {
	sealed := fixture.Book(45, fixture.Partly, false)
	sealed.Figures = fixture.Book(45, fixture.Graded, false).Figures // even if there were any
	for name, book := range map[string]*casebook.Book{"part": sealed, "none": fixture.Book(45, fixture.Fresh, false)} {
		s := newScreen(book, 120, 33)
		view := strings.Join(s.View(), "\n")
		for _, bad := range []string{"p =", "difference", "right", "[+", "McNemar", "%"} {
			if strings.Contains(view, bad) {
				t.Errorf("%s shows %q:\n%s", name, bad, view)
			}
		}
		if _, ok := s.Table(); ok || s.Selection() != "" || strings.Contains(s.Pane(), "p =") {
			t.Errorf("%s gives figures to copy or export", name)
		}
		if s.Bindings().Has(Values) || s.Bindings().Has(NextSuite) {
			t.Errorf("%s offers keys that do nothing", name)
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	view := strings.Join(newScreen(fixture.Book(45, fixture.Partly, false), 80, 21).View(), "\n")
	for _, want := range []string{"60 of 90 answers are missing", "15/45", "3c6ef362__confidence", "and 53 more", "Screen 2, Run"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not told:\n%s", want, view)
		}
	}
	whole := fixture.Book(4, fixture.Graded, false)
	ungraded := *whole
	ungraded.Graded = false
	if view := strings.Join(newScreen(&ungraded, 80, 21).View(), "\n"); !strings.Contains(view, "they are not graded yet") {
		t.Errorf("ungraded:\n%s", view)
	}
	bare := *whole
	bare.Figures = nil
	if view := strings.Join(newScreen(&bare, 80, 21).View(), "\n"); !strings.Contains(view, "no figures were computed") {
		t.Errorf("without figures:\n%s", view)
	}
	if view := strings.Join(newScreen(&casebook.Book{}, 80, 21).View(), "\n"); !strings.Contains(view, "no cases") {
		t.Errorf("an empty study:\n%s", view)
	}
}

func TestEverySuiteIsShownWithAllItsFigures(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	for _, size := range [][2]int{{80, 21}, {120, 33}, {200, 57}} {
		s := newScreen(book, size[0], size[1])
		for range book.Figures.Suites {
			suite := &book.Figures.Suites[s.suite]
			page := squeeze(s.text())
			for _, want := range []string{suiteTitle(suite.Name) + ":", "both right", "both wrong", "p = ", "Newcombe", "BCa", "ties split", "mid-p", "detectable", "primary", "secondary",
				"read ", "A/A noise floor", "Retention against accuracy", "Tokens and attempts", "estimate", "zero"} {
				if !strings.Contains(page, want) {
					t.Errorf("%v %s: %q is missing", size, suite.Name, want)
				}
			}
			if suite.Name == figures.Overall != strings.Contains(page, overallWords) && size[0] < threeColumns {
				t.Errorf("%v %s: what overall is, is told wrongly", size, suite.Name)
			}
			if suite.Name == figures.Official && !strings.Contains(page, "Holm") {
				t.Errorf("%v: the scenarios are missing", size)
			}
			s.Do(NextSuite)
		}
		if s.suite != 0 {
			t.Error("the suites do not go round")
		}
	}
}

// squeeze joins wrapped lines: frames and blanks become single blanks.
func squeeze(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("│╭╮╰╯─!", r) {
			return ' '
		}
		return r
	}, text)), " ")
}

func TestNoWarningIsLost(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	for _, w := range []int{80, 120} {
		s := newScreen(book, w, 40)
		for i := range book.Figures.Suites {
			suite := &book.Figures.Suites[i]
			s.suite = i
			page := squeeze(strings.Join(s.warnings(book.Figures, suite).lines(w-4), "\n"))
			all := suite.Warnings()
			if suite.Name == figures.Official {
				all = append(all, book.Figures.Scenarios.Warnings...)
			}
			for _, warning := range all {
				if !strings.Contains(page, squeeze(warning)) {
					t.Errorf("%d cells, %s: the warning %q is missing", w, suite.Name, warning)
				}
			}
		}
	}
}

func TestTheSuitesStandSideBySideWhereThereIsRoom(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 200, 57)
	first := s.lines()[0]
	for _, want := range []string{"official: 36 cases", "synthetic: 9 cases", "overall (both): 45 cases"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in %q", want, first)
		}
	}
}

func TestThePageScrollsToItsEndsAndNoFurther(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 80, 21)
	s.Do(keys.Up)
	if s.top != 0 {
		t.Error("it scrolls above the top")
	}
	s.Do(keys.End)
	end := s.top
	s.Do(keys.PageDown)
	s.Mouse(screen.Mouse{Wheel: 1})
	if s.top != end || end != len(s.lines())-s.rows() {
		t.Errorf("the end is %d of %d", s.top, len(s.lines()))
	}
	s.Do(keys.Home)
	s.Mouse(screen.Mouse{X: 20, Y: 0})
	if s.suite != 1 {
		t.Errorf("a click on the second suite's name leads to %d", s.suite)
	}
	s.Do(PrevSuite)
	if s.suite != 0 {
		t.Error("it does not lead back")
	}
}

func TestTheDistributionTurnsIntoItsValues(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	s.Do(Values)
	if page := s.text(); !strings.Contains(page, "at or below") || !strings.Contains(page, "  zero") {
		t.Errorf("no list of values:\n%s", page)
	}
	s.Do(Values)
	if page := s.text(); strings.Contains(page, "at or below") {
		t.Error("the chart does not come back")
	}
}

func TestCopyAndExportCarryWhatTheFiguresMean(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	s := newScreen(book, 120, 33)
	if got := s.Selection(); !strings.HasPrefix(got, "official: confidence 28/36, hybrid-v1 31/36; difference +0.083") || !strings.Contains(got, "p = 0.25") {
		t.Errorf("copied %q", got)
	}
	s.suite = 2
	if got := s.Selection(); !strings.Contains(got, "a summary, not a finding") {
		t.Errorf("overall is copied as %q", got)
	}
	table, ok := s.Table()
	if !ok || len(table.Rows) < 60 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	suites := map[any]int{}
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Fatalf("%v does not fit %v", row, table.Columns)
		}
		suites[row[0]]++
	}
	if len(suites) != 4 || suites[figures.Synthetic] == 0 {
		t.Errorf("suites %v", suites)
	}
	if pane := s.Pane(); strings.Contains(pane, "\x1b") || !strings.Contains(pane, "overall (both)") {
		t.Error("the pane is not plain")
	}
}

func TestTheSuiteComesBackAsItWasLeft(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	s.Do(PrevSuite)
	s.Do(Values)
	again := New(&plain)
	again.Resize(120, 33)
	again.Restore(s.State())
	if again.State()["suite"] != figures.Overall {
		t.Error("the suite is forgotten before there are figures")
	}
	again.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)})
	if again.suite != s.suite || !again.values {
		t.Errorf("came back at suite %d", again.suite)
	}
	again.Restore(map[string]string{"suite": fixture.Hostile})
	if again.suite != s.suite {
		t.Error("a suite that does not exist leads elsewhere")
	}
}

func TestEverySizeIsFilled(t *testing.T) {
	books := []*casebook.Book{nil, {}, fixture.Book(45, fixture.Graded, false), fixture.Book(5, fixture.Graded, true), fixture.Book(1, fixture.Graded, false), fixture.Book(7, fixture.Partly, true)}
	dark := theme.New(theme.Config{Mode: theme.Dark, Profile: termenv.TrueColor})
	ascii := theme.New(theme.Config{Mode: theme.NoColour, ASCII: true})
	for _, th := range []*theme.Theme{&plain, &dark, &ascii} {
		for _, book := range books {
			s := New(th)
			if book != nil {
				s.Update(screen.Book{Book: book})
			}
			for w := 0; w < 260; w += 43 {
				for h := 0; h < 70; h += 11 {
					s.Resize(w, h)
					s.Do([]keys.Action{keys.Down, keys.End, NextSuite, Values, keys.PageUp}[(w+h)%5])
					lines := s.View()
					if len(lines) != h {
						t.Fatalf("%d×%d: %d lines", w, h, len(lines))
					}
					for _, l := range lines {
						if widget.Width(l) != w {
							t.Fatalf("%d×%d: %q is %d cells", w, h, l, widget.Width(l))
						}
					}
				}
			}
		}
	}
}

func TestThePageIsDrawnOnce(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	a := s.lines()
	s.Do(keys.Down)
	if b := s.lines(); &a[0] != &b[0] {
		t.Error("scrolling draws the page again")
	}
	s.Do(NextSuite)
	if b := s.lines(); &a[0] == &b[0] {
		t.Error("another suite is not drawn")
	}
}

func BenchmarkPageDrawn(b *testing.B) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 200, 57)
	for i := 0; b.Loop(); i++ {
		s.Resize(200+i%2, 57)
		s.View()
	}
}
