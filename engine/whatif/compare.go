// This file compares settings with each other: the facts on which they do not
// all decide alike.

package whatif

// Place is a fact of a model.
type Place struct{ Pool, Fact int }

// Differ gives the first n facts that some of the outcomes keep and others do
// not, and how many there are. The outcomes are of one model.
func Differ(outcomes []*Outcome, n int) (places []Place, total int) {
	if len(outcomes) < 2 {
		return nil, 0
	}
	first := outcomes[0]
	for p := range first.Pools {
		for i, kept := range first.Pools[p].Kept {
			for _, other := range outcomes[1:] {
				if other.Pools[p].Kept[i] == kept {
					continue
				}
				if total++; total <= n {
					places = append(places, Place{p, i})
				}
				break
			}
		}
	}
	return places, total
}

// Apart counts the facts that two outcomes of one model decide differently.
func Apart(a, b *Outcome) int {
	_, total := Differ([]*Outcome{a, b}, 0)
	return total
}

// Carried gives a setting that was moved away from one start as moved away from
// another: what was as at the old start is as at the new one.
func Carried(s, old, base Setting) Setting {
	name := s.Name
	if s.Policy.Weights == old.Policy.Weights {
		s.Policy.Weights = base.Policy.Weights
	}
	for _, p := range params[3:] { // the weights hang together
		if p.Get(s) == p.Get(old) {
			s = p.Set(s, p.Get(base))
		}
	}
	s.Name = name
	return s
}
