// The queue as rows of the list. What a blind reader must not know is not in a
// row at all, so that no column, filter, copy or export can tell it.
package pairs

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/review"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// reviewRow is one pair of the queue as the reviewer may see it.
type reviewRow struct {
	row    row
	item   *review.ItemStanding
	place  int           // in the queue, from 1
	name   string        // the case's ID; of a blind pair its place: an ID may name the scenario
	own    *review.Entry // the reviewer's standing verdict, nil without one
	stale  bool          // of the reviewer's, or of all who reviewed it
	needed bool          // waits for the reviewer
	flags  []string      // of either row, each once
	text   string        // what a filter looks in, lower case
}

// rowOf makes the row of an item.
func (v *reviewing) rowOf(i int, item *review.ItemStanding) reviewRow {
	st := v.standing()
	r := reviewRow{item: item, place: i + 1, needed: item.Needs(v.reviewer)}
	r.row = row{queued: true, pair: item.Analysis, entry: v.entry(item), blind: !item.Seen(v.reviewer), sides: st.Queue.Sides(v.reviewer, item.CaseID)}
	for place, side := range []review.Side{review.SideA, review.SideB} {
		r.row.label[place], r.row.short[place] = string(side), string(side)
		if !r.row.blind {
			policy := widget.Clean(item.Analysis.Sides[r.row.sides[place]].Policy)
			r.row.label[place], r.row.short[place] = string(side)+" ("+policy+")", policy
		}
		for _, flag := range item.Flags[r.row.sides[place]] {
			r.row.flags[place] = append(r.row.flags[place], flag)
			if !slices.Contains(r.flags, string(flag)) {
				r.flags = append(r.flags, string(flag))
			}
		}
	}
	slices.Sort(r.flags)
	r.name = fmt.Sprintf("pair %d", r.place)
	if !r.row.blind {
		r.name = widget.Clean(item.CaseID)
	}
	if e, ok := item.By(v.reviewer); ok {
		r.own = &e
	}
	r.stale = r.own == nil && slices.ContainsFunc(item.Stale, func(e review.Entry) bool { return e.Reviewer == v.reviewer }) ||
		!item.Reviewed() && len(item.Stale) > 0
	r.row.show, r.row.scenario, r.row.source = r.name, widget.Clean(item.Scenario), widget.Clean(item.Source)
	r.text = strings.ToLower(strings.Join(r.words(v.drafted(item.CaseID)), " "))
	return r
}

// entry gives the case with its texts, where the book has them.
func (v *reviewing) entry(item *review.ItemStanding) *casebook.Entry {
	if e, ok := v.s.book.Find(item.CaseID); ok {
		return e
	}
	if e, ok := v.told.Desk.Run.Book.Find(item.CaseID); ok {
		return e
	}
	return &casebook.Entry{}
}

func (v *reviewing) drafted(caseID string) bool {
	_, ok := v.drafts[mine{v.reviewer, caseID}]
	return ok
}

// reviewKeys are the conditions of the review's filter; the others of a pair
// hold only where the policies were told.
var reviewKeys = []string{"review", "verdict", "dispute", "flag", "reason"}

// ofReview tells whether a filter asks for something that only the review knows.
func ofReview(filter string) bool {
	return slices.ContainsFunc(reviewKeys, func(key string) bool {
		return slices.ContainsFunc(strings.Fields(filter), func(word string) bool {
			return strings.HasPrefix(word, key+"=") || strings.HasPrefix(word, key+"!=")
		})
	})
}

// words is what a filter may ask for. Of a blind pair it is what the reader sees
// of it, and nothing of one side alone.
func (r *reviewRow) words(draft bool) []string {
	out := []string{r.name, "reason=" + string(r.item.Reason), widget.Clean(r.row.entry.Case.Question)}
	add := func(is bool, word string) {
		if is {
			out = append(out, word)
		}
	}
	add(r.own == nil, "review=open")
	add(r.own != nil, "review=done")
	add(r.stale, "review=stale")
	add(r.item.Disagreement() && !r.row.blind, "review=disagreement")
	add(draft, "review=draft")
	for _, flag := range r.flags {
		out = append(out, "flag="+flag)
	}
	if r.row.blind {
		kept := "kept=yes"
		for side := range r.item.Rows {
			out = append(out, "rule="+widget.Clean(r.item.Rows[side].Rule))
			if !r.item.Rows[side].SupportRetained {
				kept = "kept=no"
			}
		}
		return append(out, kept)
	}
	for _, e := range r.item.Current {
		out = append(out, "verdict="+string(e.Cause))
		add(!e.Agrees(), "dispute=yes")
		add(e.Agrees(), "dispute=no")
	}
	return append(out, r.row.words()...)
}

// state says in a word or two how the pair stands for the reviewer.
func (v *reviewing) state(r *reviewRow) string {
	switch {
	case v.drafted(r.item.CaseID):
		return "draft"
	case r.own == nil && r.stale:
		return "stale"
	case r.own == nil:
		return "open"
	case r.item.Disagreement():
		return v.s.th.Sign.Differs + " " + string(r.own.Cause)
	}
	return string(r.own.Cause)
}

// disputed names the sides whose grades a verdict disputes: "A", "B", "A and B".
func (r *reviewRow) disputed(e *review.Entry) string {
	var out []string
	for place, side := range r.row.sides {
		if slices.Contains(e.Disputed, r.item.Rows[side].RowID) {
			out = append(out, string([]review.Side{review.SideA, review.SideB}[place]))
		}
	}
	return strings.Join(out, " and ")
}

// by names those whose verdicts stand.
func (r *reviewRow) by() string { return reviewers(r.item.Current) }

func reviewers(entries []review.Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, widget.Clean(e.Reviewer))
	}
	return strings.Join(out, ", ")
}

// exported gives the queue as it is shown.
func (v *reviewing) exported() (screen.Table, bool) {
	if v.standing() == nil {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "review", Selected: -1, Columns: []string{"place", "case_id", "reason", "flags", "state", "verdict", "disputed", "reviewed_by", "blind",
		"a_policy", "a_correct", "a_rule", "a_support_retained", "b_policy", "b_correct", "b_rule", "b_support_retained", "kind"}}
	for i, at := range v.shown {
		r := &v.rows[at]
		if i == v.table.Cursor {
			t.Selected = i
		}
		var id, verdict, disputes, kind any
		if !r.row.blind {
			id, kind = r.item.CaseID, string(r.item.Analysis.Kind)
		}
		if r.own != nil {
			verdict, disputes = string(r.own.Cause), r.disputed(r.own)
		}
		values := []any{r.place, id, string(r.item.Reason), strings.Join(r.flags, ", "), v.state(r), verdict, disputes, r.by(), r.row.blind}
		for _, side := range r.row.sides {
			row := &r.item.Rows[side]
			var policy any
			if !r.row.blind {
				policy = row.Policy
			}
			values = append(values, policy, row.Correct, row.Rule, row.SupportRetained)
		}
		t.Rows = append(t.Rows, append(values, kind))
	}
	return t, true
}
