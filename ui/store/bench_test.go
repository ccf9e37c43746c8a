package store

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/eviction"
	"deermem-tui/ui/internal/fixture"
	"deermem-tui/ui/keys"
	"deermem-tui/ui/theme"
)

// A key over a store of 100,000 facts has to be answered, decided and drawn,
// within 16 ms.
func BenchmarkKeyToFrame100000(b *testing.B) {
	th := theme.New(theme.Config{Mode: theme.Dark})
	s := New(&th)
	s.Resize(200, 57)
	carry := func(cmd tea.Cmd) { carryOut(s, cmd) }
	carry(s.Update(Loaded{Store: fixture.BigStore(100_000), At: fixture.Now}))
	s.setCap(70_000, "")
	for _, v := range []struct {
		name string
		view view
		keys []keys.Action
	}{
		{"cap with explanations", onFact, []keys.Action{CapLess, CapMore}},
		{"cap with what goes next", onNext, []keys.Action{CapLess, CapMore}},
		{"cap with the policies compared", onCompare, []keys.Action{CapLess, CapMore}},
		{"cursor with explanations", onFact, []keys.Action{keys.Down, keys.Up}},
		{"eviction of the audit", onAudit, []keys.Action{NextTrim, PrevTrim}},
		{"time line", onLine, []keys.Action{CapLess, CapMore}},
		{"order that is known", onFact, []keys.Action{Reverse, Reverse}},
	} {
		b.Run(v.name, func(b *testing.B) {
			s.view, s.focus = v.view, onFacts
			carry(s.Do(Reverse))
			carry(s.Do(Reverse))
			i := 0
			for b.Loop() {
				s.Do(v.keys[i%len(v.keys)])
				i++
				s.View()
			}
		})
	}
	b.Run("letter of a filter", func(b *testing.B) {
		s.view = onFact
		letters := []rune("fact 4271 of many")
		i := 0
		for b.Loop() {
			if i%len(letters) == 0 {
				s.Do(Unfilter)
			}
			s.typing = true
			s.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: letters[i%len(letters) : i%len(letters)+1]})
			i++
			s.View()
		}
	})
}

func BenchmarkScore100000(b *testing.B) {
	m := fixture.BigStore(100_000)
	q := question{&m.Users[0].Agents[0], eviction.At(fixture.Now)}
	for b.Loop() {
		score(q, order{field: fields[0]})
	}
}
