// This file evaluates a setting over pools and says what it changes against the
// setting at the start.

package whatif

import (
	"slices"

	"deermem-tui/engine/eviction"
)

// Pool is one list of facts that compete: a benchmark's case, or an agent of a
// store.
type Pool struct {
	ID      string
	Group   string // the scenario of a case; empty for a store
	Facts   []eviction.Fact
	Support []int // facts that have to be kept; none for a store
}

// Model is pools under a setting at the start. It reuses memory from one
// evaluation to the next, so one goroutine at a time.
type Model struct {
	base    Setting
	pools   []*state
	largest int
}

// state is a pool with what is known of it.
type state struct {
	Pool
	scorer  *scorer
	chooser chooser
	base    []bool // what the setting at the start keeps

	last     Setting // the setting that was decided last
	decided  bool    // the two below, and the scorer's values, are those of last
	kept     []bool
	reserved int
}

// New gives the model of pools; base is usually what the protocol or deer-flow
// itself uses. The pools' facts are not changed and have to stay as they are.
func New(pools []Pool, base Setting) *Model {
	m := &Model{base: base}
	for _, p := range pools {
		s := &state{Pool: p, scorer: newScorer(p.Facts), chooser: newChooser(p.Facts), kept: make([]bool, len(p.Facts))}
		s.decide(&base)
		s.base = slices.Clone(s.kept)
		m.pools = append(m.pools, s)
		m.largest = max(m.largest, len(p.Facts))
	}
	return m
}

// Base is the setting at the start, that one key brings back.
func (m *Model) Base() Setting { return m.base }

// Pool gives a pool by its place.
func (m *Model) Pool(i int) Pool { return m.pools[i].Pool }

// FindPool gives the place of a pool, -1 without one.
func (m *Model) FindPool(id string) int {
	return slices.IndexFunc(m.pools, func(s *state) bool { return s.ID == id })
}

// Range gives the range of a parameter in this model.
func (m *Model) Range(p Param) Range { return p.Range(m.base, m.largest) }

// Outcome is what a setting does. It is exploratory, always.
type Outcome struct {
	Setting Setting
	Pools   []PoolOutcome  // in the order of the model
	Groups  []GroupOutcome // in the order of their first pool; none for a store

	ChangedFacts int // facts decided otherwise than at the start
	ChangedPools int // pools with such a fact
	Gained       int // pools whose support is kept now and was not
	Lost         int // the other way round
}

// PoolOutcome is a setting's decision over one pool.
type PoolOutcome struct {
	ID, Group   string
	Kept        []bool // by fact
	Reserved    int    // slots that corrections held
	In          []int  // facts kept now and not at the start
	Out         []int  // the other way round
	Support     bool   // all of its support is kept; true without any
	BaseSupport bool
}

// GroupOutcome counts the pools of a group whose support is kept.
type GroupOutcome struct {
	Group      string
	Pools      int
	Kept, Base int
}

// Evaluate decides over every pool. The outcome is the caller's own.
func (m *Model) Evaluate(s Setting) *Outcome {
	o := &Outcome{Setting: s, Pools: make([]PoolOutcome, len(m.pools))}
	for i, p := range m.pools {
		one := p.evaluate(&s)
		o.Pools[i] = one
		if changed := len(one.In) + len(one.Out); changed > 0 {
			o.ChangedFacts += changed
			o.ChangedPools++
		}
		if len(p.Support) == 0 {
			continue
		}
		g := o.group(p.Group)
		g.Pools++
		if one.Support {
			g.Kept++
		}
		if one.BaseSupport {
			g.Base++
		}
		switch {
		case one.Support && !one.BaseSupport:
			o.Gained++
		case !one.Support && one.BaseSupport:
			o.Lost++
		}
	}
	return o
}

func (o *Outcome) group(name string) *GroupOutcome {
	for i := range o.Groups {
		if o.Groups[i].Group == name {
			return &o.Groups[i]
		}
	}
	o.Groups = append(o.Groups, GroupOutcome{Group: name})
	return &o.Groups[len(o.Groups)-1]
}

// decide decides over the pool, unless it was this very setting that was decided
// last.
func (p *state) decide(s *Setting) {
	if p.decided && p.last.Same(*s) {
		return
	}
	p.scorer.score(s)
	p.reserved = p.chooser.choose(p.scorer.values, s, p.kept)
	p.last, p.decided = *s, true
}

func (p *state) evaluate(s *Setting) PoolOutcome {
	p.decide(s)
	one := PoolOutcome{ID: p.ID, Group: p.Group, Kept: slices.Clone(p.kept), Reserved: p.reserved, Support: true, BaseSupport: true}
	for i, kept := range one.Kept {
		if kept == p.base[i] {
			continue
		}
		if kept {
			one.In = append(one.In, i)
		} else {
			one.Out = append(one.Out, i)
		}
	}
	for _, i := range p.Support {
		one.Support = one.Support && one.Kept[i]
		one.BaseSupport = one.BaseSupport && p.base[i]
	}
	return one
}

// BaseKept tells whether the setting at the start keeps a fact of a pool.
func (m *Model) BaseKept(pool, fact int) bool { return m.pools[pool].base[fact] }

// Score gives the score of a fact of a pool under a setting.
func (m *Model) Score(s Setting, pool, fact int) float64 {
	p := m.pools[pool]
	p.decide(&s)
	return p.scorer.values[fact]
}
