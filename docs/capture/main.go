// Capture makes the pictures of the documentation from the real program: it
// builds the binary, runs the sample study in it under a pseudo terminal, opens
// each shot of shots.go by keys alone and writes what the terminal shows as
// docs/images/NAME.svg.
//
//	go run ./docs/capture                 every picture
//	go run ./docs/capture -only case      one of them
//	go run ./docs/capture -check          write nothing; fail if a shot is not reached
//
// Home, state folder and working folder are temporary and empty, and the run
// folder has a fixed name, so that pictures made twice are the same.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run carries out one command line; it gives 2 for wrong use and 1 where a
// picture could not be made.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("capture", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", "", "folder to write to (default: docs/images of the module)")
	only := flags.String("only", "", "make this picture alone")
	check := flags.Bool("check", false, "reach every shot but write nothing")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "capture: takes no arguments, found %q\n", flags.Arg(0))
		return 2
	}
	wanted, err := pick(shots(), *only)
	if err != nil {
		fmt.Fprintln(stderr, "capture:", err)
		return 2
	}
	if err := capture(ctx, wanted, *out, *check, stdout); err != nil {
		fmt.Fprintln(stderr, "capture:", err)
		return 1
	}
	return 0
}

// pick gives the shot named only, or all where it is empty.
func pick(all []shot, only string) ([]shot, error) {
	if only == "" {
		return all, nil
	}
	names := make([]string, len(all))
	for i, s := range all {
		if s.name == only {
			return []shot{s}, nil
		}
		names[i] = s.name
	}
	return nil, fmt.Errorf("no shot is called %q; there are %s", only, strings.Join(names, ", "))
}

// capture makes the wanted pictures. A shot that fails does not keep the
// others from being made; all failures are in the error.
func capture(ctx context.Context, wanted []shot, out string, check bool, log io.Writer) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(root, "docs", "images")
	}
	demo, err := newWorkspace(ctx, root)
	if err != nil {
		return err
	}
	defer demo.remove()

	if _, err := demo.take(ctx, studyRun()); err != nil {
		return fmt.Errorf("running the sample study: %w", err)
	}
	if err := demo.fixDates(); err != nil {
		return err
	}
	if err := demo.writeOther(); err != nil {
		return err
	}
	var failed []error
	for _, s := range wanted {
		note, err := picture(ctx, demo, s, out, check)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		fmt.Fprintf(log, "%-16s %dx%d  %s\n", s.name, s.cols, s.rows, note)
	}
	return errors.Join(failed...)
}

// picture makes one picture and says what became of it.
func picture(ctx context.Context, demo *workspace, s shot, out string, check bool) (string, error) {
	g, err := demo.take(ctx, s)
	if err != nil {
		return "", err
	}
	drawn := drawSVG(g, s.frame())
	path := filepath.Join(out, s.name+".svg")
	stored, err := os.ReadFile(path)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return "", err
	case bytes.Equal(stored, drawn):
		return "unchanged", nil
	case check && stored == nil:
		return "reached; not stored yet", nil
	case check:
		return "reached; the stored picture differs", nil
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	return "written", os.WriteFile(path, drawn, 0o644)
}

// moduleRoot is the folder of the module that the command is run in.
func moduleRoot(ctx context.Context) (string, error) {
	said, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("asking go for the module: %w", err)
	}
	file := strings.TrimSpace(string(said))
	if file == "" || file == os.DevNull {
		return "", errors.New("not in a module; run it inside the checkout")
	}
	return filepath.Dir(file), nil
}
