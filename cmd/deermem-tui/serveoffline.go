package main

import (
	"context"
	"fmt"
	"os/signal"

	"github.com/spf13/cobra"

	"deermem-tui/engine/answer/offline"
)

func newServeOffline(std stdio) *cobra.Command {
	var addr string
	c := &cobra.Command{
		Use:   "serve-offline",
		Short: "Serve the offline answerer on loopback, in OpenAI's protocol",
		Long: `Answers chat completions with a plain extractive baseline: the best sentence of
the stored facts by BM25, a yes/no rule, and INSUFFICIENT below a threshold. It
is not a model; its served name is ` + offline.Model + `. It listens on loopback
only, prints its base URL on standard output, and runs until it is stopped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), stopSignals()...)
			defer stop()
			server, err := offline.Start(ctx, offline.Options{Addr: addr})
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
	c.Flags().StringVar(&addr, "addr", offline.DefaultAddr, "loopback address to listen on; port 0 takes a free one")
	return c
}
