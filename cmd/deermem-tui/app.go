package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"deermem-tui/engine/memstore"
	"deermem-tui/engine/runs"
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
	runsDir  string
	capacity int
	flags    *pflag.FlagSet // nil where none were given
	fresh    bool
	offline  bool
	theme    string
	mouse    string
	remember string
	ascii    bool
	unicode  bool
	screen   string
	caseID   string
	store    string
	now      string
	cost     priceFlags
}

func (f *appFlags) register(c *cobra.Command) {
	f.flags = c.Flags()
	f.protocol.register(c.Flags(), true)
	c.Flags().StringVar(&f.dir, "output-dir", "", "run folder (default: the study's latest under the user's state folder)")
	c.Flags().StringVar(&f.runsDir, "runs-dir", "", "folder where runs are kept and looked for (default: the user's state folder)")
	c.Flags().BoolVar(&f.fresh, "new", false, "begin a new run instead of opening the latest")
	c.Flags().BoolVar(&f.offline, "offline", false, "answer with the offline answerer instead of the provider")
	c.Flags().StringVar(&f.theme, "theme", "auto", theme.Names())
	c.Flags().StringVar(&f.mouse, "mouse", "on", "on or off")
	c.Flags().StringVar(&f.remember, "remember", "on", "on or off: come back where you left")
	c.Flags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII only (default where the locale does not name UTF-8)")
	c.Flags().BoolVar(&f.unicode, "unicode", false, "draw with more than ASCII whatever the locale says")
	c.Flags().StringVar(&f.screen, "screen", "", "screen to open first: "+screenNames())
	c.Flags().StringVar(&f.caseID, "case", "", "case to open first")
	c.Flags().StringVar(&f.store, "store", "", "DeerMem store that the Store screen reads (default $"+memstore.DataDirVariable+", else ~/.deermem)")
	c.Flags().StringVar(&f.now, "now", "", "time at which the Store screen scores, such as 2026-08-13T00:00:00Z, or a step such as +90d from now (default that of reading)")
	f.cost.register(c.Flags())
	c.Flags().IntVar(&f.capacity, "capacity", 0, "capacity that cases open at (default: the one at which questions are asked)")
}

// screenNames lists the screens for a message: "run, cases or pairs".
func screenNames() string {
	names := ui.Screens()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// runApp opens the application: on one run, or on the list of those in the
// folders that were named.
func runApp(ctx context.Context, std stdio, f *appFlags, folders []string) error {
	if _, err := f.check(folders); err != nil {
		return err // what is wrong with or without a terminal comes first
	}
	if !term.IsTerminal(int(std.in.Fd())) || !term.IsTerminal(int(std.out.Fd())) {
		return usageError{errors.New("the application needs a terminal; without one, use the commands:" + instead)}
	}
	if dumb() {
		return usageError{errors.New("the terminal says that it cannot show screens (TERM=dumb); use the commands:" + instead)}
	}
	options, err := f.options(ctx, std, folders)
	if err != nil {
		return err
	}
	return ui.Run(ctx, options)
}

// instead names the commands that do without screens.
const instead = `
deermem-tui validate
deermem-tui run-policy --output-dir DIR
deermem-tui run-qa --output-dir DIR
deermem-tui attach DIR --progress plain
deermem-tui grade-qa --output-dir DIR
deermem-tui explain --case ID
and what else deermem-tui --help lists`

// dumb tells whether the terminal says that it can only write line after line.
func dumb() bool { return os.Getenv("TERM") == "dumb" }

// draw is what characters are drawn with, where that was asked for.
func (f *appFlags) draw() theme.Drawing {
	switch {
	case f.ascii:
		return theme.ASCII
	case f.unicode:
		return theme.Unicode
	}
	return ""
}

// check refuses flags that are wrong whatever is opened, and gives the look.
func (f *appFlags) check(folders []string) (look theme.Config, err error) {
	wrong := func(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
	if look, err = theme.Detect(theme.Choice{Theme: f.theme, Draw: f.draw(), Getenv: os.Getenv, Terminal: true}); err != nil {
		return look, usageError{err}
	}
	switch {
	case f.ascii && f.unicode:
		return look, wrong("--ascii and --unicode exclude each other: leave one of them out")
	case f.mouse != "on" && f.mouse != "off":
		return look, wrong("--mouse %q: expected on or off", f.mouse)
	case f.remember != "on" && f.remember != "off":
		_, err := memoryFile(f.remember)
		return look, err
	case f.screen != "" && !slices.Contains(ui.Screens(), f.screen):
		return look, wrong("--screen %q: expected %s", f.screen, screenNames())
	case f.flags != nil && f.flags.Changed("capacity") && f.capacity < 1:
		return look, wrong("--capacity %d: expected at least 1", f.capacity)
	case len(folders) > 0 && (f.dir != "" || f.fresh):
		return look, wrong("a folder is given to look at runs, --output-dir and --new say where to run: leave one of them out")
	}
	if _, err := f.cost.prices(); err != nil {
		return look, err
	}
	if _, err := f.clock(); err != nil {
		return look, err
	}
	_, err = f.protocol.location()
	return look, err
}

func (f *appFlags) options(ctx context.Context, std stdio, folders []string) (ui.Options, error) {
	look, err := f.check(folders)
	if err != nil {
		return ui.Options{}, err
	}
	remembered, err := memoryFile(f.remember)
	if err != nil {
		return ui.Options{}, err
	}
	clock, err := f.clock()
	if err != nil {
		return ui.Options{}, err
	}
	found, engine, err := f.open(ctx, folders)
	if err != nil {
		return ui.Options{}, err
	}
	return ui.Options{
		Clock:    clock,
		Settings: keptSettings().Path,
		Engine:   engine,
		Library:  found,
		Publish:  found,
		Secrets:  secretsOf,
		Capacity: f.capacity,
		Theme:    theme.New(look),
		Mouse:    f.mouse == "on",
		Screen:   screen.ID(f.screen),
		Case:     f.caseID,
		Memory:   remembered,
		Input:    std.in,
		Output:   std.out.File,
		Stderr:   std.err,
		OpenStore: func(ctx context.Context, tell func(string)) (*memstore.Store, error) {
			return readMemory(ctx, f.store, tell)
		},
	}, nil
}

// open finds the protocols, the runs, and what is open first: nil where that is
// for the reader to choose.
func (f *appFlags) open(ctx context.Context, folders []string) (*library, ui.Engine, error) {
	runsDir := f.runsDir
	if runsDir == "" {
		var err error
		if runsDir, err = session.StateDir(os.Getenv); err != nil && f.dir == "" && len(folders) == 0 {
			return nil, nil, usageError{err}
		}
	}
	looked := folders
	if len(folders) == 0 || f.runsDir != "" {
		looked = append(slices.Clone(folders), runsDir)
	}
	found, err := newLibrary(f, runsDir, looked, len(folders) == 0)
	if err != nil {
		return nil, nil, err
	}
	if most := found.pool() - 1; f.capacity > most {
		return nil, nil, usageError{fmt.Errorf("--capacity %d: a pool has %d facts, expected 1 to %d", f.capacity, most+1, most)}
	}
	if len(folders) > 0 {
		engine, err := found.first(ctx, folders)
		return found, engine, err
	}
	dir, err := f.folder(runsDir, found.studies[0].contracts)
	if err != nil {
		return nil, nil, err
	}
	engine, err := found.open(ctx, found.studies[0], dir, runs.Inspect(dir).Kind == runs.Published)
	if err != nil {
		return nil, nil, err
	}
	return found, engine, nil
}

// folder gives the run folder to open: the one named, the study's latest, or a
// new one.
func (f *appFlags) folder(runsDir string, c *study.Contracts) (string, error) {
	if f.dir != "" {
		return filepath.Clean(f.dir), nil
	}
	if f.fresh {
		dir, err := session.MakeFolder(runsDir, c.Location.Name, time.Now())
		if err != nil {
			return "", fmt.Errorf("no new run folder: %w", err)
		}
		return dir, nil
	}
	if dir, ok := session.LatestFolder(runsDir, c.Location.Name, c.Identity); ok {
		return dir, nil
	}
	return session.NewFolder(runsDir, c.Location.Name, time.Now()), nil
}
