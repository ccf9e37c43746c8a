// Whether a case is what a filter asks for.
package cases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"deermem-tui/engine/casebook"
)

// matcher is a query made ready for the rows of a book.
type matcher struct {
	query
	sides []int // the policies that kept=, rule= and answer= look at
	qa    int   // the place of the QA capacity, -1 where it is none of the protocol's
	caps  []int
}

func newMatcher(q query, book *casebook.Book) matcher {
	m := matcher{query: q, qa: -1}
	if book == nil {
		return m
	}
	m.caps = book.Capacities
	m.qa = slices.Index(book.Capacities, book.QACapacity)
	for i := range book.Policies[:min(2, len(book.Policies))] {
		if strings.Contains(strings.ToLower(book.Policies[i].Name), q.policy) {
			m.sides = append(m.sides, i)
		}
	}
	if len(m.sides) == 0 && q.policy != "" {
		m.problems = append(m.problems, "no policy is called "+q.policy)
		m.sides = []int{0, 1}
	}
	m.where = m.ofProtocol(q.where)
	return m
}

// ofProtocol leaves out capacities that the protocol does not have, and says so.
func (m *matcher) ofProtocol(where []condition) []condition {
	var out []condition
	for _, c := range where {
		var values []string
		for _, v := range c.values {
			_, capacity, named := strings.Cut(v, "@")
			if n, err := strconv.Atoi(capacity); named && (err != nil || !slices.Contains(m.caps, n)) {
				m.problems = append(m.problems, fmt.Sprintf("%s is no capacity of the protocol: it has %s", capacity, strings.Trim(fmt.Sprint(m.caps), "[]")))
				continue
			}
			values = append(values, v)
		}
		if c.values = values; len(values) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// match tells whether every word and every condition holds.
func (m *matcher) match(r *row) bool {
	for _, w := range m.words {
		if !strings.Contains(r.text, w) {
			return false
		}
	}
	for i := range m.where {
		c := &m.where[i]
		if m.holds(c, r) == c.not {
			return false
		}
	}
	return true
}

func (m *matcher) holds(c *condition, r *row) bool {
	for _, v := range c.values {
		if m.one(c.key, v, r) {
			return true
		}
	}
	return false
}

func (m *matcher) one(key, v string, r *row) bool {
	switch key {
	case keyScenario:
		return strings.Contains(r.lowScenario, v)
	case keyType:
		return strings.Contains(r.lowKind, v)
	case keySource:
		return r.source == v
	case keyPair:
		return pairIs(r.pair, v)
	case keyKept:
		return m.kept(v, r)
	}
	for _, side := range m.sides {
		switch {
		case key == keyRule && r.rules[side] != "" && strings.Contains(r.lowRules[side], v):
			return true
		case key == keyAnswer && answerWords[r.answers[side]] == v:
			return true
		}
	}
	return false
}

var answerWords = map[answer]string{none: "missing", there: "ungraded", right: "right", wrong: "wrong"}

// kept tells whether the support was kept at a capacity, that of QA unless
// another is named, under any of the policies looked at. moved: under one of
// the two only.
func (m *matcher) kept(v string, r *row) bool {
	word, capacity, named := strings.Cut(v, "@")
	at := m.qa
	if named {
		n, _ := strconv.Atoi(capacity)
		at = slices.Index(m.caps, n)
	}
	if at < 0 || !r.known {
		return false
	}
	if word == "moved" {
		return len(r.kept[0]) > at && len(r.kept[1]) > at && r.kept[0][at] != r.kept[1][at]
	}
	for _, side := range m.sides {
		if len(r.kept[side]) > at && r.kept[side][at] == (word == "yes") {
			return true
		}
	}
	return false
}

func pairIs(p casebook.Pair, v string) bool {
	switch v {
	case "discordant":
		return p.Discordant()
	case "concordant":
		return p == casebook.PairBothRight || p == casebook.PairBothWrong
	case "hybrid":
		return p == casebook.PairHybrid
	case "confidence":
		return p == casebook.PairConfidence
	case "right":
		return p == casebook.PairBothRight
	case "wrong":
		return p == casebook.PairBothWrong
	}
	return p == casebook.PairPending
}
