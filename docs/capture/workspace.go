// Where the program runs while it is photographed: an empty home, an empty
// working folder, and an environment that is the same on every machine.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// runFolder is where every shot keeps its run, relative to the working folder:
// a name without a time and without a path of this machine.
const runFolder = "runs/demo"

type workspace struct {
	dir    string // holds the three below
	binary string
	home   string
	work   string
}

// newWorkspace builds the binary into a new temporary folder.
func newWorkspace(ctx context.Context, root string) (*workspace, error) {
	dir, err := os.MkdirTemp("", "demo")
	if err != nil {
		return nil, err
	}
	w := &workspace{dir: dir, binary: filepath.Join(dir, "deermem-tui"), home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work")}
	for _, folder := range []string{w.home, w.work} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			w.remove()
			return nil, err
		}
	}
	if err := writeMemory(filepath.Join(w.work, memoryFolder)); err != nil {
		w.remove()
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", w.binary, "./cmd/deermem-tui")
	build.Dir = root
	if said, err := build.CombinedOutput(); err != nil {
		w.remove()
		return nil, fmt.Errorf("building ./cmd/deermem-tui: %w\n%s", err, said)
	}
	return w, nil
}

func (w *workspace) remove() { _ = os.RemoveAll(w.dir) }

// command is the program with a shot's flags. Nothing of the caller's
// environment reaches it but the search path.
func (w *workspace) command(ctx context.Context, flags []string) *exec.Cmd {
	c := exec.CommandContext(ctx, w.binary, append([]string{"--output-dir", runFolder, "--remember", "off"}, flags...)...)
	c.Dir = w.work
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + w.home,
		"XDG_STATE_HOME=" + filepath.Join(w.home, "state"),
		"TERM=xterm-256color", "COLORTERM=truecolor",
		"LANG=C.UTF-8", "TZ=UTC",
	}
	return c
}

var createdAt = regexp.MustCompile(`("created_at": )"[^"]*"`)

// fixDates gives the run a date that is the same whenever the pictures are made.
func (w *workspace) fixDates() error {
	for _, name := range []string{"run.json", "qa_run.json"} {
		file := filepath.Join(w.work, filepath.FromSlash(runFolder), name)
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, createdAt.ReplaceAll(data, []byte(`$1"2026-06-01T12:00:00.000000Z"`)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// take runs a shot's steps and gives the screen they end on.
func (w *workspace) take(ctx context.Context, s shot) (grid, error) {
	t, err := startTerminal(w.command(ctx, s.flags), s.cols, s.rows)
	if err != nil {
		return grid{}, err
	}
	defer t.close()
	for _, st := range s.steps {
		keys, err := parseKeys(st.keys)
		if err != nil {
			return grid{}, err
		}
		for _, key := range keys {
			if err := t.press(ctx, key); err != nil {
				return grid{}, err
			}
		}
		if err := t.await(ctx, st.wait); err != nil {
			return grid{}, err
		}
	}
	g, err := t.settled(ctx)
	if err != nil {
		return grid{}, err
	}
	if text := g.text(); strings.Contains(text, w.dir) {
		return grid{}, fmt.Errorf("the screen shows a path of this machine (%s):\n%s", w.dir, text)
	}
	return g, nil
}
