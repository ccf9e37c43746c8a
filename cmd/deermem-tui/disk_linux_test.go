package main

import (
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// mount gives a small file system of its own, where one can be mounted.
func mount(t *testing.T, size string) (point string) {
	t.Helper()
	point = t.TempDir()
	if err := unix.Mount("none", point, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("file systems cannot be mounted here (%v): skipped", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(point, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return point
}

func remount(t *testing.T, point string, flags uintptr, options string) {
	t.Helper()
	if err := unix.Mount("none", point, "tmpfs", unix.MS_REMOUNT|flags, options); err != nil {
		t.Skipf("file systems cannot be mounted again here (%v): skipped", err)
	}
}

func TestAFullDiskFailsAndIsNoHindranceOnceThereIsRoom(t *testing.T) {
	point := mount(t, "128k")
	folder := filepath.Join(point, "run")
	r := tui(t, "run-policy", "--output-dir", folder)
	r.refused(t, exitFailed, filepath.Join(folder, "policy.raw.jsonl"), "the disk is full", "free some space and start again")
	if names := fileNames(t, folder); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
	r = tui(t, "run-qa", "--output-dir", folder)
	r.refused(t, exitFailed, "could not be stored", "the disk is full", "free some space")
	kept := storedRows(t, folder)
	if len(kept) == 0 || len(kept) == 90 {
		t.Fatalf("%d rows are kept, want some", len(kept))
	}
	if names := fileNames(t, folder); !slices.Equal(names, []string{"deermem-tui", "qa_run.json", "responses"}) {
		t.Errorf("left behind: %v", names)
	}

	remount(t, point, 0, "size=16m")
	tui(t, "run-policy", "--output-dir", folder).must(t)
	events := progressEvents(t, tui(t, "run-qa", "--progress", "json", "--output-dir", folder).must(t).stderr)
	reused := 0
	for _, event := range events {
		if event["state"] == "reused" {
			reused++
		}
	}
	if reused != len(kept) {
		t.Errorf("%d rows are reused, want the %d that were stored", reused, len(kept))
	}
	tui(t, "grade-qa", "--output-dir", folder).must(t)
}

// The journal keeps room of its own, so that what was sent is known even where
// no answer finds room any more.
func TestTheCountOfCallsOutlivesAFullDisk(t *testing.T) {
	point := mount(t, "160k")
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := filepath.Join(point, "run")
	base := append([]string{"run-qa", "--json", "--progress", "json", "--output-dir", folder}, study.flags()...)
	r := p.ask(base...).run(t)
	r.refused(t, exitFailed, "the disk is full")
	document, all := p.count(t, r, 0)
	stored := len(storedRows(t, folder))
	if stored == 0 || stored+document.Lost != all {
		t.Errorf("%d rows are stored and %d answers told as lost, of %d calls", stored, document.Lost, all)
	}
	remount(t, point, 0, "size=16m")
	p.script(nil)
	p.count(t, p.ask(base...).run(t).must(t), all)
}

func TestAReadOnlyFileSystemIsRefused(t *testing.T) {
	point := mount(t, "16m")
	complete := filepath.Join(point, "run")
	tui(t, "run-qa", "--output-dir", complete).must(t)
	remount(t, point, unix.MS_RDONLY, "")
	if r := tui(t, "run-qa", "--output-dir", complete).must(t); r.stdout != "answer rows: 90 reused, 0 called, 0 failed\n" {
		t.Errorf("a complete run needs no writing; standard output is %q", r.stdout)
	}
	for _, command := range []string{"run-policy", "grade-qa"} {
		tui(t, command, "--output-dir", complete).refused(t, exitRefused, complete, "cannot be written", "choose another folder or make this one writable")
	}
	tui(t, "run-policy", "--output-dir", filepath.Join(point, "new")).refused(t, exitRefused, filepath.Join(point, "new"), "cannot be written")
}
