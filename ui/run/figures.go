// What can be said of a run in numbers while it is under way: counts, rate and
// time left. Accuracy is not among them until every row is graded.
package run

import (
	"fmt"
	"strings"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/protocol/pools"
	"deermem-tui/ui/widget"
)

// finished is the number of rows that are there.
func (p *Progress) finished() int {
	return p.counts[pipeline.RowReused] + p.counts[pipeline.RowAnswered]
}

// asking tells whether the stage that asks for answers is under way.
func (p *Progress) asking() bool {
	s := p.stage(pipeline.StageQA)
	return p.Running && s != nil && s.state == stageNow
}

// open tells whether a row has no answer yet and may still get one.
func (p *Progress) open(i int) bool {
	if i < 0 || i >= len(p.rows) {
		return false
	}
	switch p.rows[i].state {
	case pipeline.RowWaiting, pipeline.RowCalling, pipeline.RowRetrying, pipeline.RowHeld:
		return true
	}
	return false
}

// doubtful is the number of stored rows that are no plain answers.
func (p *Progress) doubtful() int {
	n := 0
	for _, count := range p.byDoubt() {
		n += count
	}
	return n
}

// doubts counts them by what they are, in words.
func (p *Progress) doubts() string { return outcome.Tally(p.byDoubt()) }

func (p *Progress) byDoubt() map[outcome.State]int {
	counts := map[outcome.State]int{}
	for i := range p.rows {
		r := &p.rows[i]
		if r.outcome.Doubtful() && (r.state == pipeline.RowReused || r.state == pipeline.RowAnswered) {
			counts[r.outcome]++
		}
	}
	return counts
}

// factLines tell how the run goes: what it took, how fast it is and, where no
// call is begun, why.
func (p *Progress) factLines() []string {
	f := &p.facts
	if f.Total == 0 {
		return nil
	}
	parts := []string{widget.Plural(f.Calls, "call"), widget.Count(f.Tokens.Total) + " tokens"}
	if f.Priced {
		parts = append(parts, fmt.Sprintf("cost %.4f", f.Cost))
	}
	if f.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%.1f rows/s", f.Rate))
	}
	if f.Median > 0 {
		parts = append(parts, "latency "+widget.Latency(f.Median)+", p95 "+widget.Latency(f.P95))
	}
	if f.Looks > 0 {
		parts = append(parts, widget.Plural(f.Looks, "look")+" before the end")
	}
	out := []string{strings.Join(parts, "  ")}
	if f.Held != "" && p.Running {
		text := "no call is begun: " + f.Held
		if !f.Until.IsZero() {
			text += ", until " + f.Until.Local().Format("15:04:05") + " (" + widget.Elapsed(f.Until.Sub(p.Now)) + ")"
		}
		out = append(out, text)
	}
	return out
}

// Headline is the state in a few words, for the header.
func (p *Progress) Headline(book *casebook.Book) string {
	switch {
	case p.Stopping:
		return "stopping"
	case p.Paused:
		return "paused " + fraction(p.finished(), len(p.rows))
	case p.Running:
		for _, s := range p.stages {
			if s.state == stageNow {
				return "running " + string(s.name) + " " + fraction(s.done, s.total)
			}
		}
		return "running"
	case p.counts[pipeline.RowFailed] > 0:
		return fmt.Sprintf("%d rows failed, %s answered", p.counts[pipeline.RowFailed], fraction(p.finished(), len(p.rows)))
	case p.doubtful() > 0 && (book == nil || !book.Graded):
		return fmt.Sprintf("%s to decide, answers %s", widget.Plural(p.doubtful(), "row"), fraction(p.finished(), len(p.rows)))
	case book != nil && book.Graded:
		return "graded " + fraction(book.Rows, book.RowsNeeded)
	case p.finished() > 0:
		return "answers " + fraction(p.finished(), len(p.rows))
	}
	return "not run yet"
}

func fraction(done, total int) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", done, total)
}

// rate is the number of rows answered a second in this run, and the time left
// at that rate; ok is false while nothing can be said.
func (p *Progress) rate() (perSecond float64, left time.Duration, ok bool) {
	answered := p.counts[pipeline.RowAnswered]
	spent := p.Now.Sub(p.first)
	if !p.Running || p.first.IsZero() || answered < 2 || spent <= 0 {
		return 0, 0, false
	}
	perSecond = float64(answered) / spent.Seconds()
	open := len(p.rows) - p.finished() - p.counts[pipeline.RowFailed]
	return perSecond, time.Duration(float64(open) / perSecond * float64(time.Second)), true
}

// tally counts the rows by what became of them.
func (p *Progress) tally() string {
	var parts []string
	if d := p.doubts(); d != "" {
		parts = append(parts, d)
	}
	if !p.Running && p.counts[pipeline.RowAnswered]+p.counts[pipeline.RowFailed] == 0 {
		return strings.Join(append([]string{"stored"}, parts...), "  ") // nothing was called since the folder was opened
	}
	parts = append([]string{
		fmt.Sprintf("reused %d", p.counts[pipeline.RowReused]),
		fmt.Sprintf("called %d", p.counts[pipeline.RowAnswered]),
		fmt.Sprintf("failed %d", p.counts[pipeline.RowFailed]),
	}, parts...)
	if n := p.counts[pipeline.RowCalling] + p.counts[pipeline.RowRetrying] + p.counts[pipeline.RowHeld]; n > 0 {
		parts = append(parts, fmt.Sprintf("in flight %d", n))
	}
	return strings.Join(parts, "  ")
}

// pace is what the run costs and how fast it goes.
func (p *Progress) pace() string {
	if p.facts.Total > 0 {
		return "" // told with the other facts
	}
	parts := []string{widget.Count(p.tokens) + " tokens"}
	if perSecond, _, ok := p.rate(); ok {
		parts = append(parts, fmt.Sprintf("%.1f rows/s", perSecond))
	}
	return strings.Join(parts, "  ")
}

// suite is the result of one suite once it is graded.
type suite struct {
	name                  string
	cases                 int
	first, second         int // right under the first and the second policy
	onlyFirst, onlySecond int // discordant pairs
}

// suites counts a graded book; nothing while it is not graded. Official and
// synthetic stand for themselves; overall is marked as what it is.
func suites(book *casebook.Book) []suite {
	if book == nil || !book.Graded || len(book.Policies) < 2 {
		return nil
	}
	a, b := book.Policies[0].Name, book.Policies[1].Name
	out := []suite{{name: "official"}, {name: "synthetic"}, {name: "overall (both)"}}
	for i := range book.Entries {
		e := &book.Entries[i]
		own := &out[0]
		if e.Case.Source == pools.Synthetic {
			own = &out[1]
		}
		for _, s := range []*suite{own, &out[2]} {
			s.add(e.Rows[a].Correct, e.Rows[b].Correct)
		}
	}
	return out
}

func (s *suite) add(first, second bool) {
	s.cases++
	if first {
		s.first++
	}
	if second {
		s.second++
	}
	if first && !second {
		s.onlyFirst++
	}
	if second && !first {
		s.onlySecond++
	}
}
