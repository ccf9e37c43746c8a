// A log: the newest lines of something that goes on, with a bound on memory.
package widget

import "deermem-tui/ui/theme"

// maxLog is how many lines a log keeps.
const maxLog = 2000

// Log follows its end until it is scrolled up.
type Log struct {
	lines []string
	back  int // lines between the end of the window and the newest
}

// Add appends a cleaned line.
func (l *Log) Add(line string) {
	if len(l.lines) >= maxLog {
		l.lines = append(l.lines[:0], l.lines[len(l.lines)-maxLog*3/4:]...)
	}
	l.lines = append(l.lines, line)
	if l.back > 0 {
		l.back++
	}
}

// Len is the number of lines kept.
func (l *Log) Len() int { return len(l.lines) }

// Scroll moves the window by n lines, down for n > 0.
func (l *Log) Scroll(n int) { l.back = max(min(l.back-n, len(l.lines)-1), 0) }

// View draws the window: h lines of w cells.
func (l *Log) View(th *theme.Theme, w, h int) []string {
	end := max(len(l.lines)-l.back, 0)
	start := max(end-max(h, 0), 0)
	return Block(l.lines[start:end], w, h, th.Sign.More)
}
