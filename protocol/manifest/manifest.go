// Package manifest reads the two lists that pin a study's cases: the official
// manifest (which dataset rows, in which scenario, and the rules that chose
// them) and the synthetic manifest (the guard cases written by hand).
package manifest

import (
	"math"
	"slices"

	"deermem-tui/protocol/pytext"
	"deermem-tui/protocol/strict"
)

// The scenarios a pool can be built for.
const (
	ConfirmationHelp   = "confirmation_help"
	AccessHelp         = "access_help"
	ConfidenceControl  = "confidence_control"
	NoisySignalControl = "noisy_signal_control"
	CorrectionReserve  = "correction_reserve"
)

// Scenarios lists the four official scenarios.
func Scenarios() []string {
	return []string{ConfirmationHelp, AccessHelp, ConfidenceControl, NoisySignalControl}
}

// The shape that the protocol fixes.
const (
	casesPerScenario = 10
	syntheticCases   = 5
	maxLossRank      = 10
)

// Official is the manifest of dataset cases.
type Official struct {
	ProtocolID    string
	Selection     Selection
	ScenarioOrder []string
	LossRanks     []int               // ten, in 1..10
	Scenarios     map[string][]string // scenario to ten case IDs, in the manifest's order
}

// Selection holds the rules by which the official cases were chosen. Lengths
// are in code points, both bounds included.
type Selection struct {
	EligibleTypes      []string
	ExcludedPilotIDs   []string
	AbstentionSuffix   string
	AnswerMin          int
	AnswerMax          int
	ExcludedSubstrings []string
	EvidenceMin        int
	EvidenceMax        int
	TakePerType        int
	PerTypePerScenario int
}

// Synthetic is the manifest of guard cases.
type Synthetic struct {
	ProtocolID string
	Scenario   string // CorrectionReserve
	Cases      []Guard
}

// Guard is one synthetic case: a user's correction that must survive.
type Guard struct {
	CaseID      string
	SupportFact string
	Question    string
	Answer      string
	LossRank    int // 1..10
}

// ParseOfficial reads the official manifest. Errors are those of pytext.Decode
// and *strict.Error.
func ParseOfficial(data []byte) (*Official, error) {
	v, err := pytext.Decode(data)
	if err != nil {
		return nil, err
	}
	r := &strict.Reader{}
	root := r.Object(v, "", "schema_version", "protocol_id", "selection", "scenario_order", "loss_ranks", "scenarios")
	root.Int("schema_version", 1, 1)
	m := &Official{
		ProtocolID:    root.Text("protocol_id"),
		Selection:     parseSelection(root),
		ScenarioOrder: root.Texts("scenario_order"),
		LossRanks:     root.Ints("loss_ranks", 1, maxLossRank, false),
		Scenarios:     map[string][]string{},
	}
	if len(m.LossRanks) != casesPerScenario {
		root.Fail("loss_ranks", "a list of %d ranks", casesPerScenario)
	}
	names := Scenarios()
	scenarios := root.Object("scenarios", names...)
	owner := map[string]string{}
	for _, name := range names {
		ids := scenarios.Texts(name)
		if len(ids) != casesPerScenario {
			scenarios.Fail(name, "a list of %d case IDs", casesPerScenario)
		}
		for _, id := range ids {
			if err := CheckCaseID(id); err != nil {
				scenarios.Fail(name, "case IDs that can name a file; %v", err)
			}
			if first, ok := owner[id]; ok {
				scenarios.Fail(name, "every case in one scenario only; %q stands in %s too", id, first)
			}
			owner[id] = name
		}
		m.Scenarios[name] = ids
	}
	if order := slices.Sorted(slices.Values(m.ScenarioOrder)); !slices.Equal(order, slices.Sorted(slices.Values(names))) {
		root.Fail("scenario_order", "a permutation of the scenarios %v", names)
	}
	s := m.Selection
	if r.Err == nil && int64(s.PerTypePerScenario)*int64(len(names)) != int64(s.TakePerType) {
		root.Object("selection", selectionKeys...).Fail("take_per_question_type",
			"cases_per_type_per_scenario (%d) times the %d scenarios", s.PerTypePerScenario, len(names))
	}
	if r.Err == nil && int64(s.PerTypePerScenario)*int64(len(s.EligibleTypes)) != casesPerScenario {
		root.Object("selection", selectionKeys...).Fail("cases_per_type_per_scenario",
			"a number that fills %d cases from %d question types", casesPerScenario, len(s.EligibleTypes))
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return m, nil
}

var selectionKeys = []string{"eligible_question_types", "excluded_pilot_ids", "exclude_abstention_suffix",
	"answer_min_chars", "answer_max_chars", "answer_excluded_substrings", "evidence_min_chars",
	"evidence_max_chars", "take_per_question_type", "cases_per_type_per_scenario"}

func parseSelection(root strict.Object) Selection {
	o := root.Object("selection", selectionKeys...)
	s := Selection{
		EligibleTypes:      o.Texts("eligible_question_types"),
		ExcludedPilotIDs:   o.AnyTexts("excluded_pilot_ids"),
		AbstentionSuffix:   o.Text("exclude_abstention_suffix"),
		AnswerMin:          o.Int("answer_min_chars", 0, math.MaxInt),
		ExcludedSubstrings: o.AnyTexts("answer_excluded_substrings"),
		EvidenceMin:        o.Int("evidence_min_chars", 0, math.MaxInt),
		TakePerType:        o.Int("take_per_question_type", 1, math.MaxInt32),
		PerTypePerScenario: o.Int("cases_per_type_per_scenario", 1, math.MaxInt32),
	}
	s.AnswerMax = o.Int("answer_max_chars", s.AnswerMin, math.MaxInt)
	s.EvidenceMax = o.Int("evidence_max_chars", s.EvidenceMin, math.MaxInt)
	return s
}

// ParseSynthetic reads the synthetic manifest. Errors as ParseOfficial's.
func ParseSynthetic(data []byte) (*Synthetic, error) {
	v, err := pytext.Decode(data)
	if err != nil {
		return nil, err
	}
	r := &strict.Reader{}
	root := r.Object(v, "", "schema_version", "protocol_id", "scenario", "cases")
	root.Int("schema_version", 1, 1)
	m := &Synthetic{ProtocolID: root.Text("protocol_id"), Scenario: root.Equal("scenario", CorrectionReserve)}
	cases := root.Objects("cases", "case_id", "support_fact", "question", "answer", "loss_rank")
	if len(cases) != syntheticCases {
		root.Fail("cases", "a list of %d cases", syntheticCases)
	}
	seen := map[string]bool{}
	for _, o := range cases {
		g := Guard{
			CaseID:      o.Text("case_id"),
			SupportFact: o.Text("support_fact"),
			Question:    o.Text("question"),
			Answer:      o.Text("answer"),
			LossRank:    o.Int("loss_rank", 1, maxLossRank),
		}
		if err := CheckCaseID(g.CaseID); err != nil {
			o.Fail("case_id", "a case ID that can name a file; %v", err)
		}
		if seen[g.CaseID] {
			o.Fail("case_id", "unique case IDs")
		}
		seen[g.CaseID] = true
		m.Cases = append(m.Cases, g)
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return m, nil
}
