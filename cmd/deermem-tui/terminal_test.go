//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

func TestWithoutATerminalTheApplicationNamesTheCommands(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r := tui(t)
	r.refused(t, exitRefused, "needs a terminal", "deermem-tui validate", "deermem-tui run-policy --output-dir",
		"deermem-tui run-qa --output-dir", "deermem-tui grade-qa --output-dir", "deermem-tui explain --case")
	if r.stdout != "" {
		t.Errorf("standard output is %q", r.stdout)
	}
}

// Commands must not wait for a terminal that never answers, so they must not
// ask it anything: the terminal here reads all and stays mute.
func TestCommandsAskATerminalNothing(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"validate"}, {"validate", "--json"}, {"--help"}, {"explain", "--help"}} {
		cmd := invocation{args: args, env: []string{"TERM=xterm-256color"}}.command(t)
		terminal, err := pty.Start(cmd)
		if err != nil {
			t.Skipf("no terminal can be made here (%v): skipped", err)
		}
		var said bytes.Buffer
		_, _ = io.Copy(&said, terminal) // ends with an error once the program has
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		terminal.Close()
		for _, question := range []string{"\x1b]10;?", "\x1b]11;?", "\x1b[6n", "\x1b[c", "\x1b[>c", "\x1b[?u"} {
			if strings.Contains(said.String(), question) {
				t.Errorf("%v asks the terminal %q", args, question)
			}
		}
		if said.Len() == 0 {
			t.Errorf("%v says nothing", args)
		}
	}
}
