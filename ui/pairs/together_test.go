package pairs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/review"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// Two applications on one folder, and the ways out of the review.

func TestAFormHearsOfAVerdictThatItsReviewerGaveElsewhere(t *testing.T) {
	dir := reviewtest.New().Write(t)
	for name, heard := range map[string]func(d *table){
		"when it is recorded":         func(d *table) { d.keys("enter") },
		"when the ledger was changed": func(d *table) { d.do(d.s.Update(screen.Noted{})) },
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(filepath.Join(dir, filepath.FromSlash(review.LedgerFile)))
			here, there := sit(t, dir, 120, 33, texts), sit(t, dir, 120, 33, texts)
			here.as("ann")
			there.as("ann")
			here.keys("v", "w", "y")
			there.keys("v", "e", "y", "enter")
			heard(here)
			if view := seen(here.s); len(here.ledger().Entries) != 1 || !strings.Contains(view, "Change of mind") || !strings.Contains(squeeze(view), "You gave a verdict on this pair meanwhile: eviction.") {
				t.Fatalf("%d verdicts:\n%s", len(here.ledger().Entries), view)
			}
			here.keys("enter")
			if e := here.ledger().Entries; len(e) != 2 || e[1].Cause != review.CauseWording || e[1].Blind {
				t.Errorf("agreed to, it is not recorded: %+v", e)
			}
		})
	}
}

func TestAVerdictThatSaysTheSameIsNoChangeOfMind(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	d.keys("v", "e", "y", "enter", "v", "enter")
	if view := squeeze(seen(d.s)); len(d.ledger().Entries) != 1 || !strings.Contains(view, "Nothing is changed") {
		t.Errorf("%d verdicts:\n%s", len(d.ledger().Entries), view)
	}
}

func TestWhatOthersDoToTheLedgerIsSeenAndALostOneTold(t *testing.T) {
	dir := reviewtest.New().Write(t)
	here, there := sit(t, dir, 120, 33, texts), sit(t, dir, 120, 33, texts)
	here.as("ann")
	there.as("bob")
	there.keys("v", "e", "y", "enter")
	here.do(here.s.Update(screen.Noted{}))
	if view := squeeze(seen(here.s)); !strings.Contains(view, "by anybody: discordant 1/18") {
		t.Errorf("another's verdict is not seen:\n%s", seen(here.s))
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(review.LedgerFile))); err != nil {
		t.Fatal(err)
	}
	here.do(here.s.Update(screen.Noted{}))
	here.keys("r")
	if !strings.Contains(here.reader, "The review ledger has 1 verdict fewer than it had") {
		t.Errorf("a lost ledger is not told:\n%s", here.reader)
	}
}

func TestOnlyWLeavesTheReviewWhilePairsAreOpenAndNoPairIsShownThere(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.keys("enter", "esc", "w")
	for _, r := range "ann" {
		d.keys(string(r))
	}
	d.keys("enter", "v", "esc", "esc", "esc")
	if !d.s.review.active() || !strings.HasPrefix(d.toasts[len(d.toasts)-1], "w leaves the review") {
		t.Fatalf("esc leaves; told %q", d.toasts)
	}
	d.keys("w")
	if d.s.review.active() || d.s.Tells() != "" || strings.Contains(d.s.Pane(), "kept the support") {
		t.Errorf("the way out shows a pair with its policies:\n%s", seen(d.s))
	}
}

func TestAPairIsShownOnceSomebodyAskedForOne(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {120, 33}} {
		for name, ask := range map[string]func(*Screen){
			"enter":    func(s *Screen) { s.Do(keys.Open) },
			"a move":   func(s *Screen) { s.Do(keys.Down) },
			"the next": func(s *Screen) { s.Do(Next) },
			"a click":  func(s *Screen) { s.Mouse(screen.Mouse{X: 3, Y: 3}) },
			"a wheel":  func(s *Screen) { s.Mouse(screen.Mouse{X: 3, Y: 3, Wheel: 1}) },
		} {
			d := sit(t, reviewtest.New().Write(t), size[0], size[1], texts)
			if got := d.s.Tells(); got != "" || !strings.Contains(squeeze(seen(d.s)), "enter reads the pair") {
				t.Fatalf("%q is shown before anybody asked:\n%s", got, seen(d.s))
			}
			ask(d.s)
			if got := d.s.Tells(); got == "" || got != d.s.Selection() {
				t.Errorf("%s at %v: the screen tells of %q, the cursor is on %q", name, size, got, d.s.Selection())
			}
		}
	}
}

func TestWhatTheReviewTellsOneReviewerKeepsAnotherBlind(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	for _, name := range []string{"ann", "bob"} {
		d.keys("w")
		if name == "bob" {
			d.keys("u", "ctrl+u")
		}
		d.paste(name)
		d.keys("enter", "v", "e", "y", "enter", "j", "k", "w")
	}
	if e := d.ledger().Entries; len(e) != 2 || e[0].CaseID != e[1].CaseID || !e[0].Blind || !e[1].Blind {
		t.Errorf("%+v", e)
	}
}

func TestAnotherRunAsksWhoReviewsAndTheFormNamesThem(t *testing.T) {
	first := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	first.s.Of("runs/a")
	first.as("ann")
	first.keys("v")
	if !strings.Contains(seen(first.s), "Your verdict as ann") {
		t.Errorf("the form does not name the reviewer:\n%s", seen(first.s))
	}
	state := first.s.State()
	for folder, asks := range map[string]bool{"runs/a": false, "runs/b": true} {
		next := New(&plain).Of(folder)
		next.Resize(80, 21)
		next.Restore(state)
		d := &table{t: t, s: next, dir: first.dir}
		d.load(texts)
		if asked := strings.Contains(seen(d.s), "Who reviews?"); asked != asks {
			t.Errorf("%s: asked %v:\n%s", folder, asked, seen(d.s))
		}
		if asks && d.s.review.answer.Value != "ann" {
			t.Errorf("%q is proposed", d.s.review.answer.Value)
		}
		if got := d.s.State()["reviewer"]; got != "ann" {
			t.Errorf("%s: %q is remembered", folder, got)
		}
	}
}

func TestANameThatNoLedgerWouldTakeIsRefusedAtOnce(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("bob")
	d.keys("v", "e", "y", "enter")
	for _, name := range []string{"BOB", "/home/alice/x", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"} {
		d.keys("u", "ctrl+u")
		d.paste(name)
		d.keys("enter")
		if d.s.review.reviewer != "bob" || d.s.review.problem == "" {
			t.Errorf("%s is taken", name)
		}
		d.keys("esc")
	}
}

func TestAFilterIsAnsweredWhileItIsTypedAndGoesOnWithAWordOfItsOwn(t *testing.T) {
	for name, begin := range map[string]func(*table){"pairs": func(*table) {}, "review": func(d *table) { d.as("ann") }} {
		d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
		begin(d)
		input := &d.s.input
		if name == "review" {
			input = &d.s.review.input
		}
		d.keys("/")
		d.paste("bogus=1")
		if !strings.Contains(seen(d.s), "No key is called bogus=") {
			t.Errorf("%s: a key that does not exist is not told:\n%s", name, seen(d.s))
		}
		d.keys("ctrl+u")
		d.paste("kept=no")
		d.keys("enter", "/")
		d.paste("rule=exact")
		d.keys("enter")
		if input.Value != "kept=no rule=exact" {
			t.Errorf("%s: the filter is %q", name, input.Value)
		}
	}
}

func TestTheQueueKeepsStatesWholeBesideLongNames(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	d.keys("v", "a", "y", "enter")
	for i := range d.s.review.rows {
		d.s.review.rows[i].name = "a-rather-long-name-of-a-case"
	}
	d.s.review.arrange()
	state := d.s.review.table.Columns[queueState]
	if list := strings.Join(d.s.review.list(), "\n"); !strings.Contains(list, "abstention") || widget.Width("grader-or-so") > state.Width {
		t.Errorf("the state is cut:\n%s", list)
	}
}
