package publish

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/gate"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

const folder = "runs/sample"

var graded = screen.Book{Book: fixture.Book(9, fixture.Graded, false)}

// blank is the screen before anything is known.
func blank(w, h int) *Screen {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th, folder)
	s.Resize(w, h)
	return s
}

// made is the screen with a checklist.
func made(r *gate.Result, w, h int) *Screen {
	s := blank(w, h)
	s.Update(graded)
	s.Wanted()
	s.Update(Checked{Folder: folder, Result: r})
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

func TestTheChecklistIsMadeOnceForEveryStateOfTheRun(t *testing.T) {
	s := blank(80, 21)
	if s.Wanted() {
		t.Error("it is wanted before there is a book")
	}
	s.Update(graded)
	if !s.Wanted() || s.Wanted() {
		t.Error("it is not wanted exactly once")
	}
	shows(t, s, "Checking")
	s.Update(screen.Verdict{}) // while the check is under way
	if s.Wanted() {
		t.Error("two checks run at once")
	}
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(false, false)})
	if !s.Wanted() {
		t.Error("what was recorded during the check is not looked at")
	}
	shows(t, s, "changed since: checking again", "○ missing")
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(true, false)})
	if s.Wanted() {
		t.Error("it is wanted although nothing changed")
	}
	shows(t, s, "ready: nothing is wrong or missing")
	for name, msg := range map[string]struct {
		msg  tea.Msg
		want bool
	}{
		"a verdict recorded": {screen.Verdict{}, true}, "a verdict refused": {screen.Verdict{Err: errors.New("x")}, false},
		"a new book": {graded, true}, "another tick": {screen.Tick{}, false},
	} {
		s := made(fixture.Checklist(true, false), 80, 21)
		if s.Update(msg.msg); s.Wanted() != msg.want {
			t.Errorf("after %s it is wanted: %t", name, !msg.want)
		}
	}
}

func TestNothingIsCheckedOrShownWhileRowsAreMissing(t *testing.T) {
	s := made(fixture.Checklist(false, false), 80, 21)
	s.Update(screen.Book{Book: fixture.Book(9, fixture.Partly, false)})
	if s.Wanted() {
		t.Error("a part of a run is checked")
	}
	shows(t, s, "graded: 6 of 18", "goes on where it stopped")
	if _, ok := s.Table(); ok || strings.Contains(drawn(s), "discordant") || s.Selection() != "" {
		t.Errorf("the checklist of before is still there:\n%s", drawn(s))
	}
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(false, false)}) // came late
	if strings.Contains(drawn(s), "discordant") {
		t.Errorf("a checklist that came late is shown:\n%s", drawn(s))
	}
}

func TestAnotherRunsChecklistIsNotTaken(t *testing.T) {
	s := blank(80, 21)
	s.Update(graded)
	s.Wanted()
	s.Update(Checked{Folder: "runs/other", Result: fixture.Checklist(true, false)})
	shows(t, s, "Checking")
	if !s.checking {
		t.Error("the check of this run counts as ended")
	}
}

func TestAFailureIsToldInWordsAndKeepsWhatIsKnown(t *testing.T) {
	s := blank(80, 21)
	s.Update(graded)
	s.Wanted()
	s.Update(Checked{Folder: folder, Err: errors.New("runs/sample: it holds no graded rows" + fixture.Hostile)})
	shows(t, s, "could not be made", "no graded rows", "ctrl+r tries again")
	s = made(fixture.Checklist(false, false), 80, 21)
	s.Update(Checked{Folder: folder, Err: errors.New("gone")})
	shows(t, s, "it cannot be checked now; made before", "○ missing")
}

func TestTheCursorBeginsAtWhatKeepsTheGateShutAndStaysOnItsCheck(t *testing.T) {
	s := made(fixture.Checklist(false, false), 80, 21)
	if c := s.selected(); c.Name != gate.Pairs {
		t.Fatalf("the cursor is at %s", c.Name)
	}
	s.Do(Next)
	if c := s.selected(); c.Name != gate.Private {
		t.Errorf("n leads to %s", c.Name)
	}
	s.Do(Next)
	if c := s.selected(); c.Name != gate.Pairs {
		t.Errorf("n leads on to %s", c.Name)
	}
	s.Do(Previous)
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(true, false)})
	if c := s.selected(); c.Name != gate.Private {
		t.Errorf("a new checklist moved the cursor to %s", c.Name)
	}
	if s.Bindings().Has(Next) {
		t.Error("n is offered although nothing keeps the gate shut")
	}
}

func TestEveryStateHasASignAndAWord(t *testing.T) {
	s := made(fixture.Checklist(false, false), 80, 30)
	shows(t, s, "✓ passed", "✗ failed", "○ missing", "· not run", "! noted", "2 checks were not run")
}

func TestEnterGoesWhereTheCheckCanBeMended(t *testing.T) {
	want := map[string]screen.Go{
		gate.Rows: {Screen: screen.Run}, gate.Hashes: {Screen: screen.Study}, gate.Statistics: {Screen: screen.Statistics}, gate.Grades: {Screen: screen.Statistics},
		gate.Pairs: {Screen: screen.Pairs, Filter: "review=open"}, gate.Flags: {Screen: screen.Pairs}, gate.Ledger: {Screen: screen.Pairs}, gate.Looks: {Screen: screen.Run},
	}
	s := made(fixture.Checklist(false, false), 80, 21)
	for i := range s.result.Checks {
		s.table.Select(i)
		switch msg := s.Do(keys.Open)().(type) {
		case screen.Go:
			if to, ok := want[s.selected().Name]; ok && msg != to {
				t.Errorf("%s leads to %+v, want %+v", s.selected().Name, msg, to)
			}
		case screen.Read:
			if s.selected().Name != gate.Private || !strings.Contains(msg.Text, "notes.txt: it holds an API key") {
				t.Errorf("%s is read: %+v", s.selected().Name, msg)
			}
		default:
			t.Errorf("%s gives %T", s.selected().Name, msg)
		}
	}
}

func TestEveryCheckHasItsMeaning(t *testing.T) {
	for _, c := range fixture.Checklist(true, false).Checks {
		if means(c.Name) == "" {
			t.Errorf("%s means nothing", c.Name)
		}
	}
}

func TestTheDetailsAreReadToTheirEnd(t *testing.T) {
	s := made(fixture.Checklist(false, false), 80, 21)
	s.Do(keys.Focus)
	s.Do(keys.End)
	shows(t, s, "its verdict is stale", "enter goes to the review, filter review=open")
	if s.Do(keys.Back) != nil || s.inside {
		t.Error("esc does not go back to the list")
	}
	if msg := s.Do(keys.Back)(); msg != (screen.Close{}) {
		t.Errorf("the second esc asks for %v", msg)
	}
}

func TestTheChecklistIsCopiedAndExportedWhole(t *testing.T) {
	s := made(fixture.Checklist(false, false), 80, 21)
	table, ok := s.Table()
	if !ok || len(table.Rows) != 16 || table.Rows[12][1] != "missing" || !strings.Contains(table.Rows[12][3].(string), "9e3779b1") {
		t.Errorf("%+v", table)
	}
	if text := s.Pane(); !strings.Contains(text, "not ready: 2 checks keep it shut") || !strings.Contains(text, "notes.txt") {
		t.Errorf("%s", text)
	}
	if got := s.Selection(); got != "discordant pairs reviewed: missing, 2 of 18 reviewed" {
		t.Errorf("y copies %q", got)
	}
}

func TestEverySizeIsFilledWhateverTheTexts(t *testing.T) {
	for _, hostile := range []bool{false, true} {
		s := made(fixture.Checklist(false, hostile), 80, 21)
		for w := 0; w < 240; w += 23 {
			for h := 0; h < 60; h += 9 {
				s.Resize(w, h)
				for _, action := range []keys.Action{keys.Focus, keys.PageDown, keys.Focus, keys.Down} {
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

func TestTheFolderDialogTakesANameAndNothingElse(t *testing.T) {
	enter := tea.KeyMsg{Type: tea.KeyEnter}
	for name, ok := range map[string]bool{"report-a": true, " report ": true, "": false, "../x": false, "/tmp/x": false, "a\\b": false, ".hidden": false, "-rf": false, "con": false} {
		d := NewFolder(name)
		r := d.Key(enter)
		if chosen, is := r.Msg.(FolderChosen); r.Closed != ok || is != ok || ok && chosen.Name != strings.TrimSpace(name) || !ok && d.Problem == "" {
			t.Errorf("%q: %+v, problem %q", name, r, d.Problem)
		}
	}
	d := NewFolder("report")
	if r := d.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("-x\n"), Paste: true}); r.Closed {
		t.Error("a paste agrees")
	}
	if r := d.Key(tea.KeyMsg{Type: tea.KeyEsc}); !r.Closed || r.Msg != nil {
		t.Errorf("esc gives %+v", r)
	}
}

// What was checked may change by somebody else's hand: the shell tells what the
// folder looks like now, and nothing that is shown may say more than is known.
func TestAFolderThatChangedSinceIsCheckedAgainAndIsNotReadyMeanwhile(t *testing.T) {
	s := blank(80, 21)
	s.Update(graded)
	s.Wanted()
	s.Update(Seen{Folder: folder, Stamp: 1}) // before there is a checklist
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(true, false), Stamp: 7})
	for _, same := range []Seen{{folder, 7}, {"runs/other", 8}} {
		if s.Update(same); s.Wanted() {
			t.Errorf("it is made again after %+v", same)
		}
	}
	shows(t, s, "ready: nothing is wrong or missing")
	s.Update(Seen{folder, 8})
	for _, when := range []string{"before it is asked for", "while it is made"} {
		if strings.Contains(drawn(s)+s.Pane(), "ready") {
			t.Errorf("%s the run is ready still:\n%s", when, drawn(s))
		}
		shows(t, s, "changed since: checking again")
		if wanted := s.Wanted(); wanted != (when == "before it is asked for") {
			t.Errorf("%s: wanted %t", when, wanted)
		}
	}
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(false, false), Stamp: 8})
	shows(t, s, "not ready: 2 checks keep it shut")
	if s.Update(Seen{folder, 8}); s.Wanted() {
		t.Error("it is made again although nothing changed since")
	}
	s.Update(screen.Verdict{})
	s.Wanted()
	s.Update(Checked{Folder: folder, Err: errors.New("the disk is gone"), Stamp: 9})
	shows(t, s, "it cannot be checked now; made before")
	if s.Update(Seen{folder, 9}); s.Wanted() {
		t.Error("what cannot be checked is tried again and again")
	}
	if s.Update(Seen{folder, 10}); !s.Wanted() {
		t.Error("what could not be checked is not tried again once it changed")
	}
}

func TestTheChecklistOfAReportIsTheScreensFromThenOn(t *testing.T) {
	s := made(fixture.Checklist(true, false), 80, 21)
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(false, false), Stamp: 3, Stated: true})
	shows(t, s, "not ready: 2 checks keep it shut")
	if s.Update(Seen{folder, 3}); s.Wanted() {
		t.Error("it is made again for what was just looked at")
	}
	s.Update(Seen{folder, 4})
	s.Wanted()
	s.Update(Checked{Folder: folder, Result: fixture.Checklist(true, false), Stamp: 3, Stated: true})
	if !s.checking {
		t.Error("a report ended a check that is under way")
	}
}

func TestDisagreementsLeadToThePairsOnWhichReviewersDiffer(t *testing.T) {
	for state, want := range map[gate.State]string{gate.Missing: "review=disagreement", gate.Noted: "", gate.Passed: ""} {
		if to := placeOf(&gate.Check{Name: gate.Ledger, State: state}); to.screen != screen.Pairs || to.filter != want {
			t.Errorf("%s leads to %+v", state, to)
		}
	}
}
