package pipeline

import (
	"errors"
	"fmt"

	"deermem-tui/engine/rundir"
)

// Limits stop a run before it costs more. Zero means none.
type Limits struct {
	Calls    int   // calls of this start, retries included
	Tokens   int64 // tokens of the whole run, those of earlier starts included
	Failures int   // rows of this start that got no answer
}

// ErrLimit is a limit that was reached; test with errors.Is.
var ErrLimit = errors.New("limit reached")

// Prices turn tokens into money, in any currency. They are shown only when set.
type Prices struct {
	In, Out float64 // for a million tokens
	Set     bool
}

// Cost gives the price of so many tokens.
func (p Prices) Cost(in, out int64) float64 {
	return float64(float64(in)*p.In)/1e6 + float64(float64(out)*p.Out)/1e6
}

// Tokens are counts that a provider told.
type Tokens struct{ In, Out, Total int64 }

func (t Tokens) plus(o Tokens) Tokens {
	return Tokens{t.In + o.In, t.Out + o.Out, t.Total + o.Total}
}

// tokensOf reads a usage as the providers write it: under OpenAI's names or the
// newer ones, as integers or, where only the whole usage has them so, as
// fractions or text.
func tokensOf(row rundir.Row) Tokens {
	counts := row.Counts()
	var full any
	if row.Extra != nil {
		full = row.Extra.Usage
	}
	count := func(names ...string) int64 {
		for _, name := range names {
			if n, ok := counts[name]; ok && n >= 0 && n < maxTokens {
				return n
			}
			if n, ok := looseCount(full, name); ok {
				return n
			}
		}
		return 0
	}
	t := Tokens{In: count("prompt_tokens", "input_tokens"), Out: count("completion_tokens", "output_tokens"), Total: count("total_tokens")}
	if t.Total == 0 {
		t.Total = t.In + t.Out
	}
	return t
}

// maxTokens is where a count is no count any more.
const maxTokens = 1 << 40

func looseCount(usage any, name string) (int64, bool) {
	object, _ := usage.(map[string]any)
	switch n := object[name].(type) {
	case float64:
		if n >= 0 && n < maxTokens {
			return int64(n + 0.5), true
		}
	case string:
		var f float64
		if _, err := fmt.Sscanf(n, "%g", &f); err == nil && f >= 0 && f < maxTokens {
			return int64(f + 0.5), true
		}
	}
	return 0, false
}

// reached says which limit forbids a further call; nil when none does.
// inFlight calls have not told their tokens yet and are guessed, as is the one
// that is asked for.
func (l Limits) reached(calls int, spent int64, inFlight int, each int64, failures int) error {
	switch {
	case l.Calls > 0 && calls >= l.Calls:
		return fmt.Errorf("%w: %d calls were made, --max-calls allows no more", ErrLimit, calls)
	case l.Tokens > 0 && spent+each*int64(inFlight+1) > l.Tokens:
		return fmt.Errorf("%w: %d tokens were used and a call takes about %d, --max-tokens-total allows %d", ErrLimit, spent, each, l.Tokens)
	case l.Failures > 0 && failures >= l.Failures:
		return fmt.Errorf("%w: %d rows failed, --stop-after-failures allows no more", ErrLimit, failures)
	}
	return nil
}
