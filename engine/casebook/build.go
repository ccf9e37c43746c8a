package casebook

import (
	"maps"
	"slices"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// New gives the book of a study without any rows: every case with its cells at
// the protocol's capacities.
func New(s *study.Study) *Book {
	b := &Book{
		Protocol:   s.Config.ProtocolID,
		Capacities: s.Config.Pool.Capacities,
		QACapacity: s.Config.Pool.QACapacity,
		Policies:   s.Policies[:],
		Now:        eviction.At(s.Config.EvaluationTime),
		RowsNeeded: len(s.Pools.Cases) * len(s.Policies),
		Study:      s,
	}
	b.Entries = make([]Entry, len(s.Pools.Cases))
	for i, c := range s.Pools.Cases {
		facts := Facts(c)
		e := Entry{Case: c, Cells: make(map[CellKey]Cell, len(b.Capacities)*len(b.Policies))}
		for _, capacity := range b.Capacities {
			for _, policy := range b.Policies {
				result := eviction.Select(facts, policy, b.Now, capacity)
				e.Cells[CellKey{policy.Name, capacity}] = NewCell(c, result)
			}
		}
		b.Entries[i] = e
	}
	return b
}

// Facts gives a case's pool as a policy sees it.
func Facts(c pools.Case) []eviction.Fact {
	facts := make([]eviction.Fact, len(c.Facts))
	for i, f := range c.Facts {
		facts[i] = eviction.FromPoolFact(f)
	}
	return facts
}

// NewCell names the facts that a decision over c's pool kept and evicted.
func NewCell(c pools.Case, result eviction.Result) Cell {
	cell := Cell{
		Kept:          make([]string, len(result.Kept)),
		Evicted:       make([]string, len(result.Evicted)),
		ReservedSlots: result.ReservedSlots,
	}
	for i, index := range result.Kept {
		cell.Kept[i] = c.Facts[index].ID
	}
	for i, index := range result.Evicted {
		cell.Evicted[i] = c.Facts[index].ID
	}
	retained := 0
	for _, id := range c.SupportIDs {
		if slices.Contains(cell.Kept, id) {
			retained++
		}
	}
	cell.SupportRetained = retained == len(c.SupportIDs)
	cell.SupportRecall = float64(retained) / float64(len(c.SupportIDs))
	return cell
}

// WithRows gives a book with these rows in place of any it had. The rows count
// as graded only when every row the run needs is there and graded: figures are
// not shown of a part.
func (b *Book) WithRows(rows []Row) *Book {
	byID := make(map[string]Row, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	next := *b
	next.Entries = slices.Clone(b.Entries)
	next.Rows, next.Graded = 0, true
	for i := range next.Entries {
		e := &next.Entries[i]
		e.Rows = make(map[string]Row, len(b.Policies))
		for _, policy := range b.Policies {
			row, ok := byID[RowID(e.Case.ID, policy.Name)]
			if !ok {
				next.Graded = false
				continue
			}
			e.Rows[policy.Name] = row
			next.Rows++
			next.Graded = next.Graded && row.Graded
		}
	}
	if !next.Graded {
		next.sealGrades()
	}
	return &next
}

// sealGrades hides every grade, so that no screen can show one early.
func (b *Book) sealGrades() {
	for i := range b.Entries {
		rows := maps.Clone(b.Entries[i].Rows)
		for policy, row := range rows {
			row.Graded, row.Correct, row.Rule = false, false, ""
			rows[policy] = row
		}
		b.Entries[i].Rows = rows
	}
}

// RowID names the row of a case under a policy.
func RowID(caseID, policy string) string { return caseID + "__" + policy }

// Find gives the entry of a case.
func (b *Book) Find(caseID string) (*Entry, bool) {
	for i := range b.Entries {
		if b.Entries[i].Case.ID == caseID {
			return &b.Entries[i], true
		}
	}
	return nil, false
}

// Policy gives a policy of the book by name.
func (b *Book) Policy(name string) (eviction.Policy, bool) {
	for _, p := range b.Policies {
		if p.Name == name {
			return p, true
		}
	}
	return eviction.Policy{}, false
}

// Pair compares the two policies' answers on a case.
func (e *Entry) Pair(policies []eviction.Policy) Pair {
	if len(policies) != 2 {
		return PairPending
	}
	first, haveFirst := e.Rows[policies[0].Name]
	second, haveSecond := e.Rows[policies[1].Name]
	switch {
	case !haveFirst || !haveSecond || !first.Graded || !second.Graded:
		return PairPending
	case first.Correct && second.Correct:
		return PairBothRight
	case first.Correct:
		return PairConfidence
	case second.Correct:
		return PairHybrid
	}
	return PairBothWrong
}

// Discordant tells whether the two policies differ on a case.
func (p Pair) Discordant() bool { return p == PairConfidence || p == PairHybrid }
