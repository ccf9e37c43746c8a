// Which models answered: rows of several are a comparison of them as much as of
// the policies, and that is told wherever the rows are.

package pipeline

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"deermem-tui/engine/rundir"
)

// modelsOf counts rows by the model that answered them; "" where it was not told.
func modelsOf(rows iter.Seq[rundir.Row]) map[string]int {
	models := map[string]int{}
	for row := range rows {
		model := ""
		if row.ResponseModel != nil {
			model = *row.ResponseModel
		}
		models[model]++
	}
	return models
}

// mixedModels says that more than one model answered; empty where at most one
// is known.
func mixedModels(models map[string]int) string {
	var parts []string
	for _, model := range slices.Sorted(maps.Keys(models)) {
		if model != "" {
			parts = append(parts, fmt.Sprintf("%s (%s)", model, plural(models[model], "row", "rows")))
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return "more than one model answered: " + strings.Join(parts, ", ")
}
