// What playing with constants tells of a case: the blind review has to know.
package whatif

import "deermem-tui/ui/screen"

var _ screen.Telling = (*Screen)(nil)

// Tells gives the case under the cursor: the facts that hybrid-v1 keeps of it
// are shown. Facts of a store are no case.
func (s *Screen) Tells() string {
	if s.on == nil || s.on.agent != nil {
		return ""
	}
	return s.Selection()
}
