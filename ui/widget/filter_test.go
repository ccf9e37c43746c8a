package widget

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
)

func TestAFilterFindsAsOneTypesAndLeavesTheArrowsToTheList(t *testing.T) {
	in := Input{Value: "ca"}
	for _, c := range []struct {
		name  string
		key   tea.KeyMsg
		want  Typed
		value string
	}{
		{"a letter is found at once", tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("t")}, Typed{Changed: true}, "cat"},
		{"an arrow moves in the list", tea.KeyMsg{Type: tea.KeyDown}, Typed{Move: keys.Down}, "cat"},
		{"the other arrow too", tea.KeyMsg{Type: tea.KeyUp}, Typed{Move: keys.Up}, "cat"},
		{"a key that is no text changes nothing", tea.KeyMsg{Type: tea.KeyF1}, Typed{}, "cat"},
		{"enter keeps the text", tea.KeyMsg{Type: tea.KeyEnter}, Typed{Done: true}, "cat"},
		{"a paste is text, whatever it holds", tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("\n!"), Paste: true}, Typed{Changed: true}, "cat!"},
		{"esc clears", tea.KeyMsg{Type: tea.KeyEsc}, Typed{Changed: true, Done: true}, ""},
		{"esc over nothing finds nothing new", tea.KeyMsg{Type: tea.KeyEsc}, Typed{Done: true}, ""},
	} {
		if got := in.Filter(c.key); got != c.want || in.Value != c.value {
			t.Errorf("%s: %+v with %q, want %+v with %q", c.name, got, in.Value, c.want, c.value)
		}
	}
}
