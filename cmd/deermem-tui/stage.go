// What the commands that work on a run folder share: their flags, the study they
// open and how they tell their result.

package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/study"
)

// stageFlags are the flags of such a command.
type stageFlags struct {
	protocol protocolFlags
	progress progressFlag
	dir      string
	asJSON   bool
}

func (f *stageFlags) register(c *cobra.Command) {
	f.protocol.register(c.Flags(), true)
	outputDirFlag(c, &f.dir)
	f.progress.register(c.Flags())
	jsonFlag(c, &f.asJSON)
}

// staged is what a stage works with.
type staged struct {
	study  *study.Study
	target pipeline.Target
	sink   pipeline.Sink // may be spoken to from several goroutines
}

// open validates the study. ready, where there is one, is called before the
// dataset is touched: a setting that is missing should not cost the time to read
// it.
func (f *stageFlags) open(ctx context.Context, std stdio, ready func(*study.Contracts) error) (staged, error) {
	t, err := target(ctx, f.dir)
	if err != nil {
		return staged{}, err
	}
	location, err := f.protocol.location()
	if err != nil {
		return staged{}, err
	}
	loaded := pipeline.Load(location)
	if loaded.Contracts != nil && ready != nil {
		if err := ready(loaded.Contracts); err != nil {
			return staged{}, err
		}
	}
	dataset, err := f.protocol.source()
	if err != nil {
		return staged{}, err
	}
	sink, err := f.progress.sink(std)
	if err != nil {
		return staged{}, err
	}
	sink = oneAtATime(sink)
	s, err := loaded.Validate(ctx, dataset, nil, sink)
	return staged{s, t, sink}, err
}

// print tells a result: as a document where --json asks for it, else as lines.
func (f *stageFlags) print(w io.Writer, doc func() map[string]any, lines ...string) error {
	if f.asJSON {
		return printJSON(w, doc())
	}
	return printLines(w, lines...)
}
