package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deermem-tui/engine/answer/offline"
)

func newServeOffline(std stdio) *cobra.Command {
	var addr, description string
	var seed int64
	var latency time.Duration
	c := &cobra.Command{
		Use:   "serve-offline",
		Short: "Serve the offline answerer on loopback, in OpenAI's protocol",
		Long: `Answers chat completions with a plain extractive baseline: the best sentence of
the stored facts by BM25, a yes/no rule, and INSUFFICIENT below a threshold. It
is not a model; its served name is ` + offline.Model + `. It listens on loopback
only, prints its base URL on standard output, and runs until it is stopped.

--faults makes it misbehave, so that a run can be rehearsed before a provider is
paid: kind:share or kind:share:delay, separated by commas, for example

  --faults 429:0.1,reset:0.05,slow:0.2:300ms

A kind is an HTTP status from 400 to 599 (its delay is the Retry-After it asks
for), or one of
` + faultHelp() + `
Which call meets which fault depends on --fault-seed and on the call only.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd)
			defer stop()
			faults, err := offline.ParseFaults(description, seed)
			if err != nil {
				return usageError{fmt.Errorf("--faults: %w", err)}
			}
			server, err := offline.Start(ctx, offline.Options{Addr: addr, Wrap: faults.Wrap, Latency: steady(latency)})
			if err != nil {
				return usageError{err}
			}
			if _, err := fmt.Fprintln(std.out, server.URL()); err != nil {
				server.Close()
				return err
			}
			<-ctx.Done()
			if err := server.Close(); err != nil && ctx.Err() != context.Canceled {
				return err
			}
			return nil
		},
	}
	c.Flags().StringVar(&description, "faults", "", "misbehave on purpose: kind:share[:delay],…")
	c.Flags().Int64Var(&seed, "fault-seed", 1, "which calls meet which fault")
	c.Flags().DurationVar(&latency, "latency", 0, "time to wait before every answer")
	c.Flags().StringVar(&addr, "addr", offline.DefaultAddr, "loopback address to listen on; port 0 takes a free one")
	return c
}

// faultHelp lists the kinds of faults, one a line.
func faultHelp() string {
	var lines []string
	for _, kind := range offline.FaultKinds() {
		lines = append(lines, fmt.Sprintf("  %-10s %s", kind[0], kind[1]))
	}
	return strings.Join(lines, "\n")
}

// steady gives every call the same wait.
func steady(d time.Duration) func([]byte) time.Duration {
	if d <= 0 {
		return nil
	}
	return offline.SteadyLatency(d, d)
}
