//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// onTerminal is a command on a terminal that is read all the while: a program
// whose terminal is full waits to be read and hears no key.
type onTerminal struct {
	*explorer
}

func (i invocation) onTerminal(t *testing.T) *onTerminal {
	t.Helper()
	i.env = append(i.env, "TERM=xterm-256color", "NO_COLOR=1")
	return &onTerminal{explore(t, i.command(t))}
}

// until waits until the terminal was shown a text, since the last one.
func (o *onTerminal) until(text string) {
	o.t.Helper()
	o.await(text)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.from += strings.Index(o.seen.String()[o.from:], text)
}

// shown is all that the terminal was shown so far.
func (o *onTerminal) shown() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen.String()
}

// press types without forgetting what was shown before.
func (o *onTerminal) press(keys string) {
	o.t.Helper()
	if _, err := o.pty.WriteString(keys); err != nil {
		o.t.Fatal(err)
	}
}

// end waits until the command has ended and gives its exit code.
func (o *onTerminal) end() int {
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
	early := p.ask(append([]string{"attach", folder}, study.flags()...)...).onTerminal(t)
	early.until("running run-qa 5/90")
	early.press("q") // it goes, the run stays
	if code := early.end(); code != exitDone || strings.Contains(early.shown(), "Closing the run") {
		t.Errorf("leaving a run that is watched ended with %d and the words\n%s", code, early.shown())
	}
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
	app.until("for 90 answers") // said once the study was read
	app.press("s")
	app.until("Ahead: 90 calls, about ")
	if n := len(p.calls()); n != 0 {
		t.Fatalf("%d calls before it was agreed to", n)
	}
	if text := app.shown(); strings.Contains(text, secretKey) {
		t.Error("the key was shown")
	}
	app.press("y")
	g.held(workers)
	app.until("running run-qa 5/90") // the screen knows that it asks
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

// What the Run screen knows of a row, and of looks, it reads from the folder.
func TestTheRunScreenShowsWhatTheFolderHolds(t *testing.T) {
	folder := t.TempDir()
	tui(t, "run-qa", "--output-dir", folder).must(t)
	first := filepath.Join(folder, "responses", fileNames(t, filepath.Join(folder, "responses"))[0])
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	tui(t, "grade-qa", "--output-dir", folder, "--peek", "--yes").must(t)

	app := invocation{args: []string{"--output-dir", folder, "--screen", "run", "--remember", "off"}}.onTerminal(t)
	app.until("89/90 stored")
	app.until("1 row still to be asked: r goes on there")
	app.press("o")
	app.until("Rows: not there yet 1 of 90")
	app.press("\r")
	app.until("nothing yet")
	app.press("\x1b")
	app.until("only some")
	app.press("o")
	app.until("Rows 89/90")
	app.press("\r")
	app.until("kept      ")
	app.until("prompt_tokens: ")
	app.press("\x1b")
	app.until("r resume")
	app.press("r")
	app.until("of its own; 1 look before the end") // with the results
	app.press("q")
	if code := app.end(); code != exitDone {
		t.Errorf("it ended with %d", code)
	}
}
