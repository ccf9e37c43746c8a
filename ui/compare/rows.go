// The rows of a comparison: those that differ and those that one run lacks,
// found, narrowed to a kind and sorted.
package compare

import (
	"cmp"
	"slices"
	"strings"

	engine "deermem-tui/engine/compare"
	"deermem-tui/ui/widget"
)

// row is a row of the list, its texts cleaned once.
type row struct {
	id, caseID, policy string
	diff               *engine.Row // nil where one run lacks the row
	only               string      // "A" or "B": the run that has it
	text               string      // what the filter looks at, lower case
}

func rowsOf(r *engine.Result) []row {
	if r == nil {
		return nil
	}
	var out []row
	for i := range r.Rows {
		d := &r.Rows[i]
		words := append([]string{d.RowID, d.Scenario, d.RuleA, d.RuleB, d.Direction()}, d.Ways()...)
		out = append(out, row{id: d.RowID, caseID: d.CaseID, policy: d.Policy, diff: d, text: strings.ToLower(widget.Clean(strings.Join(words, " ")))})
	}
	for _, missing := range []struct {
		only string
		ids  []string
	}{{"A", r.OnlyA}, {"B", r.OnlyB}} {
		for _, id := range missing.ids {
			caseID, policy := id, ""
			if at := strings.LastIndex(id, "__"); at >= 0 {
				caseID, policy = id[:at], id[at+2:]
			}
			out = append(out, row{id: id, caseID: caseID, policy: policy, only: missing.only, text: strings.ToLower(widget.Clean(id + " missing only in " + missing.only))})
		}
	}
	return out
}

// kind narrows the list.
type kind int

const (
	all kind = iota
	flips
	keptFacts
	predictions
	missing
	kinds
)

// words names a kind; it takes any number.
func (k kind) words() string {
	return [kinds]string{"all rows", "flips", "other facts kept", "other texts", "missing rows"}[k%kinds]
}

func (k kind) holds(r *row) bool {
	switch {
	case k == all:
		return true
	case k == missing:
		return r.diff == nil
	case r.diff == nil:
		return false
	case k == flips:
		return r.diff.Flipped()
	case k == keptFacts:
		return r.diff.Kept() || r.diff.KeptOrder
	}
	return r.diff.Prediction
}

// sortKey is what the list is sorted by.
type sortKey int

const (
	byRow sortKey = iota
	byScenario
	byFlip
	sortKeys
)

// weight puts flips first, right to wrong before wrong to right, then other
// texts, other facts, and missing rows last.
func (r *row) weight() int {
	switch {
	case r.diff == nil:
		return 5
	case r.diff.Flipped() && r.diff.CorrectA:
		return 0
	case r.diff.Flipped():
		return 1
	case r.diff.Prediction:
		return 2
	case r.diff.Kept():
		return 3
	}
	return 4
}

func (r *row) scenario() string {
	if r.diff == nil {
		return ""
	}
	return r.diff.Scenario
}

// view gives the rows of a kind that hold every word, in order.
func view(rows []row, k kind, filter string, by sortKey) []int {
	words := strings.Fields(strings.ToLower(filter))
	var out []int
	for i := range rows {
		r := &rows[i]
		if k.holds(r) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(r.text, w) }) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(x, y int) int {
		a, b := &rows[x], &rows[y]
		first := 0
		switch by {
		case byScenario:
			first = cmp.Compare(a.scenario(), b.scenario())
		case byFlip:
			first = cmp.Compare(a.weight(), b.weight())
		}
		return cmp.Or(first, cmp.Compare(a.id, b.id))
	})
	return out
}
