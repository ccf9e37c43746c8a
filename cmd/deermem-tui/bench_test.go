package main

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"deermem-tui/protocol/vectortest"
)

// The whole process, from its start to its exit, as a user waits for it.

func benchmarkProcess(b *testing.B, args func(n int) []string) {
	start := invocation{}
	dir, n := b.TempDir(), 0
	peak := 0.0
	for b.Loop() {
		n++
		start.args, start.dir = args(n), dir
		cmd := start.command(b)
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		peak = max(peak, peakMiB(cmd.ProcessState))
	}
	b.ReportMetric(peak, "peak-MiB")
}

func BenchmarkProcessVersion(b *testing.B) {
	benchmarkProcess(b, func(int) []string { return []string{"version"} })
}

func BenchmarkProcessValidateSample(b *testing.B) {
	benchmarkProcess(b, func(int) []string { return []string{"validate"} })
}

func BenchmarkProcessValidateShadow(b *testing.B) {
	flags := shadowFlags(b, "")
	benchmarkProcess(b, func(int) []string { return append([]string{"validate"}, flags[:len(flags)-2]...) })
}

func BenchmarkProcessRunPolicyShadow(b *testing.B) {
	base := b.TempDir()
	benchmarkProcess(b, func(n int) []string {
		return append([]string{"run-policy"}, shadowFlags(b, filepath.Join(base, strconv.Itoa(n)))...)
	})
}

// BenchmarkProcessSHA256Sum is what the two above are measured against.
func BenchmarkProcessSHA256Sum(b *testing.B) {
	program, err := exec.LookPath("sha256sum")
	if err != nil {
		b.Skip("sha256sum is not here: skipped")
	}
	file := vectortest.Path(b, "shadow", "longmemeval_shadow.json")
	for b.Loop() {
		if err := exec.Command(program, file).Run(); err != nil {
			b.Fatal(err)
		}
	}
}
