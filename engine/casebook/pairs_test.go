package casebook

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"deermem-tui/engine/eviction"
	"deermem-tui/engine/grading"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/vectortest"
)

// pairBook is a book of one case with two rows.
func pairBook(kept [2][]string, rows [2]Row) (*Book, *Entry) {
	b := &Book{QACapacity: 2, Policies: []eviction.Policy{eviction.Confidence(), eviction.HybridV1()}, Graded: true}
	e := Entry{Case: pools.Case{ID: "c", SupportIDs: []string{"gold"}}, Cells: map[CellKey]Cell{}, Rows: map[string]Row{}}
	for i, p := range b.Policies {
		e.Cells[CellKey{p.Name, 2}] = Cell{Kept: kept[i], SupportRetained: slices.Contains(kept[i], "gold")}
		rows[i].Graded = true
		e.Rows[p.Name] = rows[i]
	}
	b.Entries = []Entry{e}
	return b, &b.Entries[0]
}

func TestAKindIsTheFirstWhoseConditionHolds(t *testing.T) {
	with, without := []string{"gold", "d1"}, []string{"d1", "d2"}
	right := Row{Prediction: "the number 11 tram", Correct: true, Rule: "substring"}
	abstains := Row{Prediction: "INSUFFICIENT", Rule: string(grading.RuleInsufficient)}
	other := Row{Prediction: "She walks.", Rule: string(grading.RuleOverlapReject)}
	alike := Row{Prediction: "number 11", Rule: string(grading.RuleOverlapReject)}
	for _, c := range []struct {
		name string
		kept [2][]string
		rows [2]Row
		want Kind
	}{
		{"support lost on the wrong side alone is eviction", [2][]string{without, with}, [2]Row{abstains, right}, KindEviction},
		{"so it is the other way round", [2][]string{with, without}, [2]Row{right, other}, KindEviction},
		{"a wrong answer instead of an abstention changes nothing", [2][]string{without, with}, [2]Row{alike, right}, KindEviction},
		{"right without support is unsupported", [2][]string{without, without}, [2]Row{abstains, right}, KindUnsupported},
		{"even where the wrong side had it", [2][]string{with, without}, [2]Row{other, right}, KindUnsupported},
		{"an abstention in spite of the support", [2][]string{with, with}, [2]Row{right, abstains}, KindAbstention},
		{"answers that agree with each other", [2][]string{with, with}, [2]Row{right, alike}, KindGrader},
		{"answers that do not", [2][]string{with, with}, [2]Row{other, right}, KindWording},
		{"an answer without a token", [2][]string{with, with}, [2]Row{{Prediction: "…", Rule: string(grading.RuleEmptyPrediction)}, right}, KindWording},
		{"both right has no kind", [2][]string{with, with}, [2]Row{right, right}, KindNone},
		{"both wrong has none", [2][]string{without, with}, [2]Row{abstains, abstains}, KindNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, e := pairBook(c.kept, c.rows)
			a, ok := b.Analyse(e)
			if !ok || a.Kind != c.want {
				t.Errorf("kind %q, want %q", a.Kind, c.want)
			}
			if a.Kind != KindNone && (!a.Right().Row.Correct || a.Wrong().Row.Correct) {
				t.Error("the sides are confused")
			}
			if a.Kind.Means() == "" || a.Kind != KindNone && !slices.Contains(Kinds(), a.Kind) {
				t.Errorf("kind %q is not told", a.Kind)
			}
		})
	}
}

func TestTheDifferenceOfTheKeptSetsIsTold(t *testing.T) {
	b, e := pairBook([2][]string{{"d1", "d2", "d3"}, {"gold", "d2", "d1"}}, [2]Row{{Fingerprint: "a"}, {Fingerprint: "b"}})
	a, _ := b.Analyse(e)
	if !slices.Equal(a.OnlyFirst, []string{"d3"}) || !slices.Equal(a.OnlySecond, []string{"gold"}) || a.Shared != 2 || a.SameRequest {
		t.Errorf("%+v", a)
	}
	b, e = pairBook([2][]string{{"d1", "d2"}, {"d2", "d1"}}, [2]Row{{Fingerprint: "a"}, {Fingerprint: "a"}})
	if a, _ = b.Analyse(e); !a.SameRequest || a.OnlyFirst != nil || a.OnlySecond != nil {
		t.Errorf("%+v", a)
	}
	for _, print := range []string{"", "a"} {
		b, e = pairBook([2][]string{{"d1"}, {"d1"}}, [2]Row{{Fingerprint: print}})
		if a, _ = b.Analyse(e); a.SameRequest {
			t.Error("a row without a fingerprint is called the same request")
		}
	}
}

func TestWithoutTwoPoliciesOrRowsThereIsNoPair(t *testing.T) {
	b, e := pairBook([2][]string{{"gold"}, {"gold"}}, [2]Row{})
	delete(e.Rows, "hybrid-v1")
	a, ok := b.Analyse(e)
	if !ok || a.Outcome != PairPending || a.Kind != KindNone || a.Sides[1].Answered || !a.Sides[0].Answered {
		t.Errorf("%+v", a)
	}
	b.Policies = b.Policies[:1]
	if _, ok := b.Analyse(e); ok {
		t.Error("one policy makes a pair")
	}
}

func TestThePublishedRunHasThirteenIdenticalPairsAndOneAbstention(t *testing.T) {
	b := &Book{QACapacity: 7, Policies: []eviction.Policy{eviction.Confidence(), eviction.HybridV1()}}
	at := map[string]int{}
	var rows []Row
	for line := range bytes.Lines(vectortest.Read(t, "upstream/results/pr4789-reproduction-v1", "qa.rows.jsonl")) {
		var r struct {
			CaseID      string   `json:"case_id"`
			Policy      string   `json:"policy"`
			Kept        []string `json:"kept_fact_ids"`
			Retained    bool     `json:"support_all_retained"`
			Correct     bool     `json:"grade_correct"`
			Rule        string   `json:"grade_rule"`
			Prediction  string   `json:"prediction"`
			Fingerprint string   `json:"request_fingerprint"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		i, ok := at[r.CaseID]
		if !ok {
			i = len(b.Entries)
			at[r.CaseID] = i
			b.Entries = append(b.Entries, Entry{Case: pools.Case{ID: r.CaseID}, Cells: map[CellKey]Cell{}})
		}
		b.Entries[i].Cells[CellKey{r.Policy, 7}] = Cell{Kept: r.Kept, SupportRetained: r.Retained}
		rows = append(rows, Row{ID: RowID(r.CaseID, r.Policy), Prediction: r.Prediction, Graded: true, Correct: r.Correct, Rule: r.Rule, Fingerprint: r.Fingerprint})
	}
	b = b.WithRows(rows)
	kinds, same := map[Kind][]string{}, 0
	for i := range b.Entries {
		a, _ := b.Analyse(&b.Entries[i])
		kinds[a.Kind] = append(kinds[a.Kind], b.Entries[i].Case.ID)
		if a.SameRequest {
			same++
			if a.Outcome.Discordant() || a.OnlyFirst != nil {
				t.Errorf("%s: %+v", b.Entries[i].Case.ID, a)
			}
		}
	}
	if same != 13 {
		t.Errorf("%d pairs have identical requests", same)
	}
	if got := strings.Join(kinds[KindAbstention], " "); got != "1cea1afa" {
		t.Errorf("abstentions: %s", got)
	}
	if len(kinds[KindEviction]) != 17 || len(kinds[KindNone]) != 27 {
		t.Errorf("%v", kinds)
	}
}
