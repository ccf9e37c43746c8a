// A text in full, scrolled: a fact, an error, the help.
package dialog

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Reader shows a cleaned text, wrapped to the window.
type Reader struct {
	Title string
	Text  string
	Acts  keys.Table // keys that close it and do something, which the text tells of
	lines []string
	wrapW int
	list  widget.List
}

// Key scrolls or closes.
func (r *Reader) Key(msg tea.KeyMsg) Result {
	if action, ok := r.Acts.Match(msg.String()); ok && !msg.Paste {
		return Result{Closed: true, Action: action}
	}
	return scrollKey(&r.list, msg)
}

// Wheel scrolls.
func (r *Reader) Wheel(by int) { scroll(&r.list, by) }

// View draws the box.
func (r *Reader) View(th *theme.Theme, w, h int) []string {
	bw := min(max(w*4/5, min(w, 76)), 110)
	if r.wrapW != bw || r.lines == nil {
		r.lines, r.wrapW = widget.Wrap(r.Text, bw-4), bw
	}
	return scrolled(th, r.Title, r.lines, &r.list, bw, h)
}

// Hint is the footer.
func (r *Reader) Hint() keys.Table {
	return append(keys.Table{{Keys: []string{"↑↓"}, Words: "scroll"}, closeHint}, r.Acts...)
}

// scrolled draws a box of lines with a window on them.
func scrolled(th *theme.Theme, title string, lines []string, list *widget.List, bw, h int) []string {
	bh := min(len(lines)+2, max(h-2, 0))
	rows := max(bh-2, 0)
	list.Len, list.Rows = len(lines), rows
	list.Top = max(min(list.Top, len(lines)-rows), 0)
	note := ""
	if len(lines) > rows {
		note = fmt.Sprintf("%d-%d of %d", list.Top+1, min(list.Top+rows, len(lines)), len(lines))
	}
	return frame(th, title, note, lines[list.Top:min(list.Top+rows, len(lines))], bw, bh)
}

func scroll(l *widget.List, by int) { l.Top = max(min(l.Top+by, l.Len-l.Rows), 0) }

// scrollKey moves a window without a cursor.
func scrollKey(l *widget.List, msg tea.KeyMsg) Result {
	if msg.Paste {
		return Result{}
	}
	switch msg.String() {
	case "esc", "q", "enter", "?", "ctrl+c":
		return Result{Closed: true}
	}
	switch scrolls(msg) {
	case keys.Up:
		scroll(l, -1)
	case keys.Down:
		scroll(l, 1)
	case keys.PageUp:
		scroll(l, -max(l.Rows-1, 1))
	case keys.PageDown:
		scroll(l, max(l.Rows-1, 1))
	case keys.Home:
		l.Top = 0
	case keys.End:
		scroll(l, l.Len)
	}
	return Result{}
}
