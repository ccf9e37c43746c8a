//go:build !windows

package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"deermem-tui/engine/pipeline"
	"deermem-tui/ui/internal/fixture"

	_ "deermem-tui/ui/termbg"
)

// The test binary is also the program that is tested in a terminal.
const asProgram = "DEERMEM_TEST_UI"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(asProgram); mode {
	case "":
		time.Local = time.UTC // times of day in the views that are compared
		os.Exit(m.Run())
	case "shell":
		smallShell()
	default:
		programUnderTest(mode)
	}
}

func programUnderTest(mode string) {
	engine := &fakeEngine{book: fixture.Book(45, fixture.Fresh, false), run: func(ctx context.Context, sink pipeline.Sink) error {
		if mode == "panic" {
			panic("injected")
		}
		sink(pipeline.StageStarted{Stage: pipeline.StageQA, At: fixture.Now, Total: 90, Unit: "rows"})
		<-ctx.Done()
		fmt.Fprintln(os.Stderr, "rows are on disk")
		return ctx.Err()
	}}
	err := Run(context.Background(), Options{Engine: engine, Theme: themes()["dark"], Mouse: true})
	var signal *SignalError
	var caught *PanicError
	switch {
	case errors.As(err, &signal):
		fmt.Println("ended by signal", signal.Signal)
	case errors.As(err, &caught):
		fmt.Println("ended by panic", caught.Value, "in", caught.Where)
	default:
		fmt.Println("ended:", err)
	}
}

// session is the program in a terminal that answers nothing.
type session struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	tty  *os.File
	mu   sync.Mutex
	cond *sync.Cond
	seen bytes.Buffer
	eof  bool
	mode *term.State // before the program started
}

func startSession(t *testing.T, mode string) *session {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, pty: terminal, tty: tty, cmd: exec.Command(os.Args[0])}
	s.cond = sync.NewCond(&s.mu)
	s.mode = modeOf(t, tty)
	s.cmd.Env = append(os.Environ(), asProgram+"="+mode, "TERM=xterm-256color")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := terminal.Read(buf)
			s.mu.Lock()
			s.seen.Write(buf[:n])
			s.eof = err != nil
			s.cond.Broadcast()
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.tty.Close()
		_ = s.pty.Close()
	})
	return s
}

// await waits until the terminal received a text.
func (s *session) await(text string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !strings.Contains(s.seen.String(), text) {
		if s.eof {
			s.t.Fatalf("the terminal closed without %q:\n%q", text, s.seen.String())
		}
		s.cond.Wait()
	}
}

// text is all that the terminal received since forget.
func (s *session) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.String()
}

// forget lets await wait for what comes from now on.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen.Reset()
}

// undone checks that what was switched on last was switched off again.
func (s *session) undone(on, off string) {
	s.t.Helper()
	all := s.text()
	if strings.LastIndex(all, off) < strings.LastIndex(all, on) {
		s.t.Errorf("%q is not undone", on)
	}
}

func (s *session) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.pty, keys); err != nil {
		s.t.Fatal(err)
	}
}

// left checks that the program ended and gave the terminal back: cooked, the
// main screen, the cursor shown, the mouse and bracketed paste off.
func (s *session) left(words ...string) {
	s.t.Helper()
	before := s.mode
	for _, w := range append(words, "ended") {
		s.await(w)
	}
	if err := s.cmd.Wait(); err != nil {
		s.mu.Lock()
		s.t.Errorf("%v; the terminal received\n%s", err, s.seen.String())
		s.mu.Unlock()
	}
	after, err := term.GetState(int(s.tty.Fd()))
	if err != nil {
		s.t.Fatal(err)
	}
	if fmt.Sprintf("%+v", *after) != fmt.Sprintf("%+v", *before) {
		s.t.Errorf("the terminal's mode is not restored: %+v, was %+v", *after, *before)
	}
	s.mu.Lock()
	all := s.seen.String()
	s.mu.Unlock()
	main := strings.LastIndex(all, "\x1b[?1049l")
	if main < strings.LastIndex(all, "\x1b[?1049h") {
		s.t.Error("the main screen is not shown again")
	}
	for on, off := range map[string]string{"\x1b[?25l": "\x1b[?25h", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?2004h": "\x1b[?2004l", "\x1b[?7l": "\x1b[?7h"} {
		s.undone(on, off)
	}
	if strings.Contains(all, "\x1b]11;?") {
		s.t.Error("the terminal was asked for its background")
	}
	for _, w := range words {
		if at := strings.LastIndex(all, w); at < main {
			s.t.Errorf("%q is not written after the terminal was given back:\n%q", w, all[max(main, 0):])
		}
	}
}

func modeOf(t *testing.T, tty *os.File) *term.State {
	t.Helper()
	state, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestTheTerminalIsGivenBack(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		do         func(s *session)
		words      []string
	}{
		{"after quitting", "run", func(s *session) { s.press("q") }, []string{"ended: <nil>"}},
		{"after quitting while a run is in progress", "run", func(s *session) {
			s.press("s")
			s.await("running run-qa")
			s.press("q")
			s.await("Quit while")
			s.press("y")
		}, []string{"rows are on disk", "ended: <nil>"}},
		{"after SIGTERM while a run is in progress", "run", func(s *session) {
			s.press("s")
			s.await("running run-qa")
			_ = s.cmd.Process.Signal(syscall.SIGTERM)
		}, []string{"rows are on disk", "ended by signal terminated"}},
		{"after SIGQUIT", "run", func(s *session) { _ = s.cmd.Process.Signal(syscall.SIGQUIT) }, []string{"ended by signal quit"}},
		{"after SIGHUP", "run", func(s *session) { _ = s.cmd.Process.Signal(syscall.SIGHUP) }, []string{"ended by signal hangup"}},
		{"after a panic in the run", "panic", func(s *session) { s.press("s") },
			[]string{"internal error in the run: injected", "terminal_test.go", "ended by panic injected in the run"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startSession(t, c.mode)
			s.await("Press ")
			c.do(s)
			s.left(c.words...)
		})
	}
}
