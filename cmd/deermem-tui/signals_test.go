//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"deermem-tui/engine/report"
	"deermem-tui/engine/rundir"
)

// running is a command under way whose standard error is read line by line.
type running struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdout *os.File
	stderr *bufio.Scanner
	told   strings.Builder // what was read of standard error
}

func (i invocation) start(t testing.TB) *running {
	t.Helper()
	r := &running{t: t, cmd: i.command(t)}
	var err error
	if r.stdout, err = os.Create(filepath.Join(t.TempDir(), "stdout")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.stdout.Close() })
	r.cmd.Stdout = r.stdout
	pipe, err := r.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.stderr = bufio.NewScanner(pipe)
	r.stderr.Buffer(nil, 1<<20)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

// until reads standard error up to the nth line that holds text.
func (r *running) until(text string, n int) {
	r.t.Helper()
	for r.stderr.Scan() {
		fmt.Fprintln(&r.told, r.stderr.Text())
		if strings.Contains(r.stderr.Text(), text) {
			if n--; n == 0 {
				return
			}
		}
	}
	r.t.Fatalf("the command ended before it said %q:\n%s", text, r.told.String())
}

func (r *running) signal(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}

// end waits for the command to end.
func (r *running) end() result {
	r.t.Helper()
	for r.stderr.Scan() {
		fmt.Fprintln(&r.told, r.stderr.Text())
	}
	_ = r.cmd.Wait()
	left := result{r.cmd.ProcessState.ExitCode(), readFile(r.t, r.stdout.Name()), r.told.String()}
	left.checkCalm(r.t)
	return left
}

// barrier is a provider's script that answers the first free calls and holds the
// others back until it is opened.
type barrier struct {
	arrived chan struct{} // one for each call held back
	open    chan struct{}
}

// shut makes p hold back every call after the first free ones.
func (p *scripted) shut(free int) *barrier {
	g := &barrier{arrived: make(chan struct{}, 90), open: make(chan struct{})}
	p.script(func(n int, _ string, _ http.ResponseWriter, r *http.Request) bool {
		if n <= free {
			return false
		}
		g.arrived <- struct{}{}
		select {
		case <-g.open:
			return false
		case <-r.Context().Done():
			return true
		}
	})
	return g
}

// held waits until n calls are held back.
func (g *barrier) held(n int) {
	for range n {
		<-g.arrived
	}
}

const workers = 3 // of the sample's configuration

// pausedRun is a run-qa that has stored so many rows and waits for the rest.
func pausedRun(t *testing.T, p *scripted, study protocolFolder, folder string, stored int) (*running, *barrier) {
	t.Helper()
	g := p.shut(stored)
	run := p.ask(append([]string{"run-qa", "--progress", "json", "--output-dir", folder}, study.flags()...)...).start(t)
	run.until(`"state":"answered"`, stored)
	g.held(workers)
	return run, g
}

func TestOneSignalLetsTheCallsInFlightFinish(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			p := newScripted(t)
			folder := t.TempDir()
			run, g := pausedRun(t, p, study, folder, 7)
			run.signal(s)
			run.until("stopping: the calls in flight may finish", 1)
			close(g.open)
			r := run.end()
			r.refused(t, exitFailed, "stopped with 10 of 90 rows stored; run it again to resume")
			if r.stdout != "answer rows: 0 reused, 10 called, 0 failed\n" {
				t.Errorf("standard output is %q", r.stdout)
			}
			progressEvents(t, r.stderr) // still JSON, every line
			if n, calls := len(storedRows(t, folder)), len(p.calls()); n != 10 || calls != 10 {
				t.Errorf("%d rows stored of %d calls, want 10 of 10", n, calls)
			}
			if names := fileNames(t, folder); !slices.Equal(names, []string{"deermem-tui", "qa_run.json", "responses"}) {
				t.Errorf("the folder holds %v", names)
			}
		})
	}
}

func TestTwoSignalsAbandonTheCallsInFlight(t *testing.T) {
	study := newProtocol(t, model(t, "3"))
	p := newScripted(t)
	folder := t.TempDir()
	run, _ := pausedRun(t, p, study, folder, 7) // the gate stays shut
	run.signal(os.Interrupt)
	run.until("stopping", 1)
	run.signal(os.Interrupt)
	r := run.end()
	r.refused(t, exitFailed, "stopped with 7 of 90 rows stored; run it again to resume")
	if r.stdout != "answer rows: 0 reused, 7 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
	if n := len(storedRows(t, folder)); n != 7 {
		t.Errorf("%d rows stored, want 7", n)
	}
}

func TestAKilledRunResumesWithoutPayingTwiceAndGradesTheSame(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	whole, killed := t.TempDir(), t.TempDir()
	p.ask(append([]string{"run-qa", "--output-dir", whole}, study.flags()...)...).run(t).must(t)

	run, _ := pausedRun(t, p, study, killed, 20)
	run.signal(os.Kill)
	_ = run.cmd.Wait()
	before := storedRows(t, killed)
	if len(before) != 20 {
		t.Fatalf("%d rows survived, want 20", len(before))
	}
	// What a writer that died in the middle of a file leaves.
	writeFile(t, `{"row_id": "half`, killed, "responses", ".x.json123")

	p.script(nil)
	r := p.ask(append([]string{"run-qa", "--output-dir", killed}, study.flags()...)...).run(t).must(t)
	if r.stdout != "answer rows: 20 reused, 70 called, 0 failed\n" {
		t.Errorf("standard output is %q", r.stdout)
	}
	after := storedRows(t, killed)
	again := hashes(p.calls())
	all := fingerprints(after)
	for _, hash := range again { // take away what was called now: what is left was called before
		at, ok := slices.BinarySearch(all, hash)
		if !ok {
			t.Fatalf("a call whose fingerprint is not stored: %s", hash)
		}
		all = slices.Delete(all, at, at+1)
	}
	if !slices.Equal(all, fingerprints(before)) {
		t.Errorf("the %d calls of the second run are not those of the missing rows", len(again))
	}
	if names := fileNames(t, filepath.Join(killed, "responses")); len(names) != 90 {
		t.Errorf("%d files among the rows, want 90", len(names))
	}
	for _, folder := range []string{whole, killed} {
		p.ask(append([]string{"grade-qa", "--output-dir", folder}, study.flags()...)...).run(t).must(t)
	}
	for _, name := range report.GradeFiles() {
		if readFile(t, whole, name) != readFile(t, killed, name) {
			t.Errorf("%s differs from that of a run without a crash", name)
		}
	}
	if _, err := os.Stat(filepath.Join(killed, rundir.LockFile)); err == nil {
		t.Error("the lock file of the dead process is still there")
	}
}

func TestASecondWriterIsRefusedAndToldTheFirst(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	run, g := pausedRun(t, p, study, folder, 1)
	first := fmt.Sprintf("pid %d (run-qa", run.cmd.Process.Pid)
	for _, command := range []string{"run-qa", "run-policy"} {
		r := p.ask(append([]string{command, "--json", "--output-dir", folder}, study.flags()...)...).run(t)
		r.refused(t, exitRefused, folder, "is being written by", first, "wait for it to end, or stop it")
		if r.stdout != "" {
			t.Errorf("%s: standard output is %q", command, r.stdout)
		}
	}
	close(g.open)
	if r := run.end(); r.code != exitDone {
		t.Errorf("the first writer ended with %d:\n%s", r.code, r.stderr)
	}
}

// A log that is no longer read must not cost paid answers.
func TestAReaderThatGoesAwayDoesNotEndARun(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	p := newScripted(t)
	folder := t.TempDir()
	g := p.shut(3)
	cmd := p.ask(append([]string{"run-qa", "--progress", "json", "--output-dir", folder}, study.flags()...)...).command(t)
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	g.held(workers)
	if _, err := io.ReadFull(pipe, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	pipe.Close()
	close(g.open)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the run ended with %v", err)
	}
	if n := len(storedRows(t, folder)); n != 90 {
		t.Errorf("%d rows stored, want 90", n)
	}
}

func TestServeOfflineAnswersUntilItIsStopped(t *testing.T) {
	study := newProtocol(t, model(t, "1"))
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := invocation{args: []string{"serve-offline"}}.command(t)
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		url, err := bufio.NewReader(pipe).ReadString('\n')
		if err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
			t.Fatalf("it printed %q (%v)", url, err)
		}
		r := invocation{
			args: append([]string{"run-qa", "--output-dir", t.TempDir()}, study.flags()...),
			env:  []string{baseVariable + "=" + strings.TrimSpace(url), keyVariable + "=" + secretKey},
		}.run(t).must(t)
		if r.stdout != "answer rows: 0 reused, 90 called, 0 failed\n" {
			t.Errorf("standard output is %q", r.stdout)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("after %v it ended with %v", s, err)
		}
	}
}
