// How list and detail are drawn.
package pairs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/widget"
)

func (s *Screen) columns() []widget.Column {
	out := []widget.Column{
		{Title: "case", Width: 12, Flex: true},
		{Title: "scenario", Width: 20, Rank: 1},
		{Title: "pair", Width: 7},
		{Title: "kind", Width: 11},
		{Title: "request", Width: 7},
	}
	if s.idWidth > out[0].Width { // else the ID needs no more
		out[1].Width = max(min(out[1].Width, s.scenarioWidth), len(out[1].Title)+1)
	}
	if i := slices.Index(columnKeys, s.sort); i >= 0 {
		out[i].Title += s.th.Sign.Up
	}
	return out
}

// columnKeys is what the columns are sorted by.
var columnKeys = []sortKey{byID, byScenario, none, byKind}

// nextSort is the key after the one at hand: of the columns that are seen only.
func (s *Screen) nextSort() sortKey {
	by := (s.sort + 1) % sortKeys
	for by != byStudy && !s.table.Shown(slices.Index(columnKeys, by)) {
		by = (by + 1) % sortKeys
	}
	return by
}

func (s *Screen) cells(i int, out []string) {
	th, r := s.th, &s.rows[s.shown[i]]
	out[0], out[1] = r.show, r.scenario
	switch r.pair.Outcome {
	case casebook.PairHybrid:
		out[2] = th.Good.Render(pairWord(r.pair.Outcome))
	case casebook.PairConfidence:
		out[2] = th.Bad.Render(pairWord(r.pair.Outcome))
	default:
		out[2] = th.Dim.Render(pairWord(r.pair.Outcome))
	}
	out[3] = string(r.pair.Kind)
	if r.pair.SameRequest {
		out[4] = th.Warn.Render("same")
	}
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	if len(s.rows) == 0 {
		return widget.Block(s.nothing(), s.w, s.h, s.th.Sign.More)
	}
	if s.review.active() {
		return s.review.view()
	}
	w, h := s.place()
	switch {
	case s.beside():
		return widget.Block(widget.Beside(s.list(), s.detailPane(w, h)), s.w, s.h, "")
	case s.inside:
		return widget.Block(s.detailPane(w, h), s.w, s.h, "")
	}
	return widget.Block(append(s.list(), s.detailPane(w, h)...), s.w, s.h, "")
}

func (s *Screen) list() []string {
	s.table.Empty = s.noneWords()
	pane := widget.Pane{Title: s.title(), Note: s.table.Position(), Focus: !s.inside, W: s.listW, H: s.listH}
	iw, _ := pane.Inner()
	return pane.Draw(s.th, append(s.table.View(s.th, !s.inside), s.footer(iw)...))
}

func (s *Screen) noneWords() string {
	switch wrong := problem(s.input.Value, nil); {
	case wrong != "":
		return wrong
	case s.input.Value != "":
		return "No pair holds all these words. Esc clears the filter."
	case !s.all:
		return "The policies agree on every case. d shows them."
	}
	return "There is no pair."
}

func (s *Screen) title() string {
	th := s.th
	discordant := s.sums.discordant
	title := th.Title.Render("Pairs") + fmt.Sprintf(" %d discordant of %d", discordant, len(s.rows))
	if s.all && s.input.Value == "" {
		title = th.Title.Render("Pairs") + fmt.Sprintf(" %d, %d discordant", len(s.rows), discordant)
	}
	if s.input.Value != "" {
		title = th.Title.Render("Pairs") + fmt.Sprintf(" %d of %d", len(s.shown), len(s.rows))
		if !s.typing {
			title += th.Dim.Render(" filter: ") + s.input.Value
		}
	}
	if s.sort != byStudy {
		title += th.Dim.Render(" by " + sortNames[s.sort])
	}
	return title
}

// footer counts the kinds and the identical requests, and takes the filter
// while it is typed.
func (s *Screen) footer(w int) []string {
	th := s.th
	if s.h < 16 || w < 20 || s.book == nil || len(s.rows) == 0 {
		if s.typing {
			return []string{s.input.View(th, "filter: ", w)}
		}
		return nil
	}
	var parts []string
	for _, k := range casebook.Kinds() {
		if n := s.sums.kinds[k]; n > 0 {
			parts = append(parts, string(k)+" "+strconv.Itoa(n))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none is discordant"}
	}
	out := []string{th.Faint.Render(widget.Repeat(th.Border4.H, w))}
	for _, line := range widget.Wrap(strings.Join(parts, ", "), w) {
		out = append(out, th.Dim.Render(line))
	}
	for _, line := range widget.Wrap(fmt.Sprintf("same request: %d of %d pairs, %d discordant", s.sums.same, len(s.rows), s.sums.sameDiscordant), w) {
		out = append(out, th.Dim.Render(line))
	}
	if s.typing {
		return append(out, s.typed(&s.input, nil, w)...)
	}
	return out
}

// typed is a filter while it is typed, under what is wrong with it.
func (s *Screen) typed(input *widget.Input, more []string, w int) []string {
	var out []string
	if wrong := problem(input.Value, more); wrong != "" {
		for _, line := range widget.Wrap(wrong, w) {
			out = append(out, s.th.Warn.Render(line))
		}
	}
	return append(out, input.View(s.th, "filter: ", w))
}

// begin begins to type a filter: what is kept stays a word of its own.
func begin(input *widget.Input) {
	if input.Value != "" && !strings.HasSuffix(input.Value, " ") {
		input.Set(input.Value + " ")
	}
}

// nothing says why there is no pair yet.
func (s *Screen) nothing() []string {
	th := s.th
	pane := widget.Pane{Title: th.Title.Render("Pairs"), Focus: true, W: s.w, H: s.h}
	w, _ := pane.Inner()
	var text string
	switch b := s.book; {
	case b == nil:
		text = "Loading the study…"
	case len(b.Entries) == 0:
		text = "The study has no cases, so there is nothing to compare."
	case len(b.Policies) != 2:
		text = "A pair is two policies' answers to one case; this study does not have two policies."
	case b.Rows < b.RowsNeeded:
		text = fmt.Sprintf("Pairs are known once every answer is there and graded: %d of %d answers are there.\n\nScreen 2, Run, starts the run or goes on where it stopped. Screen 3, Cases, shows meanwhile what each policy kept.", b.Rows, b.RowsNeeded)
	default:
		text = "Every answer is there; they are not graded yet. Screen 2, Run, grades them."
	}
	return pane.Draw(th, widget.Wrap(th.Words(text), w))
}

// detailPane draws the pair under the cursor.
func (s *Screen) detailPane(w, h int) []string {
	th, r := s.th, s.selected()
	if h < 2 {
		return nil
	}
	pane := widget.Pane{Title: th.Title.Render("Pair"), Focus: s.inside, W: w, H: h}
	if r == nil {
		return pane.Draw(th, nil)
	}
	pane.Title = th.Title.Render(upTo(r.show, 24, th.Sign.More)) + th.Dim.Render(" "+th.Sign.Spark+" ") + upTo(r.scenario, 24, th.Sign.More)
	iw, _ := pane.Inner()
	more := ""
	if !s.inside {
		more = "enter reads on, "
	}
	return pane.Scroll(th, s.lines(iw), s.top, more)
}

func upTo(text string, w int, more string) string {
	if widget.Width(text) <= w {
		return text
	}
	return widget.Fit(text, w, more)
}
