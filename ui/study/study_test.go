package study

import (
	"strings"
	"testing"

	"deermem-tui/engine/casebook"
	engine "deermem-tui/engine/study"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

var sample = fixture.Study()

func newScreen(book *casebook.Book, w, h int) *Screen {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	if book != nil {
		s.Update(screen.Book{Book: book})
	}
	return s
}

func text(s *Screen) string { return strings.Join(s.View(), "\n") }

func to(s *Screen, id paneID) *Screen {
	for s.focus != id {
		s.Do(NextPane)
	}
	return s
}

func shows(t *testing.T, s *Screen, wants ...string) {
	t.Helper()
	view := text(s)
	for _, want := range wants {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not shown:\n%s", want, view)
		}
	}
}

func TestThePinsOfTheStudyAreShown(t *testing.T) {
	s := newScreen(sample, 200, 57)
	c := sample.Study.Config
	shows(t, s, c.ProtocolID, "2026-03-01T00:00:00+00:00", c.Dataset.Revision, c.Dataset.SHA256[:32], "5, 7, 9; questions are asked at 7", "10,000 draws, seed 30251",
		"0.65 confidence + 0.25 freshness", c.QA.GraderVersion, "openai-compatible")
}

func TestEveryHashOfTheIdentityIsWholeAndCopied(t *testing.T) {
	s := to(newScreen(sample, 100, 17), paneIdentity)
	view := text(s)
	for _, named := range sample.Study.Identity.List() {
		if !strings.Contains(view, named.SHA256) {
			t.Errorf("%s is not shown whole:\n%s", named.Key, view)
		}
		if s.Selection() != named.SHA256 {
			t.Errorf("copying gives %q, want %s", s.Selection(), named.SHA256)
		}
		s.Do(keys.Down)
	}
	table, ok := s.Table()
	if !ok || len(table.Rows) != 5 || table.Name != "identity" || !strings.Contains(s.Pane(), sample.Study.Identity.Config) {
		t.Errorf("table %+v", table)
	}
}

func TestEveryCheckTellsItsStateWhatWasExpectedAndFound(t *testing.T) {
	book := *sample
	book.Checks = append(append([]engine.Check(nil), sample.Checks[:9]...),
		engine.Check{Name: "distractor bank", State: engine.Failed, Expected: "40 records", Found: "the bank needs 40 rows,\nthe dataset has 12"},
		engine.Check{Name: "pools", State: engine.NotRun})
	s := to(newScreen(&book, 200, 57), paneChecks)
	shows(t, s, "Checks 9/11 passed", "✓ configuration", "passed", "✗ distractor bank", "failed", "expected 40 records", "the dataset has 12", "· pools", "not run", "nothing was looked at")
	s.Do(keys.End)
	s.Do(keys.Up)
	read, ok := s.Do(keys.Open)().(screen.Read)
	if !ok || !strings.Contains(read.Text, "expected\n  40 records") || !strings.Contains(read.Text, "found\n  the bank needs 40 rows,") {
		t.Errorf("enter gives %+v", read)
	}
	book.Checks = nil
	shows(t, newScreen(&book, 200, 57), "No check was made")
}

func TestThePoolsAreToldScenarioByScenario(t *testing.T) {
	s := to(newScreen(sample, 90, 21), panePools)
	shows(t, s, "confirmation_help       10 official  6-10", "confirmed 7 d ago", "correction_reserve       5 synthetic", "0.65 correction, 180 d old")
}

func TestTheRingMarksTheWindowOfTheCaseAndTurnsWithIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		marks []string
	}{
		{"drawn as a ring", 80, 21, []string{" 12 [13][14][15]", "[20]", " 22 "}},
		{"drawn as a strip", 60, 14, []string{"·············012345678··················"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := to(newScreen(sample, c.w, c.h), paneRing)
			s.ShowCase("boiler-service")
			shows(t, s, append(c.marks, "boiler-service", "9 of 40 records, 13 to 21", "13 d0")...)
			e, _ := sample.Find("boiler-service")
			if s.Selection() != sample.Study.Pools.Bank[e.Case.BankOffset].RowID {
				t.Errorf("the cursor is at %s", s.Selection())
			}
		})
	}
	s := to(newScreen(sample, 100, 30), paneRing)
	first := s.entry().Case.ID
	s.Do(NextCase)
	if s.entry().Case.ID == first {
		t.Error("the next case is the same")
	}
	s.Do(PrevCase)
	if s.Do(PrevCase); s.entry().Case.ID != sample.Entries[len(sample.Entries)-1].Case.ID {
		t.Errorf("before the first comes %s", s.entry().Case.ID)
	}
	if msg := s.Do(ToCase)(); msg != (screen.OpenCase{CaseID: s.entry().Case.ID}) {
		t.Errorf("open gives %v", msg)
	}
	s.ShowCase("no such case")
	s.Update(screen.Book{Book: fixture.Published(false)})
	s.Do(NextCase)
}

func TestEveryWindowIsTheDistractorsOfItsCase(t *testing.T) {
	s := newScreen(sample, 100, 30)
	for i := range sample.Entries {
		s.ShowCase(sample.Entries[i].Case.ID)
		drawn := 0
		for k := range sample.Study.Pools.Bank {
			in := s.window(k)
			if in < 0 {
				continue
			}
			drawn++
			found := false
			for _, f := range sample.Entries[i].Case.Facts {
				found = found || !f.Support && f.RowID == sample.Study.Pools.Bank[k].RowID
			}
			if !found {
				t.Errorf("%s: record %d is in the window, not in the pool", s.at, k)
			}
		}
		if drawn != 9 {
			t.Errorf("%s draws %d records", s.at, drawn)
		}
	}
}

func TestAPublishedRunTellsWhatItsDocumentsSayAndWhatIsNotKnown(t *testing.T) {
	s := newScreen(fixture.Published(false), 200, 57)
	shows(t, s, "deermem-hybrid-v1-pr4789-reproduction-v1", "2026-06-01T12:00:00.000000Z", "some-model-v4", "$ANSWER_API_KEY", fixture.Hashes(2).Config[:32],
		"graded rows", "computed again from the rows", "correction_reserve", "not known without protocol and dataset", "The ring is made of the dataset")
	book := *fixture.Published(false)
	book.RunDoc = nil
	shows(t, newScreen(&book, 200, 57), "the folder has no qa_run.json", "No document of the folder tells")
}

func TestClicksAndTheWheelMoveInThePaneBelowThem(t *testing.T) {
	s := newScreen(sample, 120, 33)
	s.Mouse(screen.Mouse{X: 80, Y: 5})
	if s.focus != paneChecks {
		t.Errorf("a click at the right leads to pane %d", s.focus)
	}
	s.Mouse(screen.Mouse{X: 5, Y: 5, Wheel: 1})
	if s.panes[panePins].list.Cursor != 1 || s.focus != paneChecks {
		t.Error("the wheel did not move in the pane below it")
	}
	s.Resize(80, 21)
	s.Mouse(screen.Mouse{X: strings.Index(s.View()[0], "Pools"), Y: 0})
	if s.focus != panePools {
		t.Errorf("a click on a name leads to pane %d", s.focus)
	}
}

func TestEverySizeIsFilledWhateverTheTexts(t *testing.T) {
	books := []*casebook.Book{sample, fixture.Published(true), fixture.Book(7, fixture.Partly, true), {}, nil}
	for _, book := range books {
		for w := 0; w < 230; w += 9 {
			for _, h := range []int{0, 1, 2, 5, 12, 18, 21, 33, 57} {
				s := newScreen(book, w, h)
				for range paneCount {
					s.Do(NextPane)
					s.Do(keys.End)
					view := s.View()
					if len(view) != h {
						t.Fatalf("%d×%d: %d lines", w, h, len(view))
					}
					for _, line := range view {
						if widget.Width(line) != w || strings.ContainsAny(line, "\x1b\x00\u202e") {
							t.Fatalf("%d×%d: width %d: %q", w, h, widget.Width(line), line)
						}
					}
					s.Do(PrevCase)
				}
			}
		}
	}
}
