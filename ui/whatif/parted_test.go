package whatif

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/engine/whatif/kept"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

func TestTheCapsDoingIsToldFromThatOfTheConstants(t *testing.T) {
	for name, s := range map[string]*Screen{"study": open(t, 120, 33), "store": overStore(t, fixture.Store(false), 120, 33)} {
		do(t, s, CapacityLess, CapacityLess, CapacityLess)
		if text := seen(s); strings.Contains(text, "alone changes") {
			t.Errorf("%s: only the cap is moved, and a part of it is told apart:\n%s", name, text)
		}
		do(t, s, MuchLess, MuchLess, MuchLess)
		fresh := engine.New(s.on.second.pools, s.on.model.Base())
		at := fresh.Base()
		at.Capacity = s.on.setting.Capacity
		alone := fresh.Evaluate(at)
		want := fmt.Sprintf("the cap of %d alone changes %s, the rest %s", at.Capacity, widget.Plural(alone.ChangedFacts, "fact"), widget.Plural(engine.Apart(alone, s.outcome), "fact"))
		if text := seen(s); alone.ChangedFacts == 0 || !strings.Contains(text, want) {
			t.Errorf("%s: %q is not told:\n%s", name, want, text)
		}
		do(t, s, CapacityLess)
		if text := seen(s); !strings.Contains(text, fmt.Sprintf("the cap of %d alone", s.on.setting.Capacity)) {
			t.Errorf("%s: another cap is not told:\n%s", name, text)
		}
		do(t, s, Reset)
		if text := seen(s); strings.Contains(text, "alone changes") {
			t.Errorf("%s: nothing is moved, and a part of it is told:\n%s", name, text)
		}
	}
}

func TestWhereEverythingFitsTheScreenSaysThatNoConstantDecides(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {120, 33}, {200, 57}} {
		s := overStore(t, fixture.Store(false), size[0], size[1])
		do(t, s, CapacityMore, CapacityMore, CapacityMore)
		if text := seen(s); strings.Contains(text, "everything fits") {
			t.Errorf("23 of 24 facts fit, and the screen says:\n%s", text)
		}
		do(t, s, CapacityMore, MuchLess)
		if text := seen(s); strings.Count(text, "everything fits") < 2 {
			t.Errorf("result and strip at %v do not say it:\n%s", size, text)
		}
		do(t, s, Lower)
		if text := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(seen(s))), " "); size[0] == 200 && !strings.Contains(text, "everything fits. A cap of 24 holds 24 facts") {
			t.Errorf("there is no cut, and nothing says why:\n%s", text)
		}
	}
}

func TestTheSumIsSeenHoweverManyCategoriesThereAre(t *testing.T) {
	m := fixture.Store(false)
	a := &m.Users[0].Agents[0]
	for i := range a.Facts {
		a.Facts[i].Category = fmt.Sprintf("category %d", i)
	}
	s := overStore(t, m, 80, 21)
	do(t, s, CapacityLess, MuchLess)
	for _, want := range []string{"and 4 more", "all facts     20   19   24", "held by corrections", "the cap alone"} {
		if text := seen(s); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// keptOverProtocol gives a screen over a store with the list of settings open, one
// of them kept over a protocol.
func keptOverProtocol(t *testing.T) (*Screen, engine.Setting) {
	t.Helper()
	s := overStore(t, fixture.Store(false), 120, 33)
	one := s.on.model.Base()
	one.Name, one.Over, one.Capacity, one.Now, one.Policy.ReservedMax = "low", engine.Over{Protocol: "sample"}, 7, moment2(), 1
	mine := one
	mine.Name, mine.Over = "mine", s.on.over
	f := &file{[]engine.Setting{one, mine}}
	f.serve(t, s, s.Do(Settings))
	return s, one
}

func TestOfASettingOfAnotherSubjectOnlyTheConstantsAreTaken(t *testing.T) {
	s, one := keptOverProtocol(t)
	if text := seen(s); !strings.Contains(text, "kept over protocol sample") || !strings.Contains(text, "≠ low") || strings.Contains(text, "≠ mine") || !strings.Contains(text, "here without its cap 7 and its clock 2026-07-01") {
		t.Errorf("the list does not say over what it was kept, or its clock:\n%s", text)
	}
	before := s.on.setting
	changed := s.outcomes()[rowKept].ChangedFacts
	asked := carryAll(t, s, s.Do(keys.Open))
	if len(asked) != 1 {
		t.Fatalf("asked %v", asked)
	}
	toast, ok := asked[0].(screen.Toast)
	if !ok || !strings.Contains(toast.Text, "low: without its cap 7 and its clock 2026-07-01") || !strings.Contains(toast.Text, "as it was kept over protocol sample") {
		t.Errorf("it says %v", asked)
	}
	base := s.on.model.Base()
	if got := s.on.setting; got.Capacity != base.Capacity || got.Now != before.Now || got.Policy != one.Policy || got.Over.Known() || s.panel != noPanel {
		t.Errorf("taken is %+v", got)
	}
	if s.outcome.ChangedFacts != changed {
		t.Errorf("the list said %d changes, there are %d", changed, s.outcome.ChangedFacts)
	}
}

func TestACapThatWasNotMovedIsNotKept(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 33)
	f := &file{}
	f.name(t, s, "still")
	if got := f.all[0].Unmoved; got != (engine.Unmoved{Capacity: true, Clock: true}) {
		t.Errorf("nothing was moved, and %+v is said", got)
	}
	do(t, s, CapacityLess)
	f.name(t, s, "lower")
	if got := f.all[1].Unmoved; got != (engine.Unmoved{Clock: true}) {
		t.Errorf("the cap was moved, and %+v is said", got)
	}
}

func TestASettingOfTheSameSubjectIsTakenAtOnce(t *testing.T) {
	s, one := keptOverProtocol(t)
	do(t, s, keys.Down)
	if asked := carryAll(t, s, s.Do(keys.Open)); len(asked) > 0 || !s.on.setting.Same(one) {
		t.Errorf("asked %v, taken %+v", asked, s.on.setting)
	}
}

func TestWhatIsKeptSaysOverWhat(t *testing.T) {
	f := &file{}
	s := open(t, 120, 33)
	f.name(t, s, "a")
	store := overStore(t, fixture.Store(false), 120, 33)
	f.name(t, store, "b")
	if f.all[0].Over != (engine.Over{Protocol: s.study.over.Protocol}) || f.all[0].Over.Protocol == "" {
		t.Errorf("over a study: %+v", f.all[0].Over)
	}
	if want := (kept.OverAgent("/home/mara/.deermem", "mara", "coder")); f.all[1].Over != want {
		t.Errorf("over a store: %+v", f.all[1].Over)
	}
}

// carryAll carries out a command and gives all that is not for the screen itself.
func carryAll(t *testing.T, s *Screen, cmd tea.Cmd) []tea.Msg {
	t.Helper()
	return (&file{}).serve(t, s, cmd)
}

func TestTheRowsOfTheCapAreToldFromThoseOfTheConstants(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 60)
	for range 3 {
		do(t, s, CapacityLess)
	}
	if text := seen(s); strings.Contains(text, "by cap") || !strings.Contains(text, "now gone") {
		t.Errorf("only the cap is moved, and rows are marked:\n%s", text)
	}
	do(t, s, MuchLess, MuchLess, MuchLess, MuchLess, MuchLess, MuchLess)
	alone := s.capAlone()
	if alone == nil {
		t.Fatal("what the cap does alone is not known")
	}
	marks := map[string]int{}
	cells := make([]string, len(s.table.Columns))
	for i, p := range s.shown {
		s.cells(i, cells)
		now, was := s.outcome.Pools[0].Kept[p], s.on.model.BaseKept(0, p)
		by := now != was && now == alone.Pools[0].Kept[p]
		if got := strings.Contains(cells[4], "by cap"); got != by {
			t.Errorf("fact %d: %q, the cap's doing: %v", p, cells[4], by)
		}
		for _, mark := range []string{"by cap", "now", "stays in", "kept out"} {
			if strings.Contains(cells[4], mark) {
				marks[mark]++
			}
		}
	}
	if marks["by cap"] == 0 || s.byCap.rest != marks["now"]+marks["stays in"]+marks["kept out"] {
		t.Errorf("marked %v, the rest is %d", marks, s.byCap.rest)
	}
	if !s.Bindings().Has(StartHere) {
		t.Error("b is not offered")
	}
}
