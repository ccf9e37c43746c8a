package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"deermem-tui/engine/pipeline"
	"deermem-tui/engine/session"
	"deermem-tui/engine/study"
	"deermem-tui/ui"
	"deermem-tui/ui/screen"
	"deermem-tui/ui/theme"
)

// appFlags are the flags of the application itself.
type appFlags struct {
	protocol protocolFlags
	dir      string
	fresh    bool
	offline  bool
	theme    string
	mouse    string
	ascii    bool
	screen   string
	caseID   string
}

func (f *appFlags) register(c *cobra.Command) {
	f.protocol.register(c.Flags(), true)
	c.Flags().StringVar(&f.dir, "output-dir", "", "run folder (default: the study's latest under the user's state folder)")
	c.Flags().BoolVar(&f.fresh, "new", false, "begin a new run instead of opening the latest")
	c.Flags().BoolVar(&f.offline, "offline", false, "answer with the offline answerer instead of the provider")
	c.Flags().StringVar(&f.theme, "theme", "auto", "auto, dark, light or none")
	c.Flags().StringVar(&f.mouse, "mouse", "on", "on or off")
	c.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII only")
	c.Flags().StringVar(&f.screen, "screen", "", "screen to open first: run or cases")
	c.Flags().StringVar(&f.caseID, "case", "", "case to open first")
}

// runApp opens the application on one study and one run folder.
func runApp(ctx context.Context, std stdio, f *appFlags) error {
	if !term.IsTerminal(int(std.in.Fd())) || !term.IsTerminal(int(std.out.Fd())) {
		return usageError{errors.New(`the application needs a terminal. Without one, use the commands:
deermem-tui validate
deermem-tui run-policy --output-dir DIR
deermem-tui run-qa --output-dir DIR
deermem-tui grade-qa --output-dir DIR
deermem-tui explain --case ID`)}
	}
	options, err := f.options(ctx, std)
	if err != nil {
		return err
	}
	return ui.Run(ctx, options)
}

func (f *appFlags) options(ctx context.Context, std stdio) (ui.Options, error) {
	look, err := theme.Detect(theme.Choice{Theme: f.theme, ASCII: f.ascii, Getenv: os.Getenv, Terminal: true})
	if err != nil {
		return ui.Options{}, usageError{err}
	}
	if f.mouse != "on" && f.mouse != "off" {
		return ui.Options{}, usageError{fmt.Errorf("--mouse %q: expected on or off", f.mouse)}
	}
	first := screen.ID(f.screen)
	if first != "" && first != screen.Run && first != screen.Cases {
		return ui.Options{}, usageError{fmt.Errorf("--screen %q: expected run or cases", f.screen)}
	}
	opened, err := f.open(ctx)
	if err != nil {
		return ui.Options{}, err
	}
	return ui.Options{
		Engine: opened,
		Theme:  theme.New(look),
		Mouse:  f.mouse == "on",
		Screen: first,
		Case:   f.caseID,
		Input:  std.in,
		Output: std.out,
		Stderr: std.err,
	}, nil
}

// opened is a session as the application sees it.
type opened struct {
	*session.Session
	info screen.Info
}

func (o opened) Info() screen.Info { return o.info }

// open finds the protocol, the dataset and the run folder.
func (f *appFlags) open(ctx context.Context) (opened, error) {
	location, err := f.protocol.location()
	if err != nil {
		return opened{}, err
	}
	dataset, err := f.protocol.source()
	if err != nil {
		return opened{}, err
	}
	contracts, err := study.LoadContracts(location, nil)
	if err != nil {
		return opened{}, err
	}
	provider, err := newProvider(contracts.Config.QA, f.offline)
	if err != nil {
		return opened{}, err
	}
	dir, err := f.folder(contracts)
	if err != nil {
		return opened{}, err
	}
	t, err := target(ctx, dir)
	if err != nil {
		return opened{}, err
	}
	info := screen.Info{
		Study:     filepath.Base(location.Name),
		Protocol:  contracts.Config.ProtocolID,
		Run:       filepath.Base(dir),
		Folder:    dir,
		Answerer:  provider.text,
		Model:     contracts.Config.QA.Model,
		Offline:   provider.offline,
		Variables: provider.variables,
	}
	return opened{session.New(session.Options{
		Location: location,
		Dataset:  dataset,
		Target:   t,
		Answerer: func(ctx context.Context) (pipeline.Answerer, func(), error) { return provider.start(ctx) },
	}), info}, nil
}

// folder gives the run folder to open: the one named, the study's latest, or a
// new one.
func (f *appFlags) folder(c *study.Contracts) (string, error) {
	if f.dir != "" {
		return f.dir, nil
	}
	runs, err := session.StateDir(os.Getenv)
	if err != nil {
		return "", usageError{err}
	}
	if !f.fresh {
		if dir, ok := session.LatestFolder(runs, c.Location.Name, c.Identity); ok {
			return dir, nil
		}
	}
	return session.NewFolder(runs, c.Location.Name, time.Now()), nil
}
