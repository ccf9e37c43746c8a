package pairs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/review"
	"deermem-tui/engine/review/quote"
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
	d.keys("v", "e", "y", "enter", "v", "y", "enter") // y goes on to the note
	if told := d.toasts[len(d.toasts)-1]; len(d.ledger().Entries) != 1 || !strings.HasPrefix(told, "nothing is changed") || d.s.Typing() {
		t.Fatalf("%d verdicts, told %q:\n%s", len(d.ledger().Entries), told, seen(d.s))
	}
	d.keys("n", "v", "e", "y", "enter") // who goes on without looking is on the next pair
	if e := d.ledger().Entries; len(e) != 2 || e[0].CaseID == e[1].CaseID || e[1].Note != "" {
		t.Errorf("%+v", e)
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

func TestWhatTheReviewToldUnderAnotherNameIsNotBlind(t *testing.T) {
	for name, tell := range map[string]func(t *testing.T) *table{
		"in a verdict given": func(t *testing.T) *table {
			d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
			d.as("ann")
			d.keys("v", "e", "y", "enter")
			return d
		},
		"in a pair of a session before": func(t *testing.T) *table {
			before := sit(t, reviewtest.New().Write(t), 120, 33, texts)
			before.as("ann")
			before.keys("v", "e", "y", "enter")
			d := sit(t, before.dir, 120, 33, texts)
			d.as("ann")
			return d
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := tell(t)
			at := d.s.Tells()
			if at == "" || at != d.s.review.caseID() {
				t.Fatalf("the review tells of %q", at)
			}
			d.keys("u", "bob", "enter")
			if view := squeeze(strings.Join(d.s.review.lines(66), "\n")); d.s.Tells() != "" || !strings.Contains(view, "under another name: your verdict will be recorded as not blind") {
				t.Errorf("it is not said:\n%s", view)
			}
			d.keys("v", "e", "y", "enter", "n", "v", "e", "y", "enter")
			if e := d.ledger().Entries; len(e) != 3 || e[1].CaseID != at || e[1].Blind || !e[2].Blind {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestANewSessionAsksWhoReviewsBeforeItShowsWhatWasTold(t *testing.T) {
	for name, on := range map[string]bool{"from the list": false, "where the review was left": true} {
		t.Run(name, func(t *testing.T) {
			before := sit(t, reviewtest.New().Write(t), 120, 33, texts)
			before.as("ann")
			before.keys("v", "e", "y", "enter")
			if !on {
				before.keys("w")
			}
			d := &table{t: t, s: New(&plain), dir: before.dir}
			d.s.Resize(120, 33)
			d.s.Restore(before.s.State())
			d.load(texts)
			if !on {
				d.keys("w")
			}
			if all := d.all(); !strings.Contains(all, "Who reviews?") || !strings.Contains(all, "reviewer: ann") || telling.MatchString(all) || d.s.Tells() != "" {
				t.Fatalf("it shows what ann was told:\n%s", all)
			}
			d.keys("hal", "enter", "v", "e", "y", "enter")
			if e := d.ledger().Entries; len(e) != 2 || e[1].Reviewer != "hal" || !e[1].Blind {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestTheFirstLetterReplacesTheNameThatIsProposed(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{"b", "o", "b"}, "bob"}, {nil, "bob"}, {[]string{"backspace", "x"}, "box"},
	} {
		d.keys("u")
		d.keys(append(test.keys, "enter")...)
		if got := d.s.review.reviewer; got != test.want {
			t.Errorf("%v makes %q, want %q", test.keys, got, test.want)
		}
	}
}

func TestTabOutOfTheNoteIsTold(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	d.as("ann")
	d.keys("v", "o", "y", "tab")
	if !strings.Contains(squeeze(seen(d.s)), "You left the note: letters choose now") {
		t.Errorf("it is not told:\n%s", seen(d.s))
	}
	d.keys("tab")
	if strings.Contains(seen(d.s), "You left the note") {
		t.Error("it is told of every field")
	}
}

func TestANameThatQuotesTheDatasetIsRefusedAtThePrompt(t *testing.T) {
	const name = "How long had I had the fever"
	for when, late := range map[string]bool{"once the review is read": false, "before it was read": true} {
		d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
		d.private = quote.New()
		d.private.Add(quote.Question, "a question", name)
		if late {
			d.s.Do(Review) // what it asks for is under way
			d.s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)})
			d.keys("enter")
		} else {
			d.as(name)
		}
		if view := squeeze(seen(d.s)); d.s.review.reviewer != "" || !strings.Contains(view, "quotes a question") || !strings.Contains(view, "Who reviews?") {
			t.Errorf("%s the name is taken:\n%s", when, view)
		}
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
