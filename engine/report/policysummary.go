// summary.json: what each policy retained, by source, scenario and capacity.

package report

import "deermem-tui/protocol/pytext"

// PolicyGroup is what one policy did with the cases of one scenario at one
// capacity. Its means are over Cases.
type PolicyGroup struct {
	Source       string
	Scenario     string
	Capacity     int
	Policy       string
	Cases        int
	AllRetained  int     // cases whose every support fact was kept
	RetainedRate float64 // AllRetained / Cases
	MeanRecall   float64 // mean of the rows' support recall
}

// PolicyGroups groups rows, in the order of source, scenario, capacity, policy.
func PolicyGroups(rows []PolicyRow) []PolicyGroup {
	var groups []PolicyGroup
	recall := map[groupKey]float64{}
	index := map[groupKey]int{}
	for i := range rows {
		r := &rows[i]
		key := groupKey{r.Source, r.Scenario, r.Capacity, r.Policy}
		at, seen := index[key]
		if !seen {
			at = len(groups)
			index[key] = at
			groups = append(groups, PolicyGroup{Source: r.Source, Scenario: r.Scenario, Capacity: r.Capacity, Policy: r.Policy})
		}
		groups[at].Cases++
		if r.SupportRetained {
			groups[at].AllRetained++
		}
		recall[key] += r.SupportRecall
	}
	for i := range groups {
		g := &groups[i]
		g.RetainedRate = float64(g.AllRetained) / float64(g.Cases)
		g.MeanRecall = recall[g.key()] / float64(g.Cases)
	}
	sortGroups(groups, PolicyGroup.key)
	return groups
}

func (g PolicyGroup) key() groupKey { return groupKey{g.Source, g.Scenario, g.Capacity, g.Policy} }

// PolicySummary gives summary.json of a protocol's rows.
func PolicySummary(protocolID string, rows []PolicyRow) []byte {
	groups := []any{}
	for _, g := range PolicyGroups(rows) {
		groups = append(groups, map[string]any{
			"capacity":                  g.Capacity,
			"cases":                     g.Cases,
			"mean_support_recall":       g.MeanRecall,
			"policy":                    g.Policy,
			"scenario":                  g.Scenario,
			"source":                    g.Source,
			"support_all_retained":      g.AllRetained,
			"support_all_retained_rate": g.RetainedRate,
		})
	}
	return pytext.MarshalIndent(map[string]any{
		"groups":         groups,
		"protocol_id":    protocolID,
		"schema_version": schemaVersion,
	})
}
