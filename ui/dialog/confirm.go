// A question before something that cannot be taken back lightly.
package dialog

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Confirm asks; y or enter agrees, anything that closes refuses.
type Confirm struct {
	Title, Text string
	Yes         string // the word of agreement
	Action      keys.Action
	Also        keys.Table // other ways on: keys that close it with an action of their own
}

// Key decides.
func (c *Confirm) Key(msg tea.KeyMsg) Result {
	if msg.Paste {
		return Result{}
	}
	if action, ok := c.Also.Match(msg.String()); ok {
		return Result{Closed: true, Action: action}
	}
	switch msg.String() {
	case "y", "Y", "enter":
		return Result{Closed: true, Action: c.Action}
	case "n", "N", "esc", "q":
		return Result{Closed: true}
	case "ctrl+c": // asked twice: agreed
		return Result{Closed: true, Action: c.Action}
	}
	return Result{}
}

// Wheel does nothing.
func (c *Confirm) Wheel(int) {}

// View draws the box.
func (c *Confirm) View(th *theme.Theme, w, h int) []string {
	bw := min(62, w)
	lines := append(widget.Wrap(c.Text, bw-4), "")
	choice := ""
	for _, b := range c.Hint() {
		next := th.Key.Render(b.Label()) + " " + b.Words
		if choice != "" && widget.Width(choice)+4+widget.Width(next) > bw-4 {
			lines, choice = append(lines, choice), ""
		}
		if choice != "" {
			choice += "    "
		}
		choice += next
	}
	lines = append(lines, choice)
	return frame(th, c.Title, "", lines, bw, min(len(lines)+2, h))
}

// Hint is the footer.
func (c *Confirm) Hint() keys.Table {
	t := append(keys.Table{{Keys: []string{"y"}, Words: c.Yes}}, c.Also...)
	return append(t, keys.Binding{Keys: []string{"n"}, Words: "go back"})
}
