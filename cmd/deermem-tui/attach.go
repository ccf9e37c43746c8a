package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"deermem-tui/engine/answer/outcome"
	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/rundir"
	"deermem-tui/ui"
	"deermem-tui/ui/screen"
)

// attachPause is the time between two looks at another process's journal.
const attachPause = 150 * time.Millisecond

func newAttach(std stdio) *cobra.Command {
	var progress progressFlag
	var asJSON bool
	app := &appFlags{}
	c := &cobra.Command{
		Use:   "attach DIR",
		Short: "Watch, read-only, a QA run that another process is making",
		Long: `Watches the run folder DIR while another process (run-qa on another terminal, in
a script, in CI) asks its questions. Nothing in the folder is changed and nothing
can be: leaving does not stop the run.

On a terminal it opens the Run screen, which goes on with the next start of the
folder when one has ended. The screen needs the run's protocol: an embedded one
is found by itself, your own is given as to run-qa, with --protocol-dir and
--dataset. With --progress plain or json, without a terminal or on one that
cannot show screens (TERM=dumb), it tells the same facts as lines, needs neither,
and ends when the other process does. Grades are never shown.`,
		Annotations: map[string]string{takesArgs: "DIR"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("attach takes one run folder, found %d arguments; see deermem-tui attach --help", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := rundir.Open(args[0])
			if err != nil {
				return err
			}
			onTerminal := term.IsTerminal(int(std.in.Fd())) && term.IsTerminal(int(std.out.Fd()))
			if onTerminal && !dumb() && !asJSON && progress.mode == progressAuto {
				return attachScreen(cmd.Context(), std, app, dir)
			}
			ctx, stop := untilSignal(cmd)
			defer stop()
			return attachLines(ctx, std, dir, progress, asJSON)
		},
	}
	app.register(c)
	for _, name := range []string{"output-dir", "runs-dir", "new", "offline", "screen", "case", "capacity", "price-in", "price-out", "now"} {
		_ = c.Flags().MarkHidden(name) // of the application; they say nothing about watching
	}
	progress.register(c.Flags())
	jsonFlag(c, &asJSON)
	return c
}

// attachLines tells the run as lines and ends with how it stands.
func attachLines(ctx context.Context, std stdio, dir *rundir.Dir, progress progressFlag, asJSON bool) error {
	sink, err := progress.sink(std)
	if err != nil {
		return err
	}
	who, writing := dir.Writing()
	if writing && sink != nil {
		sink(pipeline.Note{Stage: "attach", At: time.Now(), Text: watching(who)})
	}
	var last pipeline.RunFacts
	err = pipeline.Follow(ctx, dir, pauseBetweenLooks, func(event pipeline.Event) {
		if f, ok := event.(pipeline.RunFacts); ok {
			last = f
		}
		if sink != nil {
			sink(event)
		}
	})
	left := ctx.Err() != nil
	if err != nil && !left {
		return err
	}
	if last.Total == 0 {
		return usageError{fmt.Errorf("run folder %s tells of no QA run; start one with run-qa --output-dir %s", dir.Path(), dir.Path())}
	}
	if asJSON {
		return printJSON(std.out, pipeline.EventDoc(last))
	}
	_, writing = dir.Writing()
	end := "no process writes it now"
	if writing {
		end = "the run goes on without being watched"
	}
	return printLines(std.out, fmt.Sprintf("%d of %d rows stored (%s); %s", last.Done, last.Total, outcome.Tally(last.Rows), end))
}

func watching(who rundir.Writer) string {
	if who == (rundir.Writer{}) {
		return "watching another process"
	}
	return fmt.Sprintf("watching pid %d (%s, since %s) on host %s", who.PID, who.Command, who.Started.Local().Format("15:04:05"), who.Host)
}

func pauseBetweenLooks(ctx context.Context) error {
	timer := time.NewTimer(attachPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attached is a run that is watched instead of made.
type attached struct {
	opened
	dir *rundir.Dir
}

func (a attached) Info() screen.Info {
	info := a.opened.Info()
	info.Watching, info.ReadOnly = true, ""
	return info
}

// Run follows the other process's run, and the next one, until it is left.
func (a attached) Run(ctx context.Context, _ []pipeline.Stage, sink pipeline.Sink) error {
	if who, writing := a.dir.Writing(); writing {
		sink(pipeline.Note{Stage: "attach", At: time.Now(), Text: watching(who)})
	}
	if err := pipeline.FollowOn(ctx, a.dir, pauseBetweenLooks, sink); err != nil {
		return err
	}
	return ctx.Err()
}

// Steer does nothing: the run belongs to another process.
func (a attached) Steer(pipeline.Order) {}

// Peek is refused, for the same reason.
func (a attached) Peek(context.Context) ([]string, error) {
	return nil, errors.New("this run is only watched: look with grade-qa --peek")
}

// attachScreen opens the application on the folder, watching.
func attachScreen(ctx context.Context, std stdio, f *appFlags, dir *rundir.Dir) error {
	options, err := f.options(ctx, std, []string{dir.Path()})
	if err != nil {
		return err
	}
	run, ok := options.Engine.(opened)
	if !ok {
		return usageError{fmt.Errorf("%s cannot be shown on the Run screen: give the run's own protocol and dataset, or --progress plain, which needs neither", dir.Path())}
	}
	options.Engine, options.Library, options.Screen = attached{run, dir}, nil, screen.Run
	return ui.Run(ctx, options)
}
