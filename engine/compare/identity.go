// What makes two runs of one protocol, which is looked at before any row.

package compare

import (
	"fmt"
	"slices"
	"strings"

	"deermem-tui/engine/report"
	"deermem-tui/engine/review/gradedrun"
	"deermem-tui/engine/rundir"
)

// Change is one thing that identifies a run and differs between the two.
type Change struct {
	What string `json:"what"` // "dataset", "protocol ID", "model", …
	A    string `json:"a"`    // "unknown" where the run does not say
	B    string `json:"b"`
}

const unknown = "unknown"

func protocolOf(r *gradedrun.Run) string {
	switch {
	case r.Doc != nil:
		return r.Doc.ProtocolID
	case r.Stats != nil:
		return r.Stats.ProtocolID
	}
	return unknown
}

// changes compares what binds the runs to a protocol. What a run does not say
// counts as different: silence joins nothing.
func changes(a, b *gradedrun.Run) []Change {
	var out []Change
	add := func(what, x, y string) {
		if x != y || x == unknown {
			out = append(out, Change{what, x, y})
		}
	}
	add("protocol ID", protocolOf(a), protocolOf(b))
	if a.Doc == nil || b.Doc == nil {
		say := func(r *gradedrun.Run) string {
			if r.Doc == nil {
				return unknown
			}
			return "known"
		}
		out = append(out, Change{"the five hashes", say(a), say(b)})
	} else {
		for _, c := range rundir.Changes(a.Doc.Artifacts, b.Doc.Artifacts) {
			out = append(out, Change{c.What, c.Found, c.Want})
		}
		add("model", a.Doc.QA.Model, b.Doc.QA.Model)
	}
	add("grader", graders(a), graders(b))
	add("capacity", capacities(a), capacities(b))
	return out
}

func graders(r *gradedrun.Run) string {
	return each(r, func(row report.GradedRow) string { return row.GraderVersion })
}

func capacities(r *gradedrun.Run) string {
	return each(r, func(row report.GradedRow) string { return fmt.Sprint(row.Capacity) })
}

// each joins the different values of the rows.
func each(r *gradedrun.Run, value func(report.GradedRow) string) string {
	var values []string
	for _, row := range r.Rows {
		if v := value(row); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return strings.Join(values, ", ")
}
