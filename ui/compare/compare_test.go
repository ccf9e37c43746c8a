package compare

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/compare"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// newScreen is the screen with a comparison; the first run is open.
func newScreen(d fixture.Difference, across, hostile bool, w, h int) *Screen {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	list := fixture.Runs(hostile)
	s.Update(screen.Runs{Runs: list, Open: list[1].Path})
	of := screen.CompareRuns{A: list[1].Path, B: list[3].Path, Across: across}
	s.Begin(of)
	r, err := fixture.Compared(d, across, hostile)
	s.Update(Compared{Of: of, Result: r, Err: err})
	return s
}

func drawn(s *Screen) string { return strings.Join(s.View(), "\n") }

func shows(t *testing.T, s *Screen, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if view := drawn(s); !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
}

func hides(t *testing.T, s *Screen, unwanted ...string) {
	t.Helper()
	for _, text := range unwanted {
		if view := drawn(s); strings.Contains(view, text) {
			t.Errorf("%q is shown:\n%s", text, view)
		}
	}
}

func TestIdentityComesFirstThenCountsTestsAndRows(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 120, 33)
	shows(t, s, "one protocol, deermem-hybrid-v1-pr4789-reproduction-v1", "90 in both, 0 missing; facts 1, texts 3", "secondary", "Rows 6")
	lines := s.View()
	order := []string{"one protocol", "90 in both", "Paired test", "Rows 6"}
	at := 0
	for _, line := range lines {
		if at < len(order) && strings.Contains(line, order[at]) {
			at++
		}
	}
	if at != len(order) {
		t.Errorf("%q does not follow:\n%s", order[at], drawn(s))
	}
}

func TestTheTwoTextsOfARowStandSideBySide(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 120, 40)
	s.Do(Kind)
	s.Do(Kind)
	s.Do(Kind) // other texts
	found := false
	for range len(s.shown) {
		for _, line := range s.View() {
			found = found || strings.Contains(line, "She takes the number 11 tram.") && strings.Contains(line, "She takes the tram, the number 11.")
		}
		s.Do(Next)
	}
	if !found {
		t.Errorf("no line holds both texts:\n%s", drawn(s))
	}
}

func TestRowsAreNarrowedFilteredAndSorted(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 120, 40)
	for _, want := range []int{2, 2, 3, 0, 6} { // flips, facts, texts, missing, all
		s.Do(Kind)
		if len(s.shown) != want {
			t.Errorf("%s: %d rows, want %d", s.kind.words(), len(s.shown), want)
		}
	}
	s.Do(Sort)
	s.Do(Sort)
	if first := &s.rows[s.shown[0]]; !first.diff.Flipped() {
		t.Errorf("flips are not first: %+v", first)
	}
	s.Do(Filter)
	for _, r := range "hybrid right" {
		s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	s.Type(tea.KeyMsg{Type: tea.KeyEnter})
	for _, i := range s.shown {
		if text := s.rows[i].text; !strings.Contains(text, "hybrid") || !strings.Contains(text, "right") {
			t.Errorf("%q does not hold the words", text)
		}
	}
	if s.Typing() || !s.Bindings().Has(Unfilter) {
		t.Error("the filter is not kept")
	}
	if s.Do(Unfilter); len(s.shown) != 6 {
		t.Error("the filter is not cleared")
	}
}

func TestRunsOfOtherProtocolsAreJoinedOnlyWhenConfirmedAndTheMarkStays(t *testing.T) {
	s := newScreen(fixture.Protocols, false, false, 80, 21)
	shows(t, s, "The rows were not joined: the protocols differ", "model", "another-model-v5", "dataset")
	hides(t, s, "in both", "Paired test")
	if _, ok := s.Table(); ok {
		t.Error("there is a table of rows that were not joined")
	}
	ask, ok := s.Do(Join)().(screen.Ask)
	if !ok || ask.Action != joinYes {
		t.Fatalf("joining does not ask: %+v", ask)
	}
	of, ok := s.Do(ask.Action)().(screen.CompareRuns)
	if !ok || !of.Across {
		t.Fatalf("the answer asks for %+v", of)
	}
	s.Begin(of)
	r, err := fixture.Compared(fixture.Protocols, true, false)
	s.Update(Compared{Of: of, Result: r, Err: err})
	for _, action := range []keys.Action{keys.Focus, Kind, keys.Focus, keys.End, keys.Focus, Sort} {
		s.Do(action)
		shows(t, s, "joined across protocols")
	}
	if table, ok := s.Table(); !ok || table.Columns[len(table.Columns)-1] != "joined_across_protocols" {
		t.Error("the table does not say that it was joined")
	}
	for _, ending := range []string{"json", "md"} {
		if data, ok, err := s.Document(ending); !ok || err != nil || !strings.Contains(string(data), "joined across protocols") {
			t.Errorf("%s: %v\n%s", ending, err, data)
		}
	}
	if s.Do(Join) != nil {
		t.Error("what is joined can be joined")
	}
}

func TestWhileRowsAreMissingNoGradeIsShown(t *testing.T) {
	s := newScreen(fixture.Missing, false, false, 120, 40)
	shows(t, s, "3 missing", "rows are missing in B, so no grade is told")
	for range 8 {
		hides(t, s, "right to wrong", "wrong to right", "both right", "both wrong", "Paired test", "insufficient", "graded alike")
		s.Do(Next)
	}
	for range int(missing) {
		s.Do(Kind)
	}
	shows(t, s, "Rows: missing rows 3", "only in A", "Only A has this row")
	table, _ := s.Table()
	for _, row := range table.Rows {
		if row[4] != "A" || row[10] != nil || row[11] != nil {
			t.Errorf("%v", row)
		}
	}
}

func TestWhatElseDiffersIsNamed(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(240, 40)
	s.Begin(screen.CompareRuns{A: "a", B: "b"})
	s.Update(Compared{Of: s.of, Result: &engine.Result{Joined: true, Common: 2, Rows: []engine.Row{
		{RowID: "c1__confidence", CaseID: "c1", Policy: "confidence", Model: true, Retention: true, CorrectA: true, CorrectB: true, RuleA: "exact", RuleB: "exact"},
	}}})
	shows(t, s, "besides: another word on the support 1, another model served 1", "Also: another word on the support,", "another model served.")
}

func TestEqualRunsSaySo(t *testing.T) {
	s := newScreen(fixture.Nothing, false, false, 80, 21)
	shows(t, s, "No row differs.", "right to wrong 0, wrong to right 0")
	for _, action := range []keys.Action{keys.Open, Next, keys.Down, keys.Focus, keys.End} {
		if s.Do(action) != nil {
			t.Errorf("%s does something", action)
		}
	}
}

func TestEnterOpensTheCaseOnlyWhereOneOfTheRunsIsOpen(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 80, 21)
	if msg := s.Do(keys.Open)(); msg != (screen.OpenCase{CaseID: s.selected().caseID}) {
		t.Errorf("enter asks for %v", msg)
	}
	if !s.Bindings().Has(keys.Open) {
		t.Error("enter is not offered")
	}
	s.Update(screen.Runs{Open: "elsewhere"})
	if s.Bindings().Has(keys.Open) {
		t.Error("enter is offered where no case can be opened")
	}
	if msg, ok := s.Do(keys.Open)().(screen.Toast); !ok || !strings.Contains(msg.Text, "neither run is open") {
		t.Errorf("enter asks for %v", msg)
	}
}

func TestOnlyTheComparisonThatWasAskedForIsTaken(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 80, 21)
	s.Begin(screen.CompareRuns{A: "runs/x", B: "runs/y"})
	shows(t, s, "Comparing", "A x B y")
	r, err := fixture.Compared(fixture.Rows, false, false)
	s.Update(Compared{Of: screen.CompareRuns{A: "runs/x", B: "runs/z"}, Result: r, Err: err})
	hides(t, s, "in both")
	s.Update(Compared{Of: s.of, Err: errors.New("runs/y: it holds no graded rows")})
	shows(t, s, "could not be compared", "no graded rows", "ctrl+r tries again")
	if msg := s.Update(screen.Again{})(); msg != s.of {
		t.Errorf("again asks for %v", msg)
	}
	if _, ok, _ := s.Document("json"); ok || s.About() != "" || s.Selection() != "" {
		t.Error("there is something to export or copy")
	}
}

func TestTheDocumentsAreTheEngines(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 80, 21)
	s.Do(Kind) // what the list shows does not matter
	data, ok, err := s.Document("json")
	var doc map[string]any
	if !ok || err != nil || json.Unmarshal(data, &doc) != nil || doc["version"] != float64(engine.Version) || len(doc["rows"].([]any)) != 6 {
		t.Errorf("%v %v\n%s", ok, err, data)
	}
	if data, ok, _ := s.Document("md"); !ok || !strings.HasPrefix(string(data), "# Comparison of two runs") {
		t.Errorf("%s", data)
	}
	if _, ok, _ := s.Document("csv"); ok {
		t.Error("CSV is a document")
	}
	if table, ok := s.Table(); !ok || len(table.Rows) != 2 || len(table.Rows[0]) != len(table.Columns) || strings.Contains(strings.Join(table.Columns, " "), "prediction_a") {
		t.Errorf("%+v", table)
	}
	if !strings.Contains(s.Selection(), "exact McNemar p") {
		t.Errorf("the sentence is %q", s.Selection())
	}
}

func TestSwapComparesTheOtherWayRound(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 80, 21)
	a, b := s.Runs()
	if msg := s.Do(Swap)(); msg != (screen.CompareRuns{A: b, B: a}) {
		t.Errorf("%v", msg)
	}
}

func TestEscGoesBackStepByStep(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 80, 21)
	s.Do(keys.Focus)
	if s.Do(keys.Back) != nil || s.focus != onList {
		t.Error("the first esc does not go back to the list")
	}
	if msg := s.Do(keys.Back)(); msg != (screen.Close{}) {
		t.Errorf("the second asks for %v", msg)
	}
}

func TestEverySizeIsFilledWhateverTheTexts(t *testing.T) {
	for _, hostile := range []bool{false, true} {
		for _, d := range []fixture.Difference{fixture.Rows, fixture.Protocols, fixture.Missing} {
			s := newScreen(d, d == fixture.Protocols, hostile, 80, 21)
			for w := 0; w < 240; w += 23 {
				for h := 0; h < 70; h += 9 {
					s.Resize(w, h)
					for _, action := range []keys.Action{keys.Focus, keys.PageDown, Next} {
						s.Do(action)
						lines := s.View()
						if len(lines) != h {
							t.Fatalf("%d lines in %d×%d", len(lines), w, h)
						}
						for _, line := range lines {
							if widget.Width(line) != w {
								t.Fatalf("%q is %d cells in %d×%d", line, widget.Width(line), w, h)
							}
						}
					}
				}
			}
		}
	}
}

func TestTheMouseChoosesRowsAndPanes(t *testing.T) {
	s := newScreen(fixture.Rows, false, false, 80, 40)
	s.Mouse(screen.Mouse{X: 5, Y: s.lay.sumH + 3})
	if s.focus != onList || s.table.Cursor != 1 {
		t.Errorf("a click on the second row: focus %d, cursor %d", s.focus, s.table.Cursor)
	}
	s.Mouse(screen.Mouse{X: 5, Y: s.lay.sumH + s.lay.listH + 1})
	if s.focus != onTexts {
		t.Error("a click on the texts does not give them the keys")
	}
	s.Mouse(screen.Mouse{X: 5, Y: 2})
	if s.focus != onSummary {
		t.Error("a click on the summary does not give it the keys")
	}
	before := s.top[onSummary]
	s.Resize(80, 21)
	s.Mouse(screen.Mouse{X: 5, Y: 2, Wheel: 1})
	if s.top[onSummary] == before {
		t.Error("the wheel does not scroll the summary")
	}
}

func TestThatARunIsComparedWithItselfIsSaidAboveTheTests(t *testing.T) {
	s := newScreen(fixture.Nothing, false, false, 80, 21)
	const copied = "A and B hold the same graded rows, byte for byte"
	if !strings.Contains(drawn(s), copied) {
		r := *s.result
		r.Warnings = append([]string{copied}, r.Warnings...)
		r.OfRuns++
		s.Update(Compared{Of: s.of, Result: &r})
	}
	shows(t, s, copied)
}
