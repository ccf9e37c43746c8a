// The rows that stand in the folder when a run begins: read, judged, reused.

package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// newQARun takes stock of the folder: which rows are there, what they cost,
// which are no plain answers, and which are to be called.
func newQARun(dir *rundir.Dir, s *study.Study, t Target, o QAOptions, e *emitter, tasks []Task, resumed bool) (*qaRun, error) {
	retry, accepted := o.Control.begin()
	r := &qaRun{
		task: t, dir: dir, options: o, emit: e, total: len(tasks), workers: s.Config.QA.Workers, model: s.Config.QA.Model, maxTokens: s.Config.QA.MaxTokens,
		states: map[string]outcome.State{}, stored: map[string]rundir.Row{}, counts: map[outcome.State]int{outcome.Missing: len(tasks)},
		retry: append(slices.Clone(o.Retry), retry...), began: t.now(), resting: map[string]context.CancelFunc{}, over: make(chan struct{}), journal: &journal{},
		flying: map[string]started{}, again: map[string]bool{},
	}
	for _, task := range tasks {
		r.guess += int64(len(task.Request.Payload)) / 4 / int64(len(tasks))
	}
	r.read(tasks)
	if err := r.judge(append(slices.Clone(o.Accept), accepted...)); err != nil {
		return nil, err
	}
	var err error
	if r.history, err = readHistory(dir, r.stored); err != nil {
		e.note(fmt.Sprintf("calls of earlier starts are counted by their rows alone: %v", err))
	} else if resumed {
		r.history.begun(1)
	}
	if r.history.least != "" {
		e.note("more calls may have been made, and paid for, than are told: " + r.history.least)
	}
	looks, err := Looks(dir)
	if err != nil {
		return nil, err
	}
	r.looks = len(looks)
	r.reuse(tasks)
	return r, nil
}

// read gets the stored rows that match, and tells of those that do not.
func (r *qaRun) read(tasks []Task) {
	for _, task := range tasks {
		row, err := r.dir.ReadRow(task.RowID)
		if err == nil {
			err = row.Matches(task.Task)
		}
		switch {
		case err == nil:
			r.stored[task.RowID] = row
		case !errors.Is(err, rundir.ErrNoRow):
			r.emit.note(fmt.Sprintf("%s is called again: %v", task.RowID, err))
		}
	}
	r.nameStrangers(tasks)
}

// nameStrangers tells of files among the rows that belong to no row of the
// study. They are left alone.
func (r *qaRun) nameStrangers(tasks []Task) {
	ours := map[string]bool{}
	for _, task := range tasks {
		ours[task.RowID] = true
	}
	rows, problems, err := r.dir.Rows()
	if err != nil {
		return // no folder of rows yet
	}
	for _, row := range rows {
		if !ours[row.RowID] {
			r.emit.note(fmt.Sprintf("%s is left alone: the study has no such row", rundir.RowFile(row.RowID)))
		}
	}
	for _, problem := range problems {
		if !ours[problem.RowID] {
			r.emit.note(fmt.Sprintf("left alone: %v", problem))
		}
	}
}

// judge finds the stored rows that are no plain answers, and accepts those in
// these states.
func (r *qaRun) judge(states []outcome.State) error {
	rows := make([]rundir.Row, 0, len(r.stored))
	for _, row := range r.stored {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b rundir.Row) int { return cmp.Compare(a.RowID, b.RowID) })
	found, err := doubts(r.dir, rows)
	if err != nil {
		return err
	}
	n, err := accept(r.dir, r.task, found, states)
	if err != nil {
		return fmt.Errorf("the decision could not be recorded: %w", err)
	}
	if n > 0 {
		r.emit.note(fmt.Sprintf("%d rows accepted as they are; recorded in %s", n, rundir.DecisionsFile))
	}
	r.doubts = map[string]Doubt{}
	for _, d := range found {
		r.doubts[d.RowID] = d
	}
	return nil
}

// reuse reports the rows that are stored and stay, and queues the others.
func (r *qaRun) reuse(tasks []Task) {
	// Rows that failed in an earlier start come last: whatever is wrong with them
	// must not keep the others from being asked.
	var late []Task
	for _, task := range tasks {
		row, there := r.stored[task.RowID]
		if there {
			r.spend(tokensOf(row))
			r.done++
			r.set(task.RowID, row.State())
		}
		if doubt, doubtful := r.doubts[task.RowID]; there && doubtful && slices.Contains(r.retry, doubt.State) {
			r.emit.note(fmt.Sprintf("%s is called again: it is %s", task.RowID, doubt.State))
			there, r.again[task.RowID] = false, true
		}
		if !there {
			r.row(task, RowWaiting, nil)
			if r.history.failed[task.RowID] {
				late = append(late, task)
			} else {
				r.pending = append(r.pending, task)
			}
			continue
		}
		r.result.Reused++
		r.row(task, RowReused, func(c *RowChanged) { describe(c, row, r.doubts[task.RowID].Note) })
	}
	r.pending = append(r.pending, late...)
	r.emit.emit(r.facts())
	r.emit.progress(r.done, r.total)
	if n := len(r.pending); n > 0 {
		var tokens int64
		for _, task := range r.pending {
			tokens += int64(len(task.Request.Payload)) / 4
		}
		r.emit.note(fmt.Sprintf("%s ahead, about %d tokens of requests and at most %d of answers; %s stored",
			plural(n, "call", "calls"), tokens, int64(n)*int64(r.maxTokens), plural(r.done, "row is", "rows are")))
	}
}

// describe tells a stored row.
func describe(c *RowChanged, row rundir.Row, note string) {
	c.Attempt, c.Usage, c.Tokens, c.Outcome, c.CreatedAt, c.Note = row.Attempts, row.Counts(), tokensOf(row), row.State(), row.CreatedAt, note
	if row.ResponseModel != nil {
		c.Model = *row.ResponseModel
	}
	if row.Extra != nil {
		c.Latency, c.OtherModel = row.Extra.Latency, row.Extra.OtherModel
	}
}
