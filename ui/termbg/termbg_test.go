//go:build !windows

package termbg_test

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/creack/pty"

	_ "deermem-tui/ui/termbg"
)

func TestTheBackgroundIsSetBeforeAnybodyAsks(t *testing.T) {
	if !lipgloss.HasDarkBackground() {
		t.Error("the default is not dark")
	}
}

// The terminal of this test never answers: a program that asked would stop for
// five seconds, and its question would be in what the terminal received.
func TestAProgramStartsWithoutAskingAMuteTerminal(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "mute")
	if out, err := exec.Command("go", "build", "-o", binary, "./testdata/mute").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	cmd := exec.Command(binary)
	cmd.Env = []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer func() { _ = terminal.Close() }()
	received, _ := io.ReadAll(terminal) // ends with an error when the program has ended
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if text := string(received); !strings.Contains(text, "ready true") || strings.Contains(text, "\x1b") {
		t.Errorf("the terminal received %q, want one line and no question", text)
	}
}
