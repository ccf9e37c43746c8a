package insight

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/memstore"
)

// trimAt is a trim of so many facts, on which the policies disagreed or have no
// verdict.
func trimAt(when time.Time, n int, shadow *memstore.Shadow) memstore.Event {
	e := memstore.Event{Policy: eviction.NameConfidence, MaxFacts: 9, Shadow: shadow}
	if !when.IsZero() {
		e.Moment = eviction.At(when)
	}
	for i := range n {
		e.Evicted = append(e.Evicted, memstore.EvictedFact{ID: fmt.Sprint(i), Category: []string{"goal", "context"}[i%2]})
	}
	return e
}

func TestATimeLineIsPartedIntoTheShortestSpansThatAreFew(t *testing.T) {
	at := func(days int) time.Time { return clock.AddDate(0, 0, -days) } // a Thursday
	for _, c := range []struct {
		name   string
		days   []int
		unit   string
		spans  int
		second string
	}{
		{"days, those without a trim too", []int{3, 0}, "day", 4, "2026-08-11"},
		{"weeks from Monday", []int{40, 0}, "week, from Monday", 7, "2026-07-06"},
		{"months", []int{400, 0}, "month", 14, "2025-08"},
		{"years", []int{4000, 0}, "year", 12, "2016"},
		{"years of a damaged audit, without the empty ones", []int{40000, 0}, "year", 2, "2026"},
	} {
		a := agentOf()
		for _, d := range c.days {
			a.Audit = append(a.Audit, trimAt(at(d), 1, nil))
		}
		line := NewTimeline(a)
		unit, spans := line.Spans()
		if unit != c.unit || len(spans) != c.spans || spans[1].Name != c.second {
			t.Errorf("%s: by %s, %d spans, the second is %s", c.name, unit, len(spans), spans[1].Name)
		}
		trims := 0
		for _, s := range spans {
			trims += s.Trims
		}
		if trims != len(c.days) {
			t.Errorf("%s: %d trims", c.name, trims)
		}
	}
}

func TestSpansCountCategoriesAndDisagreement(t *testing.T) {
	a := agentOf()
	a.Audit = []memstore.Event{
		trimAt(time.Time{}, 1, nil), trimAt(clock, 3, &memstore.Shadow{Disagrees: true}), trimAt(clock, 2, &memstore.Shadow{}), trimAt(clock.AddDate(0, 0, -1), 0, nil),
	}
	line := NewTimeline(a)
	_, spans := line.Spans()
	if len(spans) != 3 || spans[0].Name != "2026-08-12" || spans[2].Name != "undated" {
		t.Fatalf("spans %+v", spans)
	}
	if s := spans[1]; s.Trims != 2 || s.Evicted != 5 || s.Of("goal") != 3 || s.Of("context") != 2 || s.Of("none") != 0 || s.WithShadow != 2 || s.Disagreed != 1 {
		t.Errorf("the day has %+v", s)
	}
	if unit, spans := (&Timeline{}).Spans(); unit != "day" || spans != nil {
		t.Errorf("without a trim: %s, %v", unit, spans)
	}
}

func TestEverySheetHasARowAsLongAsItsColumns(t *testing.T) {
	a := audited()
	table := NewTable(a, eviction.HybridV1(), eviction.At(clock))
	of := Owner{"mara", "coder"}
	line := NewTimeline(a)
	store := &memstore.Store{Warnings: []memstore.Warning{{Path: "x", Kind: memstore.FaultID, Text: "y", LeftOut: true}}}
	for _, sheet := range []Sheet{table.Facts(of, 1, []int{1, 0}), table.GoesNext(of, 1), table.Compare(1).Sheet(of), AuditSheet(of, a), line.Sheet(of), WarningSheet(store)} {
		if len(sheet.Rows) == 0 && sheet.Name != "store-compare" {
			t.Errorf("%s is empty", sheet.Name)
		}
		for _, row := range sheet.Rows {
			if len(row) != len(sheet.Columns) {
				t.Errorf("%s: row %v of columns %v", sheet.Name, row, sheet.Columns)
			}
		}
	}
	for _, sheet := range []Sheet{table.Facts(of, 1, []int{1}), table.GoesNext(of, 1), table.Compare(3).Sheet(of)} {
		at := slices.Index(sheet.Columns, "clock")
		if at < 0 {
			t.Errorf("%s does not say its clock", sheet.Name)
			continue
		}
		for _, row := range sheet.Rows {
			if row[at] != table.Now.String() {
				t.Errorf("%s says the clock %v", sheet.Name, row[at])
			}
		}
	}
	if facts := table.Facts(of, 1, []int{1}); facts.Rows[0][9] != nil {
		t.Errorf("an unmeasured heat is exported as %v", facts.Rows[0][9])
	}
	if rows := AuditSheet(of, a).Rows; rows[1][11] != 0.5 || rows[1][12] != nil || rows[0][17] != false || rows[1][17] != true {
		t.Errorf("the audit's rows are %v", rows)
	}
}
