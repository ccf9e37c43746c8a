package ui

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/mattn/go-runewidth"

	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/theme"
)

// openedScenes are the views of what is opened, each with the reason it is kept.
var openedScenes = []struct {
	name, why string
	make      func(th theme.Theme, w, h int) *desk
}{
	{"home", "nothing is open: a run of every kind, and what is none with its reason", func(th theme.Theme, w, h int) *desk {
		d, _ := newShelf(th, w, h, false, false)
		d.keys("end")
		return d
	}},
	{"home-open", "one of the runs is open, and its identity is told", func(th theme.Theme, w, h int) *desk {
		d, _ := newShelf(th, w, h, true, false)
		d.keys("0")
		return d
	}},
	{"home-hostile", "names, paths and reasons try to act on the terminal", func(th theme.Theme, w, h int) *desk {
		d, _ := newShelf(th, w, h, false, true)
		return d
	}},
	{"study", "pins first; beside them, where there is room, the rest", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Study(), th, w, h, "1")
	}},
	{"study-checks", "every check with what was expected and found", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Study(), th, w, h, "1", "tab", "tab")
	}},
	{"study-ring", "the ring of distractors and the window of the third case", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Study(), th, w, h, "1", "tab", "tab", "tab", "tab", "J", "J")
	}},
	{"compare", "two runs of one protocol: identity, counts, tests, and a flip with both texts", func(th theme.Theme, w, h int) *desk {
		return comparing(th, w, h, &office{}, "o", "o", "home")
	}},
	{"compare-facts", "what differs in the facts, with the summary read on", func(th theme.Theme, w, h int) *desk {
		return comparing(th, w, h, &office{}, "v", "v", "tab", "tab", "pgdown")
	}},
	{"compare-protocols", "two protocols: what differs, and nothing joined", func(th theme.Theme, w, h int) *desk {
		return comparing(th, w, h, &office{difference: fixture.Protocols})
	}},
	{"compare-across", "joined across protocols, and said so", func(th theme.Theme, w, h int) *desk {
		return comparing(th, w, h, &office{difference: fixture.Protocols}, "x", "y")
	}},
	{"compare-missing", "rows are missing: they are named and no grade is shown", func(th theme.Theme, w, h int) *desk {
		return comparing(th, w, h, &office{difference: fixture.Missing}, "end")
	}},
	{"compare-hostile", "no text of a run acts on the terminal", func(th theme.Theme, w, h int) *desk {
		return comparing(th, w, h, &office{hostile: true}, "o", "o", "home", "tab")
	}},
	{"publication", "every state of a check, and what the first one that is open lacks", func(th theme.Theme, w, h int) *desk {
		return publishing(th, w, h, &office{})
	}},
	{"publication-ready", "nothing keeps the gate shut", func(th theme.Theme, w, h int) *desk {
		return publishing(th, w, h, &office{ready: true})
	}},
	{"publication-hostile", "no text of a check acts on the terminal", func(th theme.Theme, w, h int) *desk {
		return publishing(th, w, h, &office{hostile: true}, "end", "tab")
	}},
	{"publication-part", "a part of a run has no checklist", func(th theme.Theme, w, h int) *desk {
		d := newDeskAt(&fakeEngine{book: fixture.Book(45, fixture.Partly, false)}, th, w, h, func(a *App) {
			(&office{}).services(&a.do)
			a.build()
		})
		d.keys("4", "P")
		return d
	}},
	{"report", "the question before a report is written", func(th theme.Theme, w, h int) *desk {
		return publishing(th, w, h, &office{}, "w")
	}},
	{"report-written", "where the report is, and what its checklist says", func(th theme.Theme, w, h int) *desk {
		return publishing(th, w, h, &office{}, "w", "enter")
	}},
	{"published-study", "a published folder: what its documents say, and calmly what is not known", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Published(false), th, w, h, "1")
	}},
	{"published-case", "a case of which only the rows are known: kept sets side by side, no score is made up", func(th theme.Theme, w, h int) *desk {
		return at(fixture.Published(false), th, w, h, "3", "n", "enter")
	}},
}

func TestViewsOfWhatIsOpenedAreThoseThatWereLookedAt(t *testing.T) {
	for _, scene := range openedScenes {
		for name, th := range themes() {
			if name != "dark" && name != "plain" && name != "ascii" {
				continue
			}
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

func TestViewsOfWhatIsOpenedAreTheSameInACJKLocale(t *testing.T) {
	before := runewidth.DefaultCondition.EastAsianWidth
	t.Cleanup(func() { runewidth.DefaultCondition.EastAsianWidth = before })
	for _, scene := range openedScenes {
		runewidth.DefaultCondition.EastAsianWidth = false
		narrow := scene.make(themes()["plain"], 80, 24).app.View()
		runewidth.DefaultCondition.EastAsianWidth = true
		if scene.make(themes()["plain"], 80, 24).app.View() != narrow {
			t.Errorf("%s differs", scene.name)
		}
	}
}

// comparing is a window on the comparison of two runs.
func comparing(th theme.Theme, w, h int, o *office, keys ...string) *desk {
	d, _ := newOffice(th, w, h, o)
	d.onPublished()
	d.keys("c")
	d.keys(keys...)
	return d
}

// publishing is a window on the checklist.
func publishing(th theme.Theme, w, h int, o *office, keys ...string) *desk {
	d, _ := newOffice(th, w, h, o)
	d.keys("4", "P")
	d.keys(keys...)
	return d
}
