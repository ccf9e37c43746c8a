package manifest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"deermem-tui/protocol/jsonscan"
	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/strict"
	"deermem-tui/protocol/vectortest"
)

// official gives a manifest whose cases are a0 to a9, b0 to b9 and so on.
func official() string {
	scenarios := make(map[string]any)
	for i, name := range Scenarios() {
		ids := make([]string, casesPerScenario)
		for j := range ids {
			ids[j] = fmt.Sprintf("%c%d", 'a'+i, j)
		}
		scenarios[name] = ids
	}
	return string(pytext.Marshal(map[string]any{
		"schema_version": 1,
		"protocol_id":    "test-protocol",
		"selection": map[string]any{
			"eligible_question_types": []string{"one", "two"}, "excluded_pilot_ids": []string{"p", "p"}, "exclude_abstention_suffix": "_no",
			"answer_min_chars": 1, "answer_max_chars": 9, "answer_excluded_substrings": []string{}, "evidence_min_chars": 0, "evidence_max_chars": 99,
			"take_per_question_type": 20, "cases_per_type_per_scenario": 5,
		},
		"scenario_order": []string{AccessHelp, ConfirmationHelp, NoisySignalControl, ConfidenceControl},
		"loss_ranks":     []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		"scenarios":      scenarios,
	}))
}

func synthetic() string {
	cases := make([]any, syntheticCases)
	for i := range cases {
		cases[i] = map[string]any{"case_id": fmt.Sprintf("guard_%d", i), "support_fact": "f", "question": "q", "answer": "a", "loss_rank": i + 1}
	}
	return string(pytext.Marshal(map[string]any{"schema_version": 1, "protocol_id": "test-protocol", "scenario": CorrectionReserve, "cases": cases}))
}

func TestAWholeManifestIsRead(t *testing.T) {
	m, err := ParseOfficial([]byte(official()))
	if err != nil {
		t.Fatal(err)
	}
	if m.ProtocolID != "test-protocol" || m.ScenarioOrder[0] != AccessHelp || m.LossRanks[9] != 10 || m.Scenarios[AccessHelp][3] != "b3" ||
		m.Selection.AbstentionSuffix != "_no" || m.Selection.EvidenceMax != 99 || len(m.Selection.ExcludedPilotIDs) != 2 {
		t.Errorf("%+v", m)
	}
	s, err := ParseSynthetic([]byte(synthetic()))
	if err != nil {
		t.Fatal(err)
	}
	if s.Scenario != CorrectionReserve || len(s.Cases) != 5 || s.Cases[2] != (Guard{"guard_2", "f", "q", "a", 3}) {
		t.Errorf("%+v", s)
	}
}

type refusal struct{ old, new, says string }

func expectRefusals(t *testing.T, text string, parse func([]byte) error, refusals map[string]refusal) {
	t.Helper()
	for name, tt := range refusals {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(text, tt.old, tt.new, 1)
			if changed == text {
				t.Fatalf("%q is not in the manifest", tt.old)
			}
			if err := parse([]byte(changed)); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v\nwant %s", err, tt.says)
			}
		})
	}
}

func TestParseOfficialRefusesWhatBreaksARule(t *testing.T) {
	parse := func(data []byte) error { _, err := ParseOfficial(data); return err }
	expectRefusals(t, official(), parse, map[string]refusal{
		"nine cases":                         {`"a9"`, `"a9", "a10"`, "scenarios.confirmation_help: expected a list of 10 case IDs, found a list of 11"},
		"one case twice in a scenario":       {`"a9"`, `"a0"`, `scenarios.confirmation_help[9]: expected unique items, found "a0" (a string) a second time`},
		"one case in two scenarios":          {`"b0"`, `"a0"`, `scenarios.access_help: expected every case in one scenario only; "a0" stands in confirmation_help too`},
		"a case that would leave the folder": {`"a0"`, `"../a0"`, `expected case IDs that can name a file; "../a0" holds a character other than`},
		"a case named as the folder above":   {`"a0"`, `".."`, `".." would leave the run folder`},
		"a case that is a number":            {`"a0"`, `7`, "scenarios.confirmation_help[0]: expected a non-empty string, found 7 (an integer)"},
		"an unknown scenario":                {`"access_help": [`, `"other_help": [`, "scenarios.other_help: expected one of"},
		"an order that lacks a scenario":     {`["access_help", `, `[`, "scenario_order: expected a permutation"},
		"an order with one twice":            {`["access_help", `, `["confirmation_help", `, "scenario_order[1]: expected unique items"},
		"nine ranks":                         {"9, 10]", "9]", "loss_ranks: expected a list of 10 ranks, found a list of 9"},
		"rank zero":                          {"[1, 2,", "[0, 2,", "loss_ranks[0]: expected an integer from 1 to 10, found 0"},
		"rank eleven":                        {"9, 10]", "9, 11]", "loss_ranks[9]: expected an integer from 1 to 10, found 11"},
		"a rank of true":                     {"[1, 2,", "[true, 2,", "loss_ranks[0]: expected an integer from 1 to 10, found true"},
		"a rank that is a float":             {"[1, 2,", "[1.0, 2,", "loss_ranks[0]: expected an integer from 1 to 10, found 1.0 (a float)"},
		"a take that is not the cases":       {`type": 20`, `type": 21`, "selection.take_per_question_type: expected cases_per_type_per_scenario (5) times the 4 scenarios, found 21"},
		"types that do not fill a scenario":  {`["one", "two"]`, `["one"]`, "selection.cases_per_type_per_scenario: expected a number that fills 10 cases from 1 question types"},
		"answer bounds reversed":             {`answer_max_chars": 9`, `answer_max_chars": 0`, "selection.answer_max_chars: expected an integer of at least 1"},
		"evidence bounds reversed":           {`evidence_min_chars": 0`, `evidence_min_chars": 100`, "selection.evidence_max_chars: expected an integer of at least 100"},
		"an empty suffix":                    {`"_no"`, `""`, "selection.exclude_abstention_suffix: expected a non-empty string"},
		"an unknown key":                     {`"selection": {`, `"selection": {"limit": 1, `, "selection.limit: expected one of"},
		"a missing key":                      {`"schema_version": 1`, `"schema_version_": 1`, "schema_version_: expected one of"},
		"another schema":                     {`"schema_version": 1`, `"schema_version": 2`, "schema_version: expected the integer 1"},
		"an empty protocol ID":               {`"test-protocol"`, `""`, "protocol_id: expected a non-empty string"},
		"half of a surrogate pair":           {`"test-protocol"`, `"\ud800"`, "half of a surrogate pair"},
		"a byte order mark":                  {`{"loss`, "\ufeff{\"loss", "byte order mark"},
		"a cut text":                         {`}}`, ``, "not complete JSON"},
		"a list":                             {official(), "[]", "the document: expected a mapping"},
	})
}

func TestParseSyntheticRefusesWhatBreaksARule(t *testing.T) {
	parse := func(data []byte) error { _, err := ParseSynthetic(data); return err }
	expectRefusals(t, synthetic(), parse, map[string]refusal{
		"one case twice":            {"guard_4", "guard_0", `cases[4].case_id: expected unique case IDs, found "guard_0"`},
		"a case that leaves":        {"guard_4", "a/b", "cases[4].case_id: expected a case ID that can name a file"},
		"four cases":                {`"cases": [{"answer": "a", "case_id": "guard_0", "loss_rank": 1, "question": "q", "support_fact": "f"}, `, `"cases": [`, "cases: expected a list of 5 cases, found a list of 4"},
		"rank eleven":               {`"loss_rank": 5`, `"loss_rank": 11`, "cases[4].loss_rank: expected an integer from 1 to 10, found 11"},
		"an empty question":         {`"question": "q"`, `"question": ""`, "cases[0].question: expected a non-empty string"},
		"an unknown key of a case":  {`"question": "q"`, `"question": "q", "hint": ""`, "cases[0].hint: expected one of"},
		"another scenario":          {CorrectionReserve, AccessHelp, `scenario: expected "correction_reserve"`},
		"cases that are a mapping":  {synthetic(), `{"schema_version": 1, "protocol_id": "p", "scenario": "correction_reserve", "cases": {}}`, "cases: expected a list of mappings"},
		"a case that is no mapping": {`"cases": [`, `"cases": [null, `, "cases[0]: expected a mapping with case_id"},
	})
}

func TestCaseIDsThatCanNameAFile(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "A-1_b.c": true, ".hidden": true, "...": true, "": false, ".": false, "..": false, "a/b": false, `a\b`: false,
		"a b": false, "é": false, "a\x00": false, "a:b": false, "a\n": false,
	} {
		if got := CheckCaseID(id) == nil; got != want {
			t.Errorf("%q: %t, want %t", id, got, want)
		}
	}
}

func TestThePublishedManifestsAreRead(t *testing.T) {
	m, err := ParseOfficial(vectortest.Read(t, "upstream", "manifests", "longmemeval-pr4789-v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSynthetic(vectortest.Read(t, "upstream", "manifests", "synthetic-corrections-pr4789-v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	if m.ProtocolID != s.ProtocolID || len(m.Scenarios) != 4 || len(s.Cases) != 5 {
		t.Errorf("%+v %+v", m, s)
	}
}

// expectKnownError fails for an error of no kind that is documented.
func expectKnownError(t *testing.T, err error) {
	t.Helper()
	var refusal *strict.Error
	var syntax *jsonscan.SyntaxError
	if !errors.As(err, &refusal) && !errors.As(err, &syntax) && !errors.Is(err, pytext.ErrNotUTF8) && !errors.Is(err, jsonscan.ErrLoneSurrogate) {
		t.Errorf("an error of no kind: %v", err)
	}
}

func FuzzParseOfficial(f *testing.F) {
	f.Add([]byte(official()))
	f.Add([]byte(`{"scenarios": {"access_help": 1}, "selection": [], "loss_ranks": [1e999]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseOfficial(data)
		if err != nil {
			expectKnownError(t, err)
			return
		}
		seen := map[string]bool{}
		for _, name := range m.ScenarioOrder {
			for _, id := range m.Scenarios[name] {
				if seen[id] || CheckCaseID(id) != nil {
					t.Errorf("case %q is accepted", id)
				}
				seen[id] = true
			}
		}
		if len(seen) != 40 || len(m.LossRanks) != 10 || m.Selection.PerTypePerScenario*len(m.Selection.EligibleTypes) != 10 {
			t.Errorf("a rule is broken: %+v", m)
		}
	})
}

func FuzzParseSynthetic(f *testing.F) {
	f.Add([]byte(synthetic()))
	f.Add([]byte(`{"cases": [[], {}, null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseSynthetic(data)
		if err != nil {
			expectKnownError(t, err)
			return
		}
		for _, c := range m.Cases {
			if CheckCaseID(c.CaseID) != nil || c.LossRank < 1 || c.LossRank > 10 || c.Question == "" {
				t.Errorf("a rule is broken: %+v", c)
			}
		}
	})
}
