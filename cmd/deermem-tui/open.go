package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"deermem-tui/engine/gitstate"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/engine/study"
)

// openStudy makes every check of validate and gives the study.
func openStudy(ctx context.Context, std stdio, protocol *protocolFlags, progress *progressFlag) (*study.Study, error) {
	location, err := protocol.location()
	if err != nil {
		return nil, err
	}
	dataset, err := protocol.source()
	if err != nil {
		return nil, err
	}
	sink, err := progress.sink(std)
	if err != nil {
		return nil, err
	}
	return pipeline.Validate(ctx, location, dataset, nil, sink)
}

// target gives the run folder of a stage. Git is asked at once, in the
// background, so that a stage does not wait for it.
func target(ctx context.Context, dir string) (pipeline.Target, error) {
	if dir == "" {
		return pipeline.Target{}, usageError{fmt.Errorf("no run folder: give --output-dir DIR")}
	}
	var state *gitstate.State
	known := make(chan struct{})
	go func() {
		defer close(known)
		if here, err := os.Getwd(); err == nil {
			state = gitstate.Read(ctx, here)
		}
	}()
	return pipeline.Target{
		Dir: dir,
		Git: func(ctx context.Context) *gitstate.State {
			select {
			case <-known:
				return state
			case <-ctx.Done():
				return nil
			}
		},
		Writer: writer(),
	}, nil
}

// writer says who this process is, for the lock of a run folder.
func writer() rundir.Writer {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return rundir.Writer{PID: os.Getpid(), Host: host}
}

func outputDirFlag(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "output-dir", "", "run folder (required)")
}

func jsonFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print the result as one JSON document")
}

// printJSON prints a result for scripts, the keys of maps sorted.
func printJSON(w io.Writer, doc any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(escapeActing(text.Bytes()))
	return err
}
