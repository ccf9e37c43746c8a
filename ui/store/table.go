// What copying, exporting and remembering take from the screen.
package store

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/screen"
)

// Table gives what has the keys: the facts as they are listed, or the view of the
// text pane, all of it.
func (s *Screen) Table() (screen.Table, bool) {
	if s.cut == nil {
		return screen.Table{}, false
	}
	sheet := s.sheet()
	of := s.store.Users[s.owner().user].ID + " " + s.agent().Name
	if s.focus == onText && s.view == onWarnings { // they are the whole store's
		of = filepath.Base(s.store.Root)
	}
	t := screen.Table{Name: sheet.Name, Of: strings.TrimSpace(of), Columns: sheet.Columns, Rows: sheet.Rows, Selected: -1}
	if sheet.Name == factSheet && len(s.found) > 0 {
		t.Selected = s.facts.Cursor
	}
	return t, true
}

// Root is the path of the store that was read, empty for none.
func (s *Screen) Root() string {
	if s.store == nil {
		return ""
	}
	return s.store.Root
}

// factSheet is the name of the sheet of facts.
const factSheet = "store"

func (s *Screen) sheet() insight.Sheet {
	a, o := s.agent(), s.owner()
	of := insight.Owner{User: s.store.Users[o.user].ID, Agent: a.Name}
	if s.focus == onText {
		switch s.view {
		case onNext:
			return s.got.table.GoesNext(of, s.cap)
		case onCompare:
			return s.cut.compare().Sheet(of)
		case onLine:
			return s.got.line.Sheet(of)
		case onAudit:
			return insight.AuditSheet(of, a)
		case onWarnings:
			return insight.WarningSheet(s.store)
		}
	}
	return s.got.table.Facts(of, s.cap, s.found)
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
	out := map[string]string{"store": s.store.Root, "filter": s.input.Value, "sort": string(fields[s.sort]), "view": viewNames[s.view], "fact": s.Selection()}
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
	s.before = s.input.Value != ""
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
