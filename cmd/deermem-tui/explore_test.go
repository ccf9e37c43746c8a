//go:build unix

package main

import (
	"bytes"
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// explorer is the application in a terminal of its own.
type explorer struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	mu   sync.Mutex
	cond *sync.Cond
	seen bytes.Buffer
	from int // what was awaited before lies before this
	eof  bool
}

// patience is far beyond what a loaded machine needs for a walk.
const patience = 3 * time.Minute

func explore(t *testing.T, cmd *exec.Cmd) *explorer {
	t.Helper()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 36, Cols: 120})
	if err != nil {
		t.Skipf("no terminal can be made here (%v): skipped", err)
	}
	e := &explorer{t: t, cmd: cmd, pty: terminal}
	e.cond = sync.NewCond(&e.mu)
	var reading sync.WaitGroup
	reading.Go(func() {
		part := make([]byte, 1<<14)
		for {
			n, err := terminal.Read(part)
			e.mu.Lock()
			e.seen.Write(part[:n])
			e.eof = err != nil
			e.cond.Broadcast()
			e.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	// A program that waits for something else than the test does would hang it
	// without a word; ended, it shows the screen it waits on.
	watchdog := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		watchdog.Stop()
		_ = cmd.Process.Kill()
		_ = terminal.Close()
		reading.Wait()
	})
	return e
}

// press sends keys; what is awaited next has to come after them.
func (e *explorer) press(keys string) {
	e.t.Helper()
	e.mu.Lock()
	e.from = e.seen.Len()
	e.mu.Unlock()
	if _, err := io.WriteString(e.pty, keys); err != nil {
		e.t.Fatal(err)
	}
}

// await waits until the terminal received the texts.
func (e *explorer) await(texts ...string) {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, text := range texts {
		for !strings.Contains(e.seen.String()[e.from:], text) {
			if e.eof {
				e.t.Fatalf("the terminal closed without %q:\n%q", text, e.seen.String()[e.from:])
			}
			e.cond.Wait()
		}
	}
}

// ended waits until the program and its terminal are done.
func (e *explorer) ended(code int) {
	e.t.Helper()
	_ = e.cmd.Wait()
	if got := e.cmd.ProcessState.ExitCode(); got != code {
		e.t.Errorf("exit code %d, want %d:\n%q", got, code, e.said())
	}
}

// said gives all that an ended program wrote to its terminal.
func (e *explorer) said() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for !e.eof {
		e.cond.Wait()
	}
	return e.seen.String()
}

// The afternoon of an engineer in one minute: run the sample, walk every
// screen, filter, copy, export, leave, come back where one left.
func TestTheApplicationIsExploredByKeysAlone(t *testing.T) {
	start := invocation{args: []string{"--output-dir", "run"}, env: []string{"TERM=xterm-256color", "NO_COLOR=1"}, dir: t.TempDir()}
	cmd := start.command(t)
	e := explore(t, cmd)
	e.await("Press s")
	e.press("s")
	e.await("graded 90/90")
	for _, walk := range []struct{ keys, wait string }{
		{"1", "▸1 Study"}, {"4", "▸4 Pairs"}, {"5", "▸5 Statistics"}, {"2", "▸2 Run"}, {"3", "▸3 Cases"},
	} {
		e.press(walk.keys)
		e.await(walk.wait)
	}
	e.press("/")
	e.await("filter: ")
	e.press("pair=disc kept=no") // what is read in one go is text only where text is typed
	e.await("13 of 45")
	e.press("\r")
	e.await("filter: pair=disc")
	e.press("y")
	e.await("\x1b]52;c;"+base64.StdEncoding.EncodeToString([]byte("cat-weight")), "copied cat-weight")
	e.press("e")
	e.await("Export", "sample-cases")
	e.press("\r")
	e.await("wrote 13 rows to sample-cases.csv")
	e.press("e\r")
	e.await("exists already")
	e.press("\x1b")
	e.await("enter open")
	if lines := strings.Count(readFile(t, start.dir, "sample-cases.csv"), "\n"); lines != 14 {
		t.Errorf("the export has %d lines", lines)
	}
	e.press("\r")
	e.await("Why evicted", "› cat-weight")
	e.press("[")
	e.await("not one of the protocol's")
	e.press("q")
	e.ended(exitDone)

	again := start.command(t)
	again.Env = cmd.Env // the same home
	e = explore(t, again)
	e.await("› cat-weight", "[6] of 10")
	e.press("\x1b")
	e.await("filter: pair=disc kept=no")
	if err := e.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = e.cmd.Wait()
	if names := fileNames(t, filepath.Join(homeOf(t, cmd), "state", "deermem-tui")); len(names) == 0 {
		t.Error("nothing was remembered")
	}

	off := start.command(t)
	off.Args, off.Env = append(off.Args, "--remember", "off"), cmd.Env
	e = explore(t, off)
	e.await("graded 90/90", "▸2 Run")
	e.press("q")
	e.ended(exitDone)
}

func homeOf(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	for _, variable := range cmd.Env {
		if home, ok := strings.CutPrefix(variable, "HOME="); ok {
			return home
		}
	}
	t.Fatal("the program has no home")
	return ""
}
