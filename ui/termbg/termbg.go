// Package termbg keeps the program from asking the terminal for its
// background colour while it starts.
//
// Bubble Tea v1 asks in its own init (OSC 11, then a cursor report) and waits
// up to five seconds for the answer: on a terminal that never answers, every
// command would hang that long, `version` included. Lip Gloss asks only when
// nobody told it the background before, so it is told here.
//
// It works because of the order in which Go initialises packages: of those
// whose imports are all initialised, the one whose import path sorts first.
// This package imports nothing but Lip Gloss, and "deermem-tui/ui/termbg"
// sorts before "github.com/charmbracelet/bubbletea". Adding an import here, or
// renaming the module to something that sorts after "github.com/charm…",
// brings the wait back; the package's test starts a program on a mute terminal
// to notice that.
//
// Import it for its effect, in package main:
//
//	import _ "deermem-tui/ui/termbg"
//
// The value set here is only a default. The colours of the application come
// from ui/theme, which is told by flag or environment.
package termbg

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
