// How the Run screen is laid out and drawn.
package run

import (
	"fmt"
	"strings"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// layout is where the panes are. Stages are at the top, below them the results
// once graded; rows and log share the rest, side by side when it is wide.
type layout struct {
	stages, results int // heights
	rowsTop         int
	rowsW, rowsH    int
	logX, logY      int
	logW, log       int // log is its height; 0 when there is no room
}

func plan(w, h, facts, results int, log bool) layout {
	l := layout{stages: min(len(abouts)+2+facts, h)}
	l.results = min(results, h-l.stages)
	l.rowsTop = l.stages + l.results
	rest := h - l.rowsTop
	switch {
	case !log:
		l.rowsW, l.rowsH = w, rest
	case w >= 130 && rest >= 6: // beside
		l.logW = w * 2 / 5
		l.rowsW, l.rowsH = w-l.logW, rest
		l.logX, l.logY, l.log = l.rowsW, l.rowsTop, rest
	case rest >= 12: // below
		l.log = max(rest/3, 5)
		l.rowsW, l.rowsH = w, rest-l.log
		l.logX, l.logY, l.logW = 0, l.rowsTop+l.rowsH, w
	default:
		l.rowsW, l.rowsH = w, rest
	}
	return l
}

// wide is the width from which the table has room for a row's problem.
const wide = 100

func (l layout) inLog(x, y int) bool {
	return l.log > 0 && x >= l.logX && y >= l.logY
}

var rowColumns = []widget.Column{
	{Title: "state", Width: 11},
	{Title: "case", Width: 12, Flex: true},
	{Title: "policy", Width: 10},
	{Title: "tries", Width: 5, Right: true},
	{Title: "latency", Width: 8, Right: true},
	{Title: "tokens", Width: 7, Right: true},
	{Title: "problem", Width: 16, Flex: true, Rank: 1},
}

// Resize gives the body's size.
func (s *Screen) Resize(w, h int) {
	s.w, s.h = max(w, 0), max(h, 0)
	s.arrange()
}

func (s *Screen) arrange() {
	results := 0
	if n := len(suites(s.book)); n > 0 && !s.progress.Running {
		results = n + 3
	}
	s.lay = plan(s.w, s.h, len(s.standing(s.w-4)), results, s.progress.Running || len(s.all) > 0)
	if s.lay.log == 0 {
		s.onLog = false
	}
	s.list()
	s.table.Resize(max(s.lay.rowsW-4, 0), max(s.lay.rowsH-2, 0))
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	th, l := s.th, s.lay
	out := widget.Pane{Title: th.Title.Render("Stages"), W: s.w, H: l.stages, Note: s.spent()}.Draw(th, s.stageLines(s.w-4))
	if l.results > 0 {
		out = append(out, widget.Pane{Title: th.Title.Render("Results"), W: s.w, H: l.results,
			Note: "right answers; overall is no test of its own" + s.looked()}.Draw(th, s.resultLines())...)
	}
	rows, lines := s.rowsPane()
	if l.log == 0 {
		return widget.Block(append(out, rows.Draw(th, lines)...), s.w, s.h, "")
	}
	log := widget.Pane{Title: th.Title.Render("Log") + s.filtered(), W: l.logW, H: l.log, Focus: s.onLog}
	iw, ih := log.Inner()
	logged := log.Draw(th, s.log.View(th, iw, ih))
	if l.logX > 0 {
		out = append(out, widget.Beside(rows.Draw(th, lines), logged)...)
	} else {
		out = append(append(out, rows.Draw(th, lines)...), logged...)
	}
	return widget.Block(out, s.w, s.h, "")
}

// looked tells of looks before the end, with the results they may have bent.
func (s *Screen) looked() string {
	if s.book.Looks == 0 {
		return ""
	}
	return "; " + widget.Plural(s.book.Looks, "look") + " before the end"
}

// filtered tells what the log is filtered by.
func (s *Screen) filtered() string {
	switch {
	case s.typing:
		return " /" + s.filter + s.th.Sign.More
	case s.filter != "":
		return s.th.Dim.Render(" /" + s.filter)
	}
	return ""
}

func (s *Screen) spent() string {
	if s.info.Folder == "" {
		return ""
	}
	return widget.Clean(s.info.Folder)
}

// stageLines draws a line a stage: sign, name, bar, count, time, what it said.
func (s *Screen) stageLines(w int) []string {
	th := s.th
	out := make([]string, 0, len(s.progress.stages))
	for i := range s.progress.stages {
		st := &s.progress.stages[i]
		name := widget.Fit(string(st.name), 11, th.Sign.More)
		bar := min(max(w/5, 8), 30)
		switch st.state {
		case stageNow:
			spin := th.Sign.Spin[s.spin%len(th.Sign.Spin)]
			out = append(out, th.Info.Render(spin+" "+name)+" "+widget.Progress(th, st.done, st.total, bar)+" "+
				widget.FitRight(widget.Elapsed(s.progress.Now.Sub(st.started)), 8, "")+"  "+
				fraction(st.done, st.total)+" "+th.Dim.Render(st.unit+percent(st.done, st.total)))
		case stageDone:
			took := "" // nothing where it was done before the folder was opened
			if st.elapsed > 0 {
				took = widget.FitRight(elapsed(st), 8, "") + " "
			}
			out = append(out, th.Good.Render(th.Sign.Done)+" "+name+" "+widget.Progress(th, 1, 1, bar)+" "+took+" "+st.summary)
		case stageFailed:
			out = append(out, th.Bad.Render(th.Sign.Stop+" "+name)+" "+widget.Progress(th, st.done, st.total, bar)+" "+
				widget.FitRight(elapsed(st), 8, "")+"  "+th.Bad.Render(st.summary))
		case stagePart:
			out = append(out, th.Warn.Render(th.Sign.Todo)+" "+name+" "+widget.Progress(th, st.done, st.total, bar)+"  "+st.summary)
		case stageUnknown:
			out = append(out, th.Dim.Render("? "+name+" "+widget.Spaces(bar)+"  "+st.summary))
		default:
			out = append(out, th.Dim.Render(th.Sign.Todo+" "+name)+" "+widget.Progress(th, 0, 0, bar)+" "+
				widget.Spaces(8)+"  "+th.Dim.Render(st.about))
		}
	}
	for _, r := range s.standing(w) {
		if r.warn {
			out = append(out, th.Warn.Render(r.text))
		} else {
			out = append(out, th.Dim.Render(r.text))
		}
	}
	return out
}

func elapsed(st *stage) string {
	if st.elapsed <= 0 {
		return ""
	}
	return widget.Elapsed(st.elapsed)
}

func percent(done, total int) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf(", %d %%", done*100/total)
}

// resultLines is the graded outcome, a line a suite, aligned.
func (s *Screen) resultLines() []string {
	th := s.th
	a, b := widget.Clean(s.book.Policies[0].Name), widget.Clean(s.book.Policies[1].Name)
	more := th.Sign.More
	line := func(suite, first, second, rest string) string {
		return widget.Fit(suite, 14, more) + widget.FitRight(first, 16, more) + "  " + widget.FitRight(second, 16, more) + "    " + rest
	}
	out := []string{th.Dim.Render(line("suite", a, b, "right under one only"))}
	for _, x := range suites(s.book) {
		out = append(out, line(x.name, widget.Share(x.first, x.cases), widget.Share(x.second, x.cases),
			fmt.Sprintf("+conf %d, +hyb %d", x.onlyFirst, x.onlySecond)))
	}
	return out
}

// rowsPane is the table, or what to do when there is nothing in it yet.
func (s *Screen) rowsPane() (widget.Pane, []string) {
	pane := widget.Pane{W: s.lay.rowsW, H: s.lay.rowsH, Focus: !s.onLog}
	if s.ready() {
		pane.Title = s.th.Title.Render("Ready")
		return pane, s.invitation(pane.Inner())
	}
	pane.Title = s.th.Title.Render(s.listed())
	if s.only == 0 {
		pane.Title += "  " + s.th.Dim.Render(s.progress.tally())
	}
	pane.Note = s.progress.stored()
	if at := s.table.Position(); at != "" {
		pane.Note = strings.TrimSpace(at + "  " + pane.Note)
	}
	if r := s.selected(); r != nil && s.lay.rowsW < wide {
		// Where the table has no room for it, its lower edge says what the row
		// under the cursor waits for, or why it failed.
		if r.problem != "" {
			room := s.lay.rowsW - widget.Width(pane.Note) - 10
			pane.Note = strings.TrimRight(widget.Fit(s.wait(r)+r.problem, min(room, widget.Width(s.wait(r)+r.problem)), s.th.Sign.More), " ") + "  " + pane.Note
		}
	}
	return pane, s.table.View(s.th, !s.onLog)
}

// invitation says what starting will do, before anything has run.
func (s *Screen) invitation(w, rows int) []string {
	th := s.th
	out := []string{""}
	if s.err != "" {
		for _, l := range widget.Wrap(th.Sign.Stop+" "+s.err, w) {
			out = append(out, th.Bad.Render(l))
		}
		out = append(out, "")
	}
	if s.info.Watching {
		return append(out, widget.Wrap("No other process has asked a question here yet. "+th.Key.Render("s")+" looks again.", w)...)
	}
	n := len(s.progress.rows)
	if s.canStart() {
		out = append(out, "Press "+th.Key.Render("s")+" to run the study.")
	}
	if n > 0 {
		out = append(out, "")
		out = append(out, widget.Wrap(fmt.Sprintf("It checks the pinned files, cuts every pool under both policies, asks for %d answers "+
			"and grades them once all are there. Every answer is stored as it comes; a row that is stored is never called again.", n), min(w, 90))...)
	}
	model := ""
	if s.info.Model != "" && !s.info.Offline {
		model = ", model " + s.info.Model
	}
	out = append(out, "")
	field := func(name, value string) {
		for i, l := range widget.Wrap(widget.Clean(value), max(w-9, 1)) {
			if i > 0 {
				name = ""
			}
			out = append(out, th.Dim.Render(widget.Fit(name, 9, ""))+l)
		}
	}
	field("answers", s.info.Answerer+model)
	if s.info.Offline {
		field("", "nothing leaves this machine and nothing costs money")
	}
	if set := s.set(); len(set) > 0 {
		field("set", strings.Join(set, ", ")+" (the key's value is never shown)")
	}
	if missing := s.info.Missing(); len(missing) > 0 {
		field("not set", strings.Join(missing, ", ")+"; set it before starting")
	}
	if s.book != nil && !s.info.Offline {
		field("ahead", s.expected())
	}
	if len(out) > rows && rows > 0 {
		out = out[1:]
	}
	return out
}

// states gives sign and word of a row's state; a stored one that is no plain
// answer is named as what it is.
func states(th *theme.Theme, st pipeline.RowState, what outcome.State) string {
	g := &th.Sign
	switch {
	case what.Doubtful() && (st == pipeline.RowAnswered || st == pipeline.RowReused):
		return th.Warn.Render("! " + string(what))
	case what == outcome.Malformed && st == pipeline.RowFailed:
		return th.Bad.Render(g.Failed + " " + string(what))
	}
	switch st {
	case pipeline.RowHeld:
		return th.Warn.Render(g.Retrying + " held")
	case pipeline.RowCalling:
		return th.Info.Render(g.Calling + " calling")
	case pipeline.RowRetrying:
		return th.Warn.Render(g.Retrying + " retrying")
	case pipeline.RowReused:
		return th.Good.Render(g.Reused + " stored")
	case pipeline.RowAnswered:
		return th.Good.Render(g.Answered + " answered")
	case pipeline.RowFailed:
		return th.Bad.Render(g.Failed + " failed")
	}
	return th.Dim.Render(g.Waiting + " waiting")
}

func (s *Screen) cells(i int, out []string) {
	r := &s.progress.rows[s.shown[i]]
	out[0] = states(s.th, r.state, r.outcome)
	out[1], out[2] = r.caseID, r.policy
	if r.attempt > 0 {
		out[3] = fmt.Sprint(r.attempt)
	}
	out[4] = widget.Latency(r.latency)
	if d := r.until.Sub(s.progress.Now); d > 0 && r.waits() {
		out[4] = s.th.Warn.Render("in " + widget.Elapsed(max(d, time.Second)))
	}
	if r.tokens.Total > 0 {
		out[5] = widget.Count(r.tokens.Total)
	}
	out[6] = s.th.Warn.Render(s.wait(r) + r.problem)
}

// wait tells until when a row waits.
func (s *Screen) wait(r *row) string {
	if r.until.IsZero() || !r.waits() {
		return ""
	}
	return "until " + clock(r.until) + " (" + widget.Elapsed(max(r.until.Sub(s.progress.Now), 0)) + "): "
}

// waits tells whether a row waits for its next attempt.
func (r *row) waits() bool { return r.state == pipeline.RowRetrying || r.state == pipeline.RowHeld }

// ready tells whether nothing was run yet: the rows have nothing to tell.
func (s *Screen) ready() bool {
	return !s.progress.Running && s.progress.finished() == 0 && s.progress.counts[pipeline.RowFailed] == 0
}
