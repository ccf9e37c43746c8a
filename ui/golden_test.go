package ui

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/mattn/go-runewidth"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/memstore"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/run"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/store"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

var update = flag.Bool("update", false, "write the golden views anew; look at them afterwards")

// scenes are the views that are kept, each with the reason it is.
var scenes = []struct {
	name, why string
	make      func(th theme.Theme, w, h int) *desk
}{
	{"run-ready", "what a newcomer sees first: nothing has run, one key starts it", func(th theme.Theme, w, h int) *desk {
		return newDesk(&fakeEngine{book: fixture.Book(45, fixture.Fresh, false)}, th, w, h)
	}},
	{"run-running", "a run in the middle, with a retried and a failed row, and no accuracy anywhere", running},
	{"run-graded", "the outcome: three suites, overall labelled as what it is", func(th theme.Theme, w, h int) *desk {
		return newDesk(&fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, th, w, h)
	}},
	{"cases", "the list at a discordant case, with the preview where it is wide", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "n")
	}},
	{"cases-filter", "the filter while it is typed", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "/", "a", "c", "c", "e", "s", "s", " ", "=")
	}},
	{"cases-found", "conditions and words combined, sorted, with the count of what is shown", func(th theme.Theme, w, h int) *desk {
		d := at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "/")
		d.paste("pair=discordant kept=no policy=confidence tram")
		d.keys("enter", "o", "o", "o", "O")
		return d
	}},
	{"cases-unknown", "a key that does not exist is answered, the rest of the filter works", func(th theme.Theme, w, h int) *desk {
		d := at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "/")
		d.paste("access colour=red")
		return d
	}},
	{"export", "the question before a table is written", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "e", "tab")
	}},
	{"case", "why the fact was evicted under one policy and kept under the other", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "n", "enter")
	}},
	{"case-reserved", "a correction below the cut that a reserved slot keeps, at a capacity that is not pinned", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "N", "enter", "tab", "[")
	}},
	{"case-question", "the question and both answers, where there is room for one thing only", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", "n", "enter", "tab", "v")
	}},
	{"hostile", "every text tries to act on the terminal; nothing does and no line changes its width", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, true), th, w, h, "3", "n", "enter")
	}},
	{"pairs", "the discordant pairs, and why the first one's answers differ", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "4", "enter", "esc")
	}},
	{"pairs-first", "no pair is shown before somebody asks for one: who came to review would not be blind", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "4")
	}},
	{"pairs-same", "a concordant pair with identical requests, read from its top", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "4", "d", "G", "enter")
	}},
	{"pairs-hostile", "no text of a pair acts on the terminal", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, true), th, w, h, "4", "enter")
	}},
	{"statistics", "the suites apart: table, p, difference, the distribution with its marks", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "5")
	}},
	{"statistics-values", "overall, labelled as what it is, with the distribution as a list", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "5", "tab", "tab", "v", "pgdown")
	}},
	{"statistics-end", "the end of the page: usage and every warning", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, true), th, w, h, "5", "G")
	}},
	{"statistics-missing", "no figure of a part: what is missing instead", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Partly, false), th, w, h, "5")
	}},
	{"what-if", "nothing moved yet: the protocol's settings, and the strip of the first case's support", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Fresh, false), th, w, h, "6")
	}},
	{"what-if-moved", "a weight moved far: what changes, where the decision flips, the protocol's place marked", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Fresh, false), th, w, h, "6", "L", "L", "L", "L", "n")
	}},
	{"what-if-near", "the facts nearest to the cut, with the list in focus", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Fresh, false), th, w, h, "6", "j", "j", "L", "L", "L", "L", "[", "n", "v", "tab", "d")
	}},
	{"what-if-hostile", "no text of a case acts on the terminal", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, true), th, w, h, "6", "L", "L", "L", "L", "n")
	}},
	{"what-if-rows-only", "a published folder has no facts to play with, and the screen says so", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Published(false), th, w, h, "6")
	}},
	{"store", "a fact of a store: why it goes or stays under both policies, and what is stored", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "j", "j", "o")
	}},
	{"store-next", "what goes at a lower cap, together and one at a time", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "v", "[", "[", "[")
	}},
	{"store-audit", "a past eviction: recorded, computed now and unknown kept apart", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "n", "n", "tab")
	}},
	{"store-compare", "what hybrid-v1 would keep, with a filter over the facts", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "v", "v", "/", "t", "r", "a", "i", "n", "enter")
	}},
	{"store-line", "evictions by time and category, and how often the policies disagreed", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "v", "v", "v", "tab")
	}},
	{"store-clock", "scores at another time, which the title says", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "t", "+", "9", "0", "d", "enter")
	}},
	{"store-clock-typed", "a clock that is none is answered where it is typed", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "t", "s", "o", "o", "n", "enter")
	}},
	{"what-if-store", "an agent of the store at a lower cap: what comes and goes, and where the fact that goes would flip", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "w", "[", "[", "n")
	}},
	{"what-if-store-hostile", "no text of a store acts on the terminal while it is played with", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, true, nil, "w", "[", "n", "tab")
	}},
	{"what-if-choose", "what can be played with: the study, and the agents of the store", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "6", "c")
	}},
	{"what-if-settings", "two settings that were kept, side by side with the start", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "w", "H", "H", "H", "a", "l", "o", "w", "enter", "r", "[", "[", "[", "a", "s", "m", "a", "l", "l", "enter", "s", "home", "m", "j", "m", "m")
	}},
	{"what-if-foreign", "a setting kept over the study is taken over a store: its constants alone, and a word about the rest", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "6", "[", "[", "a", "l", "o", "w", "enter", "7", "w", "s", "enter")
	}},
	{"what-if-parted", "cap and weights moved over a store: what the cap does alone", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "w", "[", "[", "[", "H", "H", "H")
	}},
	{"what-if-fits", "a cap that holds every fact: no constant decides anything", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, nil, "w", "]", "]", "]", "]", "v")
	}},
	{"store-hostile", "no text of a store acts on the terminal", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, true, nil, "v", "v", "v", "v", "v")
	}},
	{"store-old", "a reading that failed: what was read before, marked as old, and why", func(th theme.Theme, w, h int) *desk {
		d := withStore(th, w, h, false, nil)
		d.send(screen.For{Screen: screen.Store, Msg: store.Loaded{Err: &memstore.OpenError{Path: "/home/mara/.deermem", Err: fs.ErrNotExist}, At: fixture.Now}})
		return d
	}},
	{"store-none", "there is no store: said calmly, with how to open one", func(th theme.Theme, w, h int) *desk {
		return withStore(th, w, h, false, fixture.ErrNoStore)
	}},
	{"palette", "the commands over the list", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Book(45, fixture.Graded, false), th, w, h, "3", ":", "c", "o")
	}},
}

var sizes = [][2]int{{80, 24}, {120, 36}, {200, 60}}

func TestViewsAreThoseThatWereLookedAt(t *testing.T) {
	for _, scene := range scenes {
		for name, th := range themes() {
			for _, size := range sizes {
				file := fmt.Sprintf("%s_%dx%d_%s.txt", scene.name, size[0], size[1], name)
				t.Run(file, func(t *testing.T) {
					view := scene.make(th, size[0], size[1]).app.View()
					exact(t, view, size[0], size[1])
					golden(t, filepath.Join("testdata", "golden", file), view+"\n")
				})
			}
		}
	}
}

// A CJK locale makes go-runewidth count frames and dots as two cells; no view
// may depend on it.
func TestViewsAreTheSameInACJKLocale(t *testing.T) {
	before := runewidth.DefaultCondition.EastAsianWidth
	t.Cleanup(func() { runewidth.DefaultCondition.EastAsianWidth = before })
	for _, scene := range scenes {
		for _, size := range sizes {
			runewidth.DefaultCondition.EastAsianWidth = false
			narrow := scene.make(themes()["plain"], size[0], size[1]).app.View()
			runewidth.DefaultCondition.EastAsianWidth = true
			if scene.make(themes()["plain"], size[0], size[1]).app.View() != narrow {
				t.Errorf("%s differs at %d×%d", scene.name, size[0], size[1])
			}
		}
	}
}

// The same goldens hold in a program that was started in another locale, and
// libraries read the locale once, at the start.
func TestGoldenViewsHoldInEveryLocale(t *testing.T) {
	if os.Getenv(inLocale) != "" || *update {
		t.Skip("this is the program that is started")
	}
	for _, locale := range []string{"C.UTF-8", "zh_CN.UTF-8"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestViewsAreThoseThatWereLookedAt$")
		cmd.Env = append(os.Environ(), "LC_ALL="+locale, "LANG="+locale, inLocale+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.2000s", locale, err, out)
		}
	}
}

const inLocale = "DEERMEM_TEST_LOCALE"

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with -update and look at it", err)
	}
	if string(want) == got {
		return
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d of %s:\nwant %q\ngot  %q", i+1, path, a[i], b[i])
		}
	}
	t.Fatalf("%s: %d lines, want %d", path, len(b), len(a))
}

// exact checks that a view fills its window, no cell more or less, and holds
// no character that acts on a terminal but the styles of the theme.
func exact(t *testing.T, view string, w, h int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Errorf("%d lines in a window of %d", len(lines), h)
	}
	for i, line := range lines {
		if got := widget.Width(line); got != w {
			t.Errorf("line %d is %d cells wide in a window of %d: %q", i+1, got, w, line)
		}
		if bad := strings.IndexFunc(stripStyles(line), func(r rune) bool {
			return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		}); bad >= 0 {
			t.Errorf("line %d holds a control character: %q", i+1, line)
		}
	}
}

// stripStyles removes what the theme writes, ESC [ digits and ; m, and moves to
// a column, ESC [ digits G.
func stripStyles(s string) string {
	var out strings.Builder
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return out.String() + s
		}
		out.WriteString(s[:i])
		rest := strings.TrimLeft(s[i+2:], "0123456789;")
		if !strings.HasPrefix(rest, "m") && !strings.HasPrefix(rest, "G") {
			return out.String() + s[i:]
		}
		s = rest[1:]
	}
}

func at(book *casebook.Book, th theme.Theme, w, h int, keys ...string) *desk {
	d := newDesk(&fakeEngine{book: book}, th, w, h)
	d.keys(keys...)
	return d
}

func running(th theme.Theme, w, h int) *desk {
	book := fixture.Book(45, fixture.Fresh, false)
	d := newDesk(&fakeEngine{book: book}, th, w, h)
	d.send(screen.RunStarted{Stages: run.Stages(), At: fixture.Now})
	d.send(screen.Events{Events: runEvents(book, 26)})
	return d
}

// withStore is a window on the Store screen, of a store or of why there is none.
func withStore(th theme.Theme, w, h int, hostile bool, err error, keys ...string) *desk {
	d := newDeskAt(&fakeEngine{book: fixture.Book(3, fixture.Fresh, false)}, th, w, h, func(a *App) {
		a.do.store = func() tea.Msg {
			loaded := store.Loaded{Err: err, At: fixture.Now}
			if err == nil {
				loaded.Store = fixture.Store(hostile)
			}
			return screen.For{Screen: screen.Store, Msg: loaded}
		}
		a.do.settings = keepsInMemory()
	})
	d.keys("7")
	d.keys(keys...)
	return d
}
