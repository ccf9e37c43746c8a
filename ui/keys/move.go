// The keys that move, the same in every list.
package keys

// The actions that move.
const (
	Up       Action = "move.up"
	Down     Action = "move.down"
	Left     Action = "move.left"
	Right    Action = "move.right"
	PageUp   Action = "move.pageup"
	PageDown Action = "move.pagedown"
	Home     Action = "move.home"
	End      Action = "move.end"
	Open     Action = "open"
	Back     Action = "back"
	Focus    Action = "focus"
)

// Moves gives the bindings that move in a list whose items are called what.
func Moves(what string) Table {
	const category = "Move"
	return Table{
		{Action: Up, Keys: []string{"up", "k"}, Show: "↑ k", Words: "up", Help: "previous " + what, Category: category, Quiet: true},
		{Action: Down, Keys: []string{"down", "j"}, Show: "↓ j", Words: "down", Help: "next " + what, Category: category, Quiet: true},
		{Action: PageUp, Keys: []string{"pgup", "ctrl+b", "ctrl+u"}, Show: "pgup", Words: "page up", Help: "a page up", Category: category, Quiet: true},
		{Action: PageDown, Keys: []string{"pgdown", "ctrl+f", "ctrl+d", " "}, Show: "pgdn", Words: "page down", Help: "a page down", Category: category, Quiet: true},
		{Action: Home, Keys: []string{"home", "g"}, Show: "g", Words: "first", Help: "first " + what, Category: category, Quiet: true},
		{Action: End, Keys: []string{"end", "G"}, Show: "G", Words: "last", Help: "last " + what, Category: category, Quiet: true},
	}
}
