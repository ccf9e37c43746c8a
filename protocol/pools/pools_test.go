package pools

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"deermem-tui/protocol/config"
	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/manifest"
	"deermem-tui/protocol/pytext"
)

var clock = time.Date(2030, 6, 1, 0, 0, 0, 0, time.UTC)

// A study of two eligible types, `one` and `two`, whose rows are called 1-00,
// 1-01 … and 2-00, 2-01 …, and a bank of rows called bank-00 and so on.
const (
	perType = 24
	banked  = 12
)

func testConfig() *config.Config {
	return &config.Config{EvaluationTime: clock, Pool: config.Pool{
		Size: 10, Distractors: 9, DistractorBankSize: banked, DistractorTypes: []string{"chat", preferenceType},
		DistractorMinEvidence: 10, DistractorMaxEvidence: 60, OffsetNamespace: "ns",
	}}
}

func testOfficial() *manifest.Official {
	m := &manifest.Official{
		ScenarioOrder: []string{manifest.NoisySignalControl, manifest.ConfirmationHelp, manifest.AccessHelp, manifest.ConfidenceControl},
		LossRanks:     []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		Scenarios:     map[string][]string{},
		Selection: manifest.Selection{
			EligibleTypes: []string{"two", "one"}, ExcludedPilotIDs: []string{"1-00"}, AbstentionSuffix: "_abs",
			AnswerMin: 2, AnswerMax: 10, ExcludedSubstrings: []string{"Yes "}, EvidenceMin: 5, EvidenceMax: 60, TakePerType: 20, PerTypePerScenario: 5,
		},
	}
	for s, scenario := range m.ScenarioOrder {
		for i := range 5 {
			m.Scenarios[scenario] = append(m.Scenarios[scenario], fmt.Sprintf("2-%02d", 5*s+i))
		}
		for i := range 5 {
			m.Scenarios[scenario] = append(m.Scenarios[scenario], fmt.Sprintf("1-%02d", 5*s+i+1)) // 1-00 is a pilot
		}
	}
	return m
}

func testSynthetic() *manifest.Synthetic {
	m := &manifest.Synthetic{Scenario: manifest.CorrectionReserve}
	for i := range 5 {
		m.Cases = append(m.Cases, manifest.Guard{CaseID: fmt.Sprintf("guard_%d", i), SupportFact: "Moved.", Question: "Where?", Answer: "There", LossRank: 2*i + 1})
	}
	return m
}

// rowText gives a row, changed as wanted.
func rowText(id, kind, answer, content string) map[string]any {
	return map[string]any{
		"question_id": id, "question_type": kind, "question": "What about " + id + "?", "question_date": "2030/05/01", "answer": answer,
		"haystack_session_ids": []string{"s"}, "haystack_dates": []string{"d"},
		"haystack_sessions": []any{[]any{map[string]any{"role": "user", "content": content}}},
	}
}

// testRows gives the dataset; change sees every row before it is written.
func testRows(t *testing.T, change func(id string, row map[string]any)) []dataset.Row {
	t.Helper()
	var list []any
	add := func(id, kind string) {
		row := rowText(id, kind, "Answer", "About "+id)
		if change != nil {
			change(id, row)
		}
		list = append(list, row)
	}
	for i := range perType {
		add(fmt.Sprintf("2-%02d", perType-1-i), "two")
		add(fmt.Sprintf("1-%02d", i), "one")
	}
	for i := range banked + 3 {
		add(fmt.Sprintf("bank-%02d", i), []string{"chat", preferenceType}[i%2])
	}
	rows, err := dataset.Scan(pytext.Marshal(list))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func build(t *testing.T, change func(id string, row map[string]any)) (*Pools, error) {
	t.Helper()
	return Build(testConfig(), testOfficial(), testSynthetic(), testRows(t, change))
}

func TestCasesStandInTheOrderOfTheProtocol(t *testing.T) {
	p, err := build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Cases) != 45 || len(p.Bank) != banked || p.Bank[0].RowID != "bank-00" {
		t.Fatalf("%d cases, %d records", len(p.Cases), len(p.Bank))
	}
	for i, want := range map[int]Case{
		0:  {ID: "1-01", Scenario: manifest.NoisySignalControl, Source: Official, QuestionType: "one", LossRank: 1},
		5:  {ID: "2-00", Scenario: manifest.NoisySignalControl, Source: Official, QuestionType: "two", LossRank: 6},
		19: {ID: "2-09", Scenario: manifest.ConfirmationHelp, Source: Official, QuestionType: "two", LossRank: 10},
		40: {ID: "guard_0", Scenario: manifest.CorrectionReserve, Source: Synthetic, QuestionType: SyntheticType, LossRank: 1},
	} {
		got := p.Cases[i]
		if got.ID != want.ID || got.Scenario != want.Scenario || got.Source != want.Source || got.QuestionType != want.QuestionType || got.LossRank != want.LossRank {
			t.Errorf("case %d: %+v", i, got)
		}
	}
	if c := p.Cases[0]; c.Question != "What about 1-01?" || *c.QuestionDate != "2030/05/01" || c.Answer != "Answer" {
		t.Errorf("%+v", c)
	}
	if c := p.Cases[40]; c.QuestionDate != nil || c.Question != "Where?" || c.Answer != "There" {
		t.Errorf("%+v", c)
	}
}

func TestAPoolHoldsItsSupportAndAWindowOfTheBank(t *testing.T) {
	p, err := build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Cases {
		if len(c.Facts) != 10 || !slices.IsSortedFunc(c.Facts, func(a, b Fact) int { return strings.Compare(a.ID, b.ID) }) {
			t.Fatalf("%s: %d facts, or not in order", c.ID, len(c.Facts))
		}
		if c.BankOffset != Offset("ns", c.ID, banked) || !slices.Equal(c.SupportIDs, []string{"gold_" + c.ID}) {
			t.Errorf("%s: offset %d, support %v", c.ID, c.BankOffset, c.SupportIDs)
		}
		for i := range 9 {
			record := p.Bank[(c.BankOffset+i)%banked]
			f := fact(t, c, fmt.Sprintf("d_%s_%d_%s", c.ID, i, record.RowID))
			category := categoryContext
			if record.Type == preferenceType {
				category = categoryPreference
			}
			if f.Content != record.Evidence || f.Category != category || f.RowID != record.RowID || f.Support || !f.Created.Equal(clock.AddDate(0, 0, -180)) {
				t.Errorf("%s: %+v", c.ID, f)
			}
		}
	}
}

func fact(t *testing.T, c Case, id string) Fact {
	t.Helper()
	for _, f := range c.Facts {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("%s has no fact %s", c.ID, id)
	return Fact{}
}

// signals writes a fact's confidence, age, confirmation and heat in one line.
func signals(f Fact) string {
	text := fmt.Sprintf("%s %.4g %dd", f.Category, f.Confidence, int(clock.Sub(f.Created).Hours()/24))
	if f.Confirmed != nil {
		text += fmt.Sprintf(" confirmed %dd", int(clock.Sub(*f.Confirmed).Hours()/24))
	}
	if f.Accessed != nil {
		text += fmt.Sprintf(" heat %g at %dd", f.Heat, int(clock.Sub(*f.Accessed).Hours()/24))
	}
	return text
}

func TestEveryScenarioGivesItsSignals(t *testing.T) {
	bank := make([]Record, 40)
	for i := range bank {
		bank[i] = Record{RowID: fmt.Sprint(i), Type: "chat"}
	}
	b := builder{config: testConfig(), bank: bank}
	for _, tt := range []struct {
		scenario    string
		rank        int
		support     string
		distractors string // confidence and signal of the nine
	}{
		{manifest.ConfirmationHelp, 4, "context 0.7 180d confirmed 7d", "0.94 0.92 0.9 0.68 0.66 0.64 0.62 0.6 0.58"},
		{manifest.AccessHelp, 1, "context 0.7 180d heat 8 at 0d", "0.68 0.66 0.64 0.62 0.6 0.58 0.56 0.54 0.52"},
		{manifest.AccessHelp, 10, "context 0.7 180d heat 8 at 0d", "0.94 0.92 0.9 0.88 0.86 0.84 0.82 0.8 0.78"},
		{manifest.ConfidenceControl, 3, "context 0.95 30d", "0.94 0.92 0.9 0.88 0.86 0.7c 0.7h 0.7c 0.7h"},
		{manifest.NoisySignalControl, 4, "context 0.9 180d", "0.7h 0.7c 0.7h 0.7 0.7 0.7 0.7 0.7 0.7"},
		{manifest.CorrectionReserve, 3, "correction 0.65 180d", "0.9 0.87 0.6 0.58 0.56 0.54 0.52 0.5 0.48"},
	} {
		t.Run(fmt.Sprintf("%s at rank %d", tt.scenario, tt.rank), func(t *testing.T) {
			c := Case{ID: "c", Scenario: tt.scenario, LossRank: tt.rank}
			if got := signals(b.support(c, "x")); got != tt.support {
				t.Errorf("support: %s, want %s", got, tt.support)
			}
			var got []string
			for i := range 9 {
				f := b.distractor(c, i)
				text := fmt.Sprintf("%.4g", f.Confidence)
				switch {
				case f.Confirmed != nil && f.Accessed == nil && clock.Sub(*f.Confirmed) == 7*24*time.Hour:
					text += "c"
				case f.Accessed != nil && f.Confirmed == nil && f.Heat == 8 && f.Accessed.Equal(clock):
					text += "h"
				case f.Accessed != nil || f.Confirmed != nil || f.Heat != 0:
					text += "?"
				}
				got = append(got, text)
			}
			if joined := strings.Join(got, " "); joined != tt.distractors {
				t.Errorf("distractors: %s, want %s", joined, tt.distractors)
			}
		})
	}
}

// The last bits matter: a confidence is one product and one difference, each rounded.
func TestConfidencesAreRoundedOperationByOperation(t *testing.T) {
	b := builder{config: testConfig(), bank: []Record{{}}}
	got := b.distractor(Case{Scenario: manifest.ConfidenceControl}, 4).Confidence
	if text := pytext.Float(got); text != "0.86" {
		t.Errorf("%s", text)
	}
	if text := pytext.Float(b.distractor(Case{Scenario: manifest.CorrectionReserve, LossRank: 10}, 7).Confidence); text != "0.6900000000000001" {
		t.Errorf("%s", text)
	}
}

func TestFiltersDropRows(t *testing.T) {
	rules := testOfficial().Selection
	for name, tt := range map[string]struct {
		row  map[string]any
		want Dropped
	}{
		"a plain row passes":                       {rowText("1-05", "one", "Answer", "About it"), ""},
		"a pilot":                                  {rowText("1-00", "one", "Answer", "About it"), DroppedPilot},
		"an abstention":                            {rowText("1-05_abs", "one", "Answer", "About it"), DroppedAbstention},
		"an answer too short once trimmed":         {rowText("1-05", "one", " A \n", "About it"), DroppedAnswer},
		"an answer at the bound, in code points":   {rowText("1-05", "one", "日日日日日日日日日日", "About it"), ""},
		"an answer too long":                       {rowText("1-05", "one", "日日日日日日日日日日日", "About it"), DroppedAnswer},
		"a part in other capitals":                 {rowText("1-05", "one", "yEs sir", "About it"), DroppedSubstring},
		"a part that only the trimmed space made":  {rowText("1-05", "one", "yes ", "About it"), ""},
		"evidence too long":                        {rowText("1-05", "one", "Answer", strings.Repeat("x", 60)), DroppedEvidence},
		"evidence at the bound, in code points":    {rowText("1-05", "one", "Answer", strings.Repeat("日", 60-len("SESSION s AT d\nUSER: "))), ""},
		"evidence of an empty turn is its heading": {rowText("1-05", "one", "Answer", ""), ""},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := dataset.Scan(pytext.Marshal([]any{tt.row}))
			if err != nil {
				t.Fatal(err)
			}
			if _, got, err := Filter(rules, rows[0]); err != nil || got != tt.want {
				t.Errorf("dropped as %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

func TestBuildRefusesADatasetOfAnotherStudy(t *testing.T) {
	var listed *ManifestError
	_, err := build(t, func(id string, row map[string]any) {
		if id == "2-03" {
			row["answer"] = "far too long an answer"
		}
	})
	if !errors.As(err, &listed) || *listed != (ManifestError{manifest.NoisySignalControl, 3, "2-03", "2-04"}) {
		t.Errorf("a filtered case: %v", err)
	}

	var shortage *ShortageError
	_, err = build(t, func(id string, row map[string]any) {
		if strings.HasPrefix(id, "1-0") {
			row["question_type"] = "else"
		}
	})
	if !errors.As(err, &shortage) || *shortage != (ShortageError{"one", 20, 14}) {
		t.Errorf("too few rows: %v", err)
	}

	var bank *BankError
	_, err = build(t, func(id string, row map[string]any) {
		if strings.HasPrefix(id, "bank-0") {
			row["question_type"] = "else"
		}
	})
	if !errors.As(err, &bank) || *bank != (BankError{banked, 5}) {
		t.Errorf("too small a bank: %v", err)
	}

	for _, id := range []string{"1-23", "2-00", "bank-00", "bank-14"} { // used or not
		var row *dataset.RowError
		_, err = build(t, func(other string, row map[string]any) {
			if other == id {
				delete(row, "haystack_dates")
			}
		})
		if !errors.As(err, &row) || row.ID != id || !strings.Contains(err.Error(), "haystack_dates is missing") {
			t.Errorf("a malformed row %s: %v", id, err)
		}
	}

	guards := testSynthetic()
	guards.Cases[1].CaseID = "2-07"
	if _, err := Build(testConfig(), testOfficial(), guards, testRows(t, nil)); !errors.Is(err, ErrCaseInBoth) || !strings.Contains(err.Error(), `"2-07"`) {
		t.Errorf("a case in both manifests: %v", err)
	}
}

func TestAMalformedRowDroppedByItsIDIsNotLookedAt(t *testing.T) {
	_, err := build(t, func(id string, row map[string]any) {
		if id == "1-00" { // a pilot
			delete(row, "haystack_dates")
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// SHA-256 of "ns:a" begins with the bytes below.
func TestOffsetIsTheHeadOfAHash(t *testing.T) {
	for _, size := range []int{1, 7, 40, 1 << 30} {
		if got, want := Offset("ns", "a", size), int(offsetHead%uint64(size)); got != want {
			t.Errorf("size %d: %d, want %d", size, got, want)
		}
	}
}

const offsetHead uint64 = 0xf2c25d34
