// What keys and the mouse do while a list lies over the sliders.
package whatif

import (
	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// doPanel carries out an action while a panel lies over the screen.
func (s *Screen) doPanel(action keys.Action) tea.Cmd {
	if action == keys.Back {
		s.panel = noPanel
		s.arrange()
		return s.ask()
	}
	if s.panel == choosing {
		if action == keys.Open {
			return s.chosen()
		}
		s.pick.Move(action)
		return nil
	}
	k := &s.kept
	row := k.table.Cursor
	switch action {
	case keys.Open:
		return s.take(row)
	case keys.Focus:
		k.inText = !k.inText
	case Keep:
		return s.name()
	case Mark:
		if k.marked[row] {
			delete(k.marked, row)
		} else {
			k.marked[row] = true
		}
		k.table.Move(keys.Down)
	case Forget:
		if row >= rowKept && row < rowKept+len(k.all) {
			return screen.Request(screen.Ask{Title: "Forget this setting?", Text: "It is taken out of the settings that are kept: " + k.all[row-rowKept].Name, Yes: "forget", Action: ForgetYes})
		}
		return screen.Request(screen.Toast{Text: "only a setting that was kept can be forgotten"})
	case ForgetYes:
		if row >= rowKept && row < rowKept+len(k.all) {
			return screen.Request(Wish{Do: ForgetSetting, Name: k.all[row-rowKept].Name, Store: s.root()})
		}
	default:
		if k.inText {
			text := widget.List{Len: len(s.comparison(s.at.compared.w - 4)), Rows: max(s.at.compared.h-2, 0), Cursor: k.top}
			k.top = scrolled(text, action)
		} else if k.table.Move(action) {
			k.top = 0
		}
	}
	return nil
}

// scrolled gives the first line that is seen after a movement.
func scrolled(text widget.List, action keys.Action) int {
	top, page := text.Cursor, max(text.Rows-1, 1)
	switch action {
	case keys.Up:
		top--
	case keys.Down:
		top++
	case keys.PageUp:
		top -= page
	case keys.PageDown:
		top += page
	case keys.Home:
		top = 0
	case keys.End:
		top = text.Len
	}
	return max(min(top, text.Len-text.Rows), 0)
}

// take makes a setting of the list the present one. Of one that was kept over
// something else only the constants count, and that is said.
func (s *Screen) take(row int) tea.Cmd {
	list := s.settings()
	if row >= len(list) {
		return nil
	}
	s.panel = noPanel
	if row == rowNow {
		return s.evaluate(s.Selection())
	}
	one := list[row]
	one.Over = engine.Over{}
	s.on.setting = one
	var said tea.Cmd
	if left := s.leftOut(row); left != "" {
		said = screen.Request(screen.Toast{Text: widget.Clean(one.Name) + ": without " + left + ", as it was kept over " + widget.Clean(list[row].Over.Beside(s.on.over))})
	}
	return tea.Batch(said, s.evaluate(s.Selection()))
}

// leftOut says which of cap and clock of a kept setting do not count here.
func (s *Screen) leftOut(row int) string {
	if row < rowKept || row >= rowKept+len(s.kept.all) {
		return ""
	}
	_, left := s.kept.all[row-rowKept].For(s.on.over, s.on.model.Base())
	return left
}

// mousePanel selects in a panel.
func (s *Screen) mousePanel(m screen.Mouse) tea.Cmd {
	table, top := &s.pick, banner+1
	if s.panel == comparing {
		table = &s.kept.table
		if s.at.compared.holds(m.X, m.Y) {
			s.kept.inText = true
			text := widget.List{Len: len(s.comparison(s.at.compared.w - 4)), Rows: max(s.at.compared.h-2, 0)}
			s.kept.top = max(min(s.kept.top+3*m.Wheel, text.Len-text.Rows), 0)
			return nil
		}
		s.kept.inText, s.kept.top = false, 0
	}
	if m.Wheel != 0 {
		table.Select(table.Cursor + m.Wheel)
	} else if i, ok := table.RowAt(m.Y - top); ok {
		table.Select(i)
	}
	return nil
}

func (s *Screen) panelBindings() keys.Table {
	const category = "What-if"
	if s.panel == choosing {
		return append(keys.Table{
			{Action: keys.Open, Keys: []string{"enter", "right", "l"}, Show: "enter", Words: "play", Help: "play with what is under the cursor", Category: category},
			{Action: keys.Back, Keys: []string{"esc", "c", "left", "h"}, Show: "esc", Words: "back", Help: "back to the sliders", Category: category},
		}, keys.Moves("choice")...)
	}
	what := "setting"
	if s.kept.inText {
		what = "line"
	}
	return append(keys.Table{
		{Action: keys.Open, Keys: []string{"enter"}, Words: "take", Help: "make it the present setting", Category: category},
		{Action: Mark, Keys: []string{"m"}, Words: "mark", Help: "mark settings to compare them; without marks the one at hand with the present one", Category: category},
		{Action: Keep, Keys: []string{"a"}, Words: "keep", Help: "keep the present setting under a name", Category: category},
		{Action: Forget, Keys: []string{"x"}, Words: "forget", Help: "take a setting out of those that are kept", Category: category},
		{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: "pane", Help: "the list, or the comparison to scroll in", Category: category},
		{Action: keys.Back, Keys: []string{"esc", "s", "backspace"}, Show: "esc", Words: "back", Help: "back to the sliders", Category: category},
	}, keys.Moves(what)...)
}
