// The edges of the window: what is opened, where one is, what one can do.
package ui

import (
	"fmt"
	"strings"

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
	out = append(out, a.current().View()...)
	out = append(out, a.footer())
	out = a.dialogs.Over(a.th, out, a.w, a.h)
	out = widget.Block(out, a.w, a.h, "")
	for i := range out {
		out[i] = widget.Anchor(out[i])
	}
	return out
}

// tooSmall says calmly what is needed.
func (a *App) tooSmall() []string {
	words := []string{
		"deermem-tui needs a larger window.",
		a.th.Words(fmt.Sprintf("This one is %d×%d; 80×24 is enough.", a.w, a.h)),
		"Nothing is lost. q quits.",
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

// header tells study, run and state, and how many cases there are.
func (a *App) header() string {
	th := a.th
	dot := th.Dim.Render(" " + th.Sign.Spark + " ")
	left := " " + th.Brand.Render("deermem-tui") + "  " + th.Strong.Render(widget.Clean(a.info.Study))
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
	case a.book == nil:
		return th.Dim.Render("loading" + th.Sign.More)
	case a.run.Running():
		return th.Info.Render(a.run.Headline())
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

// tabLabel writes a tab; the active one has a mark beside its colour.
func (a *App) tabLabel(t tab) (text string, on bool) {
	title := t.key + " " + a.screen(t.screen).Title()
	on = t.screen == a.active || t.screen == screen.Cases && a.active == screen.Case
	if on {
		return a.th.Sign.Select + title + " ", true
	}
	return " " + title + " ", false
}

func (a *App) tabBar() string {
	var out strings.Builder
	out.WriteByte(' ')
	for _, t := range tabs {
		text, on := a.tabLabel(t)
		if on {
			out.WriteString(a.th.TabOn.Render(text))
		} else {
			out.WriteString(a.th.Tab.Render(text))
		}
		out.WriteByte(' ')
	}
	if a.active == screen.Case {
		out.WriteString(a.th.Dim.Render(a.th.Sign.Crumb+" ") + widget.Clean(a.detail.CaseID()))
	}
	toast := ""
	if a.toast != "" {
		toast = a.th.Info.Render(a.toast) + " "
	}
	return widget.Fit(widget.Ends(out.String(), toast, a.w, a.th.Sign.More), a.w, "")
}

// tabAt gives the key of the tab drawn at column x.
func (a *App) tabAt(x int) (string, bool) {
	at := 1
	for _, t := range tabs {
		text, _ := a.tabLabel(t)
		w := widget.Width(text)
		if x >= at && x < at+w {
			return t.key, true
		}
		at += w + 1
	}
	return "", false
}

// footer tells the keys that work here, the shell's own at the right.
func (a *App) footer() string {
	var own, always keys.Table
	switch {
	case a.dialogs.Top() != nil:
		own = a.dialogs.Top().Hint()
	case a.current().Typing():
		own = keys.Table{{Keys: []string{"enter"}, Words: "keep"}, {Keys: []string{"esc"}, Words: "clear"}}
	default:
		own, always = a.current().Bindings(), a.global()
	}
	right := a.hints(always, a.w/2)
	left := a.hints(own, a.w-widget.Width(right)-3)
	return widget.Fit(" "+widget.Ends(left, right, a.w-2, "")+" ", a.w, "")
}

// hints writes as many bindings as fit in w cells, whole ones only.
func (a *App) hints(t keys.Table, w int) string {
	var out strings.Builder
	used := 0
	for _, b := range t {
		if b.Quiet || len(b.Keys) == 0 {
			continue
		}
		key := dialog.Label(a.th, b)
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
