// This file makes the facts of every case by the table of the protocol.

package pools

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"deermem-tui/protocol/config"
	"deermem-tui/protocol/dataset"
	"deermem-tui/protocol/manifest"
)

// SyntheticType is the question type of the guard cases.
const SyntheticType = "synthetic-correction"

// The numbers of the protocol's pools: ages in days, measured back from the
// evaluation time, and the raw heat of a fact that was used a lot.
const (
	oldDays       = 180
	freshDays     = 30
	confirmedDays = 7
	hotHeat       = 8
)

// preferenceType is the distractor type whose facts are preferences.
const preferenceType = "single-session-preference"

// The categories of the facts.
const (
	categoryContext    = "context"
	categoryPreference = "preference"
	categoryCorrection = "correction"
)

// Pools is every case of a study with its pool, and the bank they drew from.
type Pools struct {
	Cases []Case // in the order of the protocol
	Bank  []Record
}

// ErrCaseInBoth is a synthetic case that has the ID of an official one.
var ErrCaseInBoth = errors.New("the case ID stands in the official manifest too; rename the synthetic case")

// Build makes the pools of a study from checked inputs. It fails as Select and
// NewBank do, and with ErrCaseInBoth.
func Build(c *config.Config, official *manifest.Official, synthetic *manifest.Synthetic, rows []dataset.Row) (*Pools, error) {
	// The cases and the distractors are of different rows, and checking those
	// takes longer than all that follows: each half has a core of its own.
	var (
		wait    sync.WaitGroup
		bank    []Record
		bankErr error
	)
	wait.Go(func() { bank, bankErr = NewBank(c.Pool, rows) })
	selected, err := Select(official, rows)
	wait.Wait()
	if err = cmp.Or(err, bankErr); err != nil {
		return nil, err
	}
	b := builder{config: c, bank: bank}
	p := &Pools{Bank: bank}
	for _, scenario := range official.ScenarioOrder {
		candidates := make([]Candidate, 0, len(official.LossRanks))
		for _, id := range official.Scenarios[scenario] {
			candidates = append(candidates, selected[id])
		}
		slices.SortFunc(candidates, func(a, b Candidate) int {
			if d := strings.Compare(a.Row.Type, b.Row.Type); d != 0 {
				return d
			}
			return strings.Compare(a.Row.ID, b.Row.ID)
		})
		for i, candidate := range candidates {
			one, err := b.official(scenario, candidate, official.LossRanks[i])
			if err != nil {
				return nil, err
			}
			p.Cases = append(p.Cases, one)
		}
	}
	for _, guard := range synthetic.Cases {
		if _, ok := selected[guard.CaseID]; ok {
			return nil, fmt.Errorf("synthetic case %q: %w", guard.CaseID, ErrCaseInBoth)
		}
		p.Cases = append(p.Cases, b.synthetic(synthetic.Scenario, guard))
	}
	return p, nil
}

type builder struct {
	config *config.Config
	bank   []Record
}

func (b builder) official(scenario string, candidate Candidate, lossRank int) (Case, error) {
	question, err := candidate.Row.Question()
	if err != nil {
		return Case{}, err
	}
	date, err := candidate.Row.Date()
	if err != nil {
		return Case{}, err
	}
	c := Case{
		ID:           candidate.Row.ID,
		Scenario:     scenario,
		Source:       Official,
		QuestionType: candidate.Row.Type,
		LossRank:     lossRank,
		Question:     question,
		QuestionDate: date,
		Answer:       candidate.Answer,
	}
	support := b.support(c, candidate.Evidence)
	support.RowID = candidate.Row.ID
	return b.fill(c, support), nil
}

func (b builder) synthetic(scenario string, guard manifest.Guard) Case {
	c := Case{
		ID:           guard.CaseID,
		Scenario:     scenario,
		Source:       Synthetic,
		QuestionType: SyntheticType,
		LossRank:     guard.LossRank,
		Question:     guard.Question,
		Answer:       guard.Answer,
	}
	return b.fill(c, b.support(c, guard.SupportFact))
}

// fill gives c its facts: the support and the distractors of its window.
func (b builder) fill(c Case, support Fact) Case {
	c.BankOffset = Offset(b.config.Pool.OffsetNamespace, c.ID, len(b.bank))
	c.Facts = append(c.Facts, support)
	for i := range b.config.Pool.Distractors {
		c.Facts = append(c.Facts, b.distractor(c, i))
	}
	slices.SortFunc(c.Facts, func(a, b Fact) int { return strings.Compare(a.ID, b.ID) })
	c.SupportIDs = []string{support.ID}
	return c
}

func (b builder) ago(days int) time.Time { return b.config.EvaluationTime.AddDate(0, 0, -days) }

func (b builder) confirm(f *Fact) {
	at := b.ago(confirmedDays)
	f.Confirmed = &at
}

func (b builder) heat(f *Fact) {
	at := b.config.EvaluationTime
	f.Heat, f.Accessed = hotHeat, &at
}

// support makes the fact that holds the answer.
func (b builder) support(c Case, content string) Fact {
	f := Fact{ID: "gold_" + c.ID, Content: content, Category: categoryContext, Created: b.ago(oldDays), Support: true}
	switch c.Scenario {
	case manifest.ConfirmationHelp:
		f.Confidence = 0.70
		b.confirm(&f)
	case manifest.AccessHelp:
		f.Confidence = 0.70
		b.heat(&f)
	case manifest.ConfidenceControl:
		f.Confidence, f.Created = 0.95, b.ago(freshDays)
	case manifest.NoisySignalControl:
		f.Confidence = 0.90
	case manifest.CorrectionReserve:
		f.Confidence, f.Category = 0.65, categoryCorrection
	}
	return f
}

// distractor makes the i-th fact that only takes room.
func (b builder) distractor(c Case, i int) Fact {
	record := b.bank[(c.BankOffset+i)%len(b.bank)]
	f := Fact{
		ID:       fmt.Sprintf("d_%s_%d_%s", c.ID, i, record.RowID),
		Content:  record.Evidence,
		Category: categoryContext,
		Created:  b.ago(oldDays),
		RowID:    record.RowID,
	}
	if record.Type == preferenceType {
		f.Category = categoryPreference
	}
	out := c.LossRank - 1 // distractors that outrank the support by confidence
	step := func(start, each float64, n int) float64 { return start - float64(each*float64(n)) }
	switch c.Scenario {
	case manifest.ConfirmationHelp, manifest.AccessHelp:
		if i < out {
			f.Confidence = step(0.94, 0.02, i)
		} else {
			f.Confidence = step(0.68, 0.02, i-out)
		}
	case manifest.ConfidenceControl:
		if i < 5 {
			f.Confidence = step(0.94, 0.02, i)
		} else {
			f.Confidence = 0.70
			b.signal(&f, i)
		}
	case manifest.NoisySignalControl:
		f.Confidence = 0.70
		if i < out {
			b.signal(&f, i)
		}
	case manifest.CorrectionReserve:
		if i < out {
			f.Confidence = step(0.90, 0.03, i)
		} else {
			f.Confidence = step(0.60, 0.02, i-out)
		}
	}
	return f
}

// signal gives odd distractors a confirmation and even ones heat.
func (b builder) signal(f *Fact, i int) {
	if i%2 == 1 {
		b.confirm(f)
	} else {
		b.heat(f)
	}
}
