// What a comparison tells of a case: the blind review has to know.
package compare

import "deermem-tui/ui/screen"

var _ screen.Telling = (*Screen)(nil)

// Tells gives the case of the row under the cursor: its policy stands beside
// its answers and grades.
func (s *Screen) Tells() string {
	if r := s.selected(); r != nil {
		return r.caseID
	}
	return ""
}
