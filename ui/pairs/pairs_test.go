package pairs

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/grading"
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
	s.Do(keys.Up) // a pair is shown once somebody asked for one
	return s
}

func typed(s *Screen, text string) {
	s.Do(Filter)
	for _, r := range text {
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	s.Type(tea.KeyMsg{Type: tea.KeyEnter})
}

func seen(s *Screen) string { return strings.Join(s.View(), "\n") }

func TestDiscordantPairsComeFirstAndOthersWhenAskedFor(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	if len(s.shown) != 6 || !strings.Contains(seen(s), "Pairs 6 discordant of 45") {
		t.Fatalf("%d pairs are shown:\n%s", len(s.shown), seen(s))
	}
	s.Do(Concordant)
	if len(s.shown) != 45 || !strings.Contains(seen(s), "Pairs 45, 6 discordant") {
		t.Fatalf("%d pairs are shown:\n%s", len(s.shown), seen(s))
	}
	for i, at := range s.shown {
		if s.rows[at].pair.Outcome.Discordant() != (i < 6) {
			t.Errorf("pair %d of the list is %s", i, s.rows[at].pair.Outcome)
		}
	}
}

func TestNoPairIsKnownBeforeEveryRowIsGraded(t *testing.T) {
	for name, c := range map[string]struct {
		book *casebook.Book
		want string
	}{
		"part":    {fixture.Book(45, fixture.Partly, false), "30 of 90 answers are there"},
		"none":    {fixture.Book(45, fixture.Fresh, false), "0 of 90 answers are there"},
		"empty":   {&casebook.Book{}, "no cases"},
		"loading": {nil, "Loading"},
	} {
		s := New(&plain)
		s.Resize(80, 21)
		if c.book != nil {
			s.Update(screen.Book{Book: c.book})
		}
		v := seen(s)
		if !strings.Contains(squeeze(v), c.want) {
			t.Errorf("%s: %q is not told:\n%s", name, c.want, v)
		}
		for _, bad := range []string{"+hyb", "+conf", "right", "eviction"} {
			if strings.Contains(v, bad) {
				t.Errorf("%s shows %q", name, bad)
			}
		}
		if _, ok := s.Table(); ok || s.Selection() != "" || s.Bindings().Has(Filter) {
			t.Errorf("%s offers what it has not", name)
		}
	}
}

func squeeze(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune("│╭╮╰╯─", r) {
			return ' '
		}
		return r
	}, text)), " ")
}

func TestTheDetailTellsWhyTheAnswersDiffer(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 80)
	got := squeeze(strings.Join(s.lines(66), "\n"))
	for _, want := range []string{
		"only hybrid-v1 is right · kind eviction", casebook.KindEviction.Means(), "Kept at capacity 7: 6 by both", "only hybrid-v1 ★ support I switched",
		"Which tram line", "reference the number 11", "✗ wrong (rule insufficient) ○ support evicted", "support Evicted: rank 8 of 10",
		"▸ insufficient", "Hence wrong.", "✓ right (rule substring) ● support kept", "▸ substring", "Hence right.", "words she takes [the number 11] tram", "reference [the number 11]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told:\n%s", want, got)
		}
	}
}

func TestIdenticalRequestsAreMarkedAndExplained(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 40)
	s.Do(Concordant)
	typed(s, "request=same")
	if len(s.shown) == 0 || len(s.shown) == 45 {
		t.Fatalf("%d pairs have identical requests", len(s.shown))
	}
	v := squeeze(seen(s))
	if !strings.Contains(v, "same request: 38 of 45 pairs, 0 discordant") {
		t.Errorf("they are not counted:\n%s", v)
	}
	if got := squeeze(strings.Join(s.lines(66), "\n")); !strings.Contains(got, "= Identical requests. "+casebook.SameRequestMeans) || !strings.Contains(got, "Both kept the same facts.") {
		t.Errorf("they are not explained:\n%s", got)
	}
}

func TestFilterWordsAndConditionsAreFound(t *testing.T) {
	for filter, want := range map[string]int{
		"kind=eviction": 5, "KIND=unsup": 1, "pair=confidence": 1, "pair=concordant": 39, "correction": 9, "rule=substring access": 7, "nothing like it": 0, "source=synthetic pair=discordant": 3,
		"kind=eviction,unsupported": 6, "request!=same": 7, "kind=": 45, "pair=discordant kind!=evic": 1,
	} {
		s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
		s.Do(Concordant)
		typed(s, filter)
		if len(s.shown) != want {
			t.Errorf("%q finds %d pairs, want %d", filter, len(s.shown), want)
		}
		s.Do(Unfilter)
		if len(s.shown) != 45 {
			t.Errorf("%q is not cleared", filter)
		}
	}
}

func TestAKeyThatDoesNotExistIsNamed(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 200, 33)
	typed(s, "colour=red")
	if v := seen(s); !strings.Contains(v, "No key is called colour=; there are kind=") {
		t.Errorf("it is not told:\n%s", v)
	}
}

func TestTheCursorStaysOnItsPair(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	s.Do(Next)
	s.Do(Next)
	at := s.Selection()
	for name, change := range map[string]func(){
		"sorting": func() { s.Do(Sort) }, "more pairs": func() { s.Do(Concordant) }, "a resize": func() { s.Resize(80, 21) },
		"a new book": func() { s.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)}) },
	} {
		if change(); s.Selection() != at {
			t.Errorf("%s moved the cursor to %s", name, s.Selection())
		}
	}
	s.Do(Previous)
	if s.Selection() == at {
		t.Error("previous stays")
	}
}

func TestANarrowDetailTakesTheWholeBodyWhenItIsRead(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 80, 21)
	if v := seen(s); !strings.Contains(v, "Pairs 6 discordant") || !strings.Contains(v, "enter reads on") {
		t.Errorf("list and preview:\n%s", v)
	}
	s.Do(keys.Open)
	if v := seen(s); strings.Contains(v, "Pairs 6") || !strings.Contains(v, "lines 1–19") {
		t.Errorf("not the whole body:\n%s", v)
	}
	s.Do(keys.End)
	end := s.top
	s.Do(keys.Down)
	if s.top != end || end == 0 {
		t.Errorf("the end is at %d", s.top)
	}
	first := s.Selection()
	s.Do(Next)
	if s.Selection() == first || s.top != 0 || !s.inside {
		t.Error("the next pair is not read from its top")
	}
	s.Do(keys.Back)
	if s.inside {
		t.Error("esc does not lead back")
	}
	if msg := s.Do(OpenCase)(); msg != (screen.OpenCase{CaseID: s.Selection()}) {
		t.Errorf("got %v", msg)
	}
}

func TestWithoutTheDatasetTheDetailSaysSo(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	for i := range book.Entries {
		c := &book.Entries[i].Case
		c.Question, c.Answer, c.Facts = "", "", nil
	}
	s := newScreen(book, 120, 33)
	got := squeeze(strings.Join(s.lines(66), "\n"))
	for _, want := range []string{"The dataset is not at hand", "the reference answer is in the dataset", "rule decides insufficient: the answer is INSUFFICIENT", "rule decides substring: one answer lies in the other", "only hybrid-v1 ★ support gold_", "kind eviction", "INSUFFICIENT", "rule substring"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told:\n%s", want, got)
		}
	}
}

func TestAGradeThatTheTextsDoNotGiveIsTold(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	for i := range book.Entries {
		book.Entries[i].Case.Answer = "a canal boat"
	}
	s := newScreen(book, 120, 33)
	if got := squeeze(strings.Join(s.lines(66), "\n")); !strings.Contains(got, "! The stored grade differs") {
		t.Errorf("it is not told:\n%s", got)
	}
}

func TestTheWordsThatDecidedAreInBrackets(t *testing.T) {
	s := newScreen(fixture.Book(3, fixture.Graded, false), 120, 33)
	for _, c := range []struct{ prediction, reference, words, wanted string }{
		{"the 4.9 kg", "the 4.9 kg", "[the 4 9 kg]", "[the 4 9 kg]"},
		{"it was 11 in all", "11", "it was [11] in all", "[11]"},
		{"8", "8 days", "[8]", "[8] days"},
		{"10", "ranging from 7 days to 12 days", "[10]", "ranging from [7] days to [12] days"},
		{"five trams", "4 trams", "[5] trams", "[4] trams"},
		{"red brick kiln house", "the kiln house of brick", "red [brick kiln house]", "the [kiln house] of [brick]"},
		{"INSUFFICIENT", "tram", "insufficient", "tram"},
	} {
		d, err := grading.Trace(c.prediction, c.reference)
		if err != nil {
			t.Fatal(err)
		}
		a, b, note := matched(d)
		got := squeeze(strings.Join(append(s.tokens("words", d.Prediction, a, 90), s.tokens("reference", d.Reference, b, 90)...), "\n"))
		if want := "words " + c.words + " reference " + c.wanted; got != want || note == "" {
			t.Errorf("%s: %q, want %q", d.Rule, got, want)
		}
	}
}

func TestTheTableIsTheListAsItIsShown(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	s.Do(keys.Down)
	table, ok := s.Table()
	if !ok || len(table.Rows) != 6 || table.Selected != 1 || table.Rows[1][0] != s.Selection() {
		t.Errorf("%+v", table)
	}
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Fatalf("%v does not fit %v", row, table.Columns)
		}
	}
	if pane := s.Pane(); strings.Contains(pane, "\x1b") || !strings.Contains(pane, "kind eviction") {
		t.Error("the pane is not the pair in plain text")
	}
}

func TestTheListComesBackAsItWasLeft(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 120, 33)
	s.Do(Concordant)
	s.Do(Sort)
	typed(s, "access")
	s.Do(Next)
	again := New(&plain)
	again.Resize(120, 33)
	again.Restore(s.State())
	if again.State()["case"] != s.Selection() {
		t.Error("the case is forgotten before there are pairs")
	}
	again.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)})
	if again.Tells() != "" || strings.Contains(seen(again), "tram") {
		t.Errorf("a pair is shown that nobody asked for:\n%s", seen(again))
	}
	again.Do(keys.Open)
	again.Do(keys.Back)
	if seen(again) != seen(s) || again.Selection() == "" {
		t.Errorf("came back as\n%s\nnot\n%s", seen(again), seen(s))
	}
	again.Restore(map[string]string{"sort": "colour", "filter": fixture.Hostile, "case": "gone"})
	again.View()
}

func TestEverySizeIsFilled(t *testing.T) {
	long := fixture.Book(3, fixture.Graded, false)
	for i := range long.Entries {
		for policy, row := range long.Entries[i].Rows {
			row.Prediction = strings.Repeat("the number 11 tram ", 40_000)
			long.Entries[i].Rows[policy] = row
		}
	}
	books := []*casebook.Book{nil, {}, fixture.Book(45, fixture.Graded, false), fixture.Book(5, fixture.Graded, true), long, fixture.Book(7, fixture.Partly, true)}
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
					s.Do([]keys.Action{keys.Down, keys.End, Next, keys.Open, keys.PageUp, Concordant, keys.Back, keys.Focus}[(w+h)%8])
					s.Mouse(screen.Mouse{X: w / 2, Y: h / 2, Wheel: (w+h)%3 - 1})
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

func BenchmarkAnotherPairDrawn(b *testing.B) {
	s := newScreen(fixture.Book(45, fixture.Graded, false), 200, 57)
	for b.Loop() {
		s.Do(Next)
		s.View()
	}
}

func TestALongIDAndTheOrderAreShownInTheList(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	const id = "case-with-long-identifiers"
	for i := range book.Entries {
		if book.Entries[i].Pair(book.Policies).Discordant() {
			book.Entries[i].Case.ID = id
			break
		}
	}
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(200, 40)
	s.Update(screen.Book{Book: book})
	if list := strings.Join(s.list(), "\n"); !strings.Contains(list, id+"  ") {
		t.Errorf("the ID is cut:\n%s", list)
	}
	for s.Do(Sort); s.sort != byStudy; s.Do(Sort) {
		if head := s.list()[1]; !strings.Contains(head, th.Sign.Up) {
			t.Errorf("by %s: no column says so: %s", sortNames[s.sort], head)
		}
	}
}
