// This file words what a policy would do with facts that are still there, so
// that nobody takes it for what it did.

package insight

import (
	"strings"

	"deermem-tui/engine/eviction"
)

// standing turns the words of a decision that was carried out into those of one
// that was not.
var standing = strings.NewReplacer("would have kept it", "would keep it", "would have evicted it", "would evict it")

// StandsNow says why a fact that is there would go or stay, such as `Would go:
// rank 8 of 10 at capacity 7, …`. Evicted are those that went.
func StandsNow(f eviction.Explained) string {
	why := f.Why()
	for _, word := range [...][2]string{{"Evicted: ", "Would go: "}, {"Kept: ", "Would stay: "}} {
		if rest, ok := strings.CutPrefix(why, word[0]); ok {
			why = word[1] + rest
		}
	}
	return standing.Replace(why)
}

// WhyNoneReserved says why no slot is reserved; empty where one is, and for a
// policy that reserves none.
func (d *Decision) WhyNoneReserved() string {
	switch {
	case len(d.Held) > 0 || !d.Ranked.Policy().Hybrid():
		return ""
	case d.Evictions() == 0:
		return "everything fits"
	case d.Capacity <= 0:
		return "a cap of 0 has none"
	}
	return "there is no correction"
}
