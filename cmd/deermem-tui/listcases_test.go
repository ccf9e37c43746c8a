package main

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

func TestExplainListsEveryCase(t *testing.T) {
	text := tui(t, "explain", "--list").must(t).stdout
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != 46 {
		t.Errorf("%d lines, want a heading and 45 cases:\n%s", len(lines), text)
	}
	if !strings.Contains(text, "cat-weight") || !strings.Contains(text, "confidence 9, hybrid-v1 5 7 9") {
		t.Errorf("cat-weight is not listed with its retention:\n%s", text)
	}
	var doc struct {
		Cases []struct {
			Case  string `json:"case_id"`
			Cells []struct {
				Retained bool `json:"support_all_retained"`
			}
		}
	}
	if err := json.Unmarshal([]byte(tui(t, "explain", "--list", "--json").must(t).stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Cases) != 45 || len(doc.Cases[0].Cells) != 6 {
		t.Errorf("%d cases of %d cells, want 45 of 6", len(doc.Cases), len(doc.Cases[0].Cells))
	}
}

func TestShellsAreGivenTheValuesOfFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"explain", "--case", ""}, "cat-weight"},
		{[]string{"explain", "--policy", ""}, "hybrid-v1"},
		{[]string{"validate", "--protocol", ""}, "pr4789"},
		{[]string{"run-qa", "--progress", ""}, "json"},
	} {
		out, err := invocation{args: append([]string{"__complete"}, c.args...)}.command(t).Output()
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v, %q", c.args, err, out)
		}
	}
}

func TestVersionIsAFlagToo(t *testing.T) {
	if a, b := tui(t, "--version").must(t).stdout, tui(t, "version").must(t).stdout; a != b {
		t.Errorf("--version prints %q, version prints %q", a, b)
	}
}

func TestNumbersAreAskedForInPlainWords(t *testing.T) {
	r := tui(t, "explain", "--capacity", "1.5")
	r.refused(t, exitRefused, "--capacity", `expected a whole number, found "1.5"`)
	if strings.Contains(r.stderr, "strconv") {
		t.Errorf("it speaks of strconv: %s", r.stderr)
	}
}

func TestAReaderOfStandardErrorMayLeave(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd := invocation{args: []string{"validate", "--progress", "json"}}.command(t)
	cmd.Stderr = write
	out, err := cmd.Output()
	write.Close()
	if err != nil || !strings.Contains(string(out), "is valid") {
		t.Errorf("error %v, output %q", err, out)
	}
}

func TestAReaderOfStandardOutputThatLeftIsAFailureWithoutNoise(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd := invocation{args: []string{"explain", "--list"}}.command(t)
	cmd.Stdout = write
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	said, _ := io.ReadAll(stderr)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFailed || len(said) != 0 {
		t.Errorf("exit code %d, standard error %q", code, said)
	}
}
