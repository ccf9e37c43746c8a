// What replies told of their tokens, and how sums are put into words: a reply
// that tells none, or nonsense, is not one that cost nothing.

package pipeline

import (
	"fmt"
	"strconv"

	"deermem-tui/engine/rundir"
)

// Prices turn tokens into money, in any currency. They are shown only when set.
type Prices struct {
	In, Out float64 // for a million tokens
	Set     bool
}

// Cost gives the price of so many tokens.
func (p Prices) Cost(in, out int64) float64 {
	return float64(float64(in)*p.In)/1e6 + float64(float64(out)*p.Out)/1e6
}

// Tokens are counts that replies told.
type Tokens struct {
	In, Out, Total int64
	Untold         int // replies that did not tell Total: what they took comes on top
	Unpriced       int // replies that did not tell In and Out, those of Untold among them
}

func (t Tokens) plus(o Tokens) Tokens {
	return Tokens{t.In + o.In, t.Out + o.Out, t.Total + o.Total, t.Untold + o.Untold, t.Unpriced + o.Unpriced}
}

// less takes counts away that were added before.
func (t Tokens) less(o Tokens) Tokens {
	return Tokens{t.In - o.In, t.Out - o.Out, t.Total - o.Total, t.Untold - o.Untold, t.Unpriced - o.Unpriced}
}

// Add gives the sum of two counts, Less their difference.
func (t Tokens) Add(o Tokens) Tokens  { return t.plus(o) }
func (t Tokens) Less(o Tokens) Tokens { return t.less(o) }

// Words tell the tokens; number writes a count.
func (t Tokens) Words(number func(int64) string) string {
	switch {
	case t.Untold == 0:
		return number(t.Total) + " tokens"
	case t.Total == 0:
		return "tokens unknown" + t.Why()
	}
	return "at least " + number(t.Total) + " tokens" + t.Why()
}

// Why says in brackets why a sum is not whole; empty where it is.
func (t Tokens) Why() string {
	if t.Untold == 0 {
		return ""
	}
	return " (" + plural(t.Untold, "reply", "replies") + " without usage)"
}

// CostKnown says how much of a cost is known.
type CostKnown int

// The ways.
const (
	CostUntold CostKnown = iota // no prices were given
	CostNone                    // no reply told its tokens
	CostPart                    // at least so much
	CostWhole
)

// CostKnown says how much of the cost of the whole run is known.
func (f RunFacts) CostKnown() CostKnown {
	switch {
	case !f.Priced:
		return CostUntold
	case f.Tokens.Unpriced > 0 && f.Tokens.In+f.Tokens.Out == 0:
		return CostNone
	case f.Tokens.Unpriced > 0 || f.Least != "":
		return CostPart
	}
	return CostWhole
}

// CostWords tell the cost of the whole run; empty where no prices were given.
func (f RunFacts) CostWords() string {
	switch f.CostKnown() {
	case CostNone:
		return "cost unknown"
	case CostPart:
		return "cost at least " + money(f.Cost)
	case CostWhole:
		return "cost " + money(f.Cost)
	}
	return ""
}

// TokenWords tell the tokens of the whole run; number writes a count.
func (f RunFacts) TokenWords(number func(int64) string) string {
	if f.Least != "" && f.Tokens.Untold == 0 {
		return "at least " + number(f.Tokens.Total) + " tokens"
	}
	return f.Tokens.Words(number)
}

// money writes an amount with four digits behind the point, a smaller one with
// two that say something.
func money(amount float64) string {
	switch {
	case amount == 0:
		return "0"
	case amount < 0.001:
		return strconv.FormatFloat(amount, 'g', 2, 64)
	}
	return fmt.Sprintf("%.4f", amount)
}

// mostTokens is where a count is none any more: no model reads or writes so
// many in one call.
const mostTokens = 1 << 28

// tokensOf reads the usage of a stored row.
func tokensOf(row rundir.Row) Tokens {
	var full any
	if row.Extra != nil {
		full = row.Extra.Usage
	}
	return ReadTokens(row.Counts(), full)
}

// ReadTokens reads the usage of a reply as providers write it: under OpenAI's
// names or the newer ones, as integers or, where only the whole usage has them
// so, as fractions or text. Counts that cannot be (below zero, beyond any model,
// a request of nothing) are none.
func ReadTokens(counts map[string]int64, full any) Tokens {
	count := func(least int64, names ...string) (int64, bool) {
		for _, name := range names {
			if n, ok := counts[name]; ok && n >= least && n < mostTokens {
				return n, true
			}
			if n, ok := looseCount(full, name); ok && n >= least {
				return n, true
			}
		}
		return 0, false
	}
	var t Tokens
	in, inTold := count(1, "prompt_tokens", "input_tokens")
	out, outTold := count(0, "completion_tokens", "output_tokens")
	t.In, t.Out = in, out
	total, told := count(1, "total_tokens")
	if told = told && total >= in+out; told {
		t.Total = total
	} else {
		t.Total = in + out
	}
	if !inTold || !outTold {
		t.Unpriced = 1
		if !told {
			t.Untold = 1
		}
	}
	return t
}

func looseCount(usage any, name string) (int64, bool) {
	object, _ := usage.(map[string]any)
	switch n := object[name].(type) {
	case float64:
		if n >= 0 && n < mostTokens {
			return int64(n + 0.5), true
		}
	case string:
		var f float64
		if _, err := fmt.Sscanf(n, "%g", &f); err == nil && f >= 0 && f < mostTokens {
			return int64(f + 0.5), true
		}
	}
	return 0, false
}
