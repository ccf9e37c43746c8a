// The few sequences of our own that go to the terminal beside the frames.
package ui

import (
	"strings"

	osc52 "github.com/aymanbagabas/go-osc52/v2"
)

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
