// qa.summary.json: how often each policy's answers were right, by source and
// scenario.

package report

import "deermem-tui/protocol/pytext"

// QAGroup is how one policy's answers in one scenario were graded.
type QAGroup struct {
	Source   string
	Scenario string
	Policy   string
	Cases    int
	Correct  int
	Accuracy float64 // Correct / Cases
}

// QAGroups groups rows, in the order of source, scenario, policy.
func QAGroups(rows []GradedRow) []QAGroup {
	var groups []QAGroup
	index := map[groupKey]int{}
	for i := range rows {
		r := &rows[i]
		g := QAGroup{Source: r.Source, Scenario: r.Scenario, Policy: r.Policy}
		at, seen := index[g.key()]
		if !seen {
			at = len(groups)
			index[g.key()] = at
			groups = append(groups, g)
		}
		groups[at].Cases++
		if r.Correct {
			groups[at].Correct++
		}
	}
	for i := range groups {
		groups[i].Accuracy = float64(groups[i].Correct) / float64(groups[i].Cases)
	}
	sortGroups(groups, QAGroup.key)
	return groups
}

func (g QAGroup) key() groupKey {
	return groupKey{source: g.Source, scenario: g.Scenario, policy: g.Policy}
}

// QASummary gives qa.summary.json of a protocol's graded rows, all of which
// were asked at one capacity.
func QASummary(protocolID, graderVersion string, capacity int, rows []GradedRow) []byte {
	groups := []any{}
	for _, g := range QAGroups(rows) {
		groups = append(groups, map[string]any{
			"accuracy": g.Accuracy,
			"cases":    g.Cases,
			"correct":  g.Correct,
			"policy":   g.Policy,
			"scenario": g.Scenario,
			"source":   g.Source,
		})
	}
	return pytext.MarshalIndent(map[string]any{
		"grader_version": graderVersion,
		"groups":         groups,
		"protocol_id":    protocolID,
		"qa_capacity":    capacity,
		"schema_version": schemaVersion,
	})
}
