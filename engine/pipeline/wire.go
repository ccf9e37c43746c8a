// Events as JSON objects: the lines of --progress json and of a run's journal,
// which another process reads back to watch the run.

package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"time"

	"deermem-tui/engine/answer/outcome"
)

// EventDoc gives an event as a JSON object; `event` names its kind. Parts that
// say nothing are left out.
func EventDoc(event Event) map[string]any {
	switch e := event.(type) {
	case StageStarted:
		doc := map[string]any{"event": "stage_started", "stage": e.Stage, "at": stamp(e.At), "total": e.Total, "unit": e.Unit}
		if e.Host != "" {
			doc["host"] = e.Host
		}
		return doc
	case StageProgress:
		return map[string]any{"event": "stage_progress", "stage": e.Stage, "done": e.Done, "total": e.Total}
	case StageFinished:
		doc := map[string]any{"event": "stage_finished", "stage": e.Stage, "at": stamp(e.At), "seconds": e.Elapsed.Seconds(), "ok": e.Err == nil}
		if e.Err != nil {
			doc["error"] = e.Err.Error()
		} else {
			doc["summary"] = e.Summary
		}
		return doc
	case CheckDone:
		return map[string]any{"event": "check", "check": e.Name, "state": e.State, "expected": e.Expected, "found": e.Found}
	case RowChanged, RunFacts:
		return document(event)
	case CallSent:
		return map[string]any{"event": "call", "row_id": e.RowID, "attempt": e.Attempt, "at": stamp(e.At)}
	case Note:
		return map[string]any{"event": "note", "stage": e.Stage, "at": stamp(e.At), "text": e.Text}
	}
	return map[string]any{"event": "unknown"}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// wireRow and wireFacts are the shapes of a row's and the facts' lines.
type wireRow struct {
	RowID    string           `json:"row_id"`
	CaseID   string           `json:"case_id"`
	Policy   string           `json:"policy"`
	State    RowState         `json:"state"`
	At       time.Time        `json:"at"`
	Attempt  int              `json:"attempt,omitempty"`
	Wait     float64          `json:"wait_seconds,omitempty"`
	Until    *time.Time       `json:"until,omitempty"`
	Latency  float64          `json:"latency_seconds,omitempty"`
	Model    string           `json:"model,omitempty"`
	Usage    map[string]int64 `json:"usage,omitempty"`
	In       int64            `json:"tokens_in,omitempty"`
	Out      int64            `json:"tokens_out,omitempty"`
	Tokens   int64            `json:"tokens,omitempty"`
	Problem  string           `json:"problem,omitempty"`
	Outcome  outcome.State    `json:"outcome,omitempty"`
	Note     string           `json:"note,omitempty"`
	CutOff   bool             `json:"cut_off,omitempty"`
	Other    bool             `json:"other_model,omitempty"`
	Created  string           `json:"created_at,omitempty"`
	Untold   int              `json:"replies_without_usage,omitempty"`
	Unpriced int              `json:"replies_without_parts,omitempty"`
	Again    bool             `json:"stored_before,omitempty"`
}

type wireFacts struct {
	At        time.Time             `json:"at"`
	Total     int                   `json:"total"`
	Done      int                   `json:"done"`
	Rows      map[outcome.State]int `json:"rows"`
	Reused    int                   `json:"reused"`
	Called    int                   `json:"called"`
	Failed    int                   `json:"failed"`
	InFlight  int                   `json:"in_flight"`
	Undecided int                   `json:"undecided"`
	Calls     int                   `json:"calls"`
	CallsNow  int                   `json:"calls_this_start"`
	Cut       int                   `json:"calls_cut_off,omitempty"`
	In        int64                 `json:"tokens_in"`
	Out       int64                 `json:"tokens_out"`
	Tokens    int64                 `json:"tokens"`
	Untold    int                   `json:"replies_without_usage,omitempty"`
	Unpriced  int                   `json:"replies_without_parts,omitempty"`
	Least     string                `json:"counts_are_least,omitempty"`
	Cost      *float64              `json:"cost,omitempty"`
	CostLeast *float64              `json:"cost_at_least,omitempty"`
	Priced    bool                  `json:"priced,omitempty"`
	Elapsed   float64               `json:"elapsed_seconds"`
	Looks     int                   `json:"looks,omitempty"`
	Rate      float64               `json:"rows_per_second,omitempty"`
	Median    float64               `json:"latency_median_seconds,omitempty"`
	P95       float64               `json:"latency_p95_seconds,omitempty"`
	Left      *float64              `json:"left_seconds,omitempty"`
	LeftLow   *float64              `json:"left_low_seconds,omitempty"`
	LeftHigh  *float64              `json:"left_high_seconds,omitempty"`
	Held      string                `json:"held,omitempty"`
	Until     *time.Time            `json:"until,omitempty"`
}

// rowLine and factsLine are the whole lines.
type (
	rowLine struct {
		Event string `json:"event"`
		wireRow
	}
	factsLine struct {
		Event string `json:"event"`
		wireFacts
	}
)

// eventLine gives an event's object as text.
func eventLine(event Event) ([]byte, error) {
	switch e := event.(type) {
	case RowChanged:
		return json.Marshal(rowLine{"row", wireOfRow(e)})
	case RunFacts:
		return json.Marshal(factsLine{"run", wireOfFacts(e)})
	}
	return json.Marshal(EventDoc(event))
}

func wireOfRow(e RowChanged) wireRow {
	return wireRow{
		RowID: e.RowID, CaseID: e.CaseID, Policy: e.Policy, State: e.State, At: e.At.UTC(), Attempt: e.Attempt,
		Wait: e.Wait.Seconds(), Until: known(e.Until), Latency: e.Latency.Seconds(), Model: e.Model, Usage: e.Usage,
		In: e.Tokens.In, Out: e.Tokens.Out, Tokens: e.Tokens.Total, Problem: e.Problem, Outcome: e.Outcome, Note: e.Note,
		CutOff: e.CutOff, Other: e.OtherModel, Created: e.CreatedAt, Untold: e.Tokens.Untold, Unpriced: e.Tokens.Unpriced, Again: e.Again,
	}
}

func wireOfFacts(e RunFacts) wireFacts {
	w := wireFacts{
		At: e.At.UTC(), Total: e.Total, Done: e.Done, Rows: e.Rows, Reused: e.Reused, Called: e.Called, Failed: e.Failed,
		InFlight: e.InFlight, Undecided: e.Undecided, Calls: e.Calls, CallsNow: e.CallsNow, Cut: e.Cut, In: e.Tokens.In, Out: e.Tokens.Out, Tokens: e.Tokens.Total,
		Elapsed: e.Elapsed.Seconds(), Looks: e.Looks, Rate: e.Rate, Median: e.Median.Seconds(), P95: e.P95.Seconds(),
		Held: e.Held, Until: known(e.Until), Untold: e.Tokens.Untold, Unpriced: e.Tokens.Unpriced, Least: e.Least, Priced: e.Priced,
	}
	switch known := e.CostKnown(); {
	case known == CostWhole:
		w.Cost = &e.Cost
	case known == CostPart:
		w.CostLeast = &e.Cost
	}
	if e.HasLeft {
		left, low, high := e.Left.Seconds(), e.LeftLow.Seconds(), e.LeftHigh.Seconds()
		w.Left, w.LeftLow, w.LeftHigh = &left, &low, &high
	}
	return w
}

func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// document gives the object of a line that has a shape of its own.
func document(event Event) map[string]any {
	doc := map[string]any{"event": "unknown"}
	// Such a shape always encodes, but for a time outside the years that RFC
	// 3339 knows.
	if data, err := eventLine(event); err == nil {
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		_ = decoder.Decode(&doc)
	}
	return doc
}

// ErrNoEvent is a line that tells no event.
var ErrNoEvent = errors.New("not an event")

// ParseEvent reads a line that was made of EventDoc. What a later version adds
// is passed over; ErrNoEvent is a line of another kind.
func ParseEvent(line []byte) (Event, error) {
	var head struct {
		Event   string    `json:"event"`
		Stage   Stage     `json:"stage"`
		At      time.Time `json:"at"`
		Total   int       `json:"total"`
		Done    int       `json:"done"`
		Unit    string    `json:"unit"`
		Seconds float64   `json:"seconds"`
		OK      bool      `json:"ok"`
		Error   string    `json:"error"`
		Summary string    `json:"summary"`
		Text    string    `json:"text"`
		RowID   string    `json:"row_id"`
		Attempt int       `json:"attempt"`
		Host    string    `json:"host"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, errors.Join(ErrNoEvent, err)
	}
	switch head.Event {
	case "stage_started":
		return StageStarted{Stage: head.Stage, At: head.At, Total: head.Total, Unit: head.Unit, Host: head.Host}, nil
	case "stage_progress":
		return StageProgress{Stage: head.Stage, Done: head.Done, Total: head.Total}, nil
	case "stage_finished":
		e := StageFinished{Stage: head.Stage, At: head.At, Elapsed: seconds(head.Seconds), Summary: head.Summary}
		if !head.OK {
			e.Err = errors.New(head.Error)
		}
		return e, nil
	case "note":
		return Note{Stage: head.Stage, At: head.At, Text: head.Text}, nil
	case "call":
		return CallSent{RowID: head.RowID, Attempt: head.Attempt, At: head.At}, nil
	case "row":
		return parseRowEvent(line)
	case "run":
		return parseFacts(line)
	}
	return nil, ErrNoEvent
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func parseRowEvent(line []byte) (Event, error) {
	var w wireRow
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, errors.Join(ErrNoEvent, err)
	}
	e := RowChanged{
		RowID: w.RowID, CaseID: w.CaseID, Policy: w.Policy, State: w.State, At: w.At, Attempt: w.Attempt,
		Wait: seconds(w.Wait), Latency: seconds(w.Latency), Model: w.Model, Usage: w.Usage,
		Tokens: Tokens{w.In, w.Out, w.Tokens, w.Untold, w.Unpriced}, Problem: w.Problem, Outcome: w.Outcome, Note: w.Note,
		CutOff: w.CutOff, OtherModel: w.Other, CreatedAt: w.Created, Again: w.Again,
	}
	if w.Until != nil {
		e.Until = *w.Until
	}
	return e, nil
}

func parseFacts(line []byte) (Event, error) {
	var w wireFacts
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, errors.Join(ErrNoEvent, err)
	}
	e := RunFacts{
		At: w.At, Total: w.Total, Done: w.Done, Rows: maps.Clone(w.Rows), Reused: w.Reused, Called: w.Called, Failed: w.Failed,
		InFlight: w.InFlight, Undecided: w.Undecided, Calls: w.Calls, CallsNow: w.CallsNow, Cut: w.Cut, Tokens: Tokens{w.In, w.Out, w.Tokens, w.Untold, w.Unpriced},
		Elapsed: seconds(w.Elapsed), Looks: w.Looks, Rate: w.Rate, Median: seconds(w.Median), P95: seconds(w.P95), Held: w.Held,
	}
	e.Least, e.Priced = w.Least, w.Priced || w.Cost != nil
	for _, cost := range []*float64{w.Cost, w.CostLeast} {
		if cost != nil {
			e.Cost = *cost
		}
	}
	if w.Left != nil && w.LeftLow != nil && w.LeftHigh != nil {
		e.Left, e.LeftLow, e.LeftHigh, e.HasLeft = seconds(*w.Left), seconds(*w.LeftLow), seconds(*w.LeftHigh), true
	}
	if w.Until != nil {
		e.Until = *w.Until
	}
	return e, nil
}
