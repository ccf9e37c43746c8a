// What a screen remembers from one run of the program to the next.
package screen

// Stateful is kept by screens that come back as they were left. Values are
// short texts; what Restore does not understand it ignores: the file may be
// old, or damaged. Restore is called before the first Book.
type Stateful interface {
	State() map[string]string
	Restore(state map[string]string)
}

// Unsaved is kept by screens that hold what was typed and is on no disk yet.
// The shell asks before it leaves them.
type Unsaved interface {
	// Unsaved names it in a sentence; empty where there is nothing.
	Unsaved() string
	// Discard forgets it: the reader said so.
	Discard()
}
