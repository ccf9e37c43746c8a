package main

import (
	"path/filepath"
	"testing"
)

// A disk that is full in the middle of a report leaves nothing of it behind.
func TestAReportThatDoesNotFitLeavesNothingBehind(t *testing.T) {
	dir := gradedSample(t)
	point := mount(t, "48k")
	out := filepath.Join(point, "report")
	tui(t, "report", dir, "--output-dir", out).refused(t, exitFailed, "the disk is full", "free some space")
	if names := fileNames(t, point); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
	remount(t, point, 0, "size=16m")
	tui(t, "report", dir, "--output-dir", out).must(t)
}
