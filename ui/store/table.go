// What copying, exporting and remembering take from the screen.
package store

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/screen"
)

// Table gives the facts as they are listed.
func (s *Screen) Table() (screen.Table, bool) {
	d := s.fresh()
	if d == nil {
		return screen.Table{}, false
	}
	a, o := s.agent(), s.owner()
	t := screen.Table{Name: "store", Selected: -1, Columns: []string{"user", "agent", "fact_id", "title", "category", "created_at", "last_confirmed_at",
		"access_count", "cap", "confidence_score", "confidence_rank", "confidence_kept",
		"hybrid_score", "hybrid_freshness", "hybrid_heat", "hybrid_rank", "hybrid_kept", "hybrid_reserved_slot", "content"}}
	for row, i := range s.found {
		if row == s.facts.Cursor {
			t.Selected = row
		}
		f, h := &a.Facts[i], d.table.Hybrid[i]
		var heat any
		if a.UsageFound {
			heat = h.Heat // else it was never measured, and 0 would say cold
		}
		t.Rows = append(t.Rows, []any{s.store.Users[o.user].ID, a.Name, f.ID, f.Title, f.Category, f.CreatedAt, f.LastConfirmedAt,
			f.AccessCount, s.cap, d.table.Confidence[i].Value, d.compared.Confidence.Rank[i], d.compared.Confidence.Kept[i],
			h.Value, h.Freshness, heat, d.compared.Hybrid.Rank[i], d.compared.Hybrid.Kept[i], d.held[i], f.Content})
	}
	return t, true
}

// Pane is the whole text of the view at hand; of the lists, what is seen.
func (s *Screen) Pane() string {
	if s.store == nil || s.focus != onText {
		return ""
	}
	out := make([]string, 0, len(s.lines()))
	for _, line := range s.lines() {
		out = append(out, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(out, "\n")
}

// State is the agent, the fact, the filter and the order.
func (s *Screen) State() map[string]string {
	if s.store == nil {
		return s.restore
	}
	out := map[string]string{"filter": s.input.Value, "sort": string(fields[s.sort]), "view": viewNames[s.view], "fact": s.Selection()}
	if a := s.agent(); a != nil {
		out["agent"] = a.Folder
	}
	if out["fact"] == "" {
		out["fact"] = s.want
	}
	if s.desc {
		out["order"] = "turned round"
	}
	return out
}

// Restore takes it back; agent and fact are found once the store was read.
func (s *Screen) Restore(state map[string]string) {
	if s.store != nil {
		return // another run was opened; the store is of none, and is left as it is
	}
	s.input.Set(state["filter"])
	if i := slices.Index(fields[:], insight.Field(state["sort"])); i >= 0 {
		s.sort = i
	}
	if i := slices.Index(viewNames[:], state["view"]); i >= 0 {
		s.view = view(i)
	}
	s.desc = state["order"] == "turned round"
	s.restore = state
	s.refresh(s.Selection())
}
