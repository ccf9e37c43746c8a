// The flags of a QA run that spends money: what is called again, what is taken
// as it is, and when it stops.

package main

import (
	"fmt"
	"math"

	"github.com/spf13/pflag"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
)

type qaFlags struct {
	retry, accept string
	limits        pipeline.Limits
	mixed         bool
	regrade       bool
	priceFlags
}

func (f *qaFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.retry, "retry", "", "call stored rows in these states again: empty, truncated, refused, malformed, or all")
	acceptFlag(flags, &f.accept)
	flags.IntVar(&f.limits.Calls, "max-calls", 0, "stop before this start sends more requests than this, retries included")
	flags.Int64Var(&f.limits.Tokens, "max-tokens-total", 0, "stop before all starts of the run use about this many tokens; what is in flight is guessed")
	flags.IntVar(&f.limits.Failures, "stop-after-failures", 0, "stop once so many rows failed in this start")
	flags.BoolVar(&f.mixed, "mix-answerers", false, "let the offline answerer and a provider answer rows of one run")
	flags.BoolVar(&f.regrade, "regrade", false, "call rows of a graded folder too; its graded results are stale then and have to be moved away and made again")
	f.priceFlags.register(flags)
}

func acceptFlag(flags *pflag.FlagSet, accept *string) {
	flags.StringVar(accept, "accept", "", "take rows stored in these states as they are, and record it: empty, truncated, refused, malformed, or all")
}

// options gives what the flags ask of a run.
func (f *qaFlags) options() (o pipeline.QAOptions, err error) {
	if o.Retry, err = states("retry", f.retry); err != nil {
		return o, err
	}
	if o.Accept, err = states("accept", f.accept); err != nil {
		return o, err
	}
	if f.limits.Calls < 0 || f.limits.Tokens < 0 || f.limits.Failures < 0 {
		return o, usageError{fmt.Errorf("--max-calls, --max-tokens-total and --stop-after-failures must not be negative; 0 means no limit")}
	}
	o.Limits, o.Mixed, o.Regrade = f.limits, f.mixed, f.regrade
	o.Prices, err = f.prices()
	return o, err
}

func states(flag, list string) ([]outcome.State, error) {
	s, err := outcome.Parse(list, outcome.Doubtful())
	if err != nil {
		return nil, usageError{fmt.Errorf("--%s: %w", flag, err)}
	}
	return s, nil
}

// priceFlags say what tokens cost.
type priceFlags struct {
	in, out float64
	flags   *pflag.FlagSet
}

func (f *priceFlags) register(flags *pflag.FlagSet) {
	flags.Float64Var(&f.in, "price-in", 0, "price of a million tokens of requests, in your currency")
	flags.Float64Var(&f.out, "price-out", 0, "price of a million tokens of answers")
	f.flags = flags
}

func (f *priceFlags) prices() (pipeline.Prices, error) {
	for _, p := range []float64{f.in, f.out} {
		if p < 0 || math.IsNaN(p) || math.IsInf(p, 0) {
			return pipeline.Prices{}, usageError{fmt.Errorf("--price-in and --price-out are amounts of money, 0 or more")}
		}
	}
	set := f.flags != nil && (f.flags.Changed("price-in") || f.flags.Changed("price-out"))
	return pipeline.Prices{In: f.in, Out: f.out, Set: set}, nil
}
