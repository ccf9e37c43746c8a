// The clock: the time at which facts are scored is that of reading, until
// another one is asked for, by flag or here.
package store

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/eviction"
	"deermem-tui/ui/widget"
)

// clockInput is a clock being typed.
type clockInput struct {
	open    bool
	input   widget.Input
	problem string // cleaned
}

// SetClock sets the time at which facts are scored, until "now" is typed.
func (s *Screen) SetClock(at eviction.Moment) { s.clock = at }

// typeClock takes a key into the clock: enter sets it, esc leaves it.
func (s *Screen) typeClock(msg tea.KeyMsg) tea.Cmd {
	c := &s.setting
	if !msg.Paste {
		switch msg.Type {
		case tea.KeyEsc:
			c.open = false
			s.arrange()
			return nil
		case tea.KeyEnter:
			return s.turnClock(c.input.Value)
		}
	}
	if c.input.Type(msg) {
		c.problem = ""
	}
	return nil
}

// turnClock scores at another time. The present time is that of reading again.
func (s *Screen) turnClock(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "now" {
		s.setting.open, s.clock = false, eviction.Moment{}
		s.arrange()
		return s.readAgain()
	}
	at, ok := eviction.ReadClock(text, s.now)
	if !ok {
		s.setting.problem = fmt.Sprintf("%q is no time: 2026-08-13, +30d, -12h or now", widget.Clean(text))
		return nil
	}
	s.setting.open, s.clock, s.now = false, at, at
	s.arrange()
	return tea.Batch(s.ask(), s.tell())
}

// clockLine is the line in which the clock is typed.
func (s *Screen) clockLine(w int) string {
	c := &s.setting
	if c.problem != "" {
		return s.th.Bad.Render(widget.Fit(s.th.Words(c.problem), w, s.th.Sign.More))
	}
	line := c.input.View(s.th, "clock: ", w)
	if c.input.Value == "" {
		line = widget.Fit(s.th.Key.Render("clock: ")+s.th.Focus.Render("_")+s.th.Dim.Render(" 2026-08-13, +30d, -12h or now"), w, s.th.Sign.More)
	}
	return line
}

// clockWords says the clock in a few cells, and that it was set.
func (s *Screen) clockWords() string {
	text := s.now.Time().Format(time.DateOnly)
	if s.clock.IsSet() {
		text += " (set)"
	}
	return text
}
