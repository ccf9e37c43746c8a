// Asking for the name of the folder that a report is written into.
package publish

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/dialog"
	"deermem-tui/ui/export"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// FolderChosen is what a Folder dialog closes with.
type FolderChosen struct{ Name string }

// Folder asks for a folder's name.
type Folder struct {
	Problem string // why the last try failed; cleaned
	input   widget.Input
}

var _ dialog.Dialog = (*Folder)(nil)

// NewFolder opens with a name that is suggested.
func NewFolder(name string) *Folder {
	d := &Folder{}
	d.input.Set(name)
	return d
}

// Key types the name and agrees. A paste is typed.
func (d *Folder) Key(msg tea.KeyMsg) dialog.Result {
	if !msg.Paste {
		switch msg.String() {
		case "esc", "ctrl+c":
			return dialog.Result{Closed: true}
		case "enter":
			name, err := export.CheckName(d.input.Value)
			if err != nil {
				d.Problem = widget.Clean(err.Error())
				return dialog.Result{}
			}
			return dialog.Result{Closed: true, Msg: FolderChosen{Name: name}}
		}
	}
	if d.input.Type(msg) {
		d.Problem = ""
	}
	return dialog.Result{}
}

// Wheel does nothing.
func (d *Folder) Wheel(int) {}

// View draws the box.
func (d *Folder) View(th *theme.Theme, w, h int) []string {
	bw := min(70, w)
	inner := bw - 4
	lines := append(widget.Wrap("Four files: the report as HTML, Markdown and JSON, and every row as CSV. They hold no question, fact, reference answer, answer text or note.", inner),
		"", d.input.View(th, "folder  ", inner), "")
	note, style := "A folder in the current one, or a link there to one elsewhere; no file that exists is overwritten.", th.Dim
	if d.Problem != "" {
		note, style = d.Problem, th.Bad
	}
	for _, line := range widget.Wrap(note, inner) {
		lines = append(lines, style.Render(line))
	}
	return widget.Pane{Title: th.Title.Render("Write the report"), Focus: true, W: bw, H: min(len(lines)+2, h)}.Draw(th, lines)
}

// Hint is the footer.
func (d *Folder) Hint() keys.Table {
	return keys.Table{{Keys: []string{"type"}, Words: "the name"}, {Keys: []string{"enter"}, Words: "write"}, {Keys: []string{"esc"}, Words: "leave"}}
}
