// The help, made from the table of keys that dispatches them.
package dialog

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Help lists every binding under its category.
type Help struct {
	Table keys.Table
	list  widget.List
}

// Key scrolls or closes.
func (d *Help) Key(msg tea.KeyMsg) Result { return scrollKey(&d.list, msg) }

// Wheel scrolls.
func (d *Help) Wheel(by int) { scroll(&d.list, by) }

// View draws the box.
func (d *Help) View(th *theme.Theme, w, h int) []string {
	var lines []string
	for _, category := range d.Table.Categories() {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, th.Strong.Render(category))
		for _, b := range d.Table {
			if b.Category == category && len(b.Keys) > 0 {
				lines = append(lines, "  "+th.Key.Render(widget.Fit(Label(th, b), 12, ""))+" "+b.Line())
			}
		}
	}
	return scrolled(th, "Keys that work here", lines, &d.list, min(76, w), h)
}

// Hint is the footer.
func (d *Help) Hint() keys.Table {
	return keys.Table{{Keys: []string{"↑↓"}, Words: "scroll"}, closeHint}
}

// Label writes a binding's keys in the theme's signs: arrows become words
// where only ASCII may be drawn.
func Label(th *theme.Theme, b keys.Binding) string { return asciiArrows(th, b.Label()) }

// FootLabel is Label for the footer.
func FootLabel(th *theme.Theme, b keys.Binding) string { return asciiArrows(th, b.FootLabel()) }
