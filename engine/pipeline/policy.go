package pipeline

import (
	"context"
	"fmt"
	"time"

	"deermem-tui/engine/casebook"
	"deermem-tui/engine/eviction"
	"deermem-tui/engine/gitstate"
	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
	"deermem-tui/protocol/pools"
)

// Target is a run folder and what a stage that writes there needs to know.
type Target struct {
	Dir      string
	Existing Existing
	Git      func(context.Context) *gitstate.State // nil: no repository
	Now      func() time.Time                      // nil: time.Now
	Writer   rundir.Writer                         // who holds the folder meanwhile
}

func (t Target) now() time.Time {
	if t.Now == nil {
		return time.Now()
	}
	return t.Now()
}

func (t Target) git(ctx context.Context) *gitstate.State {
	if t.Git == nil {
		return nil
	}
	return t.Git(ctx)
}

// lock makes the folder where it is missing and takes the right to write it.
func (t Target) lock(stage Stage) (*rundir.Dir, *rundir.Lock, error) {
	dir, err := rundir.Create(t.Dir)
	if err != nil {
		return nil, nil, err
	}
	who := t.Writer
	who.Command, who.Started = string(stage), t.now()
	lock, err := dir.Lock(who)
	return dir, lock, err
}

// PolicyResult is what run-policy did.
type PolicyResult struct {
	Rows   int
	Cases  int
	Dir    string
	Groups []report.PolicyGroup
}

// Line is the line that ends run-policy.
func (r PolicyResult) Line() string { return report.PolicyLine(r.Rows, r.Cases, r.Dir) }

// RunPolicy applies both policies to every pool at every capacity and writes
// the three results of run-policy.
func RunPolicy(ctx context.Context, s *study.Study, t Target, sink Sink) (PolicyResult, error) {
	e := begin(StagePolicy, sink, t.Now, len(s.Pools.Cases), "cases")
	result, err := runPolicy(ctx, s, t, e)
	if err != nil {
		return PolicyResult{}, e.finish("", err)
	}
	return result, e.finish(result.Line(), nil)
}

func runPolicy(ctx context.Context, s *study.Study, t Target, e *emitter) (result PolicyResult, err error) {
	dir, lock, err := t.lock(StagePolicy)
	if err != nil {
		return result, err
	}
	defer unlock(lock, &err)
	if err := refuseComplete(dir, t.Existing, report.PolicyFiles()); err != nil {
		return result, err
	}
	if err := dir.CheckProtocol(s.Identity); err != nil {
		return result, err
	}
	rows, err := PolicyRows(ctx, s, e.progress)
	if err != nil {
		return result, err
	}
	result = PolicyResult{Rows: len(rows), Cases: len(s.Pools.Cases), Dir: t.Dir, Groups: report.PolicyGroups(rows)}
	return result, writeResults(dir, t.Existing, []artifact{
		{report.RunFile, runDoc(s, t.now(), t.git(ctx)).JSON()},
		{report.PolicyRowsFile, report.PolicyRows(rows)},
		{report.PolicySummaryFile, report.PolicySummary(s.Config.ProtocolID, rows)},
	})
}

// PolicyRows gives what both policies do with every pool at every capacity, in
// the order of policy.raw.jsonl; progress is told of every case. It fails with
// the context's error alone.
func PolicyRows(ctx context.Context, s *study.Study, progress func(done, total int)) ([]report.PolicyRow, error) {
	rows := make([]report.PolicyRow, 0, len(s.Pools.Cases)*len(s.Config.Pool.Capacities)*len(s.Policies))
	now := eviction.At(s.Config.EvaluationTime)
	for i, c := range s.Pools.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		facts := casebook.Facts(c)
		for _, capacity := range s.Config.Pool.Capacities {
			for _, policy := range s.Policies {
				rows = append(rows, policyRow(c, facts, policy, capacity, eviction.Select(facts, policy, now, capacity)))
			}
		}
		progress(i+1, len(s.Pools.Cases))
	}
	return rows, nil
}

// unlock lets the folder go and reports a failure to do so if nothing else failed.
func unlock(lock *rundir.Lock, err *error) {
	if failed := lock.Unlock(); failed != nil && *err == nil {
		*err = fmt.Errorf("the run folder could not be let go: %w", failed)
	}
}

func policyRow(c pools.Case, facts []eviction.Fact, policy eviction.Policy, capacity int, result eviction.Result) report.PolicyRow {
	cell := casebook.NewCell(c, result)
	row := report.PolicyRow{
		CaseID:          c.ID,
		Source:          c.Source,
		Scenario:        c.Scenario,
		QuestionType:    c.QuestionType,
		Policy:          policy.Name,
		Capacity:        capacity,
		KeptFactIDs:     cell.Kept,
		Evicted:         make([]report.EvictedFact, 0, len(result.Evicted)),
		Scores:          make([]report.FactScore, 0, len(c.Facts)),
		ReservedSlots:   cell.ReservedSlots,
		SupportFactIDs:  c.SupportIDs,
		SupportRetained: cell.SupportRetained,
		SupportRecall:   cell.SupportRecall,
	}
	for _, index := range result.Evicted {
		row.Evicted = append(row.Evicted, report.EvictedFact{
			FactID:     c.Facts[index].ID,
			Category:   facts[index].CategoryName(),
			Score:      result.Scores[index].Value,
			Components: components(policy, result.Scores[index]),
		})
	}
	for index, score := range result.Scores {
		row.Scores = append(row.Scores, report.FactScore{
			FactID:     c.Facts[index].ID,
			Value:      score.Value,
			Components: components(policy, score),
		})
	}
	return row
}

func components(policy eviction.Policy, s eviction.Score) report.Components {
	return report.Components{Confidence: s.Confidence, Freshness: s.Freshness, Heat: s.Heat, Signals: policy.Hybrid()}
}
