// The keys of the review, for dispatch, footer, help and palette.
package pairs

import (
	"deermem-tui/ui/keys"
)

// bindings are the actions that work while the review is on.
func (v *reviewing) bindings() keys.Table {
	const category = "Review"
	leave := keys.Binding{Action: LeaveReview, Keys: []string{"w"}, Words: "leave review", Help: "leave the review: the list of pairs with their policies", Category: category}
	if v.standing() == nil {
		leave.Keys, leave.Show = []string{"w", "esc"}, "w"
		return append(keys.Table{leave}, keys.Moves("pair")...)
	}
	var t keys.Table
	what := "pair"
	if v.inside {
		what = "line"
		t = append(t, keys.Binding{Action: keys.Back, Keys: []string{"esc", "backspace", "left", "h"}, Show: "esc", Words: "back", Help: "back to the queue", Category: category})
	} else if v.selected() != nil {
		t = append(t, keys.Binding{Action: keys.Open, Keys: []string{"enter", "l", "right"}, Show: "enter", Words: "read", Help: "read the pair", Category: category})
	}
	if r := v.selected(); r != nil {
		words, next := "verdict", "next open"
		if r.own != nil {
			words = "change it"
		} else {
			next = "skip"
		}
		t = append(t,
			keys.Binding{Action: GiveVerdict, Keys: []string{"v"}, Words: words, Help: "give your verdict on the pair, or change your mind", Category: category},
			keys.Binding{Action: NextOpen, Keys: []string{"n"}, Foot: "n N", Words: next, Help: "next pair that waits for your verdict; what is passed stays open", Category: category},
			keys.Binding{Action: PreviousOpen, Keys: []string{"N"}, Words: "previous open", Help: "previous pair that waits for your verdict", Category: category, Quiet: true},
			keys.Binding{Action: OpenCase, Keys: []string{"c"}, Words: "case", Help: "open the case, once you were told the policies: scores, ranks and the cut", Category: category, Quiet: r.row.blind})
	}
	t = append(t, keys.Binding{Action: Result, Keys: []string{"r"}, Words: "result", Help: "how the review stands: counts, agreement, the result under the disputes", Category: category})
	if !v.inside {
		t = append(t, keys.Binding{Action: Filter, Keys: []string{"/"}, Words: "filter", Help: "find pairs: words, review=open, verdict=eviction, flag=numeric-conflict", Category: category})
	}
	t = append(t, leave)
	if !v.inside {
		if v.input.Value != "" {
			t = append(t, keys.Binding{Action: Unfilter, Keys: []string{"esc"}, Words: "show all", Help: "clear the filter", Category: category})
		} else {
			t = append(t, v.escape(category))
		}
	}
	t = append(t,
		keys.Binding{Action: Sample, Keys: []string{"d"}, Words: "sample", Help: "how many concordant pairs the queue holds besides, drawn by the seed", Category: category},
		keys.Binding{Action: Reviewer, Keys: []string{"u"}, Words: "reviewer", Help: "another reviewer's name", Category: category},
		keys.Binding{Action: keys.Focus, Keys: []string{"tab", "shift+tab"}, Show: "tab", Words: "pane", Help: "queue or pair", Category: category, Quiet: true})
	return append(t, keys.Moves(what)...)
}

// escape is what esc does on the queue: one esc too many must not lead to the
// list that names the policies of what is still open.
func (v *reviewing) escape(category string) keys.Binding {
	b := keys.Binding{Action: LeaveReview, Keys: []string{"esc"}, Words: "leave review", Category: category, Quiet: true}
	for i := range v.rows {
		if v.rows[i].needed && v.rows[i].row.blind {
			b.Action, b.Words, b.Help = stay, "stay", "esc leaves once no blind pair waits for you; w leaves at any time"
			break
		}
	}
	return b
}

// hint is the footer while text is typed.
func (v *reviewing) hint() keys.Table {
	key := func(name, words string) keys.Binding { return keys.Binding{Keys: []string{name}, Words: words} }
	switch {
	case v.form != nil && v.form.sending:
		return keys.Table{{Keys: []string{" "}, Words: "recording"}}
	case v.form != nil && v.form.field == noteField:
		return keys.Table{key("enter", "record"), key("esc", "leave, kept"), key("tab", "field"), key("pgdn", "scroll")}
	case v.form != nil:
		return keys.Table{key("letter", "chooses"), key("tab", "field"), key("enter", "record"), key("esc", "leave, kept"), key("pgdn", "scroll")}
	case v.asking != nothing && v.proposed:
		return keys.Table{key("enter", "go on"), key("letter", "replaces it"), key("esc", "leave")}
	case v.asking != nothing:
		return keys.Table{key("enter", "go on"), key("esc", "leave")}
	}
	return keys.Table{key("enter", "keep"), key("esc", "clear")}
}
