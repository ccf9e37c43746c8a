package whatif

import (
	"testing"

	"deermem-tui/engine/eviction"
	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// A slider over a store of 100,000 facts has to be answered, decided and drawn,
// within 16 ms; strips come after.
func BenchmarkSliderToFrame100000(b *testing.B) {
	th := theme.New(theme.Config{Mode: theme.Dark})
	s := New(&th)
	s.Resize(200, 57)
	m := fixture.BigStore(100_000)
	made := s.Update(screen.PlayWith{Agent: &m.Users[0].Agents[0], Now: moment(), Cap: 70_000, CapFrom: "given"})().(screen.For)
	s.Update(made.Msg)
	for i, p := range engine.Params() {
		b.Run(string(p), func(b *testing.B) {
			s.param = i
			s.Do(Reset)
			s.on.setting.Capacity = 70_000
			s.working = false // what the sliders asked for was never carried out
			if alone := s.askAlone(); alone != nil {
				s.Update(alone().(screen.For).Msg) // so that the cap's part is counted at each step
			}
			n := 0
			for b.Loop() {
				s.Do([...]keys.Action{MuchLess, MuchMore, MuchMore, MuchLess}[n%4])
				n++
				s.View()
			}
		})
	}
	b.Run("settings compared", func(b *testing.B) {
		f := &file{}
		for _, name := range []string{"a", "b", "c"} {
			s.Do(MuchLess)
			one := s.on.setting
			one.Name = name
			f.all = append(f.all, one)
		}
		s.working = false // what was asked for by the sliders was never carried out
		f.serve(b, s, s.Do(Settings))
		if s.outcomes() == nil {
			b.Fatal("nothing is compared")
		}
		defer func() { s.panel = noPanel }()
		for b.Loop() {
			s.Do(Mark)
			s.View()
			s.Do(keys.Up)
		}
	})
	b.Run("next fact", func(b *testing.B) {
		for b.Loop() {
			s.Do(NextCase)
			s.View()
		}
	})
}

func moment() eviction.Moment { return eviction.At(fixture.Now) }

func moment2() eviction.Moment { return eviction.At(fixture.Now.AddDate(0, 1, 0)) }

func BenchmarkChoose100000(b *testing.B) {
	m := fixture.BigStore(100_000)
	for b.Loop() {
		agentOf(screen.PlayWith{Agent: &m.Users[0].Agents[0], Now: moment()}, m)
	}
}
