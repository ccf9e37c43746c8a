//go:build unix

// Job control: ctrl+z and a stop from outside. The program is the child of a
// small shell here, for only that can bring a stopped program back.
package ui

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// smallShell starts the program as a shell does: in a group of its own, which
// has the terminal until the program stops. It says how the terminal was left,
// and brings the program back.
func smallShell() {
	signal.Ignore(syscall.SIGTTOU) // it takes the terminal back from the background
	terminal := int(os.Stdin.Fd())
	before, _ := term.GetState(terminal)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProgram+"=run")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: terminal}
	if err := cmd.Start(); err != nil {
		fmt.Println("no program:", err)
		return
	}
	fmt.Printf("program %d\n", cmd.Process.Pid)
	for {
		var state syscall.WaitStatus
		if _, err := syscall.Wait4(cmd.Process.Pid, &state, syscall.WUNTRACED, nil); err != nil || !state.Stopped() {
			fmt.Println("ended:", err, state.ExitStatus())
			return
		}
		_ = unix.IoctlSetPointerInt(terminal, unix.TIOCSPGRP, syscall.Getpgrp())
		after, _ := term.GetState(terminal)
		fmt.Printf("stopped, terminal in order %v\n", fmt.Sprintf("%+v", before) == fmt.Sprintf("%+v", after))
		_, _ = fmt.Scanln()
		_ = unix.IoctlSetPointerInt(terminal, unix.TIOCSPGRP, cmd.Process.Pid)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGCONT)
	}
}

func TestTheTerminalIsInOrderWhileTheProgramIsStopped(t *testing.T) {
	for _, c := range []struct {
		name string
		stop func(s *session, program int)
	}{
		{"by ctrl+z", func(s *session, _ int) { s.press("\x1a") }},
		{"from outside", func(s *session, program int) { _ = syscall.Kill(program, syscall.SIGTSTP) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startSession(t, "shell")
			var program int
			s.await("Press ")
			if _, err := fmt.Sscanf(s.text(), "program %d", &program); err != nil {
				t.Fatalf("%v in %q", err, s.text())
			}
			for range 2 {
				c.stop(s, program)
				s.await("stopped, terminal in order true")
				for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?7l": "\x1b[?7h"} {
					s.undone(on, off)
				}
				s.forget()
				s.press("\n") // fg
				s.await("Press ")
			}
			s.press("q")
			s.left("ended: <nil> 0")
		})
	}
}

func TestWithoutAShellNothingIsSuspended(t *testing.T) {
	for name, stop := range map[string]func(s *session){
		"by ctrl+z":    func(s *session) { s.press("\x1a") },
		"from outside": func(s *session) { _ = s.cmd.Process.Signal(syscall.SIGTSTP) },
	} {
		t.Run(name, func(t *testing.T) {
			s := startSession(t, "run")
			s.await("Press ")
			stop(s)
			s.await("not suspended")
			s.press("q")
			s.left("ended: <nil>")
		})
	}
}
