// In what two rows can differ, as a table, so that the outputs of a comparison
// and the conditions that a script names cannot disagree.

package compare

import "slices"

// Kind is one way in which two rows differ.
type Kind struct {
	Name  string // as a script names it
	Words string // before a number
	shown bool   // every output gives its number, zero too
	holds func(*Row) bool
}

// Holds tells whether a row differs so.
func (k Kind) Holds(r *Row) bool { return k.holds(r) }

const kindUsage = "usage"

// Kinds gives them in the order in which they are told.
func Kinds() []Kind {
	return []Kind{
		{"flips", "another grade", true, (*Row).Flipped},
		{"kept", "other facts kept", true, (*Row).Kept},
		{"predictions", "another text", true, func(r *Row) bool { return r.Prediction }},
		{"rules", "another rule of the grader", false, func(r *Row) bool { return r.RuleA != r.RuleB }},
		{"order", "the same facts in another order", false, func(r *Row) bool { return r.KeptOrder }},
		{"requests", "another request", false, func(r *Row) bool { return r.Request }},
		{"retention", "another word on the support", false, func(r *Row) bool { return r.Retention }},
		{"models", "another model served", false, func(r *Row) bool { return r.Model }},
		{"labels", "another source, scenario, type or capacity", false, func(r *Row) bool { return r.Labels || r.Capacity }},
		{kindUsage, "other attempts or tokens", false, func(r *Row) bool { return r.Usage }},
	}
}

// Number counts the rows that differ so.
func (r *Result) Number(k Kind) int {
	n := 0
	for _, rows := range [][]Row{r.Rows, r.UsageOnly} {
		for i := range rows {
			if k.Holds(&rows[i]) {
				n++
			}
		}
	}
	return n
}

// Ways names the kinds in which a row differs.
func (r *Row) Ways() []string {
	var names []string
	for _, k := range Kinds() {
		if k.Holds(r) {
			names = append(names, k.Words)
		}
	}
	return names
}

// Different counts the rows that differ in anything.
func (r *Result) Different() int { return len(r.Rows) + len(r.UsageOnly) }

// all gives every row that differs, those that differ in usage alone last.
func (r *Result) all() []Row { return slices.Concat(r.Rows, r.UsageOnly) }
