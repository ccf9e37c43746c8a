package whatif

import (
	"strings"
	"testing"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/screen"
)

func TestWithTheCapAtTheStartTooOnlyTheConstantsChangeAnything(t *testing.T) {
	for name, s := range map[string]*Screen{"study": open(t, 120, 33), "store": overStore(t, fixture.Store(false), 120, 33)} {
		own := s.on.model.Base()
		do(t, s, CapacityLess, CapacityLess, MuchLess, MuchLess, MuchLess)
		moved := s.on.setting
		base := own
		base.Capacity = moved.Capacity
		want := engine.New(s.on.second.pools, base).Evaluate(moved)
		do(t, s, StartHere)
		if s.on.model.Base() != base || s.on.setting != moved || s.outcome.ChangedFacts != want.ChangedFacts {
			t.Errorf("%s: base %+v, setting %+v, %d facts change, want %d", name, s.on.model.Base(), s.on.setting, s.outcome.ChangedFacts, want.ChangedFacts)
		}
		if text := seen(s); strings.Contains(text, "the cap alone") || strings.Contains(text, "alone changes") {
			t.Errorf("%s: a part is still the cap's:\n%s", name, text)
		}
		f := &file{}
		f.name(t, s, "a")
		if f.all[0].Unmoved.Capacity {
			t.Errorf("%s: a cap that was moved is kept as if it was that of the start", name)
		}
		do(t, s, Reset)
		if text := seen(s); s.on.setting != base || !strings.Contains(text, s.on.start()+" at cap") {
			t.Errorf("%s: the start is\n%s", name, text)
		}
		do(t, s, StartHere)
		if s.on.model.Base() != own || s.on.startMoved() {
			t.Errorf("%s: the start does not come back: %+v", name, s.on.model.Base())
		}
	}
}

func TestAnotherStartStaysWhenWhatIsPlayedWithIsReadAgain(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 33)
	do(t, s, CapacityLess, CapacityLess, StartHere, MuchLess)
	moved := s.on.setting
	again := fixture.Store(false)
	carry(t, s, s.Update(screen.StoreRead{Store: again, Now: moment()}))
	if s.on.agent != &again.Users[0].Agents[0] || s.on.model.Base().Capacity != 18 || s.on.setting != moved || s.on.own != 20 {
		t.Errorf("base %+v, setting %+v, own %d", s.on.model.Base(), s.on.setting, s.on.own)
	}
	study := open(t, 120, 33)
	do(t, study, CapacityLess, StartHere, MuchLess)
	moved = study.on.setting
	book := fixture.Book(45, fixture.Fresh, false)
	carry(t, study, study.Update(screen.Book{Book: book}))
	if study.on.model.Base().Capacity != moved.Capacity || study.on.setting != moved {
		t.Errorf("a new row takes the start back: %+v", study.on.model.Base())
	}
}

func TestTheStartIsOfferedOnlyWhereItWouldChange(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 33)
	offered := func() bool { return s.Bindings().Has(StartHere) }
	if offered() {
		t.Error("at the start it is offered")
	}
	do(t, s, CapacityLess)
	if !offered() {
		t.Error("with another cap it is not offered")
	}
	do(t, s, StartHere)
	if !offered() {
		t.Error("the way back is not offered")
	}
}
