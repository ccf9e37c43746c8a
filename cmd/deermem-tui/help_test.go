package main

import (
	"strings"
	"testing"
)

var commands = []string{
	"validate-contracts", "validate", "run-policy", "run-qa", "grade-qa", "explain", "serve-offline", "version", "completion",
}

func TestHelpListsEveryCommandAndTheExitCodes(t *testing.T) {
	help := tui(t, "--help").must(t).stdout
	for _, want := range append(commands, "Exit codes: 0 done; 1 the work failed; 2 wrong use or a refused input.") {
		if !strings.Contains(help, want) {
			t.Errorf("help does not hold %q:\n%s", want, help)
		}
	}
	for _, command := range commands {
		if a, b := tui(t, command, "--help").must(t), tui(t, "help", command).must(t); a.stdout != b.stdout || !strings.Contains(a.stdout, "Usage:") {
			t.Errorf("%s --help is\n%s\nhelp %s is\n%s", command, a.stdout, command, b.stdout)
		}
	}
}

func TestStageCommandsTakeTheReferencesFlags(t *testing.T) {
	for _, command := range []string{"run-policy", "run-qa", "grade-qa"} {
		help := tui(t, command, "--help").must(t).stdout
		for _, flag := range []string{"--config", "--official-manifest", "--synthetic-manifest", "--dataset", "--output-dir", "--protocol ", "--protocol-dir", "--progress", "--json"} {
			if !strings.Contains(help, flag) {
				t.Errorf("%s has no %s", command, flag)
			}
		}
	}
}

func TestCompletionScriptsKnowTheCommands(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := tui(t, "completion", shell).must(t); !strings.Contains(r.stdout, "deermem-tui") {
			t.Errorf("%s: the script does not name the program", shell)
		}
	}
	// What the scripts ask the program itself. Its lines hold tabs.
	out, err := invocation{args: []string{"__complete", "run-"}}.command(t).Output()
	if text := string(out); err != nil || !strings.Contains(text, "run-policy\t") || !strings.Contains(text, "run-qa\t") {
		t.Errorf("completing run- gives %v\n%s", err, text)
	}
}
