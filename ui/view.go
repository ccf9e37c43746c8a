// The edges of the window: what is opened, where one is, what one can do.
package ui

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/dialog"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// View draws the window: as many lines as it is high, each as wide as it is.
func (a *App) View() string {
	if a.w < 1 || a.h < 1 {
		return ""
	}
	return strings.Join(a.lines(), "\n")
}

func (a *App) lines() []string {
	if a.small() {
		return a.tooSmall()
	}
	out := make([]string, 0, a.h)
	out = append(out, a.header(), a.tabBar())
	out = append(out, a.body()...)
	out = append(out, a.footer())
	if a.dialogs.Top() != nil {
		out = a.dialogs.Over(a.th, out, a.w, a.h)
		out[len(out)-1] = a.footer() // it tells the dialog's keys: not what lies behind
	}
	out = widget.Block(out, a.w, a.h, "")
	for i := range out {
		out[i] = widget.Anchor(out[i])
	}
	return out
}

// body is the screen that is seen; where nothing could be loaded, the reason
// stands in place of every screen of the run.
func (a *App) body() []string {
	if a.failed == "" || a.book != nil || tabOf(a.active) == screen.Home || a.active == screen.Store {
		return a.current().View()
	}
	out := []string{"", "  " + a.th.Bad.Render("The study could not be loaded."), ""}
	for _, line := range strings.Split(a.failed, "\n") {
		for _, part := range widget.Wrap(line, max(a.w-4, 10)) {
			out = append(out, "  "+part)
		}
	}
	h := max(a.h-edges, 0)
	out = append(out[:min(len(out), max(h-2, 0))], "", "  "+a.th.Key.Render("ctrl+r")+" tries again.")
	return widget.Block(out, a.w, h, a.th.Sign.More)
}

// unsound tells whether what is open failed a check.
func (a *App) unsound() bool {
	return a.book != nil && slices.ContainsFunc(a.book.Checks, func(c study.Check) bool { return c.State == study.Failed })
}

// tooSmall says calmly what is needed.
func (a *App) tooSmall() []string {
	words := []string{
		"deermem-tui needs a larger window.",
		a.th.Words(fmt.Sprintf("This one is %d×%d; 60×24 is enough.", a.w, a.h)),
		"Nothing is lost. q quits.",
	}
	switch asked := a.smallQuestion(); {
	case asked != nil:
		words = asked
	case a.dialogs.Top() != nil:
		words[2] = "Something waits for you there."
	}
	lines := make([]string, 0, a.h)
	for range max((a.h-len(words))/2, 0) {
		lines = append(lines, "")
	}
	for _, w := range words {
		lines = append(lines, widget.FitCentre(w, a.w, ""))
	}
	return widget.Block(lines, a.w, a.h, "")
}

// smallQuestion is a question that is asked in a window too small for a screen,
// nil where there is none or not even room for it: what is not seen in full takes
// no answer.
func (a *App) smallQuestion() []string {
	ask, ok := a.dialogs.Top().(*dialog.Confirm)
	if !ok || !a.small() || a.w < 1 {
		return nil
	}
	choices := ""
	for _, b := range ask.Hint() {
		choices += "   " + b.Label() + " " + b.Words
	}
	var out []string
	for _, text := range []string{ask.Title, ask.Text, strings.TrimSpace(choices)} {
		out = append(out, widget.Wrap(a.th.Words(text), a.w)...)
	}
	if len(out) > a.h {
		return nil
	}
	return out
}

// header tells study, run and state, and how many cases there are.
func (a *App) header() string {
	th := a.th
	dot := th.Dim.Render(" " + th.Sign.Spark + " ")
	left := " " + th.Brand.Render("deermem-tui")
	if a.info.Study != "" {
		left += "  " + th.Strong.Render(widget.Clean(a.info.Study))
	}
	if a.info.Run != "" {
		left += dot + th.Dim.Render("run ") + widget.Clean(a.info.Run)
	}
	left += dot + a.state()
	return widget.Fit(widget.Ends(left, a.suites()+" ", a.w, th.Sign.More), a.w, th.Sign.More)
}

func (a *App) state() string {
	th := a.th
	switch {
	case a.failed != "":
		return th.Bad.Render("not loaded")
	case a.opening != "":
		return th.Dim.Render("opening" + th.Sign.More)
	case !a.opened:
		return th.Dim.Render("no run is open")
	case a.book == nil:
		return th.Dim.Render("loading" + th.Sign.More)
	case a.run.Running():
		return th.Info.Render(a.run.Headline())
	case a.gone:
		return th.Bad.Render("the folder cannot be read now: ctrl+r tells why")
	case a.unsound():
		return th.Bad.Render(a.run.Headline() + ", a check failed: see Study")
	case a.book.Graded:
		return th.Good.Render(a.run.Headline())
	}
	return a.run.Headline()
}

// suites counts the cases of each suite.
func (a *App) suites() string {
	if a.book == nil {
		return ""
	}
	synthetic := 0
	for i := range a.book.Entries {
		if a.book.Entries[i].Case.Source == pools.Synthetic {
			synthetic++
		}
	}
	return a.th.Dim.Render("official ") + fmt.Sprint(len(a.book.Entries)-synthetic) +
		a.th.Dim.Render("  synthetic ") + fmt.Sprint(synthetic)
}

// label is a tab as it is drawn.
type label struct {
	tab  tab
	text string
	on   bool
}

// labels writes the tabs, the active one with a mark beside its colour. Where
// the window is too narrow for all, the gaps go first, then the names of the
// tabs that are not open.
func (a *App) labels() []label {
	var out []label
	spare := 8 // of the line; more where the name of a case follows
	if a.crumb() != "" {
		spare = 12
	}
	for form := range 3 {
		out = out[:0]
		used := 0
		for _, t := range a.offered() {
			title := a.screen(t.screen).Title()
			l := label{tab: t, on: t.screen == tabOf(a.active)}
			switch {
			case l.on:
				l.text = " " + a.th.Sign.Select + t.key + " " + title + " "
			case form == 0:
				l.text = "  " + t.key + " " + title + " "
			case form == 1:
				l.text = " " + t.key + " " + title
			default:
				l.text = " " + t.key + " "
			}
			used += widget.Width(l.text)
			out = append(out, l)
		}
		if used < a.w-spare {
			break
		}
	}
	return out
}

func (a *App) tabBar() string {
	var out strings.Builder
	for _, l := range a.labels() {
		if l.on {
			out.WriteString(a.th.TabOn.Render(l.text))
		} else {
			out.WriteString(a.th.Tab.Render(l.text))
		}
	}
	if crumb := a.crumb(); crumb != "" {
		out.WriteString(" " + a.th.Dim.Render(a.th.Sign.Crumb+" ") + widget.Clean(crumb))
	}
	toast := ""
	if a.toast != "" && a.dialogs.Top() != nil { // else the footer says it
		toast = a.th.Info.Render(a.toast) + " "
	}
	left := out.String()
	if room := a.w - widget.Width(toast) - 1; toast != "" && room < widget.Width(left) {
		room = max(room, min(leastTabs, a.w)) // what was just done is told, if need be over the tabs
		left = widget.Fit(left, room, a.th.Sign.More)
		toast = widget.Fit(toast, a.w-room-1, a.th.Sign.More)
	}
	return widget.Fit(widget.Ends(left, toast, a.w, a.th.Sign.More), a.w, "")
}

// leastTabs is the room a toast leaves the tabs.
const leastTabs = 20

// tabAt gives the key of the tab drawn at column x.
func (a *App) tabAt(x int) (string, bool) {
	at := 0
	for _, l := range a.labels() {
		w := widget.Width(l.text)
		if x >= at && x < at+w {
			return l.tab.key, true
		}
		at += w
	}
	return "", false
}

// footer tells the keys that work here, the shell's own at the right.
func (a *App) footer() string {
	var own, always keys.Table
	toast := ""
	if a.toast != "" && a.dialogs.Top() == nil {
		toast = a.toast
		if widget.Width(toast) > a.w-4 {
			toast = widget.Fit(toast, a.w-4, a.th.Sign.More)
		}
		toast = a.th.Info.Render(toast) + "  "
	}
	switch {
	case a.dialogs.Top() != nil:
		own = a.dialogs.Top().Hint()
	case a.current().Typing():
		own = keys.Table{{Keys: []string{"enter"}, Words: "keep"}, {Keys: []string{"esc"}, Words: "clear"}}
		if h, ok := a.current().(screen.Hinter); ok {
			own = h.Hint()
		}
	default:
		own, always = a.current().Bindings(), a.global()
	}
	room := a.w - widget.Width(toast)
	right := ""
	for _, set := range a.always(always) { // the fullest that costs no key of the screen's own
		right = a.hints(set, min(a.w/2, room-2))
		if a.w >= 100 || a.hints(own, room-widget.Width(right)-3) == a.hints(own, room) {
			break
		}
	}
	left := toast + a.hints(own, room-widget.Width(right)-3)
	return widget.Fit(" "+widget.Ends(left, right, a.w-2, "")+" ", a.w, "")
}

// always gives the shell's keys as a footer may tell them, the fullest first; a
// narrow window may have to do with the help, which tells the rest.
func (a *App) always(t keys.Table) []keys.Table {
	if a.w >= 100 || len(t) == 0 {
		return []keys.Table{t}
	}
	var quits, short keys.Table
	for _, b := range t {
		switch b.Action {
		case help, quit:
			quits, short = append(quits, b), append(short, b)
		case palette:
			b.Words = "more"
			short = append(short, b)
		}
	}
	return []keys.Table{t, short, quits, t[:1]}
}

// hints writes as many bindings as fit in w cells, whole ones only.
func (a *App) hints(t keys.Table, w int) string {
	var out strings.Builder
	used := 0
	for _, b := range t {
		if b.Quiet || len(b.Keys) == 0 {
			continue
		}
		key := dialog.FootLabel(a.th, b)
		n := widget.Width(key) + 1 + widget.Width(b.Words)
		if used > 0 {
			n += 2
		}
		if used+n > w {
			break
		}
		if used > 0 {
			out.WriteString("  ")
		}
		out.WriteString(a.th.Key.Render(key) + " " + a.th.Dim.Render(b.Words))
		used += n
	}
	return out.String()
}
