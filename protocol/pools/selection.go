// This file recomputes which rows the official cases are.

package pools

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/manifest"
	"deermem-tui/protocol/pytext"
)

// Candidate is a dataset row that passed every filter of the selection.
type Candidate struct {
	Row      dataset.Row
	Answer   string
	Evidence string
}

// ShortageError is a question type with too few rows that pass the filters.
type ShortageError struct {
	Type          string
	Needed, Found int
}

func (e *ShortageError) Error() string {
	return fmt.Sprintf("selection.take_per_question_type: %d rows of type %q are needed, %d pass the filters", e.Needed, e.Type, e.Found)
}

// ManifestError is a manifest that lists another case than the rules select.
type ManifestError struct {
	Scenario        string
	Index           int // 0-based place in the scenario
	Listed, Derived string
}

func (e *ManifestError) Error() string {
	return fmt.Sprintf("scenarios.%s[%d]: the manifest lists %q, the selection rules give %q; the manifest and the dataset are not of one study", e.Scenario, e.Index, e.Listed, e.Derived)
}

// Select applies the selection rules to the dataset and gives the chosen rows
// by ID. The error is a *ManifestError where they differ from what the manifest
// lists, in order, a *ShortageError or a *dataset.RowError.
func Select(m *manifest.Official, rows []dataset.Row) (map[string]Candidate, error) {
	byType := make([][]Candidate, len(m.Selection.EligibleTypes))
	for i, kind := range m.Selection.EligibleTypes {
		var err error
		if byType[i], err = selectType(m.Selection, kind, rows); err != nil {
			return nil, err
		}
	}
	chosen := make(map[string]Candidate)
	take := m.Selection.PerTypePerScenario
	for s, scenario := range m.ScenarioOrder {
		var derived []Candidate
		for _, candidates := range byType {
			derived = append(derived, candidates[take*s:take*(s+1)]...)
		}
		for i, c := range derived {
			if listed := m.Scenarios[scenario][i]; listed != c.Row.ID {
				return nil, &ManifestError{Scenario: scenario, Index: i, Listed: listed, Derived: c.Row.ID}
			}
			chosen[c.Row.ID] = c
		}
	}
	return chosen, nil
}

// selectType gives the first TakePerType rows of a type that pass every filter.
// The rows behind them are not read, but a malformed one is refused as the
// reference refuses it.
func selectType(rules manifest.Selection, kind string, rows []dataset.Row) ([]Candidate, error) {
	var taken []Candidate
	for _, row := range dataset.ByID(rows, kind) {
		if len(taken) == rules.TakePerType {
			if droppedByID(rules, row) != "" {
				continue
			}
			if err := row.Check(); err != nil {
				return nil, err
			}
			continue
		}
		c, dropped, err := Filter(rules, row)
		if err != nil {
			return nil, err
		}
		if dropped == "" {
			taken = append(taken, c)
		}
	}
	if len(taken) < rules.TakePerType {
		return nil, &ShortageError{Type: kind, Needed: rules.TakePerType, Found: len(taken)}
	}
	return taken, nil
}

// Dropped names the filter that dropped a row; empty when it passed them all.
type Dropped string

// The filters, in the order they are tried.
const (
	DroppedPilot      Dropped = "excluded pilot ID"
	DroppedAbstention Dropped = "abstention suffix"
	DroppedAnswer     Dropped = "answer length"
	DroppedSubstring  Dropped = "excluded substring in the answer"
	DroppedEvidence   Dropped = "evidence length"
)

// droppedByID names the filter that drops a row by its ID.
func droppedByID(rules manifest.Selection, row dataset.Row) Dropped {
	switch {
	case slices.Contains(rules.ExcludedPilotIDs, row.ID):
		return DroppedPilot
	case strings.HasSuffix(row.ID, rules.AbstentionSuffix):
		return DroppedAbstention
	}
	return ""
}

// Filter tries a row of an eligible type against the selection's filters. The
// error is a *dataset.RowError: the row passed the filters by ID and is malformed.
func Filter(rules manifest.Selection, row dataset.Row) (Candidate, Dropped, error) {
	if dropped := droppedByID(rules, row); dropped != "" {
		return Candidate{}, dropped, nil
	}
	if err := row.Check(); err != nil {
		return Candidate{}, "", err
	}
	answer, err := row.Answer()
	if err != nil {
		return Candidate{}, "", err
	}
	stripped := pytext.Strip(answer)
	if n := utf8.RuneCountInString(stripped); n < rules.AnswerMin || n > rules.AnswerMax {
		return Candidate{}, DroppedAnswer, nil
	}
	lowered := pytext.Lower(stripped)
	for _, part := range rules.ExcludedSubstrings {
		if strings.Contains(lowered, pytext.Lower(part)) {
			return Candidate{}, DroppedSubstring, nil
		}
	}
	text, err := row.Evidence()
	if err != nil {
		return Candidate{}, "", err
	}
	if n := utf8.RuneCountInString(text); n < rules.EvidenceMin || n > rules.EvidenceMax {
		return Candidate{}, DroppedEvidence, nil
	}
	return Candidate{Row: row, Answer: answer, Evidence: text}, "", nil
}
