// The two lists: agents, and the facts of one of them.
package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"deermem-tui/engine/memstore/insight"
	"deermem-tui/ui/widget"
)

// fields are what facts are sorted by, in the order of the key.
var fields = [...]insight.Field{insight.ByID, insight.ByHybrid, insight.ByConfidence, insight.ByCategory, insight.ByTitle,
	insight.ByFreshness, insight.ByHeat, insight.ByCreated, insight.ByConfirmed, insight.ByAccessed, insight.ByLength}

func agentColumns() []widget.Column {
	return []widget.Column{{Title: "agent", Width: 5, Flex: true}, {Title: "facts", Width: 7, Right: true}}
}

func (s *Screen) agentCells(i int, out []string) {
	o := s.owners[i]
	out[0] = o.name
	if o.under != "" {
		out[0] = o.name + s.th.Dim.Render(" of "+o.under)
	}
	out[1] = widget.Count(int64(len(s.agentOf(o).Facts)))
}

func factColumns() []widget.Column {
	return []widget.Column{
		{Title: "fact", Width: 13},
		{Title: "title", Width: 14, Flex: true, Rank: 1},
		{Title: "category", Width: 11, Rank: 2},
		{Title: "fresh", Width: 5, Rank: 4},
		{Title: "heat", Width: 5, Rank: 4},
		{Title: "conf", Width: 7},
		{Title: "hybrid", Width: 7},
		{Title: "margin", Width: 6, Right: true, Rank: 3},
	}
}

// columnFields is what a click on a column's title sorts by.
var columnFields = [...]insight.Field{insight.ByID, insight.ByTitle, insight.ByCategory, insight.ByFreshness, insight.ByHeat, insight.ByConfidence, insight.ByHybrid, insight.ByHybrid}

func (s *Screen) sortBy(column int) tea.Cmd {
	if column >= len(columnFields) {
		return nil
	}
	to := slices.Index(fields[:], columnFields[column])
	if to == s.sort {
		s.desc = !s.desc
	}
	s.sort = to
	return s.sorted(s.Selection())
}

func (s *Screen) factCells(row int, out []string) {
	th, i := s.th, s.found[row]
	f := &s.agent().Facts[i]
	out[0], out[1], out[2] = widget.Clean(f.ID), widget.Clean(f.Title), widget.Clean(f.Category)
	if s.got == nil || s.got.of.agent != s.agent() {
		return
	}
	t := s.got.table
	out[3], out[4] = widget.Score(t.Hybrid[i].Freshness), s.heat(i)
	out[5], out[6] = widget.Score(t.Confidence[i].Value), widget.Score(t.Hybrid[i].Value)
	c := s.cut
	if c == nil {
		return
	}
	sign := func(kept, held bool) string {
		switch {
		case held:
			return th.Kept.Render(th.Sign.Reserved)
		case kept:
			return th.Kept.Render(th.Sign.Kept)
		}
		return th.Evicted.Render(th.Sign.Evicted)
	}
	out[5] += " " + sign(c.confidence.Kept(i), false)
	out[6] += " " + sign(c.hybrid.Kept(i), slices.Contains(c.hybrid.Held, i))
	if margin, ok := c.hybrid.Margin(i); ok {
		out[7] = th.Words(signed(margin))
	}
}

// signed writes a margin with its sign and three decimals; none is level with the
// cut.
func signed(margin float64) string {
	if margin == 0 {
		return "level"
	}
	return strings.Replace(fmt.Sprintf("%+.3f", margin), "-", "−", 1)
}

// heat writes a heat, and a dash where none was ever measured.
func (s *Screen) heat(i int) string {
	if !s.agent().UsageFound {
		return s.th.Words("–")
	}
	return widget.Score(s.got.table.Hybrid[i].Heat)
}

// refresh finds again and keeps the cursor on a fact. While the order that is
// asked for is not known the one before stays.
func (s *Screen) refresh(at string) {
	s.found = s.find()
	s.facts.Set(len(s.found), s.facts.Rows)
	if a := s.agent(); a != nil && at != "" {
		if i := a.Find(at); i >= 0 {
			if row := slices.Index(s.found, i); row >= 0 {
				s.facts.Select(row)
			}
		}
	}
}

// find gives the facts that the filter asks for. One that only grew is looked for
// in what was found before.
func (s *Screen) find() []int {
	if s.got == nil || s.got.of.agent != s.agent() {
		return nil
	}
	by, q := s.order(), query(s.input.Value)
	if s.got.orders[by] == nil {
		by = s.foundBy
	}
	among := s.got.orders[by]
	if before := query(s.finds); s.found != nil && by == s.foundBy && q.Category == before.Category && strings.HasPrefix(q.Text, before.Text) {
		among = s.found
	}
	s.foundBy, s.finds = by, s.input.Value
	return s.got.table.Match(q, among)
}

// query reads a filter: category=x, the rest is text to be found as it is.
func query(filter string) insight.Query {
	var q insight.Query
	var words []string
	for _, word := range strings.Fields(filter) {
		if category, ok := strings.CutPrefix(word, "category="); ok {
			q.Category = category
			continue
		}
		words = append(words, word)
	}
	q.Text = strings.Join(words, " ")
	return q
}

func (s *Screen) sortWords() string {
	words := string(fields[s.sort])
	if s.desc {
		words += ", turned round"
	}
	return words
}

// capWords says the cap and where it is from.
func (s *Screen) capWords() string {
	text := "cap " + strconv.Itoa(s.cap)
	switch s.capFrom {
	case insight.CapAudit:
		return text + " (last eviction)"
	case insight.CapDefault:
		return text + " (default)"
	}
	return text + " (tried)"
}
