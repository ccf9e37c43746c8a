package casebook_test

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/report"
	"deermem-tui/engine/study"
)

const publishedFolder = "../../../shared/upstream/results/pr4789-reproduction-v1"

// publishedStudy reads the published study, or skips the test.
func publishedStudy(t *testing.T) casebook.Published {
	t.Helper()
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(publishedFolder, name))
		if err != nil {
			t.Skipf("published results not found at %s: skipped", publishedFolder)
		}
		return data
	}
	var p casebook.Published
	var err error
	if p.Rows, err = report.ParseGradedRows(read(report.QARowsFile)); err != nil {
		t.Fatal(err)
	}
	run, err := report.ParseQARunDoc(read(report.QARunFile))
	if err != nil {
		t.Fatal(err)
	}
	stats, err := report.ParseStatsDoc(read(report.QAStatsFile))
	if err != nil {
		t.Fatal(err)
	}
	p.Run, p.Stats = &run, &stats
	return p
}

func TestThePublishedStudyOpensFromItsRowsAlone(t *testing.T) {
	p := publishedStudy(t)
	b, err := casebook.FromPublished(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Entries) != 45 || b.Rows != 90 || !b.Graded || b.Study != nil || b.QACapacity != 7 || b.Protocol != p.Run.ProtocolID || b.RunDoc == nil {
		t.Fatalf("%d cases, %d rows, graded %t, capacity %d, protocol %q", len(b.Entries), b.Rows, b.Graded, b.QACapacity, b.Protocol)
	}
	if b.Policies[0].Name != "confidence" || b.Policies[1].Name != "hybrid-v1" {
		t.Errorf("policies %v", b.Policies)
	}
	kept, one := map[string]int{}, 0
	for _, e := range b.Entries {
		for _, policy := range b.Policies {
			cell := e.Cells[casebook.CellKey{Policy: policy.Name, Capacity: 7}]
			if cell.SupportRetained {
				kept[policy.Name]++
			}
			if len(cell.Kept) != 7 {
				t.Errorf("%s keeps %d facts under %s", e.Case.ID, len(cell.Kept), policy.Name)
			}
		}
		if e.Pair(b.Policies) == casebook.PairConfidence {
			if one++; e.Case.ID != "1cea1afa" {
				t.Errorf("%s goes the other way", e.Case.ID)
			}
		}
	}
	if kept["confidence"] != 27 || kept["hybrid-v1"] != 45 || one != 1 {
		t.Errorf("support kept %v, %d pairs go the other way", kept, one)
	}
	for _, check := range b.Checks {
		if check.State != study.Passed {
			t.Errorf("check %q: %s, expected %s, found %s", check.Name, check.State, check.Expected, check.Found)
		}
	}
	if b.Figures == nil || len(b.Figures.Suites) != 3 || b.Figures.Suites[0].McNemar.PValue != 0.0018310546875 {
		t.Errorf("figures %+v", b.Figures)
	}
	if got := b.Entries[40].Case.Source; got != "synthetic" {
		t.Errorf("after forty official cases comes one of %s", got)
	}
}

func TestStatedFiguresThatTheRowsDoNotGiveFailTheirCheck(t *testing.T) {
	p := publishedStudy(t)
	wrong := *p.Stats
	wrong.Official.PValue, wrong.Official.Bootstrap.Lower = 0.001, 0.2
	p.Stats = &wrong
	b, err := casebook.FromPublished(p)
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, check := range b.Checks {
		if check.State == study.Failed {
			failed++
			if check.Name != "statistics official" || !strings.Contains(check.Found, "p 0.0018310546875, not 0.001") {
				t.Errorf("check %+v", check)
			}
		}
	}
	if failed != 1 {
		t.Errorf("%d checks failed", failed)
	}
}

func TestRowsAloneWithoutDocumentsStillOpen(t *testing.T) {
	p := publishedStudy(t)
	p.Run, p.Stats = nil, nil
	b, err := casebook.FromPublished(p)
	if err != nil || !b.Graded || b.Figures != nil || b.Protocol != "" {
		t.Fatalf("graded %t, figures %v, error %v", b.Graded, b.Figures, err)
	}
	for _, check := range b.Checks[1:] {
		if check.State != study.NotRun {
			t.Errorf("check %q is %s without a document", check.Name, check.State)
		}
	}
}

func row(caseID, policy string) report.GradedRow {
	return report.GradedRow{RowID: casebook.RowID(caseID, policy), CaseID: caseID, Source: "longmemeval", Scenario: "access_help",
		QuestionType: "t", Policy: policy, Capacity: 7, KeptFactIDs: []string{"gold_" + caseID}, Usage: map[string]*big.Int{"total_tokens": big.NewInt(3)}}
}

func TestRowsThatAreNoRunAreRefused(t *testing.T) {
	a, b := row("a", "confidence"), row("a", "hybrid-v1")
	other, wide, named, moved := row("a", "lru"), row("b", "confidence"), row("b", "confidence"), row("a", "hybrid-v1")
	wide.Capacity, named.RowID, moved.Scenario = 9, "c__confidence", "noisy"
	for _, c := range []struct {
		name string
		rows []report.GradedRow
		want string
	}{
		{"one policy", []report.GradedRow{a}, "two policies"},
		{"three policies", []report.GradedRow{a, b, other}, "two policies"},
		{"a row twice", []report.GradedRow{a, b, b}, "twice"},
		{"a case with one row", []report.GradedRow{a, b, row("b", "confidence")}, `case "b" has 1 of 2`},
		{"two capacities", []report.GradedRow{a, b, wide}, "capacity 9"},
		{"an ID of another case", []report.GradedRow{a, b, named}, `"c__confidence"`},
		{"rows that disagree", []report.GradedRow{a, moved}, "disagree"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := casebook.FromPublished(casebook.Published{Rows: c.rows})
			var refused *casebook.RowsError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if _, err := casebook.FromPublished(casebook.Published{}); !errors.Is(err, casebook.ErrNoRows) {
		t.Errorf("no row: %v", err)
	}
}
