package main

import (
	"math"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
	"deermem-tui/engine/memstore/insight"
)

// The documents that store --json prints. Text of facts stands in them as
// stored; what could act on a terminal is escaped.
type storeDoc struct {
	Path     string       `json:"path"`
	Now      string       `json:"now"`
	Agents   []agentDoc   `json:"agents"`
	Warnings []warningDoc `json:"warnings"`
	More     int          `json:"warnings_only_counted"`
}

type agentDoc struct {
	User     string            `json:"user"`
	Agent    string            `json:"agent"`
	Folder   string            `json:"folder"`
	Document *documentDoc      `json:"document,omitempty"`
	Writing  bool              `json:"write_under_way"`
	Facts    int               `json:"facts_in_store"`
	MaxFacts int               `json:"max_facts"`
	CapFrom  insight.CapSource `json:"max_facts_from"`
	Signals  insight.Signals   `json:"signals"`
	Notes    []string          `json:"notes"`
	Listed   []storedFactDoc   `json:"facts,omitempty"`
	Policies []decisionOfDoc   `json:"policies,omitempty"`
	Audit    *auditDoc         `json:"audit,omitempty"`
	Compare  *compareDoc       `json:"compare,omitempty"`
}

type documentDoc struct {
	Version     string `json:"version"`
	Revision    int64  `json:"revision"`
	LastUpdated string `json:"last_updated"`
}

type warningDoc struct {
	Path    string        `json:"path"`
	Kind    memstore.Kind `json:"kind"`
	Text    string        `json:"text"`
	Count   int           `json:"faults"`
	LeftOut bool          `json:"left_out"`
}

type storedFactDoc struct {
	ID            string         `json:"id"`
	Title         string         `json:"title"`
	Content       string         `json:"content"`
	Category      string         `json:"category"`
	Extension     string         `json:"category_extension,omitempty"`
	CreatedAt     string         `json:"created_at"`
	Confirmed     string         `json:"last_confirmed_at"`
	Confirmations int64          `json:"confirmations"`
	Accessed      string         `json:"last_accessed_at"`
	Accesses      int64          `json:"accesses"`
	Confidence    eviction.Score `json:"confidence"`
	Hybrid        eviction.Score `json:"hybrid_v1"`
}

type decisionOfDoc struct {
	Policy    string     `json:"policy"`
	Reserved  int        `json:"reserved_slots"`
	Kept      []placeDoc `json:"kept"`
	Together  []string   `json:"evicted_together"`
	OneByOne  []string   `json:"evicted_one_at_a_time"`
	Next      []string   `json:"next"`
	Held      []string   `json:"held_by_reserve"`
	Saved     []string   `json:"kept_by_reserve_alone"`
	Displaced []string   `json:"displaced_by_reserve"`
}

type placeDoc struct {
	ID     string   `json:"id"`
	Rank   int      `json:"rank"`
	Score  float64  `json:"score"`
	Margin *float64 `json:"margin"` // null where nothing is evicted
}

func (v *storeView) doc() storeDoc {
	doc := storeDoc{Path: v.store.Root, Now: v.at.String(), Agents: []agentDoc{}, Warnings: []warningDoc{}, More: v.store.MoreWarnings}
	for i := range v.chosen {
		doc.Agents = append(doc.Agents, v.agentDoc(&v.chosen[i]))
	}
	for _, w := range v.store.Warnings {
		doc.Warnings = append(doc.Warnings, warningDoc{w.Path, w.Kind, w.Text, w.Count, w.LeftOut})
	}
	return doc
}

func (v *storeView) agentDoc(a *agentView) agentDoc {
	doc := agentDoc{
		User: a.user.ID, Agent: a.agent.Name, Folder: a.agent.Folder, Writing: a.user.Writing != nil,
		Facts: len(a.agent.Facts), MaxFacts: a.capacity, CapFrom: a.source,
	}
	doc.Signals = a.table.Signals()
	doc.Notes = doc.Signals.Notes()
	if d := a.user.Document; d.Found {
		doc.Document = &documentDoc{d.Version, d.Revision, d.LastUpdated}
	}
	switch {
	case v.audit:
		doc.Audit = auditDocOf(a.agent)
	case v.compare:
		doc.Compare = a.compareDoc(a.table.Compare(a.capacity))
	default:
		for _, i := range a.found {
			doc.Listed = append(doc.Listed, a.storedFactDoc(i))
		}
		for _, d := range a.policies {
			doc.Policies = append(doc.Policies, a.decisionDoc(d, v.next))
		}
	}
	return doc
}

func (a *agentView) storedFactDoc(i int) storedFactDoc {
	f := &a.agent.Facts[i]
	return storedFactDoc{
		ID: f.ID, Title: f.Title, Content: f.Content, Category: f.Category, Extension: f.Extension, CreatedAt: f.CreatedAt,
		Confirmed: f.LastConfirmedAt, Confirmations: f.ConfirmationCount, Accessed: f.LastAccessed, Accesses: f.AccessCount,
		Confidence: a.table.Confidence[i], Hybrid: a.table.Hybrid[i],
	}
}

func (a *agentView) names(indices []int) []string {
	list := make([]string, 0, len(indices))
	for _, i := range indices {
		list = append(list, a.agent.Facts[i].ID)
	}
	return list
}

func (a *agentView) decisionDoc(d *insight.Decision, next int) decisionOfDoc {
	doc := decisionOfDoc{
		Policy: d.Policy().Name, Reserved: len(d.Held), Together: a.names(d.Evicted(d.Evictions())), OneByOne: []string{},
		Next: a.names(d.Next(next)), Held: a.names(d.Held), Saved: a.names(d.Saved), Displaced: a.names(d.Displaced),
	}
	for _, i := range d.Stay() {
		place := placeDoc{ID: a.agent.Facts[i].ID, Rank: d.Rank(i), Score: d.Score(i).Value}
		if m, ok := d.Margin(i); ok {
			place.Margin = &m
		}
		doc.Kept = append(doc.Kept, place)
	}
	for _, s := range d.OneAtATime(next) {
		doc.OneByOne = append(doc.OneByOne, a.agent.Facts[s.Index].ID)
	}
	return doc
}

type compareDoc struct {
	Agree      int             `json:"decided_alike"`
	Differ     []differenceDoc `json:"differ"`
	Saved      []string        `json:"corrections_only_hybrid_v1_keeps"`
	SavedSlots []string        `json:"of_these_by_reserve_alone"`
	Lost       []string        `json:"corrections_only_confidence_keeps"`
	Policies   []decisionOfDoc `json:"policies"`
}

type differenceDoc struct {
	ID     string `json:"id"`
	KeptBy string `json:"kept_by"`
	Reason string `json:"reason"`
}

func (a *agentView) compareDoc(c *insight.Comparison) *compareDoc {
	doc := &compareDoc{
		Agree: c.Agree, Differ: []differenceDoc{}, Saved: a.names(c.SavedAll), SavedSlots: a.names(c.SavedSlots), Lost: a.names(c.LostAll),
		Policies: []decisionOfDoc{a.decisionDoc(c.Confidence, 0), a.decisionDoc(c.Hybrid, 0)},
	}
	for _, d := range c.Differ {
		keeper := eviction.NameConfidence
		if d.HybridOnly {
			keeper = eviction.NameHybridV1
		}
		doc.Differ = append(doc.Differ, differenceDoc{a.agent.Facts[d.Index].ID, keeper, c.Reason(d)})
	}
	return doc
}

type auditDoc struct {
	SpansBy      string                  `json:"spans_by"` // "day", "week, from Monday", "month" or "year"
	Spans        []spanDoc               `json:"spans"`
	Events       []eventDoc              `json:"events"`
	Evicted      int                     `json:"evicted"`
	Categories   []insight.CategoryCount `json:"categories"`
	WithShadow   int                     `json:"with_shadow_verdict"`
	Disagreed    int                     `json:"disagreed"`
	Rate         *float64                `json:"disagreement_rate"` // null without a shadow verdict
	Thinned      int                     `json:"verdicts_that_lost_names"`
	Contradicted int                     `json:"verdicts_that_contradict_their_names"`
}

type spanDoc struct {
	Name       string                  `json:"name"`
	Trims      int                     `json:"trims"`
	Evicted    int                     `json:"evicted"`
	Categories []insight.CategoryCount `json:"categories"`
	WithShadow int                     `json:"with_shadow_verdict"`
	Disagreed  int                     `json:"disagreed"`
}

type eventDoc struct {
	OccurredAt string                  `json:"occurred_at"`
	Reason     string                  `json:"reason"`
	Policy     string                  `json:"policy"`
	MaxFacts   int64                   `json:"max_facts"` // -1: not recorded
	Reserved   int64                   `json:"reserved_slots"`
	Evicted    []evictedDoc            `json:"evicted"`
	Categories []insight.CategoryCount `json:"categories"`
	Shadow     *shadowDoc              `json:"shadow"`
	LaterGone  []string                `json:"kept_then_deleted_later"`
	SpareRoom  int                     `json:"slots_free_now"`
}

type evictedDoc struct {
	ID         string   `json:"id"`
	Category   string   `json:"category"`
	Score      float64  `json:"score"`
	Confidence *float64 `json:"confidence"` // null: not recorded
	Freshness  *float64 `json:"freshness"`
	Heat       *float64 `json:"heat"`
}

type shadowDoc struct {
	Policy     string   `json:"policy"`
	WouldEvict []string `json:"would_evict"`
	Disagrees  bool     `json:"disagrees"`
}

func auditDocOf(agent *memstore.Agent) *auditDoc {
	t := insight.NewTimeline(agent)
	doc := &auditDoc{
		Events: []eventDoc{}, Evicted: t.Evicted, Categories: t.Categories, WithShadow: t.WithShadow,
		Disagreed: t.Disagreed, Thinned: t.Thinned, Contradicted: t.Contradicted,
	}
	if rate, ok := t.DisagreementRate(); ok {
		doc.Rate = &rate
	}
	by, spans := t.Spans()
	doc.SpansBy, doc.Spans = by, []spanDoc{}
	for _, s := range spans {
		doc.Spans = append(doc.Spans, spanDoc{s.Name, s.Trims, s.Evicted, s.Categories, s.WithShadow, s.Disagreed})
	}
	for _, e := range t.Entries {
		one := eventDoc{
			OccurredAt: e.Event.OccurredAt, Reason: e.Event.Reason, Policy: e.Event.Policy, MaxFacts: e.Event.MaxFacts,
			Reserved: e.Event.ReservedSlots, Categories: e.Categories, LaterGone: e.LaterGone, SpareRoom: e.SpareRoom,
		}
		for _, f := range e.Event.Evicted {
			one.Evicted = append(one.Evicted, evictedDocOf(f))
		}
		if s := e.Event.Shadow; s != nil {
			one.Shadow = &shadowDoc{s.Policy, s.WouldEvict, s.Disagrees}
		}
		doc.Events = append(doc.Events, one)
	}
	return doc
}

func evictedDocOf(f memstore.EvictedFact) evictedDoc {
	part := func(x float64) *float64 {
		if math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return evictedDoc{f.ID, f.Category, f.Score, part(f.Components.Confidence), part(f.Components.Freshness), part(f.Components.Heat)}
}

// factDoc is one fact as --fact prints it.
type factDoc struct {
	User     string        `json:"user"`
	Agent    string        `json:"agent"`
	FactID   string        `json:"fact_id"`
	Now      string        `json:"now"`       // at which it stands so
	MaxFacts int           `json:"max_facts"` // the same
	Standing []standingDoc `json:"standing,omitempty"`
	Past     []pastDoc     `json:"evictions,omitempty"`
}

type standingDoc struct {
	Policy string                   `json:"policy"`
	Why    string                   `json:"why"`
	Proof  string                   `json:"proof"`
	Fact   eviction.FactExplanation `json:"fact"`
}

type pastDoc struct {
	OccurredAt  string         `json:"occurred_at"`
	Fact        evictedDoc     `json:"as_recorded"`
	Recorded    []insight.Line `json:"recorded"`
	Recomputed  []insight.Line `json:"recomputed_not_recorded"`
	NotRecorded []string       `json:"not_recorded"`
	Since       []string       `json:"since"`
}

func pastDocOf(p insight.Past) pastDoc {
	return pastDoc{p.Event.OccurredAt, evictedDocOf(p.Fact), p.Recorded, p.Recomputed, p.NotRecorded, p.Since}
}
