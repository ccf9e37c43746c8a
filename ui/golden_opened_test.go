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
