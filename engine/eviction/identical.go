// This file finds facts that share an ID: the reference keeps its scores by ID,
// so of such facts only the last one's score counts.

package eviction

import "hash/maphash"

// idTable is an open-addressed hash table of indices whose memory is used again.
type idTable struct {
	slots []int32 // index + 1; 0 is empty
	seed  maphash.Seed
}

// shareScores gives facts with equal IDs the score of the last of them.
func (t *idTable) shareScores(facts []Fact, scores []Score) {
	if len(facts) <= smallList {
		shareFew(facts, scores)
		return
	}
	size := 4 * smallList
	for size < 2*len(facts) {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]int32, size)
		t.seed = maphash.MakeSeed()
	}
	t.slots = t.slots[:size]
	clear(t.slots)
	// From the end, so that the last of equal IDs is met first and stays.
	for i := len(facts) - 1; i >= 0; i-- {
		at := maphash.String(t.seed, facts[i].ID) % uint64(size)
		for {
			other := int(t.slots[at]) - 1
			if other < 0 {
				t.slots[at] = int32(i + 1)
				break
			}
			if facts[other].ID == facts[i].ID {
				scores[i] = scores[other]
				break
			}
			at = (at + 1) % uint64(size)
		}
	}
}

// shareFew is shareScores for at most smallList facts. It compares marks of a
// few bytes first, so that IDs are compared only where they may be equal.
func shareFew(facts []Fact, scores []Score) {
	var marks [smallList]uint64
	for i := len(facts) - 1; i >= 0; i-- {
		marks[i] = mark(facts[i].ID)
		for j := i + 1; j < len(facts); j++ {
			if marks[j] == marks[i] && facts[j].ID == facts[i].ID {
				scores[i] = scores[j]
				break // j's score is that of the last already
			}
		}
	}
}

// mark gives the last seven bytes of an ID and its length, in one integer.
func mark(id string) uint64 {
	m := uint64(len(id)) << 56
	for i := max(0, len(id)-7); i < len(id); i++ {
		m ^= uint64(id[i]) << (8 * (uint(i) % 7))
	}
	return m
}
