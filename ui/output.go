// The output of the program: frames and the few sequences of our own, one
// write at a time, so that neither lands inside the other.
package ui

import (
	"os"
	"strings"
	"sync"

	osc52 "github.com/aymanbagabas/go-osc52/v2"
)

// output is a terminal that two may write to. It stays a file for Bubble Tea,
// which asks it for its size.
type output struct {
	*os.File
	mu sync.Mutex
}

// Write writes all of p before anybody else writes.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.File.Write(p)
}

// WriteString is Write for text; the embedded file's own would go around the lock.
func (o *output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

// wrapSequence switches whether the terminal continues a line that is too long
// on the next one (DECAWM).
func wrapSequence(on bool) string {
	if on {
		return "\x1b[?7h"
	}
	return "\x1b[?7l"
}

// maxCopy is the longest text that terminals take by OSC 52 without harm.
const maxCopy = 70_000

// copySequence is the text for the terminal's clipboard. Inside tmux it is
// written both ways: for tmux itself (set-clipboard) and passed through.
func copySequence(text string, getenv func(string) string) string {
	if len(text) > maxCopy {
		text = strings.ToValidUTF8(text[:maxCopy], "")
	}
	seq := osc52.New(text)
	switch {
	case getenv("TMUX") != "":
		return seq.String() + seq.Tmux().String()
	case strings.HasPrefix(getenv("TERM"), "screen"):
		return seq.Screen().String()
	}
	return seq.String()
}
