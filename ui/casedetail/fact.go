// The texts of facts: the selected one with its signals, and the one on the
// other side of the cut.
package casedetail

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// noText is said where the dataset that holds a text is not at hand.
const noText = "The text is in the dataset, which is not at hand."

// storedFact gives a fact of the case at hand.
func (d *Detail) storedFact(id string) *pools.Fact {
	for i := range d.entry.Case.Facts {
		if f := &d.entry.Case.Facts[i]; f.ID == id {
			return f
		}
	}
	return nil
}

// factLines is the selected fact: its signals and as much of its text as h
// lines can show.
func (d *Detail) factLines(w, h int) []string {
	l := d.selected()
	if l == nil {
		return nil
	}
	return d.textOf(l.id, w, h)
}

func (d *Detail) textOf(id string, w, h int) []string {
	f := d.storedFact(id)
	if f == nil && len(d.entry.Case.Facts) == 0 {
		return widget.Wrap(noText, w)
	} else if f == nil {
		return nil
	}
	out := widget.Wrap(d.signals(f), w)
	for i := range out {
		out[i] = d.th.Dim.Render(out[i])
	}
	content := f.Content
	if content == "" {
		content = noText
	}
	// Only what can be seen is wrapped; the reader shows the rest.
	if most := max(w, 1) * max(h+1, 1) * 4; len(content) > most {
		content = content[:most]
	}
	return append(out, widget.Wrap(widget.CleanBlock(content), w)...)
}

// signals is what the policies see of a fact. Ages are those at the protocol's
// evaluation time.
func (d *Detail) signals(f *pools.Fact) string {
	parts := []string{widget.Clean(f.Category), "confidence " + strconv.FormatFloat(f.Confidence, 'f', -1, 64)}
	age := func(what string, at time.Time) {
		if d.book.Now.IsSet() && !at.IsZero() {
			days := float64(d.book.Now.Micros()-at.UnixMicro()) / float64(24*time.Hour/time.Microsecond)
			parts = append(parts, what+" "+strings.TrimSuffix(strconv.FormatFloat(days, 'f', 1, 64), ".0")+" days ago")
		}
	}
	age("created", f.Created)
	if f.Confirmed != nil {
		age("confirmed", *f.Confirmed)
	}
	if f.Heat != 0 {
		parts = append(parts, "heat "+strconv.FormatFloat(f.Heat, 'f', -1, 64))
	}
	if f.Accessed != nil {
		age("accessed", *f.Accessed)
	}
	return strings.Join(parts, " "+d.th.Sign.Spark+" ")
}

// otherFacts are the texts of all facts but two, best rank first: what a tall
// window has room for.
func (d *Detail) otherFacts(w, h int, but ...string) []string {
	p := d.current()
	if p == nil {
		return nil
	}
	var out []string
	for i := range p.lines {
		l := &p.lines[i]
		if slices.Contains(but, l.id) || len(out) > h {
			continue
		}
		lines := widget.Wrap(l.text, w-9)
		if l.text == "" {
			lines = []string{noText}
		}
		for j, line := range lines {
			head := widget.Spaces(9)
			if j == 0 {
				head = widget.FitRight(strconv.Itoa(l.rank), 2, "") + " " + widget.Fit(l.label, 4, d.th.Sign.More) + " "
				head = widget.Fit(head, 9, "")
			}
			out = append(out, d.th.Dim.Render(head)+line)
		}
	}
	return out
}

// acrossCut is the fact that the selected one has to pass, or that comes next
// behind it: the first on the other side of the cut.
func (d *Detail) acrossCut(w, h int) (id, title string, lines []string) {
	p, l := d.current(), d.selected()
	if p == nil || l == nil || p.cut < 0 || p.cut >= len(p.lines) {
		return "", "", nil
	}
	at := p.cut
	words := "first evicted"
	if !l.kept {
		at, words = p.cut-1, "last kept"
	}
	if at < 0 || p.lines[at].id == l.id {
		return "", "", nil
	}
	other := &p.lines[at]
	title = d.th.Title.Render("Across the cut") + d.th.Dim.Render(fmt.Sprintf(" %s %s: ", d.th.Sign.Spark, words)) + widget.Clean(other.id)
	return other.id, title, d.textOf(other.id, w, h)
}
