// Where a case is looked at first.
package casedetail

// StartAt sets the capacity that the next case opens at, before there is a book
// or after; a case that is shown turns to it.
func (s *Screen) StartAt(capacity int) { s.detail.StartAt(capacity) }

// Capacity is the one shown, 0 before there is a book.
func (s *Screen) Capacity() int { return s.detail.Capacity() }

// StartAt is that of a detail within another screen.
func (d *Detail) StartAt(capacity int) {
	if d.entry != nil && len(d.entry.Case.Facts) == 0 {
		return // its rows tell of one capacity
	}
	d.capacity = max(capacity, 1)
	if d.entry != nil {
		d.Step(0)
	}
}

// Capacity is the one shown, 0 before there is a book.
func (d *Detail) Capacity() int { return d.capacity }
