// Asking how and under what name a table is exported.
package dialog

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/export"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// ExportChosen is what an Export dialog closes with.
type ExportChosen struct {
	Format export.Format
	Name   string // clean, with its ending
}

// Export asks for a format and a file name.
type Export struct {
	What    string // "45 rows of cases"
	Problem string // why the last try failed; cleaned
	format  export.Format
	input   widget.Input
}

// NewExport opens with a name that is suggested.
func NewExport(what, name string, format export.Format) *Export {
	d := &Export{What: what, format: format}
	if !slices.Contains(export.Formats(), format) {
		d.format = export.CSV
	}
	d.input.Set(name)
	return d
}

// Key chooses the format, types the name and agrees. A paste is typed.
func (d *Export) Key(msg tea.KeyMsg) Result {
	if !msg.Paste {
		switch msg.String() {
		case "esc", "ctrl+c":
			return Result{Closed: true}
		case "tab", "down", "right":
			d.turn(1)
			return Result{}
		case "shift+tab", "up", "left":
			d.turn(-1)
			return Result{}
		case "enter":
			name, err := export.CleanName(d.input.Value, d.format)
			if err != nil {
				d.Problem = widget.Clean(err.Error())
				return Result{}
			}
			return Result{Closed: true, Msg: ExportChosen{Format: d.format, Name: name}}
		}
	}
	if d.input.Type(msg) {
		d.Problem = ""
	}
	return Result{}
}

func (d *Export) turn(by int) {
	all := export.Formats()
	i := slices.Index(all, d.format)
	stem, ended := strings.CutSuffix(d.input.Value, "."+string(d.format))
	d.format = all[(i+by+len(all))%len(all)]
	if ended { // the ending follows the format
		d.input.Set(stem + "." + string(d.format))
	}
	d.Problem = ""
}

// Wheel does nothing.
func (d *Export) Wheel(int) {}

// View draws the box.
func (d *Export) View(th *theme.Theme, w, h int) []string {
	bw := min(68, w)
	inner := bw - 4
	choice := th.Dim.Render("format  ")
	for _, f := range export.Formats() {
		if f == d.format {
			choice += th.TabOn.Render(th.Sign.Select+f.Title()+" ") + " "
		} else {
			choice += " " + f.Title() + "  "
		}
	}
	lines := []string{d.What, "", choice, d.input.View(th, "name    ", inner), ""}
	note := "A new file in the current folder; nothing is overwritten."
	if d.Problem != "" {
		for _, line := range widget.Wrap(d.Problem, inner) {
			lines = append(lines, th.Bad.Render(line))
		}
	} else {
		lines = append(lines, th.Dim.Render(widget.Fit(note, inner, th.Sign.More)))
	}
	return frame(th, "Export", "", lines, bw, min(len(lines)+2, h))
}

// Hint is the footer.
func (d *Export) Hint() keys.Table {
	return keys.Table{{Keys: []string{"tab"}, Words: "format"}, {Keys: []string{"type"}, Words: "the name"}, {Keys: []string{"enter"}, Words: "write"},
		{Keys: []string{"esc"}, Words: "leave"}}
}
