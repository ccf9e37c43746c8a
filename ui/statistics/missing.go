// What is said while there are no figures: which rows are missing, and what
// brings them. Never a figure of a part.
package statistics

import (
	"fmt"

	"deermem-tui/engine/casebook"
	"deermem-tui/ui/widget"
)

func (s *Screen) missing() []string {
	th := s.th
	pane := widget.Pane{Title: th.Title.Render("Statistics"), Focus: true, W: s.w, H: s.h}
	w, h := pane.Inner()
	var out []string
	say := func(text string) {
		out = append(out, widget.Wrap(th.Words(text), w)...)
	}
	b := s.book
	switch {
	case b == nil:
		say("Loading the study…")
		return pane.Draw(th, out)
	case len(b.Entries) == 0:
		say("The study has no cases, so there is nothing to compare.")
		return pane.Draw(th, out)
	case b.Graded:
		say("Every row is graded, but no figures were computed of them.")
		return pane.Draw(th, out)
	}
	needed := max(b.RowsNeeded, b.Rows)
	if b.Rows < needed {
		out = append(out, th.Strong.Render(fmt.Sprintf("%d of %d answers are missing.", needed-b.Rows, needed)))
	} else {
		out = append(out, th.Strong.Render("Every answer is there; they are not graded yet."))
	}
	say("Figures are shown once every row is there and graded. A part of a run has none: looking early and stopping when it pleases would make every p meaningless.")
	out = append(out, "")
	bar := max(min(w-36, 50), 0)
	for _, p := range b.Policies {
		n := answered(b, p.Name)
		out = append(out, widget.Fit(upTo(widget.Clean(p.Name), 18, th.Sign.More), 20, "")+widget.Progress(th, n, len(b.Entries), bar)+fmt.Sprintf("  %d/%d", n, len(b.Entries)))
	}
	out = append(out, "")
	if b.Rows < needed {
		say("Screen 2, Run, starts the run or goes on where it stopped.")
	} else {
		say("Screen 2, Run, grades them.")
	}
	if b.Rows < needed && b.Rows > 0 {
		out = append(out, "", th.Dim.Render("missing"))
		room := h - len(out)
		names := missingRows(b)
		for i, name := range names {
			if i >= room-1 && i < len(names)-1 {
				out = append(out, th.Dim.Render(fmt.Sprintf("and %d more", len(names)-i)))
				break
			}
			out = append(out, "  "+upTo(widget.Clean(name), max(w-2, 0), th.Sign.More))
		}
	}
	return pane.Draw(th, out)
}

func answered(b *casebook.Book, policy string) int {
	n := 0
	for i := range b.Entries {
		if _, ok := b.Entries[i].Rows[policy]; ok {
			n++
		}
	}
	return n
}

// missingRows names the rows that are not there, in the order of the study; as
// many as can be looked at.
func missingRows(b *casebook.Book) []string {
	const most = 1000
	var out []string
	for i := range b.Entries {
		for _, p := range b.Policies {
			if _, ok := b.Entries[i].Rows[p.Name]; !ok && len(out) < most {
				out = append(out, casebook.RowID(b.Entries[i].Case.ID, p.Name))
			}
		}
	}
	return out
}
