// What a case gives to copying and export, and what it remembers.
package casedetail

import (
	"fmt"
	"strconv"
	"strings"

	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

var (
	_ screen.Tabular  = (*Screen)(nil)
	_ screen.Copier   = (*Screen)(nil)
	_ screen.Stateful = (*Screen)(nil)
)

// Table gives every fact under every policy at the capacity shown.
func (s *Screen) Table() (screen.Table, bool) {
	d := s.detail
	if d.entry == nil {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "case-" + d.entry.Case.ID, Selected: -1, Columns: []string{"case_id", "policy", "capacity", "rank", "fact_id",
		"support", "score", "confidence_part", "freshness_part", "heat_part", "kept", "by_reserve", "moved", "why"}}
	for side := range d.panels {
		p := &d.panels[side]
		for i := range p.lines {
			l := &p.lines[i]
			if side == d.side && l.id == d.fact {
				t.Selected = len(t.Rows)
			}
			fresh, heat := any(l.parts[1]), any(l.parts[2])
			if !p.hybrid {
				fresh, heat = nil, nil
			}
			t.Rows = append(t.Rows, []any{d.entry.Case.ID, p.policy, d.capacity, l.rank, l.id, l.support, l.score,
				l.parts[0], fresh, heat, l.kept, l.reserved, l.differs, l.why})
		}
	}
	return t, true
}

// Pane is the current policy's decision in words: every fact, the cut, and why
// the selected one was kept or evicted.
func (s *Screen) Pane() string {
	d := s.detail
	p, l := d.current(), d.selected()
	if d.entry == nil || p == nil {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s · %s · %s · capacity %d of %d\n", widget.Clean(d.entry.Case.ID), widget.Clean(d.entry.Case.Scenario), widget.Clean(p.policy),
		d.capacity, len(d.entry.Case.Facts))
	for i := range p.lines {
		f := &p.lines[i]
		if i == p.cut {
			out.WriteString("-- cut --\n")
		}
		fate := "evicted"
		switch {
		case f.reserved:
			fate = "kept by reserve"
		case f.kept:
			fate = "kept"
		}
		fmt.Fprintf(&out, "%2d  %s  %s  %s\n", f.rank, widget.Score(f.score), widget.Clean(f.id), fate)
	}
	if l != nil {
		fmt.Fprintf(&out, "\n%s: %s\n%s\n", widget.Clean(l.id), l.why, l.proof)
	}
	return out.String()
}

// State is the case and the place in it.
func (s *Screen) State() map[string]string {
	d := s.detail
	if d.entry == nil {
		return nil
	}
	return map[string]string{"case": d.entry.Case.ID, "capacity": strconv.Itoa(d.capacity), "side": strconv.Itoa(d.side), "fact": d.fact}
}

// Restore goes back to that place once the case is there.
func (s *Screen) Restore(state map[string]string) {
	// A capacity that was asked for on the command line is there already.
	if n, err := strconv.Atoi(state["capacity"]); err == nil && n > 0 && n < 1000 && s.detail.capacity == 0 {
		s.detail.capacity = n
	}
	s.restore = state
}

// Reopen shows the case that was open when the program was left; it tells
// whether there is one.
func (s *Screen) Reopen() bool {
	d, state := s.detail, s.restore
	s.restore = nil
	if state["case"] == "" || !d.Show(state["case"]) {
		return false
	}
	if side, err := strconv.Atoi(state["side"]); err == nil && side >= 0 && side < len(d.panels) {
		d.side = side
	}
	if p := d.current(); p != nil && p.find(state["fact"]) >= 0 {
		d.fact = state["fact"]
	}
	return true
}
