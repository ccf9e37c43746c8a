// What is told and keeps nothing shut: which model answered, and whether
// somebody looked before the end.

package gate

import (
	"fmt"
	"slices"
	"strings"
)

func (g *checker) model() {
	counts := map[string]int{}
	var models []string
	for _, row := range g.Run.Rows {
		name := "not told"
		if row.ResponseModel != nil {
			name = *row.ResponseModel
		}
		if counts[name]++; counts[name] == 1 {
			models = append(models, name)
		}
	}
	slices.Sort(models)
	var notes []string
	if len(models) > 1 {
		notes = append(notes, "the rows were answered by several models; say so where figures are shown")
	}
	if doc := g.Run.Doc; doc != nil {
		for _, name := range models {
			if name != doc.QA.Model {
				notes = append(notes, fmt.Sprintf("%d rows: %s, and %s was asked for; say so where figures are shown", counts[name], name, doc.QA.Model))
			}
		}
	}
	found := strings.Join(models, ", ")
	if len(notes) > 0 {
		g.add(Model, Noted, found, notes...)
		return
	}
	g.add(Model, Passed, found)
}
