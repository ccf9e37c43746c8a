// A row in full: what it waits for, every attempt with its error, what was sent
// and what came, and what it took. Never a grade.
package run

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// Stored is what is on disk of a row, as the shell found it.
type Stored struct {
	RowID string
	Row   rundir.Row
	Err   error // rundir.ErrNoRow where there is none
}

// maxStory is how many events of one row are remembered.
const maxStory = 60

// story adds an event of a row's way in this start.
func (r *row) tell(at time.Time, text string) {
	if len(r.story) >= maxStory {
		r.story = append(r.story[:1], r.story[2:]...)
	}
	r.story = append(r.story, line(at, text))
}

// told is an event of a row in words; empty for one that says nothing new.
func told(e pipeline.RowChanged) string {
	wait := ""
	if e.Wait > 0 {
		wait = " for " + widget.Elapsed(e.Wait)
	}
	if !e.Until.IsZero() {
		wait += " until " + clock(e.Until)
	}
	switch e.State {
	case pipeline.RowCalling:
		return fmt.Sprintf("attempt %d is called", e.Attempt)
	case pipeline.RowRetrying:
		return fmt.Sprintf("attempt %d failed: %s; waits%s", e.Attempt, e.Problem, wait)
	case pipeline.RowHeld:
		return fmt.Sprintf("held%s: %s", wait, e.Problem)
	case pipeline.RowFailed:
		return failure(e)
	case pipeline.RowAnswered:
		text := fmt.Sprintf("attempt %d was answered in %s", e.Attempt, widget.Latency(e.Latency))
		if e.Outcome.Doubtful() {
			text += fmt.Sprintf(", %s: %s", e.Outcome, e.Note)
		}
		return text
	case pipeline.RowWaiting:
		return e.Problem
	}
	return ""
}

// failure says that a row failed: after its attempts, or for a reason that lies
// here, such as a full disk after the answer came.
func failure(e pipeline.RowChanged) string {
	if e.Attempt == 0 {
		return "failed: " + e.Problem
	}
	return fmt.Sprintf("failed after %s: %s", widget.Plural(e.Attempt, "attempt"), e.Problem)
}

func clock(at time.Time) string { return at.Local().Format("15:04:05") }

// openRow asks what is stored of the row under the cursor.
func (s *Screen) openRow() tea.Cmd {
	if r := s.selected(); r != nil {
		return screen.Request(screen.ReadRow{RowID: r.rowID})
	}
	return nil
}

// detailed shows a row once what is stored of it is known.
func (s *Screen) detailed(found Stored) tea.Cmd {
	i, ok := s.progress.index[found.RowID]
	if !ok {
		return nil
	}
	r := &s.progress.rows[i]
	var out fields
	out.add("state", s.stateWords(r))
	switch {
	case r.waits():
		out.add("waits", s.wait(r)+r.problem)
	case r.doubtful():
		out.add("because", r.problem)
	default:
		out.add("problem", r.problem)
	}
	graded, known := s.graded(found.RowID)
	switch {
	case found.Err == nil:
		out.stored(found.Row, "another program wrote this row")
	case errors.Is(found.Err, rundir.ErrNoRow) && known:
		out.add("stored", "among the graded rows; the file of its answer is not in this folder")
		out.stored(graded, "graded rows do not name them")
	case errors.Is(found.Err, rundir.ErrNoRow):
		out.add("stored", "nothing yet")
		if task, ok := s.tasks[found.RowID]; ok {
			out.request(task.Fingerprint)
		}
	default:
		out.add("stored", found.Err.Error())
	}
	if len(r.story) > 0 {
		out = append(out, "", "Since this was opened")
		for _, l := range r.story {
			out = append(out, "  "+l)
		}
	}
	read := screen.Read{Title: "Row " + r.rowID, Text: strings.Join(out, "\n")}
	if found.Err == nil || known {
		read.Case = r.ofCase
	}
	return screen.Request(read)
}

// stateWords is a row's state without its sign.
func (s *Screen) stateWords(r *row) string {
	words := string(r.state)
	switch {
	case r.doubtful() && r.state != pipeline.RowFailed && !s.progress.open(s.progress.index[r.rowID]):
		words = "stored, no plain answer: " + string(r.outcome)
	case r.state == pipeline.RowReused:
		words = "stored"
	}
	if r.attempt > 0 && s.progress.open(s.progress.index[r.rowID]) {
		words += fmt.Sprintf(", attempt %d", r.attempt)
	}
	return words
}

// fields are lines of a name and a value.
type fields []string

func (f *fields) add(name, value string) {
	if value != "" {
		*f = append(*f, fmt.Sprintf("%-9s %s", name, widget.Clean(value)))
	}
}

// request names what is sent by its hash, which fills a line of its own.
func (f *fields) request(fingerprint string) {
	*f = append(*f, "request   SHA-256", "  "+widget.Clean(fingerprint))
}

// graded is a row as the graded results tell it; known is false for one that is
// not among them.
func (s *Screen) graded(rowID string) (row rundir.Row, known bool) {
	if s.book == nil {
		return row, false
	}
	for i := range s.book.Entries {
		e := &s.book.Entries[i]
		for policy, r := range e.Rows {
			if casebook.RowID(e.Case.ID, policy) != rowID || !r.Graded {
				continue
			}
			row = rundir.Row{RequestFingerprint: r.Fingerprint, Prediction: r.Prediction, Attempts: r.Attempts, Usage: map[string]*big.Int{}, Capacity: s.book.QACapacity,
				KeptFactIDs: e.Cells[casebook.CellKey{Policy: policy, Capacity: s.book.QACapacity}].Kept}
			if r.Model != "" {
				row.ResponseModel = &r.Model
			}
			for name, n := range r.Usage {
				row.Usage[name] = big.NewInt(n)
			}
			return row, true
		}
	}
	return row, false
}

// stored tells a row's file; less says why the attempts are not named.
func (f *fields) stored(row rundir.Row, less string) {
	f.add("stored", row.CreatedAt)
	f.request(row.RequestFingerprint)
	f.add("kept", fmt.Sprintf("%s at capacity %d", widget.Plural(len(row.KeptFactIDs), "fact"), row.Capacity))
	model := "not told"
	if row.ResponseModel != nil {
		model = *row.ResponseModel
	}
	x := row.Extra
	if x == nil {
		f.add("model", model)
		f.add("attempts", fmt.Sprintf("%d; %s", row.Attempts, less))
	} else {
		if x.OtherModel {
			model += ", another than was asked for"
		}
		f.add("model", model)
		f.add("asked", x.Started)
		f.add("latency", widget.Latency(x.Latency))
		f.add("ended", x.FinishReason)
		f.add("attempts", fmt.Sprint(row.Attempts))
		for _, a := range x.Failures {
			what := a.Class
			if a.Status > 0 {
				what += fmt.Sprintf(", HTTP %d", a.Status)
			}
			*f = append(*f, widget.Clean(fmt.Sprintf("  %d. %s after %s, then waited %s", a.Attempt, what, widget.Elapsed(a.Latency), widget.Elapsed(a.Wait))))
		}
	}
	f.usage(row)
	*f = append(*f, "", "Answer", "  "+widget.Clean(row.Prediction))
}

// usage tells the counts, nested ones too.
func (f *fields) usage(row rundir.Row) {
	all := map[string]any{}
	for name, n := range row.Counts() {
		all[name] = n
	}
	if row.Extra != nil {
		if full, ok := row.Extra.Usage.(map[string]any); ok {
			all = full
		}
	}
	if len(all) == 0 {
		f.add("usage", "not told")
		return
	}
	*f = append(*f, "usage")
	var walk func(prefix string, of map[string]any)
	walk = func(prefix string, of map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if inner, nested := of[name].(map[string]any); nested {
				walk(prefix+name+".", inner)
				continue
			}
			*f = append(*f, "  "+widget.Clean(fmt.Sprintf("%s%s: %v", prefix, name, of[name])))
		}
	}
	walk("", all)
}
