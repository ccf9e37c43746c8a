//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// onTerminal is a command whose terminal is read until a text is seen.
type onTerminal struct {
	t        testing.TB
	cmd      *exec.Cmd
	terminal *os.File
	seen     bytes.Buffer
}

func (i invocation) onTerminal(t testing.TB) *onTerminal {
	t.Helper()
	i.env = append(i.env, "TERM=xterm-256color", "NO_COLOR=1")
	o := &onTerminal{t: t, cmd: i.command(t)}
	var err error
	if o.terminal, err = pty.StartWithSize(o.cmd, &pty.Winsize{Rows: 40, Cols: 140}); err != nil {
		t.Skipf("no terminal can be made here (%v): skipped", err)
	}
	t.Cleanup(func() { _ = o.cmd.Process.Kill(); _ = o.terminal.Close() })
	return o
}

// until reads on until the terminal was shown a text, since the last one.
func (o *onTerminal) until(text string) {
	o.t.Helper()
	part := make([]byte, 1<<16)
	for {
		if at := bytes.Index(o.seen.Bytes(), []byte(text)); at >= 0 {
			o.seen.Next(at)
			return
		}
		n, err := o.terminal.Read(part)
		o.seen.Write(part[:n])
		if err != nil {
			o.t.Fatalf("the terminal was not shown %q:\n%q", text, o.seen.String())
		}
	}
}

func (o *onTerminal) press(keys string) {
	o.t.Helper()
	if _, err := o.terminal.WriteString(keys); err != nil {
		o.t.Fatal(err)
	}
}

func (o *onTerminal) end() int {
	part := make([]byte, 1<<16)
	for {
		if _, err := o.terminal.Read(part); err != nil {
			break
		}
	}
	_ = o.cmd.Wait()
	return o.cmd.ProcessState.ExitCode()
}

func TestAttachShowsTheRunScreenOfAnotherProcess(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	run, g := pausedRun(t, p, study, folder, 5)
	watch := p.ask(append([]string{"attach", folder}, study.flags()...)...).onTerminal(t)
	watch.until("running run-qa 5/90")
	watch.until("stop watching")
	close(g.open)
	if r := run.end(); r.code != exitDone {
		t.Errorf("the run ended with %d:\n%s", r.code, r.stderr)
	}
	watch.until("answers 90/90")
	watch.press("q")
	if code := watch.end(); code != exitDone {
		t.Errorf("attach ended with %d", code)
	}
	if n := len(p.calls()); n != 90 {
		t.Errorf("%d calls", n)
	}
}

func TestTheApplicationAsksBeforeItSpendsAndDrainsBeforeItQuits(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	g := p.shut(5)
	app := p.ask(append([]string{"--output-dir", folder, "--screen", "run", "--remember", "off"}, study.flags()...)...).onTerminal(t)
	app.until("Press s")
	app.press("s")
	app.until("90 calls ahead, about ")
	if n := len(p.calls()); n != 0 {
		t.Fatalf("%d calls before it was agreed to", n)
	}
	if text := app.seen.String(); strings.Contains(text, secretKey) {
		t.Error("the key was shown")
	}
	app.press("y")
	g.held(workers)
	app.press("Q")
	app.until("stopping")
	close(g.open)
	if code := app.end(); code != exitDone {
		t.Errorf("the application ended with %d", code)
	}
	if rows, calls := len(storedRows(t, folder)), len(p.calls()); rows != 5+workers || calls != rows {
		t.Errorf("%d rows of %d calls, want %d of as many", rows, calls, 5+workers)
	}
}
