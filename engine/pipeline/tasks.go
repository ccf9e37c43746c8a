package pipeline

import (
	"fmt"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
	"deermem-tui/protocol/prompt"
)

// Task is one row to be: a case asked from what a policy kept of it.
type Task struct {
	rundir.Task
	Case    pools.Case
	Cell    casebook.Cell
	Request prompt.Request
}

// Tasks gives the rows of a QA run in the protocol's order, each with the
// exact request it sends.
func Tasks(s *study.Study) ([]Task, error) {
	model := prompt.Model{
		Name:        s.Config.QA.Model,
		Temperature: s.Config.QA.Temperature,
		MaxTokens:   s.Config.QA.MaxTokens,
		Stream:      s.Config.QA.Stream,
	}
	tasks := make([]Task, 0, len(s.Pools.Cases)*len(s.Policies))
	now := eviction.At(s.Config.EvaluationTime)
	for _, c := range s.Pools.Cases {
		facts := casebook.Facts(c)
		for _, policy := range s.Policies {
			result := eviction.Select(facts, policy, now, s.Config.Pool.QACapacity)
			shown := make([]prompt.Fact, len(result.Kept))
			for i, index := range result.Kept {
				shown[i] = prompt.Fact{ID: c.Facts[index].ID, Content: c.Facts[index].Content}
			}
			messages, err := s.Prompt.Render(shown, c.Question, c.QuestionDate)
			if err != nil {
				return nil, fmt.Errorf("case %s under %s: %w", c.ID, policy.Name, err)
			}
			cell := casebook.NewCell(c, result)
			request := prompt.NewRequest(model, messages)
			tasks = append(tasks, Task{
				Task: rundir.Task{
					RowID:       casebook.RowID(c.ID, policy.Name),
					CaseID:      c.ID,
					Source:      c.Source,
					Scenario:    c.Scenario,
					Policy:      policy.Name,
					Capacity:    s.Config.Pool.QACapacity,
					KeptFactIDs: cell.Kept,
					Fingerprint: request.Fingerprint,
				},
				Case:    c,
				Cell:    cell,
				Request: request,
			})
		}
	}
	return tasks, nil
}
