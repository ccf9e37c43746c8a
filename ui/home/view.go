// How the list is drawn: the runs, and what is known of the one under the cursor.
package home

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deermem-tui/engine/runs"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// row is a run, its texts cleaned once.
type row struct {
	run      runs.Run
	name     string
	study    string
	state    string
	date     string
	hashes   string // the five, short, in the order of the details
	open     bool   // it is what is opened now
	text     string // what the filter looks at, lower case
	identity []named
}

type named struct{ label, hash string }

const dateForm = "2006-01-02 15:04"

func rowsOf(list screen.Runs) []row {
	out := make([]row, len(list.Runs))
	for i, r := range list.Runs {
		line := row{run: r, name: widget.Clean(r.Name), study: widget.Clean(r.Protocol), state: r.State(), open: r.Path == list.Open}
		if !r.Created.IsZero() {
			line.date = r.Created.UTC().Format(dateForm)
		}
		if r.Problem != "" {
			line.study = widget.Clean(r.Problem)
		}
		id := r.Identity
		line.identity = []named{
			{"config", widget.Clean(id.Config)}, {"official", widget.Clean(id.OfficialManifest)}, {"synthetic", widget.Clean(id.SyntheticManifest)},
			{"prompt", widget.Clean(id.AnswerPrompt)}, {"dataset", widget.Clean(id.Dataset)},
		}
		var short []string
		for _, n := range line.identity {
			short = append(short, head(n.hash, 6))
		}
		line.hashes = strings.TrimSpace(strings.Join(short, " "))
		line.text = strings.ToLower(strings.Join([]string{widget.Clean(r.Path), line.study, line.state, line.date, id.Config, id.OfficialManifest,
			id.SyntheticManifest, id.AnswerPrompt, id.Dataset}, " "))
		out[i] = line
	}
	return out
}

// head is the first n bytes of a hash.
func head(hash string, n int) string { return hash[:min(len(hash), n)] }

var columns = []widget.Column{
	{Title: "folder", Width: 22, Flex: true},
	{Title: "study", Width: 14, Flex: true},
	{Title: "kind", Width: 13},
	{Title: "date (UTC)", Width: len(dateForm)},
	{Title: "identity: conf off syn prompt data", Width: 34, Rank: 1},
}

// withHashes is the width of the list from which the last column is shown: the
// reason of what is no run stands there then.
const withHashes = 4 + 2 + 22 + 14 + 13 + len(dateForm) + 34 + 4*2

func (s *Screen) cells(i int, out []string) {
	th, r := s.th, &s.rows[s.shown[i]]
	out[0] = r.name
	if r.open {
		out[0] = th.Info.Render(th.Sign.Now) + " " + r.name
	}
	if i := slices.Index(s.marked, r.run.Path); i >= 0 {
		out[0] = th.Warn.Render(sides[i]) + " " + out[0]
	}
	out[1], out[3], out[4] = r.study, th.Dim.Render(r.date), th.Dim.Render(r.hashes)
	style := th.Text
	switch r.run.Kind {
	case runs.None:
		out[1] = th.Dim.Render(strings.TrimPrefix(r.study, "it "))
		if s.lay.listW >= withHashes {
			out[1], out[4] = "", th.Dim.Render(strings.TrimPrefix(r.study, "it "))
		}
		out[2] = th.Bad.Render(th.Sign.Failed + " " + r.state)
		return
	case runs.Graded, runs.Published:
		style = th.Good
	case runs.Answers:
		style = th.Info
	case runs.Empty:
		style = th.Dim
	}
	out[2] = style.Render(r.state)
}

// layout says where list and details are.
type layout struct {
	listW, listH int
	sideW        int // width of the details beside the list; 0 where they are below
	belowH       int
}

// plan puts the details beside the list where that leaves both room, else below.
func plan(w, h int) layout {
	if w >= 150 {
		side := min(max(w*2/5, 60), 84)
		return layout{listW: w - side, listH: h, sideW: side}
	}
	below := min(max(h*2/5, 8), 13)
	if h < 16 {
		below = 0
	}
	return layout{listW: w, listH: h - below, belowH: below}
}

// View draws the body.
func (s *Screen) View() []string {
	if s.w < 1 || s.h < 1 {
		return widget.Block(nil, s.w, s.h, "")
	}
	pane := widget.Pane{Title: s.title(), Note: s.table.Position(), Focus: true, W: s.lay.listW, H: s.lay.listH}
	lines := s.table.View(s.th, true)
	if s.typing {
		iw, _ := pane.Inner()
		lines = append(lines, s.input.View(s.th, "filter: ", iw))
	}
	out := pane.Draw(s.th, lines)
	switch {
	case s.lay.sideW > 0:
		out = widget.Beside(out, s.details(s.lay.sideW, s.h))
	case s.lay.belowH > 0:
		out = append(out, s.details(s.w, s.lay.belowH)...)
	}
	return widget.Block(out, s.w, s.h, "")
}

func (s *Screen) title() string {
	th := s.th
	title := th.Title.Render("Runs") + " " + strconv.Itoa(len(s.rows))
	if len(s.shown) != len(s.rows) {
		title = th.Title.Render("Runs") + fmt.Sprintf(" %d of %d", len(s.shown), len(s.rows))
	}
	if n := len(s.marked); n > 0 {
		title += th.Warn.Render(fmt.Sprintf(" %d marked", n))
	}
	if s.input.Value != "" && !s.typing {
		title += th.Dim.Render(" filter: ") + s.input.Value
	}
	return title
}

// details tells everything of the run under the cursor.
func (s *Screen) details(w, h int) []string {
	th, r := s.th, s.selected()
	if r == nil {
		var lines []string
		if s.known && len(s.rows) == 0 {
			lines = append(lines, widget.Wrap("Looked in: "+widget.Clean(strings.Join(s.list.Folders, ", ")), w-4)...)
		}
		return widget.Pane{Title: th.Title.Render("This run"), W: w, H: h}.Draw(th, lines)
	}
	const label = 10
	var lines []string
	add := func(name, value string, style theme.Style) {
		for i, line := range widget.Wrap(value, w-4-label) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, widget.Fit(th.Dim.Render(name), label, "")+style.Render(line))
		}
	}
	tone := th.Text
	if r.run.Problem != "" {
		tone = th.Bad
	}
	add("holds", sentence(r.run), tone)
	add("path", widget.Clean(r.run.Path), th.Text)
	if r.run.Problem == "" {
		add("study", r.study, th.Text)
		add("date", r.date+" UTC", th.Text)
		if r.date == "" {
			lines = lines[:len(lines)-1]
		}
		lines = append(lines, s.identity(r, w-4, h-2-len(lines), label)...)
	}
	note := ""
	if r.open {
		note = "open now"
	}
	return widget.Pane{Title: th.Title.Render("This run") + " " + r.name, Note: note, W: w, H: h}.Draw(th, lines)
}

// identity writes the five hashes: a line each and whole where there is room,
// else short ones.
func (s *Screen) identity(r *row, w, rows, label int) []string {
	if !r.run.Bound() {
		if r.run.Kind == runs.Empty {
			return nil
		}
		return []string{widget.Fit(s.th.Dim.Render("identity"), label, "") + "not told by the folder"}
	}
	var lines []string
	if rows >= len(r.identity)+1 {
		lines = append(lines, s.th.Dim.Render("identity, five SHA-256"))
		for _, n := range r.identity {
			hash := n.hash
			if room := w - label; room < len(hash) {
				hash = head(hash, max(room-1, 0)) + s.th.Sign.More
			}
			lines = append(lines, widget.Fit(s.th.Dim.Render(n.label), label, "")+hash)
		}
		return lines
	}
	line := widget.Fit(s.th.Dim.Render("identity"), label, "")
	for i, n := range r.identity {
		part := n.label + " " + head(n.hash, 8)
		if i > 0 && widget.Width(line)+2+len(part) > w {
			lines = append(lines, line)
			line = widget.Spaces(label)
		} else if i > 0 {
			line += "  "
		}
		line += part
	}
	lines = append(lines, line)
	return lines
}

// sentence says what a run holds, or why it is none.
func sentence(r runs.Run) string {
	switch r.Kind {
	case runs.None:
		return "Not a run: " + widget.Clean(r.Problem) + "."
	case runs.Empty:
		return "Begun; nothing is stored yet."
	case runs.Policy:
		return "The decisions of both policies at every capacity; no answer yet."
	case runs.Answers:
		return fmt.Sprintf("%d of %d answers, not graded.", r.Answers, runs.Needed)
	case runs.Graded:
		return fmt.Sprintf("%d answers and their grades.", r.Answers)
	}
	return "Graded rows without the files of the answers: opens without its dataset, and is only read."
}
