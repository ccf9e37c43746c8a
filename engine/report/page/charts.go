// The figures of a report.

package page

import (
	"fmt"
	"math"
	"slices"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/figures"
)

// histogram draws the resampled differences of a suite with the pinned interval.
func histogram(s figures.Suite) figure {
	b := s.Bootstrap
	c := &canvas{w: 720, h: 230}
	least, most := min(0, b.Lower), max(0, b.Upper)
	top := 1
	for _, bin := range b.Distribution {
		least, most, top = min(least, bin.Value), max(most, bin.Value), max(top, bin.Count)
	}
	step := 1 / float64(max(1, b.Pairs))
	x := scale{least - step, most + step, 50, 700}
	y := scale{0, float64(top), 180, 20}
	width := max(1, x.at(least+step)-x.at(least)-1)
	for _, bin := range b.Distribution {
		class := "bar"
		if bin.Value < b.Lower || bin.Value > b.Upper {
			class = "bar-out"
		}
		c.rect(x.at(bin.Value)-width/2, y.at(float64(bin.Count)), width, 180-y.at(float64(bin.Count)), class, fmt.Sprintf("%+.3f: %d draws", bin.Value, bin.Count))
	}
	c.line(50, 180, 700, 180, "axis")
	for _, tick := range ticks(least-step, most+step) {
		c.line(x.at(tick), 180, x.at(tick), 185, "axis")
		c.text(x.at(tick), 199, "middle", "small", fmt.Sprintf("%+.1f", tick))
	}
	c.line(x.at(0), 14, x.at(0), 180, "zero")
	for _, end := range []float64{b.Lower, b.Upper} {
		c.line(x.at(end), 14, x.at(end), 180, "end")
		c.text(x.at(end), 11, "middle", "small", fmt.Sprintf("%+.3f", end))
	}
	c.dot(x.at(b.MeanDifference), 180, 4, "mark")
	c.text(375, 222, "middle", "small", "difference: second policy's share of right answers minus the first's")
	caption := fmt.Sprintf("%s: %d resampled differences of %d pairs. Observed %+.3f; the percentile interval [%+.3f, %+.3f] cuts off the fainter bars.",
		s.Name, b.Iterations, b.Pairs, b.MeanDifference, b.Lower, b.Upper)
	return figure{c.svg("Bootstrap distribution, " + s.Name), caption}
}

// ticks gives tenths, or fifths on a wide axis.
func ticks(from, to float64) []float64 {
	every := 0.1
	if to-from > 1 {
		every = 0.2
	}
	var out []float64
	for n := int(math.Ceil(from / every)); float64(n)*every <= to; n++ {
		out = append(out, float64(n)*every)
	}
	return out
}

// forest draws the differences of scenarios and suites with Newcombe's interval.
func (r *Report) forest() figure {
	f := r.figures
	type row struct {
		name                string
		estimate, low, high float64
		suite               bool
	}
	var rows []row
	for _, s := range f.Scenarios.Rows {
		rows = append(rows, row{shorten(r.clean(s.Name), 26), s.Newcombe.Difference, s.Newcombe.Lower, s.Newcombe.Upper, false})
	}
	for _, s := range f.Suites {
		rows = append(rows, row{s.Name, s.Newcombe.Difference, s.Newcombe.Lower, s.Newcombe.Upper, true})
	}
	c := &canvas{w: 720, h: float64(len(rows))*26 + 60}
	x := scale{-1, 1, 200, 560}
	bottom := float64(len(rows))*26 + 10
	c.line(x.at(0), 8, x.at(0), bottom, "zero")
	for i, row := range rows {
		y := float64(i)*26 + 24
		name, class := row.name, "interval"
		if row.suite {
			name, class = "suite "+row.name, "interval-suite"
		}
		c.text(190, y+4, "end", "label", name)
		c.line(x.at(row.low), y, x.at(row.high), y, class)
		c.line(x.at(row.low), y-4, x.at(row.low), y+4, class)
		c.line(x.at(row.high), y-4, x.at(row.high), y+4, class)
		if row.suite {
			c.rect(x.at(row.estimate)-5, y-5, 10, 10, "mark", "")
		} else {
			c.dot(x.at(row.estimate), y, 5, "mark")
		}
		c.text(570, y+4, "start", "small", fmt.Sprintf("%+.3f [%+.3f, %+.3f]", row.estimate, row.low, row.high))
	}
	c.line(200, bottom, 560, bottom, "axis")
	for _, tick := range []float64{-1, -0.5, 0, 0.5, 1} {
		c.line(x.at(tick), bottom, x.at(tick), bottom+5, "axis")
		c.text(x.at(tick), bottom+19, "middle", "small", fmt.Sprintf("%+.1f", tick))
	}
	c.text(380, bottom+38, "middle", "small", r.clean("left: "+f.Policies[0]+" better; right: "+f.Policies[1]+" better"))
	return figure{c.svg("Differences by scenario and suite"), "Difference and Newcombe interval of each official scenario (circles) and each suite (squares). Intervals of scenarios are not corrected for looking several times."}
}

// column is one policy at one capacity.
type column struct {
	capacity int
	policy   string
}

// retention gives whether each case's support was kept, by column: at every
// capacity where run-policy's results are there, else at that of the answers.
func (r *Report) retention() (columns []column, kept map[string]map[column]bool) {
	kept = map[string]map[column]bool{}
	add := func(id string, k column, is bool) {
		if !slices.Contains(r.policies[:], k.policy) {
			return
		}
		if kept[id] == nil {
			kept[id] = map[column]bool{}
		}
		kept[id][k] = is
		if !slices.Contains(columns, k) {
			columns = append(columns, k)
		}
	}
	for _, cell := range r.in.Run.Cells {
		add(cell.CaseID, column{cell.Capacity, cell.Policy}, cell.Retained)
	}
	if len(columns) == 0 {
		for _, row := range r.in.Run.Rows {
			add(row.CaseID, column{row.Capacity, row.Policy}, row.SupportRetained)
		}
	}
	slices.SortFunc(columns, func(a, b column) int {
		if a.capacity != b.capacity {
			return a.capacity - b.capacity
		}
		return slices.Index(r.policies[:], a.policy) - slices.Index(r.policies[:], b.policy)
	})
	return columns, kept
}

// heatMap draws case × capacity × policy: filled where the support was kept.
func (r *Report) heatMap(entries []casebook.Entry) figure {
	columns, kept := r.retention()
	const rowHeight, left, cell = 15, 330, 54
	c := &canvas{w: left + float64(len(columns))*cell + 20, h: float64(len(entries))*rowHeight + 60}
	for i, k := range columns {
		x := left + float64(i)*cell
		if k.policy == r.policies[0] {
			c.text(x+cell, 14, "middle", "label", fmt.Sprintf("capacity %d", k.capacity))
		}
		name := "1st"
		if k.policy == r.policies[1] {
			name = "2nd"
		}
		c.text(x+cell/2, 30, "middle", "small", name)
	}
	for i, e := range entries {
		y := 38 + float64(i)*rowHeight
		c.text(left-10, y+11, "end", "small", shorten(r.clean(e.Case.ID), 26)+"  "+r.clean(e.Case.Scenario))
		for n, k := range columns {
			x := left + float64(n)*cell + 4
			is, known := kept[e.Case.ID][k]
			switch {
			case !known:
			case is:
				c.rect(x, y+2, cell-8, rowHeight-4, "kept", r.clean(fmt.Sprintf("%s, %s at %d: support kept", e.Case.ID, k.policy, k.capacity)))
			default:
				c.rect(x, y+2, cell-8, rowHeight-4, "evicted", r.clean(fmt.Sprintf("%s, %s at %d: support evicted", e.Case.ID, k.policy, k.capacity)))
				c.line(x+4, y+rowHeight/2, x+cell-12, y+rowHeight/2, "strike")
			}
		}
	}
	caption := fmt.Sprintf("Was the support kept? Filled: kept; hollow with a stroke: evicted. 1st is %s, 2nd is %s.", r.policies[0], r.policies[1])
	if len(r.in.Run.Cells) == 0 {
		caption += " Only the capacity of the answers is known: the results of run-policy are not in the folder."
	}
	return figure{c.svg("Retention by case, capacity and policy"), caption}
}

func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// tokens draws what each policy's answers took.
func (r *Report) tokens() figure {
	c := &canvas{w: 720, h: float64(len(r.figures.Usage))*44 + 50}
	most := int64(1)
	for _, u := range r.figures.Usage {
		most = max(most, u.PromptTokens+u.CompletionTokens)
	}
	x := scale{0, float64(most), 140, 600}
	for i, u := range r.figures.Usage {
		y := float64(i)*44 + 14
		c.text(130, y+17, "end", "label", shorten(r.clean(u.Policy), 18))
		c.rect(140, y, x.at(float64(u.PromptTokens))-140, 24, "bar", fmt.Sprintf("prompt: %d tokens", u.PromptTokens))
		c.rect(x.at(float64(u.PromptTokens)), y, x.at(float64(u.PromptTokens+u.CompletionTokens))-x.at(float64(u.PromptTokens)), 24, "bar-two", fmt.Sprintf("completion: %d tokens", u.CompletionTokens))
		c.text(x.at(float64(u.PromptTokens+u.CompletionTokens))+8, y+17, "start", "small", thousands(u.PromptTokens+u.CompletionTokens))
	}
	y := float64(len(r.figures.Usage))*44 + 22
	c.rect(140, y, 14, 12, "bar", "")
	c.text(160, y+11, "start", "small", "prompt")
	c.rect(230, y, 14, 12, "bar-two", "")
	c.text(250, y+11, "start", "small", "completion")
	return figure{c.svg("Tokens by policy"), "Tokens of the stored answers, as the provider counted them."}
}

// thousands writes a number with separators.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
