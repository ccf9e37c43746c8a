// What copying, exporting and remembering take from the screen. A setting is
// not remembered: that at the start is always the one to begin with.
package whatif

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/screen"
)

// Table gives the cases as they are listed, each with the setting: a row taken
// out of its place still says what it is.
func (s *Screen) Table() (screen.Table, bool) {
	switch {
	case s.panel == comparing:
		return s.keptTable()
	case s.on == nil || s.panel == choosing:
		return screen.Table{}, false
	case s.on.agent != nil:
		return s.factTable(), true
	}
	t := screen.Table{Name: "what-if", Selected: -1, Columns: []string{"standing", "case_id", "scenario", "kept_now", "dropped_now",
		"support_at_protocol", "support_now"}}
	columns, values := s.settingAndStart()
	t.Columns = append(t.Columns, columns...)
	for i, at := range s.shown {
		if i == s.table.Cursor {
			t.Selected = i
		}
		one := &s.outcome.Pools[at]
		row := []any{engine.Exploratory, one.ID, one.Group, s.ids(at, one.In), s.ids(at, one.Out), one.BaseSupport, one.Support}
		t.Rows = append(t.Rows, append(row, values...))
	}
	return t, true
}

// factTable is the same for the facts of a store.
func (s *Screen) factTable() screen.Table {
	t := screen.Table{Name: "what-if", Of: s.on.fileOf(), Selected: -1, Columns: []string{"standing", "agent", "fact_id", "title", "category", "score_now", "kept_at_start", "kept_now"}}
	columns, values := s.settingAndStart()
	t.Columns = append(t.Columns, columns...)
	for i, at := range s.shown {
		if i == s.table.Cursor {
			t.Selected = i
		}
		f := &s.on.agent.Facts[at]
		row := []any{engine.Exploratory, s.on.agent.Name, f.ID, f.Title, f.Category, s.on.model.Score(s.on.setting, 0, at), s.on.model.BaseKept(0, at), s.outcome.Pools[0].Kept[at]}
		t.Rows = append(t.Rows, append(row, values...))
	}
	return t
}

// fileOf names an agent of a store for the name of a file; empty for a study.
func (on *subject) fileOf() string {
	if on.agent == nil {
		return ""
	}
	return strings.TrimSpace(on.over.User + " " + on.agent.Name)
}

// settingAndStart is the setting, the cap and the clock that it is set against,
// and over what: a row taken out of its place still says what it is.
func (s *Screen) settingAndStart() (columns []string, values []any) {
	base := s.on.model.Base()
	columns, values = settingCells(s.on.model, s.on.setting)
	return append(columns, "start_capacity", "start_clock", "over"), append(values, int64(base.Capacity), base.Now.String(), s.on.over.String())
}

// settingCells gives a column and a value for every parameter of a setting.
func settingCells(m *engine.Model, s engine.Setting) (columns []string, values []any) {
	for _, p := range engine.Params() {
		columns = append(columns, strings.ReplaceAll(string(p), "-", "_"))
		v := p.Get(s)
		switch {
		case p == engine.Clock:
			values = append(values, s.Now.String())
		case m.Range(p).Whole:
			values = append(values, int64(v))
		default:
			values = append(values, v)
		}
	}
	return columns, values
}

func (s *Screen) ids(p int, facts []int) string {
	var list []string
	for _, i := range facts {
		list = append(list, s.on.model.Pool(p).Facts[i].ID)
	}
	return strings.Join(list, " ")
}

// Pane is the whole screen as it is seen: without the sliders no number in it
// says what it is of.
func (s *Screen) Pane() string {
	var out strings.Builder
	for _, line := range s.View() {
		out.WriteString(strings.TrimRight(ansi.Strip(line), " "))
		out.WriteByte('\n')
	}
	return out.String()
}

// State is the case and the slider at hand.
func (s *Screen) State() map[string]string {
	at := s.Selection()
	if s.on != nil && s.on.agent != nil {
		at = "" // the store is not played with again by itself
	}
	out := map[string]string{"case": at, "slider": string(engine.Params()[s.param])}
	if out["case"] == "" {
		out["case"] = s.restore
	}
	return out
}

// Restore takes it back; the case is found once there are cases.
func (s *Screen) Restore(state map[string]string) {
	if i := slices.Index(engine.Params(), engine.Param(state["slider"])); i >= 0 {
		s.param = i
	}
	s.restore = state["case"]
}
