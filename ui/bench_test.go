package ui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// A frame is one key handled and the whole window drawn, in colour. The goal
// is 8 ms at 200×60.
func benchmarkFrame(b *testing.B, cases int, where ...string) {
	d := newDesk(&fakeEngine{book: fixture.Book(cases, fixture.Graded, false)}, themes()["dark"], 200, 60)
	d.keys(where...)
	b.ReportAllocs()
	for b.Loop() {
		d.keys("j")
		_ = d.app.View()
	}
}

func BenchmarkFrameRun(b *testing.B)          { benchmarkFrame(b, 45, "2") }
func BenchmarkFrameCases(b *testing.B)        { benchmarkFrame(b, 45, "3") }
func BenchmarkFrameCase(b *testing.B)         { benchmarkFrame(b, 45, "3", "n", "enter") }
func BenchmarkFramePalette(b *testing.B)      { benchmarkFrame(b, 45, "3", ":") }
func BenchmarkFrameHelp(b *testing.B)         { benchmarkFrame(b, 45, "3", "?") }
func BenchmarkFrameCases10000(b *testing.B)   { benchmarkFrame(b, 10000, "3") }
func BenchmarkFrameRun20000Rows(b *testing.B) { benchmarkFrame(b, 10000, "2") }

func BenchmarkCapacityStep(b *testing.B) {
	d := newDesk(&fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, themes()["dark"], 200, 60)
	d.keys("3", "n", "enter")
	for b.Loop() {
		d.keys("[", "]")
		_ = d.app.View()
	}
}

func BenchmarkEventsOfARun(b *testing.B) {
	d := running(themes()["dark"], 200, 60)
	events := runEvents(d.app.book, 90)
	for b.Loop() {
		d.send(screen.Events{Events: events})
		_ = d.app.View()
	}
}

func BenchmarkFilterKey10000(b *testing.B) {
	d := newDesk(&fakeEngine{book: fixture.Book(10000, fixture.Graded, false)}, themes()["dark"], 200, 60)
	d.keys("3", "/")
	for b.Loop() {
		d.keys("a", "backspace")
		_ = d.app.View()
	}
}

func BenchmarkResize(b *testing.B) {
	d := newDesk(&fakeEngine{book: fixture.Book(45, fixture.Graded, false)}, theme.New(theme.Config{}), 200, 60)
	for i := 0; b.Loop(); i++ {
		d.send(tea.WindowSizeMsg{Width: 100 + i%100, Height: 30 + i%30})
		_ = d.app.View()
	}
}
