// What copying, exporting and remembering take from the screen. A setting is
// not remembered: the protocol's is always the one to begin with.
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
	if s.model == nil {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "what-if", Selected: -1, Columns: []string{"standing", "case_id", "scenario", "kept_now", "dropped_now",
		"support_at_protocol", "support_now"}}
	var values []any
	for _, p := range engine.Params() {
		t.Columns = append(t.Columns, strings.ReplaceAll(string(p), "-", "_"))
		v := p.Get(s.setting)
		switch {
		case p == engine.Clock:
			values = append(values, s.setting.Now.String())
		case s.model.Range(p).Whole:
			values = append(values, int64(v))
		default:
			values = append(values, v)
		}
	}
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

func (s *Screen) ids(p int, facts []int) string {
	var list []string
	for _, i := range facts {
		list = append(list, s.model.Pool(p).Facts[i].ID)
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
	out := map[string]string{"case": s.Selection(), "slider": string(engine.Params()[s.param])}
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
