// The tests run the program as its users do: the built binary, its arguments
// and environment, its exit code and what it writes.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	folder, err := os.MkdirTemp("", "deermem-tui-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	binary = filepath.Join(folder, "deermem-tui")
	args := []string{"build", "-o", binary}
	if raceEnabled {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the program does not build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// result is what a finished command left.
type result struct {
	code           int
	stdout, stderr string
}

// invocation is one start of the program: in an empty folder, with a home of
// its own and no variable but those given.
type invocation struct {
	args []string
	env  []string // NAME=value
	dir  string   // working directory; empty: a fresh one
}

func (i invocation) command(t testing.TB) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(binary, i.args...)
	cmd.Dir = i.dir
	if cmd.Dir == "" {
		cmd.Dir = home
	}
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(home), // the tests' folder may be in a repository
		"GORACE=halt_on_error=1 exitcode=66 atexit_sleep_ms=0",
	}, i.env...)
	return cmd
}

func (i invocation) run(t testing.TB) result {
	t.Helper()
	cmd := i.command(t)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	r.checkCalm(t)
	return r
}

// tui runs a command line.
func tui(t testing.TB, args ...string) result {
	t.Helper()
	return invocation{args: args}.run(t)
}

// must fails the test unless the command was done.
func (r result) must(t testing.TB) result {
	t.Helper()
	if r.code != exitDone {
		t.Fatalf("exit code %d\nstandard output:\n%s\nstandard error:\n%s", r.code, r.stdout, r.stderr)
	}
	return r
}

// checkCalm holds of every command: whatever happens, no stack trace and
// nothing that acts on the terminal.
func (r result) checkCalm(t testing.TB) {
	t.Helper()
	for _, text := range []string{r.stdout, r.stderr} {
		for _, trace := range []string{"goroutine ", "panic:", "DATA RACE", ".go:"} {
			if strings.Contains(text, trace) {
				t.Errorf("the output holds %q:\n%s", trace, text)
			}
		}
		if at := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && c < ' ' || acting(c) }); at >= 0 {
			t.Errorf("the output holds %q:\n%q", text[at:at+1], text)
		}
	}
}

// refused checks an exit code and that standard error says everything wanted.
func (r result) refused(t testing.TB, code int, wants ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, want := range wants {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("standard error does not say %q:\n%s", want, r.stderr)
		}
	}
}

func readFile(t testing.TB, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func writeFile(t testing.TB, text string, elements ...string) string {
	t.Helper()
	path := filepath.Join(elements...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// fileNames lists a folder, hidden files too; nil where there is none.
func fileNames(t testing.TB, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
