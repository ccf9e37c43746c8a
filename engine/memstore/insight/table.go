// This file scores an agent's facts and finds, filters and sorts them.

package insight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

// Table is an agent's facts with their scores under two policies at one time.
type Table struct {
	Agent      *memstore.Agent
	Now        eviction.Moment
	Confidence []eviction.Score // by fact
	Hybrid     []eviction.Score
}

// NewTable scores every fact; hybrid gives the constants of hybrid-v1.
func NewTable(a *memstore.Agent, hybrid eviction.Policy, now eviction.Moment) *Table {
	t := &Table{Agent: a, Now: now}
	// Nothing is evicted at the facts' own number; the scores are Select's, so
	// that facts that share an ID share a score.
	t.Confidence = eviction.Select(a.Signals, eviction.Confidence(), now, len(a.Signals)).Scores
	t.Hybrid = eviction.Select(a.Signals, hybrid, now, len(a.Signals)).Scores
	return t
}

// Field is what facts can be sorted by.
type Field string

// The fields.
const (
	ByID         Field = "id"
	ByTitle      Field = "title"
	ByCategory   Field = "category"
	ByConfidence Field = "confidence"
	ByHybrid     Field = "hybrid"
	ByFreshness  Field = "freshness"
	ByHeat       Field = "heat"
	ByCreated    Field = "created"
	ByConfirmed  Field = "confirmed"
	ByAccessed   Field = "accessed"
	ByLength     Field = "length"
)

// Fields lists what facts can be sorted by.
var fields = [...]Field{ByID, ByTitle, ByCategory, ByConfidence, ByHybrid, ByFreshness, ByHeat, ByCreated, ByConfirmed, ByAccessed, ByLength}

// ParseField gives the field of a name, or an error that lists them.
func ParseField(name string) (Field, error) {
	if slices.Contains(fields[:], Field(name)) {
		return Field(name), nil
	}
	var names []string
	for _, f := range fields {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("%q: expected one of %s", name, strings.Join(names, ", "))
}

// Query says which facts are wanted and in which order.
type Query struct {
	Text       string // in the ID, title, content, topics or category, whatever the case
	Category   string // exactly, or the extension of a category; empty for all
	Sort       Field  // empty for ByID
	Descending bool
}

// Find gives the facts a query asks for. Equal ones stay in the order of IDs.
func (t *Table) Find(q Query) []int {
	text := fold(q.Text)
	var found []int
	for i := range t.Agent.Facts {
		f := &t.Agent.Facts[i]
		if q.Category != "" && f.Category != q.Category && f.Extension != q.Category {
			continue
		}
		if text == "" || matches(f, text) {
			found = append(found, i)
		}
	}
	order := t.order(q.Sort)
	slices.SortStableFunc(found, func(a, b int) int {
		if q.Descending {
			return order(b, a)
		}
		return order(a, b)
	})
	return found
}

func matches(f *memstore.Fact, text string) bool {
	for _, s := range [...]string{f.Content, f.Title, f.ID, f.Category, f.Extension} {
		if containsFold(s, text) {
			return true
		}
	}
	return slices.ContainsFunc(f.Topics, func(topic string) bool { return containsFold(topic, text) })
}

func (t *Table) order(by Field) func(a, b int) int {
	facts, signals := t.Agent.Facts, t.Agent.Signals
	score := func(scores []eviction.Score, part func(*eviction.Score) float64) func(a, b int) int {
		return func(a, b int) int { return cmp.Compare(part(&scores[a]), part(&scores[b])) }
	}
	moment := func(of func(*eviction.Fact) eviction.Moment) func(a, b int) int {
		return func(a, b int) int {
			x, y := of(&signals[a]), of(&signals[b])
			if x.IsSet() != y.IsSet() {
				if x.IsSet() {
					return 1
				}
				return -1 // never comes before every time
			}
			return cmp.Compare(x.Micros(), y.Micros())
		}
	}
	switch by {
	case ByTitle:
		return func(a, b int) int { return strings.Compare(facts[a].Title, facts[b].Title) }
	case ByCategory:
		return func(a, b int) int { return strings.Compare(facts[a].Category, facts[b].Category) }
	case ByConfidence:
		return score(t.Confidence, func(s *eviction.Score) float64 { return s.Value })
	case ByHybrid:
		return score(t.Hybrid, func(s *eviction.Score) float64 { return s.Value })
	case ByFreshness:
		return score(t.Hybrid, func(s *eviction.Score) float64 { return s.Freshness })
	case ByHeat:
		return score(t.Hybrid, func(s *eviction.Score) float64 { return s.Heat })
	case ByCreated:
		return moment(func(f *eviction.Fact) eviction.Moment { return f.Created })
	case ByConfirmed:
		return moment(func(f *eviction.Fact) eviction.Moment { return f.Confirmed })
	case ByAccessed:
		return moment(func(f *eviction.Fact) eviction.Moment { return f.Accessed })
	case ByLength:
		return func(a, b int) int { return cmp.Compare(len(facts[a].Content), len(facts[b].Content)) }
	}
	return func(a, b int) int { return cmp.Compare(a, b) }
}

// fold gives a text for comparison whatever the case.
func fold(s string) string { return strings.Map(unicode.ToLower, s) }

// containsFold tells whether s holds a folded text. Plain ASCII, the usual
// case, is compared where it stands: a search goes through every fact at each
// key.
func containsFold(s, folded string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return strings.Contains(fold(s), folded)
		}
	}
	for i := 0; i+len(folded) <= len(s); i++ {
		j := 0
		for j < len(folded) && lowerByte(s[i+j]) == folded[j] {
			j++
		}
		if j == len(folded) {
			return true
		}
	}
	return false
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Categories counts the facts of each category, the largest first.
func Categories(a *memstore.Agent) []CategoryCount {
	counts := map[string]int{}
	for i := range a.Facts {
		counts[a.Facts[i].Category]++
	}
	return sortedCounts(counts)
}

// CategoryCount is a category and how many of something it has.
type CategoryCount struct {
	Category string `json:"category"`
	Count    int    `json:"count"`
}

func sortedCounts(counts map[string]int) []CategoryCount {
	list := make([]CategoryCount, 0, len(counts))
	for category, n := range counts {
		list = append(list, CategoryCount{category, n})
	}
	slices.SortFunc(list, func(a, b CategoryCount) int {
		if d := cmp.Compare(b.Count, a.Count); d != 0 {
			return d
		}
		return strings.Compare(a.Category, b.Category)
	})
	return list
}
