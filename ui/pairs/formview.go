// How the form of a verdict is drawn.
package pairs

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/review"
	"deermem-tui/ui/widget"
)

// label is the room for a field's name.
const label = 9

// formLines draws the form, and notes where its choices stand.
func (v *reviewing) formLines(w int) []string {
	th, f := v.s.th, v.form
	f.spots = f.spots[:0]
	var out []string
	name := func(is field, words string) string {
		mark := " "
		if f.field == is {
			return th.Key.Render(th.Sign.Select) + th.Strong.Render(widget.Fit(words, label-1, ""))
		}
		return mark + th.Dim.Render(widget.Fit(words, label-1, ""))
	}
	options := func(is field, words string, choices []choice, at int) {
		line, used := name(is, words), label
		for i, c := range choices {
			text := c.key + " " + c.words
			n := widget.Width(text)
			if used > label && used+n > w {
				out = append(out, line)
				line, used = widget.Spaces(label), label
			}
			f.spots = append(f.spots, spot{is, i, used, used + n, len(out)})
			if i == at {
				line += th.TabOn.Render(th.Sign.Select + " " + c.words)
			} else {
				line += th.Key.Render(c.key) + " " + c.words
			}
			line += "  "
			used += n + 2
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	options(causeField, "verdict", causeChoices(), f.cause)
	options(gradeField, "grades", gradeChoices, f.grade)
	const mostLines = 3
	note := f.note
	if f.field == noteField {
		note += "_"
	}
	lines := widget.Wrap(note, max(w-label, 1))
	if strings.HasSuffix(f.note, " ") && f.field != noteField || len(lines) == 0 {
		lines = append(lines, "")
	}
	if n := len(lines); n > mostLines {
		lines = lines[n-mostLines:]
		lines[0] = th.Sign.More + ansi.TruncateLeft(lines[0], 1, "")
	}
	for i, line := range lines {
		lead := widget.Spaces(label)
		if i == 0 {
			lead = name(noteField, "note")
		}
		f.spots = append(f.spots, spot{noteField, 0, 0, w, len(out)})
		out = append(out, lead+line)
	}
	return append(out, v.formRemark(w)...)
}

// formRemark is what there is to say below the fields.
func (v *reviewing) formRemark(w int) []string {
	th, f := v.s.th, v.form
	text, style := "Recorded, it tells you which policy was which. A dispute changes no grade.", th.Dim
	switch {
	case f.sending:
		text, style = "Recording"+th.Sign.More, th.Info
	case f.problem != "":
		text, style = f.problem, th.Bad
	case f.left:
		text, style = "You left the note: letters choose now, and tab leads round to the note again.", th.Warn
	case f.changes:
		text = "A change of mind: a new line in the ledger, not blind; the earlier one stays. A dispute changes no grade."
	case v.knows(f.reviewer, f.caseID):
		text = "The policies were told in this session: it is recorded as not blind. A dispute changes no grade."
		if v.seen[mine{f.reviewer, f.caseID}] {
			text = "You were told the policies: it is recorded as not blind. A dispute changes no grade."
		}
	}
	var out []string
	for _, line := range widget.Wrap(th.Words(text), w) {
		out = append(out, style.Render(line))
	}
	return out
}

func (v *reviewing) formPane(w, h int) []string {
	th := v.s.th
	title := "Your verdict"
	if v.form.changes {
		title = "Change of mind"
	}
	who := th.Dim.Render(" as ") + upTo(widget.Clean(v.form.reviewer), 24, th.Sign.More)
	pane := widget.Pane{Title: th.Title.Render(title) + who, Focus: true, W: w, H: h}
	if n := len(v.form.note); n > 0 {
		pane.Note = widget.Count(int64(n)) + " of " + widget.Count(review.MaxNote) + " bytes"
	}
	iw, _ := pane.Inner()
	return pane.Draw(th, v.formLines(iw))
}
