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
	var again *pipeline.RetryError
	var graded *pipeline.GradedError
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
		if errors.As(e.Err, &again) {
			return "No other answer came", again.Error()
		}
		return rowsHave(s.progress.unanswered()) + " no answer", s.failures()
	case errors.As(e.Err, &graded):
		return "The run is graded already", fmt.Sprintf("%s would be called and paid for, and the results that are there (%s) would no longer be those of the rows.\n\n"+
			"Move these files away first, then start again: all is graded anew at the end. Or begin another run.", widget.Plural(graded.Rows, "row"), strings.Join(graded.Names, ", "))
	}
	return "The run ended early", e.Err.Error()
}

// undecided says what can be done about rows that are no plain answers.
func undecided(open *pipeline.UndecidedError) string {
	out := []string{
		"Every answer is stored, but these are no plain answers. Nothing is graded before somebody decides. Once this is closed,",
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
	out := []string{"Every other answer is stored. Once this is closed, r calls these again; enter on a row tells its attempts.", ""}
	for i := range s.progress.rows {
		if r := &s.progress.rows[i]; r.state == pipeline.RowFailed && !r.stored {
			out = append(out, r.id+"  "+r.problem)
		}
	}
	return strings.Join(out, "\n")
}

// unanswered is the number of rows that failed and have no answer.
func (p *Progress) unanswered() int {
	n := 0
	for i := range p.rows {
		if p.rows[i].state == pipeline.RowFailed && !p.rows[i].stored {
			n++
		}
	}
	return n
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
	flying := s.progress.counts[pipeline.RowCalling]
	calls := widget.Plural(flying, "call") + " in flight"
	switch {
	case flying == 0:
		return "No call is in flight."
	case s.info.Offline && flying == 1:
		return calls + " is given up and made again then."
	case s.info.Offline:
		return calls + " are given up and made again then."
	case flying == 1:
		return calls + " is given up: the provider may charge for it, and it is made again then."
	}
	return calls + " are given up: the provider may charge for them, and they are made again then."
}
