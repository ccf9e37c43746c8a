// Which of the changes are the cap's doing, and which those of the constants: a
// lower cap drops facts whatever the weights are, and where everything fits no
// constant decides anything.
package whatif

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

// parted is an outcome's changes, those that the cap alone makes apart.
type parted struct {
	alone aloneMsg
	rest  int // facts that the other parameters change at that cap
	known bool
}

// aloneMsg is what the start does at another cap.
type aloneMsg struct {
	on       *subject
	capacity int
	outcome  *engine.Outcome
}

// partable tells whether the cap is moved and something else too.
func (s *Screen) partable() bool {
	base, now := s.on.model.Base(), s.on.setting
	if now.Capacity == base.Capacity {
		return false
	}
	base.Capacity = now.Capacity
	return !now.Same(base)
}

// askAlone has the second model decide with the cap alone moved.
func (s *Screen) askAlone() tea.Cmd {
	on, capacity := s.on, s.on.setting.Capacity
	if !s.partable() || s.byCap.alone.on == on && s.byCap.alone.capacity == capacity {
		return nil
	}
	s.working = true
	return func() tea.Msg {
		m := on.second.model()
		at := m.Base()
		at.Capacity = capacity
		return screen.For{Screen: screen.WhatIf, Msg: aloneMsg{on, capacity, m.Evaluate(at)}}
	}
}

// part counts anew, where what the cap does alone is known.
func (s *Screen) part() {
	a := &s.byCap.alone
	s.byCap.known = s.on != nil && s.outcome != nil && a.on == s.on && a.capacity == s.on.setting.Capacity
	if s.byCap.known {
		s.byCap.rest = engine.Apart(a.outcome, s.outcome)
	}
}

// capAlone is what the cap does alone, where that is parted from the rest and
// known; else nil.
func (s *Screen) capAlone() *engine.Outcome {
	if !s.partable() || !s.byCap.known {
		return nil
	}
	return s.byCap.alone.outcome
}

// fateBeside says what becomes of a fact where the cap alone makes it alone: what
// the cap does by itself is told from what the constants do, and so is what they
// keep the cap from doing. Where neither does anything the words stay.
func (s *Screen) fateBeside(now, was, alone bool, words string) string {
	th, sign := s.th, s.th.Sign.Evicted
	if now {
		sign = th.Sign.Kept
	}
	switch {
	case now != was && now == alone:
		return th.Dim.Render(sign + " by cap")
	case now == was && now != alone && now:
		return th.Good.Render(sign + " stays in")
	case now == was && now != alone:
		return th.Bad.Render(sign + " kept out")
	}
	return words
}

// fits tells whether all facts of a pool fit under the cap.
func (s *Screen) fits(pool int) bool {
	return len(s.on.model.Pool(pool).Facts) <= s.on.setting.Capacity
}

// capLines are the lines below what is kept: what is the cap's doing, or that
// over a store everything fits.
func (s *Screen) capLines() []string {
	if s.on == nil || s.outcome == nil {
		return nil
	}
	th, w := s.th, max(s.w-s.at.sliders.w-4, 0)
	pick := func(long, short string) []string {
		if widget.Width(th.Words(long)) > w {
			long = short
		}
		return []string{th.Warn.Render(th.Words(long))}
	}
	switch {
	case s.on.agent != nil && s.fits(0):
		return pick("everything fits, so no constant decides anything", "everything fits")
	case !s.partable():
		return nil
	case !s.byCap.known:
		return []string{th.Dim.Render("the cap alone" + th.Sign.More)}
	}
	alone, at := s.byCap.alone.outcome.ChangedFacts, s.on.setting.Capacity
	long := fmt.Sprintf("the cap of %d alone changes %s, the rest %s", at, widget.Plural(alone, "fact"), widget.Plural(s.byCap.rest, "fact"))
	if hint := long + "; b shows which"; widget.Width(hint) <= w {
		long = hint
	}
	return pick(long,
		fmt.Sprintf("the cap alone %d, the rest %d", alone, s.byCap.rest))
}

// noCut says why there are no facts nearest to the cut.
func (s *Screen) noCut(pool int) string {
	switch n := len(s.on.model.Pool(pool).Facts); {
	case n == 0:
		return "There is no fact here."
	case s.fits(pool):
		return fmt.Sprintf("There is no cut: everything fits. A cap of %d holds %s, so no constant decides anything; [ lowers the cap.", s.on.setting.Capacity, widget.Plural(n, "fact"))
	case s.on.setting.Capacity <= 0:
		return "There is no cut: a cap of 0 keeps nothing."
	}
	return "There is no cut in the ranking: every slot is reserved for corrections."
}
