// Tests of what the reference's files do not show.

package report

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"deermem-tui/protocol/pytext"
)

func TestTimesAreWrittenInTheirTwoForms(t *testing.T) {
	east := time.FixedZone("", 2*3600)
	for _, tc := range []struct {
		name               string
		at                 time.Time
		timestamp, isoTime string
	}{
		{"a whole second", time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC), "2026-08-13T00:00:00.000000Z", "2026-08-13T00:00:00+00:00"},
		{"microseconds", time.Date(2026, 8, 13, 1, 2, 3, 45_000, time.UTC), "2026-08-13T01:02:03.000045Z", "2026-08-13T01:02:03.000045+00:00"},
		{"finer digits are cut off", time.Date(2026, 8, 13, 1, 2, 3, 999, time.UTC), "2026-08-13T01:02:03.000000Z", "2026-08-13T01:02:03+00:00"},
		{"another zone", time.Date(2026, 1, 1, 1, 0, 0, 0, east), "2025-12-31T23:00:00.000000Z", "2025-12-31T23:00:00+00:00"},
	} {
		if got := Timestamp(tc.at); got != tc.timestamp {
			t.Errorf("%s: Timestamp gives %s, want %s", tc.name, got, tc.timestamp)
		}
		if got := ISOTime(tc.at); got != tc.isoTime {
			t.Errorf("%s: ISOTime gives %s, want %s", tc.name, got, tc.isoTime)
		}
	}
}

func TestOutsideARepositoryTheGitStateIsNull(t *testing.T) {
	const want = "\"git\": {\n    \"dirty\": null,\n    \"head\": null\n  }"
	for name, doc := range map[string][]byte{"run.json": RunDoc{}.JSON(), "qa_run.json": QARunDoc{}.JSON()} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("%s:\n%s", name, doc)
		}
	}
}

// A row's append-style encoder and the general one must agree on any text.
func TestRowsOfHostileTextAreWrittenAsTheGeneralEncoderWritesThem(t *testing.T) {
	const hostile = "\"\\\n\t\x01\x7f<&>\u2028日本🙂"
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	graded := GradedRow{RowID: hostile, CaseID: hostile, Source: hostile, Scenario: hostile, QuestionType: hostile, Policy: hostile,
		KeptFactIDs: []string{hostile, ""}, Prediction: hostile, Rule: hostile, GraderVersion: hostile, RequestFingerprint: hostile,
		ResponseModel: nil, SupportRecall: 1e-7, Usage: map[string]*big.Int{"b": huge, hostile: big.NewInt(1)}}
	policy := PolicyRow{CaseID: hostile, Source: hostile, Scenario: hostile, QuestionType: hostile, Policy: hostile, SupportRecall: 1e16,
		Evicted: []EvictedFact{{FactID: hostile, Category: hostile, Components: Components{Signals: true}}},
		Scores:  []FactScore{{FactID: "b"}, {FactID: hostile}, {FactID: "a"}}}
	for name, line := range map[string][]byte{"graded": graded.AppendJSON(nil), "policy": policy.AppendJSON(nil), "empty graded": (&GradedRow{}).AppendJSON(nil), "empty policy": (&PolicyRow{}).AppendJSON(nil)} {
		value, err := pytext.Decode(line)
		if err != nil {
			t.Errorf("%s: %v in\n%s", name, err, line)
			continue
		}
		same(t, name, line, pytext.Marshal(value))
	}
}

func TestGroupsKeepTheOrderOfNumbersAndCountEveryRow(t *testing.T) {
	var rows []PolicyRow
	for _, capacity := range []int{10, 9} {
		for i := range 3 {
			rows = append(rows, PolicyRow{Source: "s", Scenario: "a", Policy: "p", Capacity: capacity, SupportRetained: i == 0, SupportRecall: float64(i) / 2})
		}
	}
	groups := PolicyGroups(rows)
	if len(groups) != 2 || groups[0].Capacity != 9 || groups[1].Capacity != 10 {
		t.Fatalf("groups %+v", groups)
	}
	if g := groups[0]; g.Cases != 3 || g.AllRetained != 1 || g.RetainedRate != 1.0/3 || g.MeanRecall != 0.5 {
		t.Errorf("group %+v", g)
	}
}

func TestASummaryOfNothingIsAnEmptyList(t *testing.T) {
	for name, doc := range map[string][]byte{"policy": PolicySummary("p", nil), "qa": QASummary("p", "g", 7, nil)} {
		if !strings.Contains(string(doc), `"groups": []`) {
			t.Errorf("%s:\n%s", name, doc)
		}
	}
}
