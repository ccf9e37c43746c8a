//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"deermem-tui/engine/whatif/kept"
)

// lookAround walks through the screens of a store: every view, the clock, an
// agent played with, a setting kept, the store read again.
func lookAround(e *explorer) {
	e.await("Likes", "cap 3 (last eviction)")
	e.press("v")
	e.await("[goes next]", "All together, 1 of 4 go")
	e.press("v")
	e.await("[compare]", "only hybrid-v1 keeps")
	e.press("v")
	e.await("[time line]", "disagreed", "1 of 1")
	e.press("v")
	e.await("[audit]", "recorded in the audit")
	e.press("t")
	e.await("clock:")
	e.press("+30d\r")
	e.await("2026-09-12 (set)")
	e.press("\x12") // ctrl+r
	e.press("w")
	e.await("exploratory", "deer-flow at clock 2026-09-12 (set)")
	e.press("HH")
	e.await("moved")
	e.press("a")
	e.await("keep this setting as:")
	e.press("low\r")
	e.await("kept as low")
	e.press("s")
	e.await("1 kept", "Compared")
	e.press("s") // closes the list
	e.await("Facts kept")
	e.press("q")
	e.ended(exitDone)
}

func screenOf(t *testing.T, root string, more ...string) *exec.Cmd {
	return invocation{
		args: append([]string{"--runs-dir", "runs", "--screen", "store", "--store", root, "--now", storeNow}, more...),
		env:  []string{"TERM=xterm-256color"},
	}.command(t)
}

func TestTheScreensOfAStoreChangeNothingInIt(t *testing.T) {
	root := memory(t)
	before := tree(t, root)
	cmd := screenOf(t, root)
	lookAround(explore(t, cmd))
	if tree(t, root) != before {
		t.Error("the store was touched")
	}
	var state string
	for _, variable := range cmd.Env {
		if dir, ok := strings.CutPrefix(variable, "XDG_STATE_HOME="); ok {
			state = filepath.Join(dir, "deermem-tui")
		}
	}
	says(t, readFile(t, state, kept.FileName), `"name": "low"`, `"exploratory": true`)
	// The command takes what the screen kept.
	r := invocation{args: []string{"what-if", "--take", "low"}, env: []string{"XDG_STATE_HOME=" + filepath.Dir(state)}}.run(t).must(t)
	says(t, r.stdout, "taken     low, kept over agent Coder of ana@example.org in "+filepath.Base(root), "confidence-weight 0.450 instead of 0.650")
}

// On a mount that refuses every write all of it works the same: the commands,
// and the screens.
func TestAStoreOnAReadOnlyMountIsRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("mounts are made as Linux makes them: skipped")
	}
	root := memory(t)
	before := tree(t, root)
	// The script mounts the folder over itself, proves that it cannot be written,
	// and becomes the program.
	const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ! touch "$1/x" 2>/dev/null || exit 99; shift; exec "$@"`
	mounted := func(cmd *exec.Cmd) *exec.Cmd {
		args := append([]string{"-rm", "sh", "-c", script, "sh", root}, cmd.Args...)
		under := exec.Command("unshare", args...)
		under.Env, under.Dir = cmd.Env, cmd.Dir
		return under
	}
	for _, args := range [][]string{
		{"store", root}, {"store", root, "--json"}, {"store", root, "--agent", "coder", "--compare"}, {"store", root, "--agent", "coder", "--audit", "--csv"},
		{"store", root, "--fact", "gone"}, {"what-if", "--store", root, "--agent", "coder", "--fact", "f3", "--keep", "x"},
	} {
		plain := tui(t, args...).must(t)
		out, err := mounted(invocation{args: args}.command(t)).Output()
		if _, ok := err.(*exec.ExitError); err != nil && (!ok || err.(*exec.ExitError).ExitCode() == 99 || len(out) == 0) {
			t.Skipf("no mount can be made here (%v): skipped", err)
		}
		if lines := strings.Count(string(out), "\n"); lines != strings.Count(plain.stdout, "\n") || lines == 0 {
			t.Errorf("%v: on the mount it says\n%s\nelsewhere\n%s", args, out, plain.stdout)
		}
	}
	lookAround(explore(t, mounted(screenOf(t, root))))
	if tree(t, root) != before {
		t.Error("the store was touched")
	}
	if _, err := os.Stat(filepath.Join(root, "x")); err == nil {
		t.Error("the mount was not read-only: the test shows nothing")
	}
}
