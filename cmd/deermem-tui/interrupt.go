package main

import (
	"context"
	"errors"
	"io"
	"os/signal"

	"github.com/spf13/cobra"
)

// errInterrupted is a command that a signal ended before its work was done.
var errInterrupted = errors.New("stopped by a signal before the end; nothing is half written")

// interruptible makes a command's work end at the first signal to stop, with
// the exit code of failed work instead of a death by the signal.
func interruptible(work func(ctx context.Context, cmd *cobra.Command) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		ctx, stop := untilSignal(cmd)
		defer stop()
		err := work(ctx, cmd)
		if err != nil && errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return errInterrupted
		}
		return err
	}
}

// untilSignal gives a command's context, ended by the first signal to stop.
// From then on a terminal or a pipe that is not being read holds the command no
// longer: what it still has to say is given up.
func untilSignal(cmd *cobra.Command) (ctx context.Context, stop func()) {
	ctx, end := signal.NotifyContext(cmd.Context(), stopSignals()...)
	forget := context.AfterFunc(ctx, func() { hurry(cmd) })
	return ctx, func() { forget(); end() }
}

// hurry lets nothing that a command writes hold its end.
func hurry(cmd *cobra.Command) {
	for _, w := range []io.Writer{cmd.OutOrStdout(), cmd.ErrOrStderr()} {
		if out, ok := w.(interface{ Hurry() }); ok {
			out.Hurry()
		}
	}
}
