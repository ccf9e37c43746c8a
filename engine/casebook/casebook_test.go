package casebook_test

import (
	"context"
	"slices"
	"testing"

	deermemtui "deermem-tui"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/study"
)

func sampleBook(t testing.TB) *casebook.Book {
	t.Helper()
	p, _ := deermemtui.Protocol(deermemtui.Sample)
	contracts, err := study.LoadContracts(study.Embedded(deermemtui.Sample, deermemtui.Files, p.Config, p.OfficialManifest, p.SyntheticManifest), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := contracts.Open(context.Background(), study.EmbeddedDataset(deermemtui.Files, p.Dataset), nil)
	if err != nil {
		t.Fatal(err)
	}
	return casebook.New(s)
}

// allRows answers every row; right says which are.
func allRows(b *casebook.Book, right func(caseIndex, policyIndex int) bool) []casebook.Row {
	var rows []casebook.Row
	for i, e := range b.Entries {
		for p, policy := range b.Policies {
			rows = append(rows, casebook.Row{ID: casebook.RowID(e.Case.ID, policy.Name), Prediction: "x", Graded: true, Correct: right(i, p), Rule: "exact"})
		}
	}
	return rows
}

func TestANewBookHasEveryCellAndNoRow(t *testing.T) {
	b := sampleBook(t)
	if len(b.Entries) != 45 || b.RowsNeeded != 90 || b.Rows != 0 || b.Graded || !slices.Equal(b.Capacities, []int{5, 7, 9}) || b.QACapacity != 7 {
		t.Fatalf("%d entries, %d rows of %d, graded %t, capacities %v", len(b.Entries), b.Rows, b.RowsNeeded, b.Graded, b.Capacities)
	}
	for _, e := range b.Entries {
		if len(e.Cells) != 6 || len(e.Rows) != 0 || e.Pair(b.Policies) != casebook.PairPending {
			t.Fatalf("%s: %d cells, %d rows, pair %s", e.Case.ID, len(e.Cells), len(e.Rows), e.Pair(b.Policies))
		}
		for key, cell := range e.Cells {
			if len(cell.Kept) != key.Capacity || len(cell.Kept)+len(cell.Evicted) != len(e.Case.Facts) {
				t.Errorf("%s %v: %d kept, %d evicted", e.Case.ID, key, len(cell.Kept), len(cell.Evicted))
			}
			kept := slices.Contains(cell.Kept, e.Case.SupportIDs[0])
			if cell.SupportRetained != kept || cell.SupportRecall != map[bool]float64{true: 1}[kept] {
				t.Errorf("%s %v: support retained %t, recall %v, kept %t", e.Case.ID, key, cell.SupportRetained, cell.SupportRecall, kept)
			}
		}
	}
}

func TestGradesAreSealedUntilEveryRowIsThereAndGraded(t *testing.T) {
	b := sampleBook(t)
	rows := allRows(b, func(int, int) bool { return true })
	ungraded := slices.Clone(rows)
	ungraded[17].Graded = false
	foreign := append(slices.Clone(rows[1:]), casebook.Row{ID: "no-case__confidence", Graded: true})
	for _, c := range []struct {
		name   string
		rows   []casebook.Row
		count  int
		graded bool
	}{
		{"no row", nil, 0, false},
		{"one row", rows[:1], 1, false},
		{"all but one", rows[:89], 89, false},
		{"all, one ungraded", ungraded, 90, false},
		{"as many, one of another study", foreign, 89, false},
		{"all", rows, 90, true},
		{"all, in another order", reversed(rows), 90, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			next := b.WithRows(c.rows)
			if next.Rows != c.count || next.Graded != c.graded {
				t.Errorf("%d rows, graded %t, want %d, %t", next.Rows, next.Graded, c.count, c.graded)
			}
			for _, e := range next.Entries {
				want := casebook.PairPending
				if c.graded {
					want = casebook.PairBothRight
				}
				if got := e.Pair(next.Policies); got != want {
					t.Errorf("%s: pair %s, want %s", e.Case.ID, got, want)
				}
				for _, row := range e.Rows {
					if row.Graded != c.graded || row.Correct != c.graded || (row.Rule != "") != c.graded || row.Prediction != "x" {
						t.Errorf("row %+v", row)
					}
				}
			}
		})
	}
	// The rows that were given stay as they were.
	if !rows[0].Graded || rows[0].Rule != "exact" {
		t.Error("sealing changed the caller's rows")
	}
}

func reversed(rows []casebook.Row) []casebook.Row {
	rows = slices.Clone(rows)
	slices.Reverse(rows)
	return rows
}

func TestNewRowsMakeANewBookAndLeaveTheOldAlone(t *testing.T) {
	b := sampleBook(t)
	rows := allRows(b, func(int, int) bool { return true })
	full := b.WithRows(rows)
	part := full.WithRows(rows[:3])
	if b.Rows != 0 || b.Graded || len(b.Entries[0].Rows) != 0 {
		t.Errorf("the first book has %d rows now", b.Rows)
	}
	if full.Rows != 90 || !full.Graded || !full.Entries[0].Rows["confidence"].Graded {
		t.Errorf("the full book has %d rows, graded %t now", full.Rows, full.Graded)
	}
	if part.Rows != 3 || part.Graded || part.Entries[0].Rows["confidence"].Graded {
		t.Errorf("the book of a part has %d rows, graded %t", part.Rows, part.Graded)
	}
}

func TestPairsNameWhichPolicyIsRight(t *testing.T) {
	b := sampleBook(t)
	verdicts := [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}}
	next := b.WithRows(allRows(b, func(i, p int) bool { return verdicts[i%4][p] }))
	want := []casebook.Pair{casebook.PairBothRight, casebook.PairConfidence, casebook.PairHybrid, casebook.PairBothWrong}
	for i, e := range next.Entries[:4] {
		got := e.Pair(next.Policies)
		if got != want[i] || got.Discordant() != (verdicts[i][0] != verdicts[i][1]) {
			t.Errorf("%v: pair %s, discordant %t", verdicts[i], got, got.Discordant())
		}
	}
	if p := next.Entries[0].Pair(next.Policies[:1]); p != casebook.PairPending {
		t.Errorf("one policy: pair %s", p)
	}
}

func TestCasesAndPoliciesAreFoundByName(t *testing.T) {
	b := sampleBook(t)
	if e, ok := b.Find(b.Entries[7].Case.ID); !ok || e != &b.Entries[7] {
		t.Errorf("Find gives %v, %t", e, ok)
	}
	if _, ok := b.Find("zzz"); ok {
		t.Error("a case that is not there was found")
	}
	if p, ok := b.Policy(eviction.NameHybridV1); !ok || !p.Hybrid() {
		t.Errorf("Policy gives %v, %t", p, ok)
	}
	if _, ok := b.Policy("lru"); ok {
		t.Error("a policy that is not there was found")
	}
}
