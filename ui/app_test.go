package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
)

func plainDesk(kind fixture.Kind, w, h int) *desk {
	return newDesk(&fakeEngine{book: fixture.Book(45, kind, false)}, themes()["plain"], w, h)
}

func (d *desk) shows(t *testing.T, words ...string) {
	t.Helper()
	view := d.app.View()
	for _, w := range words {
		if !strings.Contains(view, w) {
			t.Errorf("the view does not show %q:\n%s", w, view)
		}
	}
}

func (d *desk) hides(t *testing.T, words ...string) {
	t.Helper()
	view := d.app.View()
	for _, w := range words {
		if strings.Contains(view, w) {
			t.Errorf("the view shows %q:\n%s", w, view)
		}
	}
}

func TestTheStudyIsRunByKeysAlone(t *testing.T) {
	d := plainDesk(fixture.Fresh, 80, 24)
	d.shows(t, "Press s to run the study", "nothing leaves this machine")
	d.keys("s")
	if len(d.started) != 1 || fmt.Sprint(d.started[0]) != "[validate run-policy run-qa grade-qa]" {
		t.Fatalf("started %v", d.started)
	}
	d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
	d.send(screen.Events{Events: runEvents(d.app.book, 10)})
	d.shows(t, "running run-qa", "9/90", "tokens", "rows/s", "left")
	d.keys("s")
	if len(d.started) != 1 {
		t.Error("a second run was started beside the first")
	}
}

func TestAccuracyIsNotShownWhileRowsAreMissing(t *testing.T) {
	d := plainDesk(fixture.Partly, 120, 36)
	d.hides(t, "Results", "right under")
	d.keys("3")
	d.hides(t, "✓", "✗", "+hyb", "+conf")
	d.keys("enter")
	d.shows(t, "answered, not graded yet")
	d.hides(t, "✓ right", "✗ wrong")
	d = plainDesk(fixture.Graded, 120, 36)
	d.shows(t, "Results", "official", "synthetic", "overall (both)")
}

func TestCancellingAsksAndKeepsRows(t *testing.T) {
	d := running(themes()["plain"], 80, 24)
	d.keys("c")
	d.shows(t, "Stop the run?", "Every finished row is kept", "d let them finish first")
	d.keys("n")
	if d.stopped != 0 {
		t.Fatal("it was stopped although the answer was no")
	}
	d.keys("c", "y")
	if d.stopped != 1 {
		t.Fatal("it was not stopped")
	}
	d.shows(t, "stopping")
	d.send(screen.RunEnded{At: fixture.Now.AddDate(0, 0, 1), Canceled: true})
	d.shows(t, "r resume")
	d.keys("r")
	if len(d.started) != 1 {
		t.Error("it could not be resumed")
	}
}

func TestQuittingAsksOnlyWhileARunIsInProgress(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("q")
	if !d.quit {
		t.Error("q did not quit")
	}
	for _, key := range []string{"q", "ctrl+c"} {
		d = running(themes()["plain"], 80, 24)
		d.keys(key)
		d.shows(t, "Quit while the run is in progress?", "Every finished row is kept", "d let them finish, then quit")
		if d.quit {
			t.Errorf("%s quit without asking", key)
		}
		d.keys("esc")
		if d.quit {
			t.Errorf("%s, esc quit", key)
		}
		d.keys(key, "y")
		if !d.quit {
			t.Errorf("%s, y did not quit", key)
		}
	}
	d = running(themes()["plain"], 80, 24)
	if d.keys("ctrl+c", "ctrl+c"); !d.quit {
		t.Error("ctrl+c twice did not quit")
	}
}

func TestTypingNeverTriggersCommands(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "/", "q", "s", "?", ":", "2")
	if d.quit || len(d.started) > 0 || d.app.active != screen.Cases || d.app.dialogs.Top() != nil {
		t.Fatal("a letter typed into the filter did something else")
	}
	d.shows(t, "filter: qs?:2")
	d.keys("esc")
	d.shows(t, "Cases 45")
	d.keys("/")
	d.paste("access\n\x1b[2Jq")
	if d.quit {
		t.Fatal("a paste quit")
	}
	d.shows(t, "filter: access")
}

func TestAPasteNeverTriggersCommands(t *testing.T) {
	d := plainDesk(fixture.Fresh, 80, 24)
	for _, text := range []string{"q", "s", "3", "?", ":", "y", "ctrl+c", "\x03", "sq\n"} {
		d.paste(text)
	}
	if d.quit || len(d.started) > 0 || d.app.active != screen.Run || d.app.dialogs.Top() != nil {
		t.Error("a paste did something")
	}
	d.keys(":")
	d.paste("quit\n")
	d.shows(t, ": quit")
	if d.quit {
		t.Error("a paste into the palette chose a command")
	}
	d.keys("enter")
	if !d.quit {
		t.Error("the palette did not find quit")
	}
}

func TestKeysReadInOneGoAreTakenApart(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3jj")
	if got := d.app.cases.Selection(); got != "daa66d13" {
		t.Errorf("3jj leads to %s", got)
	}
	d.keys("jjjjjjjj")
	if got := d.app.cases.Selection(); got != "cc623a9b" {
		t.Errorf("eight times j leads to %s", got)
	}
	d.keys("quit", "sqsqsq", strings.Repeat("q", 100))
	if d.quit {
		t.Error("a paste that is not marked as one quit")
	}
	d.keys("/ac", "cess")
	d.shows(t, "filter: access")
}

func TestEventsAreNotLostWhileAnotherScreenIsOpen(t *testing.T) {
	d := plainDesk(fixture.Fresh, 80, 24)
	d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
	d.keys("3", "enter", "?")
	for _, e := range runEvents(d.app.book, 90) {
		d.send(screen.Events{Events: []pipeline.Event{e}})
	}
	d.keys("esc", "2")
	d.shows(t, "80/90", "failed 10")
}

func TestAGradedRunShowsUpEverywhere(t *testing.T) {
	engine := &fakeEngine{book: fixture.Book(45, fixture.Fresh, false)}
	d := newDesk(engine, themes()["plain"], 80, 24)
	d.keys("3")
	d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
	engine.book = fixture.Book(45, fixture.Graded, false)
	d.send(screen.Events{Events: []pipeline.Event{pipeline.StageFinished{Stage: pipeline.StageGrade, At: fixture.Now}}})
	d.send(screen.RunEnded{At: fixture.Now})
	d.shows(t, "graded 90/90", "+hyb")
}

func TestTheWhyIsAnsweredByKeysAlone(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "n", "enter")
	d.shows(t, "Why evicted", "support under confidence", "Evicted: rank 8 of 10 at capacity 7", "cut · 7 kept", "confidence = 0.700")
	d.keys("tab")
	d.shows(t, "Why kept", "support under hybrid-v1", "0.65×0.70 + 0.25×0.948 + 0.10×0 = 0.692")
	d.keys("]", "]")
	d.shows(t, "capacity [9] of 10")
	d.keys("[", "[", "[", "[", "[")
	d.shows(t, "capacity [4] of 10 (not pinned)")
	d.keys("[", "[", "[", "[", "[", "[")
	d.shows(t, "capacity [1] of 10")
	d.keys("v")
	d.shows(t, "Question and answers", "Which tram line")
	d.keys("v")
	d.shows(t, "Fact gold_")
	d.keys("enter")
	d.shows(t, "I switched from the 4 to the number 11 tram")
	d.keys("esc", "esc")
	if d.app.active != screen.Cases {
		t.Error("esc did not lead back to the list")
	}
}

func TestTheListComesBackAtTheCaseThatWasLeft(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "n", "enter", "n")
	left := d.app.detail.CaseID()
	d.keys("esc")
	if got := d.app.cases.Selection(); got != left {
		t.Errorf("the list is at %s, the case left was %s", got, left)
	}
	d.keys("enter", "2", "3")
	if d.app.active != screen.Case {
		t.Error("the open case was forgotten on the way to Run and back")
	}
	d.keys("3")
	if d.app.active != screen.Cases {
		t.Error("3 on an open case did not lead to the list")
	}
}

func TestCopyWritesTheIDUnderTheCursor(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	d.keys("3", "y", "enter", "y")
	if len(d.copied) != 2 || d.copied[0] != "9e3779b1" || d.copied[1] != "gold_9e3779b1" {
		t.Errorf("copied %q", d.copied)
	}
	d.shows(t, "copied gold_9e3779b1")
}

func TestEveryActionIsInThePaletteAndTheHelp(t *testing.T) {
	d := plainDesk(fixture.Graded, 200, 60)
	for _, where := range [][]string{{"2"}, {"3"}, {"3", "enter"}} {
		d.keys(where...)
		table := d.app.bindings()
		d.keys("?")
		d.shows(t, "Keys that work here", "Everywhere", "copy the ID under the cursor", "suspend to the shell")
		d.keys("esc", ":")
		if got := len(table.Filter("")); got != len(table) {
			t.Errorf("the palette lists %d of %d actions", got, len(table))
		}
		d.keys("esc")
		seen := map[string]bool{}
		for _, b := range table {
			for _, k := range b.Keys {
				if seen[k] {
					t.Errorf("on %s the key %q is bound twice", d.app.active, k)
				}
				seen[k] = true
			}
			if b.Line() == "" || b.Category == "" {
				t.Errorf("action %s has no words", b.Action)
			}
		}
	}
}

func TestASmallWindowSaysSoCalmly(t *testing.T) {
	for _, size := range [][2]int{{79, 23}, {40, 10}, {80, 23}, {59, 80}, {12, 3}, {1, 1}} {
		d := plainDesk(fixture.Graded, size[0], size[1])
		exact(t, d.app.View(), size[0], size[1])
		if size[0] >= 40 {
			d.shows(t, "needs a larger window")
		}
		if d.keys("s", "3", "?"); d.app.active != screen.Run {
			t.Error("a key worked where nothing is seen")
		}
		if d.keys("q"); !d.quit {
			t.Error("q did not quit")
		}
	}
	d := plainDesk(fixture.Graded, 60, 40)
	d.hides(t, "needs a larger window")
	exact(t, d.app.View(), 60, 40)
}

func TestTheMouseSelectsOpensAndChangesTabs(t *testing.T) {
	d := plainDesk(fixture.Graded, 80, 24)
	click := func(x, y int) {
		d.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	}
	click(strings.Index(strings.Split(d.app.View(), "\n")[1], "3 Cases"), 1)
	if d.app.active != screen.Cases {
		t.Fatal("a click on the tab did not open it")
	}
	click(10, 6)
	if got := d.app.cases.Selection(); got != "daa66d13" {
		t.Errorf("a click selected %s", got)
	}
	click(10, 6)
	if d.app.active != screen.Case {
		t.Fatal("a second click did not open the case")
	}
	click(50, 5)
	if got := d.app.detail.Selection(); !strings.HasPrefix(got, "d_daa66d13_0") {
		t.Errorf("a click selected the fact %s", got)
	}
	d.send(tea.MouseMsg{X: 50, Y: 5, Button: tea.MouseButtonWheelDown})
	if got := d.app.detail.Selection(); !strings.HasPrefix(got, "d_daa66d13_1") {
		t.Errorf("the wheel went to the fact %s", got)
	}
}

func TestAStudyThatCannotBeLoadedIsSaid(t *testing.T) {
	engine := &fakeEngine{err: errors.New("dataset x.json: SHA-256 is 93fb…, the protocol pins 821a…\x1b[2J")}
	d := newDesk(engine, themes()["plain"], 80, 24)
	d.shows(t, "The study could not be loaded", "the protocol pins", "not loaded")
	exact(t, d.app.View(), 80, 24)
	engine.err, engine.book = nil, fixture.Book(45, fixture.Fresh, false)
	d.keys("esc", "ctrl+r")
	d.shows(t, "Press s to run the study", "not run yet")
}

func TestAFailedRunSaysWhy(t *testing.T) {
	d := running(themes()["plain"], 80, 24)
	d.send(screen.RunEnded{Err: errors.New("3 rows failed: 401 unauthorized; set OPENAI_API_KEY and run again"), At: fixture.Now})
	d.shows(t, "The run ended early", "set OPENAI_API_KEY")
	d.keys("esc")
	d.shows(t, "3 rows failed", "r resume")
}

func TestTheMouseIsTakenAgainAfterAStop(t *testing.T) {
	for _, on := range []bool{true, false} {
		d := plainDesk(fixture.Fresh, 80, 24)
		d.app.pointer = on
		batch, _ := d.app.Update(tea.ResumeMsg{})().(tea.BatchMsg)
		taken := false
		for _, cmd := range batch {
			taken = taken || cmd() == tea.EnableMouseCellMotion()
		}
		if taken != on {
			t.Errorf("mouse %v: taken again is %v", on, taken)
		}
	}
}

func TestTheBoxThatSaysQQuitsLetsItQuit(t *testing.T) {
	d := newDesk(&fakeEngine{err: errors.New("it is broken")}, themes()["plain"], 80, 24)
	d.shows(t, "it is broken", "q quits")
	if d.keys("q"); !d.quit {
		t.Error("it does not quit")
	}
}

func TestListAndCaseShareTheCapacity(t *testing.T) {
	d := plainDesk(fixture.Graded, 200, 60)
	d.keys("3", "]")
	d.shows(t, "capacity [8] of 10")
	d.keys("enter", "]")
	d.shows(t, "capacity [9] of 10")
	d.keys("J", "3")
	d.shows(t, "▸3 Cases", "capacity [9] of 10", "▸ 3c6ef362")
	d.hides(t, "› 3c6ef362")
}

func TestANarrowFooterKeepsWhatFits(t *testing.T) {
	d := plainDesk(fixture.Fresh, 80, 24)
	d.shows(t, "? help  : commands  q quit")
	d.keys("3")
	d.shows(t, "enter open", "q quit")
}
