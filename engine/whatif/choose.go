// This file finds which facts a cap keeps without sorting them all: only the
// side of the cut matters.

package whatif

import (
	"cmp"
	"math"
	"slices"

	"deermem-tui/engine/eviction"
)

// ranked is one fact in the order of decisions: by key, equal ones by index.
type ranked struct {
	key   uint64
	index int32
}

func (r ranked) before(other ranked) bool {
	return r.key < other.key || r.key == other.key && r.index < other.index
}

func compareRanked(a, b ranked) int {
	if d := cmp.Compare(a.key, b.key); d != 0 {
		return d
	}
	return cmp.Compare(a.index, b.index)
}

// chooser decides over a pool's scores with memory that is used again.
type chooser struct {
	corrections []int32
	order       []ranked
}

func newChooser(facts []eviction.Fact) chooser {
	var c chooser
	for i := range facts {
		if eviction.IsCorrection(facts[i].Category) {
			c.corrections = append(c.corrections, int32(i))
		}
	}
	return c
}

// reservedSlots is min(reserved max, ceil(capacity · fraction), corrections,
// capacity), never below 0.
func reservedSlots(p *eviction.Policy, capacity, corrections int) int {
	if capacity <= 0 {
		return 0
	}
	share := math.Ceil(float64(capacity) * p.ReservedFraction)
	if !(share > 0) {
		return 0
	}
	return max(0, int(min(share, float64(p.ReservedMax), float64(capacity), float64(corrections))))
}

// choose marks the facts that a setting keeps, the same as eviction.Select
// keeps, and gives the number of reserved slots.
func (c *chooser) choose(values []float64, set *Setting, kept []bool) (reserved int) {
	n, capacity := len(values), max(0, set.Capacity)
	if n <= set.Capacity {
		for i := range kept {
			kept[i] = true
		}
		return 0
	}
	clear(kept)
	reserved = reservedSlots(&set.Policy, capacity, len(c.corrections))
	if reserved > 0 {
		c.order = c.order[:0]
		for _, i := range c.corrections {
			c.order = append(c.order, ranked{key(values[i]), i})
		}
		firstRanked(c.order, reserved)
		for _, one := range c.order[:reserved] {
			kept[one.index] = true
		}
	}
	c.order = c.order[:0]
	for i := range values {
		if !kept[i] {
			c.order = append(c.order, ranked{key(values[i]), int32(i)})
		}
	}
	open := capacity - reserved
	firstRanked(c.order, open)
	for _, one := range c.order[:open] {
		kept[one.index] = true
	}
	return reserved
}

// firstRanked moves the first n of a list, in the order of decisions, to its
// front, in any order among themselves.
func firstRanked(list []ranked, n int) {
	low, high := 0, len(list) // n is in low..high
	for rounds := 0; high-low > 16 && low < n && n < high; rounds++ {
		if rounds > 64 {
			break // an unlucky list; the sort below has no worst case
		}
		pivot := median(list[low], list[low+(high-low)/2], list[high-1])
		i, j := low, high-1
		for i <= j {
			for list[i].before(pivot) {
				i++
			}
			for pivot.before(list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n <= j+1:
			high = j + 1
		case n >= i:
			low = i
		default:
			return // the pivot alone lies between
		}
	}
	if low < n && n < high {
		slices.SortFunc(list[low:high], compareRanked)
	}
}

func median(a, b, c ranked) ranked {
	if b.before(a) {
		a, b = b, a
	}
	if c.before(b) {
		b = c
		if b.before(a) {
			b = a
		}
	}
	return b
}
