package main

import "deermem-tui/engine/whatif"

// whatifDoc is an outcome as what-if --json prints it.
type whatifDoc struct {
	Exploratory bool           `json:"exploratory"` // always true
	Over        string         `json:"over"`
	Base        whatif.Setting `json:"start"`
	Outcome     outcomeDoc     `json:"outcome"`
	Named       []outcomeDoc   `json:"named,omitempty"`
	Nearest     []nearDoc      `json:"nearest_to_cut,omitempty"`
	Fact        string         `json:"fact_id,omitempty"`
	Strips      []stripDoc     `json:"strips,omitempty"`
	KeptAs      string         `json:"kept_as,omitempty"`   // by --keep
	Forgotten   string         `json:"forgotten,omitempty"` // by --forget
}

type outcomeDoc struct {
	Setting      whatif.Setting `json:"setting"`
	ChangedFacts int            `json:"changed_facts"`
	ChangedPools int            `json:"changed_pools"`
	Apart        *int           `json:"differs_from_outcome,omitempty"` // of a named setting: facts decided otherwise than by this one
	KeptOver     *whatif.Over   `json:"kept_over,omitempty"`            // of a named setting
	NotTaken     string         `json:"not_taken,omitempty"`            // the same: its cap or clock, where it was kept over something else
	Gained       int            `json:"support_gained"`
	Lost         int            `json:"support_lost"`
	Groups       []groupDoc     `json:"scenarios,omitempty"`
	Changed      []poolDoc      `json:"changed"`
}

type groupDoc struct {
	Scenario string `json:"scenario"`
	Cases    int    `json:"cases"`
	Base     int    `json:"support_kept_at_start"`
	Kept     int    `json:"support_kept"`
}

type poolDoc struct {
	ID          string   `json:"id"`
	In          []string `json:"kept_now"`
	Out         []string `json:"dropped_now"`
	Support     bool     `json:"support_kept"`
	BaseSupport bool     `json:"support_kept_at_start"`
}

type nearDoc struct {
	ID     string  `json:"id"`
	Score  float64 `json:"score"`
	Kept   bool    `json:"kept"`
	Margin float64 `json:"margin"`
}

// stripDoc is a parameter's strip; the clock is in microseconds since the Unix epoch.
type stripDoc struct {
	Param    whatif.Param `json:"parameter"`
	At       float64      `json:"at"`
	Min      float64      `json:"min"`
	Max      float64      `json:"max"`
	Segments []segmentDoc `json:"segments"`
}

type segmentDoc struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Kept bool    `json:"kept"`
}

func (w *whatifView) doc() whatifDoc {
	this := w.model.Evaluate(w.setting)
	doc := whatifDoc{Exploratory: true, Over: w.title, Base: w.model.Base(), Outcome: w.outcomeDoc(this), KeptAs: w.keep, Forgotten: w.forget}
	for _, s := range w.named {
		used, left := s.For(w.over, w.model.Base())
		o := w.model.Evaluate(used)
		one, apart := w.outcomeDoc(o), whatif.Apart(o, this)
		one.Apart, one.NotTaken = &apart, left
		if s.Over.Known() {
			one.KeptOver = &s.Over
		}
		doc.Named = append(doc.Named, one)
	}
	if w.pool >= 0 {
		for _, one := range w.model.Nearest(w.setting, w.pool, nearCut) {
			doc.Nearest = append(doc.Nearest, nearDoc{w.model.Pool(w.pool).Facts[one.Index].ID, one.Score, one.Kept, one.Margin})
		}
	}
	if w.selected < 0 {
		return doc
	}
	doc.Fact = w.model.Pool(w.pool).Facts[w.selected].ID
	for _, s := range w.model.Strips(w.setting, w.pool, w.selected) {
		one := stripDoc{Param: s.Param, At: s.At, Min: s.Range.Min, Max: s.Range.Max}
		for _, g := range s.Segments {
			one.Segments = append(one.Segments, segmentDoc(g))
		}
		doc.Strips = append(doc.Strips, one)
	}
	return doc
}

func (w *whatifView) outcomeDoc(o *whatif.Outcome) outcomeDoc {
	doc := outcomeDoc{Setting: o.Setting, ChangedFacts: o.ChangedFacts, ChangedPools: o.ChangedPools, Gained: o.Gained, Lost: o.Lost, Changed: []poolDoc{}}
	for _, g := range o.Groups {
		doc.Groups = append(doc.Groups, groupDoc{g.Group, g.Pools, g.Base, g.Kept})
	}
	for i := range o.Pools {
		one := &o.Pools[i]
		if len(one.In)+len(one.Out) == 0 {
			continue
		}
		name := func(indices []int) []string {
			list := []string{}
			for _, at := range indices {
				list = append(list, w.model.Pool(i).Facts[at].ID)
			}
			return list
		}
		doc.Changed = append(doc.Changed, poolDoc{one.ID, name(one.In), name(one.Out), one.Support, one.BaseSupport})
	}
	return doc
}
