// Choosing two runs to compare: the one under the cursor with the one that is
// open, or two that were marked.
package home

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/runs"
	"deermem-tui/ui/screen"
)

// sides are what marked runs are called, the one marked first first.
var sides = [2]string{"A", "B"}

// graded tells whether a run can have grades to compare.
func graded(list []runs.Run, path string) bool {
	return slices.ContainsFunc(list, func(r runs.Run) bool {
		return r.Path == path && (r.Kind == runs.Graded || r.Kind == runs.Published)
	})
}

// mark marks the run under the cursor, or takes its mark away.
func (s *Screen) mark() tea.Cmd {
	at := s.Selection()
	switch i := slices.Index(s.marked, at); {
	case at == "":
		return nil
	case i >= 0:
		s.marked = slices.Delete(s.marked, i, i+1)
	case !graded(s.list.Runs, at):
		return say("only graded runs can be compared")
	case len(s.marked) == len(sides):
		return say("two runs are marked: c compares them, m takes a mark away")
	default:
		s.marked = append(s.marked, at)
	}
	return nil
}

// compare asks for the comparison of what is marked, or else of the run that is
// open with the one under the cursor.
func (s *Screen) compare() tea.Cmd {
	a, b := s.list.Open, s.Selection()
	switch len(s.marked) {
	case 2:
		a, b = s.marked[0], s.marked[1]
	case 1:
		if s.marked[0] != b {
			a = s.marked[0]
		}
	}
	switch {
	case b == "":
		return say("there is no run to compare")
	case a == "":
		return say("no run is open: mark two with m, then compare")
	case a == b:
		return say("put the cursor on another run, or mark two with m")
	case !graded(s.list.Runs, b):
		return say("only graded runs can be compared")
	}
	return screen.Request(screen.CompareRuns{A: a, B: b})
}

func say(text string) tea.Cmd { return screen.Request(screen.Toast{Text: text}) }
