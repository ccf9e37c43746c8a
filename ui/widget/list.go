// A cursor over a list that is longer than its window: pure arithmetic, shared
// by tables, logs and dialogs.
package widget

import "deermem-tui/ui/keys"

// List is a cursor and a window over Len items. Its methods keep
// 0 <= Top <= Cursor < Top+Rows and work for every length and size.
type List struct {
	Len, Rows   int
	Cursor, Top int
}

// Move carries out an action that moves; it tells whether it was one.
func (l *List) Move(a keys.Action) bool {
	switch a {
	case keys.Up:
		l.Cursor--
	case keys.Down:
		l.Cursor++
	case keys.PageUp:
		l.Cursor -= max(l.Rows-1, 1)
	case keys.PageDown:
		l.Cursor += max(l.Rows-1, 1)
	case keys.Home:
		l.Cursor = 0
	case keys.End:
		l.Cursor = l.Len - 1
	default:
		return false
	}
	l.Clamp()
	return true
}

// Set changes length and window and keeps the cursor inside.
func (l *List) Set(length, rows int) {
	l.Len, l.Rows = max(length, 0), max(rows, 0)
	l.Clamp()
}

// Select puts the cursor on item i.
func (l *List) Select(i int) {
	l.Cursor = i
	l.Clamp()
}

// Clamp restores the list's promise after a change.
func (l *List) Clamp() {
	l.Cursor = max(min(l.Cursor, l.Len-1), 0)
	rows := max(l.Rows, 1)
	l.Top = max(min(l.Top, l.Len-rows), 0)
	if l.Cursor < l.Top {
		l.Top = l.Cursor
	}
	if l.Cursor >= l.Top+rows {
		l.Top = l.Cursor - rows + 1
	}
}

// Visible gives the items in the window, from to end.
func (l *List) Visible() (from, to int) {
	return l.Top, min(l.Top+l.Rows, l.Len)
}
