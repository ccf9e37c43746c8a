// The order of groups in both summaries.

package report

import (
	"cmp"
	"slices"
)

// groupKey names a group. Capacity is 0 where a summary has one capacity only.
type groupKey struct {
	source   string
	scenario string
	capacity int
	policy   string
}

func (k groupKey) compare(other groupKey) int {
	return cmp.Or(
		cmp.Compare(k.source, other.source),
		cmp.Compare(k.scenario, other.scenario),
		cmp.Compare(k.capacity, other.capacity),
		cmp.Compare(k.policy, other.policy),
	)
}

func sortGroups[G any](groups []G, key func(G) groupKey) {
	slices.SortFunc(groups, func(a, b G) int { return key(a).compare(key(b)) })
}
