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

// Table is an agent's facts with their scores under two policies at one time,
// and the order that each policy puts them in. One goroutine at a time, but for
// Order, which only reads.
type Table struct {
	Agent      *memstore.Agent
	Now        eviction.Moment
	Confidence []eviction.Score // by fact
	Hybrid     []eviction.Score

	confidence, hybrid *eviction.Ranked
	signals            Signals
	plain              []bool // by fact: its texts are ASCII
}

// NewTable scores and ranks every fact; hybrid gives the constants of hybrid-v1.
func NewTable(a *memstore.Agent, hybrid eviction.Policy, now eviction.Moment) *Table {
	t := &Table{Agent: a, Now: now, confidence: eviction.Rank(a.Signals, eviction.Confidence(), now), hybrid: eviction.Rank(a.Signals, hybrid, now)}
	t.Confidence, t.Hybrid = t.confidence.Scores(), t.hybrid.Scores()
	t.signals, t.plain = SignalsAt(a, now), make([]bool, len(a.Facts))
	for i := range a.Facts {
		t.plain[i] = everyText(&a.Facts[i], ascii)
	}
	return t
}

// Signals says what is known of the facts at the table's time.
func (t *Table) Signals() Signals { return t.signals }

// Decide gives the decisions of both policies at a cap.
func (t *Table) Decide(capacity int) (confidence, hybrid *Decision) {
	return At(t.confidence, capacity), At(t.hybrid, capacity)
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
func (t *Table) Find(q Query) []int { return t.Match(q, t.Order(q.Sort, q.Descending)) }

// Order gives all facts in an order. Equal ones stay in the order of IDs.
func (t *Table) Order(by Field, descending bool) []int {
	all := make([]int, len(t.Agent.Facts))
	for i := range all {
		all[i] = i
	}
	order := t.order(by)
	slices.SortStableFunc(all, func(a, b int) int {
		if descending {
			return order(b, a)
		}
		return order(a, b)
	})
	return all
}

// Match gives those of some facts that a query asks for, in the order given.
func (t *Table) Match(q Query, among []int) []int {
	text := fold(q.Text)
	if text == "" && q.Category == "" {
		return among
	}
	found := []int{}
	for _, i := range among {
		f := &t.Agent.Facts[i]
		if q.Category != "" && f.Category != q.Category && f.Extension != q.Category {
			continue
		}
		if text == "" || !everyText(f, func(s string) bool { return !containsFold(s, text, t.plain[i]) }) {
			found = append(found, i)
		}
	}
	return found
}

// everyText tells whether is holds for all texts of a fact that are searched.
func everyText(f *memstore.Fact, is func(string) bool) bool {
	for _, s := range [...]string{f.Content, f.Title, f.ID, f.Category, f.Extension} {
		if !is(s) {
			return false
		}
	}
	for _, topic := range f.Topics {
		if !is(topic) {
			return false
		}
	}
	return true
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

// containsFold tells whether s holds a folded text. Plain ASCII, the usual case,
// is compared where it stands, from one place to the next at which the text may
// begin: a search goes through every fact at each key.
func containsFold(s, folded string, plain bool) bool {
	if !plain {
		return strings.Contains(fold(s), folded)
	}
	if folded == "" {
		return true
	}
	first, upper := folded[0], upperByte(folded[0])
	for from := 0; from+len(folded) <= len(s); {
		rest := s[from : len(s)-len(folded)+1]
		at := strings.IndexByte(rest, first)
		if first != upper {
			if at >= 0 {
				rest = rest[:at]
			}
			if other := strings.IndexByte(rest, upper); other >= 0 {
				at = other
			}
		}
		if at < 0 {
			return false
		}
		if equalFold(s[from+at:from+at+len(folded)], folded) {
			return true
		}
		from += at + 1
	}
	return false
}

// equalFold compares ASCII with a folded text of the same length.
func equalFold(s, folded string) bool {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != folded[i] {
			return false
		}
	}
	return true
}

func upperByte(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
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
