package main

import (
	"context"
	"errors"
	"os/signal"

	"github.com/spf13/cobra"
)

// errInterrupted is a command that a signal ended before its work was done.
var errInterrupted = errors.New("stopped by a signal before the end; nothing is half written")

// interruptible makes a command's work end at the first signal to stop, with
// the exit code of failed work instead of a death by the signal.
func interruptible(work func(ctx context.Context, cmd *cobra.Command) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		ctx, stop := signal.NotifyContext(cmd.Context(), stopSignals()...)
		defer stop()
		err := work(ctx, cmd)
		if err != nil && errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return errInterrupted
		}
		return err
	}
}
