package run

import (
	"errors"
	"strings"
	"testing"
	"time"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

func newScreen(book *casebook.Book) *Screen {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th, screen.Info{Answerer: "api.example.org", Variables: []screen.Variable{{Name: "SET_KEY", Set: true}, {Name: "UNSET_KEY"}}})
	s.Resize(80, 21)
	if book != nil {
		s.Update(screen.Book{Book: book})
	}
	return s
}

func changed(book *casebook.Book, i int, state pipeline.RowState) pipeline.RowChanged {
	id := book.Entries[i].Case.ID
	return pipeline.RowChanged{RowID: casebook.RowID(id, "confidence"), CaseID: id, Policy: "confidence", State: state, At: fixture.Now.Add(time.Duration(i) * time.Second), Attempt: 1}
}

func TestCountsFollowTheRows(t *testing.T) {
	book := fixture.Book(45, fixture.Partly, false)
	p := NewProgress()
	p.Load(book)
	if p.finished() != 30 || len(p.rows) != 90 {
		t.Fatalf("%d of %d rows are there", p.finished(), len(p.rows))
	}
	p.Start(fixture.Now)
	p.Load(book) // loading again changes nothing
	for _, e := range []pipeline.RowChanged{changed(book, 1, pipeline.RowCalling), changed(book, 1, pipeline.RowRetrying), changed(book, 1, pipeline.RowAnswered),
		changed(book, 2, pipeline.RowCalling), changed(book, 2, pipeline.RowFailed), changed(book, 4, pipeline.RowCalling), changed(book, 0, pipeline.RowReused)} {
		p.Apply(e)
	}
	if got := p.tally(); got != "stored before 30  called 1  failed 1" {
		t.Errorf("tally %q", got)
	}
	p.End(fixture.Now)
	sum := 0
	for state, n := range p.counts {
		if n < 0 || n > 0 && (state == pipeline.RowCalling || state == pipeline.RowRetrying) {
			t.Errorf("%d rows are %s after the end", n, state)
		}
		sum += n
	}
	if sum != 90 {
		t.Errorf("the counts sum up to %d", sum)
	}
}

func TestTokensOfAReusedRowAreNotLost(t *testing.T) {
	book := fixture.Book(45, fixture.Partly, false)
	p := NewProgress()
	p.Load(book)
	before := p.tokens
	p.Apply(changed(book, 0, pipeline.RowReused)) // tells no usage
	if p.tokens != before || before.Total == 0 {
		t.Errorf("tokens %+v, before %+v", p.tokens, before)
	}
	e := changed(book, 1, pipeline.RowAnswered)
	e.Usage = map[string]int64{"prompt_tokens": 40, "completion_tokens": 2}
	p.Apply(e)
	p.Apply(e)
	if p.tokens.Total != before.Total+42 {
		t.Errorf("tokens %+v, want 42 more than %+v", p.tokens, before)
	}
}

func TestNoPaceIsToldWhileTheRunIsPausedOrOver(t *testing.T) {
	s := asking(fixture.Book(45, fixture.Partly, false), pipeline.RunFacts{At: fixture.Now, Total: 90, Done: 40, Calls: 12, Rate: 1.9,
		HasLeft: true, Left: 26 * time.Second, LeftLow: 20 * time.Second, LeftHigh: 40 * time.Second})
	pace := func() bool {
		text := strings.Join(s.progress.took(), "  ")
		return strings.Contains(text, "rows/s") && strings.Contains(text, "26 s left")
	}
	if !pace() {
		t.Error("a run that goes on tells no pace")
	}
	s.progress.facts.LeftLow, s.progress.facts.LeftHigh = 26*time.Second, 26*time.Second
	if got := s.progress.timeLeft(); got != "about 26 s left" {
		t.Errorf("a spread of nothing is told as %q", got)
	}
	if s.Do(Pause); pace() {
		t.Error("a paused run tells a pace")
	}
	s.Do(GoOn)
	if s.Update(screen.RunEnded{At: fixture.Now}); pace() {
		t.Error("a run that is over tells a pace")
	}
}

func TestAStageThatFailsSaysWhy(t *testing.T) {
	p := NewProgress()
	p.Start(fixture.Now)
	p.Apply(pipeline.StageStarted{Stage: pipeline.StageValidate, At: fixture.Now, Total: 3, Unit: "checks"})
	if got := p.Apply(pipeline.CheckDone{Name: "dataset", State: pipeline.CheckFailed, Expected: "821a", Found: "93fb\x1b"}); !strings.Contains(got, "check dataset: failed; expected 821a, found 93fb�") {
		t.Errorf("log %q", got)
	}
	p.Apply(pipeline.StageFinished{Stage: pipeline.StageValidate, At: fixture.Now, Err: errors.New("1 check failed")})
	if s := p.stages[0]; s.state != stageFailed || s.summary != "1 check failed" {
		t.Errorf("stage %+v", s)
	}
}

func TestSuitesAreCountedApart(t *testing.T) {
	book := fixture.Book(45, fixture.Graded, false)
	got := suites(book)
	if len(got) != 3 || got[0].cases != 36 || got[1].cases != 9 || got[2].cases != 45 || got[2].first != got[0].first+got[1].first {
		t.Errorf("suites %+v", got)
	}
	if suites(fixture.Book(45, fixture.Partly, false)) != nil || suites(nil) != nil {
		t.Error("figures are given of a part")
	}
}

func TestTheKeysOfferedAreThoseThatWork(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Fresh, false))
	offered := func(want ...keys.Action) {
		t.Helper()
		for _, a := range []keys.Action{Start, Retry, Cancel} {
			has, should := s.Bindings().Has(a), false
			for _, w := range want {
				should = should || w == a
			}
			if has != should {
				t.Errorf("%s offered: %v", a, has)
			}
		}
	}
	offered(Start)
	s.Update(screen.RunStarted{At: fixture.Now})
	offered(Cancel)
	s.Do(CancelYes)
	offered()
	s.Update(screen.RunEnded{At: fixture.Now, Canceled: true})
	offered(Start)
	s.Update(screen.Book{Book: fixture.Book(45, fixture.Partly, false)})
	offered(Retry)
	s.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)})
	offered()
	if s.Do(Start) != nil || s.Do(Cancel) != nil {
		t.Error("an action that is not offered does something")
	}
}

func TestAMissingVariableIsNamedBeforeTheStart(t *testing.T) {
	view := strings.Join(newScreen(fixture.Book(45, fixture.Fresh, false)).View(), "\n")
	for _, want := range []string{"not set  UNSET_KEY", "set      SET_KEY (the key's value is never shown)", "api.example.org", "ahead    90 calls"} {
		if !strings.Contains(view, want) {
			t.Errorf("it does not say %q:\n%s", want, view)
		}
	}
}

func TestNothingStartsWhileAVariableIsMissing(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Fresh, false))
	if told, ok := asked(s, Start).(screen.Read); !ok || !strings.Contains(told.Text, "Not set: UNSET_KEY") {
		t.Errorf("starting gives %+v", told)
	}
}

func TestLayoutFillsEverySize(t *testing.T) {
	s := newScreen(fixture.Book(45, fixture.Fresh, true))
	s.Update(screen.RunStarted{At: fixture.Now})
	s.Update(screen.Events{Events: []pipeline.Event{pipeline.Note{Text: fixture.Hostile}}})
	for w := 0; w < 210; w += 13 {
		for h := 0; h < 64; h += 5 {
			s.Resize(w, h)
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

func TestTheRowsCanBeExportedWithoutGrades(t *testing.T) {
	book := fixture.Book(45, fixture.Partly, false)
	s := newScreen(book)
	s.Update(screen.Events{Events: []pipeline.Event{changed(book, 40, pipeline.RowFailed)}})
	table, ok := s.Table()
	if !ok || len(table.Rows) != book.RowsNeeded {
		t.Fatalf("%d rows (%v), want %d", len(table.Rows), ok, book.RowsNeeded)
	}
	if got := table.Rows[80][3]; got != string(pipeline.RowFailed) {
		t.Errorf("row 80 is %v", got)
	}
	for i, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Errorf("row %d has %d values for %d columns", i, len(row), len(table.Columns))
		}
	}
	for _, column := range table.Columns {
		if strings.Contains(column, "correct") || strings.Contains(column, "rule") {
			t.Errorf("%s is exported before the run is whole", column)
		}
	}
}
