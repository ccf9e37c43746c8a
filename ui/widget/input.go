// A line of text that is typed. A paste goes into it as text, cleaned.
package widget

import (
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/theme"
)

// maxInput is the most a line takes; a longer paste is cut.
const maxInput = 500

// Input is a line being typed; the cursor stands at its end.
type Input struct{ Value string }

// Type handles a key; it tells whether the value changed. Keys that end typing
// (enter, esc) are the caller's.
func (in *Input) Type(msg tea.KeyMsg) bool {
	before := in.Value
	switch {
	case msg.Paste || msg.Type == tea.KeyRunes && !msg.Alt:
		in.add(string(msg.Runes))
	case msg.Type == tea.KeySpace:
		in.add(" ")
	case msg.Type == tea.KeyBackspace || msg.Type == tea.KeyCtrlH:
		_, size := utf8.DecodeLastRuneInString(in.Value)
		in.Value = in.Value[:len(in.Value)-size]
	case msg.Type == tea.KeyCtrlU:
		in.Value = ""
	case msg.Type == tea.KeyCtrlW:
		in.dropWord()
	}
	return in.Value != before
}

// Set gives the line a value, cleaned and cut like a paste.
func (in *Input) Set(s string) {
	in.Value = ""
	in.add(s)
}

func (in *Input) add(s string) {
	if s != " " {
		s = Clean(s)
	}
	if room := maxInput - len(in.Value); len(s) > room {
		s = s[:max(room, 0)]
		for !utf8.ValidString(s) && s != "" {
			s = s[:len(s)-1]
		}
	}
	in.Value += s
}

func (in *Input) dropWord() {
	end := len(in.Value)
	for end > 0 && in.Value[end-1] == ' ' {
		end--
	}
	for end > 0 && in.Value[end-1] != ' ' {
		end--
	}
	in.Value = in.Value[:end]
}

// View draws the line with its cursor in w cells; a long value shows its end.
func (in *Input) View(th *theme.Theme, prompt string, w int) string {
	room := w - Width(prompt) - 1
	value := in.Value
	for Width(value) > room && value != "" {
		_, size := utf8.DecodeRuneInString(value)
		value = value[size:]
	}
	cursor := th.Focus.Render("_")
	return Fit(th.Key.Render(prompt)+value+cursor, w, "")
}
