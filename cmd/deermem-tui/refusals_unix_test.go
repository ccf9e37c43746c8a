//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Reading a pipe that nobody writes would wait for ever.
func TestAPipeIsRefusedWithoutWaiting(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skipf("pipes cannot be made here (%v): skipped", err)
	}
	tui(t, "validate", "--dataset", pipe).refused(t, exitRefused, pipe, "not a regular file")
	study := newProtocol(t)
	for _, flag := range []string{"--config", "--official-manifest", "--synthetic-manifest"} {
		tui(t, append([]string{"validate", flag, pipe}, study.flags()...)...).refused(t, exitRefused, pipe, "not a regular file")
	}
	if err := os.Remove(study.prompt); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(study.prompt, 0o644); err != nil {
		t.Fatal(err)
	}
	tui(t, append([]string{"validate"}, study.flags()...)...).refused(t, exitRefused, study.prompt, "not a regular file")
}

func TestAReadOnlyRunFolderIsRefused(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user: skipped (a read-only file system is tested where one can be mounted)")
	}
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"run-policy", "run-qa"} {
		tui(t, command, "--output-dir", folder).refused(t, exitRefused, folder, "cannot be written", "choose another folder or make this one writable")
		tui(t, command, "--output-dir", filepath.Join(folder, "new")).refused(t, exitRefused, folder, "cannot be written")
	}
}
