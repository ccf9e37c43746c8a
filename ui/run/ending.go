// How a run ended, in words for who sits before the screen: what is missing and
// which key goes on, where a command would name its flags.
package run

import (
	"errors"
	"fmt"
	"strings"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// kept is said of a run that was stopped.
const kept = "stopped; every finished row is kept"

// brief is why a stage ended early, in a line.
func brief(err error) string {
	var open *pipeline.UndecidedError
	switch {
	case errors.As(err, &open):
		return rowsHave(len(open.Rows)) + " no plain answer"
	case errors.Is(err, pipeline.ErrLimit):
		return "stopped at its limit; every finished row is kept"
	case errors.Is(err, pipeline.ErrStopped):
		return kept
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return widget.Clean(first)
}

// Ending tells how a run ended: a title alone where there is nothing to read.
func (s *Screen) Ending(e screen.RunEnded) (title, text string) {
	var open *pipeline.UndecidedError
	switch {
	case s.info.Watching && e.Canceled:
		return "no longer watching; the run goes on", ""
	case s.info.Watching && e.Err == nil:
		return "the run that was watched has ended", ""
	case e.Canceled:
		return kept, ""
	case e.Err == nil:
		return "the run is complete", ""
	case errors.As(e.Err, &open):
		return rowsHave(len(open.Rows)) + " no plain answer", undecided(open)
	case errors.Is(e.Err, pipeline.ErrLimit):
		return "The run was stopped", e.Err.Error()
	case errors.Is(e.Err, pipeline.ErrStopped):
		return kept, ""
	case errors.Is(e.Err, pipeline.ErrRowsFailed):
		return rowsHave(s.progress.counts[pipeline.RowFailed]) + " no answer", s.failures()
	}
	return "The run ended early", e.Err.Error()
}

// undecided says what can be done about rows that are no plain answers.
func undecided(open *pipeline.UndecidedError) string {
	out := []string{
		"Every answer is stored, but these are no plain answers. Nothing is graded before somebody decides:",
		"",
		"R    calls them again; each keeps what it has until a new answer is stored",
		"a    takes them as they are; it is recorded and told with the results",
		"",
		"enter on a row shows what came, o lists only such rows.",
		"",
	}
	for _, d := range open.Rows {
		out = append(out, fmt.Sprintf("%s  %s: %s", d.RowID, d.State, d.Note))
	}
	return strings.Join(out, "\n")
}

// failures lists the rows that failed, with why.
func (s *Screen) failures() string {
	out := []string{"Every other answer is stored. r calls these again; enter on a row tells its attempts.", ""}
	for i := range s.progress.rows {
		if r := &s.progress.rows[i]; r.state == pipeline.RowFailed {
			out = append(out, r.id+"  "+r.problem)
		}
	}
	return strings.Join(out, "\n")
}

// BeforeQuit is the question to ask before the application ends; needed is
// false where nothing would be given up.
func (s *Screen) BeforeQuit(yes keys.Action) (ask screen.Ask, needed bool) {
	if !s.progress.Running || s.info.Watching {
		return ask, false
	}
	ask = screen.Ask{Title: "Quit while the run is in progress?", Yes: "quit now", Action: yes,
		Text: "Every finished row is kept, and starting again goes on from there."}
	if s.progress.asking() {
		ask.Text += "\n\n" + s.inFlight()
		if !s.progress.Stopping {
			ask.Also = keys.Table{{Action: Leave, Keys: []string{"d"}, Words: "let them finish, then quit"}}
		} else if !s.leaving {
			ask.Also = keys.Table{{Action: Leave, Keys: []string{"d"}, Words: "quit when they have"}}
		}
	}
	return ask, true
}

// inFlight says what becomes of calls that are given up.
func (s *Screen) inFlight() string {
	if s.info.Offline {
		return "Calls in flight are given up and made again then."
	}
	return "Calls in flight are given up: the provider may charge for them, and they are made again then."
}
