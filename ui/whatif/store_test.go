package whatif

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// overStore gives a screen without a study that plays with the first agent.
func overStore(t *testing.T, m *memstore.Store, w, h int) *Screen {
	t.Helper()
	th := theme.New(theme.Config{Mode: theme.NoColour})
	s := New(&th)
	s.Resize(w, h)
	carry(t, s, s.Update(screen.StoreRead{Store: m, Now: moment()}))
	do(t, s, Choose, keys.Open)
	if s.on == nil || s.on.agent != &m.Users[0].Agents[0] {
		t.Fatalf("the first agent is not played with:\n%s", seen(s))
	}
	return s
}

func TestWithoutARunAnAgentOfTheStoreIsPlayedWith(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 33)
	base := s.on.model.Base()
	if base.Capacity != 20 || base.Now != moment() || len(s.shown) != 24 {
		t.Fatalf("base %+v, %d facts", base, len(s.shown))
	}
	if text := seen(s); !strings.Contains(text, engine.Exploratory) || !strings.Contains(text, "cap 20 (last eviction)") || !strings.Contains(text, "deer-flow's own settings") {
		t.Errorf("the screen does not say what is played with:\n%s", text)
	}
	do(t, s, CapacityLess, CapacityLess)
	one := s.outcome.Pools[0]
	if len(one.Out) != 2 || s.shown[0] != one.Out[0] || s.shown[1] != one.Out[1] {
		t.Fatalf("out %v, shown %v", one.Out, s.shown[:3])
	}
	do(t, s, NextChanged)
	want := s.on.model.Strip(s.on.setting, 0, one.Out[0], engine.Params()[0])
	if got, ok := s.strip(engine.Params()[0]); !ok || !slices.Equal(got.Segments, want.Segments) {
		t.Errorf("the strip of the selected fact is %+v, want %+v", got, want)
	}
	if msg := carry(t, s, s.Do(keys.Open)); msg != (screen.OpenFact{Agent: s.on.agent, Fact: s.Selection()}) {
		t.Errorf("enter asks for %v", msg)
	}
	if table, ok := s.Table(); !ok || len(table.Rows) != 24 || len(table.Rows[0]) != len(table.Columns) || table.Rows[0][0] != engine.Exploratory || table.Rows[0][7] != false {
		t.Errorf("table %+v", table)
	}
	do(t, s, Reset)
	if s.outcome.ChangedFacts != 0 {
		t.Error("one key does not bring deer-flow's settings back")
	}
}

func TestFactsThatComeAndGoStandFirstWhateverIsMoved(t *testing.T) {
	s := overStore(t, fixture.Store(false), 120, 33)
	for i := range 60 {
		s.param = i * 5 % len(engine.Params())
		do(t, s, [...]keys.Action{More, MuchMore, Less, MuchLess, CapacityLess, MuchMore}[i%6])
		one := &s.outcome.Pools[0]
		if n := len(one.In) + len(one.Out); n != s.outcome.ChangedFacts || !slices.Equal(s.shown[:n], append(slices.Clone(one.In), one.Out...)) {
			t.Fatalf("shown %v, in %v, out %v", s.shown, one.In, one.Out)
		}
		sorted := slices.Clone(s.shown)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != 24 {
			t.Fatalf("%d facts shown", len(sorted))
		}
		was, now := s.on.baseByGroup(s.outcome), 0
		kept, of := s.on.byGroup(s.outcome)
		for g := range kept {
			now += kept[g]
			if was[g] > of[g] || was[g] < 0 {
				t.Fatalf("%d of %d were kept", was[g], of[g])
			}
		}
		if total, _ := allKept(s.outcome); total != now {
			t.Fatalf("%d kept by category, %d in all", now, total)
		}
	}
}

func TestTheStoreScreensCapAndClockComeAlong(t *testing.T) {
	m := fixture.Store(false)
	s := open(t, 120, 33)
	a := &m.Users[0].Agents[0]
	carry(t, s, s.Update(screen.PlayWith{Agent: a, Now: moment(), Cap: 12, CapFrom: insight.CapGiven, Fact: a.Facts[5].ID}))
	if s.on.setting.Capacity != 12 || s.on.model.Base().Capacity != 20 || s.Selection() != a.Facts[5].ID {
		t.Errorf("at %s, %+v from %+v", s.Selection(), s.on.setting, s.on.model.Base())
	}
	// Read again with another clock: what was moved stays moved.
	again := fixture.Store(false)
	later := screen.StoreRead{Store: again, Now: moment2()}
	carry(t, s, s.Update(later))
	if s.on.agent != &again.Users[0].Agents[0] || s.on.setting.Capacity != 12 || s.on.setting.Now != later.Now || s.Selection() != a.Facts[5].ID {
		t.Errorf("after reading again: at %s, %+v", s.Selection(), s.on.setting)
	}
	// The study is there still, as it was left.
	do(t, s, Choose, keys.Home, keys.Open)
	if s.on != s.study || s.outcome == nil || len(s.shown) != 45 {
		t.Errorf("the study does not come back:\n%s", seen(s))
	}
	carry(t, s, s.Update(screen.Book{}))
	if s.on != nil || !strings.Contains(seen(s), "No study is open") {
		t.Errorf("a closed study is still played with:\n%s", seen(s))
	}
}

func TestTheChooserReadsTheStoreOnceAndSaysWhyThereIsNone(t *testing.T) {
	s := open(t, 80, 21)
	if msg := carry(t, s, s.Do(Choose)); msg != (screen.ReadStore{}) {
		t.Fatalf("the chooser asks for %v", msg)
	}
	carry(t, s, s.Update(screen.StoreRead{Err: errors.New("store /x: no such file\n" + fixture.Hostile)}))
	if text := seen(s); !strings.Contains(text, "No store is open: store /x") || !strings.Contains(text, "--store PATH") {
		t.Errorf("it does not say why:\n%s", text)
	}
	do(t, s, keys.Back)
	if msg := carry(t, s, s.Do(Choose)); msg != nil {
		t.Errorf("it asks again by itself: %v", msg)
	}
	if msg := carry(t, s, s.Do(keys.End)); msg != nil {
		t.Error(msg)
	}
	if msg := carry(t, s, s.Do(keys.Open)); msg != (screen.ReadStore{}) {
		t.Errorf("asked for it reads %v", msg)
	}
}

func TestNoTextOfAStoreActsOnTheTerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {120, 33}, {200, 57}} {
		s := overStore(t, fixture.Store(true), size[0], size[1])
		evil := func(where string) {
			for _, line := range s.View() {
				if strings.ContainsFunc(ansi.Strip(line), func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
					t.Errorf("%s: %q", where, line)
				}
				if widget.Width(line) != size[0] {
					t.Errorf("%s: %d cells", where, widget.Width(line))
				}
			}
		}
		evil("sliders")
		do(t, s, CapacityLess, NextChanged, Lower)
		evil("changed")
		do(t, s, Choose)
		evil("chooser")
		do(t, s, keys.Back, Settings)
		carry(t, s, s.Update(Kept{Settings: []engine.Setting{{Name: fixture.Hostile, Policy: s.on.setting.Policy, Now: s.on.setting.Now, Capacity: 3}}, Err: errors.New(fixture.Hostile)}))
		evil("settings")
	}
}

// file stands for the settings on disk.
type file struct{ all []engine.Setting }

func (f *file) answer(w Wish) Kept {
	k := Kept{Do: w.Do, Name: w.Name}
	switch w.Do {
	case KeepSetting:
		if slices.ContainsFunc(f.all, func(s engine.Setting) bool { return s.Name == w.Name }) {
			k.Err = errors.New("kept already")
		} else {
			f.all = append(slices.Clone(f.all), w.Setting)
		}
	case ForgetSetting:
		f.all = slices.DeleteFunc(slices.Clone(f.all), func(s engine.Setting) bool { return s.Name == w.Name })
	}
	k.Settings = f.all
	return k
}

// serve carries out a command, its wishes over a file; it gives what else was
// asked for.
func (f *file) serve(t testing.TB, s *Screen, cmd tea.Cmd) (others []tea.Msg) {
	t.Helper()
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, one := range msg {
			others = append(others, f.serve(t, s, one)...)
		}
	case screen.For:
		return f.serve(t, s, s.Update(msg.Msg))
	case Wish:
		return f.serve(t, s, s.Update(f.answer(msg)))
	default:
		return []tea.Msg{msg}
	}
	return others
}

func (f *file) name(t *testing.T, s *Screen, name string) []tea.Msg {
	t.Helper()
	f.serve(t, s, s.Do(Keep))
	if !s.Typing() {
		t.Fatal("no name is asked for")
	}
	s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name), Paste: true})
	return f.serve(t, s, s.Type(tea.KeyMsg{Type: tea.KeyEnter}))
}

func TestSettingsAreKeptTakenComparedAndForgotten(t *testing.T) {
	for name, s := range map[string]*Screen{"study": open(t, 120, 33), "store": overStore(t, fixture.Store(false), 120, 33)} {
		f := &file{}
		do(t, s, MuchLess, MuchLess)
		low := s.on.setting
		f.name(t, s, "low")
		do(t, s, Reset, CapacityLess, CapacityLess)
		f.name(t, s, "small")
		if len(f.all) != 2 || !f.all[0].Same(low) {
			t.Fatalf("%s: kept %+v", name, f.all)
		}
		if f.name(t, s, "low"); !s.Typing() || !strings.Contains(seen(s), "kept already") {
			t.Errorf("%s: a name used twice is not told:\n%s", name, seen(s))
		}
		s.Type(tea.KeyMsg{Type: tea.KeyEsc})
		f.serve(t, s, s.Do(Settings))
		f.serve(t, s, s.Do(Mark)) // low, and on to small
		f.serve(t, s, s.Do(Mark))
		f.serve(t, s, s.Do(keys.Home))
		f.serve(t, s, s.Do(Mark)) // the start
		outcomes := s.outcomes()
		if len(outcomes) != 4 {
			t.Fatalf("%s: %d outcomes", name, len(outcomes))
		}
		for i, want := range s.settings() {
			if fresh := engine.New(s.on.second.pools, s.on.model.Base()).Evaluate(want); fresh.ChangedFacts != outcomes[i].ChangedFacts {
				t.Errorf("%s: %s changes %d, want %d", name, want.Name, outcomes[i].ChangedFacts, fresh.ChangedFacts)
			}
		}
		places, total := engine.Differ([]*engine.Outcome{outcomes[0], outcomes[2], outcomes[3]}, 99)
		text := strings.Join(s.comparison(116), "\n")
		if total == 0 || !strings.Contains(text, "They differ on "+widget.Plural(total, "fact")) || !strings.Contains(text, s.factName(places[0].Pool, places[0].Fact)) {
			t.Errorf("%s: the comparison says\n%s", name, text)
		}
		if table, ok := s.Table(); !ok || table.Name != "what-if-settings" || len(table.Rows) != 4 || len(table.Rows[0]) != len(table.Columns) {
			t.Errorf("%s: table %+v", name, table)
		}
		f.serve(t, s, s.Do(keys.Down)) // to low: marking went one down
		if asked := f.serve(t, s, s.Do(Forget)); len(asked) != 1 {
			t.Fatalf("%s: forgetting asks %v", name, asked)
		}
		f.serve(t, s, s.Do(keys.Open))
		if s.panel != noPanel || !s.on.setting.Same(low) || !strings.Contains(seen(s), "low") {
			t.Errorf("%s: taken is %+v:\n%s", name, s.on.setting, seen(s))
		}
		f.serve(t, s, s.Do(Settings))
		f.serve(t, s, s.Do(ForgetYes))
		if len(f.all) != 1 || f.all[0].Name != "small" || s.kept.table.Len != 3 {
			t.Errorf("%s: left are %+v", name, f.all)
		}
		f.serve(t, s, s.Do(keys.Back))
	}
}

func TestNoSettingIsForgottenThatWasNotKept(t *testing.T) {
	s := open(t, 80, 21)
	f := &file{}
	f.serve(t, s, s.Do(Settings))
	for _, row := range []keys.Action{keys.Home, keys.Down} {
		f.serve(t, s, s.Do(row))
		if others := f.serve(t, s, s.Do(Forget)); len(others) != 1 || others[0] != (screen.Toast{Text: "only a setting that was kept can be forgotten"}) {
			t.Errorf("asked %v", others)
		}
		f.serve(t, s, s.Do(ForgetYes))
	}
}

func TestSettingsThatCannotBeReadAreNotSaidToBeNone(t *testing.T) {
	for _, size := range [][2]int{{60, 21}, {80, 21}, {120, 33}} {
		s := open(t, size[0], size[1])
		do(t, s, Settings)
		carry(t, s, s.Update(Kept{Err: errors.New("it is not JSON: it ends in the middle (/home/mara/.local/state/deermem-tui/what-if.json)")}))
		text := seen(s)
		if strings.Contains(text, "0 kept") || !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(text, "│", "")), " "), "cannot be read: it is not JSON") {
			t.Errorf("%v:\n%s", size, text)
		}
	}
}

func TestAClockThatWasSetIsSaidToBeAndTheStartIsAlwaysSaid(t *testing.T) {
	m := fixture.Store(false)
	for _, w := range []int{60, 80, 120} {
		s := open(t, w, 33)
		play := screen.PlayWith{Agent: &m.Users[0].Agents[0], Now: moment2(), ClockSet: true, Cap: 12, CapFrom: insight.CapGiven}
		carry(t, s, s.Update(play))
		if text := seen(s); !strings.Contains(text, "cap 20, ") || !strings.Contains(text, "2026-07-01 (set)") {
			t.Errorf("%d columns, the cap moved: the start is not said:\n%s", w, text)
		}
		do(t, s, Reset)
		if words := s.on.startWords(); words != "deer-flow at clock 2026-07-01 (set)" {
			t.Errorf("r brings back %q", words)
		}
		if text := seen(s); strings.Contains(text, "own settings") || !strings.Contains(text, "2026-07-01 (set)") {
			t.Errorf("%d columns: another clock is called deer-flow's own:\n%s", w, text)
		}
		carry(t, s, s.Update(screen.StoreRead{Store: m, Now: moment()}))
		if s.on.clockSet || s.on.startWords() != "deer-flow's own settings" {
			t.Errorf("with the clock of reading the start is %q", s.on.startWords())
		}
	}
}
