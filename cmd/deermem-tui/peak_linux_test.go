package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// peakMiB is the most memory a finished process held at once.
func peakMiB(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024 // in KiB on Linux
}

func TestAWholeDatasetIsReadInLittleMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes memory of its own: skipped")
	}
	flags := shadowFlags(t, filepath.Join(t.TempDir(), "run"))
	for _, args := range [][]string{append([]string{"validate"}, flags[:len(flags)-2]...), append([]string{"run-policy"}, flags...)} {
		cmd := invocation{args: args}.command(t)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v", args[0], err)
		}
		if peak := peakMiB(cmd.ProcessState); peak >= 64 {
			t.Errorf("%s took %.1f MiB, want less than 64", args[0], peak)
		}
	}
}
