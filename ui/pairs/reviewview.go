// How queue, pair, form and questions of the review are drawn.
package pairs

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/ui/widget"
)

// The columns of the queue.
const (
	queuePair = iota
	queueReason
	queueState
	queueFlags
	queueDisputes
	queueBy
)

func (v *reviewing) columns() []widget.Column {
	out := []widget.Column{
		queuePair:     {Title: "pair", Width: 12},
		queueReason:   {Title: "why", Width: 10},
		queueState:    {Title: "state", Width: 12, Flex: true},
		queueFlags:    {Title: "flags", Width: 17, Rank: 1},
		queueDisputes: {Title: "disputes", Width: 8, Rank: 2},
		queueBy:       {Title: "by", Width: 10, Rank: 3},
	}
	// A long ID gives way to what is said of the pair: it stands over the pair too.
	most := min(28, v.listW-4-2-out[queueReason].Width-out[queueState].Width-7)
	for i := range v.rows {
		out[queuePair].Width = max(min(max(out[queuePair].Width, widget.Width(v.rows[i].name)), most), 10)
	}
	return out
}

func (v *reviewing) cells(i int, out []string) {
	th, r := v.s.th, &v.rows[v.shown[i]]
	out[queuePair], out[queueReason], out[queueFlags] = r.name, string(r.item.Reason), strings.Join(r.flags, ", ")
	state := v.state(r)
	switch {
	case r.own == nil || v.drafted(r.item.CaseID):
		state = th.Warn.Render(state)
	case r.item.Disagreement():
		state = th.Bad.Render(state)
	}
	out[queueState], out[queueBy] = state, r.by()
	if r.own != nil {
		out[queueDisputes] = r.disputed(r.own)
	}
}

// arrange sizes queue, pair and form.
func (v *reviewing) arrange() {
	s := v.s
	v.listW, v.listH = s.w, s.h
	switch {
	case s.w >= 160:
		v.listW = 90
	case s.beside():
		v.listW = 50
	case len(v.shown) > 0:
		v.listH = min(len(v.shown)+3+len(v.footer(s.w-4)), max(s.h/2, 8), s.h)
	}
	v.table.Columns = v.columns()
	foot := len(v.footer(v.listW - 4))
	v.table.Resize(max(v.listW-4, 0), max(v.listH-2-foot, 0))
	v.clamp()
}

// room is the size of what queue and form leave to the pair, and where the form
// stands.
func (v *reviewing) room() (w, h, form int) {
	s := v.s
	switch {
	case s.beside():
		w, h = s.w-v.listW, s.h
	case v.inside || v.form != nil:
		w, h = s.w, s.h
	default:
		w, h = s.w, s.h-v.listH
	}
	if v.form != nil {
		form = min(len(v.formLines(w-4))+2, h)
		h -= form
	}
	return w, h, form
}

// place is the pair's size.
func (v *reviewing) place() (w, h int) {
	w, h, _ = v.room()
	return w, h
}

// formAt is where the form begins.
func (v *reviewing) formAt() (x, y int) {
	_, h := v.place()
	if v.s.beside() {
		x = v.listW
	}
	return x, h
}

func (v *reviewing) clamp() {
	w, h := v.place()
	v.top = max(min(v.top, len(v.lines(w-4))-max(h-2, 0)), 0)
}

// lines is the pair under the cursor.
func (v *reviewing) lines(w int) []string {
	r := v.selected()
	if r == nil || w < 1 {
		return nil
	}
	if key := (drawnKey{r, w}); v.drawn == nil || v.drawnFor != key {
		v.drawn, v.drawnFor = v.pair(r, w), key
	}
	return v.drawn
}

// view draws the body.
func (v *reviewing) view() []string {
	s := v.s
	w, h, _ := v.room()
	switch {
	case v.asking != nothing:
		return widget.Block(v.questionPane(), s.w, s.h, s.th.Sign.More)
	case v.standing() == nil:
		return widget.Block(v.noneYet(), s.w, s.h, s.th.Sign.More)
	}
	right := v.pairPane(w, h)
	if v.form != nil {
		right = append(right, v.formPane(w, s.h-h)...)
	}
	switch {
	case s.beside():
		return widget.Block(widget.Beside(v.list(), widget.Block(right, w, s.h, "")), s.w, s.h, "")
	case v.inside || v.form != nil:
		return widget.Block(right, s.w, s.h, "")
	}
	return widget.Block(append(v.list(), right...), s.w, s.h, "")
}

func (v *reviewing) list() []string {
	th := v.s.th
	v.table.Empty = v.emptyWords()
	focus := !v.inside && v.form == nil
	pane := widget.Pane{Title: v.title(), Focus: focus, W: v.listW, H: v.listH}
	pane.Note = "by " + upTo(widget.Clean(v.reviewer), 20, th.Sign.More)
	if at := v.table.Position(); at != "" {
		pane.Note += ", " + at
	}
	iw, _ := pane.Inner()
	return pane.Draw(th, append(v.table.View(th, focus), v.footer(iw)...))
}

// title tells the reviewer's progress.
func (v *reviewing) title() string {
	th, st := v.s.th, v.standing()
	if v.input.Value != "" && !v.typing {
		return th.Title.Render("Review") + fmt.Sprintf(" %d of %d", len(v.shown), len(v.rows)) + th.Dim.Render(" filter: ") + v.input.Value
	}
	done := 0
	for i := range v.rows {
		if v.rows[i].own != nil {
			done++
		}
	}
	title := th.Title.Render("Review") + fmt.Sprintf(" %d/%d reviewed", done, len(v.rows))
	if n := len(st.StaleItems()); n > 0 {
		title += fmt.Sprintf(", %d stale", n)
	}
	if n := len(st.Disagreements()); n > 0 {
		title += ", " + widget.Plural(n, "disagreement")
	}
	return title
}

func (v *reviewing) emptyWords() string {
	switch wrong := problem(v.input.Value, reviewKeys); {
	case wrong != "":
		return wrong
	case v.input.Value != "":
		return "No pair of the queue holds all these words. Esc clears the filter."
	}
	return "Nothing is to be reviewed: no pair is discordant or flagged. d draws a sample."
}

// footer tells how far the queue is and what there is to know about it, and
// takes the filter while it is typed.
func (v *reviewing) footer(w int) []string {
	th, st := v.s.th, v.standing()
	if st == nil || w < 20 || v.s.h < 16 {
		if v.typing {
			return []string{v.input.View(th, "filter: ", w)}
		}
		return nil
	}
	out := []string{th.Faint.Render(widget.Repeat(th.Border4.H, w))}
	for _, line := range widget.Wrap("by anybody: "+counts(st), w) {
		out = append(out, th.Dim.Render(line))
	}
	most := max(v.s.h/6, 2)
	for _, remark := range v.remarks() {
		for _, line := range widget.Wrap(th.Words(remark), w) {
			if most--; most >= 0 {
				out = append(out, th.Warn.Render(line))
			}
		}
	}
	if most < 0 {
		out[len(out)-1] = widget.Fit(th.Warn.Render("r tells more"+th.Sign.More), w, "")
	}
	switch {
	case v.typing:
		out = append(out, v.s.typed(&v.input, reviewKeys, w)...)
	case st.Told(v.reviewer):
		text := "nothing is open: r tells agreement and result"
		if n := len(st.Disagreements()); n > 0 {
			text = "nothing is open, but reviewers differ on " + widget.Plural(n, "pair") + " (n): r tells more"
		}
		out = append(out, th.Good.Render(widget.Fit(text, w, th.Sign.More)))
	}
	return out
}

// pairPane draws the pair under the cursor.
func (v *reviewing) pairPane(w, h int) []string {
	th, r := v.s.th, v.selected()
	if h < 2 {
		return widget.Block(nil, w, h, "")
	}
	focus := v.inside && v.form == nil
	pane := widget.Pane{Title: th.Title.Render("Pair"), Focus: focus, W: w, H: h}
	if r == nil {
		return pane.Draw(th, nil)
	}
	pane.Title = th.Title.Render(upTo(r.name, 28, th.Sign.More))
	if r.row.blind {
		pane.Title += th.Dim.Render(" "+th.Sign.Spark+" ") + "blind"
	} else {
		pane.Title += th.Dim.Render(" "+th.Sign.Spark+" ") + upTo(r.row.scenario, 24, th.Sign.More)
	}
	iw, _ := pane.Inner()
	more := ""
	switch {
	case v.form != nil:
		more = "pgdn reads on, "
	case !v.inside:
		more = "enter reads on, "
	}
	return pane.Scroll(th, v.lines(iw), v.top, more)
}

// questionPane asks for a name or a number.
func (v *reviewing) questionPane() []string {
	th, s := v.s.th, v.s
	pane := widget.Pane{Title: th.Title.Render("Review"), Focus: true, W: s.w, H: s.h}
	w, _ := pane.Inner()
	var text, prompt string
	switch v.asking {
	case whose:
		prompt = "reviewer: "
		text = "Who reviews? The ledger of the run records the name with every verdict; it is evidence, no login, and it is remembered for this study.\n\n" +
			"Every pair is shown blind: its answers are A and B, in an order of your own, until your verdict is in the ledger. " +
			"The list of pairs and the other screens do name the policies: look there afterwards."
	case howMany:
		prompt = "pairs: "
		text = "How many of the remaining concordant pairs shall the queue hold besides? They are drawn by the recorded seed, the same for every reviewer, and show what discordance and flags hide. 0 for none."
	}
	lines := append(widget.Wrap(th.Words(text), w), "", v.answer.View(th, prompt, w))
	for _, line := range widget.Wrap(v.problem, w) {
		lines = append(lines, th.Bad.Render(line))
	}
	return pane.Draw(th, lines)
}

// noneYet says why there is no queue.
func (v *reviewing) noneYet() []string {
	th, s := v.s.th, v.s
	pane := widget.Pane{Title: th.Title.Render("Review"), Focus: true, W: s.w, H: s.h}
	w, _ := pane.Inner()
	text := "Reading the review" + th.Sign.More
	if v.told.Err != nil && !v.reading {
		text = "The review cannot be read: " + widget.CleanBlock(v.told.Err.Error()) + ".\n\nctrl+r tries again, w leads back to the pairs."
	}
	return pane.Draw(th, widget.Wrap(th.Words(text), w))
}

// plain is the pair under the cursor as plain text.
func (v *reviewing) plain() string {
	w, _ := v.place()
	var out []string
	if r := v.selected(); r != nil && v.asking == nothing {
		out = append(out, r.name)
	}
	for _, line := range v.lines(max(w-4, 40)) {
		out = append(out, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(out, "\n")
}
