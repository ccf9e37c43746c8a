package whatif

import (
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/memstore"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

func TestEveryValueOfASliderIsSeenWholeInEveryWindowThatIsPromised(t *testing.T) {
	for w := 60; w <= 220; w++ {
		for name, s := range map[string]*Screen{"study": open(t, w, 21), "store": overStore(t, fixture.Store(false), w, 21)} {
			do(t, s, CapacityLess)
			rows := strings.Split(seen(s), "\n")[2:]
			for i, p := range engine.Params() {
				value, sign := short(p, p.Get(s.on.setting)), "  "
				if p == engine.Capacity {
					sign = " ≠"
				}
				if !strings.Contains(rows[i], " "+value+sign) {
					t.Fatalf("%s, %d columns: %s is %q in\n%s", name, w, p, value, seen(s))
				}
			}
			if text := seen(s); !strings.Contains(text, "● kept") || name == "store" && !strings.Contains(text, "○ now gone") {
				t.Fatalf("%s, %d columns: what becomes of the rows is not seen:\n%s", name, w, text)
			}
			for i, line := range s.View() {
				if widget.Width(line) != w {
					t.Fatalf("%s: line %d is %d cells wide in %d", name, i, widget.Width(line), w)
				}
			}
		}
	}
}

func TestAClickMovesTheSliderInANarrowWindowToo(t *testing.T) {
	s := overStore(t, fixture.Store(false), 60, 21)
	from, track := s.track()
	s.Mouse(screen.Mouse{X: from + track - 1, Y: banner + 1})
	if got := engine.WeightConfidence.Get(s.on.setting); got != 1 {
		t.Errorf("a click at the right end of %d cells gives %v", track, got)
	}
}

func TestTheTitleSaysWhoseAgentIsPlayedWithAndWhereItBegins(t *testing.T) {
	for _, w := range []int{80, 120, 200} {
		s := overStore(t, fixture.Store(false), w, 33)
		if text := seen(s); !strings.Contains(text, "agent coder of mara") || !strings.Contains(text, "the start: cap 20, clock 2026-06-01") || !strings.Contains(text, "deer-flow's own settings") {
			t.Errorf("%d columns:\n%s", w, text)
		}
	}
}

func TestAnAgentThatIsGoneFromTheStoreIsSaidToBe(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 33)
	m := fixture.Store(false)
	m.Users[0].Agents = m.Users[0].Agents[1:]
	carry(t, s, s.Update(screen.StoreRead{Store: m, Now: moment()}))
	if text := seen(s); !strings.Contains(text, "gone from the store") {
		t.Errorf("it is played with as if it was there:\n%s", text)
	}
	carry(t, s, s.Update(screen.StoreRead{Store: fixture.Store(false), Now: moment()}))
	if text := seen(s); strings.Contains(text, "gone from the store") {
		t.Errorf("it is back:\n%s", text)
	}
}

func TestAnExportSaysOverWhatItIsAndWhereItBegan(t *testing.T) {
	m := fixture.Store(false)
	for name, s := range map[string]*Screen{"study": open(t, 120, 33), "store": overStore(t, m, 120, 33)} {
		start := s.on.model.Base()
		do(t, s, CapacityLess, MuchLess)
		table, ok := s.Table()
		if !ok {
			t.Fatal(name)
		}
		row := map[string]any{}
		for i, column := range table.Columns {
			row[column] = table.Rows[0][i]
		}
		if row["start_capacity"] != int64(start.Capacity) || row["start_clock"] != start.Now.String() || row["over"] != s.on.over.String() || row["over"] == "" {
			t.Errorf("%s: %v", name, row)
		}
	}
}

func TestAFactThatAReservedSlotHoldsIsMarkedNearTheCut(t *testing.T) {
	m := fixture.Store(false)
	a := &m.Users[0].Agents[0]
	at := slices.IndexFunc(a.Facts, func(f memstore.Fact) bool { return f.Category == "correction" })
	a.Signals[at].Confidence = 0
	s := overStore(t, m, 120, 45)
	for !slices.ContainsFunc(s.near, func(n engine.Near) bool { return n.Kept && n.Margin < 0 }) {
		if s.on.setting.Capacity == 0 {
			t.Fatal("no slot holds a fact below the cut at any cap")
		}
		do(t, s, CapacityLess)
	}
	if text := seen(s); !strings.Contains(text, "R kept") {
		t.Errorf("a kept fact below the cut has no mark:\n%s", text)
	}
}

func TestTheTitlesOfANarrowResultStandApart(t *testing.T) {
	if text := seen(open(t, 60, 21)); strings.Contains(text, "scenariowas") || !strings.Contains(text, " was now  of") {
		t.Errorf("they touch:\n%s", text)
	}
}
