package pairs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/review"
	"deermem-tui/engine/review/quote"
	"deermem-tui/engine/review/reviewtest"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
)

// table is a screen over a graded folder whose requests are carried out at once.
type table struct {
	t       *testing.T
	s       *Screen
	dir     string
	private *quote.Finder
	toasts  []string
	opened  []string // cases
	reader  string   // the text read last
	asked   []review.Verdict
}

// sit opens the review of a folder. Cases have the texts of texts, where given.
func sit(t *testing.T, dir string, w, h int, texts func(*casebook.Entry)) *table {
	t.Helper()
	d := &table{t: t, s: New(&plain), dir: dir}
	d.s.Resize(w, h)
	d.load(texts)
	return d
}

func (d *table) load(texts func(*casebook.Entry)) {
	d.t.Helper()
	desk, err := review.Open(context.Background(), d.dir, review.Ask{})
	if err != nil {
		d.t.Fatal(err)
	}
	book := desk.Run.Book
	for i := range book.Entries {
		if texts != nil {
			texts(&book.Entries[i])
		}
	}
	d.do(d.s.Update(screen.Book{Book: book}))
}

func (d *table) do(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case screen.ReadReview:
		desk, err := review.Open(context.Background(), d.dir, review.Ask{Sample: msg.Sample})
		told := screen.Review{Desk: desk, Err: err}
		if err == nil {
			desk.Private = &review.Private{Texts: d.private}
			told.Refusal = desk.Refusal()
			if desk.Standing.Finished() {
				if told.Result, err = desk.Result(); err != nil {
					d.t.Fatal(err)
				}
			}
		}
		d.do(d.s.Update(told))
	case screen.GiveVerdict:
		d.asked = append(d.asked, msg.Verdict)
		e, err := review.Record(msg.Desk.Run.Dir, rundir.Writer{PID: 1, Host: "h"}, msg.Desk.Standing.Queue, msg.Verdict, &review.Private{Texts: d.private}, time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC))
		d.do(d.s.Update(screen.Verdict{Given: msg.Verdict, Entry: e, Err: err}))
	case screen.Toast:
		d.toasts = append(d.toasts, msg.Text)
	case screen.OpenCase:
		d.opened = append(d.opened, msg.CaseID)
	case screen.Read:
		d.reader = msg.Text
	default:
		d.t.Fatalf("the screen asks for %#v", msg)
	}
}

var special = map[string]tea.KeyMsg{
	"enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc}, "tab": {Type: tea.KeyTab}, "left": {Type: tea.KeyLeft}, "right": {Type: tea.KeyRight},
	"shift+tab": {Type: tea.KeyShiftTab}, "pgdown": {Type: tea.KeyPgDown}, "ctrl+u": {Type: tea.KeyCtrlU}, "ctrl+w": {Type: tea.KeyCtrlW}, "backspace": {Type: tea.KeyBackspace},
}

// keys presses keys as the shell would: as text while something is typed, else
// by the bindings.
func (d *table) keys(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.shell()
		if d.s.Typing() {
			msg, ok := special[name]
			if !ok {
				msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
			}
			d.do(d.s.Type(msg))
			continue
		}
		action, ok := d.s.Bindings().Match(name)
		if !ok {
			d.t.Fatalf("the key %s does nothing here", name)
		}
		d.do(d.s.Do(action))
	}
}

// shell tells the screen what it shows, as the shell does.
func (d *table) shell() {
	if id := d.s.Tells(); id != "" {
		d.do(d.s.Update(screen.Seen{CaseID: id}))
	}
}

func (d *table) paste(text string) {
	d.do(d.s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true}))
}

// all is whatever the screen tells: seen, copied and exported.
func (d *table) all() string {
	t, _ := d.s.Table()
	return seen(d.s) + "\n" + d.s.Pane() + "\n" + d.s.Selection() + "\n" + fmt.Sprint(t.Columns, t.Rows)
}

func (d *table) ledger() *review.Ledger {
	d.t.Helper()
	dir, err := rundir.Open(d.dir)
	if err != nil {
		d.t.Fatal(err)
	}
	l, err := review.ReadLedger(dir)
	if err != nil {
		d.t.Fatal(err)
	}
	return l
}

// as enters the review as a reviewer.
func (d *table) as(name string) {
	d.t.Helper()
	d.keys("w", name, "enter")
}

func texts(e *casebook.Entry) {
	e.Case.Question, e.Case.Answer = "How many bridges did Mara cross on Sunday?", "answer number"
}

// What names a policy, a scenario, a case or a kind of pair.
var telling = regexp.MustCompile(`(?i)confidence|hybrid|\+hyb|\+conf|confirmation_help|access_help|noisy_signal|correction_reserve|case\d\d|only the policy|eviction explains`)

func TestABlindPairTellsNothingOfItsPolicies(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {200, 57}} {
		for name, give := range map[string]func(*casebook.Entry){"with its texts": texts, "without the dataset": nil} {
			d := sit(t, reviewtest.New().Write(t), size[0], size[1], give)
			d.as("ann")
			for range 20 {
				for _, inside := range []string{"enter", "esc"} {
					d.keys(inside)
					if found := telling.FindString(d.all()); found != "" {
						t.Fatalf("%s at %v: %q is told:\n%s", name, size, found, d.all())
					}
				}
				d.keys("v")
				if found := telling.FindString(d.all()); found != "" {
					t.Fatalf("%s at %v, in the form: %q is told", name, size, found)
				}
				d.keys("esc", "n")
			}
			d.keys("r", "c")
			if found := telling.FindString(d.reader); found != "" || len(d.opened) != 0 {
				t.Errorf("%s: %q is told, opened %v", name, found, d.opened)
			}
		}
	}
}

func TestNoFilterTellsABlindPairFromAnother(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	for _, filter := range []string{"kind=eviction", "pair=hybrid", "pair=confidence", "scenario=access", "source=synthetic", "case23", "verdict=eviction", "request=same", "hybrid-v1", "confidence"} {
		d.keys("/")
		d.paste(filter)
		if n := len(d.s.review.shown); n != 0 {
			t.Errorf("%q finds %d pairs", filter, n)
		}
		d.keys("esc", "/")
		d.paste(strings.Replace(filter, "=", "!=", 1))
		if n := len(d.s.review.shown); strings.Contains(filter, "=") && n != 18 {
			t.Errorf("the opposite of %q finds %d pairs", filter, n)
		}
		d.keys("esc")
	}
	d.keys("/")
	d.paste("review=open bridges")
	if n := len(d.s.review.shown); n != 18 {
		t.Errorf("open pairs: %d", n)
	}
}

func TestAVerdictIsRecordedAndTheReviewerToldThePolicies(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	at := d.s.review.caseID()
	order := d.s.review.standing().Queue.Sides("ann", at)
	d.keys("v", "e", "b", "said it was not there", "enter")
	l := d.ledger()
	if len(l.Entries) != 1 {
		t.Fatalf("%d entries; %s", len(l.Entries), seen(d.s))
	}
	e := l.Entries[0]
	if e.CaseID != at || e.Cause != review.CauseEviction || e.Note != "said it was not there" || !e.Blind || e.Reviewer != "ann" ||
		!slices.Equal(e.Disputed, []string{casebook.RowID(at, reviewtest.Policies[order[1]])}) {
		t.Errorf("%+v", e)
	}
	a, b := reviewtest.Policies[order[0]], reviewtest.Policies[order[1]]
	view := seen(d.s)
	for _, want := range []string{"A was " + a + ", B was " + b, "A (" + a + ")", at, "Review 1/18 reviewed", "disputes the grade of B", "said it was not there", "kind eviction"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not told:\n%s", want, view)
		}
	}
	if len(d.toasts) != 1 || !strings.Contains(d.toasts[0], "A was "+a) {
		t.Errorf("%q", d.toasts)
	}
	d.keys("c")
	if !slices.Equal(d.opened, []string{at}) {
		t.Errorf("opened %v", d.opened)
	}
	d.keys("n")
	if d.s.review.caseID() == at || telling.MatchString(strings.Join(d.s.review.lines(60), "\n")) {
		t.Error("the next pair is not blind")
	}
}

func TestAChangeOfMindIsANewEntryThatIsNotBlind(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	d.as("ann")
	d.keys("v", "e", "y", "enter")
	d.keys("v")
	if view := seen(d.s); !strings.Contains(view, "Change of mind") || !strings.Contains(view, "▸ eviction") || !strings.Contains(view, "▸ agree") || !strings.Contains(view, "not blind") {
		t.Errorf("the form does not begin with the earlier verdict:\n%s", view)
	}
	d.keys("w", "enter")
	l := d.ledger()
	if len(l.Entries) != 2 || l.Entries[1].Blind || l.Entries[1].Cause != review.CauseWording {
		t.Fatalf("%+v", l.Entries)
	}
	if text := strings.Join(d.s.review.lines(100), "\n"); !strings.Contains(text, "before: eviction") || !strings.Contains(text, "wording, agrees with both grades (not blind") {
		t.Errorf("the history is not told:\n%s", text)
	}
}

func TestWhatOthersSaidIsHiddenUntilTheOwnVerdictIsIn(t *testing.T) {
	dir := reviewtest.New().Write(t)
	bob := sit(t, dir, 120, 33, texts)
	bob.as("bob")
	for range 18 {
		bob.keys("v", "g", "x", "never seen", "enter", "n")
	}
	ann := sit(t, dir, 120, 33, texts)
	ann.as("ann")
	ann.keys("/", "verdict=grader", "enter")
	if n := len(ann.s.review.shown); n != 0 {
		t.Errorf("the filter finds %d pairs by bob's verdict", n)
	}
	ann.keys("esc", "r")
	if all := ann.all() + ann.reader; strings.Contains(all, "never seen") || strings.Contains(all, "grader,") || strings.Contains(all, "Disputed grades") {
		t.Errorf("bob's verdict is told:\n%s", all)
	}
	if !strings.Contains(seen(ann.s), "Reviewed by bob") {
		t.Errorf("nobody says that bob reviewed it:\n%s", seen(ann.s))
	}
	ann.keys("v", "e", "y", "enter")
	if view := seen(ann.s); !strings.Contains(view, "never seen") || !strings.Contains(view, "The reviewers differ") || !strings.Contains(view, "≠ eviction") || !strings.Contains(view, "1 disagreement") {
		t.Errorf("after the verdict:\n%s", view)
	}
	ann.keys("/", "review=disagreement", "enter")
	if n := len(ann.s.review.shown); n != 1 {
		t.Errorf("%d disagreements", n)
	}
	ann.keys("esc")
	for range 17 {
		ann.keys("n", "v", "g", "x", "enter")
	}
	ann.keys("r")
	for _, want := range []string{"Agreement of ann and bob:", "verdicts alike in 17 of 18", "No grade is changed", "as it is", "as it would be", "Of these 36 disputes 34"} {
		if !strings.Contains(ann.reader, want) {
			t.Errorf("%q is not told:\n%s", want, ann.reader)
		}
	}
	ann.keys("n")
	if r := ann.s.review.selected(); !r.item.Disagreement() {
		t.Error("the disagreement is not next")
	}
}

func TestNothingTypedIsLostSilently(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	if d.s.Unsaved() != "" {
		t.Error("nothing was typed")
	}
	d.keys("v", "g", "a", "half a thought", "esc")
	if len(d.toasts) != 1 || !strings.Contains(d.toasts[0], "kept") || d.s.Unsaved() == "" || !strings.Contains(seen(d.s), "draft") {
		t.Errorf("%q, unsaved %q", d.toasts, d.s.Unsaved())
	}
	d.keys("n", "N")
	at := d.s.review.caseID()
	d.keys("w", "w")
	if d.s.review.caseID() != at {
		t.Error("leaving the review and coming back moved the cursor")
	}
	d.keys("v")
	if view := seen(d.s); !strings.Contains(view, "half a thought") || !strings.Contains(view, "▸ dispute A") {
		t.Errorf("the draft is gone:\n%s", view)
	}
	d.keys("enter")
	if e := d.ledger().Entries; len(e) != 1 || e[0].Note != "half a thought" || d.s.Unsaved() != "" {
		t.Errorf("%+v, unsaved %q", e, d.s.Unsaved())
	}
	d.keys("n", "v", "e", "esc")
	if d.s.Discard(); d.s.Unsaved() != "" {
		t.Error("what was discarded is kept")
	}
}

func TestARefusalIsToldInWordsAndTheTextKept(t *testing.T) {
	dir := reviewtest.New().Write(t)
	d := sit(t, dir, 120, 33, texts)
	d.private = quote.New()
	d.private.Add(quote.Question, "the question of case case23", "Which colour did the bicycle that I bought in Ghent in May have?")
	d.as("ann")
	d.keys("v", "e", "y")
	d.paste("it asks which colour did the bicycle that I bought in Ghent in may")
	d.keys("enter")
	if view := seen(d.s); !strings.Contains(view, "the note quotes a question") || !strings.Contains(view, "bicycle") || len(d.ledger().Entries) != 0 {
		t.Errorf("a quotation:\n%s", view)
	}
	d.keys("ctrl+u")
	folder, err := rundir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := folder.Lock(rundir.Writer{PID: 77, Host: "elsewhere", Command: "run-qa"})
	if err != nil {
		t.Fatal(err)
	}
	d.keys("my own words", "enter")
	if view := seen(d.s); !strings.Contains(view, "pid 77") || !strings.Contains(view, "my own words") {
		t.Errorf("another writer:\n%s", view)
	}
	d.keys("esc", "n", "v")
	if !strings.Contains(d.reader, "pid 77") || d.s.review.form != nil {
		t.Errorf("a form opens although nothing can be recorded: %q", d.reader)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	d.keys("N", "w", "w", "v", "enter")
	if e := d.ledger().Entries; len(e) != 1 || e[0].Note != "my own words" {
		t.Errorf("%+v\n%s", e, seen(d.s))
	}
}

func TestRowsThatChangeMeanwhileAreNotReviewedUnseen(t *testing.T) {
	run := reviewtest.New()
	dir := run.Write(t)
	d := sit(t, dir, 120, 33, texts)
	d.as("ann")
	at := d.s.review.caseID()
	d.keys("v", "e", "y", "enter", "n", "v", "o", "y", "words")
	second := d.s.review.caseID()
	for _, id := range []string{at, second} {
		run.Row(t, casebook.RowID(id, "hybrid-v1")).Attempts = 2
	}
	run.WriteTo(t, dir)
	d.keys("enter")
	if view := seen(d.s); !strings.Contains(view, "have changed") || !strings.Contains(view, "words") || len(d.ledger().Entries) != 1 {
		t.Fatalf("a verdict on rows nobody saw:\n%s", view)
	}
	d.keys("enter")
	if len(d.ledger().Entries) != 1 {
		t.Error("what was said of A and B stands although the rows are others")
	}
	d.keys("y", "enter")
	if e := d.ledger().Entries; len(e) != 2 || e[1].CaseID != second {
		t.Errorf("%+v\n%s", e, seen(d.s))
	}
	d.keys("/", "review=stale", "enter")
	if r := d.s.review.selected(); len(d.s.review.shown) != 1 || r.item.CaseID != at || !r.needed || r.row.blind {
		t.Errorf("the stale pair is not back in the queue: %+v", r)
	}
	if view := seen(d.s); !strings.Contains(view, "Stale: the rows have changed since ann") {
		t.Errorf("it is not told:\n%s", view)
	}
	d.keys("v", "e", "y", "enter")
	if e := d.ledger().Entries; len(e) != 3 || e[2].Blind {
		t.Errorf("%+v", e)
	}
}

func TestALedgerThatIsLostMakesNoVerdictBlindAgain(t *testing.T) {
	dir := reviewtest.New().Write(t)
	path := filepath.Join(dir, review.LedgerFile)
	d := sit(t, dir, 120, 33, texts)
	d.as("ann")
	at := d.s.review.caseID()
	d.keys("v", "e", "y", "enter")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func() error{
		"deleted":  func() error { return os.Remove(path) },
		"cut off":  func() error { return os.WriteFile(path, whole[:len(whole)/2], 0o644) },
		"replaced": func() error { return os.WriteFile(path, []byte("{}\n\x1b[2J\n"), 0o644) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		d.keys("n")
		d.s.review.find(at)
		if d.s.review.caseID() != at {
			t.Fatalf("%s: the pair is not in the queue", name)
		}
		d.keys("v", "e", "y", "enter")
		l := d.ledger()
		if len(l.Entries) != 1 || l.Entries[0].Blind {
			t.Errorf("%s: %+v", name, l.Entries)
		}
	}
	other := strings.Replace(string(whole), `"seed":`, `"seed":1`, 1)
	if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	d.s.review.find(at)
	d.keys("v", "o", "y", "enter")
	if view := seen(d.s); !strings.Contains(view, "or A and B, have changed") || d.s.review.form == nil || len(d.ledger().Entries) != 1 {
		t.Errorf("a ledger of another seed:\n%s", view)
	}
	d.keys("enter", "x", "enter")
	if e := d.ledger().Entries; len(e) != 2 || e[1].Seed != e[0].Seed || len(e[1].Disputed) != 2 {
		t.Errorf("%+v", e)
	}
}

func TestAPairThatWasReadWithItsPoliciesIsNotBlind(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.keys("enter")
	at := d.s.caseID()
	d.keys("esc")
	d.as("ann")
	d.s.review.find(at)
	if view := squeeze(strings.Join(d.s.review.lines(66), "\n")); !strings.Contains(view, "will be recorded as not blind") {
		t.Errorf("it is not told:\n%s", view)
	}
	d.keys("v", "e", "y", "enter", "n", "v", "e", "y", "enter")
	if e := d.ledger().Entries; len(e) != 2 || e[0].Blind || !e[1].Blind {
		t.Errorf("%+v", e)
	}
}

func TestAReviewersNameIsAskedForOnceAndMustBeSeen(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	d.keys("w", "enter")
	if !strings.Contains(seen(d.s), "no reviewer is named") {
		t.Errorf("no name:\n%s", seen(d.s))
	}
	d.paste(strings.Repeat("long", 30))
	d.keys("enter")
	if !d.s.Typing() || d.s.review.reviewer != "" {
		t.Error("a name of 120 bytes is taken")
	}
	d.keys("ctrl+u")
	d.paste("ann\u202egnp\u202c")
	d.keys("enter")
	if strings.ContainsRune(d.s.review.reviewer, '\u202e') {
		t.Errorf("the reviewer is %q", d.s.review.reviewer)
	}
	if !d.s.Typing() {
		d.keys("u", "ctrl+u")
	}
	d.keys("ctrl+u", "Åsa O'Néill", "enter")
	if d.s.State()["reviewer"] != "Åsa O'Néill" {
		t.Errorf("remembered %q", d.s.State()["reviewer"])
	}
	again := sit(t, d.dir, 80, 21, texts)
	again.s.Restore(map[string]string{"reviewer": d.s.State()["reviewer"]})
	again.keys("w")
	if again.s.Typing() || !strings.Contains(seen(again.s), "by Åsa O'Néill") {
		t.Errorf("it is asked for again:\n%s", seen(again.s))
	}
	again.s.Restore(map[string]string{"reviewer": "\x1b[2J"})
	if again.s.review.reviewer != "Åsa O'Néill" {
		t.Error("a damaged memory names the reviewer")
	}
	fresh := sit(t, d.dir, 80, 21, texts)
	fresh.keys("w", "esc")
	if fresh.s.Typing() || fresh.s.review.active() {
		t.Error("esc does not lead out of the question")
	}
}

func TestTheSampleIsSetAndComesBackFromTheLedger(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	d.keys("d", "ctrl+u", "many", "enter")
	if !strings.Contains(seen(d.s), "Give a number") {
		t.Errorf("%s", seen(d.s))
	}
	d.keys("ctrl+u", "5", "enter")
	if n := len(d.s.review.rows); n != 23 {
		t.Fatalf("%d pairs in the queue", n)
	}
	d.keys("G", "v", "o", "y", "enter")
	if e := d.ledger().Entries; len(e) != 1 || e[0].Reason != review.Sampled || e[0].Sample != 5 {
		t.Errorf("%+v", e)
	}
	again := sit(t, d.dir, 120, 33, texts)
	again.as("bob")
	if n := len(again.s.review.rows); n != 23 {
		t.Errorf("%d pairs in the next queue", n)
	}
}

func TestHostileNotesAndNamesActOnNothing(t *testing.T) {
	dir := reviewtest.New().Write(t)
	d := sit(t, dir, 80, 21, func(e *casebook.Entry) { e.Case.Question, e.Case.Answer = fixture.Hostile, fixture.Hostile })
	d.as("ann")
	d.keys("v", "e", "y")
	d.paste(strings.Repeat(fixture.Hostile+"\r\n", 20_000)) // more than a megabyte
	if f := d.s.review.form; len(f.note) > review.MaxNote || len(f.note) < review.MaxNote-8 || f.problem == "" {
		t.Errorf("%d bytes, problem %q", len(f.note), f.problem)
	}
	d.keys("enter")
	if len(d.ledger().Entries) != 0 || !strings.Contains(squeeze(seen(d.s)), "the end of what you typed or pasted is left out") {
		t.Errorf("a note that was cut is recorded before that could be read:\n%s", seen(d.s))
	}
	d.keys("enter")
	l := d.ledger()
	if len(l.Entries) != 1 || strings.ContainsAny(l.Entries[0].Note, "\x1b\x07\u202e\n\r") {
		t.Fatalf("%+v", l.Entries)
	}
	// Another program may have written what it likes.
	e := l.Entries[0]
	order := d.s.review.standing().Queue.Sides("eve", e.CaseID)
	line := fmt.Sprintf(`{"schema_version":1,"at":"2026-09-01T10:00:00Z","reviewer":"eve","case_id":%q,"reason":"\u001b[2J","verdict":"other","disputed_rows":[],"note":"\u001b[31m\u202e\u0000","rows":{%q:%q,%q:%q},"seed":%d,"sample":0,"shown":[%q,%q],"blind":true}`+"\n",
		e.CaseID, casebook.RowID(e.CaseID, "confidence"), e.Rows[casebook.RowID(e.CaseID, "confidence")], casebook.RowID(e.CaseID, "hybrid-v1"), e.Rows[casebook.RowID(e.CaseID, "hybrid-v1")], e.Seed,
		reviewtest.Policies[order[0]], reviewtest.Policies[order[1]])
	file, err := os.OpenFile(filepath.Join(dir, review.LedgerFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(line); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	d.keys("n", "g", "enter", "r")
	if r := d.s.review.selected(); len(r.item.Current) != 2 {
		t.Fatalf("%d verdicts, lines that are none: %v", len(r.item.Current), d.ledger().Unread)
	}
	for _, text := range []string{strings.Join(d.s.View(), ""), strings.ReplaceAll(d.s.Pane(), "\n", "")} {
		if at := strings.IndexAny(text, "\x1b\x07\x00\u202e"); at >= 0 {
			t.Errorf("it acts on the terminal: %q", text[at:min(at+40, len(text))])
		}
	}
}

func TestAPasteChoosesNothingAndLettersTypedFastDo(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	d.as("ann")
	d.keys("v")
	d.paste("eya")
	d.keys("grader and so on, from a terminal that does not mark its pastes")
	if f := d.s.review.form; f.cause != unset || f.field != causeField || f.dirty() {
		t.Errorf("a paste chose: %+v", f)
	}
	d.keys("eax")
	if f := d.s.review.form; f.cause != 0 || f.grade != 1 || f.note != "x" {
		t.Errorf("letters typed fast: %+v", f)
	}
	d.keys("shift+tab", "right", "right", "right", "shift+tab", "right", "enter")
	if e := d.ledger().Entries; len(e) != 1 || e[0].Cause != review.CauseAbstention || len(e[0].Disputed) != 2 {
		t.Errorf("%+v", e)
	}
	d.keys("n", "v", "enter")
	if f := d.s.review.form; f == nil || f.problem == "" || f.field != causeField {
		t.Error("what is missing is not told")
	}
	d.keys("r", "enter")
	if f := d.s.review.form; f.field != gradeField || !strings.Contains(seen(d.s), "whose you dispute") {
		t.Errorf("%+v", f)
	}
}

func TestTheFormIsFilledByTheMouse(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {80, 21}, {120, 33}, {200, 57}} {
		d := sit(t, reviewtest.New().Write(t), size[0], size[1], texts)
		d.as("ann")
		d.keys("v")
		click := func(text string) {
			t.Helper()
			for y, line := range d.s.View() {
				if i := strings.Index(line, text); i >= 0 && y >= 8 {
					d.do(d.s.Mouse(screen.Mouse{X: len([]rune(line[:i])) + 1, Y: y}))
					return
				}
			}
			t.Fatalf("%v: %q is nowhere:\n%s", size, text, seen(d.s))
		}
		click("r reference")
		click("x dispute both")
		click("note ")
		d.keys("by hand", "enter")
		if e := d.ledger().Entries; len(e) != 1 || e[0].Cause != review.CauseReference || len(e[0].Disputed) != 2 || e[0].Note != "by hand" {
			t.Errorf("%v: %+v\n%s", size, e, seen(d.s))
		}
	}
}

func TestAFolderThatCannotBeReviewedSaysWhy(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	if err := os.MkdirAll(filepath.Join(d.dir, review.LedgerFile), 0o755); err != nil {
		t.Fatal(err)
	}
	d.as("ann")
	if view := seen(d.s); !strings.Contains(view, "The review cannot be read") || !strings.Contains(view, "a regular file is expected") {
		t.Errorf("%s", view)
	}
	d.keys("w")
	if !strings.Contains(seen(d.s), "discordant of 45") {
		t.Errorf("the pairs are not back:\n%s", seen(d.s))
	}
	d.do(d.s.Update(screen.Review{Err: errors.New("late")}))
}

func TestEverySizeOfTheReviewIsFilled(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 80, 21, texts)
	d.as("ann")
	for _, prepare := range [][]string{nil, {"v", "e", "y", strings.Repeat("words ", 200)}, {"enter", "n", "enter"}, {"d"}, {"esc", "u"}} {
		for _, k := range prepare {
			d.keys(k)
		}
		for w := 0; w < 240; w += 17 {
			for h := 0; h < 70; h += 7 {
				d.s.Resize(w, h)
				lines := d.s.View()
				if len(lines) != h {
					t.Fatalf("%d×%d: %d lines", w, h, len(lines))
				}
				for _, l := range lines {
					if n := len([]rune(l)); n != w {
						t.Fatalf("%d×%d: %q is %d cells", w, h, l, n)
					}
				}
				d.s.Mouse(screen.Mouse{X: w / 2, Y: h / 2, Wheel: w%2*2 - 1})
			}
		}
		d.s.Resize(80, 21)
	}
}

func BenchmarkAPairOfTheReviewIsDrawn(b *testing.B) {
	t := &testing.T{}
	d := &table{t: t, s: New(&plain), dir: reviewtest.New().Write(b)}
	d.s.Resize(200, 57)
	d.load(texts)
	d.as("ann")
	for b.Loop() {
		d.do(d.s.Do(keys.Down))
		d.s.View()
	}
}

func TestThePairThatWasJustReviewedStaysWhateverTheFilter(t *testing.T) {
	d := sit(t, reviewtest.New().Write(t), 120, 33, texts)
	d.as("ann")
	d.keys("/", "review=open", "enter")
	at := d.s.review.caseID()
	d.keys("v", "e", "y", "enter")
	if d.s.review.caseID() != at || !strings.Contains(seen(d.s), "A was ") {
		t.Errorf("the reviewer is not told:\n%s", seen(d.s))
	}
	d.keys("n")
	if next := d.s.review.caseID(); next == at || len(d.s.review.shown) != 17 {
		t.Errorf("at %s, %d pairs", next, len(d.s.review.shown))
	}
}

func TestAFolderThatGoesWhileTheFormIsOpenKeepsIt(t *testing.T) {
	run := reviewtest.New()
	dir := run.Write(t)
	d := sit(t, dir, 120, 33, texts)
	d.as("ann")
	d.keys("v", "e", "y", "half a thought")
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	d.keys("enter")
	if view := seen(d.s); !strings.Contains(view, "half a thought") || !strings.Contains(view, "cannot be read now") || !d.s.Typing() {
		t.Errorf("the folder is gone:\n%s", view)
	}
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	d.keys("enter")
	if e := d.ledger().Entries; len(e) != 1 || e[0].Note != "half a thought" {
		t.Errorf("%+v\n%s", e, seen(d.s))
	}
	// A pair that leaves the queue while its form is open: nothing stands in its place.
	d.keys("n", "v", "e", "y")
	id := d.s.review.form.caseID
	for _, policy := range reviewtest.Policies {
		row := run.Row(t, casebook.RowID(id, policy))
		row.Correct, row.Rule, row.Prediction = true, "exact", "answer number words"
	}
	run.WriteTo(t, dir)
	d.keys("enter")
	view := seen(d.s)
	if !strings.Contains(view, "not in the queue any more") || strings.Contains(view, "blind ──") || len(d.ledger().Entries) != 1 {
		t.Errorf("the pair left the queue:\n%s", view)
	}
	d.keys("esc")
	if d.s.Unsaved() == "" || d.s.review.selected() == nil {
		t.Error("the draft is gone")
	}
}

func TestWhoReviewedComesBackToTheReviewAndSeesNoPolicyOnTheWay(t *testing.T) {
	dir := reviewtest.New().Write(t)
	d := sit(t, dir, 120, 33, texts)
	d.as("ann")
	back := &table{t: t, s: New(&plain), dir: dir}
	back.s.Resize(120, 33)
	back.s.Restore(d.s.State())
	back.load(texts)
	if found := telling.FindString(back.all()); found != "" || !strings.Contains(seen(back.s), "Review 0/18 reviewed") {
		t.Errorf("%q is told:\n%s", found, seen(back.s))
	}
	back.keys("w")
	if back.s.State()["review"] != "" {
		t.Error("a review that was left comes back")
	}
}
