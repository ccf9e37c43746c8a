// The command palette: every action there is, found by its words.
package dialog

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Palette finds an action and closes with it.
type Palette struct {
	Table keys.Table
	input widget.Input
	list  widget.List
	shown keys.Table
}

// NewPalette opens over all actions of a table.
func NewPalette(table keys.Table) *Palette {
	p := &Palette{Table: table}
	p.find()
	return p
}

func (p *Palette) find() {
	p.shown = p.Table.Filter(p.input.Value)
	p.list.Len = len(p.shown)
	p.list.Cursor, p.list.Top = 0, 0
}

// Key types, moves and chooses. A paste is typed, never obeyed.
func (p *Palette) Key(msg tea.KeyMsg) Result {
	if !msg.Paste {
		switch msg.String() {
		case "esc", "ctrl+c":
			return Result{Closed: true}
		case "enter":
			if p.list.Cursor < len(p.shown) {
				return Result{Closed: true, Action: p.shown[p.list.Cursor].Action}
			}
			return Result{}
		case "up", "ctrl+p", "shift+tab":
			p.list.Move(keys.Up)
			return Result{}
		case "down", "ctrl+n", "tab":
			p.list.Move(keys.Down)
			return Result{}
		case "pgup":
			p.list.Move(keys.PageUp)
			return Result{}
		case "pgdown":
			p.list.Move(keys.PageDown)
			return Result{}
		}
	}
	if p.input.Type(msg) {
		p.find()
	}
	return Result{}
}

// Wheel moves the choice.
func (p *Palette) Wheel(by int) { p.list.Select(p.list.Cursor + by) }

// View draws the box.
func (p *Palette) View(th *theme.Theme, w, h int) []string {
	bw := min(76, w)
	bh := min(len(p.Table)+4, max(h-4, 0), 22)
	rows := max(bh-4, 0)
	p.list.Set(len(p.shown), rows)
	inner := bw - 4
	lines := []string{p.input.View(th, ": ", inner), ""}
	if len(p.shown) == 0 {
		lines = append(lines, th.Dim.Render("nothing is called that"))
	}
	from, to := p.list.Visible()
	for i := from; i < to; i++ {
		b := p.shown[i]
		sign := "  "
		if i == p.list.Cursor {
			sign = th.Sign.Select + " "
		}
		line := widget.Ends(sign+b.Line(), th.Dim.Render(b.Category)+"  "+th.Key.Render(widget.Fit(Label(th, b), 9, "")), inner, th.Sign.More)
		if i == p.list.Cursor {
			line = th.Selected.Over(line)
		}
		lines = append(lines, line)
	}
	return frame(th, "Commands", "", lines, bw, bh)
}

// Hint is the footer.
func (p *Palette) Hint() keys.Table {
	return keys.Table{{Keys: []string{"type"}, Words: "to find"}, {Keys: []string{"↑↓"}, Words: "choose"},
		{Keys: []string{"enter"}, Words: "do it"}, closeHint}
}

func asciiArrows(th *theme.Theme, label string) string {
	if th.Sign.Up == "↑" {
		return label
	}
	return strings.NewReplacer("↑↓", "up/down", "↑", "up", "↓", "down", "←", "left", "→", "right").Replace(label)
}
