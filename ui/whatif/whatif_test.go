package whatif

import (
	"math"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// open gives a screen over a study of 45 cases. Commands are carried out at once.
func open(t *testing.T, w, h int) *Screen {
	t.Helper()
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	carry(t, s, s.Update(screen.Book{Book: fixture.Book(45, fixture.Fresh, false)}))
	return s
}

// carry carries out a command and gives back what is not for the screen itself.
func carry(t *testing.T, s *Screen, cmd tea.Cmd) tea.Msg {
	t.Helper()
	for cmd != nil {
		msg := cmd()
		own, ok := msg.(screen.For)
		if !ok {
			return msg
		}
		if own.Screen != screen.WhatIf {
			t.Fatalf("a message for %s", own.Screen)
		}
		cmd = s.Update(own.Msg)
	}
	return nil
}

func do(t *testing.T, s *Screen, actions ...keys.Action) {
	t.Helper()
	for _, a := range actions {
		carry(t, s, s.Do(a))
	}
}

func seen(s *Screen) string { return ansi.Strip(strings.Join(s.View(), "\n")) }

func TestEverySettingSaysThatItIsExploratory(t *testing.T) {
	s := open(t, 80, 21)
	for range 3 {
		if !strings.Contains(seen(s), engine.Exploratory) {
			t.Fatalf("nothing says exploratory:\n%s", seen(s))
		}
		do(t, s, MuchMore)
	}
	table, ok := s.Table()
	if !ok || len(table.Rows) != 45 {
		t.Fatalf("table %v with %d rows", ok, len(table.Rows))
	}
	for _, row := range table.Rows {
		if row[0] != engine.Exploratory || len(row) != len(table.Columns) {
			t.Fatalf("row %v of columns %v", row, table.Columns)
		}
	}
}

func TestOneKeyBringsTheProtocolsSettingsBack(t *testing.T) {
	s := open(t, 80, 21)
	base := s.on.model.Base()
	for i := range engine.Params() {
		s.param = i
		do(t, s, MuchMore, Less)
	}
	if s.on.setting.Same(base) {
		t.Fatal("nothing moved")
	}
	if err := s.on.setting.Check(); err != nil {
		t.Fatalf("a setting that cannot be: %v", err)
	}
	do(t, s, Reset)
	if !s.on.setting.Same(base) || s.outcome.ChangedFacts != 0 {
		t.Errorf("setting %+v after the reset, want %+v", s.on.setting, base)
	}
}

func TestWhatIsMovedThereAndBackIsTheProtocolsAgain(t *testing.T) {
	s := open(t, 80, 21)
	for i, p := range engine.Params() {
		s.param = i
		do(t, s, MuchMore, MuchLess)
		if p.Get(s.on.setting) != p.Get(s.on.model.Base()) {
			do(t, s, ResetOne) // the end of the range was in the way
		}
		if !s.on.setting.Same(s.on.model.Base()) {
			t.Fatalf("%s: %+v is not the setting at the start", p, s.on.setting)
		}
	}
}

func TestWeightsKeepTheirSumWhateverIsPressed(t *testing.T) {
	s := open(t, 80, 21)
	for i := range 60 {
		s.param = i * 7 % 3
		do(t, s, [...]keys.Action{More, MuchMore, Less, MuchLess, MuchMore}[i%5])
		w := s.on.setting.Policy.Weights
		if sum := w.Confidence + w.Confirmation + w.Access; math.Abs(sum-1) > 1e-9 {
			t.Fatalf("the weights add up to %v", sum)
		}
	}
}

func TestTheStripIsThatOfTheEngine(t *testing.T) {
	s := open(t, 200, 57)
	s.param = slices.Index(engine.Params(), engine.Capacity)
	do(t, s, NextCase, Less)
	p := s.pool()
	want := s.on.model.Strip(s.on.setting, p, s.fact, engine.Capacity)
	got, ok := s.strip(engine.Params()[s.param])
	if !ok {
		t.Fatal("no strip")
	}
	if !slices.Equal(got.Flips(), want.Flips()) || got.Range != want.Range || got.At != want.At {
		t.Errorf("strip %+v, want %+v", got, want)
	}
	if text := seen(s); !strings.Contains(text, flips(want)) {
		t.Errorf("%q is not told:\n%s", flips(want), text)
	}
}

func TestStripsOfAnEarlierQuestionAreNotShown(t *testing.T) {
	s := open(t, 120, 33)
	first := s.Do(More) // asked, not answered yet
	if again := s.Do(More); again != nil {
		t.Error("a second computation was begun beside the first")
	}
	if _, ok := s.strip(engine.Params()[s.param]); ok {
		t.Error("a strip of another setting is shown")
	}
	carry(t, s, first) // its answer is late: the screen asks again
	if strip, ok := s.strip(engine.Params()[s.param]); !ok || strip.At != engine.Params()[s.param].Get(s.on.setting) {
		t.Errorf("strip %+v, %v", strip, ok)
	}
}

func TestCasesThatChangeStandFirst(t *testing.T) {
	s := open(t, 120, 33)
	do(t, s, CapacityLess, CapacityLess)
	if s.outcome.ChangedPools == 0 {
		t.Fatal("nothing changes")
	}
	for i, p := range s.shown {
		if changes(&s.outcome.Pools[p]) != (i < s.outcome.ChangedPools) {
			t.Fatalf("case %d of the list, %d change", i, s.outcome.ChangedPools)
		}
	}
	do(t, s, Only)
	if len(s.shown) != s.outcome.ChangedPools {
		t.Errorf("%d shown, %d change", len(s.shown), s.outcome.ChangedPools)
	}
}

func TestTheListStaysOnItsCaseWhileSlidersMove(t *testing.T) {
	s := open(t, 120, 33)
	do(t, s, keys.Focus, keys.End)
	at := s.Selection()
	do(t, s, keys.Focus, MuchLess, MuchLess, CapacityLess, MuchMore)
	if s.Selection() != at {
		t.Errorf("at %s, was at %s", s.Selection(), at)
	}
	carry(t, s, s.Update(screen.Book{Book: fixture.Book(45, fixture.Graded, false)}))
	if s.Selection() != at || s.on.setting.Same(s.on.model.Base()) {
		t.Error("new rows moved the list or took the setting back")
	}
	if msg := carry(t, s, s.Do(keys.Open)); msg != (screen.OpenCase{CaseID: at}) {
		t.Errorf("enter asks for %v", msg)
	}
}

func TestAClickPutsASliderThere(t *testing.T) {
	s := open(t, 120, 33)
	from, track := s.track()
	carry(t, s, s.Mouse(screen.Mouse{X: from + track - 1, Y: s.at.sliders.y + 1}))
	if got := s.on.setting.Policy.Weights.Confidence; got != 1 {
		t.Errorf("the end of the line is %v", got)
	}
	carry(t, s, s.Mouse(screen.Mouse{X: from, Y: s.at.sliders.y + 1 + 7}))
	if s.on.setting.Capacity != 0 || s.param != 7 {
		t.Errorf("capacity %d, slider %d", s.on.setting.Capacity, s.param)
	}
	carry(t, s, s.Mouse(screen.Mouse{X: from, Y: s.at.sliders.y + 1 + 7, Wheel: -1}))
	if s.on.setting.Capacity != 1 {
		t.Errorf("capacity %d after a turn of the wheel", s.on.setting.Capacity)
	}
}

func TestGridOfEveryParameterHitsRoundValues(t *testing.T) {
	unit := engine.Range{Min: 0, Max: 1, Step: 0.01}
	v := 0.35000000000000003
	for range 30 {
		v = step(engine.WeightConfidence, unit, v, 1, 0)
	}
	if v != 0.65 {
		t.Errorf("thirty steps from .35 are %v", v)
	}
	if got := step(engine.WeightAccess, unit, 0.243, -1, 0); got != 0.24 {
		t.Errorf("down from .243 is %v", got)
	}
	for _, at := range []float64{0, 0.2, 0.5, 1} {
		r := engine.Range{Min: 1, Max: 3650, Step: 1}
		if got := place(engine.HalfLifeAccess, r, valueAt(engine.HalfLifeAccess, r, at, 0)); math.Abs(got-at) > 0.02 {
			t.Errorf("place %v comes back as %v", at, got)
		}
	}
}

func TestWithoutFactsTheScreenSaysSo(t *testing.T) {
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(80, 21)
	for name, book := range map[string]screen.Book{"published": {Book: fixture.Published(false)}, "empty": {Book: fixture.Book(0, fixture.Graded, false)}} {
		carry(t, s, s.Update(book))
		if _, ok := s.Table(); ok || s.Selection() != "" {
			t.Errorf("%s: there is a table", name)
		}
		do(t, s, More, Reset, NextChanged, keys.Open, keys.Down)
		carry(t, s, s.Mouse(screen.Mouse{X: 25, Y: 3}))
		if text := seen(s); !strings.Contains(text, "nothing") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

func TestTheSettingIsNotRemembered(t *testing.T) {
	s := open(t, 80, 21)
	do(t, s, keys.Down, More, NextCase)
	state := s.State()
	other := open(t, 80, 21)
	other.Restore(state)
	if other.param != 1 || !other.on.setting.Same(other.on.model.Base()) {
		t.Errorf("slider %d, setting %+v", other.param, other.on.setting)
	}
}
