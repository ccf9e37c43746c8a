// This file lays out what is known of an agent as sheets of rows, for exports:
// the store command and the Store screen write the same ones.

package insight

import (
	"math"
	"slices"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

// Sheet is a table of values: string, bool, int, int64 or float64, nil where
// there is none. Every row is as long as Columns.
type Sheet struct {
	Name    string
	Columns []string
	Rows    [][]any
}

// Owner says whose facts a sheet is of; two columns of every sheet.
type Owner struct{ User, Agent string }

// Facts gives facts with their scores under both policies and what becomes of
// them at a cap. Heat is nil where none was ever measured: 0 would say cold.
func (t *Table) Facts(of Owner, capacity int, facts []int) Sheet {
	sheet := Sheet{Name: "store", Columns: []string{
		"user", "agent", "id", "category", "confidence_score", "confidence_rank", "confidence_kept",
		"hybrid_score", "freshness", "heat", "hybrid_rank", "hybrid_kept", "hybrid_margin", "hybrid_reserved_slot",
		"created_at", "last_confirmed_at", "confirmations", "last_accessed_at", "accesses", "cap", "clock", "title", "content",
	}}
	confidence, hybrid := t.Decide(capacity)
	for _, i := range facts {
		f := &t.Agent.Facts[i]
		var heat any
		if t.Agent.UsageFound {
			heat = t.Hybrid[i].Heat
		}
		sheet.Rows = append(sheet.Rows, []any{
			of.User, of.Agent, f.ID, f.Category, t.Confidence[i].Value, confidence.Rank(i), confidence.Kept(i),
			t.Hybrid[i].Value, t.Hybrid[i].Freshness, heat, hybrid.Rank(i), hybrid.Kept(i), marginOf(hybrid, i), slices.Contains(hybrid.Held, i),
			f.CreatedAt, f.LastConfirmedAt, f.ConfirmationCount, f.LastAccessed, f.AccessCount, capacity, t.Now.String(), f.Title, f.Content,
		})
	}
	return sheet
}

func marginOf(d *Decision, i int) any {
	if m, ok := d.Margin(i); ok {
		return m
	}
	return nil
}

// mostNext is how many of the facts that would go after a trim a sheet lists.
const mostNext = 100

// GoesNext gives what goes at a cap under each policy: together, one at a time,
// what would go after that, and the corrections in reserved slots.
func (t *Table) GoesNext(of Owner, capacity int) Sheet {
	sheet := Sheet{Name: "store-next", Columns: []string{"user", "agent", "policy", "cap", "clock", "how", "order", "id", "title", "category", "rank", "score", "margin", "kept"}}
	confidence, hybrid := t.Decide(capacity)
	for _, d := range [...]*Decision{confidence, hybrid} {
		add := func(how string, facts []int) {
			for at, i := range facts {
				f := &t.Agent.Facts[i]
				sheet.Rows = append(sheet.Rows, []any{of.User, of.Agent, d.Policy().Name, capacity, t.Now.String(), how, at + 1, f.ID, f.Title, f.Category,
					d.Rank(i), d.Score(i).Value, marginOf(d, i), d.Kept(i)})
			}
		}
		var steps []int
		for _, s := range d.OneAtATime(d.Evictions()) {
			steps = append(steps, s.Index)
		}
		add("all together", d.Evicted(d.Evictions()))
		add("one at a time", steps)
		add("after that", d.Next(mostNext))
		add("in a reserved slot", d.Held)
		add("kept by a reserved slot alone", d.Saved)
		add("displaced by reserved slots", d.Displaced)
	}
	return sheet
}

// Sheet gives the facts on which the policies differ, with the reason of each.
func (c *Comparison) Sheet(of Owner) Sheet {
	sheet := Sheet{Name: "store-compare", Columns: []string{"user", "agent", "cap", "clock", "id", "title", "category", "kept_by", "saved_correction",
		"confidence_score", "confidence_rank", "hybrid_score", "hybrid_rank", "reason"}}
	for _, d := range c.Differ {
		f := &c.Agent.Facts[d.Index]
		keeper := eviction.NameConfidence
		if d.HybridOnly {
			keeper = eviction.NameHybridV1
		}
		saved := d.HybridOnly && eviction.IsCorrection(c.Agent.Signals[d.Index].Category)
		sheet.Rows = append(sheet.Rows, []any{of.User, of.Agent, c.Capacity, c.Now.String(), f.ID, f.Title, f.Category, keeper, saved,
			c.Confidence.Score(d.Index).Value, c.Confidence.Rank(d.Index), c.Hybrid.Score(d.Index).Value, c.Hybrid.Rank(d.Index), c.Reason(d)})
	}
	return sheet
}

// AuditSheet gives every fact of every recorded eviction, oldest first. All of it
// is as recorded, but for the last column, which says what the store holds now.
func AuditSheet(of Owner, a *memstore.Agent) Sheet {
	sheet := Sheet{Name: "store-audit", Columns: []string{"user", "agent", "occurred_at", "reason", "policy", "cap", "reserved_slots", "place", "id", "category",
		"score", "confidence", "freshness", "heat", "shadow_policy", "shadow_would_evict", "shadow_disagrees", "in_the_store_now"}}
	number := func(x float64) any {
		if math.IsNaN(x) {
			return nil // not recorded
		}
		return x
	}
	whole := func(n int64) any {
		if n < 0 {
			return nil
		}
		return n
	}
	for i := range a.Audit {
		e := &a.Audit[i]
		named := map[string]bool{}
		if e.Shadow != nil {
			for _, id := range e.Shadow.WouldEvict {
				named[id] = true
			}
		}
		for at := range e.Evicted {
			f := &e.Evicted[at]
			var shadow, would, disagrees any
			if e.Shadow != nil {
				shadow, would, disagrees = e.Shadow.Policy, named[f.ID], e.Shadow.Disagrees
			}
			sheet.Rows = append(sheet.Rows, []any{of.User, of.Agent, e.OccurredAt, e.Reason, e.Policy, whole(e.MaxFacts), whole(e.ReservedSlots), at + 1, f.ID, f.Category,
				number(f.Score), number(f.Components.Confidence), number(f.Components.Freshness), number(f.Components.Heat), shadow, would, disagrees, a.Find(f.ID) >= 0})
		}
	}
	return sheet
}

// Sheet gives the spans of the time line.
func (t *Timeline) Sheet(of Owner) Sheet {
	sheet := Sheet{Name: "store-timeline", Columns: []string{"user", "agent", "span", "trims", "evicted", "with_shadow_verdict", "disagreed"}}
	for _, c := range t.Categories {
		sheet.Columns = append(sheet.Columns, "evicted_"+c.Category)
	}
	_, spans := t.Spans()
	for i := range spans {
		s := &spans[i]
		row := []any{of.User, of.Agent, s.Name, s.Trims, s.Evicted, s.WithShadow, s.Disagreed}
		for _, c := range t.Categories {
			row = append(row, s.Of(c.Category))
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	return sheet
}

// WarningSheet gives a store's warnings.
func WarningSheet(s *memstore.Store) Sheet {
	sheet := Sheet{Name: "store-warnings", Columns: []string{"path", "kind", "faults", "text", "left_out"}}
	for _, w := range s.Warnings {
		sheet.Rows = append(sheet.Rows, []any{w.Path, string(w.Kind), w.Count, w.Text, w.LeftOut})
	}
	return sheet
}
