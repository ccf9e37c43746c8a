//go:build unix

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/creack/pty"
)

func TestWithoutATerminalTheApplicationNamesTheCommands(t *testing.T) {
	r := tui(t) // its standard input is the null device
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

// What cannot be opened is said before the screen is taken.
func TestTheApplicationRefusesWhatItCannotOpen(t *testing.T) {
	for name, c := range map[string]struct {
		args  []string
		wants []string
	}{
		"an unknown theme":            {[]string{"--theme", "pink"}, []string{"pink", "dark", "light"}},
		"an unknown state of a mouse": {[]string{"--mouse", "maybe"}, []string{"--mouse", "maybe", "on or off"}},
		"an unknown screen":           {[]string{"--screen", "sauna"}, []string{"--screen", "sauna", "home, study, run, cases", "statistics"}},
		"a clock that is none":        {[]string{"--now", "soon"}, []string{"--now", "soon", "expected a time"}},
		"a capacity below one":        {[]string{"--capacity", "-2"}, []string{"--capacity", "at least 1"}},
		"a capacity of none":          {[]string{"--capacity", "0"}, []string{"--capacity 0", "at least 1"}},
		"a capacity beyond the pool":  {[]string{"--capacity", "99"}, []string{"--capacity 99", "1 to 9"}},
		"a folder that is not there":  {[]string{"/no/such/run"}, []string{"/no/such/run", "no such folder"}},
		"a folder and a new run":      {[]string{".", "--new"}, []string{"--new", "leave one"}},
		"a mistyped command":          {[]string{"valdate"}, []string{"valdate", "validate"}},
		"an unknown protocol":         {[]string{"--protocol", "pr1"}, []string{"--protocol", "pr1", "sample"}},
		"no dataset":                  {[]string{"--protocol", "pr4789"}, []string{"--dataset", "LONGMEMEVAL_ORACLE_PATH"}},
		"a folder without a protocol": {[]string{"--protocol-dir", "/no/such", "--dataset", "x"}, []string{"/no/such"}},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := invocation{args: c.args, env: []string{"TERM=xterm-256color"}}.command(t)
			terminal, err := pty.Start(cmd)
			if err != nil {
				t.Skipf("no terminal can be made here (%v): skipped", err)
			}
			defer terminal.Close()
			var said bytes.Buffer
			_, _ = io.Copy(&said, terminal)
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitRefused {
				t.Errorf("exit code %d, want %d", code, exitRefused)
			}
			for _, want := range c.wants {
				if !strings.Contains(said.String(), want) {
					t.Errorf("it does not say %q:\n%q", want, said.String())
				}
			}
			if strings.Contains(said.String(), "\x1b[?1049h") {
				t.Errorf("the screen was taken:\n%q", said.String())
			}
		})
	}
}
