//go:build unix

package main

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/creack/pty"
)

// From the start of the process to a text on the screen: the first frame, and
// the first that shows the study. The goal for the first is 100 ms.
func BenchmarkProcessFirstFrame(b *testing.B) {
	for name, wanted := range map[string]string{"any": "deermem-tui", "study": "Press "} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			peak := 0.0
			for b.Loop() {
				cmd := invocation{args: []string{"--output-dir", "run", "--remember", "off"}, env: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}}.command(b)
				start := time.Now()
				terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 60, Cols: 200})
				if err != nil {
					b.Skipf("no terminal can be made here (%v): skipped", err)
				}
				var seen bytes.Buffer
				part := make([]byte, 1<<16)
				for !bytes.Contains(seen.Bytes(), []byte(wanted)) {
					n, err := terminal.Read(part)
					seen.Write(part[:n])
					if err != nil {
						b.Fatalf("the screen does not show %q (%v):\n%q", wanted, err, seen.String())
					}
				}
				took = append(took, time.Since(start))
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				peak = max(peak, peakMiB(cmd.ProcessState))
				_ = terminal.Close()
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[(len(took)*99-1)/100])/float64(time.Millisecond), "p99-ms")
			b.ReportMetric(float64(took[len(took)/2])/float64(time.Millisecond), "median-ms")
			b.ReportMetric(peak, "peak-MiB")
		})
	}
}
