//go:build unix

// A terminal or a pipe that nobody reads must not keep the program from ending:
// somebody pressed ctrl+s, a connection hangs, a pager waits.

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

func TestSignalsEndTheApplicationOnATerminalThatIsNotRead(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		t.Run(s.String(), func(t *testing.T) {
			cmd := invocation{args: []string{"--remember", "off"}, env: []string{"TERM=xterm-256color"}}.command(t)
			// So large that a single frame is more than the system holds unread.
			terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 400, Cols: 500})
			if err != nil {
				t.Skipf("no terminal can be made here (%v): skipped", err)
			}
			defer terminal.Close()
			defer func() { _ = cmd.Process.Kill() }()
			if _, err := io.ReadFull(terminal, make([]byte, 20_000)); err != nil { // it is in the middle of a frame
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitFailed {
				t.Errorf("it ended with %d (%v), want an end in good order", code, cmd.ProcessState)
			}
		})
	}
}

// unreadRun is a run-qa that stored some rows and is about to store more, while
// what it says on standard error is not read any more.
func unreadRun(t *testing.T, p *scripted, folder string, stored int) (*exec.Cmd, *barrier) {
	t.Helper()
	study := newProtocol(t, model(t, "1"))
	b := p.shut(stored)
	cmd := p.ask(append([]string{"run-qa", "--progress", "json", "--output-dir", folder}, study.flags()...)...).command(t)
	read, write := pipe(t)
	cmd.Stderr = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	for lines := bufio.NewScanner(read); stored > 0; {
		if !lines.Scan() {
			t.Fatal("it ended too soon")
		}
		if strings.Contains(lines.Text(), `"state":"answered"`) {
			stored--
		}
	}
	b.held(workers)
	fill(t, write)
	return cmd, b
}

// pipe is a pipe of the plain kind: what it cannot hold blocks who writes it.
func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	for _, end := range ends {
		syscall.CloseOnExec(end)
	}
	read, write = os.NewFile(uintptr(ends[0]), "read"), os.NewFile(uintptr(ends[1]), "write")
	t.Cleanup(func() { read.Close(); write.Close() })
	return read, write
}

// fill writes until nothing more is taken.
func fill(t *testing.T, write *os.File) {
	t.Helper()
	fd := int(write.Fd())
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4096, 1} {
		for {
			if _, err := syscall.Write(fd, make([]byte, size)); errors.Is(err, syscall.EAGAIN) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
}

func TestASignalEndsARunWhoseProgressIsNotRead(t *testing.T) {
	p := newScripted(t)
	folder := t.TempDir()
	cmd, b := unreadRun(t, p, folder, 7)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	close(b.open)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFailed {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
	// Calls in flight were let finish; which of the next began before the signal
	// was heard nobody can say.
	if rows, calls := len(storedRows(t, folder)), len(p.calls()); rows != calls || rows < 7+workers {
		t.Errorf("%d rows stored of %d calls", rows, calls)
	}
}

func TestTwoSignalsEndARunWhoseProgressIsNotReadAtOnce(t *testing.T) {
	p := newScripted(t)
	folder := t.TempDir()
	cmd, _ := unreadRun(t, p, folder, 7) // no answer comes any more
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitFailed {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
	if rows := len(storedRows(t, folder)); rows != 7 {
		t.Errorf("%d rows stored", rows)
	}
}
