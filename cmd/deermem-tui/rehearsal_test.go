//go:build unix

package main

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"

	"deermem-tui/engine/report"
)

// serveOffline starts the offline answerer and gives its base URL.
func serveOffline(t *testing.T, args ...string) string {
	t.Helper()
	cmd := invocation{args: append([]string{"serve-offline"}, args...)}.command(t)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

// A newcomer rehearses a paid run against a provider that does everything
// wrong, stops and resumes it three times, and gets the graded bytes of an
// undisturbed run: all of them where each row was answered at the first attempt
// of a start, all but the rows' attempts where the protocol allows several.
// docs/running-qa.md walks through the same steps.
func TestARehearsalStoppedThreeTimesGivesTheGradesOfAnUndisturbedRun(t *testing.T) {
	for _, tt := range []struct{ name, attempts string }{
		{"each row called once, failed rows by the next start", "1"},
		{"each row called up to three times", "3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			study := newProtocol(t, model(t, tt.attempts))
			ask := func(url, folder string, more ...string) invocation {
				return invocation{
					args: append(append([]string{"run-qa", "--output-dir", folder}, study.flags()...), more...),
					env:  []string{keyVariable + "=" + secretKey, baseVariable + "=" + url},
				}
			}
			whole, disturbed := t.TempDir(), t.TempDir()
			ask(serveOffline(t), whole).run(t).must(t)

			bad := serveOffline(t, "--fault-seed", "30251", "--faults",
				"429:0.05:0s,503:0.05:0s,408:0.02:0s,reset:0.05,cut:0.05,slow:0.1:20ms,truncated:0.05,empty:0.03,refused:0.03,leaked:0.03,null:0.03,html:0.02,error:0.02")
			for range 3 { // stopped
				run := ask(bad, disturbed, "--progress", "json", "--retry", "all").start(t)
				run.until(`"state":"answered"`, 12)
				run.signal(os.Interrupt)
				if r := run.end(); r.code != exitFailed && r.code != exitDone {
					t.Fatalf("exit code %d:\n%s", r.code, r.stderr)
				}
			}
			for range 30 { // resumed until every row is answered
				if ask(bad, disturbed, "--retry", "all").run(t).code == exitDone {
					break
				}
			}
			ask(bad, disturbed).run(t).must(t)
			for _, folder := range []string{whole, disturbed} {
				invocation{args: append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)}.run(t).must(t)
			}
			if tt.attempts == "1" {
				sameGrades(t, whole, disturbed)
				return
			}
			// Rows tell how often they were called, as the reference's do; everything
			// else is the same.
			for _, name := range []string{report.QASummaryFile, report.QAStatsFile} {
				if readFile(t, whole, name) != readFile(t, disturbed, name) {
					t.Errorf("%s differs from that of an undisturbed run", name)
				}
			}
			attempts := regexp.MustCompile(`"attempts": \d+`)
			rows := func(folder string) string {
				return attempts.ReplaceAllString(readFile(t, folder, report.QARowsFile), `"attempts": n`)
			}
			if rows(whole) != rows(disturbed) {
				t.Error("the graded rows differ in more than the attempts")
			}
		})
	}
}
