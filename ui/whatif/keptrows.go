// What the list of settings shows of each, and exports.
package whatif

import (
	"fmt"
	"strings"
	"time"

	engine "deermem-tui/engine/whatif"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/widget"
)

func keptColumns() []widget.Column {
	return []widget.Column{
		{Title: "", Width: 1},
		{Title: "setting", Width: 14, Flex: true},
		{Title: "weights", Width: 14, Rank: 1},
		{Title: "half-lives", Width: 11, Rank: 3},
		{Title: "reserve", Width: 9, Rank: 4},
		{Title: "cap", Width: 6, Right: true},
		{Title: "clock", Width: 10},
		{Title: "facts +/-", Width: 9, Right: true},
		{Title: "kept", Width: 15, Right: true, Rank: 2},
		{Title: "kept over", Width: 24, Rank: 5},
	}
}

func (s *Screen) keptCells(i int, out []string) {
	list := s.settings()
	one := list[i]
	if s.kept.marked[i] {
		out[0] = s.th.Sign.Support
	}
	out[1] = widget.Clean(one.Name)
	p := one.Policy
	out[2] = fmt.Sprintf("%.2f/%.2f/%.2f", p.Weights.Confidence, p.Weights.Confirmation, p.Weights.Access)
	out[3] = fmt.Sprintf("%.4g/%.4g d", p.ConfirmationHalfLifeDays, p.AccessHalfLifeDays)
	out[4] = s.th.Words(fmt.Sprintf("%.2f≤%d", p.ReservedFraction, p.ReservedMax))
	out[5] = fmt.Sprint(one.Capacity)
	out[6] = one.Now.Time().Format(time.DateOnly)
	if i >= rowKept {
		out[9] = "this"
		if s.elsewhere(one) {
			out[1] = s.th.Warn.Render(s.th.Sign.Differs) + " " + out[1]
			out[9] = widget.Clean(one.Over.Short())
		}
	}
	outcomes := s.outcomes()
	if i >= len(outcomes) {
		return
	}
	out[7] = fmt.Sprint(outcomes[i].ChangedFacts)
	var kept []string
	for _, total := range s.on.sums() {
		if n, of := total.count(outcomes[i]); of > 0 {
			kept = append(kept, fmt.Sprintf("%d/%d", n, of))
		}
	}
	out[8] = strings.Join(kept, ", ")
}

// elsewhere tells whether a setting was kept over something else than what is
// played with, or does not say over what.
func (s *Screen) elsewhere(one engine.Setting) bool {
	return one.Over != s.on.over || !one.Over.Known()
}

// allKept counts the facts that a setting keeps.
func allKept(o *engine.Outcome) (kept, of int) {
	for _, k := range o.Pools[0].Kept {
		if k {
			kept++
		}
	}
	return kept, len(o.Pools[0].Kept)
}

// mostCompared is how many settings stand side by side at most, and mostDiffering
// how many facts are listed on which they differ.
const (
	mostCompared  = 8
	mostDiffering = 200
)

// compares gives the rows that are compared: those that are marked, or the one
// under the cursor with the present one.
func (s *Screen) compares() []int {
	var rows []int
	for i := range s.kept.table.Len {
		if s.kept.marked[i] && len(rows) < mostCompared {
			rows = append(rows, i)
		}
	}
	switch at := s.kept.table.Cursor; {
	case len(rows) >= 2:
		return rows
	case len(rows) == 1 && rows[0] != at:
		return []int{min(rows[0], at), max(rows[0], at)}
	case at == rowNow || at == rowStart:
		return []int{rowStart, rowNow}
	default:
		return []int{rowNow, at}
	}
}

// keptTable is every setting of the list with what it does.
func (s *Screen) keptTable() (screen.Table, bool) {
	outcomes, list := s.outcomes(), []engine.Setting(nil)
	if s.on == nil || outcomes == nil {
		return screen.Table{}, false
	}
	list = s.settings()
	t := screen.Table{Name: "what-if-settings", Of: s.on.fileOf(), Selected: s.kept.table.Cursor, Columns: []string{"standing", "name", "kept_over", "changed_facts"}}
	columns, _ := settingCells(s.on.model, list[0])
	t.Columns = append(t.Columns, columns...)
	groups := s.on.groupNames(outcomes[0])
	for _, g := range groups {
		t.Columns = append(t.Columns, "kept_"+g, "of_"+g)
	}
	for i, one := range list {
		over := s.on.over
		if i >= rowKept {
			over = one.Over
		}
		row := []any{engine.Exploratory, one.Name, over.String(), outcomes[i].ChangedFacts}
		_, values := settingCells(s.on.model, one)
		row = append(row, values...)
		kept, of := s.on.byGroup(outcomes[i])
		for g := range groups {
			row = append(row, kept[g], of[g])
		}
		t.Rows = append(t.Rows, row)
	}
	return t, true
}

// groupNames are what things are counted by: scenarios, or categories.
func (on *subject) groupNames(o *engine.Outcome) []string {
	if on.agent != nil {
		return on.groups
	}
	var names []string
	for _, g := range o.Groups {
		names = append(names, widget.Clean(g.Group))
	}
	return names
}

// byGroup counts what a setting keeps of each group, and how many there are.
func (on *subject) byGroup(o *engine.Outcome) (kept, of []int) {
	if on.agent == nil {
		for _, g := range o.Groups {
			kept, of = append(kept, g.Kept), append(of, g.Pools)
		}
		return kept, of
	}
	kept, of = make([]int, len(on.groups)), make([]int, len(on.groups))
	for i, k := range o.Pools[0].Kept {
		of[on.groupOf[i]]++
		if k {
			kept[on.groupOf[i]]++
		}
	}
	return kept, of
}
