// What a row's file holds besides the reference's fields: one key of ours that
// the reference passes over, and with it the proof of how an answer came.

package rundir

import (
	"slices"
	"strings"
	"time"

	"deermem-tui/engine/answer/outcome"
)

// ExtraKey is the key in a row's file that is this program's own.
const ExtraKey = "deermem_tui"

// Extra is what this program keeps of a call.
type Extra struct {
	State        outcome.State
	Note         string // why it is not Answered
	FinishReason string
	Started      string        // of the first attempt, UTC with microseconds and `Z`
	Latency      time.Duration // of the attempt that answered
	Usage        any           // all of it, as pytext.Decode gives it; nil when the provider told none
	Answerer     string        // "offline" or "provider"; empty when not known
	OtherModel   bool          // the model that answered is not the one asked for
	Failures     []Failure     // the attempts before
}

// Failure is an attempt that gave no answer.
type Failure struct {
	Attempt int    // from 1
	Class   string // "rate-limit", "timeout", ...
	Status  int    // HTTP status, 0 without a response
	Latency time.Duration
	Wait    time.Duration // before the next attempt
}

// State gives what the row is worth. A row of another program tells nothing
// but its text.
func (r Row) State() outcome.State {
	switch {
	case r.Extra != nil:
		return r.Extra.State
	case strings.TrimSpace(r.Prediction) == "":
		return outcome.Empty
	}
	return outcome.Answered
}

// value gives the extra as a JSON value.
func (e *Extra) value() map[string]any {
	failures := make([]any, len(e.Failures))
	for i, f := range e.Failures {
		failures[i] = map[string]any{
			"attempt": f.Attempt, "class": f.Class, "status": f.Status,
			"latency_seconds": f.Latency.Seconds(), "wait_seconds": f.Wait.Seconds(),
		}
	}
	return map[string]any{
		"answerer":        e.Answerer,
		"failed_attempts": failures,
		"finish_reason":   e.FinishReason,
		"latency_seconds": e.Latency.Seconds(),
		"note":            e.Note,
		"other_model":     e.OtherModel,
		"started_at":      e.Started,
		"state":           string(e.State),
		"usage":           e.Usage,
	}
}

// readExtra reads the key. It never makes a row unusable: what cannot be read
// of it is left out. A state it does not know is one to decide on.
func readExtra(value any) *Extra {
	object, _ := value.(map[string]any)
	if _, ok := object["state"].(string); !ok {
		return nil
	}
	e := &Extra{
		State:        outcome.State(textOf(object["state"])),
		Note:         textOf(object["note"]),
		Answerer:     textOf(object["answerer"]),
		FinishReason: textOf(object["finish_reason"]),
		Started:      textOf(object["started_at"]),
		Latency:      secondsOf(object["latency_seconds"]),
		Usage:        object["usage"],
	}
	e.OtherModel, _ = object["other_model"].(bool)
	if e.State != outcome.Answered && !slices.Contains(outcome.Doubtful(), e.State) {
		e.State = outcome.Malformed
	}
	list, _ := object["failed_attempts"].([]any)
	for _, item := range list {
		if f, ok := item.(map[string]any); ok {
			attempt, _ := f["attempt"].(int64)
			status, _ := f["status"].(int64)
			e.Failures = append(e.Failures, Failure{
				Attempt: int(attempt), Class: textOf(f["class"]), Status: int(status),
				Latency: secondsOf(f["latency_seconds"]), Wait: secondsOf(f["wait_seconds"]),
			})
		}
	}
	return e
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// maxSeconds bounds a duration that is read: about a century.
const maxSeconds = 3e9

func secondsOf(value any) time.Duration {
	var seconds float64
	switch n := value.(type) {
	case float64:
		seconds = n
	case int64:
		seconds = float64(n)
	}
	if !(seconds > 0) || seconds > maxSeconds {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}
