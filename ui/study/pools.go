// How the pools are composed, scenario by scenario.
package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// group is the cases of one scenario.
type group struct {
	scenario, source     string
	cases                int
	ranks                []int
	types                []string
	support, distractors string // what sets their facts apart; empty where the facts are not known
}

func (s *Screen) groups() []group {
	var out []group
	if s.book == nil {
		return nil
	}
	c := s.config()
	for i := range s.book.Entries {
		one := &s.book.Entries[i].Case
		at := slices.IndexFunc(out, func(g group) bool { return g.scenario == one.Scenario && g.source == one.Source })
		if at < 0 {
			at = len(out)
			g := group{scenario: one.Scenario, source: one.Source}
			if c != nil {
				g.support, g.distractors = traits(one, c.EvaluationTime)
			}
			out = append(out, g)
		}
		g := &out[at]
		g.cases++
		g.ranks = append(g.ranks, one.LossRank)
		if !slices.Contains(g.types, one.QuestionType) {
			g.types = append(g.types, one.QuestionType)
		}
	}
	return out
}

// traits tells what a case's support fact is like, and what its distractors
// are like. All cases of a scenario are alike in it but for the loss rank.
func traits(c *pools.Case, now time.Time) (support, distractors string) {
	low, high, confirmed, hot := 2.0, -1.0, 0, 0
	for i := range c.Facts {
		f := &c.Facts[i]
		if f.Support {
			support = fmt.Sprintf("%.2f %s, %s old%s", f.Confidence, f.Category, age(now, f.Created), signals(f, now))
			continue
		}
		low, high = min(low, f.Confidence), max(high, f.Confidence)
		if f.Confirmed != nil {
			confirmed++
		}
		if f.Heat > 0 {
			hot++
		}
	}
	switch {
	case high < 0:
	case low == high:
		distractors = fmt.Sprintf("%.2f", low)
	default:
		distractors = fmt.Sprintf("%.2f to %.2f", low, high)
	}
	switch {
	case confirmed+hot > 0:
		distractors += fmt.Sprintf(", %d confirmed, %d hot", confirmed, hot)
	default:
		distractors += ", no signal"
	}
	return support, distractors
}

func signals(f *pools.Fact, now time.Time) string {
	out := ""
	if f.Confirmed != nil {
		out += ", confirmed " + age(now, *f.Confirmed) + " ago"
	}
	if f.Heat > 0 {
		out += ", heat " + number(f.Heat)
	}
	if out == "" {
		return ", no signal"
	}
	return out
}

// oneLine is the width from which a scenario takes one line.
const oneLine = 118

func (s *Screen) composition() []item {
	s.panes[panePools].columns = []string{"scenario", "source", "cases", "loss_ranks", "question_types", "support", "distractors"}
	groups := s.groups()
	out := make([]item, 0, len(groups))
	for _, g := range groups {
		name, types := words(g.scenario), words(strings.Join(g.types, ", "))
		ranks := rankRange(g.ranks)
		source := "official"
		if g.source == pools.Synthetic {
			source = "synthetic"
		}
		support, others := words(g.support), words(g.distractors)
		line := item{
			label: name, value: fmt.Sprintf("%d %s cases; loss ranks %s; support %s; distractors %s; types %s", g.cases, source, ranks, support, others, types),
			copy:   name,
			full:   fmt.Sprintf("%s\n\n%d %s cases\nloss ranks %s\nquestion types %s\n\nsupport fact: %s\ndistractors of its first case: %s", name, g.cases, source, ranks, types, support, others),
			values: []any{g.scenario, g.source, g.cases, ranks, strings.Join(g.types, ", "), g.support, g.distractors},
		}
		line.draw = func(w int) []string {
			th := s.th
			head := widget.Fit(name, scenarioWidth, th.Sign.More) + " " + widget.FitRight(strconv.Itoa(g.cases), 5, "") + " " +
				widget.Fit(source, 9, "") + " " + widget.Fit(ranks, 5, th.Sign.More)
			if support == "" {
				return []string{widget.Fit(head, w, th.Sign.More)}
			}
			if w >= oneLine {
				return []string{widget.Fit(head+" "+widget.Fit(support, 44, th.Sign.More)+" "+others, w, th.Sign.More)}
			}
			out := []string{widget.Fit(head, w, th.Sign.More)}
			for _, part := range []string{"support     " + support, "distractors " + others} {
				out = append(out, widget.Fit("  "+th.Dim.Render(part), w, th.Sign.More))
			}
			return out
		}
		out = append(out, line)
	}
	return out
}

const scenarioWidth = 20

// poolsAbove heads the table.
func (s *Screen) poolsAbove(w, _ int) []string {
	if s.book == nil || len(s.book.Entries) == 0 {
		return nil
	}
	th := s.th
	head := widget.Fit("  scenario", scenarioWidth+2, "") + " cases source    ranks"
	if s.config() != nil && w-mark >= oneLine {
		head += " " + widget.Fit("support fact", 44, "") + " distractors of the first case"
	}
	lines := []string{widget.Fit(th.Dim.Render(head), w, th.Sign.More)}
	if s.config() == nil {
		lines = append(lines, widget.Wrap("The rows tell scenarios and cases; the facts of the pools are not known without protocol and dataset.", w)...)
	}
	return lines
}

// rankRange writes the least and the greatest loss rank.
func rankRange(ranks []int) string {
	low, high := slices.Min(ranks), slices.Max(ranks)
	switch {
	case high == 0:
		return "?"
	case low == high:
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d-%d", low, high)
}
