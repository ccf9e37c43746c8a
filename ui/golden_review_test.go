package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// reviewDesk is a window on the Pairs screen of a graded folder, which is
// reviewed with the application's own effects.
func reviewDesk(t *testing.T, th theme.Theme, w, h int, keys ...string) (*desk, string) {
	t.Helper()
	run := reviewtest.New()
	flagged := run.Row(t, "case03__confidence")
	flagged.Prediction, flagged.Rule = "eleven", "substring"
	dir := run.Write(t)
	read, err := gradedrun.Load(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range read.Book.Entries {
		c := &read.Book.Entries[i].Case
		like := fixture.Case(c.ID, c.Scenario, i%10+1)
		c.Question, c.Facts = like.Question, like.Facts
		c.Answer = fmt.Sprintf("answer number%d words", number(c.ID))
	}
	d := newDeskAt(&fakeEngine{book: read.Book}, th, w, h, func(a *App) { a.do.review, a.do.verdict = reviewEffects(a, dir) })
	d.keys("4")
	d.keys(keys...)
	return d, dir
}

// number is that of an invented case.
func number(caseID string) (n int) {
	_, _ = fmt.Sscanf(caseID, "case%d", &n)
	return n
}

// reviewEffects are those of the application, on a folder of the test's.
func reviewEffects(a *App, dir string) (func(int, string, *casebook.Book, *int) tea.Msg, func(int, *casebook.Book, screen.GiveVerdict) tea.Msg) {
	r := &reviews{now: a.do.now}
	return func(no int, _ string, book *casebook.Book, sample *int) tea.Msg {
			return reviewMsg{no, r.Read(context.Background(), dir, book, sample)}
		}, func(no int, book *casebook.Book, given screen.GiveVerdict) tea.Msg {
			return reviewMsg{no, r.Record(book, given.Desk, given.Verdict)}
		}
}

// type gives a text key by key.
func letters(text string) []string { return strings.Split(text, "") }

var asAnn = []string{"w", "a", "n", "n", "enter"}

// reviewScenes are the views of the review, each with the reason it is kept.
var reviewScenes = []struct {
	name, why string
	make      func(t *testing.T, th theme.Theme, w, h int) *desk
}{
	{"review-name", "who reviews is asked once, with what is recorded and what blind means", func(t *testing.T, th theme.Theme, w, h int) *desk {
		d, _ := reviewDesk(t, th, w, h, "w")
		return d
	}},
	{"review-blind", "a pair as A and B: no policy, no scenario, no kind", func(t *testing.T, th theme.Theme, w, h int) *desk {
		d, _ := reviewDesk(t, th, w, h, asAnn...)
		d.keys("n")
		return d
	}},
	{"review-form", "a verdict half given, with the pair above it", func(t *testing.T, th theme.Theme, w, h int) *desk {
		d, _ := reviewDesk(t, th, w, h, append(asAnn, "v", "g", "b")...)
		d.paste("the answer says the same in other words; the rule wants the number")
		return d
	}},
	{"review-told", "the verdict is in: which was which, the kind, and what the other said", func(t *testing.T, th theme.Theme, w, h int) *desk {
		d, _ := reviewDesk(t, th, w, h, "w", "b", "o", "b", "enter", "v", "e", "y")
		d.keys(letters("evicted")...)
		d.keys("enter", "u", "backspace", "backspace", "backspace", "a", "n", "n", "enter", "v", "g", "b", "enter")
		return d
	}},
	{"review-result", "nothing is open: agreement, and the result under the disputes beside the result", func(t *testing.T, th theme.Theme, w, h int) *desk {
		d, _ := reviewDesk(t, th, w, h, asAnn...)
		for i := range 19 {
			d.keys("v", "e", []string{"y", "y", "y", "a"}[i%4], "enter", "n")
		}
		d.keys("r")
		return d
	}},
}

func TestReviewViewsAreThoseThatWereLookedAt(t *testing.T) {
	for _, scene := range reviewScenes {
		for name, th := range themes() {
			for _, size := range sizes {
				file := fmt.Sprintf("%s_%dx%d_%s.txt", scene.name, size[0], size[1], name)
				t.Run(file, func(t *testing.T) {
					view := scene.make(t, th, size[0], size[1]).app.View()
					exact(t, view, size[0], size[1])
					golden(t, filepath.Join("testdata", "golden", file), view+"\n")
				})
			}
		}
	}
}

func TestLeavingAsksWhereAVerdictIsNotRecorded(t *testing.T) {
	d, _ := reviewDesk(t, themes()["plain"], 80, 24, append(asAnn, "v", "e", "y")...)
	d.keys("ctrl+c")
	if d.quit || !strings.Contains(d.app.View(), "Quit without recording it?") {
		t.Fatalf("it quits:\n%s", d.app.View())
	}
	d.keys("n", "esc", "q")
	if d.quit || !strings.Contains(d.app.View(), "began in the review") {
		t.Fatalf("it quits:\n%s", d.app.View())
	}
	d.keys("y")
	if !d.quit {
		t.Error("it does not quit although it was agreed to")
	}
}

func TestARecordedVerdictIsInTheLedgerAndTold(t *testing.T) {
	d, dir := reviewDesk(t, themes()["plain"], 120, 36, append(asAnn, "v", "e", "y", "enter")...)
	data, err := os.ReadFile(filepath.Join(dir, review.LedgerFile))
	if err != nil || strings.Count(string(data), "\n") != 1 {
		t.Fatalf("%s, %v", data, err)
	}
	if view := d.app.View(); !strings.Contains(view, "recorded: eviction. A was ") {
		t.Errorf("it is not told:\n%s", view)
	}
	d.keys("q")
	if !d.quit {
		t.Error("nothing is unsaved, and it does not quit")
	}
}

func TestAnAnswerAboutAnotherRunChangesNoScreen(t *testing.T) {
	d, _ := reviewDesk(t, themes()["plain"], 120, 36, asAnn...)
	before := d.app.View()
	d.send(reviewMsg{no: 7, told: screen.Review{}})
	if d.app.View() != before {
		t.Error("the review of another run is shown")
	}
	d.send(reviewMsg{no: 7, told: screen.Verdict{}})
	if !strings.Contains(d.app.View(), "the verdict on the run before is recorded") {
		t.Error("what became of the verdict is not told")
	}
}
