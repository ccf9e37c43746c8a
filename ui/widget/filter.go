// What keys mean to a filter that is typed over a list, the same on every
// screen: found as one types, enter keeps it, esc clears it, the arrows stay
// with the list.
package widget

import (
	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
)

// Typed is what a key made of a filter.
type Typed struct {
	Changed bool        // the text did: find again
	Done    bool        // typing is over
	Move    keys.Action // to carry out in the list; none for most keys
}

// Filter handles a key of a filter. A paste is text, whatever it holds.
func (in *Input) Filter(msg tea.KeyMsg) Typed {
	if !msg.Paste {
		switch msg.Type {
		case tea.KeyEnter:
			return Typed{Done: true}
		case tea.KeyEsc:
			changed := in.Value != ""
			in.Value = ""
			return Typed{Changed: changed, Done: true}
		case tea.KeyUp:
			return Typed{Move: keys.Up}
		case tea.KeyDown:
			return Typed{Move: keys.Down}
		}
	}
	return Typed{Changed: in.Type(msg)}
}

// Carry carries it out on a list: do moves in it, keep ends the typing, find looks
// again.
func (t Typed) Carry(do func(keys.Action) tea.Cmd, keep, find func()) tea.Cmd {
	if t.Move != keys.None {
		return do(t.Move)
	}
	if t.Done {
		keep()
	}
	if t.Changed {
		find()
	}
	return nil
}
