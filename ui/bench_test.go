package ui

import (
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// measured runs a step again and again and reports, beside the mean, the time
// that 99 of 100 steps stay below and the worst one.
func measured(b *testing.B, step func()) {
	b.Helper()
	var took []time.Duration
	step() // what is made once is no frame
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		step()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	ms := func(i int) float64 { return float64(took[i]) / float64(time.Millisecond) }
	b.ReportMetric(ms((len(took)*99-1)/100), "p99-ms")
	b.ReportMetric(ms(len(took)-1), "worst-ms")
}

// A frame is one key handled and the whole window drawn, in colour. The goal
// is 8 ms at 200×60 for 99 of 100, and 16 ms with 20,000 rows.
func benchmarkFrame(b *testing.B, book *casebook.Book, where ...string) {
	d := newDesk(&fakeEngine{book: book}, themes()["dark"], 200, 60)
	d.keys(where...)
	keys := []string{"j", "j", "j", "k", "tab", "pgdown", "up"}
	i := 0
	measured(b, func() {
		d.keys(keys[i%len(keys)])
		i++
		_ = d.app.View()
	})
}

// Every screen that has a tab, the case detail and what lies over screens.
func BenchmarkFrame(b *testing.B) {
	book := fixture.Book(45, fixture.Graded, false)
	for _, t := range tabs {
		if t.screen != screen.Home { // it takes a library
			b.Run(string(t.screen), func(b *testing.B) { benchmarkFrame(b, book, t.key) })
		}
	}
	b.Run("case", func(b *testing.B) { benchmarkFrame(b, book, "3", "n", "enter") })
	b.Run("help", func(b *testing.B) { benchmarkFrame(b, book, "3", "?") })
	b.Run("palette", func(b *testing.B) { benchmarkFrame(b, book, "3", ":") })
	b.Run("export", func(b *testing.B) { benchmarkFrame(b, book, "3", "e") })
}

// The same with 10,000 cases, 20,000 rows of answers.
func BenchmarkFrame20000Rows(b *testing.B) {
	book := fixture.Book(10000, fixture.Graded, false)
	for _, t := range tabs {
		if t.screen != screen.Home {
			b.Run(string(t.screen), func(b *testing.B) { benchmarkFrame(b, book, t.key) })
		}
	}
	b.Run("case", func(b *testing.B) { benchmarkFrame(b, book, "3", "n", "enter") })
	b.Run("a letter of the filter", func(b *testing.B) {
		d := newDesk(&fakeEngine{book: book}, themes()["dark"], 200, 60)
		d.keys("3", "/")
		d.paste("pair=discordant kept=no ")
		measured(b, func() {
			d.keys("a")
			_ = d.app.View()
			d.keys("backspace")
		})
	})
	b.Run("sorting", func(b *testing.B) {
		d := newDesk(&fakeEngine{book: book}, themes()["dark"], 200, 60)
		d.keys("3")
		measured(b, func() {
			d.keys("o")
			_ = d.app.View()
		})
	})
}

func BenchmarkCapacityStep(b *testing.B) {
	d := newDesk(&fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, themes()["dark"], 200, 60)
	d.keys("3", "n", "enter")
	measured(b, func() {
		d.keys("[", "]")
		_ = d.app.View()
	})
}

func BenchmarkEventsOfARun(b *testing.B) {
	d := running(themes()["dark"], 200, 60)
	events := runEvents(d.app.book, 90)
	measured(b, func() {
		d.send(screen.Events{Events: events})
		_ = d.app.View()
	})
}

func BenchmarkResize(b *testing.B) {
	d := newDesk(&fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, theme.New(theme.Config{}), 200, 60)
	i := 0
	measured(b, func() {
		d.send(tea.WindowSizeMsg{Width: 100 + i%100, Height: 30 + i%30})
		i++
		_ = d.app.View()
	})
}

// What the application itself takes of the first frame; the whole process is
// measured beside the command.
func BenchmarkFirstFrame(b *testing.B) {
	engine := &fakeEngine{book: fixture.Book(45, fixture.Graded, false)}
	measured(b, func() { _ = newDesk(engine, themes()["dark"], 200, 60).app.View() })
}
