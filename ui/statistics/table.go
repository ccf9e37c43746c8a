// What copying, exporting and remembering take from the screen: every figure of every suite,
// with full digits, a row each.
package statistics

import (
	"deermem-tui/engine/figures"
	"deermem-tui/engine/stats"
	"deermem-tui/ui/screen"
)

// Table gives the figures, unrounded. Suites stay apart by the first column.
func (s *Screen) Table() (screen.Table, bool) {
	f := s.figures()
	if f == nil {
		return screen.Table{}, false
	}
	t := screen.Table{Name: "statistics", Selected: -1,
		Columns: []string{"suite", "part", "figure", "standing", "value", "lower", "upper", "method"}}
	for i := range f.Suites {
		addSuite(&t, &f.Suites[i], f.Policies)
	}
	for _, row := range f.Scenarios.Rows {
		add := func(figure string, value, lower, upper any, method string) {
			t.Rows = append(t.Rows, []any{figures.Official, row.Name, figure, string(row.Standing), value, lower, upper, method})
		}
		addTable(add, row.McNemar.Table)
		add("difference", row.Newcombe.Difference, row.Newcombe.Lower, row.Newcombe.Upper, row.Newcombe.Method)
		add("p", row.McNemar.PValue, nil, nil, row.McNemar.Method)
		add("p_corrected", row.Adjusted, nil, nil, stats.MethodHolm)
	}
	for _, u := range f.Usage {
		add := func(figure string, value any) {
			t.Rows = append(t.Rows, []any{"run", u.Policy, figure, nil, value, nil, nil, nil})
		}
		add("rows", u.Rows)
		add("attempts", u.Attempts)
		add("rows_with_tokens", u.Counted)
		add("prompt_tokens", u.PromptTokens)
		add("completion_tokens", u.CompletionTokens)
		add("total_tokens", u.TotalTokens)
	}
	return t, true
}

func addSuite(t *screen.Table, suite *figures.Suite, policies [2]string) {
	add := func(figure string, value, lower, upper any, method string) {
		t.Rows = append(t.Rows, []any{suite.Name, nil, figure, string(stats.StandingOf(method)), value, lower, upper, method})
	}
	addTable(add, suite.McNemar.Table)
	b, n, c, split := suite.Bootstrap, suite.Newcombe, suite.BCa, suite.TiesSplit
	add("p", suite.McNemar.PValue, nil, nil, suite.McNemar.Method)
	add("difference", b.MeanDifference, b.Lower, b.Upper, b.Method)
	add("difference", n.Difference, n.Lower, n.Upper, n.Method)
	if c.Defined {
		add("difference", c.Difference, c.Lower, c.Upper, c.Method)
	} else {
		add("difference", c.Difference, nil, nil, c.Method)
	}
	add("difference", split.Difference, split.Lower, split.Upper, split.Method)
	add("mid_p", suite.MidP.PValue, nil, nil, suite.MidP.Method)
	if suite.Detectable.Reachable {
		add("smallest_detectable", suite.Detectable.Difference, nil, nil, suite.Detectable.Method)
	} else {
		add("smallest_detectable", nil, nil, nil, suite.Detectable.Method)
	}
	for i, arm := range suite.Arms {
		part := func(figure string, n int) {
			t.Rows = append(t.Rows, []any{suite.Name, policies[i], figure, string(stats.Secondary), n, nil, nil, suite.Retention.Method})
		}
		part("cases", arm.Cases)
		part("support_retained", arm.Retained)
		part("right", arm.Correct)
		part("right_and_retained", arm.RetainedCorrect)
	}
	if floor := suite.NoiseFloor; floor.Pairs > 0 {
		add("identical_requests", floor.Pairs, nil, nil, floor.Method)
		add("texts_differ", floor.TextsDiffer, floor.TextRate.Lower, floor.TextRate.Upper, floor.Method)
		add("grades_flip", floor.GradesFlip, floor.FlipRate.Lower, floor.FlipRate.Upper, floor.Method)
	}
}

func addTable(add func(figure string, value, lower, upper any, method string), t stats.Table) {
	add("both_right", t.BothCorrect, nil, nil, stats.MethodMcNemarExact)
	add("only_first_right", t.OnlyFirstCorrect, nil, nil, stats.MethodMcNemarExact)
	add("only_second_right", t.OnlySecondCorrect, nil, nil, stats.MethodMcNemarExact)
	add("both_wrong", t.BothWrong, nil, nil, stats.MethodMcNemarExact)
}

// State is the suite that was read, and how.
func (s *Screen) State() map[string]string {
	out := map[string]string{"suite": s.restore}
	if f := s.figures(); f != nil {
		out["suite"] = f.Suites[s.suite].Name
	}
	if s.values {
		out["values"] = "yes"
	}
	return out
}

// Restore takes it back; the suite is found once there are figures.
func (s *Screen) Restore(state map[string]string) {
	s.restore, s.values = state["suite"], state["values"] == "yes"
	s.find(s.restore)
	s.clamp()
}

// find turns to a suite by name; without it the one at hand stays.
func (s *Screen) find(name string) {
	f := s.figures()
	if f == nil {
		return
	}
	for i := range f.Suites {
		if f.Suites[i].Name == name {
			s.suite = i
		}
	}
}
