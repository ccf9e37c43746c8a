// The sections of the page. Each writes lines for a width; a line that is too
// long is wrapped or drops a column, never a figure.
package statistics

import (
	"fmt"
	"strconv"
	"strings"

	"deermem-tui/engine/figures"
	"deermem-tui/engine/stats"
	"deermem-tui/ui/chart"
	"deermem-tui/ui/theme"
	"deermem-tui/ui/widget"
)

// Overall must not be read as a third finding.
const overallWords = "Both suites in one table: a summary, not a finding."

func confidence(alpha float64) string {
	return strconv.FormatFloat(100*(1-alpha), 'g', 4, 64) + " %"
}

// headline is a suite's result in one line of plain words.
func headline(f *figures.Figures, suite *figures.Suite) string {
	t, b := suite.McNemar.Table, suite.Bootstrap
	text := fmt.Sprintf("%s: %s %d/%d, %s %d/%d; difference %s, %s interval %s (%s); exact McNemar p = %s",
		suite.Name, widget.Clean(f.Policies[0]), t.FirstCorrect(), t.Pairs(), widget.Clean(f.Policies[1]), t.SecondCorrect(), t.Pairs(),
		chart.Signed(b.MeanDifference), confidence(b.Alpha), chart.Interval(b.Lower, b.Upper), b.Method, chart.P(suite.McNemar.PValue))
	if suite.Name == figures.Overall {
		text += " (both suites in one table: a summary, not a finding)"
	}
	return text
}

// fact is a label, what matters and a note on it; the note goes below where
// both do not fit in a line.
func (s *Screen) fact(label, text, note string, style theme.Style, w int) []string {
	const indent = 12
	room := max(w-indent, 10)
	var out []string
	if text != "" && note != "" && widget.Width(text)+2+widget.Width(note) <= room {
		out = []string{style.Render(text) + "  " + s.th.Dim.Render(note)}
	} else {
		for _, line := range widget.Wrap(text, room) {
			out = append(out, style.Render(line))
		}
		for _, line := range widget.Wrap(note, room) {
			out = append(out, s.th.Dim.Render(line))
		}
	}
	for i := range out {
		if i > 0 {
			label = ""
		}
		out[i] = s.th.Dim.Render(widget.Fit(label, indent, "")) + out[i]
	}
	return out
}

// wrapped writes text in the width, dim.
func (s *Screen) wrapped(text string, w int) []string {
	lines := widget.Wrap(s.th.Words(text), w)
	for i := range lines {
		lines[i] = s.th.Dim.Render(lines[i])
	}
	return lines
}

// outcome is what the suite found: shares, difference, exact p, the 2×2 table.
func (s *Screen) outcome(f *figures.Figures, suite *figures.Suite) section {
	title := fmt.Sprintf("%s: %s", suiteTitle(suite.Name), widget.Plural(suite.Cases, "case"))
	return section{title, func(w int) []string {
		th := s.th
		t, b := suite.McNemar.Table, suite.Bootstrap
		var out []string
		switch suite.Name {
		case figures.Overall:
			out = append(out, th.Warn.Render(overallWords))
		case figures.Synthetic:
			out = append(out, th.Dim.Render("Guards of one behaviour, apart from the official cases."))
		default:
			out = append(out, th.Dim.Render("The study's own cases, apart from the synthetic ones."))
		}
		nameW := max(widget.Width(s.names[0]), widget.Width(s.names[1]))
		for i, n := range []int{t.FirstCorrect(), t.SecondCorrect()} {
			label := ""
			if i == 0 {
				label = "right"
			}
			out = append(out, th.Dim.Render(widget.Fit(label, 12, ""))+widget.Fit(s.names[i], nameW, "")+"  "+th.Strong.Render(widget.Share(n, t.Pairs())))
		}
		out = append(out, s.fact("difference", chart.Signed(b.MeanDifference)+"  "+chart.Interval(b.Lower, b.Upper),
			confidence(b.Alpha)+", "+string(stats.StandingOf(b.Method)), th.Strong, w)...)
		out = append(out, s.fact("exact p", "p = "+chart.P(suite.McNemar.PValue), "two-sided McNemar, "+string(stats.StandingOf(suite.McNemar.Method)), th.Strong, w)...)
		out = append(out, s.fact("", "", fmt.Sprintf("%s: %d only %s, %d only %s", widget.Plural(t.Discordant(), "discordant pair"),
			t.OnlyFirstCorrect, s.names[0], t.OnlySecondCorrect, s.names[1]), th.Dim, w)...)
		return append(append(out, ""), s.fourfold(t, w)...)
	}}
}

// fourfold is the 2×2 table with a word in every field.
func (s *Screen) fourfold(t stats.Table, w int) []string {
	th := s.th
	cells := [3][4]string{
		{"", s.names[1] + " right", s.names[1] + " wrong", "all"},
		{s.names[0] + " right", fmt.Sprintf("%d both right", t.BothCorrect), fmt.Sprintf("%d only %s", t.OnlyFirstCorrect, s.names[0]), strconv.Itoa(t.FirstCorrect())},
		{s.names[0] + " wrong", fmt.Sprintf("%d only %s", t.OnlySecondCorrect, s.names[1]), fmt.Sprintf("%d both wrong", t.BothWrong), strconv.Itoa(t.Pairs() - t.FirstCorrect())},
	}
	total := [4]string{"all", strconv.Itoa(t.SecondCorrect()), strconv.Itoa(t.Pairs() - t.SecondCorrect()), strconv.Itoa(t.Pairs())}
	var widths [4]int
	for _, row := range append(cells[:], total) {
		for c, cell := range row {
			widths[c] = max(widths[c], widget.Width(cell))
		}
	}
	if widths[0]+widths[1]+widths[2]+widths[3]+6 > w { // the first policy's name on a line of its own
		cells[0][0], cells[1][0], cells[2][0], total[0] = s.names[0], "  right", "  wrong", "  all"
		widths[0] = max(widget.Width(s.names[0]), 7)
	}
	if widths[0]+widths[1]+widths[2]+widths[3]+6 > w { // words instead of a table
		return s.fact("pairs", fmt.Sprintf("%s, %s, %s, %s", cells[1][1], cells[1][2], cells[2][1], cells[2][2]), "", th.Text, w)
	}
	line := func(row [4]string) string {
		out := widget.Fit(row[0], widths[0], "")
		for c := 1; c < 4; c++ {
			out += "  " + widget.Fit(row[c], widths[c], "")
		}
		return out
	}
	out := []string{th.Dim.Render(line(cells[0]))}
	for _, row := range cells[1:] {
		out = append(out, line(row))
	}
	return append(out, th.Dim.Render(line(total)))
}

// distribution is the bootstrap's, as a chart or as the list of its values.
func (s *Screen) distribution(i int, suite *figures.Suite) section {
	b := suite.Bootstrap
	title := fmt.Sprintf("Resampled differences: %s draws, seed %v", widget.Count(int64(b.Iterations)), b.Seed)
	return section{title, func(w int) []string {
		if i >= len(s.charts) {
			return nil
		}
		if s.values {
			return s.charts[i].Twin(s.th)
		}
		return s.charts[i].Lines(s.th, w, max(min(s.h/3, 16), 12))
	}}
}

// intervals are all intervals of the difference, and which one to read.
func (s *Screen) intervals(suite *figures.Suite) section {
	return section{"Intervals, " + confidence(suite.Bootstrap.Alpha) + ": percentile primary, rest secondary", func(w int) []string {
		b, n, c, t := suite.Bootstrap, suite.Newcombe, suite.BCa, suite.TiesSplit
		read := suite.Trust.Read
		short := map[string]string{b.Method: "percentile", n.Method: "Newcombe", c.Method: "BCa", t.Method: "ties split"}
		ranges := []chart.Range{
			{Name: short[b.Method], Estimate: b.MeanDifference, Lower: b.Lower, Upper: b.Upper, Mark: read == b.Method},
			{Name: short[n.Method], Estimate: n.Difference, Lower: n.Lower, Upper: n.Upper, Mark: read == n.Method},
			{Name: short[c.Method], Estimate: c.Difference, Lower: c.Lower, Upper: c.Upper, Mark: read == c.Method},
			{Name: short[t.Method], Estimate: t.Difference, Lower: t.Lower, Upper: t.Upper, Mark: read == t.Method},
		}
		if !c.Defined {
			ranges[2] = chart.Range{Name: short[c.Method], Note: "has no value here", Undefined: true}
		}
		out := chart.Forest(s.th, ranges, w)
		out = append(out, "")
		for j, line := range widget.Wrap("read "+short[read]+": "+s.th.Words(widget.Clean(suite.Trust.Reason)), max(w-2, 10)) {
			mark := "  "
			if j == 0 {
				mark = s.th.Key.Render(s.th.Sign.Select) + " "
			}
			out = append(out, mark+line)
		}
		return out
	}}
}

// secondary holds what helps to read the primary figures.
func (s *Screen) secondary(suite *figures.Suite) section {
	return section{"Secondary: helps to read, decides nothing", func(w int) []string {
		out := s.fact("mid-p", "p = "+chart.P(suite.MidP.PValue), "", s.th.Text, w)
		d := suite.Detectable
		text := fmt.Sprintf("%.3f, found with power %.2f", d.Difference, d.Power)
		if !d.Reachable {
			text = fmt.Sprintf("none: even the largest possible difference, %.3f, has power %.2f", d.Difference, d.Power)
		}
		out = append(out, s.fact("detectable", text, "", s.th.Text, w)...)
		return append(out, s.fact("", "", fmt.Sprintf("smallest difference for power %g with %s, %s of them discordant",
			d.Target, widget.Plural(d.Pairs, "pair"), chart.Percent(d.DiscordantRate)), s.th.Dim, w)...)
	}}
}

// retention sets what was kept against what was answered.
func (s *Screen) retention(suite *figures.Suite) section {
	return section{"Retention against accuracy", func(w int) []string {
		th := s.th
		var bars []chart.Bar
		for kind, what := range []string{"kept", "right"} {
			for i, arm := range suite.Arms {
				n := arm.Retained
				if kind == 1 {
					n = arm.Correct
				}
				bars = append(bars, chart.Bar{Name: widget.Fit(what, 5, "") + "  " + s.names[i], N: n, Of: arm.Cases, Kind: i})
			}
		}
		out := chart.Bars(th, bars, w)
		out = append(out, s.wrapped("kept: the case's support was retained; right: the answer was", w)...)
		r := suite.Retention
		out = append(out, "", th.Dim.Render("support    right  wrong  share right, "+confidence(suite.Bootstrap.Alpha)))
		for _, row := range []struct {
			name         string
			right, wrong int
			share        stats.ProportionResult
		}{{"retained", r.RetainedCorrect, r.RetainedWrong, r.Retained}, {"evicted", r.EvictedCorrect, r.EvictedWrong, r.Evicted}} {
			share := "no such row"
			if row.share.Trials > 0 {
				share = fmt.Sprintf("%s [%s, %s]", chart.Percent(row.share.Estimate), chart.Percent(row.share.Lower), chart.Percent(row.share.Upper))
			}
			out = append(out, fmt.Sprintf("%-9s  %5d  %5d  %s", row.name, row.right, row.wrong, share))
		}
		return out
	}}
}

// noise is what the provider varies by itself.
func (s *Screen) noise(suite *figures.Suite) section {
	return section{"A/A noise floor: identical requests", func(w int) []string {
		n := suite.NoiseFloor
		if n.Pairs == 0 {
			return s.wrapped("No pair sent the same bytes under both policies, so the provider's own variation is unknown.", w)
		}
		out := s.fact("pairs", fmt.Sprintf("%d of %d sent the same bytes under both policies", n.Pairs, n.Pairs+n.Others), "", s.th.Text, w)
		texts := fmt.Sprintf("differ in %d", n.TextsDiffer)
		if len(n.DifferingKeys) > 0 {
			texts += ": " + someOf(n.DifferingKeys, 6)
		}
		out = append(out, s.fact("texts", texts, "", s.th.Text, w)...)
		flips := fmt.Sprintf("differ in %d: %s [%s, %s]", n.GradesFlip, widget.Share(n.GradesFlip, n.Pairs), chart.Percent(n.FlipRate.Lower), chart.Percent(n.FlipRate.Upper))
		out = append(out, s.fact("grades", flips, "", s.th.Text, w)...)
		if len(n.FlippedKeys) > 0 {
			out = append(out, s.fact("", someOf(n.FlippedKeys, 6), "", s.th.Text, w)...)
		}
		return out
	}}
}

func someOf(keys []string, most int) string {
	var out []string
	for i, key := range keys {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(keys)-most))
			break
		}
		out = append(out, upTo(widget.Clean(key), 24, ""))
	}
	return strings.Join(out, ", ")
}

// warnings are all of the suite's, none left out.
func (s *Screen) warnings(f *figures.Figures, suite *figures.Suite) section {
	all := suite.Warnings()
	if suite.Name == figures.Official {
		all = append(all, f.Scenarios.Warnings...)
	}
	return section{fmt.Sprintf("%s on %s", widget.Plural(len(all), "warning"), suiteTitle(suite.Name)), func(w int) []string {
		if len(all) == 0 {
			return []string{s.th.Dim.Render("none")}
		}
		var out []string
		for _, warning := range all {
			for i, line := range widget.Wrap(s.th.Words(widget.Clean(warning)), max(w-2, 10)) {
				mark := "  "
				if i == 0 {
					mark = s.th.Warn.Render("!") + " "
				}
				out = append(out, mark+line)
			}
		}
		return out
	}}
}

// scenarios compares the policies in each scenario of the official suite.
func (s *Screen) scenarios(f *figures.Figures) section {
	return section{"Scenarios of the official suite (secondary)", func(w int) []string {
		th := s.th
		nameW := 8
		for _, row := range f.Scenarios.Rows {
			nameW = max(nameW, min(widget.Width(widget.Clean(row.Name)), 24))
		}
		// Outer columns are dropped first: the interval, then the difference.
		interval, difference := w >= nameW+65, w >= nameW+43
		line := func(name, counts, diff, ends, p, holm string) string {
			out := widget.Fit(name, nameW, th.Sign.More) + "  " + widget.Fit(counts, 16, "")
			if difference {
				out += "  " + widget.FitRight(diff, 10, "")
			}
			if interval {
				out += "  " + widget.Fit(ends, 18, "")
			}
			return out + "  " + widget.FitRight(p, 7, "") + "  " + widget.FitRight(holm, 7, "")
		}
		out := []string{th.Dim.Render(line("scenario", fmt.Sprintf("both %4s %3s no", widget.Fit(s.names[0], 4, ""), widget.Fit(s.names[1], 3, "")), "difference", "Newcombe "+confidence(f.Scenarios.Alpha), "exact p", "Holm p"))}
		for _, row := range f.Scenarios.Rows {
			t := row.McNemar.Table
			counts := fmt.Sprintf("%4d %4d %3d %2d", t.BothCorrect, t.OnlyFirstCorrect, t.OnlySecondCorrect, t.BothWrong)
			out = append(out, line(widget.Clean(row.Name), counts, chart.Signed(t.MeanDifference()), chart.Interval(row.Newcombe.Lower, row.Newcombe.Upper),
				chart.P(row.McNemar.PValue), chart.P(row.Adjusted)))
		}
		out = append(out, s.wrapped(fmt.Sprintf("right under both, only %s, only %s, none (no); Holm p: corrected for looking %d times", s.names[0], s.names[1], len(f.Scenarios.Rows)), w)...)
		out = append(out, "")
		beside := w >= nameW+50 // the scenario's name stands beside its bars, or above them
		var bars []chart.Bar
		for _, row := range f.Scenarios.Rows {
			t := row.McNemar.Table
			first, second := widget.Fit(widget.Clean(row.Name), nameW, th.Sign.More)+"  ", widget.Spaces(nameW+2)
			if !beside {
				first, second = "  ", "  "
			}
			bars = append(bars,
				chart.Bar{Name: first + s.names[0], N: t.FirstCorrect(), Of: t.Pairs(), Kind: 0},
				chart.Bar{Name: second + s.names[1], N: t.SecondCorrect(), Of: t.Pairs(), Kind: 1})
		}
		for i, line := range chart.Bars(th, bars, w) {
			if !beside && i%2 == 0 {
				out = append(out, widget.Clean(f.Scenarios.Rows[i/2].Name))
			}
			out = append(out, line)
		}
		return out
	}}
}

// usage is what each policy's rows took; the run's, not the suite's.
func (s *Screen) usage(f *figures.Figures) section {
	return section{"Tokens and attempts of the whole run", func(w int) []string {
		th := s.th
		rows := [][]string{{"", s.names[0], s.names[1]}}
		add := func(name string, value func(figures.Usage) string) {
			row := []string{name}
			for _, u := range f.Usage {
				row = append(row, value(u))
			}
			rows = append(rows, row)
		}
		count := func(n int64) string { return widget.Count(n) }
		add("rows", func(u figures.Usage) string { return count(int64(u.Rows)) })
		add("attempts", func(u figures.Usage) string { return count(int64(u.Attempts)) })
		add("prompt tokens", func(u figures.Usage) string { return tokens(u, u.PromptTokens) })
		add("completion tokens", func(u figures.Usage) string { return tokens(u, u.CompletionTokens) })
		add("all tokens", func(u figures.Usage) string { return tokens(u, u.TotalTokens) })
		add("tokens a row", func(u figures.Usage) string {
			if u.Counted == 0 {
				return "not told"
			}
			return count((u.TotalTokens + int64(u.Counted)/2) / int64(u.Counted))
		})
		columnW := max(widget.Width(s.names[0]), widget.Width(s.names[1]), 10)
		var out []string
		for i, row := range rows {
			line := widget.Fit(row[0], 18, "")
			for _, cell := range row[1:] {
				line += "  " + widget.FitRight(cell, columnW, "")
			}
			if i == 0 {
				line = th.Dim.Render(line)
			}
			out = append(out, line)
		}
		for i, u := range f.Usage {
			if u.Counted < u.Rows && i < len(s.names) {
				out = append(out, s.wrapped(fmt.Sprintf("%s: the provider told the tokens of %d of %d rows", s.names[i], u.Counted, u.Rows), w)...)
			}
		}
		return out
	}}
}

func tokens(u figures.Usage, n int64) string {
	if u.Counted == 0 {
		return "not told"
	}
	return widget.Count(n)
}
