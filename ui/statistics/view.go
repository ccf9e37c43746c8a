// How the page is laid out: suites side by side where there is room for all of
// them, one at a time in two columns or in one where there is less.
package statistics

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/figures"
	"deermem-tui/ui/widget"
)

// The least widths of the two spread-out layouts.
const (
	threeColumns = 165
	twoColumns   = 112
)

func (s *Screen) sideBySide() bool {
	f := s.figures()
	return f != nil && s.w >= threeColumns && len(f.Suites) == 3
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if s.figures() == nil {
		return widget.Block(s.missing(), s.w, s.h, s.th.Sign.More)
	}
	page := s.lines()
	from := min(s.top, len(page))
	to := min(from+s.rows(), len(page))
	return widget.Block(append([]string{s.suiteLine(len(page))}, page[from:to]...), s.w, s.h, "")
}

// lines is the whole page, drawn again only when what it depends on changed.
func (s *Screen) lines() []string {
	f := s.figures()
	if f == nil || s.w < 1 {
		return nil
	}
	key := pageKey{s.book, s.w, s.h, s.suite, s.values}
	if s.page == nil || s.pageFor != key {
		s.page, s.pageFor = s.draw(f), key
	}
	return s.page
}

// section is a part of the page.
type section struct {
	title string
	lines func(w int) []string
}

func (s *Screen) pane(p section, w, least int, focus bool) []string {
	lines := p.lines(max(w-4, 0))
	return widget.Pane{Title: s.th.Title.Render(p.title), Focus: focus, W: w, H: max(len(lines)+2, least)}.Draw(s.th, lines)
}

func (s *Screen) draw(f *figures.Figures) []string {
	if s.sideBySide() {
		return s.drawAll(f)
	}
	suite := &f.Suites[s.suite]
	outcome, distribution := s.outcome(f, suite), s.distribution(s.suite, suite)
	intervals, secondary := s.intervals(suite), s.secondary(suite)
	retention, noise := s.retention(suite), s.noise(suite)
	warnings, usage := s.warnings(f, suite), s.usage(f)
	left := []section{outcome, distribution}
	right := []section{intervals, secondary, retention, noise}
	if suite.Name == figures.Official && len(f.Scenarios.Rows) > 0 {
		left = append(left, s.scenarios(f))
	}
	left = append(left, usage)
	if s.w < twoColumns {
		all := append(append([]section{outcome, distribution, intervals, secondary}, left[2:len(left)-1]...), retention, noise, usage, warnings)
		return s.stack(all, s.w)
	}
	w := s.w / 2
	a, b := s.stack(left, w), s.stack(right, s.w-w)
	n := max(len(a), len(b))
	out := widget.Beside(widget.Block(a, w, n, ""), widget.Block(b, s.w-w, n, ""))
	return append(out, s.pane(warnings, s.w, 0, false)...)
}

func (s *Screen) stack(all []section, w int) []string {
	var out []string
	for _, p := range all {
		out = append(out, s.pane(p, w, 0, false)...)
	}
	return out
}

// drawAll sets the suites beside one another, equal sections at equal heights,
// and below them what there is only once.
func (s *Screen) drawAll(f *figures.Figures) []string {
	n := len(f.Suites)
	columns := make([][]section, n)
	widths := make([]int, n)
	for i := range f.Suites {
		suite := &f.Suites[i]
		columns[i] = []section{s.outcome(f, suite), s.distribution(i, suite), s.intervals(suite), s.secondary(suite), s.retention(suite), s.noise(suite), s.warnings(f, suite)}
		widths[i] = s.w*(i+1)/n - s.w*i/n
	}
	var out []string
	row := func(i int) {
		least := 0
		for c := range columns {
			least = max(least, len(columns[c][i].lines(widths[c]-4))+2)
		}
		blocks := make([][]string, n)
		for c := range columns {
			blocks[c] = s.pane(columns[c][i], widths[c], least, i == 0 && c == s.suite)
		}
		out = append(out, widget.Beside(blocks...)...)
	}
	for i := range 3 {
		row(i)
	}
	if len(f.Scenarios.Rows) > 0 {
		w := s.w * 3 / 5
		scenarios, usage := s.scenarios(f), s.usage(f)
		least := max(len(scenarios.lines(w-4)), len(usage.lines(s.w-w-4))) + 2
		out = append(out, widget.Beside(s.pane(scenarios, w, least, false), s.pane(usage, s.w-w, least, false))...)
	} else {
		out = append(out, s.pane(s.usage(f), s.w, 0, false)...)
	}
	for i := 3; i < len(columns[0]); i++ {
		row(i)
	}
	return out
}

// suiteLine names the suites, the one that is shown marked, and tells how much
// of the page is seen.
func (s *Screen) suiteLine(total int) string {
	th, f := s.th, s.figures()
	var out strings.Builder
	for i, suite := range f.Suites {
		if i == s.suite {
			out.WriteString(" " + th.TabOn.Render(" "+th.Sign.Select+" "+suiteTitle(suite.Name)+" "))
		} else {
			out.WriteString("   " + th.Tab.Render(" "+suiteTitle(suite.Name)+" "))
		}
	}
	seen := ""
	if total > s.rows() {
		more := ""
		if s.top+s.rows() < total {
			more = " " + th.Sign.Down + " more below"
		}
		seen = th.Dim.Render(th.Words(fmt.Sprintf("lines %d–%d of %d%s ", s.top+1, min(s.top+s.rows(), total), total, more)))
	}
	return widget.Fit(widget.Ends(out.String(), seen, s.w, th.Sign.More), s.w, th.Sign.More)
}

// suitePlaces gives the columns of every suite's name in the line of suites.
func (s *Screen) suitePlaces() [][2]int {
	f := s.figures()
	out := make([][2]int, len(f.Suites))
	at := 0
	for i, suite := range f.Suites {
		w := widget.Width(suiteTitle(suite.Name)) + 5
		out[i] = [2]int{at, at + w}
		at += w
	}
	return out
}

func suiteTitle(name string) string {
	if name == figures.Overall {
		return "overall (both)"
	}
	return widget.Clean(name)
}

// Pane is the whole page as plain text.
func (s *Screen) Pane() string {
	lines := s.lines()
	if s.figures() == nil {
		lines = s.missing()
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(out, "\n")
}

func upTo(text string, w int, more string) string {
	if widget.Width(text) <= w {
		return text
	}
	return widget.Fit(text, w, more)
}
