// How the list is drawn.
package cases

import (
	"fmt"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// columns makes the table's columns: the signs of retention stand under the
// capacities they are for.
//
// The column that the list is sorted by says so with an arrow.
func columns(book *casebook.Book, th *theme.Theme, by sortKey, reverse bool) []widget.Column {
	heads := make([]string, len(book.Capacities))
	for i, c := range book.Capacities {
		heads[i] = strconv.Itoa(c)
	}
	numbers := strings.Join(heads, " ")
	out := []widget.Column{
		{Title: "case", Width: 9, Flex: true},
		{Title: "scenario", Width: 20, Rank: 1},
		{Title: "rank", Width: 5, Rank: 2},
		{Title: "conf " + numbers, Width: 5 + len(numbers)},
		{Title: "hyb " + numbers, Width: 4 + len(numbers)},
		{Title: "ans c h", Width: 7},
		{Title: "pair", Width: 5},
		{Title: "rule conf", Width: 12, Rank: 3},
		{Title: "rule hyb", Width: 12, Rank: 4},
		{Title: "type", Width: 22, Rank: 5},
	}
	arrow := th.Sign.Up
	if reverse {
		arrow = th.Sign.Down
	}
	for i, key := range columnKeys {
		if by != byStudy && (key == by || i == colAnswers && by == byAnswerSecond) {
			title := out[i].Title
			if widget.Width(title) < out[i].Width {
				title += arrow
			} else { // full: between its words
				title = strings.Replace(title, " ", arrow, 1)
			}
			out[i].Title = title
		}
	}
	return out
}

// idSpare is what the columns beside the ID take of a list where the preview
// stands beside it, frame and all.
const idSpare = 74

// makeRoom gives an ID that is cut what the scenarios leave of their column,
// and what the rules and the type would take.
func (s *Screen) makeRoom() {
	const gap, around = 2, 6 // the frame and the mark
	id, scenario := &s.table.Columns[0], &s.table.Columns[1]
	scenario.Width -= min(max(s.idWidth-id.Width, 0), max(scenario.Width-max(s.scenarioWidth, len("scenario")), 0))
	room := s.listW - around
	for _, c := range s.table.Columns[1:] {
		if c.Rank <= 2 {
			room -= c.Width + gap
		}
	}
	id.Width = max(id.Width, min(s.idWidth, room))
}

// widths gives the longest ID's and the longest scenario's.
func widths(rows []row) (id, scenario int) {
	for i := range rows {
		id = max(id, widget.Width(rows[i].show))
		scenario = max(scenario, widget.Width(rows[i].scenario))
	}
	return id, scenario
}

// columnKeys is what a click on a column's title sorts by.
var columnKeys = []sortKey{byID, byScenario, byRank, byKeptFirst, byKeptSecond, byAnswerFirst, byPair, byRuleFirst, byRuleSecond, byType}

const colAnswers = 5

func (s *Screen) cells(i int, out []string) {
	th, r := s.th, &s.rows[s.shown[i]]
	out[0], out[1] = r.show, r.scenario
	out[2] = widget.FitRight(strconv.Itoa(r.rank), 4, "")
	if r.rank == 0 { // a published row does not tell it
		out[2] = widget.FitRight("?", 4, "")
	}
	out[3] = "     " + s.signs(r, 0)
	out[4] = "    " + s.signs(r, 1)
	out[colAnswers] = "    " + answerSign(th, r.answers[0]) + " " + answerSign(th, r.answers[1])
	switch r.pair {
	case casebook.PairHybrid:
		out[6] = th.Good.Render(pairWord(r.pair))
	case casebook.PairConfidence:
		out[6] = th.Bad.Render(pairWord(r.pair))
	default:
		out[6] = th.Dim.Render(pairWord(r.pair))
	}
	out[7], out[8], out[9] = r.rules[0], r.rules[1], th.Dim.Render(r.kind)
}

// signs writes kept or evicted for every capacity, each as wide as its number.
func (s *Screen) signs(r *row, policy int) string {
	var out strings.Builder
	for i, kept := range r.kept[policy] {
		if i > 0 {
			out.WriteByte(' ')
		}
		w := len(strconv.Itoa(s.book.Capacities[i]))
		switch {
		case !r.known:
			out.WriteString(s.th.Dim.Render(widget.FitRight(s.th.Sign.Empty, w, "")))
		case kept:
			out.WriteString(s.th.Kept.Render(widget.FitRight(s.th.Sign.Kept, w, "")))
		default:
			out.WriteString(s.th.Bad.Render(widget.FitRight(s.th.Sign.Evicted, w, "")))
		}
	}
	return out.String()
}

func answerSign(th *theme.Theme, a answer) string {
	switch a {
	case right:
		return th.Good.Render(th.Sign.Right)
	case wrong:
		return th.Bad.Render(th.Sign.Wrong)
	case there:
		return th.Dim.Render("?")
	}
	return th.Dim.Render(th.Sign.Empty)
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	pane := widget.Pane{Title: s.title(), Note: s.table.Position(), Focus: true, W: s.listW, H: s.h}
	iw, _ := pane.Inner()
	lines := append(s.table.View(s.th, true), s.footer(iw)...)
	list := pane.Draw(s.th, lines)
	if s.w > s.listW {
		list = widget.Beside(list, s.preview.View(false))
	}
	return widget.Block(list, s.w, s.h, "")
}

func (s *Screen) title() string {
	th := s.th
	title := th.Title.Render("Cases") + " " + strconv.Itoa(len(s.rows))
	if len(s.shown) != len(s.rows) {
		title = th.Title.Render("Cases") + fmt.Sprintf(" %d of %d", len(s.shown), len(s.rows))
	}
	if s.only {
		title += th.Dim.Render(" discordant only")
	}
	if s.sort != byStudy || s.reverse {
		title += th.Dim.Render(" by " + sortNames[s.sort])
		if s.reverse {
			title += th.Dim.Render(" reversed")
		}
	}
	if s.input.Value != "" && !s.typing {
		title += th.Dim.Render(" filter: ") + s.input.Value
	}
	return title
}

// footer is what stands below the rows: the legend, how often the support was
// kept among the cases shown, and the filter while it is typed.
func (s *Screen) footer(w int) []string {
	th := s.th
	if s.h < 10 {
		if s.typing {
			return []string{s.input.View(th, "filter: ", w)}
		}
		return nil
	}
	var out []string
	if s.book != nil && len(s.rows) > 0 {
		out = append(out, th.Faint.Render(widget.Repeat(th.Border4.H, w)))
		for p := range s.book.Policies[:min(2, len(s.book.Policies))] {
			label := "support kept  "
			if w < 70 {
				label = "kept  "
			}
			if p > 0 {
				label = widget.Spaces(len(label))
			}
			out = append(out, widget.Fit(th.Dim.Render(label)+s.totals(p), w, th.Sign.More))
		}
	}
	if len(s.find.problems) > 0 {
		out = append(out, widget.Fit(th.Warn.Render(s.find.problems[0]), w, th.Sign.More))
	}
	if s.typing {
		if len(s.find.problems) == 0 {
			out = append(out, widget.Fit(th.Dim.Render("words, "+strings.Join(filterKeys, "= ")+"="), w, th.Sign.More))
		}
		return append(out, s.input.View(th, "filter: ", w))
	}
	if len(s.find.problems) > 0 {
		return out
	}
	return append(out, widget.Fit(s.legend(), w, th.Sign.More))
}

func (s *Screen) totals(p int) string {
	th := s.th
	out := widget.Fit(widget.Clean(s.book.Policies[p].Name), 12, th.Sign.More)
	for c, capacity := range s.book.Capacities {
		n := 0
		for _, i := range s.shown {
			if k := s.rows[i].kept[p]; c < len(k) && k[c] {
				n++
			}
		}
		out += th.Dim.Render("at "+strconv.Itoa(capacity)+" ") + widget.Fit(strconv.Itoa(n)+"/"+strconv.Itoa(len(s.shown)), 9, "")
	}
	return out
}

func (s *Screen) legend() string {
	th, g := s.th, &s.th.Sign
	text := g.Kept + " kept  " + g.Evicted + " evicted at that capacity   answers: "
	switch {
	case s.book != nil && s.book.Graded:
		text += g.Right + " right  " + g.Wrong + " wrong"
	default:
		text += "? not graded  " + g.Empty + " none"
	}
	return th.Dim.Render(text)
}
