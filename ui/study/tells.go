// What the ring tells of a case: the blind review has to know.
package study

import (
	"slices"

	"deermem-tui/ui/screen"
)

var _ screen.Telling = (*Screen)(nil)

// Tells gives the case whose ring is seen: it names what each policy kept.
func (s *Screen) Tells() string {
	if e := s.entry(); e != nil && s.hasRing() && slices.ContainsFunc(s.lay, func(at placed) bool { return at.id == paneRing && at.h > 2 }) {
		return e.Case.ID
	}
	return ""
}
