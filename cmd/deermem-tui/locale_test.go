//go:build unix

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// onDumb runs a command to its end on a terminal that says TERM=dumb.
func onDumb(t *testing.T, args ...string) (said string, code int) {
	t.Helper()
	cmd := invocation{args: args, env: []string{"TERM=dumb"}}.command(t)
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no terminal can be made here (%v): skipped", err)
	}
	defer terminal.Close()
	var all bytes.Buffer
	_, _ = io.Copy(&all, terminal) // ends with an error once the program has
	_ = cmd.Wait()
	if strings.Contains(all.String(), "\x1b") {
		t.Errorf("%v writes escapes to a dumb terminal: %q", args, all.String())
	}
	return all.String(), cmd.ProcessState.ExitCode()
}

func TestADumbTerminalIsToldTheCommandsInstead(t *testing.T) {
	said, code := onDumb(t)
	if code != exitRefused {
		t.Errorf("it ended with %d", code)
	}
	for _, want := range []string{"TERM=dumb", "deermem-tui run-qa --output-dir DIR", "--progress plain"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
}

func TestOnADumbTerminalARunIsWatchedInLines(t *testing.T) {
	folder := t.TempDir()
	tui(t, "run-qa", "--output-dir", folder).must(t)
	if said, code := onDumb(t, "attach", folder); code != exitDone || !strings.Contains(said, "90 of 90 rows stored") {
		t.Errorf("it ended with %d and said:\n%s", code, said)
	}
}

func TestTheLocaleDecidesWhatIsDrawnUnlessAFlagDoes(t *testing.T) {
	for _, c := range []struct {
		locale, flag string
		frame        string
	}{
		{"LC_ALL=C", "", "+-"},
		{"LC_ALL=C", "--unicode", "╭─"},
		{"LC_ALL=C.UTF-8", "", "╭─"},
		{"LC_ALL=C.UTF-8", "--ascii", "+-"},
	} {
		args := []string{"--remember", "off"}
		if c.flag != "" {
			args = append(args, c.flag)
		}
		app := invocation{args: args, env: []string{c.locale}}.onTerminal(t)
		app.until("Press s")
		app.press("q")
		app.end()
		all := app.shown()
		if !strings.Contains(all, c.frame) {
			t.Errorf("%s %s: no %q is drawn", c.locale, c.flag, c.frame)
		}
		if pure := strings.IndexFunc(all, func(r rune) bool { return r > 0x7e }) < 0; pure != (c.frame == "+-") {
			t.Errorf("%s %s: only ASCII is %v", c.locale, c.flag, pure)
		}
	}
}
