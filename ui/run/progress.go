// Package run is the screen that watches and steers a run. Progress is its
// memory: it turns the engine's events into the state of stages and rows, and
// is fed whether the screen is seen or not.
package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/casebook"
	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/widget"
)

// stageState tells where a stage stands.
type stageState int

const (
	stageTodo stageState = iota
	stageNow
	stageDone
	stageFailed
	stagePart    // some of it was done before
	stageUnknown // nobody can tell
)

// stage is one line of the upper pane.
type stage struct {
	name        pipeline.Stage
	about       string // what it does, for people
	state       stageState
	done, total int
	unit        string
	started     time.Time
	elapsed     time.Duration
	summary     string
}

// row is one line of the table.
type row struct {
	rowID, ofCase      string // as the engine names them
	id, caseID, policy string // cleaned
	state              pipeline.RowState
	attempt            int
	latency            time.Duration
	tokens             pipeline.Tokens
	problem            string
	outcome            outcome.State
	stored             bool          // an answer of it is on disk, also while it is called again
	worth              outcome.State // of that answer
	note               string        // why it is no plain one; cleaned
	until              time.Time     // when a wait ends; zero when it does not, or is not known
	since              time.Time     // when the state began
	story              []string      // what the row went through since this was opened
}

// Progress is what is known of the run.
type Progress struct {
	Running  bool
	Stopping bool // a cancel was asked for
	Paused   bool // a pause was asked for
	Now      time.Time
	stages   []stage
	rows     []row
	index    map[string]int
	counts   map[pipeline.RowState]int
	tokens   pipeline.Tokens   // of what is stored
	watching bool              // another process makes the run
	facts    pipeline.RunFacts // the latest; zero before any
	newest   int               // the row that changed last
	changed  bool              // a row changed since the table was drawn
	others   map[string]bool   // models that answered without being asked for, told already
}

var abouts = []struct {
	name  pipeline.Stage
	about string
}{
	{pipeline.StageValidate, "check every pinned file and hash"},
	{pipeline.StagePolicy, "score the facts and cut each pool"},
	{pipeline.StageQA, "ask each question from what was kept"},
	{pipeline.StageGrade, "grade the answers once all are there"},
}

// NewProgress is a run of which nothing is known.
func NewProgress() *Progress {
	p := &Progress{index: map[string]int{}, counts: map[pipeline.RowState]int{}, others: map[string]bool{}}
	for _, a := range abouts {
		p.stages = append(p.stages, stage{name: a.name, about: a.about})
	}
	return p
}

// Stages lists all stages in order.
func Stages() []pipeline.Stage {
	out := make([]pipeline.Stage, len(abouts))
	for i, a := range abouts {
		out[i] = a.name
	}
	return out
}

// Start begins a new run: stages are to do again, rows keep what they have.
func (p *Progress) Start(at time.Time) {
	p.Running, p.Stopping, p.Paused, p.Now = true, false, false, at
	p.facts = pipeline.RunFacts{}
	for i := range p.stages {
		p.stages[i] = stage{name: p.stages[i].name, about: p.stages[i].about}
	}
	p.settle(false, pipeline.RowFailed)
}

// settle ends the way of rows in these states, or of the stored ones among them
// alone: a row that is stored is that again, and no other is waited for.
func (p *Progress) settle(stored bool, states ...pipeline.RowState) {
	for i := range p.rows {
		r := &p.rows[i]
		switch {
		case !slices.Contains(states, r.state), stored && !r.stored:
		case r.stored:
			p.set(i, pipeline.RowReused)
			r.outcome, r.problem, r.until = r.worth, r.note, time.Time{}
		case r.state == pipeline.RowWaiting: // why it was given up stays
		default:
			p.set(i, pipeline.RowWaiting)
			r.attempt, r.problem = 0, ""
		}
	}
}

// End closes the run.
func (p *Progress) End(at time.Time) {
	p.Running, p.Stopping, p.Paused, p.Now = false, false, false, at
	p.facts.Held, p.facts.HasLeft = "", false
	for i := range p.stages {
		if p.stages[i].state == stageNow { // it never said that it finished
			p.stages[i].state = stageFailed
			p.stages[i].summary = "stopped"
			p.stages[i].elapsed = at.Sub(p.stages[i].started)
		}
	}
	p.rest()
}

// rest ends the way of every row once no call is made any more. One that failed
// says so, unless it has the answer that it had before.
func (p *Progress) rest() {
	p.settle(false, pipeline.RowCalling, pipeline.RowRetrying, pipeline.RowHeld, pipeline.RowWaiting)
	p.settle(true, pipeline.RowFailed)
}

// Load takes the rows a book has; rows a run has told of keep their state.
func (p *Progress) Load(book *casebook.Book) {
	for i := range book.Entries {
		e := &book.Entries[i]
		for _, policy := range book.Policies {
			id := casebook.RowID(e.Case.ID, policy.Name)
			at := p.row(id, e.Case.ID, policy.Name)
			stored, ok := e.Rows[policy.Name]
			if state := p.rows[at].state; !ok && !p.Running && state == pipeline.RowReused {
				p.tokens = p.tokens.Less(p.rows[at].tokens) // somebody took the row away
				p.rows[at].tokens, p.rows[at].attempt, p.rows[at].problem, p.rows[at].stored = pipeline.Tokens{}, 0, "", false
				p.set(at, pipeline.RowWaiting)
			}
			if !ok || p.rows[at].state != pipeline.RowWaiting {
				continue
			}
			p.set(at, pipeline.RowReused)
			p.rows[at].attempt = stored.Attempts
			p.rows[at].latency, p.rows[at].outcome = stored.Latency, stored.Outcome
			p.rows[at].keep(stored.Outcome, stored.Note)
			p.rows[at].problem = p.rows[at].note
			p.rows[at].tokens = pipeline.ReadTokens(stored.Usage, nil)
			p.tokens = p.tokens.Add(p.rows[at].tokens)
		}
	}
	if !p.Running {
		p.stand(book)
	}
}

// Apply takes one event and gives a line for the log, or none.
func (p *Progress) Apply(event pipeline.Event) string {
	switch e := event.(type) {
	case pipeline.StageStarted:
		if s := p.stage(e.Stage); s != nil {
			*s = stage{name: s.name, about: s.about, state: stageNow, total: e.Total, unit: widget.Clean(e.Unit), started: e.At}
			p.see(e.At)
			if p.watching && e.Stage == pipeline.StageQA { // of another start, nothing holds any more
				p.facts = pipeline.RunFacts{}
				p.settle(false, pipeline.RowFailed, pipeline.RowCalling, pipeline.RowRetrying, pipeline.RowHeld)
			}
			return line(e.At, string(e.Stage)+" started")
		}
	case pipeline.StageProgress:
		if s := p.stage(e.Stage); s != nil {
			s.done, s.total = e.Done, e.Total
		}
	case pipeline.StageFinished:
		return p.finish(e)
	case pipeline.CheckDone:
		if e.State != pipeline.CheckPassed {
			return line(p.Now, fmt.Sprintf("check %s: %s; expected %s, found %s", e.Name, e.State, e.Expected, e.Found))
		}
	case pipeline.RowChanged:
		return p.change(e)
	case pipeline.RunFacts:
		return p.sum(e)
	case pipeline.Note:
		p.see(e.At)
		return line(e.At, e.Text)
	}
	return ""
}

func (p *Progress) finish(e pipeline.StageFinished) string {
	s := p.stage(e.Stage)
	if s == nil {
		return ""
	}
	p.see(e.At)
	if p.watching {
		p.facts.Held, p.facts.HasLeft = "", false
		p.rest()
	}
	s.elapsed, s.summary = e.Elapsed, widget.Clean(e.Summary)
	if errors.Is(e.Err, context.Canceled) {
		s.state, s.summary = stageFailed, kept
		return line(e.At, string(e.Stage)+" stopped")
	}
	if e.Err != nil {
		s.state, s.summary = stageFailed, brief(e.Err)
		return line(e.At, string(e.Stage)+" is not done: "+s.summary)
	}
	s.state = stageDone
	return line(e.At, string(e.Stage)+" done in "+widget.Elapsed(e.Elapsed)+": "+e.Summary)
}

func (p *Progress) change(e pipeline.RowChanged) string {
	i := p.row(e.RowID, e.CaseID, e.Policy)
	r := &p.rows[i]
	p.set(i, e.State)
	p.see(e.At)
	r.since = e.At
	if text := told(e); text != "" {
		r.tell(e.At, text)
	}
	r.attempt, r.problem, r.until, r.outcome = e.Attempt, widget.Clean(e.Problem), e.Until, e.Outcome
	if e.Outcome.Doubtful() && e.State != pipeline.RowFailed {
		r.problem = widget.Clean(e.Note)
	}
	p.newest, p.changed = i, true
	r.stored = e.Again
	if e.State == pipeline.RowAnswered || e.State == pipeline.RowReused {
		r.latency = e.Latency
		r.keep(e.Outcome, e.Note)
		took := e.Tokens
		if took == (pipeline.Tokens{}) && e.Usage != nil {
			took = pipeline.ReadTokens(e.Usage, nil)
		}
		if took != (pipeline.Tokens{}) {
			p.tokens = p.tokens.Less(r.tokens).Add(took)
			r.tokens = took
		}
	}
	switch e.State {
	case pipeline.RowRetrying:
		return line(e.At, fmt.Sprintf("%s: attempt %d failed, again in %s: %s", e.RowID, e.Attempt, widget.Elapsed(e.Wait), e.Problem))
	case pipeline.RowAnswered:
		if e.Outcome.Doubtful() {
			return line(e.At, fmt.Sprintf("%s is stored, but %s: %s", e.RowID, e.Outcome, e.Note))
		}
		if e.OtherModel && !p.others[e.Model] { // it will answer more: once is enough
			p.others[e.Model] = true
			return line(e.At, fmt.Sprintf("another model than was asked for answers: %s, first %s", e.Model, e.RowID))
		}
	case pipeline.RowFailed:
		return line(e.At, e.RowID+" "+failure(e))
	case pipeline.RowWaiting:
		if e.Problem != "" {
			return line(e.At, e.RowID+": "+e.Problem)
		}
	}
	return ""
}

// sum takes the numbers of the run, and tells once why no call is begun.
func (p *Progress) sum(e pipeline.RunFacts) string {
	p.see(e.At)
	before := p.facts
	p.facts = e
	if st := p.stage(pipeline.StageQA); st != nil && st.state == stageNow {
		st.done, st.total = e.Done, e.Total // a journal tells no other count
	}
	switch {
	case e.Held == "" || e.Held == before.Held && e.Until.Equal(before.Until):
		return ""
	case e.Until.IsZero():
		return line(e.At, "no call is begun: "+e.Held)
	}
	return line(e.At, "no call is begun until "+clock(e.Until)+": "+e.Held)
}

func (p *Progress) stage(name pipeline.Stage) *stage {
	for i := range p.stages {
		if p.stages[i].name == name {
			return &p.stages[i]
		}
	}
	return nil
}

// row gives the index of a row, making it when it is new.
func (p *Progress) row(id, caseID, policy string) int {
	if i, ok := p.index[id]; ok {
		return i
	}
	p.index[id] = len(p.rows)
	p.rows = append(p.rows, row{rowID: id, ofCase: caseID, id: widget.Clean(id), caseID: widget.Clean(caseID), policy: widget.Clean(policy), state: pipeline.RowWaiting})
	p.counts[pipeline.RowWaiting]++
	return len(p.rows) - 1
}

func (p *Progress) set(i int, state pipeline.RowState) {
	p.counts[p.rows[i].state]--
	p.rows[i].state = state
	p.counts[state]++
}

func (p *Progress) see(at time.Time) {
	if at.After(p.Now) {
		p.Now = at
	}
}

func line(at time.Time, text string) string {
	if at.IsZero() {
		return widget.Clean(text)
	}
	return clock(at) + "  " + widget.Clean(text)
}

// keep notes what is stored of a row.
func (r *row) keep(worth outcome.State, note string) {
	r.stored, r.worth, r.note = true, worth, ""
	if worth.Doubtful() {
		r.note = widget.Clean(note)
	}
}
