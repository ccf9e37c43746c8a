// This file makes pools of a study's cases.

package whatif

import (
	"slices"

	"deermem-tui/engine/casebook"
)

// FromBook gives the cases of a book as pools, each in the group of its scenario.
func FromBook(b *casebook.Book) []Pool {
	list := make([]Pool, 0, len(b.Entries))
	for i := range b.Entries {
		c := b.Entries[i].Case
		p := Pool{ID: c.ID, Group: c.Scenario, Facts: casebook.Facts(c)}
		for at := range c.Facts {
			if slices.Contains(c.SupportIDs, c.Facts[at].ID) {
				p.Support = append(p.Support, at)
			}
		}
		list = append(list, p)
	}
	return list
}
