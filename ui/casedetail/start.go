// Where a case is looked at first.
package casedetail

// StartAt sets the capacity that cases open at, before there is a book.
func (s *Screen) StartAt(capacity int) { s.detail.capacity = max(capacity, 1) }
