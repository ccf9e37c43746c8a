// Package keys holds key bindings as data. Dispatch, the footer, the help and
// the command palette all read the same table, so they cannot disagree.
package keys

import "strings"

// Action names something the application can do, as "run.start" or "go.cases".
type Action string

// None is no action.
const None Action = ""

// Binding ties an action to its keys and its words.
type Binding struct {
	Action   Action
	Keys     []string // as tea.KeyMsg.String gives them; may be empty: reachable by the palette alone
	Show     string   // how the keys are written for people; the first key when empty
	Foot     string   // how the footer writes them where the binding stands for its opposite too: "n N"; Show when empty
	Words    string   // short, for the footer: "open", "filter"
	Help     string   // a whole line for help and palette; Words when empty
	Category string   // heading in the help
	Quiet    bool     // not in the footer
}

// Label is how the keys are written for people.
func (b Binding) Label() string {
	switch {
	case b.Show != "":
		return b.Show
	case len(b.Keys) > 0:
		return b.Keys[0]
	}
	return ""
}

// FootLabel is how the footer writes the keys.
func (b Binding) FootLabel() string {
	if b.Foot != "" {
		return b.Foot
	}
	return b.Label()
}

// Line is the binding's line in help and palette.
func (b Binding) Line() string {
	if b.Help != "" {
		return b.Help
	}
	return b.Words
}

// Table is a list of bindings; earlier ones win.
type Table []Binding

// Match gives the action bound to a key.
func (t Table) Match(key string) (Action, bool) {
	for _, b := range t {
		for _, k := range b.Keys {
			if k == key {
				return b.Action, true
			}
		}
	}
	return None, false
}

// Has tells whether an action is in the table.
func (t Table) Has(a Action) bool {
	for _, b := range t {
		if b.Action == a {
			return true
		}
	}
	return false
}

// Apart gives the table with no key told twice: a binding whose keys all lead to
// an earlier one has none, so it is reachable by the palette alone.
func (t Table) Apart() Table {
	taken := map[string]bool{}
	out := make(Table, 0, len(t))
	for _, b := range t {
		free := len(b.Keys) == 0
		for _, k := range b.Keys {
			free = free || !taken[k]
		}
		for _, k := range b.Keys {
			taken[k] = true
		}
		if !free {
			b.Keys, b.Show, b.Foot = nil, "", ""
		}
		out = append(out, b)
	}
	return out
}

// Filter gives the bindings whose line, category, key or action holds every
// word of the query, letters compared without case.
func (t Table) Filter(query string) Table {
	words := strings.Fields(strings.ToLower(query))
	var out Table
	for _, b := range t {
		text := strings.ToLower(b.Line() + " " + b.Words + " " + b.Category + " " + b.Label() + " " + string(b.Action))
		all := true
		for _, w := range words {
			all = all && strings.Contains(text, w)
		}
		if all {
			out = append(out, b)
		}
	}
	return out
}

// Categories gives the headings in order of first use.
func (t Table) Categories() []string {
	var out []string
	seen := map[string]bool{}
	for _, b := range t {
		if !seen[b.Category] {
			seen[b.Category] = true
			out = append(out, b.Category)
		}
	}
	return out
}
