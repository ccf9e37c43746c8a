// How the run stands, in lines under the stages: what it took, whether calls
// are begun and if not why and until when, and at its end what is left to do.
package run

import (
	"fmt"
	"time"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/widget"
)

// remark is one such line; a warning asks for attention.
type remark struct {
	text string
	warn bool
}

// standing gives the lines for a pane of w cells.
func (s *Screen) standing(w int) []remark {
	p := s.progress
	var out []remark
	for _, l := range flow(p.took(), w) {
		out = append(out, remark{text: l})
	}
	switch {
	case p.asking():
		text, warn := p.pulse()
		out = append(out, remark{text, warn})
		out = append(out, s.flying(w)...)
	case s.info.Watching && p.Running:
		out = append(out, remark{text: "no process writes this folder now; the next start is shown by itself"})
	case !p.Running:
		out = append(out, s.leftToDo()...)
	}
	return out
}

// took is what the run took so far, in parts.
func (p *Progress) took() []string {
	f := &p.facts
	if f.Total == 0 {
		return nil
	}
	calls := widget.Plural(f.Calls, "call")
	if f.Cut > 0 {
		calls += fmt.Sprintf(" (%d cut off)", f.Cut)
	}
	if f.Least != "" {
		calls = "at least " + calls
	}
	parts := []string{calls, f.TokenWords(widget.Count)}
	if f.Priced {
		parts = append(parts, f.CostWords())
	}
	if f.Rate > 0 && p.asking() && !p.Paused {
		parts = append(parts, fmt.Sprintf("%.1f rows/s", f.Rate))
	}
	if f.Median > 0 {
		parts = append(parts, "latency "+widget.Latency(f.Median)+", p95 "+widget.Latency(f.P95))
	}
	if p.asking() && !p.Paused && f.HasLeft && f.Left > 0 {
		parts = append(parts, p.timeLeft())
	}
	if f.Least != "" {
		parts = append(parts, "("+widget.Clean(f.Least)+")")
	}
	if f.Looks > 0 {
		parts = append(parts, widget.Plural(f.Looks, "look")+" before the end")
	}
	return parts
}

// timeLeft tells the time left with its spread. While no call is begun, it
// begins only when that ends.
func (p *Progress) timeLeft() string {
	f := &p.facts
	rest := time.Duration(0)
	if f.Held != "" {
		rest = max(f.Until.Sub(p.Now), 0)
	}
	low, high := widget.Elapsed(f.LeftLow+rest), widget.Elapsed(f.LeftHigh+rest)
	if low == high {
		return "about " + low + " left"
	}
	return fmt.Sprintf("%s left, likely %s to %s", widget.Elapsed(f.Left+rest), low, high)
}

// flow writes parts in as many lines as they need.
func flow(parts []string, w int) []string {
	var out []string
	line := ""
	for _, part := range parts {
		switch {
		case line == "":
			line = part
		case widget.Width(line)+2+widget.Width(part) <= w:
			line += "  " + part
		default:
			out, line = append(out, line), part
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// pulse says whether calls are begun, and if not why and until when.
func (p *Progress) pulse() (text string, warn bool) {
	f := &p.facts
	calling := p.counts[pipeline.RowCalling]
	waiting := p.counts[pipeline.RowRetrying] + p.counts[pipeline.RowHeld]
	flight := widget.Plural(calling, "call") + " in flight"
	if waiting > 0 {
		flight += fmt.Sprintf(", %s waiting", widget.Plural(waiting, "row"))
	}
	switch {
	case p.Stopping:
		return "stopping, no further call is begun; " + flight, true
	case p.Paused:
		return "paused, p goes on; " + flight, true
	case f.Held != "" && f.Until.IsZero():
		return "no call is begun: " + f.Held, true
	case f.Held != "" && f.Until.After(p.Now):
		return "no call is begun until " + clock(f.Until) + " (" + widget.Elapsed(f.Until.Sub(p.Now)) + "): " + f.Held, true
	}
	return flight, false
}

// tall is the height from which the rows in flight are told one by one.
const tall = 30

// mostFlying is how many of them are told.
const mostFlying = 6

// flying tells what each row in flight does or waits for, where there is room.
func (s *Screen) flying(w int) []remark {
	if s.h < tall {
		return nil
	}
	p := s.progress
	var out []remark
	n := 0
	for i := range p.rows {
		r := &p.rows[i]
		if !choices[1].holds(r) {
			continue
		}
		if n++; n > mostFlying {
			continue
		}
		text := r.id + ": "
		if r.state == pipeline.RowCalling {
			text += fmt.Sprintf("attempt %d, called %s ago", r.attempt, widget.Elapsed(max(p.Now.Sub(r.since), 0)))
		} else {
			text += s.wait(r) + r.problem
		}
		out = append(out, remark{"  " + widget.Fit(text, min(widget.Width(text), max(w-4, 0)), s.th.Sign.More), r.state != pipeline.RowCalling})
	}
	for n < mostFlying && n < s.workers() { // so that nothing below moves with every row
		n++
		out = append(out, remark{})
	}
	return out
}

// workers is how many rows may be in flight at once; 0 where nobody knows.
func (s *Screen) workers() int {
	if s.book == nil || s.book.Study == nil {
		return 0
	}
	return s.book.Study.Config.QA.Workers
}

// leftToDo says what a run that is not in progress waits for.
func (s *Screen) leftToDo() []remark {
	p := s.progress
	if s.book == nil || s.book.Graded || !s.canStart() || s.info.Watching {
		return nil
	}
	key := s.th.Key.Render
	var out []remark
	failed, missing := p.counts[pipeline.RowFailed], p.counts[pipeline.RowWaiting]
	if failed > 0 {
		out = append(out, remark{fmt.Sprintf("%s without an answer: %s asks again, %s tells why", widget.Plural(failed, "row"), key("r"), key("enter")), true})
	}
	if missing > 0 && p.finished()+failed > 0 {
		out = append(out, remark{fmt.Sprintf("%s still to be asked: %s goes on there", widget.Plural(missing, "row"), key("r")), false})
	}
	if n := p.doubtful(); n > 0 {
		out = append(out, remark{fmt.Sprintf("%s without a plain answer (%s): %s asks again, %s accepts", widget.Plural(n, "row"), p.doubts(), key("R"), key("a")), true})
	}
	if len(out) == 0 && p.finished() > 0 {
		out = append(out, remark{"every answer is stored: " + key("r") + " grades them", false})
	}
	return out
}

// rowsHave is "1 row has" or "3 rows have".
func rowsHave(n int) string {
	if n == 1 {
		return "1 row has"
	}
	return fmt.Sprintf("%d rows have", n)
}

// stand tells of stages that were carried out before this was opened, as far as
// the folder shows it.
func (p *Progress) stand(book *casebook.Book) {
	for i := range p.stages {
		st := &p.stages[i]
		if st.state == stageNow || st.elapsed > 0 { // this start's own word is better
			continue
		}
		was := *st
		*st = stage{name: was.name, about: was.about}
		switch st.name {
		case pipeline.StageValidate:
			switch passed, all := checks(book); {
			case book.Study == nil && !book.Graded: // not read yet
			case book.Study == nil:
				st.state, st.summary = stageUnknown, "not known: no protocol or dataset here"
			case all == 0:
			case passed < all:
				st.state, st.summary = stageFailed, fmt.Sprintf("%d of %s passed when this was opened: see Study", passed, widget.Plural(all, "check"))
			default:
				st.state, st.summary = stageDone, fmt.Sprintf("%s passed when this was opened", widget.Plural(all, "check"))
			}
		case pipeline.StagePolicy:
			switch {
			case book.PolicyDone:
				st.state, st.summary = stageDone, "results are in the folder"
			case book.Graded:
				st.state, st.summary = stageUnknown, "no results of it are in the folder"
			}
		case pipeline.StageQA:
			st.done, st.total = p.finished(), len(p.rows)
			switch {
			case st.done == st.total && st.total > 0:
				st.state, st.summary = stageDone, fmt.Sprintf("%d answers stored", st.done)
			case st.done > 0:
				st.state, st.summary = stagePart, fmt.Sprintf("%s stored", fraction(st.done, st.total))
			}
		case pipeline.StageGrade:
			if book.Graded {
				st.state, st.summary = stageDone, "graded before this was opened"
			}
		}
	}
}

// checks counts the study's checks.
func checks(book *casebook.Book) (passed, all int) {
	for _, c := range book.Checks {
		switch c.State {
		case pipeline.CheckPassed:
			passed++
			all++
		case pipeline.CheckFailed:
			all++
		}
	}
	return passed, all
}
